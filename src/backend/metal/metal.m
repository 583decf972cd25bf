/* The Metal backend: the module's entry, opening and closing an engine. */
#include "backend/metal/engine.h"

#include "util/error.h"

#include <stdio.h>
#include <stdlib.h>

static void write_info(const VqxEngine *engine, VqxEngineInfo *info)
{
    *info = (VqxEngineInfo){.in_flight = engine->slot_count, .stride_align = 64};
    snprintf(info->device, sizeof info->device, "%s", engine->device->name);
    snprintf(info->driver, sizeof info->driver, "%s", engine->device->driver);
    snprintf(info->detail, sizeof info->detail, "fp64-free, %s",
             engine->form.soft_division ? "division in software" : "correctly rounded division");
}

static void close_engine(VqxEngine *engine)
{
    if (!engine)
        return;
    @autoreleasepool {
        metal_drain(engine);
        metal_memory_free(engine);
    }
    free(engine);
}

static int start(VqxEngine *engine, VqxError *error)
{
    int status = metal_layout(engine, error);
    if (!status)
        status = metal_plan_memory(engine, error);
    if (status)
        return status;
    engine->slot = calloc(engine->slot_count, sizeof *engine->slot);
    if (!engine->slot)
        return vqx_fail(error, VQX_ERROR_MEMORY, "out of memory");
    for (unsigned i = 0; !status && i < engine->slot_count; i++)
        status = metal_slot_memory(engine, &engine->slot[i], error);
    return status;
}

static int open_engine(VqxEngine **out, const VqxEngineParams *params, VqxEngineInfo *info,
                       VqxError *error)
{
    MetalChoice choice;
    *out = NULL;
    int status = metal_device_choose(&choice, params->device, error);
    if (status)
        return status;
    if (params->form == VQX_FORM_NATIVE)
        return vqx_fail(error, VQX_ERROR_BACKEND,
                        "Metal has no f64; the form must be fp64-free or auto");
    VqxEngine *engine = calloc(1, sizeof *engine);
    if (!engine)
        return vqx_fail(error, VQX_ERROR_MEMORY, "out of memory");
    engine->device = choice.device;
    engine->form.soft_division = choice.soft_division || !choice.device->correct_division;
    engine->params = *params;
    @autoreleasepool {
        status = start(engine, error);
    }
    if (status) {
        close_engine(engine);
        return status;
    }
    write_info(engine, info);
    *out = engine;
    return 0;
}

static const VqxBackend backend = {
    .abi = VQX_BACKEND_ABI,
    .name = "metal",
    .description = "GPUs of Apple's own processors",
    .exact = 1,
    .devices = metal_devices,
    .open = open_engine,
    .submit = metal_submit,
    .wait = metal_wait,
    .close = close_engine,
    .memory_alloc = metal_shared_alloc,
    .memory_free = metal_shared_free,
    .stage = metal_stage,
};

VQX_API const VqxBackend *vqx_backend_module(void);
const VqxBackend *vqx_backend_module(void)
{
    return &backend;
}
