/*
 * The kernels for a target that none are embedded for, compiled by hiprtc from their source, which
 * is embedded as one text (see src/backend/hip/meson.build). It takes about a minute, so what came
 * out is kept until the process ends.
 */
#include "backend/hip/hip.h"

#include "util/error.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const char vqx_hip_source[];

#define VQX_HIPRTC_SYMBOLS
typedef struct Compiler {
#define SYMBOL(result, name, arguments) result(*name) arguments;
#include "backend/hip/symbols.h"
#undef SYMBOL
} Compiler;

typedef struct Compiled {
    char target[HIP_TARGET_NAME];
    char *code[STRIP_PARTS];
    struct Compiled *next;
} Compiled;

static pthread_mutex_t compiled_mutex = PTHREAD_MUTEX_INITIALIZER; /* guards what follows */
static Compiled *compiled;

/* A library of its own since HIP 6; before, part of the runtime. */
static int find_compiler(Compiler *compiler, VqxError *error)
{
    static const char *const libraries[] = {"libhiprtc.so.7", "libhiprtc.so.6", "libhiprtc.so"};
    static const char *const names[] = {
#define SYMBOL(result, name, arguments) #name,
#include "backend/hip/symbols.h"
#undef SYMBOL
    };
    void **slots = (void **)compiler, *library = NULL;
    for (size_t i = 0; !library && i < sizeof libraries / sizeof libraries[0]; i++)
        library = dlopen(libraries[i], RTLD_NOW | RTLD_LOCAL);
    if (!library)
        library = hip_library();
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        slots[i] = dlsym(library, names[i]);
        if (slots[i])
            continue;
        vqx_fail(error, VQX_ERROR_BACKEND,
                 "libhiprtc.so (.7 or .6) not found, and HIP's runtime has no %s", names[i]);
        return VQX_ERROR_BACKEND;
    }
    return 0;
}

/* The first line of the log that speaks of an error, or else its first. */
static int fail_with_log(const Compiler *compiler, void *program, const char *target, int code,
                         VqxError *error)
{
    size_t size = 0;
    char *log = NULL;
    compiler->hiprtcGetProgramLogSize(program, &size);
    if (size > 0 && (log = calloc(1, size + 1)))
        compiler->hiprtcGetProgramLog(program, log);
    const char *line = log ? strstr(log, "error:") : NULL;
    line = line ? line : log ? log : "";
    vqx_fail(error, VQX_ERROR_BACKEND, "hiprtc cannot compile the kernels for %s: %s: %.*s", target,
             compiler->hiprtcGetErrorString(code), (int)strcspn(line, "\n"), line);
    free(log);
    return VQX_ERROR_BACKEND;
}

static int compile_part(const Compiler *compiler, char **out, const char *target, int part,
                        VqxError *error)
{
    char arch[HIP_TARGET_NAME + 20], strip_part[20];
    const char *options[] = {arch, strip_part, "-O3", "-std=c++17", "-ffp-contract=off"};
    void *program = NULL;
    size_t size = 0;
    snprintf(arch, sizeof arch, "--offload-arch=%s", target);
    snprintf(strip_part, sizeof strip_part, "-DSTRIP_PART=%d", part);
    int code =
        compiler->hiprtcCreateProgram(&program, vqx_hip_source, "kernels.hip", 0, NULL, NULL);
    if (code)
        return vqx_fail(error, VQX_ERROR_BACKEND, "hiprtc: %s",
                        compiler->hiprtcGetErrorString(code));
    code = compiler->hiprtcCompileProgram(program, sizeof options / sizeof options[0], options);
    if (!code)
        code = compiler->hiprtcGetCodeSize(program, &size);
    if (!code && (*out = malloc(size ? size : 1)))
        code = compiler->hiprtcGetCode(program, *out);
    int status = 0;
    if (code)
        status = fail_with_log(compiler, program, target, code, error);
    else if (!*out)
        status = vqx_fail(error, VQX_ERROR_MEMORY, "out of memory");
    compiler->hiprtcDestroyProgram(&program);
    return status;
}

static void free_compiled(Compiled *c)
{
    for (int m = 0; c && m < STRIP_PARTS; m++)
        free(c->code[m]);
    free(c);
}

static int compile(Compiled **out, const char *target, VqxError *error)
{
    Compiler compiler;
    int status = find_compiler(&compiler, error);
    if (status)
        return status;
    Compiled *c = calloc(1, sizeof *c);
    if (!c) {
        vqx_fail(error, VQX_ERROR_MEMORY, "out of memory");
        return VQX_ERROR_MEMORY;
    }
    for (int m = 0; !status && m < STRIP_PARTS; m++)
        status = compile_part(&compiler, &c->code[m], target, m + 1, error);
    if (status) {
        free_compiled(c);
        return status;
    }
    snprintf(c->target, sizeof c->target, "%s", target);
    *out = c;
    return 0;
}

int hip_compile(const void *images[STRIP_PARTS], const char *target, VqxError *error)
{
    int status = 0;
    pthread_mutex_lock(&compiled_mutex);
    Compiled *found = compiled;
    while (found && strcmp(found->target, target) != 0)
        found = found->next;
    if (!found) {
        status = compile(&found, target, error);
        if (!status) {
            found->next = compiled;
            compiled = found;
        }
    }
    for (int m = 0; !status && m < STRIP_PARTS; m++)
        images[m] = found->code[m];
    pthread_mutex_unlock(&compiled_mutex);
    return status;
}
