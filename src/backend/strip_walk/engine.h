/*
 * The engine of the backends that run the strip-walking kernels: CUDA and HIP.
 *
 * A frame's way: its planes are copied to the device as soon as it is submitted (submit.c), it
 * queues there until a batch takes it (batch.c), one set of launches computes the whole batch for
 * every plan (kernels.c), and the row sums come back together. Copies, batches and their results
 * overlap: each batch has streams of its own. What all of it occupies is fixed at the start and
 * stated (memory.c).
 */
#ifndef VQX_BACKEND_STRIP_WALK_ENGINE_H
#define VQX_BACKEND_STRIP_WALK_ENGINE_H

#include "backend/backend.h"
#include "backend/strip_walk/driver.h"
#include "kernels/strip_walk/params.h"

enum {
    STRIP_BATCHES = 3,      /* in work at a time: one fills the gaps that another leaves */
    STRIP_MAX_DEVICES = 64, /* of an engine */
};

/* Bits of VqxEngineParams.cpumask, for tests: kernels left unused. */
enum {
    STRIP_MASK_LOW = 1,   /* those of low strips, for batches of few */
    STRIP_MASK_FIXED = 2, /* those of a fixed radius */
};

/* A device to run on, as the backend found it. */
typedef struct StripDevice {
    void *handle; /* for StripDriver.activate */
    int number;   /* what --device calls it */
    char name[128];
    int multiprocessors;
    int fast_f64;                    /* native f64 is the faster form */
    const void *images[STRIP_PARTS]; /* the kernels, in parts */
} StripDevice;

/* One kernel of a plan, ready but for its planes. */
typedef struct StripLaunch {
    void *function;
    unsigned grid[2]; /* the next dimension counts frames */
    unsigned threads;
    size_t shared;
} StripLaunch;

/* A plan's kernels and their parameters. */
typedef struct StripPlan {
    const VifPlan *plan;
    int from_f32; /* scale 0 is read from an f32 plane: prescaled, or the depths are of two types */
    StripLaunch resize[2], decimate[VIF_SCALES];
    StripLaunch walk[VIF_SCALES], low[VIF_SCALES]; /* the latter for a batch with few strips */
    StripResize resize_params;
    StripDecimate decimate_params[VIF_SCALES];
    StripWalk walk_params[VIF_SCALES];
    void *tables;       /* the prescale's, in device memory */
    size_t first_float; /* of the plan's row sums in a frame's */
} StripPlan;

typedef struct StripBatch StripBatch;

/* A frame between submit and wait. */
typedef struct StripFrame {
    VqxJob *job;
    struct StripLane *lane;
    StripBatch *batch;
    enum { STRIP_QUEUED, STRIP_RUNNING, STRIP_DONE } state;
    void *memory[2]; /* device memory for its planes */
    void *data[2];   /* what the kernels read: that, or the caller's own */
    ptrdiff_t stride[2];
    void *ready[2]; /* events: the planes are there */
    int waits[2];   /* whether ready[i] was recorded */
    struct StripFrame *next;
} StripFrame;

/* Frames that run together, with everything between their planes and their row sums. */
struct StripBatch {
    StripFrame *frame[STRIP_BATCH];
    unsigned count; /* 0: free */
    uint64_t order;
    void *plane[VIF_SCALES][2]; /* f32 planes, the frames' one after the other */
    float *sums, *host_sums;    /* on the device, and pinned */
    void *stream, *side;        /* scale 0; the smaller scales beside it */
    void *fork, *join, *done;   /* events */
};

/* Sizes of what a lane holds, the same for all of an engine. */
typedef struct StripSizes {
    unsigned frames, batch; /* frames in flight; frames of a batch at most */
    size_t stride[2];       /* of a frame's own planes */
    size_t plane_stride[VIF_SCALES], plane_bytes[VIF_SCALES]; /* 0: not needed */
    size_t frame_floats;                                      /* of a frame's row sums */
    size_t kept_floats; /* of the stages of one frame, where they are kept */
} StripSizes;

