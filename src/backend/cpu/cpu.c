/* The CPU backend: a pool of threads, each of which takes the next frame and computes it. */
#include "backend/backend.h"

#include "backend/cpu/rows.h"
#include "util/error.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* A frame between submit and wait. */
typedef struct CpuFrame {
    VqxJob *job;
    int done;
    struct CpuFrame *next;
} CpuFrame;

/* What one thread works in. */
typedef struct CpuWorker {
    struct VqxEngine *engine;
    pthread_t thread;
    int started;
    void *scratch;
    float *plane[VIF_SCALES][2]; /* f32 planes; scale 0's only where prescaled */
} CpuWorker;

struct VqxEngine {
    VqxEngineParams params;
    const VifCpuRows *rows;
    pthread_mutex_t mutex;
    pthread_cond_t queued, finished;
    CpuFrame *frames, *free_frames, *first, *last; /* first..last: the queue */
    CpuWorker *workers;
    unsigned worker_count;
    int stopping;
};

static ptrdiff_t plane_stride(const VifScale *scale)
{
    return (ptrdiff_t)(((size_t)scale->width * sizeof(float) + 63) & ~(size_t)63);
}

/* The largest over the plans: a worker's memory serves each in turn. */
static int allocate_worker(CpuWorker *worker, const VqxEngineParams *params, const VifCpuRows *rows)
{
    size_t scratch = 0, plane[VIF_SCALES] = {0};
    for (size_t p = 0; p < params->plan_count; p++) {
        const VifPlan *plan = &params->plans[p];
        const size_t size = rows->scratch_size(plan);
        scratch = size > scratch ? size : scratch;
        for (int s = plan->prescaled ? 0 : 1; s < VIF_SCALES; s++) {
            const size_t bytes =
                (size_t)plane_stride(&plan->scale[s]) * (size_t)plan->scale[s].height;
            plane[s] = bytes > plane[s] ? bytes : plane[s];
        }
    }
    if (posix_memalign(&worker->scratch, 64, scratch))
        return -1;
    for (int s = 0; s < VIF_SCALES; s++)
        for (int i = 0; i < 2; i++)
            if (plane[s] && posix_memalign((void **)&worker->plane[s][i], 64, plane[s]))
                return -1;
    return 0;
}

static void free_worker(CpuWorker *worker)
{
    free(worker->scratch);
    for (int s = 0; s < VIF_SCALES; s++)
        for (int i = 0; i < 2; i++)
            free(worker->plane[s][i]);
}

static VifSource scale_source(float *data, const VifScale *scale)
{
    return (VifSource){data, plane_stride(scale), scale->width, scale->height, 0};
}

static void compute_plan(CpuWorker *worker, const VifPlan *plan, const VqxJob *job, float *sums)
{
    const VifCpuRows *rows = worker->engine->rows;
    VifSource source[2];
    for (int i = 0; i < 2; i++) {
        const VqxPlane *p = &job->plane[i];
        source[i] =
            (VifSource){p->data, p->stride, (int)p->width, (int)p->height, (int)p->bit_depth};
        if (plan->prescaled) {
            const VifScale *scale = &plan->scale[0];
            rows->prescale(plan, &source[i], 0, scale->height, worker->plane[0][i],
                           plane_stride(scale), worker->scratch);
            source[i] = scale_source(worker->plane[0][i], scale);
        }
    }
    for (int s = 0; s < VIF_SCALES; s++) {
        const VifScale *scale = &plan->scale[s];
        if (s > 0) {
            for (int i = 0; i < 2; i++) {
                rows->decimate(plan, s, &source[i], 0, scale->height, worker->plane[s][i],
                               plane_stride(scale), worker->scratch);
                source[i] = scale_source(worker->plane[s][i], scale);
            }
        }
        if (s >= plan->first_scale)
            rows->statistic(plan, s, source, 0, scale->height, worker->engine->params.form,
                            sums + 2 * scale->first_row, worker->scratch);
    }
}

static void *work(void *opaque)
{
    CpuWorker *worker = opaque;
    VqxEngine *engine = worker->engine;
    pthread_mutex_lock(&engine->mutex);
    for (;;) {
        while (!engine->first && !engine->stopping)
            pthread_cond_wait(&engine->queued, &engine->mutex);
        CpuFrame *frame = engine->first;
        if (!frame)
            break;
        engine->first = frame->next;
        pthread_mutex_unlock(&engine->mutex);
        for (size_t p = 0; p < engine->params.plan_count; p++)
            compute_plan(worker, &engine->params.plans[p], frame->job, frame->job->sums[p]);
        pthread_mutex_lock(&engine->mutex);
        frame->done = 1;
        pthread_cond_broadcast(&engine->finished);
    }
    pthread_mutex_unlock(&engine->mutex);
    return NULL;
}

