/* A frame's way through the device: samples in, the slot's launches, row sums out. */
#include "backend/opencl/engine.h"

#include "util/error.h"

#include <stddef.h>

/* Rows as they lie where the strides agree; else row by row (a rectangle, or one write each where
 * the plane is stored bottom up). */
static cl_int write_plane(VqxEngine *engine, Slot *slot, const VqxPlane *plane, int image)
{
    const OpenclApi *cl = engine->cl;
    const size_t bytes = (size_t)engine->layout.sample_bits[image] / 8;
    const size_t pitch = engine->layout.sample_pitch[image] * bytes, row = plane->width * bytes;
    const size_t offset = image ? engine->layout.image_bytes : 0, height = plane->height;
    cl_int code = CL_SUCCESS;
    if (plane->stride == (ptrdiff_t)pitch)
        return cl->EnqueueWriteBuffer(slot->queue, slot->buffer[TILES_SAMPLES], CL_FALSE, offset,
                                      pitch * (height - 1) + row, plane->data, 0, NULL, NULL);
    if (plane->stride >= (ptrdiff_t)row) {
        const size_t to[3] = {offset, 0, 0}, from[3] = {0, 0, 0}, region[3] = {row, height, 1};
        return cl->EnqueueWriteBufferRect(slot->queue, slot->buffer[TILES_SAMPLES], CL_FALSE, to,
                                          from, region, pitch, 0, (size_t)plane->stride, 0,
                                          plane->data, 0, NULL, NULL);
    }
    for (size_t y = 0; !code && y < height; y++)
        code = cl->EnqueueWriteBuffer(
            slot->queue, slot->buffer[TILES_SAMPLES], CL_FALSE, offset + y * pitch, row,
            (const char *)plane->data + (ptrdiff_t)y * plane->stride, 0, NULL, NULL);
    return code;
}

/* The rows of scales that were computed; the last read-back's event is the frame's. */
static cl_int read_sums(VqxEngine *engine, Slot *slot, const VqxJob *job)
{
    cl_int code = CL_SUCCESS;
    for (size_t p = 0; !code && p < engine->params.plan_count; p++) {
        const TilesSums sums = tiles_sums(&engine->layout, p);
        const int last = p + 1 == engine->params.plan_count;
        code = engine->cl->EnqueueReadBuffer(
            slot->queue, slot->buffer[TILES_SUMS], CL_FALSE, sums.first * sizeof(cl_float),
            sums.count * sizeof(cl_float), job->sums[p] + sums.skipped, 0, NULL,
            last ? &slot->done : NULL);
    }
    return code;
}

static cl_int enqueue(VqxEngine *engine, Slot *slot, const VqxJob *job)
{
    cl_int code = CL_SUCCESS;
    for (int i = 0; !code && i < 2; i++)
        code = write_plane(engine, slot, &job->plane[i], i);
    for (size_t i = 0; !code && i < slot->launch_count; i++) {
        const Launch *launch = &slot->launch[i];
        const size_t group[3] = {launch->group, 1, 1};
        code = engine->cl->EnqueueNDRangeKernel(slot->queue, launch->kernel, 3, NULL,
                                                launch->global, group, 0, NULL, NULL);
    }
    if (!code)
        code = read_sums(engine, slot, job);
    return code ? code : engine->cl->Flush(slot->queue);
}

static void retire(VqxEngine *engine, Slot *slot)
{
    if (slot->done)
        engine->cl->ReleaseEvent(slot->done);
    slot->done = NULL;
    slot->job = NULL;
}

static Slot *free_slot(VqxEngine *engine)
{
    for (unsigned i = 0; i < engine->slot_count; i++)
        if (!engine->slot[i].job)
            return &engine->slot[i];
    return NULL;
}

int opencl_submit(VqxEngine *engine, VqxJob *job, VqxError *error)
{
    if (job->plane[0].memory != VQX_MEMORY_HOST || job->plane[1].memory != VQX_MEMORY_HOST)
        return vqx_fail(error, VQX_ERROR_ARGUMENT,
                        "the OpenCL backend takes planes in host memory");
    Slot *slot = free_slot(engine);
    if (!slot)
        return vqx_fail(error, VQX_ERROR_ARGUMENT, "%u frames are in flight already",
                        engine->slot_count);
    slot->job = job;
    job->backend_data = slot;
    const cl_int code = enqueue(engine, slot, job);
    if (!code)
        return 0;
    engine->cl->Finish(slot->queue); /* nothing may write to the job's memory later */
    retire(engine, slot);
    return vqx_fail(error, VQX_ERROR_BACKEND, "%s fails to start a frame: %s", engine->device->name,
                    opencl_error_name(code));
}

int opencl_wait(VqxEngine *engine, VqxJob *job, VqxError *error)
{
    Slot *slot = job->backend_data;
    cl_int code = engine->cl->WaitForEvents(1, &slot->done), state = 0;
    if (code == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST &&
        !engine->cl->GetEventInfo(slot->done, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state,
                                  &state, NULL))
        code = state;
    if (code)
        engine->cl->Finish(slot->queue); /* nothing may write to the job's memory later */
    retire(engine, slot);
    return code ? vqx_fail(error, VQX_ERROR_BACKEND, "%s fails in a frame: %s",
                           engine->device->name, opencl_error_name(code))
                : 0;
}

void opencl_drain(VqxEngine *engine)
{
    for (unsigned i = 0; engine->slot && i < engine->slot_count; i++) {
        if (engine->slot[i].queue)
            engine->cl->Finish(engine->slot[i].queue);
        retire(engine, &engine->slot[i]);
    }
}
