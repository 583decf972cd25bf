#include "robustness/faults.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

static const char *const kind_names[FAULT_KINDS] = {
    "memory",        "open", "read",   "write",         "thread", "module",
    "device-memory", "copy", "launch", "device-module", "queue",  "query"};
static const char *const mode_names[] = {"once", "from", "interrupt", "short"};

static FaultKind armed_kind;
static FaultMode armed_mode;
static unsigned long armed_call;
static atomic_ulong calls, injected;
static atomic_long live, device_live;

void faults_arm(FaultKind kind, unsigned long n, FaultMode mode)
{
    armed_kind = kind;
    armed_mode = mode;
    armed_call = n;
    atomic_store(&calls, 0);
    atomic_store(&injected, 0);
}

unsigned long faults_calls(void)
{
    return atomic_load(&calls);
}

unsigned long faults_injected(void)
{
    return atomic_load(&injected);
}

long faults_live(void)
{
    return atomic_load(&live);
}

/* Whether this call is to fail; errno is then `code`. */
static int fails(FaultKind kind, int code)
{
    if (kind != armed_kind)
        return 0;
    const unsigned long call = atomic_fetch_add(&calls, 1) + 1;
    const int failing = armed_call && ((armed_mode == FAULT_ONCE && call == armed_call) ||
                                       (armed_mode == FAULT_FROM && call >= armed_call));
    if (failing) {
        atomic_fetch_add(&injected, 1);
        errno = code;
    }
    return failing;
}

int faults_device_call(FaultKind kind)
{
    return fails(kind, EIO);
}

void faults_device_object(int change)
{
    atomic_fetch_add(&device_live, change);
}

long faults_device_live(void)
{
    return atomic_load(&device_live);
}

static void *counted(void *memory)
{
    if (memory)
        atomic_fetch_add(&live, 1);
    return memory;
}

/* The function `name` as the code under test calls it, and the one behind it. */
#define WRAP(type, name, ...)        \
    type __real_##name(__VA_ARGS__); \
    type __wrap_##name(__VA_ARGS__); \
    type __wrap_##name(__VA_ARGS__)

/* ---- memory ---- */

WRAP(void *, malloc, size_t size)
{
    return fails(FAULT_MEMORY, ENOMEM) ? NULL : counted(__real_malloc(size));
}

WRAP(void *, calloc, size_t count, size_t size)
{
    return fails(FAULT_MEMORY, ENOMEM) ? NULL : counted(__real_calloc(count, size));
}

WRAP(void *, realloc, void *memory, size_t size)
{
    if (fails(FAULT_MEMORY, ENOMEM))
        return NULL;
    void *grown = __real_realloc(memory, size);
    return memory ? grown : counted(grown);
}

WRAP(int, posix_memalign, void **memory, size_t alignment, size_t size)
{
    if (fails(FAULT_MEMORY, ENOMEM))
        return ENOMEM;
    const int status = __real_posix_memalign(memory, alignment, size);
    if (!status)
        counted(*memory);
    return status;
}

WRAP(void, free, void *memory)
{
    if (memory)
        atomic_fetch_sub(&live, 1);
    __real_free(memory);
}

WRAP(char *, strdup, const char *text)
{
    return fails(FAULT_MEMORY, ENOMEM) ? NULL : counted(__real_strdup(text));
}

WRAP(char *, strndup, const char *text, size_t length)
{
    return fails(FAULT_MEMORY, ENOMEM) ? NULL : counted(__real_strndup(text, length));
}

WRAP(char *, realpath, const char *path, char *resolved)
{
    if (fails(FAULT_MEMORY, ENOMEM))
        return NULL;
    char *path_resolved = __real_realpath(path, resolved);
    return resolved ? path_resolved : counted(path_resolved);
}

/* The buffer is the caller's once the stream is closed. */
WRAP(FILE *, open_memstream, char **text, size_t *size)
{
    return fails(FAULT_MEMORY, ENOMEM) ? NULL : counted(__real_open_memstream(text, size));
}

WRAP(locale_t, newlocale, int mask, const char *name, locale_t base)
{
    return fails(FAULT_MEMORY, ENOMEM) ? (locale_t)0 : __real_newlocale(mask, name, base);
}

/* ---- files ---- */

static unsigned mode_argument(int flags, va_list arguments)
{
    return flags & O_CREAT ? va_arg(arguments, unsigned) : 0;
}

#define WRAP_OPEN(name)                                                           \
    WRAP(int, name, const char *path, int flags, ...)                             \
    {                                                                             \
        va_list arguments;                                                        \
        va_start(arguments, flags);                                               \
        const unsigned mode = mode_argument(flags, arguments);                    \
        va_end(arguments);                                                        \
        return fails(FAULT_OPEN, EMFILE) ? -1 : __real_##name(path, flags, mode); \
    }
WRAP_OPEN(open)
WRAP_OPEN(open64)

WRAP(int, pipe2, int ends[2], int flags)
{
    return fails(FAULT_OPEN, EMFILE) ? -1 : __real_pipe2(ends, flags);
}

