/* The HIP backend: AMD GPUs through HIP's runtime, with the strip-walking kernels embedded. */
#include "backend/hip/hip.h"

#include <stdio.h>

static int hip_open(VqxEngine **engine, const VqxEngineParams *params, VqxEngineInfo *info,
                    VqxError *error)
{
    StripDevice devices[STRIP_MAX_DEVICES];
    char driver[sizeof info->driver];
    unsigned count;
    *engine = NULL;
    int status = hip_choose(devices, &count, params->device, driver, sizeof driver, error);
    for (unsigned i = 0; !status && i < count; i++)
        status = hip_images(&devices[i], &params->log, error);
    if (!status)
        status = strip_engine_open(engine, &hip_driver, params, devices, count, info, error);
    if (!status)
        snprintf(info->driver, sizeof info->driver, "%s", driver);
    return status;
}

static const VqxBackend backend = {
    .abi = VQX_BACKEND_ABI,
    .name = "hip",
    .description = "AMD GPUs (HIP)",
    .exact = 1,
    .devices = hip_devices,
    .open = hip_open,
    .submit = strip_engine_submit,
    .wait = strip_engine_wait,
    .done = strip_engine_done,
    .close = strip_engine_close,
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
