/* Batches: when one starts, and what happens when it is done. */
#include "backend/strip_walk/engine.h"

#include <string.h>

static StripBatch *free_batch(StripLane *lane)
{
    for (unsigned b = 0; b < STRIP_BATCHES; b++)
        if (lane->batch[b].count == 0)
            return &lane->batch[b];
    return NULL;
}

StripBatch *strip_batch_oldest(StripLane *lane)
{
    StripBatch *oldest = NULL;
    for (unsigned b = 0; b < STRIP_BATCHES; b++) {
        StripBatch *batch = &lane->batch[b];
        if (batch->count > 0 && (!oldest || batch->order < oldest->order))
            oldest = batch;
    }
    return oldest;
}

/* An idle device takes the first frame at once; the more batches are in work, the more frames the
 * next waits for. */
static int worth_starting(const StripLane *lane)
{
    unsigned running = 0;
    for (unsigned b = 0; b < STRIP_BATCHES; b++)
        running += lane->batch[b].count > 0;
    const unsigned most = lane->sizes.batch;
    return lane->queued >= (running == 0 ? 1 : running == 1 ? (most + 1) / 2 : most);
}

static void take_frames(StripLane *lane, StripBatch *batch)
{
    while (lane->first && batch->count < lane->sizes.batch) {
        StripFrame *frame = lane->first;
        lane->first = frame->next;
        lane->queued--;
        frame->state = STRIP_RUNNING;
        frame->batch = batch;
        batch->frame[batch->count++] = frame;
    }
    batch->order = lane->launched++;
}

static int wait_for_planes(const StripDriver *driver, const StripBatch *batch)
{
    int code = 0;
    for (unsigned f = 0; f < batch->count; f++)
        for (int i = 0; i < 2; i++)
            if (!code && batch->frame[f]->waits[i])
                code = driver->stream_wait(batch->stream, batch->frame[f]->ready[i]);
    return code;
}

int strip_batch_start(StripLane *lane, int now, VqxError *error)
{
    const StripDriver *driver = lane->engine->driver;
    StripBatch *batch = free_batch(lane);
    if (!batch || !lane->first || !(now || worth_starting(lane)))
        return 0;
    take_frames(lane, batch);
    int status = strip_check(lane, wait_for_planes(driver, batch), "wait for planes", error);
    if (!status)
        status = strip_kernels_launch(lane, batch, error);
    if (status)
        return status;
    const size_t bytes = batch->count * lane->sizes.frame_floats * sizeof(float);
    int code = driver->copy_out(batch->host_sums, batch->sums, bytes, batch->stream);
    if (!code)
        code = driver->event_record(batch->done, batch->stream);
    return strip_check(lane, code, "copy the row sums back", error);
}

/* Rows of scales that were skipped are the caller's. */
static void hand_over(const StripLane *lane, const StripBatch *batch)
{
    for (unsigned f = 0; f < batch->count; f++) {
        StripFrame *frame = batch->frame[f];
        const float *sums = batch->host_sums + f * lane->sizes.frame_floats;
        for (size_t p = 0; p < lane->engine->params.plan_count; p++) {
            const VifPlan *plan = lane->plans[p].plan;
            const size_t first = 2 * plan->scale[plan->first_scale].first_row;
            memcpy(frame->job->sums[p] + first, sums + lane->plans[p].first_float + first,
                   (2 * plan->rows - first) * sizeof *sums);
        }
        frame->state = STRIP_DONE;
        frame->batch = NULL;
    }
}

int strip_batch_finish(StripLane *lane, StripBatch *batch, VqxError *error)
{
    const int status =
        strip_check(lane, lane->engine->driver->event_wait(batch->done), "compute a batch", error);
    if (status)
        return status;
    hand_over(lane, batch);
    batch->count = 0;
    return 0;
}

int strip_batch_poll(StripLane *lane, VqxError *error)
{
    for (StripBatch *batch = strip_batch_oldest(lane); batch; batch = strip_batch_oldest(lane)) {
        int done = 0;
        int status = strip_check(lane, lane->engine->driver->event_query(batch->done, &done),
                                 "compute a batch", error);
        if (!status && done)
            status = strip_batch_finish(lane, batch, error);
        if (status || !done)
            return status;
    }
    return 0;
}
