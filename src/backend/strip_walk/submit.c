/* Frames: their planes go to a device, they queue, and the caller waits for them. */
#include "backend/strip_walk/engine.h"

#include "util/error.h"

static int aligned(const VqxPlane *plane)
{
    return (uintptr_t)plane->data % STRIP_ALIGN == 0 && plane->stride % STRIP_ALIGN == 0;
}

/* Rows stored bottom up arrive bottom up: the kernels walk the copy backwards. */
static int copy_plane(StripFrame *frame, const VqxPlane *plane, int i)
{
    const StripLane *lane = frame->lane;
    const StripDriver *driver = lane->engine->driver;
    const size_t to = lane->sizes.stride[i], rows = plane->height,
                 from = (size_t)(plane->stride < 0 ? -plane->stride : plane->stride);
    const int upside_down = plane->stride < 0;
    const char *data = plane->data;
    if (upside_down)
        data += plane->stride * (ptrdiff_t)(rows - 1);
    frame->data[i] = (char *)frame->memory[i] + (upside_down ? to * (rows - 1) : 0);
    frame->stride[i] = upside_down ? -(ptrdiff_t)to : (ptrdiff_t)to;
    const size_t row = plane->width * (size_t)(plane->bit_depth > 8 ? 2 : 1);
    if (from == to && plane->memory == VQX_MEMORY_HOST) /* in one piece, up to the last sample */
        return driver->copy_in(frame->memory[i], data, to * (rows - 1) + row, lane->copies);
    return driver->copy_rows(frame->memory[i], to, data, from, row, rows,
                             plane->memory == VQX_MEMORY_DEVICE, lane->copies);
}

/* A plane on the device is read where it lies if its rows are aligned. */
static int take_device_plane(StripFrame *frame, const VqxPlane *plane, int i)
{
    const StripLane *lane = frame->lane;
    const StripDriver *driver = lane->engine->driver;
    int code = 0;
    frame->waits[i] = plane->stream != NULL;
    if (plane->stream)
        code = driver->event_record(frame->ready[i], plane->stream);
    if (aligned(plane)) {
        frame->data[i] = plane->data;
        frame->stride[i] = plane->stride;
        return code;
    }
    if (!code && plane->stream)
        code = driver->stream_wait(lane->copies, frame->ready[i]);
    if (!code)
        code = copy_plane(frame, plane, i);
    if (!code)
        code = driver->event_record(frame->ready[i], lane->copies);
    frame->waits[i] = 1;
    return code;
}

static int take_host_plane(StripFrame *frame, const VqxPlane *plane, int i)
{
    int code = copy_plane(frame, plane, i);
    if (!code)
        code = frame->lane->engine->driver->event_record(frame->ready[i], frame->lane->copies);
    frame->waits[i] = 1;
    return code;
}

/* The device that holds the planes; NULL: they are in host memory. */
static int find_holder(VqxEngine *engine, const VqxJob *job, void **holder, VqxError *error)
{
    *holder = NULL;
    for (int i = 0; i < 2; i++) {
        void *device = NULL;
        if (job->plane[i].memory != VQX_MEMORY_DEVICE)
            continue;
        const int code = engine->driver->memory_device(job->plane[i].data, &device);
        if (code) { /* the caller's mistake: no other frame suffers */
            char text[200];
            engine->driver->error_text(code, text, sizeof text);
            return vqx_fail(error, VQX_ERROR_ARGUMENT,
                            "the %s plane is not in memory of a device: %s",
                            i ? "distorted" : "reference", text);
        }
        if (*holder && device != *holder)
            return vqx_fail(error, VQX_ERROR_ARGUMENT, "the two planes are on different devices");
        *holder = device;
    }
    return 0;
}