/* One device's share of an engine. */
typedef struct StripLane {
    StripDevice device;
    struct VqxEngine *engine;
    StripSizes sizes;
    void *modules[STRIP_PARTS];
    StripPlan *plans;
    StripFrame *frames, *free_frames, *first, *last; /* first..last: the queue */
    unsigned queued, in_work;
    StripBatch batch[STRIP_BATCHES];
    uint64_t launched;
    float *kept;  /* scale by scale, STRIP_KEPT planes of each */
    void *copies; /* the stream that copies planes in */
    void *mark;   /* an event, to wait for what was sent there */
} StripLane;

struct VqxEngine {
    const StripDriver *driver;
    VqxEngineParams params;
    StripLane *lanes;
    unsigned lane_count;
    int form;         /* native or fp64-free */
    VqxError failure; /* the first; afterwards nothing is sent to the devices any more */
};

/* devices.c: the numbers of the devices that `text` names ("0", "0,1", "all"; NULL: the first), of
 * 0 to present - 1. One may be named more than once. */
int strip_device_list(int numbers[STRIP_MAX_DEVICES], unsigned *count, const char *text,
                      int present, VqxError *error);

/* The vtable's entries but for `devices`; `open` takes the devices chosen. Their first `count`
 * are used, which may be the same one more than once. */
int strip_engine_open(VqxEngine **engine, const StripDriver *driver, const VqxEngineParams *params,
                      const StripDevice *devices, unsigned count, VqxEngineInfo *info,
                      VqxError *error);
/* The devices it was opened with; the backend lets go of them after the engine's end. */
const StripDevice *strip_engine_device(const VqxEngine *engine,
                                       unsigned i); /* NULL past the last */
int strip_engine_submit(VqxEngine *engine, VqxJob *job, VqxError *error);
int strip_engine_wait(VqxEngine *engine, VqxJob *job, VqxError *error);
int strip_engine_done(VqxEngine *engine, VqxJob *job);
void strip_engine_close(VqxEngine *engine);
void *strip_engine_memory_alloc(VqxEngine *engine, size_t bytes, VqxError *error);
void strip_engine_memory_free(VqxEngine *engine, void *memory);
void *strip_engine_device_alloc(VqxEngine *engine, const void *content, size_t bytes,
                                VqxError *error);
void strip_engine_device_free(VqxEngine *engine, void *memory);
int strip_engine_stage(VqxEngine *engine, int scale, int stage, float *out, VqxError *error);
int strip_engine_measure_peaks(VqxEngine *engine, VqxPeaks *peaks, VqxError *error); /* peaks.c */

/* engine.c: 0 for a driver's code 0; else what was being done, on which device, and the driver's
 * words. The engine takes no more work. */
int strip_check(StripLane *lane, int code, const char *doing, VqxError *error);

/* memory.c */
int strip_memory_init(StripLane *lane, VqxError *error);
void strip_memory_free(StripLane *lane);
size_t strip_memory_bytes(const StripLane *lane);
/* Where on the device a scale's stages are kept, in floats; `first` is NULL where none are. */
typedef struct StripKept {
    float *first; /* row 0, column 0 of mu1 */
    size_t pitch, plane;
} StripKept;
StripKept strip_memory_kept(const StripLane *lane, int scale);

/* kernels.c: loads what the plans need; launches everything for a batch. */
int strip_kernels_init(StripLane *lane, VqxError *error);
void strip_kernels_free(StripLane *lane);
int strip_kernels_launch(StripLane *lane, StripBatch *batch, VqxError *error);
int strip_kernels_find(StripLane *lane, StripLaunch *launch, int part, const char *name,
                       VqxError *error);

/* batch.c: starts a batch of what is queued, if there is cause to (or `now`, and room); ends it. */
int strip_batch_start(StripLane *lane, int now, VqxError *error);
int strip_batch_finish(StripLane *lane, StripBatch *batch, VqxError *error);
int strip_batch_poll(StripLane *lane, VqxError *error);
StripBatch *strip_batch_oldest(StripLane *lane);

#endif