static int cpu_submit(VqxEngine *engine, VqxJob *job, VqxError *error)
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
    pthread_cond_signal(&engine->queued);
    pthread_mutex_unlock(&engine->mutex);
    return 0;
}

static int cpu_wait(VqxEngine *engine, VqxJob *job, VqxError *error)
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

static void cpu_close(VqxEngine *engine)
{
    if (!engine)
        return;
    pthread_mutex_lock(&engine->mutex);
    engine->stopping = 1;
    pthread_cond_broadcast(&engine->queued);
    pthread_mutex_unlock(&engine->mutex);
    for (unsigned i = 0; i < engine->worker_count; i++) {
        if (engine->workers[i].started)
            pthread_join(engine->workers[i].thread, NULL);
        free_worker(&engine->workers[i]);
    }
    pthread_cond_destroy(&engine->queued);
    pthread_cond_destroy(&engine->finished);
    pthread_mutex_destroy(&engine->mutex);
    free(engine->workers);
    free(engine->frames);
    free(engine);
}

static unsigned core_count(void)
{
    const long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n > 0 ? (unsigned)n : 1;
}

static int start_workers(VqxEngine *engine, VqxError *error)
{
    for (unsigned i = 0; i < engine->worker_count; i++) {
        CpuWorker *worker = &engine->workers[i];
        worker->engine = engine;
        if (allocate_worker(worker, &engine->params, engine->rows))
            return vqx_fail(error, VQX_ERROR_MEMORY, "out of memory for thread %u of %u", i + 1,
                            engine->worker_count);
        if (pthread_create(&worker->thread, NULL, work, worker))
            return vqx_fail(error, VQX_ERROR_BACKEND, "thread %u of %u could not be started", i + 1,
                            engine->worker_count);
        worker->started = 1;
    }
    return 0;
}

static int cpu_open(VqxEngine **out, const VqxEngineParams *params, VqxEngineInfo *info,
                    VqxError *error)
{
    VqxEngine *engine = calloc(1, sizeof *engine);
    *out = NULL;
    if (!engine)
        return vqx_fail(error, VQX_ERROR_MEMORY, "out of memory");
    engine->params = *params;
    engine->rows = &vif_rows_c;
    pthread_mutex_init(&engine->mutex, NULL);
    pthread_cond_init(&engine->queued, NULL);
    pthread_cond_init(&engine->finished, NULL);
    engine->worker_count = params->threads ? params->threads : core_count();
    const unsigned in_flight = params->in_flight ? params->in_flight : engine->worker_count + 1;
    engine->workers = calloc(engine->worker_count, sizeof *engine->workers);
    engine->frames = calloc(in_flight, sizeof *engine->frames);
    int status = 0;
    if (!engine->workers || !engine->frames)
        status = vqx_fail(error, VQX_ERROR_MEMORY, "out of memory");
    for (unsigned i = 0; !status && i < in_flight; i++) {
        engine->frames[i].next = engine->free_frames;
        engine->free_frames = &engine->frames[i];
    }
    if (!status)
        status = start_workers(engine, error);
    if (status) {
        engine->worker_count = engine->workers ? engine->worker_count : 0;
        cpu_close(engine);
        return status;
    }
    *info = (VqxEngineInfo){.in_flight = in_flight, .stride_align = 64};
    snprintf(info->device, sizeof info->device, "%u threads", engine->worker_count);
    snprintf(info->detail, sizeof info->detail, "%s", engine->rows->name);
    *out = engine;
    return 0;
}

static size_t cpu_devices(VqxDevice *devices, size_t capacity)
{
    if (capacity > 0) {
        devices[0] = (VqxDevice){.backend = "cpu", .device = "0", .available = 1, .automatic = 1};
        snprintf(devices[0].name, sizeof devices[0].name, "%u cores", core_count());
        snprintf(devices[0].detail, sizeof devices[0].detail, "%s", vif_rows_c.name);
    }
    return 1;
}

const VqxBackend vqx_backend_cpu = {
    .abi = VQX_BACKEND_ABI,
    .name = "cpu",
    .description = "this machine's processor",
    .devices = cpu_devices,
    .open = cpu_open,
    .submit = cpu_submit,
    .wait = cpu_wait,
    .close = cpu_close,
};
