/*
 * A lane's memory: frames' planes, batches' planes and sums, streams and events. All of it is taken
 * at the start; where the device has little, batches are smaller.
 */
#include "backend/strip_walk/engine.h"

#include "util/error.h"

#include <stdlib.h>

enum { PLANE_ALIGN = 64, BLOCKS_A_MULTIPROCESSOR = 8 };

static size_t round_up(size_t n, size_t unit)
{
    return (n + unit - 1) / unit * unit;
}

static int mixed_types(const VqxEngineParams *params)
{
    return (params->depth[0] > 8) != (params->depth[1] > 8);
}

static StripKept size_kept(const VifScale *scale)
{
    const size_t pitch = (size_t)scale->width + 2 * STRIP_KEPT_MARGIN;
    return (StripKept){.pitch = pitch,
                       .plane = pitch * round_up((size_t)scale->height, STRIP_ROWS)};
}

StripKept strip_memory_kept(const StripLane *lane, int scale)
{
    const VifScale *scales = lane->engine->params.plans[0].scale;
    StripKept kept = size_kept(&scales[scale]);
    if (!lane->kept)
        return kept;
    kept.first = lane->kept + STRIP_KEPT_MARGIN;
    for (int s = 0; s < scale; s++)
        kept.first += STRIP_KEPT * size_kept(&scales[s]).plane;
    return kept;
}

static void size_planes(StripSizes *sizes, const VqxEngineParams *params)
{
    for (int i = 0; i < 2; i++)
        sizes->stride[i] =
            round_up((size_t)params->width * (params->depth[i] > 8 ? 2 : 1), STRIP_ALIGN);
    for (size_t p = 0; p < params->plan_count; p++) {
        const VifPlan *plan = &params->plans[p];
        sizes->frame_floats += 2 * plan->rows;
        for (int s = plan->prescaled || mixed_types(params) ? 0 : 1; s < VIF_SCALES; s++) {
            const size_t stride =
                round_up((size_t)plan->scale[s].width * sizeof(float), PLANE_ALIGN);
            const size_t bytes = stride * (size_t)plan->scale[s].height;
            sizes->plane_stride[s] =
                stride > sizes->plane_stride[s] ? stride : sizes->plane_stride[s];
            sizes->plane_bytes[s] = bytes > sizes->plane_bytes[s] ? bytes : sizes->plane_bytes[s];
        }
    }
    for (int s = 0; params->keep_stages && s < VIF_SCALES; s++)
        sizes->kept_floats += STRIP_KEPT * size_kept(&params->plans[0].scale[s]).plane;
    for (int s = 0; s < VIF_SCALES; s++) { /* a plan may be wide, another high */
        size_t height = 0;
        for (size_t p = 0; sizes->plane_bytes[s] && p < params->plan_count; p++) {
            const size_t h = (size_t)params->plans[p].scale[s].height;
            height = h > height ? h : height;
        }
        sizes->plane_bytes[s] = sizes->plane_stride[s] * height;
    }
}

static size_t frame_bytes(const StripLane *lane)
{
    const StripSizes *sizes = &lane->sizes;
    return (sizes->stride[0] + sizes->stride[1]) * (size_t)lane->engine->params.height;
}

static size_t batch_bytes(const StripSizes *sizes, unsigned frames)
{
    size_t bytes = sizes->frame_floats * sizeof(float);
    for (int s = 0; s < VIF_SCALES; s++)
        bytes += 2 * sizes->plane_bytes[s];
    return bytes * frames;
}

size_t strip_memory_bytes(const StripLane *lane)
{
    return lane->sizes.frames * frame_bytes(lane) + lane->sizes.kept_floats * sizeof(float) +
           STRIP_BATCHES * batch_bytes(&lane->sizes, lane->sizes.batch);
}

/* A batch fills the device with strips of scale 0; frames in flight fill the batches. */
static void choose_counts(StripLane *lane, unsigned batch)
{
    const unsigned wanted = lane->engine->params.in_flight;
    lane->sizes.frames = wanted ? wanted : STRIP_BATCHES * batch;
    const unsigned share = (lane->sizes.frames + STRIP_BATCHES - 1) / STRIP_BATCHES;
    lane->sizes.batch = batch < share ? batch : share;
}

static int choose_sizes(StripLane *lane, VqxError *error)
{
    const VqxEngineParams *params = &lane->engine->params;
    const unsigned strips = ((unsigned)params->height + STRIP_ROWS - 1) / STRIP_ROWS;
    const unsigned blocks = BLOCKS_A_MULTIPROCESSOR * (unsigned)lane->device.multiprocessors;
    unsigned batch = (blocks + strips - 1) / strips;
    size_t available;
    batch = batch < 1 ? 1 : batch > STRIP_BATCH ? STRIP_BATCH : batch;
    if (strip_check(lane, lane->engine->driver->memory_info(&available), "ask for free memory",
                    error))
        return VQX_ERROR_BACKEND;
    size_planes(&lane->sizes, params);
    choose_counts(lane, batch);
    /* Up to half of what is free; a single frame a batch may take nearly all. */
    while (batch > 1 && strip_memory_bytes(lane) > available / 2)
        choose_counts(lane, batch /= 2);
    if (strip_memory_bytes(lane) > available - available / 16)
        return vqx_fail(
            error, VQX_ERROR_BACKEND,
            "device %d (%s): frames of %dx%d need %zu MiB of device memory, %zu MiB are free",
            lane->device.number, lane->device.name, params->width, params->height,
            (strip_memory_bytes(lane) >> 20) + 1, available >> 20);
    return 0;
}

