/* The CUDA backend: NVIDIA GPUs through the driver API, with the strip-walking kernels embedded. */
#include "backend/cuda/cuda.h"

#include <stdio.h>
#include <string.h>

/* Fat binaries, from kernels.cu in parts. */
extern const char vqx_cuda_kernels_1[], vqx_cuda_kernels_2[], vqx_cuda_kernels_3[],
    vqx_cuda_kernels_4[], vqx_cuda_kernels_5[];

static int cuda_open(VqxEngine **engine, const VqxEngineParams *params, VqxEngineInfo *info,
                     VqxError *error)
{
    const void *images[STRIP_PARTS] = {vqx_cuda_kernels_1, vqx_cuda_kernels_2, vqx_cuda_kernels_3,
                                       vqx_cuda_kernels_4, vqx_cuda_kernels_5};
    StripDevice devices[STRIP_MAX_DEVICES];
    char driver[sizeof info->driver];
    unsigned count;
    *engine = NULL;
    int status = cuda_choose(devices, &count, params->device, driver, sizeof driver, error);
    if (status)
        return status;
    for (unsigned i = 0; i < count; i++)
        memcpy(devices[i].images, images, sizeof images);
    status = strip_engine_open(engine, &cuda_driver, params, devices, count, info, error);
    if (status)
        cuda_release(devices, count);
    else
        snprintf(info->driver, sizeof info->driver, "%s", driver);
    return status;
}

static void cuda_close(VqxEngine *engine)
{
    StripDevice devices[STRIP_MAX_DEVICES];
    unsigned count = 0;
    if (!engine)
        return;
    for (const StripDevice *d; (d = strip_engine_device(engine, count)); count++)
        devices[count] = *d;
    strip_engine_close(engine);
    cuda_release(devices, count);
}

static const VqxBackend backend = {
    .abi = VQX_BACKEND_ABI,
    .name = "cuda",
    .description = "NVIDIA GPUs (CUDA)",
    .exact = 1,
    .devices = cuda_devices,
    .open = cuda_open,
    .submit = strip_engine_submit,
    .wait = strip_engine_wait,
    .done = strip_engine_done,
    .close = cuda_close,
    .memory_alloc = strip_engine_memory_alloc,
    .memory_free = strip_engine_memory_free,
    .device_alloc = strip_engine_device_alloc,
    .device_free = strip_engine_device_free,
    .measure_peaks = strip_engine_measure_peaks,
    .stage = strip_engine_stage,
};

VQX_API const VqxBackend *vqx_backend_module(void);
const VqxBackend *vqx_backend_module(void)
{
    return &backend;
}