/* The lane with the fewest frames in work of those whose device holds the planes; NULL: *status says why there is none. */
static StripLane *choose_lane(VqxEngine *engine, const VqxJob *job, int *status, VqxError *error)
{
    StripLane *best = NULL;
    void *holder;
    int in_use = 0;
    *status = find_holder(engine, job, &holder, error);
    if (*status)
        return NULL;
    for (unsigned l = 0; l < engine->lane_count; l++) {
        StripLane *lane = &engine->lanes[l];
        if (holder && lane->device.handle != holder)
            continue;
        in_use = 1;
        if (lane->free_frames && (!best || lane->in_work < best->in_work))
            best = lane;
    }
    if (!in_use)
        *status =
            vqx_fail(error, VQX_ERROR_ARGUMENT, "the planes are on a device that is not in use");
    else if (!best)
        *status = vqx_fail(error, VQX_ERROR_AGAIN, "every frame of the device is in work");
    return best;
}

static void enqueue(StripLane *lane, StripFrame *frame)
{
    frame->next = NULL;
    frame->state = STRIP_QUEUED;
    if (lane->first)
        lane->last->next = frame;
    else
        lane->first = frame;
    lane->last = frame;
    lane->queued++;
    lane->in_work++;
}

static int start_frame(StripLane *lane, VqxJob *job, VqxError *error)
{
    StripFrame *frame = lane->free_frames;
    int code = lane->engine->driver->activate(lane->device.handle);
    for (int i = 0; !code && i < 2; i++) {
        const VqxPlane *plane = &job->plane[i];
        code = plane->memory == VQX_MEMORY_DEVICE ? take_device_plane(frame, plane, i)
                                                  : take_host_plane(frame, plane, i);
    }
    const int status = strip_check(lane, code, "copy planes to the device", error);
    if (status)
        return status;
    lane->free_frames = frame->next;
    frame->job = job;
    job->backend_data = frame;
    enqueue(lane, frame);
    return 0;
}

static int failed_before(const VqxEngine *engine, VqxError *error)
{
    if (!engine->failure.status)
        return 0;
    return vqx_fail(error, engine->failure.status, "%s", engine->failure.message);
}

/* Ends batches that are done and starts those that are due, on every device. What fails here is
 * kept, and refuses the next call. */
static void keep_going(VqxEngine *engine)
{
    for (unsigned l = 0; l < engine->lane_count && !engine->failure.status; l++) {
        StripLane *lane = &engine->lanes[l];
        if (lane->in_work == 0)
            continue;
        if (!strip_check(lane, engine->driver->activate(lane->device.handle), "go on", NULL) &&
            !strip_batch_poll(lane, NULL))
            strip_batch_start(lane, 0, NULL);
    }
}

int strip_engine_submit(VqxEngine *engine, VqxJob *job, VqxError *error)
{
    int status = failed_before(engine, error);
    if (status)
        return status;
    StripLane *lane = choose_lane(engine, job, &status, error);
    if (!lane)
        return status;
    status = start_frame(lane, job, error);
    if (!status)
        keep_going(engine);
    return status;
}

/* One step towards the frame's end: its batch's, or room for it in one. */
static int advance(StripLane *lane, StripFrame *frame, VqxError *error)
{
    if (frame->state == STRIP_RUNNING)
        return strip_batch_finish(lane, frame->batch, error);
    const uint64_t launched = lane->launched;
    const int status = strip_batch_start(lane, 1, error);
    if (status || lane->launched != launched)
        return status;
    return strip_batch_finish(lane, strip_batch_oldest(lane), error);
}

int strip_engine_wait(VqxEngine *engine, VqxJob *job, VqxError *error)
{
    StripFrame *frame = job->backend_data;
    StripLane *lane = frame->lane;
    int status = 0;
    keep_going(engine);
    if (frame->state != STRIP_DONE)
        status = failed_before(engine, error);
    if (!status && frame->state != STRIP_DONE)
        status = strip_check(lane, engine->driver->activate(lane->device.handle), "go on", error);
    while (!status && frame->state != STRIP_DONE)
        status = advance(lane, frame, error);
    if (status)
        return status; /* the frame stays with its batch: nothing runs any more */
    frame->next = lane->free_frames;
    lane->free_frames = frame;
    lane->in_work--;
    job->backend_data = NULL;
    keep_going(engine);
    return 0;
}

int strip_engine_done(VqxEngine *engine, VqxJob *job)
{
    const StripFrame *frame = job->backend_data;
    keep_going(engine);
    return frame->state == STRIP_DONE || engine->failure.status;
}
