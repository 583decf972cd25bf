/* The engine's insides, shared by memory.m, submit.m and metal.m. */
#ifndef VQX_BACKEND_METAL_ENGINE_H
#define VQX_BACKEND_METAL_ENGINE_H

#include "backend/backend.h"
#include "backend/metal/devices.h"
#include "backend/metal/kernels.h"
#include "backend/tiles/launches.h"

/* A plan's tables and kernels. */
typedef struct PlanMemory {
    __strong id<MTLBuffer> table[TILES_BUFFERS - TILES_FRAME_BUFFERS];
    __strong id<MTLComputePipelineState> pipeline[TILES_MAX_LAUNCHES]; /* of each launch */
} PlanMemory;

/* A frame in flight. */
typedef struct Slot {
    __strong id<MTLBuffer> buffer[TILES_FRAME_BUFFERS];
    __strong id<MTLCommandBuffer> commands;
    VqxJob *job; /* NULL: free */
} Slot;

/* Host memory that is a buffer of the device too: frames in it are not copied. */
typedef struct Shared {
    char *memory;
    size_t bytes;
    __strong id<MTLBuffer> buffer;
    struct Shared *next;
} Shared;

struct VqxEngine {
    MetalDevice *device;
    TilesForm form;
    VqxEngineParams params;
    TilesLayout layout;
    PlanMemory *plan;
    Slot *slot;
    unsigned slot_count;
    Shared *shared;
};

/* memory.m */
int metal_layout(VqxEngine *engine, VqxError *error); /* sizes, slot_count */
int metal_plan_memory(VqxEngine *engine, VqxError *error);
int metal_slot_memory(VqxEngine *engine, Slot *slot, VqxError *error);
void metal_memory_free(VqxEngine *engine);
void *metal_shared_alloc(VqxEngine *engine, size_t bytes, VqxError *error);
void metal_shared_free(VqxEngine *engine, void *memory);

/* submit.m */
int metal_submit(VqxEngine *engine, VqxJob *job, VqxError *error);
int metal_wait(VqxEngine *engine, VqxJob *job, VqxError *error);
void metal_drain(VqxEngine *engine);
int metal_stage(VqxEngine *engine, int scale, int stage, float *out, VqxError *error);

#endif
