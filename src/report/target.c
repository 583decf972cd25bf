#include "report/target.h"

#include "util/error.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_LINKS = 40 }; /* as the system allows */

static int fail(const ReportTarget *target, VqxError *error, const char *what)
{
    vqx_fail(error, VQX_ERROR_ARGUMENT, "%.200s: %s", target->name, what);
    return -1;
}

static int fail_errno(const ReportTarget *target, VqxError *error, const char *what)
{
    char text[128];
    const int cause = errno;
    vqx_fail(error, VQX_ERROR_ARGUMENT, "%.200s: %s: %s", target->name, what,
             strerror_r(cause, text, sizeof text));
    return -1;
}

/* The descriptor that a name stands for, or -1. Opening such a name afresh would start at the
 * file's beginning, and fails for sockets. */
static int named_descriptor(const char *name)
{
    static const char *const folders[] = {"/dev/fd/", "/proc/self/fd/"};
    if (!strcmp(name, "-") || !strcmp(name, "/dev/stdout"))
        return STDOUT_FILENO;
    if (!strcmp(name, "/dev/stderr"))
        return STDERR_FILENO;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        const size_t length = strlen(folders[i]);
        if (strncmp(name, folders[i], length))
            continue;
        char *end;
        const long descriptor = strtol(name + length, &end, 10);
        if (end != name + length && !*end && descriptor >= 0 && descriptor < 1 << 20)
            return (int)descriptor;
    }
    return -1;
}

static int check_descriptor(const ReportTarget *target, VqxError *error)
{
    const int flags = fcntl(target->descriptor, F_GETFL);
    if (flags < 0 || (flags & O_ACCMODE) == O_RDONLY)
        return fail(target, error, "it is closed; redirect it to a file or name one");
    return 0;
}

/* path's folder: the caller frees it. */
static char *folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    if (!slash)
        return strdup(".");
    return slash == path ? strdup("/") : strndup(path, (size_t)(slash - path));
}

static char *join(const char *folder, const char *name)
{
    const size_t size = strlen(folder) + strlen(name) + 2;
    char *path = malloc(size);
    if (path)
        snprintf(path, size, "%s/%s", folder, name);
    return path;
}

/* Where the link `path` points to, as a path that can be used from here; NULL with errno. */
static char *link_target(const char *path)
{
    char target[PATH_MAX];
    const ssize_t length = readlink(path, target, sizeof target);
    if (length < 0)
        return NULL;
    if ((size_t)length == sizeof target) {
        errno = ENAMETOOLONG;
        return NULL;
    }
    target[length] = '\0';
    if (*target == '/')
        return strdup(target);
    char *folder = folder_of(path), *joined = folder ? join(folder, target) : NULL;
    free(folder);
    return joined;
}

/* The name of a file that is not there yet: through a link that leads to it, as opening would go. The caller frees it; NULL
 * with errno. The system says ELOOP, not ENOENT, of links that run in a circle, but they may change meanwhile. */
static char *path_of_new(const char *name)
{
    struct stat status;
    char *path = strdup(name);
    for (int links = 0;
         path && links < MOST_LINKS && !lstat(path, &status) && S_ISLNK(status.st_mode); links++) {
        char *next = link_target(path);
        const int cause = errno;
        free(path);
        errno = cause;
        path = next;
    }
    return path;
}

/* The caller frees it. A file's name may be as long as the system allows, and then leaves no room for more. */
static char *temporary_name(const char *path, const char *folder)
{
    char end[32];
    snprintf(end, sizeof end, ".%ld.part", (long)getpid());
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    if (strlen(name) + strlen(end) > NAME_MAX) {
        char own[48];
        snprintf(own, sizeof own, ".vqx%s", end);
        return join(folder, own);
    }
    const size_t size = strlen(path) + sizeof end;
    char *temporary = malloc(size);
    if (temporary)
        snprintf(temporary, size, "%s%s", path, end);
    return temporary;
}

/* A writable folder is needed for a file that does not exist yet. */
static int check_folder(ReportTarget *target, int exists, VqxError *error)
{
    struct stat status;
    char *folder = folder_of(target->path);
    if (!folder)
        return fail(target, error, "out of memory");
    int result = 0;
    const int usable = !stat(folder, &status) && S_ISDIR(status.st_mode);
    const int writable = usable && !access(folder, W_OK | X_OK);
    if (writable) {
        target->temporary = temporary_name(target->path, folder);
        if (!target->temporary)
            result = fail(target, error, "out of memory");
    } else if (!exists) {
        vqx_fail(error, VQX_ERROR_ARGUMENT, "%.200s: the folder %.200s %s", target->name, folder,
                 usable ? "cannot be written to" : "does not exist; make it first");
        result = -1;
    }
    free(folder);
    return result;
}

