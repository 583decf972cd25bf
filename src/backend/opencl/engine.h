/* The engine's insides, shared by memory.c, submit.c and opencl.c. */
#ifndef VQX_BACKEND_OPENCL_ENGINE_H
#define VQX_BACKEND_OPENCL_ENGINE_H

#include "backend/backend.h"
#include "backend/opencl/devices.h"
#include "backend/opencl/kernels.h"
#include "backend/tiles/launches.h"

/* A plan's tables on the device; by TILES_TAPS and so on. */
typedef struct PlanTables {
    cl_mem buffer[TILES_BUFFERS - TILES_FRAME_BUFFERS];
} PlanTables;

/* One kernel launch with its arguments set. */
typedef struct Launch {
    cl_kernel kernel;
    size_t global[3], group;
} Launch;

/* A frame in flight: a queue of its own, memory, and the launches that compute it. */
typedef struct Slot {
    cl_command_queue queue;
    cl_mem buffer[TILES_FRAME_BUFFERS];
    Launch *launch;
    size_t launch_count;
    cl_event done;
    VqxJob *job; /* NULL: free */
} Slot;

/* Host memory that the device reads fastest. */
typedef struct Pinned {
    cl_mem buffer;
    void *memory;
    struct Pinned *next;
} Pinned;

struct VqxEngine {
    const OpenclApi *cl;
    OpenclDevice *device;
    TilesForm form;
    VqxEngineParams params;
    TilesLayout layout;
    PlanTables *tables; /* a plan */
    Slot *slot;
    unsigned slot_count;
    Pinned *pinned;
};

/* memory.c */
int opencl_layout(VqxEngine *engine, VqxError *error); /* sizes, slot_count */
int opencl_plan_tables(VqxEngine *engine, VqxError *error);
int opencl_slot_memory(VqxEngine *engine, Slot *slot, VqxError *error);
void opencl_slot_free(VqxEngine *engine, Slot *slot);
void opencl_memory_free(VqxEngine *engine);
void *opencl_pinned_alloc(VqxEngine *engine, size_t bytes, VqxError *error);
void opencl_pinned_free(VqxEngine *engine, void *memory);

/* launches.c: builds the slot's launches. */
int opencl_slot_launches(VqxEngine *engine, Slot *slot, VqxError *error);

/* submit.c */
int opencl_submit(VqxEngine *engine, VqxJob *job, VqxError *error);
int opencl_wait(VqxEngine *engine, VqxJob *job, VqxError *error);
void opencl_drain(VqxEngine *engine);

/* peaks.c */
int opencl_measure_peaks(VqxEngine *engine, VqxPeaks *peaks, VqxError *error);

/* stages.c */
int opencl_stage(VqxEngine *engine, int scale, int stage, float *out, VqxError *error);

#endif
