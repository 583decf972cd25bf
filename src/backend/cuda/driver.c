/* libcuda.so.1: loading it, and the engine's driver table in terms of it. */
#include "backend/cuda/api.h"
#include "backend/cuda/cuda.h"

#include "util/error.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

CudaApi cuda_api;

static pthread_mutex_t load_mutex = PTHREAD_MUTEX_INITIALIZER; /* guards what follows */
static int loaded;

static void error_text(int code, char *text, size_t size)
{
    const char *name = NULL, *words = NULL;
    cuda_api.cuGetErrorName((CUresult)code, &name);
    cuda_api.cuGetErrorString((CUresult)code, &words);
    snprintf(text, size, "%s (%s)", name ? name : "unknown error",
             words ? words : "no description");
}

static int find_symbols(void *library, VqxError *error)
{
    static const char *const names[] = {
#define SYMBOL(name) #name,
#include "backend/cuda/symbols.h"
#undef SYMBOL
    };
    void **slots = (void **)&cuda_api;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        slots[i] = dlsym(library, names[i]);
        if (!slots[i])
            return vqx_fail(error, VQX_ERROR_BACKEND,
                            "the NVIDIA driver is too old: libcuda.so.1 has no %s", names[i]);
    }
    return 0;
}

static int load(VqxError *error)
{
    void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    char text[200];
    if (!library)
        return vqx_fail(error, VQX_ERROR_BACKEND, "no NVIDIA driver: libcuda.so.1 not found (%s)",
                        dlerror());
    const int status = find_symbols(library, error);
    if (status)
        return status;
    const CUresult code = cuda_api.cuInit(0);
    if (code == CUDA_SUCCESS)
        return 0;
    error_text((int)code, text, sizeof text);
    return vqx_fail(error, VQX_ERROR_BACKEND, "the NVIDIA driver does not start: cuInit: %s", text);
}

int cuda_load(VqxError *error)
{
    pthread_mutex_lock(&load_mutex);
    const int status = loaded ? 0 : load(error);
    loaded = !status;
    pthread_mutex_unlock(&load_mutex);
    return status;
}

static CUdeviceptr address(const void *memory)
{
    return (CUdeviceptr)(uintptr_t)memory;
}

static int activate(void *device)
{
    return (int)cuda_api.cuCtxSetCurrent(device);
}

static int memory_info(size_t *free_bytes)
{
    size_t total;
    return (int)cuda_api.cuMemGetInfo(free_bytes, &total);
}

static int memory_alloc(void **memory, size_t bytes)
{
    CUdeviceptr pointer = 0;
    const CUresult code = cuda_api.cuMemAlloc(&pointer, bytes);
    *memory =
        (void *)(uintptr_t)pointer; /* NOLINT: device addresses are integers in the driver API */
    return (int)code;
}

static int memory_free(void *memory)
{
    return (int)cuda_api.cuMemFree(address(memory));
}

static int pinned_alloc(void **memory, size_t bytes)
{
    return (int)cuda_api.cuMemHostAlloc(memory, bytes, CU_MEMHOSTALLOC_PORTABLE);
}

static int pinned_free(void *memory)
{
    return (int)cuda_api.cuMemFreeHost(memory);
}

static int stream_create(void **stream)
{
    return (int)cuda_api.cuStreamCreate((CUstream *)stream, CU_STREAM_NON_BLOCKING);
}

static int stream_destroy(void *stream)
{
    return (int)cuda_api.cuStreamDestroy(stream);
}

static int stream_wait(void *stream, void *event)
{
    return (int)cuda_api.cuStreamWaitEvent(stream, event, 0);
}

static int event_create(void **event)
{
    return (int)cuda_api.cuEventCreate((CUevent *)event, CU_EVENT_DISABLE_TIMING);
}

static int event_destroy(void *event)
{
    return (int)cuda_api.cuEventDestroy(event);
}

static int event_record(void *event, void *stream)
{
    return (int)cuda_api.cuEventRecord(event, stream);
}

static int event_query(void *event, int *done)
{
    const CUresult code = cuda_api.cuEventQuery(event);
    *done = code == CUDA_SUCCESS;
    return code == CUDA_ERROR_NOT_READY ? 0 : (int)code;
}

static int event_wait(void *event)
{
    return (int)cuda_api.cuEventSynchronize(event);
}

static int copy_in(void *device, const void *host, size_t bytes, void *stream)
{
    return (int)cuda_api.cuMemcpyHtoDAsync(address(device), host, bytes, stream);
}

static int copy_out(void *host, const void *device, size_t bytes, void *stream)
{
    return (int)cuda_api.cuMemcpyDtoHAsync(host, address(device), bytes, stream);
}

static int copy_rows(void *to, size_t to_stride, const void *from, size_t from_stride, size_t bytes,
                     size_t rows, int from_device, void *stream)
{
    CUDA_MEMCPY2D copy = {.dstMemoryType = CU_MEMORYTYPE_DEVICE,
                          .dstDevice = address(to),
                          .dstPitch = to_stride,
                          .srcPitch = from_stride > bytes ? from_stride : bytes,
                          .WidthInBytes = bytes,
                          .Height = rows};
    copy.srcMemoryType = from_device ? CU_MEMORYTYPE_DEVICE : CU_MEMORYTYPE_HOST;
    if (from_device)
        copy.srcDevice = address(from);
    else
        copy.srcHost = from;
    return (int)cuda_api.cuMemcpy2DAsync(&copy, stream);
}

static int memory_device(void *memory, void **device)
{
    return (int)cuda_api.cuPointerGetAttribute(device, CU_POINTER_ATTRIBUTE_CONTEXT,
                                               address(memory));
}

static int module_load(void **module, const void *image)
{
    return (int)cuda_api.cuModuleLoadData((CUmodule *)module, image);
}

static int module_unload(void *module)
{
    return (int)cuda_api.cuModuleUnload(module);
}

static int function(void **function, void *module, const char *name)
{
    return (int)cuda_api.cuModuleGetFunction((CUfunction *)function, module, name);
}

static int function_shared(void *function, size_t bytes)
{
    return (int)cuda_api.cuFuncSetAttribute(
        function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, (int)bytes);
}

static int launch(void *function, const unsigned grid[3], unsigned threads, size_t shared,
                  void *stream, void **params)
{
    return (int)cuda_api.cuLaunchKernel(function, grid[0], grid[1], grid[2], threads, 1, 1,
                                        (unsigned)shared, stream, params, NULL);
}

const StripDriver cuda_driver = {
    .name = "cuda",
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
