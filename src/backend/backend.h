/*
 * The seam between the metric and what computes it: plans and luma planes in, row sums out.
 *
 * A backend is one VqxBackend. The CPU's is built in; the others are modules (libvqx-NAME.so)
 * loaded on first use, which export `const VqxBackend *vqx_backend_module(void)`. The abi member
 * guards against a module of another build.
 */
#ifndef VQX_BACKEND_BACKEND_H
#define VQX_BACKEND_BACKEND_H

#include "vif/plan.h"
#include "vif/stages.h"
#include "vqx.h"

#define VQX_BACKEND_ABI 4u
#define VQX_MODULE_ENTRY "vqx_backend_module"

typedef struct VqxEngine
    VqxEngine; /* a backend's own: one stream of frames of one size on one device (or several) */

typedef struct VqxLog {
    void (*write)(void *opaque, int level, const char *message); /* may be NULL */
    void *opaque;
} VqxLog;

typedef struct VqxEngineParams {
    const VifPlan
        *plans; /* one per configuration, all for the same frame size; outlive the engine */
    size_t plan_count;
    int width, height;
    int depth[2];       /* reference, distorted */
    const char *device; /* NULL: the first */
    unsigned threads;   /* 0: the backend's choice */
    unsigned in_flight; /* frames wanted in flight; 0: the backend's choice */
    uint64_t cpumask;
    int form;        /* VqxForm */
    int keep_stages; /* `stage` will be asked: one plan, one frame in flight */
    VqxLog log;
} VqxEngineParams;

/* What an engine says of itself once open. */
typedef struct VqxEngineInfo {
    char device[128], driver[128], detail[256];
    unsigned in_flight;  /* frames it can have submitted and not waited for; at least 1 */
    size_t stride_align; /* bytes that strides of its fastest host planes are multiples of; a power
                            of two */
} VqxEngineInfo;

/* A frame in work. The caller owns it and what it points to, and keeps all of it until wait
 * returns. */
typedef struct VqxJob {
    VqxPlane plane[2];  /* reference, distorted */
    float *const *sums; /* per plan: 2 * plan->rows floats (see plan.h) */
    void *backend_data; /* the engine's, between submit and wait */
} VqxJob;

typedef struct VqxPeaks {
    double copy_bytes; /* from fast host memory to the device, a second; 0: there is no copy */
    double f32;        /* multiplications and additions, unfused, a second; 0: unknown */
} VqxPeaks;

typedef struct VqxBackend {
    uint32_t abi; /* VQX_BACKEND_ABI */
    const char *name;
    const char *description;
    int exact; /* 1: every bit is plain C's. The parity gate holds it to that, and takes no other */

    /* Lists devices as vqx_devices does; one entry with available 0 and a reason where there is
     * none. */
    size_t (*devices)(VqxDevice *devices, size_t capacity);

    /* Starts an engine and fills *info. */
    int (*open)(VqxEngine **engine, const VqxEngineParams *params, VqxEngineInfo *info,
                VqxError *error);

    /* Starts a frame and returns; the engine may wait for room. At most info.in_flight jobs are
     * between submit and wait. VQX_ERROR_AGAIN, and nothing done: of several devices the one that holds the planes has no
     * room until an earlier job was waited for. */
    int (*submit)(VqxEngine *engine, VqxJob *job, VqxError *error);

    /* Waits until the job's sums are written. Jobs may be waited for in any order, each once. */
    int (*wait)(VqxEngine *engine, VqxJob *job, VqxError *error);

    /* Optional. Whether wait would return at once; NULL entry: unknown. */
    int (*done)(VqxEngine *engine, VqxJob *job);

    /* Ends an engine; jobs not waited for are finished or dropped first. */
    void (*close)(VqxEngine *engine);

    /* Optional. Host memory that the device reads fastest (pinned); NULL entry: plain memory is as
     * good. */
    void *(*memory_alloc)(VqxEngine *engine, size_t bytes, VqxError *error);
    void (*memory_free)(VqxEngine *engine, void *memory);

    /* Optional. Memory of the engine's first device with a copy of `content`, for planes of
     * VQX_MEMORY_DEVICE; NULL entry: the backend takes no such planes. */
    void *(*device_alloc)(VqxEngine *engine, const void *content, size_t bytes, VqxError *error);
    void (*device_free)(VqxEngine *engine, void *memory);

    /* Optional, for benchmarks: what the first device can do at most, measured now, with no frame in work. */
    int (*measure_peaks)(VqxEngine *engine, VqxPeaks *peaks, VqxError *error);

    /* Optional, of an engine opened with keep_stages: writes a VifStage of the frame waited for
     * last, as the engine's own kernels made it, to `out` (the scale's width * height floats).
     * 1: written; 0: this engine makes no such thing apart; else a VqxStatus. */
    int (*stage)(VqxEngine *engine, int scale, int stage, float *out, VqxError *error);
} VqxBackend;

/* The registry. Backends in the order `auto` tries them. */
size_t vqx_backend_count(void);
const char *vqx_backend_name(size_t i);
/* Loads (once) and returns the i-th, or NULL with the reason. */
const VqxBackend *vqx_backend_get(size_t i, const char *module_folder, VqxError *error);

extern const VqxBackend vqx_backend_cpu;

#endif
