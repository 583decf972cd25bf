/* A backend that refuses as its caller tells it to, for seam_test.c and tests/cli/bench_test.py: a plane in device memory finds room only while no other
 * is in work, and one with a stream is never taken. Every row sum is 1, the peaks are 10^12 bytes and 10^15 operations a second. */
#include "backend/backend.h"

#include <stdlib.h>

struct VqxEngine {
    size_t floats;
    int busy;
};

static size_t devices(VqxDevice *list, size_t capacity)
{
    if (capacity > 0)
        list[0] = (VqxDevice){.backend = "sycl", .device = "0", .available = 1};
    return 1;
}

static int start(VqxEngine **engine, const VqxEngineParams *params, VqxEngineInfo *info,
                 VqxError *error)
{
    (void)error;
    *engine = calloc(1, sizeof **engine);
    if (!*engine)
        return VQX_ERROR_MEMORY;
    (*engine)->floats = 2 * params->plans[0].rows;
    *info = (VqxEngineInfo){.in_flight = 4, .stride_align = 1};
    return 0;
}

static int submit(VqxEngine *engine, VqxJob *job, VqxError *error)
{
    const int on_device = job->plane[0].memory == VQX_MEMORY_DEVICE;
    *error = (VqxError){0, "as it was told"};
    if (job->plane[0].stream)
        return VQX_ERROR_ARGUMENT;
    if (on_device && engine->busy)
        return VQX_ERROR_AGAIN;
    engine->busy += on_device;
    for (size_t i = 0; i < engine->floats; i++)
        job->sums[0][i] = 1.0f;
    return 0;
}

static int wait_for(VqxEngine *engine, VqxJob *job, VqxError *error)
{
    (void)error;
    engine->busy -= job->plane[0].memory == VQX_MEMORY_DEVICE;
    return 0;
}

static void end(VqxEngine *engine)
{
    free(engine);
}

static void *device_alloc(VqxEngine *engine, const void *content, size_t bytes, VqxError *error)
{
    (void)engine;
    (void)content;
    (void)error;
    return malloc(bytes);
}

static void device_free(VqxEngine *engine, void *memory)
{
    (void)engine;
    free(memory);
}

static int measure_peaks(VqxEngine *engine, VqxPeaks *peaks, VqxError *error)
{
    (void)engine;
    (void)error;
    *peaks = (VqxPeaks){.copy_bytes = 1e12, .f32 = 1e15};
    return 0;
}

VQX_API const VqxBackend *vqx_backend_module(void);

const VqxBackend *vqx_backend_module(void)
{
    static const VqxBackend backend = {.abi = VQX_BACKEND_ABI,
                                       .name = "sycl",
                                       .description = "one that refuses",
                                       .devices = devices,
                                       .open = start,
                                       .submit = submit,
                                       .wait = wait_for,
                                       .close = end,
                                       .device_alloc = device_alloc,
                                       .device_free = device_free,
                                       .measure_peaks = measure_peaks};
    return &backend;
}
