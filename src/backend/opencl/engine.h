/* The engine's insides, shared by memory.c, submit.c and opencl.c. */
#ifndef VQX_BACKEND_OPENCL_ENGINE_H
#define VQX_BACKEND_OPENCL_ENGINE_H

#include "backend/backend.h"
#include "backend/opencl/devices.h"
#include "backend/opencl/kernels.h"
#include "kernels/tiles/args.h"

/* Where a plan's planes lie in a slot's buffers, and its tables on the device. */
typedef struct PlanMemory {
    int pitch[VIF_SCALES]; /* samples from a row to the next; [0] where scale 0 is an f32 plane */
    int terms_pitch[VIF_SCALES];
    uint64_t terms[VIF_SCALES]; /* first term of a scale in the terms buffer */
    size_t first_sum;           /* of the plan's row sums in the slot's */
    cl_mem tap[VIF_SCALES];
    cl_mem row_sums;            /* VifRowSumArgs of the scales from first_scale on */
    cl_mem index[2], weight[2]; /* of the x and y axis, where scale 0 is made */
} PlanMemory;

/* One kernel launch with its arguments set. */
typedef struct Launch {
    cl_kernel kernel;
    size_t global[3], group;
} Launch;

/* A frame in flight: a queue of its own, memory, and the launches that compute it. */
typedef struct Slot {
    cl_command_queue queue;
    cl_mem samples;           /* both images as submitted */
    cl_mem plane[VIF_SCALES]; /* both images of a scale, f32; [0] where made by prescale */
    cl_mem terms, sums;
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
    OpenclForm form;
    VqxEngineParams params;

    int mixed;              /* one image has 8 bits and the other more: both are made f32 first */
    int sample_bits[2];     /* 8 or 16 */
    size_t sample_pitch[2]; /* samples */
    size_t image_bytes;     /* from the reference's samples to the distorted's */

    PlanMemory *plan;
    size_t bytes[3 + VIF_SCALES]; /* of a slot's buffers: samples, terms, sums, planes */
    Slot *slot;
    unsigned slot_count;
    Pinned *pinned;
};

/* memory.c */
int opencl_layout(VqxEngine *engine, VqxError *error); /* sizes, slot_count */
int opencl_plan_tables(VqxEngine *engine, VqxError *error);
int opencl_slot_memory(VqxEngine *engine, Slot *slot, VqxError *error);
void opencl_memory_free(VqxEngine *engine);
void *opencl_pinned_alloc(VqxEngine *engine, size_t bytes, VqxError *error);
void opencl_pinned_free(VqxEngine *engine, void *memory);

/* launches.c: builds the slot's launches. */
int opencl_slot_launches(VqxEngine *engine, Slot *slot, VqxError *error);

/* submit.c */
int opencl_submit(VqxEngine *engine, VqxJob *job, VqxError *error);
int opencl_wait(VqxEngine *engine, VqxJob *job, VqxError *error);
void opencl_drain(VqxEngine *engine);

/* Whether scale 0's plane is made on the device, by prescaling or by converting alone. */
static inline int opencl_makes_plane(const VqxEngine *engine, const VifPlan *plan)
{
    return plan->prescaled || engine->mixed;
}

#endif
