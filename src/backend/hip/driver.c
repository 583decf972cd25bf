/* HIP's runtime library: loading it, and the engine's driver table in terms of it. */
#include "backend/hip/api.h"
#include "backend/hip/hip.h"

#include "util/error.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

HipApi hip_api;

static pthread_mutex_t load_mutex = PTHREAD_MUTEX_INITIALIZER; /* guards what follows */
static int loaded;
static void *library;

void *hip_library(void)
{
    return library;
}

static void error_text(int code, char *text, size_t size)
{
    const char *name = hip_api.hipGetErrorName(code), *words = hip_api.hipGetErrorString(code);
    snprintf(text, size, "%s (%s)", name ? name : "unknown error",
             words ? words : "no description");
}

static int find_symbols(VqxError *error)
{
    static const char *const names[] = {
#define SYMBOL(result, name, arguments) #name,
#include "backend/hip/symbols.h"
#undef SYMBOL
    };
    void **slots = (void **)&hip_api;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        slots[i] = dlsym(library, names[i]);
        if (!slots[i])
            return vqx_fail(error, VQX_ERROR_BACKEND,
                            "AMD's HIP runtime is too old: libamdhip64.so has no %s", names[i]);
    }
    void *properties = dlsym(library, "hipGetDevicePropertiesR0600");
    if (!properties)
        properties = dlsym(library, "hipGetDeviceProperties");
    if (!properties)
        return vqx_fail(error, VQX_ERROR_BACKEND,
                        "AMD's HIP runtime is too old: libamdhip64.so has no "
                        "hipGetDeviceProperties");
    *(void **)&hip_api.properties = properties;
    return 0;
}

static int load(VqxError *error)
{
    static const char *const names[] = {"libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5",
                                        "libamdhip64.so"};
    char text[200];
    for (size_t i = 0; !library && i < sizeof names / sizeof names[0]; i++)
        library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return vqx_fail(error, VQX_ERROR_BACKEND,
                        "no AMD HIP runtime: libamdhip64.so (.7, .6 or .5) not found");
    const int status = find_symbols(error);
    if (status)
        return status;
    const int code = hip_api.hipInit(0);
    if (code == 0)
        return 0;
    error_text(code, text, sizeof text);
    return vqx_fail(error, VQX_ERROR_BACKEND, "AMD's HIP runtime does not start: hipInit: %s",
                    text);
}

int hip_load(VqxError *error)
{
    pthread_mutex_lock(&load_mutex);
    const int status = loaded ? 0 : load(error);
    loaded = !status;
    pthread_mutex_unlock(&load_mutex);
    return status;
}

/* A device's handle is its number. */
static int activate(void *device)
{
    return hip_api.hipSetDevice((int)(intptr_t)device);
}

static int memory_info(size_t *free_bytes)
{
    size_t total;
    return hip_api.hipMemGetInfo(free_bytes, &total);
}

static int memory_alloc(void **memory, size_t bytes)
{
    return hip_api.hipMalloc(memory, bytes);
}

static int memory_free(void *memory)
{
    return hip_api.hipFree(memory);
}

static int pinned_alloc(void **memory, size_t bytes)
{
    return hip_api.hipHostMalloc(memory, bytes, HIP_PORTABLE);
}

static int pinned_free(void *memory)
{
    return hip_api.hipHostFree(memory);
}

static int stream_create(void **stream)
{
    return hip_api.hipStreamCreateWithFlags(stream, HIP_NON_BLOCKING);
}

static int stream_destroy(void *stream)
{
    return hip_api.hipStreamDestroy(stream);
}

static int stream_wait(void *stream, void *event)
{
    return hip_api.hipStreamWaitEvent(stream, event, 0);
}

static int event_create(void **event)
{
    return hip_api.hipEventCreateWithFlags(event, HIP_DISABLE_TIMING);
}

static int event_destroy(void *event)
{
    return hip_api.hipEventDestroy(event);
}

static int event_record(void *event, void *stream)
{
    return hip_api.hipEventRecord(event, stream);
}

static int event_query(void *event, int *done)
{
    const int code = hip_api.hipEventQuery(event);
    *done = code == 0;
    return code == HIP_NOT_READY ? 0 : code;
}

static int event_wait(void *event)
{
    return hip_api.hipEventSynchronize(event);
}

static int copy_in(void *device, const void *host, size_t bytes, void *stream)
{
    return hip_api.hipMemcpyAsync(device, host, bytes, HIP_HOST_TO_DEVICE, stream);
}

static int copy_out(void *host, const void *device, size_t bytes, void *stream)
{
    return hip_api.hipMemcpyAsync(host, device, bytes, HIP_DEVICE_TO_HOST, stream);
}

static int copy_rows(void *to, size_t to_stride, const void *from, size_t from_stride, size_t bytes,
                     size_t rows, int from_device, void *stream)
{
    return hip_api.hipMemcpy2DAsync(
        to, to_stride, from, from_stride > bytes ? from_stride : bytes, bytes, rows,
        from_device ? HIP_DEVICE_TO_DEVICE : HIP_HOST_TO_DEVICE, stream);
}

static int memory_device(void *memory, void **device)
{
    HipPointer pointer = {.device = 0};
    const int code = hip_api.hipPointerGetAttributes(&pointer, memory);
    *device = (void *)(intptr_t)pointer.device; /* NOLINT: a device's number is its handle */
    return code;
}

static int module_load(void **module, const void *image)
{
    return hip_api.hipModuleLoadData(module, image);
}

static int module_unload(void *module)
{
    return hip_api.hipModuleUnload(module);
}

static int function(void **function, void *module, const char *name)
{
    return hip_api.hipModuleGetFunction(function, module, name);
}

/* AMD's devices give a block all of their 64 KiB without being asked. */
static int function_shared(void *function, size_t bytes)
{
    (void)function;
    (void)bytes;
    return 0;
}

static int launch(void *function, const unsigned grid[3], unsigned threads, size_t shared,
                  void *stream, void **params)
{
    return hip_api.hipModuleLaunchKernel(function, grid[0], grid[1], grid[2], threads, 1, 1,
                                         (unsigned)shared, stream, params, NULL);
}

const StripDriver hip_driver = {
    .name = "hip",
    .error_text = error_text,
    .activate = activate,
    .memory_info = memory_info,
    .memory_alloc = memory_alloc,
    .memory_free = memory_free,
    .pinned_alloc = pinned_alloc,
    .pinned_free = pinned_free,
    .stream_create = stream_create,
    .stream_destroy = stream_destroy,
    .stream_wait = stream_wait,
    .event_create = event_create,
    .event_destroy = event_destroy,
    .event_record = event_record,
    .event_query = event_query,
    .event_wait = event_wait,
    .copy_in = copy_in,
    .copy_out = copy_out,
    .copy_rows = copy_rows,
    .memory_device = memory_device,
    .module_load = module_load,
    .module_unload = module_unload,
    .function = function,
    .function_shared = function_shared,
    .launch = launch,
};
