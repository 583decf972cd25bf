/* Opening and closing an engine, and the words for what a driver reports. */
#include "backend/strip_walk/engine.h"

#include "util/error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int strip_check(StripLane *lane, int code, const char *doing, VqxError *error)
{
    VqxEngine *engine = lane->engine;
    char text[200];
    if (code == 0)
        return 0;
    engine->driver->error_text(code, text, sizeof text);
    vqx_fail(&engine->failure, VQX_ERROR_BACKEND, "device %d (%s): %s: %s", lane->device.number,
             lane->device.name, doing, text);
    return vqx_fail(error, VQX_ERROR_BACKEND, "%s", engine->failure.message);
}

static int open_lane(StripLane *lane, VqxEngine *engine, const StripDevice *device, VqxError *error)
{
    lane->engine = engine;
    lane->device = *device;
    int status = strip_check(lane, engine->driver->activate(device->handle), "start", error);
    if (!status)
        status = strip_memory_init(lane, error);
    if (!status)
        status = strip_kernels_init(lane, error);
    return status;
}

static void describe(const VqxEngine *engine, VqxEngineInfo *info)
{
    const StripLane *lane = &engine->lanes[0];
    *info = (VqxEngineInfo){.stride_align = STRIP_ALIGN};
    for (unsigned i = 0; i < engine->lane_count; i++)
        info->in_flight += engine->lanes[i].sizes.frames;
    if (engine->lane_count == 1)
        snprintf(info->device, sizeof info->device, "%s", lane->device.name);
    else
        snprintf(info->device, sizeof info->device, "%.100s and %u more", lane->device.name,
                 engine->lane_count - 1);
    snprintf(info->detail, sizeof info->detail,
             "%s, batches of up to %u frames, %.0f MiB of device memory each device",
             engine->form == VQX_FORM_NATIVE ? "native f64" : "fp64-free", lane->sizes.batch,
             (double)strip_memory_bytes(lane) / (1 << 20));
}

int strip_engine_open(VqxEngine **out, const StripDriver *driver, const VqxEngineParams *params,
                      const StripDevice *devices, unsigned count, VqxEngineInfo *info,
                      VqxError *error)
{
    VqxEngine *engine = calloc(1, sizeof *engine);
    *out = NULL;
    if (!engine || !(engine->lanes = calloc(count, sizeof *engine->lanes))) {
        free(engine);
        return vqx_fail(error, VQX_ERROR_MEMORY, "out of memory");
    }
    engine->driver = driver;
    engine->params = *params;
    engine->form = params->form          ? params->form
                   : devices[0].fast_f64 ? VQX_FORM_NATIVE
                                         : VQX_FORM_FP64_FREE;
    int status = 0;
    while (!status && engine->lane_count < count) {
        const unsigned i = engine->lane_count++;
        status = open_lane(&engine->lanes[i], engine, &devices[i], error);
    }
    if (status) {
        strip_engine_close(engine);
        return status;
    }
    describe(engine, info);
    *out = engine;
    return 0;
}

/* Nothing of the caller's is read any more afterwards. */
static void finish_work(const StripDriver *driver, StripLane *lane)
{
    for (unsigned b = 0; b < STRIP_BATCHES; b++)
        if (lane->batch[b].done)
            driver->event_wait(lane->batch[b].done);
    if (lane->mark && !driver->event_record(lane->mark, lane->copies))
        driver->event_wait(lane->mark);
}

void strip_engine_close(VqxEngine *engine)
{
    if (!engine)
        return;
    for (unsigned i = 0; i < engine->lane_count; i++) {
        StripLane *lane = &engine->lanes[i];
        engine->driver->activate(lane->device.handle);
        finish_work(engine->driver, lane);
        strip_kernels_free(lane);
        strip_memory_free(lane);
    }
    free(engine->lanes);
    free(engine);
}

void *strip_engine_memory_alloc(VqxEngine *engine, size_t bytes, VqxError *error)
{
    void *memory = NULL;
    char text[200];
    int code = engine->driver->activate(engine->lanes[0].device.handle);
    if (!code)
        code = engine->driver->pinned_alloc(&memory, bytes);
    if (code) {
        engine->driver->error_text(code, text, sizeof text);
        vqx_fail(error, VQX_ERROR_MEMORY, "%zu bytes of pinned host memory: %s", bytes, text);
        return NULL;
    }
    return memory;
}

void strip_engine_memory_free(VqxEngine *engine, void *memory)
{
    engine->driver->activate(engine->lanes[0].device.handle);
    engine->driver->pinned_free(memory);
}

void *strip_engine_device_alloc(VqxEngine *engine, const void *content, size_t bytes,
                                VqxError *error)
{
    const StripDriver *driver = engine->driver;
    StripLane *lane = &engine->lanes[0];
    void *memory = NULL;
    int code = driver->activate(lane->device.handle);
    if (!code)
        code = driver->memory_alloc(&memory, bytes);
    if (!code)
        code = driver->copy_in(memory, content, bytes, lane->copies);
    if (!code)
        code = driver->event_record(lane->mark, lane->copies);
    if (!code)
        code = driver->event_wait(lane->mark);
    if (!strip_check(lane, code, "copy to device memory", error))
        return memory;
    if (memory)
        driver->memory_free(memory);
    return NULL;
}

void strip_engine_device_free(VqxEngine *engine, void *memory)
{
    engine->driver->activate(engine->lanes[0].device.handle);
    engine->driver->memory_free(memory);
}

const StripDevice *strip_engine_device(const VqxEngine *engine, unsigned i)
{
    return i < engine->lane_count ? &engine->lanes[i].device : NULL;
}

/* Where a stage is on the device and its stride; NULL: it is not kept. One frame is in flight, so it
 * is the first batch's first. */
static const char *find_stage(const StripLane *lane, int s, int stage, size_t *stride)
{
    const VifPlan *plan = lane->plans[0].plan;
    const StripKept kept = strip_memory_kept(lane, s);
    if (stage <= VIF_STAGE_DIS) {
        *stride = lane->sizes.plane_stride[s];
        return lane->batch[0].plane[s][stage];
    }
    if (!kept.first || s < plan->first_scale)
        return NULL;
    *stride = kept.pitch * sizeof *kept.first;
    return (const char *)(kept.first + (size_t)(stage - VIF_STAGE_DIS - 1) * kept.plane);
}

int strip_engine_stage(VqxEngine *engine, int s, int stage, float *out, VqxError *error)
{
    const StripDriver *driver = engine->driver;
    StripLane *lane = &engine->lanes[0];
    const VifScale *scale = &lane->plans[0].plan->scale[s];
    const StripBatch *batch = &lane->batch[0];
    const size_t row = (size_t)scale->width * sizeof *out;
    size_t stride;
    const char *from = find_stage(lane, s, stage, &stride);
    if (!from)
        return 0;
    const size_t bytes = stride * (size_t)(scale->height - 1) + row;
    char *rows = malloc(bytes);
    if (!rows)
        return vqx_fail(error, VQX_ERROR_MEMORY, "out of memory for a stage");
    int code = driver->activate(lane->device.handle);
    if (!code)
        code = driver->copy_out(rows, from, bytes, batch->stream);
    if (!code)
        code = driver->event_record(batch->done, batch->stream);
    if (!code)
        code = driver->event_wait(batch->done);
    for (size_t y = 0; !code && y < (size_t)scale->height; y++)
        memcpy((char *)out + y * row, rows + y * stride, row);
    free(rows);
    const int status = strip_check(lane, code, "copy a stage back", error);
    return status ? status : 1;
}
