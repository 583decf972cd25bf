/*
 * The pool: threads that take the next band of the oldest frame that has one. So a single frame uses every thread, and
 * where a frame's step runs out of bands the threads go on with the frame after it.
 */
#include "backend/cpu/cpu.h"

#include "util/error.h"

#include <stdlib.h>
#include <string.h>

typedef struct CpuWorker {
    VqxEngine *engine;
    pthread_t thread;
    int started;
    void *scratch;
} CpuWorker;

static CpuPlanes *free_planes(VqxEngine *engine)
{
    for (unsigned i = 0; i < engine->planes_count; i++)
        if (!engine->planes[i].in_use)
            return &engine->planes[i];
    return NULL;
}

static int start_frame(VqxEngine *engine, CpuFrame *frame)
{
    frame->planes = free_planes(engine);
    if (!frame->planes)
        return -1;
    frame->planes->in_use = 1;
    cpu_frame_begin(frame, engine);
    return 0;
}

/* A frame with a band to take, the oldest such; NULL: none at the moment. */
static CpuFrame *frame_with_work(VqxEngine *engine)
{
    for (CpuFrame *frame = engine->first; frame; frame = frame->next) {
        if (!frame->planes && start_frame(engine, frame))
            return NULL;
        if (frame->taken < frame->bands)
            return frame;
    }
    return NULL;
}

static void remove_frame(VqxEngine *engine, CpuFrame *frame)
{
    CpuFrame *before = NULL;
    for (CpuFrame *f = engine->first; f != frame; f = f->next)
        before = f;
    if (before)
        before->next = frame->next;
    else
        engine->first = frame->next;
    if (engine->last == frame)
        engine->last = before;
}

static void finish_band(VqxEngine *engine, CpuFrame *frame)
{
    if (++frame->finished < frame->bands)
        return;
    if (!cpu_frame_next_step(frame, engine)) {
        frame->planes->in_use = 0;
        remove_frame(engine, frame);
        frame->done = 1;
        pthread_cond_broadcast(&engine->finished);
    }
    pthread_cond_broadcast(&engine->work);
}

static void *work(void *opaque)
{
    CpuWorker *worker = opaque;
    VqxEngine *engine = worker->engine;
    pthread_mutex_lock(&engine->mutex);
    while (!engine->stopping || engine->first) {
        CpuFrame *frame = frame_with_work(engine);
        if (!frame) {
            pthread_cond_wait(&engine->work, &engine->mutex);
            continue;
        }
        const int band = frame->taken++;
        pthread_mutex_unlock(&engine->mutex);
        cpu_frame_band(frame, engine, band, worker->scratch);
        pthread_mutex_lock(&engine->mutex);
        finish_band(engine, frame);
    }
    pthread_mutex_unlock(&engine->mutex);
    return NULL;
}

int cpu_pool_submit(VqxEngine *engine, VqxJob *job, VqxError *error)
{
    (void)error;
    pthread_mutex_lock(&engine->mutex);
    CpuFrame *frame = engine->free_frames;
    engine->free_frames = frame->next;
    *frame = (CpuFrame){.job = job};
    job->backend_data = frame;
    if (engine->first)
        engine->last->next = frame;
    else
        engine->first = frame;
    engine->last = frame;
    pthread_cond_broadcast(&engine->work);
    pthread_mutex_unlock(&engine->mutex);
    return 0;
}

int cpu_pool_wait(VqxEngine *engine, VqxJob *job, VqxError *error)
{
    (void)error;
    CpuFrame *frame = job->backend_data;
    pthread_mutex_lock(&engine->mutex);
    while (!frame->done)
        pthread_cond_wait(&engine->finished, &engine->mutex);
    frame->next = engine->free_frames;
    engine->free_frames = frame;
    pthread_mutex_unlock(&engine->mutex);
    return 0;
}

int cpu_pool_start(VqxEngine *engine, VqxError *error)
{
    size_t scratch = 0;
    for (size_t p = 0; p < engine->params.plan_count; p++) {
        const size_t size = engine->rows->scratch_size(&engine->params.plans[p]);
        scratch = size > scratch ? size : scratch;
    }
    engine->workers = calloc(engine->worker_count, sizeof *engine->workers);
    if (!engine->workers)
        return vqx_fail(error, VQX_ERROR_MEMORY, "out of memory");
    for (unsigned i = 0; i < engine->worker_count; i++) {
        CpuWorker *worker = &engine->workers[i];
        worker->engine = engine;
        if (posix_memalign(&worker->scratch, 64, scratch)) {
            worker->scratch = NULL;
            return vqx_fail(error, VQX_ERROR_MEMORY, "out of memory for thread %u of %u", i + 1,
                            engine->worker_count);
        }
        /* Vectors also compute behind a row's end, of whatever is there: let it be numbers. */
        memset(worker->scratch, 0, scratch);
        if (pthread_create(&worker->thread, NULL, work, worker))
            return vqx_fail(error, VQX_ERROR_BACKEND, "thread %u of %u could not be started", i + 1,
                            engine->worker_count);
        worker->started = 1;
    }
    return 0;
}

void cpu_pool_stop(VqxEngine *engine)
{
    pthread_mutex_lock(&engine->mutex);
    engine->stopping = 1;
    pthread_cond_broadcast(&engine->work);
    pthread_mutex_unlock(&engine->mutex);
    for (unsigned i = 0; engine->workers && i < engine->worker_count; i++) {
        if (engine->workers[i].started)
            pthread_join(engine->workers[i].thread, NULL);
        free(engine->workers[i].scratch);
    }
    free(engine->workers);
}
