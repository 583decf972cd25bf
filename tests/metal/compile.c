/*
 * Compiles a kernel's Metal source for the host: clang, C++14, the shim. Contraction is allowed
 * (fast-honor-pragmas) and the target has fused multiply-adds where the processor does, so that
 * only the source itself keeps products and sums apart. Objects are kept in a folder under a hash
 * of all that goes into them.
 */
#include "compile.h"

#include "simt/runner.h"

#include <ctype.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* VQX_TEST_CLANG, VQX_TEST_SHIM (folder) and VQX_TEST_KERNELS (folder) are the build's. */

static int reject(char *log, size_t size, const char *what)
{
    snprintf(log, size, "%s", what);
    return -1;
}

/* Attributes name where an argument comes from: checked, and blanked out, as clang knows none of
 * them. Buffers must be numbered as they stand: so the host sets them. */
static int take_attributes(char *source, char *log, size_t log_size)
{
    int next = 0, number, used;
    for (char *at = source; (at = strpbrk(at, "[k"));) {
        if (!strncmp(at, "kernel void ", 12))
            next = 0;
        char *end = strncmp(at, "[[", 2) ? NULL : strstr(at, "]]");
        if (!end) {
            at++;
            continue;
        }
        const size_t length = (size_t)(end - at - 2);
        char text[64] = "";
        memcpy(text, at + 2, length < sizeof text ? length : 0);
        used = 0;
        if (sscanf(text, "buffer(%d)%n", &number, &used) == 1 && used) {
            if (number != next++)
                return reject(log, log_size, "buffers are not numbered as they stand");
        } else if (strcmp(text, "threadgroup(0)") && strcmp(text, "thread_index_in_threadgroup") &&
                   strcmp(text, "threadgroup_position_in_grid")) {
            return reject(log, log_size, "an attribute that is not known");
        }
        memset(at, ' ', length + 4);
    }
    return 0;
}

static uint64_t hash(uint64_t h, const char *text)
{
    for (; *text; text++)
        h = (h ^ (unsigned char)*text) * 0x100000001b3u;
    return h;
}

static uint64_t hash_file(uint64_t h, const char *path)
{
    FILE *file = fopen(path, "rb");
    for (int c; file && (c = getc(file)) != EOF;)
        h = (h ^ (unsigned char)c) * 0x100000001b3u;
    if (file)
        fclose(file);
    return h;
}

/* The kernel's name is that of the KERNEL_ macro, in lower case. */
static void write_command(char *command, size_t size, const TestMacro *macro, size_t count,
                          char *name, size_t name_size)
{
    int used = snprintf(command, size,
                        VQX_TEST_CLANG " -std=c++14 -O1 -fPIC -shared -fno-exceptions -Wall -Werror"
                                       " -Wno-unknown-pragmas -Wno-unused-function"
                                       " -Wno-c++17-extensions -Wno-pass-failed"
                                       " -Xclang -ffp-contract=fast-honor-pragmas"
                                       " -I " VQX_TEST_SHIM);
#if defined(__x86_64__)
    if (__builtin_cpu_supports("fma"))
        used += snprintf(command + used, size - (size_t)used, " -mfma");
#endif
    for (size_t i = 0; i < count; i++) {
        used += snprintf(command + used, size - (size_t)used, " -D%s=%d", macro[i].name,
                         macro[i].value);
        if (!strncmp(macro[i].name, "KERNEL_", 7))
            snprintf(name, name_size, "%s", macro[i].name + 7);
    }
    for (char *c = name; *c; c++)
        *c = (char)tolower(*c);
    snprintf(command + used, size - (size_t)used, " -DSHIM_KERNEL=%s", name);
}

static int compile(const char *command, const char *source, const char *object, char *log,
                   size_t log_size)
{
    char input[512], output[512], line[2200];
    mkdir(VQX_TEST_KERNELS, 0777);
    snprintf(input, sizeof input, "%s.%d.cpp", object, (int)getpid());
    snprintf(output, sizeof output, "%s.%d", object, (int)getpid());
    FILE *file = fopen(input, "w");
    if (!file)
        return reject(log, log_size, "the kernels' folder cannot be written");
    fprintf(file, "%s\n#line 1 \"call.hpp\"\n#undef double\n#include \"call.hpp\"\n", source);
    fclose(file);
    snprintf(line, sizeof line, "%s -o %s %s 2>&1", command, output, input);
    FILE *pipe = popen(line, "r");
    if (!pipe)
        return reject(log, log_size, "clang does not start");
    const size_t got = fread(log, 1, log_size - 1, pipe);
    log[got] = '\0';
    while (fgets(line, sizeof line, pipe))
        continue;
    const int status = pclose(pipe);
    unlink(input);
    return status || rename(output, object) ? -1 : 0;
}

static int load(TestKernel *kernel, const char *object)
{
    struct {
        void (*barrier)(unsigned threads);
    } * runner;
    void *library = dlopen(object, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return -1;
    *(void **)&kernel->call = dlsym(library, "shim_call");
    runner = dlsym(library, "shim_runner");
    if (!kernel->call || !runner)
        return -1;
    runner->barrier = simt_barrier;
    return 0;
}

int test_compile(TestKernel *kernel, const char *source, const TestMacro *macro, size_t count,
                 char *log, size_t log_size)
{
    char command[1024], object[400];
    char *text = strdup(source);
    int status = -1;
    memset(kernel, 0, sizeof *kernel);
    log[0] = '\0';
    if (!text || take_attributes(text, log, log_size))
        goto end;
    write_command(command, sizeof command, macro, count, kernel->name, sizeof kernel->name);
    uint64_t h = hash(hash(0xcbf29ce484222325u, text), command);
    h = hash_file(hash_file(h, VQX_TEST_SHIM "/metal_stdlib"), VQX_TEST_SHIM "/call.hpp");
    snprintf(object, sizeof object, "%s/%016llx.so", VQX_TEST_KERNELS, (unsigned long long)h);
    status = access(object, R_OK) ? compile(command, text, object, log, log_size) : 0;
    if (!status)
        status = load(kernel, object);
end:
    free(text);
    return status;
}
