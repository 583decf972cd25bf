/* The context's insides, shared by the files of this folder. */
#ifndef VQX_CORE_CONTEXT_H
#define VQX_CORE_CONTEXT_H

#include "backend/backend.h"
#include "vif/scores.h"
#include "vqx.h"

/* A frame buffer with the job that computes it. Free, held by the caller, or in work. */
typedef struct Slot {
    VqxFrame frame; /* first: vqx_frame_submit gets its address back */
    VqxJob job;
    uint64_t index;
    void *memory; /* of both planes; NULL until first handed out */
    float **sums; /* per plan */
    enum { SLOT_FREE, SLOT_HELD, SLOT_IN_WORK } state;
    uint64_t order; /* of submission, to find the oldest */
} Slot;

/* What is kept of a frame besides its sums. */
typedef struct Record {
    uint64_t index;
    size_t sums; /* position of its first VifSums in VqxContext.sums, one per plan */
    int done;
} Record;

struct VqxContext {
    /* Settings, with what they point to owned here. */
    VqxVifOptions *options;
    size_t plan_count;
    char *backend_name, *device, *module_folder;
    unsigned threads, frames_in_flight;
    uint64_t cpumask;
    int form;
    VqxLog log;

    size_t output_count;
    char (*output_names)[VIF_NAME_SIZE];

    /* From configure on. */
    const VqxBackend *backend;
    int automatic; /* the backend was chosen by `auto` */
    int configured, finished;
    unsigned width, height, depth[2];
    VifPlan *plans;
    size_t plans_ready;
    VqxEngine *engine;
    VqxEngineInfo info;
    Slot *slots;
    unsigned slot_count, in_work;
    ptrdiff_t stride[2];
    size_t plane_offset; /* of the distorted plane in a slot's memory */
    uint64_t submitted;

    /* In ascending order of index; the sums in order of submission. */
    Record *records;
    size_t record_count, record_room;
    VifSums *sums;
    size_t sums_count, sums_room;
    VqxError failure; /* the first; status 0: none */
};

/* results.c: the frames' records. */
int vqx_record_add(VqxContext *ctx, uint64_t index, VqxError *error);
Record *vqx_record_find(const VqxContext *ctx, uint64_t index);
void vqx_record_remove(VqxContext *ctx, uint64_t index);

/* frames.c: allocates the slots of a configured context; frees them. */
int vqx_slots_init(VqxContext *ctx, VqxError *error);
void vqx_slots_free(VqxContext *ctx);

/* frames.c: waits for the frame in work in that slot and stores its sums; waits for all of them
 * (the first failure is returned). */
int vqx_collect(VqxContext *ctx, Slot *slot, VqxError *error);
int vqx_collect_all(VqxContext *ctx, VqxError *error);

#endif