static int check_path(ReportTarget *target, VqxError *error)
{
    struct stat status;
    const size_t length = strlen(target->name);
    if (!length)
        return fail(target, error,
                    "the report's name is empty; give a file name, or - for standard output");
    const int exists = !stat(target->name, &status);
    if (!exists && errno != ENOENT)
        return fail_errno(target, error, "the report cannot be written");
    if (target->name[length - 1] == '/' || (exists && S_ISDIR(status.st_mode)))
        return fail(target, error, "is a folder; give the name of a file in it");
    target->path = exists ? realpath(target->name, NULL) : path_of_new(target->name);
    if (!target->path)
        return fail_errno(target, error, "the report cannot be written");
    if (exists && access(target->path, W_OK))
        return fail_errno(target, error, "the report cannot be written");
    return exists && !S_ISREG(status.st_mode) ? 0 : check_folder(target, exists, error);
}

int report_target_init(ReportTarget *target, const char *name, VqxError *error)
{
    *target = (ReportTarget){.name = name, .descriptor = named_descriptor(name)};
    const int status =
        target->descriptor >= 0 ? check_descriptor(target, error) : check_path(target, error);
    if (status)
        report_target_free(target);
    return status;
}

/* An open descriptor for the report, or -1. */
static int open_descriptor(const ReportTarget *target)
{
    if (target->descriptor >= 0)
        return fcntl(target->descriptor, F_DUPFD_CLOEXEC, 3);
    if (!target->temporary)
        return open(target->path, O_WRONLY | O_TRUNC | O_NOCTTY | O_CLOEXEC);
    unlink(target->temporary); /* left by a killed process of the same number, or a trap */
    struct stat before;
    const int replaces = !stat(target->path, &before);
    const int descriptor = open(target->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
                                replaces ? before.st_mode & 0666 : 0666);
    if (descriptor >= 0 && replaces && fchmod(descriptor, before.st_mode & 0777))
        errno = 0; /* no more may be read than before: the umask has only taken away */
    return descriptor;
}

FILE *report_target_open(ReportTarget *target, VqxError *error)
{
    const int descriptor = open_descriptor(target);
    target->file = descriptor < 0 ? NULL : fdopen(descriptor, "w");
    if (!target->file) {
        fail_errno(target, error, "the report cannot be written");
        if (descriptor >= 0) {
            close(descriptor);
            if (target->temporary)
                unlink(target->temporary);
        }
    }
    return target->file;
}

int report_target_close(ReportTarget *target, int failed, VqxError *error)
{
    const int cause = errno;
    int status = fclose(target->file);
    target->file = NULL;
    if (failed)
        errno = cause;
    if (failed || status) {
        fail_errno(target, error, "the report could not be written");
        if (target->temporary)
            unlink(target->temporary);
        return -1;
    }
    if (target->temporary && rename(target->temporary, target->path)) {
        char text[128];
        const int refusal = errno;
        vqx_fail(error, VQX_ERROR_ARGUMENT,
                 "%.140s: could not be replaced (%s); the report is in %.200s", target->name,
                 strerror_r(refusal, text, sizeof text), target->temporary);
        return -1;
    }
    return 0;
}

void report_target_free(ReportTarget *target)
{
    free(target->path);
    free(target->temporary);
    target->path = NULL;
    target->temporary = NULL;
}

int report_target_is_descriptor(const ReportTarget *target, int descriptor)
{
    struct stat mine, other;
    if (target->descriptor >= 0)
        return target->descriptor == descriptor;
    return !stat(target->path, &mine) && !fstat(descriptor, &other) && S_ISREG(mine.st_mode) &&
           mine.st_dev == other.st_dev && mine.st_ino == other.st_ino;
}

/* 1 if `input` is the target's file. */
static int is_file(const ReportTarget *target, const char *input)
{
    struct stat mine, other;
    const int missing = strcmp(input, "-") ? stat(input, &other) : fstat(STDIN_FILENO, &other);
    return !missing && !stat(target->path, &mine) && S_ISREG(mine.st_mode) &&
           mine.st_dev == other.st_dev && mine.st_ino == other.st_ino;
}

int report_target_spares(const ReportTarget *target, const char *const input[2], VqxError *error)
{
    for (int i = 0; target->path && i < 2; i++)
        if (input[i] && is_file(target, input[i]))
            return fail(target, error, "the report would overwrite an input; name another file");
    return 0;
}