static int init_frames(StripLane *lane, VqxError *error)
{
    const StripDriver *driver = lane->engine->driver;
    lane->frames = calloc(lane->sizes.frames, sizeof *lane->frames);
    if (!lane->frames)
        return vqx_fail(error, VQX_ERROR_MEMORY, "out of memory");
    for (unsigned i = 0; i < lane->sizes.frames; i++) {
        StripFrame *frame = &lane->frames[i];
        frame->lane = lane;
        frame->next = lane->free_frames;
        lane->free_frames = frame;
        for (int k = 0; k < 2; k++) {
            const size_t bytes = lane->sizes.stride[k] * (size_t)lane->engine->params.height;
            int code = driver->memory_alloc(&frame->memory[k], bytes);
            if (!code)
                code = driver->event_create(&frame->ready[k]);
            if (strip_check(lane, code, "take memory for frames", error))
                return VQX_ERROR_BACKEND;
        }
    }
    return 0;
}

static int init_batch(StripLane *lane, StripBatch *batch)
{
    const StripDriver *driver = lane->engine->driver;
    const StripSizes *sizes = &lane->sizes;
    const size_t sums = sizes->frame_floats * sizeof(float) * sizes->batch;
    void **const events[] = {&batch->fork, &batch->join, &batch->done};
    int code = driver->memory_alloc((void **)&batch->sums, sums);
    if (!code)
        code = driver->pinned_alloc((void **)&batch->host_sums, sums);
    for (int s = 0; s < VIF_SCALES; s++)
        for (int i = 0; i < 2; i++)
            if (!code && sizes->plane_bytes[s])
                code =
                    driver->memory_alloc(&batch->plane[s][i], sizes->plane_bytes[s] * sizes->batch);
    if (!code)
        code = driver->stream_create(&batch->stream);
    if (!code)
        code = driver->stream_create(&batch->side);
    for (unsigned i = 0; i < sizeof events / sizeof events[0]; i++)
        if (!code)
            code = driver->event_create(events[i]);
    return code;
}

static int init_kept(StripLane *lane, VqxError *error)
{
    const size_t bytes = lane->sizes.kept_floats * sizeof(float);
    if (bytes == 0)
        return 0;
    return strip_check(lane, lane->engine->driver->memory_alloc((void **)&lane->kept, bytes),
                       "take memory for stages", error);
}

int strip_memory_init(StripLane *lane, VqxError *error)
{
    int status = choose_sizes(lane, error);
    if (!status)
        status = init_frames(lane, error);
    if (!status)
        status = init_kept(lane, error);
    for (unsigned b = 0; !status && b < STRIP_BATCHES; b++)
        status =
            strip_check(lane, init_batch(lane, &lane->batch[b]), "take memory for batches", error);
    if (!status)
        status = strip_check(lane, lane->engine->driver->stream_create(&lane->copies),
                             "create a stream", error);
    if (!status)
        status = strip_check(lane, lane->engine->driver->event_create(&lane->mark),
                             "create an event", error);
    return status;
}

static void free_batch(const StripDriver *driver, StripBatch *batch)
{
    void *const events[] = {batch->fork, batch->join, batch->done};
    void *const streams[] = {batch->stream, batch->side};
    for (unsigned i = 0; i < sizeof events / sizeof events[0]; i++)
        if (events[i])
            driver->event_destroy(events[i]);
    for (unsigned i = 0; i < sizeof streams / sizeof streams[0]; i++)
        if (streams[i])
            driver->stream_destroy(streams[i]);
    for (int s = 0; s < VIF_SCALES; s++)
        for (int i = 0; i < 2; i++)
            if (batch->plane[s][i])
                driver->memory_free(batch->plane[s][i]);
    if (batch->sums)
        driver->memory_free(batch->sums);
    if (batch->host_sums)
        driver->pinned_free(batch->host_sums);
}

void strip_memory_free(StripLane *lane)
{
    const StripDriver *driver = lane->engine->driver;
    for (unsigned b = 0; b < STRIP_BATCHES; b++)
        free_batch(driver, &lane->batch[b]);
    for (unsigned i = 0; lane->frames && i < lane->sizes.frames; i++) {
        for (int k = 0; k < 2; k++) {
            if (lane->frames[i].memory[k])
                driver->memory_free(lane->frames[i].memory[k]);
            if (lane->frames[i].ready[k])
                driver->event_destroy(lane->frames[i].ready[k]);
        }
    }
    if (lane->kept)
        driver->memory_free(lane->kept);
    if (lane->mark)
        driver->event_destroy(lane->mark);
    if (lane->copies)
        driver->stream_destroy(lane->copies);
    free(lane->frames);
}
