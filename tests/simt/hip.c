/*
 * As much of HIP's runtime library as the HIP backend calls, on the host: its device is the SIMT runner, its memory lies
 * between guard pages, and whatever is put in a stream is done at once. The backend loads it as libamdhip64.so.7 and runs
 * as it is, host code and kernels.
 */
#include "backend/hip/api.h"
#include "robustness/faults.h"
#include "simt/kernel.h"
#include "simt/runner.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OK = 0, INVALID = 1, NO_MEMORY = 2, NOT_FOUND = 500, FAILED = 719 };

/* A program that defines these makes calls fail, is told what is alive, and says how much memory is free. */
#pragma weak faults_device_call
#pragma weak faults_device_object
#pragma weak faults_device_room
FAULTS_SHARED size_t faults_device_room(void);

static int fails(FaultKind kind)
{
    return faults_device_call && faults_device_call(kind);
}

static void alive(int change)
{
    if (faults_device_object)
        faults_device_object(change);
}

static size_t room(void)
{
    return faults_device_room ? faults_device_room() : (size_t)1 << 30;
}

/* Every function here is one of the backend's table. */
#define SYMBOL(result, name, arguments) \
    __attribute__((visibility("default"))) result name arguments;
#include "backend/hip/symbols.h"
#define VQX_HIPRTC_SYMBOLS
#include "backend/hip/symbols.h"
#undef SYMBOL

typedef struct Function {
    char name[64];
    void *kernel;
    struct Function *next;
} Function;

typedef struct Module {
    Function *functions;
} Module;

int hipInit(unsigned flags)
{
    if (fails(FAULT_DEVICE_QUERY))
        return FAILED;
    (void)flags;
    return OK;
}

const char *hipGetErrorName(int code)
{
    return code == OK          ? "hipSuccess"
           : code == NO_MEMORY ? "hipErrorOutOfMemory"
           : code == FAILED    ? "hipErrorLaunchFailure"
                               : "hipErrorInvalidValue";
}

const char *hipGetErrorString(int code)
{
    return hipGetErrorName(code);
}

int hipRuntimeGetVersion(int *version)
{
    if (fails(FAULT_DEVICE_QUERY))
        return FAILED;
    *version = 70000000;
    return OK;
}

int hipGetDeviceCount(int *count)
{
    if (fails(FAULT_DEVICE_QUERY))
        return FAILED;
    *count = 1;
    return OK;
}

int hipDeviceGetName(char *name, int size, int device)
{
    if (fails(FAULT_DEVICE_QUERY))
        return FAILED;
    snprintf(name, (size_t)size, "SIMT runner");
    return device ? INVALID : OK;
}

int hipDeviceTotalMem(size_t *bytes, int device)
{
    if (fails(FAULT_DEVICE_QUERY))
        return FAILED;
    *bytes = (size_t)1 << 30;
    return device ? INVALID : OK;
}

int hipDeviceGetAttribute(int *value, int attribute, int device)
{
    if (fails(FAULT_DEVICE_QUERY))
        return FAILED;
    *value = 3; /* small batches, and of a small frame alone low strips */
    return attribute != HIP_MULTIPROCESSOR_COUNT || device ? INVALID : OK;
}

__attribute__((visibility("default"))) int hipGetDevicePropertiesR0600(void *properties,
                                                                       int device);
int hipGetDevicePropertiesR0600(void *properties, int device)
{
    if (fails(FAULT_DEVICE_QUERY))
        return FAILED;
    strcpy(properties, "SIMT runner");
    strcpy((char *)properties + 1160, "gfxsimt:sramecc+:xnack-");
    return device ? INVALID : OK;
}

int hipSetDevice(int device)
{
    if (fails(FAULT_DEVICE_QUEUE))
        return FAILED;
    return device ? INVALID : OK;
}

int hipMemGetInfo(size_t *free_bytes, size_t *total)
{
    if (fails(FAULT_DEVICE_QUERY))
        return FAILED;
    *free_bytes = room() > simt_used() ? room() - simt_used() : 0;
    *total = room();
    return OK;
}

int hipMalloc(void **memory, size_t bytes)
{
    if (fails(FAULT_DEVICE_MEMORY) || simt_used() + bytes > room())
        return NO_MEMORY;
    *memory = simt_alloc(bytes);
    alive(*memory ? 1 : 0);
    return *memory ? OK : NO_MEMORY;
}

int hipFree(void *memory)
{
    if (simt_free(memory))
        return INVALID;
    alive(-1);
    return OK;
}

int hipHostMalloc(void **memory, size_t bytes, unsigned flags)
{
    (void)flags;
    return hipMalloc(memory, bytes);
}

int hipHostFree(void *memory)
{
    return hipFree(memory);
}

int hipPointerGetAttributes(HipPointer *pointer, const void *memory)
{
    if (fails(FAULT_DEVICE_QUERY))
        return FAILED;
    pointer->device = 0;
    return memory ? OK : INVALID;
}

int hipMemcpyAsync(void *to, const void *from, size_t bytes, int kind, void *stream)
{
    if (fails(FAULT_DEVICE_COPY))
        return FAILED;
    memcpy(to, from, bytes);
    return stream && kind >= HIP_HOST_TO_DEVICE && kind <= HIP_DEVICE_TO_DEVICE ? OK : INVALID;
}

int hipMemcpy2DAsync(void *to, size_t to_stride, const void *from, size_t from_stride, size_t bytes,
                     size_t rows, int kind, void *stream)
{
    if (fails(FAULT_DEVICE_COPY))
        return FAILED;
    if (to_stride < bytes || from_stride < bytes)
        return INVALID;
    for (size_t y = 0; y < rows; y++)
        memcpy((char *)to + y * to_stride, (const char *)from + y * from_stride, bytes);
    return stream && kind >= HIP_HOST_TO_DEVICE && kind <= HIP_DEVICE_TO_DEVICE ? OK : INVALID;
}

