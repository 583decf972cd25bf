/* The OpenCL backend: the module's entry, opening and closing an engine. */
#include "backend/opencl/engine.h"

#include "util/error.h"

#include <stdio.h>
#include <stdlib.h>

static int choose_form(VqxEngine *engine, const OpenclChoice *choice, VqxError *error)
{
    const OpenclDevice *device = choice->device;
    const int form = engine->params.form;
    if (form == VQX_FORM_NATIVE && !device->has_f64)
        return vqx_fail(error, VQX_ERROR_BACKEND,
                        "%s has no usable f64; the form must be fp64-free or auto", device->name);
    engine->form.native = form == VQX_FORM_NATIVE || (form == VQX_FORM_AUTO && device->fast_f64);
    engine->form.soft_division = choice->soft_division || !device->correct_division;
    return 0;
}

static void write_info(const VqxEngine *engine, VqxEngineInfo *info)
{
    const OpenclDevice *device = engine->device;
    *info = (VqxEngineInfo){.in_flight = engine->slot_count, .stride_align = 64};
    snprintf(info->device, sizeof info->device, "%s", device->name);
    snprintf(info->driver, sizeof info->driver, "%.60s %.60s", device->platform_name,
             device->driver);
    snprintf(info->detail, sizeof info->detail, "%s, %s",
             engine->form.native ? "native f64" : "fp64-free",
             engine->form.soft_division ? "division in software" : "correctly rounded division");
}

static void close_engine(VqxEngine *engine)
{
    if (!engine)
        return;
    opencl_drain(engine);
    opencl_memory_free(engine);
    free(engine);
}

static int start_slot(VqxEngine *engine, Slot *slot, VqxError *error)
{
    const int status = opencl_slot_memory(engine, slot, error);
    return status ? status : opencl_slot_launches(engine, slot, error);
}

static int start(VqxEngine *engine, VqxError *error)
{
    int status = opencl_layout(engine, error);
    if (!status)
        status = opencl_plan_tables(engine, error);
    if (status)
        return status;
    engine->slot = calloc(engine->slot_count, sizeof *engine->slot);
    if (!engine->slot)
        return vqx_fail(error, VQX_ERROR_MEMORY, "out of memory");
    for (unsigned i = 0; !status && i < engine->slot_count; i++) {
        status = start_slot(engine, &engine->slot[i], error);
        if (status && i > 0) { /* others took the memory: fewer frames in flight */
            opencl_slot_free(engine, &engine->slot[i]);
            engine->slot_count = i;
            status = 0;
        }
    }
    return status;
}

static int open_engine(VqxEngine **out, const VqxEngineParams *params, VqxEngineInfo *info,
                       VqxError *error)
{
    OpenclChoice choice;
    *out = NULL;
    int status = opencl_device_choose(&choice, params->device, error);
    if (status)
        return status;
    VqxEngine *engine = calloc(1, sizeof *engine);
    if (!engine)
        return vqx_fail(error, VQX_ERROR_MEMORY, "out of memory");
    engine->cl = choice.device->cl;
    engine->device = choice.device;
    engine->params = *params;
    status = choose_form(engine, &choice, error);
    if (!status)
        status = start(engine, error);
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
    .name = "opencl",
    .description = "any GPU with an OpenCL 1.2 driver",
    .exact = 1,
    .devices = opencl_devices,
    .open = open_engine,
    .submit = opencl_submit,
    .wait = opencl_wait,
    .close = close_engine,
    .memory_alloc = opencl_pinned_alloc,
    .memory_free = opencl_pinned_free,
    .measure_peaks = opencl_measure_peaks,
    .stage = opencl_stage,
};

VQX_API const VqxBackend *vqx_backend_module(void);
const VqxBackend *vqx_backend_module(void)
{
    return &backend;
}
