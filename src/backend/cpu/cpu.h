/* The CPU engine's insides, shared by the files of this folder: a pool of threads that computes frames in bands of rows. */
#ifndef VQX_BACKEND_CPU_CPU_H
#define VQX_BACKEND_CPU_CPU_H

#include "backend/backend.h"
#include "backend/cpu/rows.h"

#include <pthread.h>

/* The f32 planes of a frame in work: scales 1..3, and scale 0 where a plan prescales. Sized for the largest plan. */
typedef struct CpuPlanes {
    float *scale[VIF_SCALES][2];
    int in_use;
} CpuPlanes;

/*
 * A frame between submit and wait. Its work is a sequence of steps, one after the other: for each plan the prescale, then
 * scale by scale the statistic together with the decimation to the next scale. A step is a number of bands, in any order.
 */
typedef struct CpuFrame {
    VqxJob *job;
    CpuPlanes *planes; /* NULL: not started */
    size_t plan;
    int step;                   /* -1 the prescale, else the scale */
    int bands, taken, finished; /* of the step */
    int done;
    struct CpuFrame *next; /* in order of submission, or in the list of free ones */
} CpuFrame;

struct VqxEngine {
    VqxEngineParams params;
    const VifCpuRows *rows;

    pthread_mutex_t mutex; /* guards what follows, and every CpuFrame and CpuPlanes.in_use */
    pthread_cond_t work, finished;
    CpuFrame *frames, *free_frames, *first, *last; /* first..last: submitted and not done */
    CpuPlanes *planes;
    unsigned planes_count;
    VifKept *kept; /* of each scale, with keep_stages; else NULL */
    int stopping;

    struct CpuWorker *workers;
    unsigned worker_count;
};

/* frame.c: the step's bands; computing one of them; going to the next step (0: the frame is done). */
void cpu_frame_begin(CpuFrame *frame, const VqxEngine *engine);
void cpu_frame_band(const CpuFrame *frame, const VqxEngine *engine, int band, void *scratch);
int cpu_frame_next_step(CpuFrame *frame, const VqxEngine *engine);
ptrdiff_t cpu_plane_stride(const VifScale *scale);

/* kept.c: memory for what keep_stages asks for; VqxBackend.stage. */
int cpu_kept_init(VqxEngine *engine, VqxError *error);
void cpu_kept_free(VqxEngine *engine);
int cpu_kept_stage(VqxEngine *engine, int scale, int stage, float *out, VqxError *error);

/* pool.c */
int cpu_pool_start(VqxEngine *engine, VqxError *error);
void cpu_pool_stop(VqxEngine *engine);
int cpu_pool_submit(VqxEngine *engine, VqxJob *job, VqxError *error);
int cpu_pool_wait(VqxEngine *engine, VqxJob *job, VqxError *error);

/* peaks.c */
int cpu_measure_peaks(VqxEngine *engine, VqxPeaks *peaks, VqxError *error);

#endif