/* Streams and events are nothing but allocations: a leak or a double free of one shows under a checker. */
int hipStreamCreateWithFlags(void **stream, unsigned flags)
{
    if (fails(FAULT_DEVICE_QUEUE))
        return FAILED;
    *stream = malloc(1);
    alive(1);
    return *stream && flags == HIP_NON_BLOCKING ? OK : INVALID;
}

int hipStreamDestroy(void *stream)
{
    free(stream);
    alive(-1);
    return OK;
}

int hipStreamWaitEvent(void *stream, void *event, unsigned flags)
{
    if (fails(FAULT_DEVICE_QUEUE))
        return FAILED;
    return stream && event && !flags ? OK : INVALID;
}

int hipEventCreateWithFlags(void **event, unsigned flags)
{
    if (fails(FAULT_DEVICE_QUEUE))
        return FAILED;
    *event = malloc(1);
    alive(1);
    return *event && flags == HIP_DISABLE_TIMING ? OK : INVALID;
}

int hipEventDestroy(void *event)
{
    free(event);
    alive(-1);
    return OK;
}

int hipEventRecord(void *event, void *stream)
{
    if (fails(FAULT_DEVICE_QUEUE))
        return FAILED;
    return event && stream ? OK : INVALID;
}

int hipEventQuery(void *event)
{
    if (fails(FAULT_DEVICE_QUEUE))
        return FAILED;
    return event ? OK : INVALID;
}

int hipEventSynchronize(void *event)
{
    if (fails(FAULT_DEVICE_QUEUE))
        return FAILED;
    return event ? OK : INVALID;
}

/* A module of the runner is the word "simt": every kernel is in this library. */
int hipModuleLoadData(void **module, const void *image)
{
    if (fails(FAULT_DEVICE_MODULE))
        return FAILED;
    *module = strcmp(image, "simt") ? NULL : calloc(1, sizeof(Module));
    alive(*module ? 1 : 0);
    return *module ? OK : INVALID;
}

int hipModuleUnload(void *module)
{
    Function *next;
    for (Function *f = ((Module *)module)->functions; f; f = next) {
        next = f->next;
        free(f);
    }
    free(module);
    alive(-1);
    return OK;
}

int hipModuleGetFunction(void **function, void *module, const char *name)
{
    if (fails(FAULT_DEVICE_MODULE))
        return FAILED;
    void *kernel = dlsym(RTLD_DEFAULT, name);
    Dl_info here;
    if (!kernel && dladdr((void *)(uintptr_t)hipInit, &here))
        kernel = dlsym(dlopen(here.dli_fname, RTLD_NOW | RTLD_NOLOAD), name);
    Function *f = kernel ? calloc(1, sizeof *f) : NULL;
    if (!kernel)
        return NOT_FOUND;
    if (!f)
        return NO_MEMORY;
    snprintf(f->name, sizeof f->name, "%s", name);
    f->kernel = kernel;
    f->next = ((Module *)module)->functions;
    ((Module *)module)->functions = f;
    *function = f;
    return OK;
}

int hipModuleLaunchKernel(void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                          unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
                          void *stream, void **params, void **extra)
{
    if (fails(FAULT_DEVICE_LAUNCH))
        return FAILED;
    const Function *f = function;
    const unsigned grid[3] = {grid_x, grid_y, grid_z};
    SimtCall call = {f->name, f->kernel, params};
    if (block_y != 1 || block_z != 1 || !stream || extra)
        return INVALID;
    simt_launch(simt_call, &call, grid, block_x, shared);
    return OK;
}

/* ---- hiprtc: the kernels are compiled already; the backend's source and options are looked at ---- */

const char *hiprtcGetErrorString(int code)
{
    return hipGetErrorName(code);
}

int hiprtcCreateProgram(void **program, const char *source, const char *name, int headers,
                        const char **header_texts, const char **header_names)
{
    if (fails(FAULT_DEVICE_MODULE))
        return FAILED;
    *program = malloc(1);
    alive(1);
    return *program && strstr(source, "vqx_walk_any_") && name && !headers && !header_texts &&
                   !header_names
               ? OK
               : INVALID;
}

int hiprtcCompileProgram(void *program, int options, const char **option)
{
    if (fails(FAULT_DEVICE_MODULE))
        return FAILED;
    int exact = 0, target = 0;
    for (int i = 0; i < options; i++) {
        exact |= !strcmp(option[i], "-ffp-contract=off");
        target |= !strcmp(option[i], "--offload-arch=gfxsimt");
    }
    return program && exact && target ? OK : INVALID;
}

int hiprtcGetProgramLogSize(void *program, size_t *size)
{
    *size = 0;
    return program ? OK : INVALID;
}

int hiprtcGetProgramLog(void *program, char *log)
{
    *log = '\0';
    return program ? OK : INVALID;
}

int hiprtcGetCodeSize(void *program, size_t *size)
{
    if (fails(FAULT_DEVICE_MODULE))
        return FAILED;
    *size = sizeof "simt";
    return program ? OK : INVALID;
}

int hiprtcGetCode(void *program, char *code)
{
    if (fails(FAULT_DEVICE_MODULE))
        return FAILED;
    strcpy(code, "simt");
    return program ? OK : INVALID;
}

int hiprtcDestroyProgram(void **program)
{
    free(*program);
    alive(-1);
    return OK;
}