WRAP(int, fstat, int descriptor, struct stat *status)
{
    return fails(FAULT_OPEN, EIO) ? -1 : __real_fstat(descriptor, status);
}

WRAP(int, fstat64, int descriptor, struct stat64 *status)
{
    return fails(FAULT_OPEN, EIO) ? -1 : __real_fstat64(descriptor, status);
}

WRAP(FILE *, fdopen, int descriptor, const char *mode)
{
    return fails(FAULT_OPEN, ENOMEM) ? NULL : __real_fdopen(descriptor, mode);
}

/* 1: this read fails, errno saying how. */
static int read_fails(void)
{
    if (fails(FAULT_READ, EIO))
        return 1;
    if (armed_kind != FAULT_READ || armed_mode != FAULT_INTERRUPT ||
        atomic_load(&calls) % armed_call)
        return 0;
    atomic_fetch_add(&injected, 1);
    errno = EINTR;
    return 1;
}

/* The first piece, cut to what a short read gives; NULL: reads are not short. */
static const struct iovec *cut(struct iovec *piece, const struct iovec *pieces)
{
    if (armed_kind != FAULT_READ || armed_mode != FAULT_SHORT)
        return NULL;
    *piece = *pieces;
    if (piece->iov_len > armed_call) {
        piece->iov_len = armed_call;
        atomic_fetch_add(&injected, 1);
    }
    return piece;
}

WRAP(ssize_t, readv, int descriptor, const struct iovec *pieces, int count)
{
    struct iovec piece;
    const struct iovec *shorter = cut(&piece, pieces);
    return read_fails() ? -1
                        : __real_readv(descriptor, shorter ? shorter : pieces, shorter ? 1 : count);
}

#define WRAP_PREADV(name, offset_type)                                                             \
    WRAP(ssize_t, name, int descriptor, const struct iovec *pieces, int count, offset_type offset) \
    {                                                                                              \
        struct iovec piece;                                                                        \
        const struct iovec *shorter = cut(&piece, pieces);                                         \
        return read_fails() ? -1                                                                   \
                            : __real_##name(descriptor, shorter ? shorter : pieces,                \
                                            shorter ? 1 : count, offset);                          \
    }
WRAP_PREADV(preadv, off_t)
WRAP_PREADV(preadv64, off64_t)

/* What is lost on standard error is nobody's result. */
WRAP(int, fflush, FILE *file)
{
    return file != stderr && fails(FAULT_WRITE, ENOSPC) ? EOF : __real_fflush(file);
}

WRAP(int, fclose, FILE *file)
{
    const int failing = fails(FAULT_WRITE, ENOSPC);
    const int status = __real_fclose(file);
    if (failing)
        errno = ENOSPC;
    return failing ? EOF : status;
}

WRAP(int, rename, const char *from, const char *to)
{
    return fails(FAULT_WRITE, EIO) ? -1 : __real_rename(from, to);
}

/* ---- threads and modules ---- */

WRAP(int, pthread_create, pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
     void *opaque)
{
    return fails(FAULT_THREAD, EAGAIN) ? EAGAIN
                                       : __real_pthread_create(thread, attributes, run, opaque);
}

static atomic_int module_failed;

WRAP(void *, dlopen, const char *path, int flags)
{
    const int failing = fails(FAULT_MODULE, ENOMEM);
    atomic_store(&module_failed, failing);
    return failing ? NULL : __real_dlopen(path, flags);
}

WRAP(void *, dlsym, void *handle, const char *name)
{
    return fails(FAULT_MODULE, ENOMEM) ? NULL : __real_dlsym(handle, name);
}

WRAP(char *, dlerror, void)
{
    static char text[] = "a fault was injected";
    return atomic_exchange(&module_failed, 0) ? text : __real_dlerror();
}

/* ---- a program armed from outside ---- */

static int position_of(const char *name, const char *const *names, int count)
{
    for (int i = 0; i < count; i++)
        if (!strcmp(name, names[i]))
            return i;
    fprintf(stderr, "faults: unknown '%s'\n", name);
    abort();
}

__attribute__((constructor)) static void arm_from_environment(void)
{
    const char *text = getenv("VQX_FAULT");
    char kind[16], mode[16];
    unsigned long n;
    if (text && sscanf(text, "%15s %lu %15s", kind, &n, mode) == 3)
        faults_arm((FaultKind)position_of(kind, kind_names, FAULT_KINDS), n,
                   (FaultMode)position_of(mode, mode_names, 4));
}

__attribute__((destructor)) static void log_at_end(void)
{
    const char *path = getenv("VQX_FAULT_LOG");
    const unsigned long seen = faults_calls(), failed = faults_injected();
    const long left = faults_live();
    FILE *file = path ? fopen(path, "w") : NULL;
    if (file) {
        fprintf(file, "%lu %lu %ld\n", seen, failed, left);
        __real_fclose(file);
    }
}
