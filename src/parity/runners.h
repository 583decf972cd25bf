/*
 * Runners: every way this machine has to compute the metric (each backend's devices, each instruction set of the CPU, each
 * form of the arithmetic), driven side by side through the public API and compared bit by bit with the first of them, the
 * CPU's plain C.
 */
#ifndef VQX_PARITY_RUNNERS_H
#define VQX_PARITY_RUNNERS_H

#include "backend/backend.h"
#include "vqx.h"

/* Where two results part. `ulp` counts the doubles between the two; UINT64_MAX where one is not a number. */
typedef struct ParityDifference {
    char where[80]; /* the case: a clip of the self-test, or empty */
    uint64_t frame;
    char output[160];
    double expected, got;
    uint64_t ulp;
} ParityDifference;

/* The first stage that differs (stages.h); no name: none. */
typedef struct ParityStage {
    char where[80], name[32];
    uint64_t frame;
    int scale, x, y;
    int has_x;              /* 0: a row's sum */
    uint32_t expected, got; /* patterns */
} ParityStage;

typedef struct ParityRunner {
    /* What it is. */
    const VqxBackend *vtable;
    char backend[16], device[64];
    uint64_t cpumask;
    int form;         /* VqxForm */
    char absent[256]; /* why the device has no such form; empty: it has */
    /* What it turned out to use, known after the first frames. */
    char name[128], driver[128], detail[256];
    /* What was seen. */
    uint64_t frames, values, differing;
    ParityDifference first;
    uint64_t largest_ulp;
    uint64_t stages, stages_left_out; /* compared; had by the reference and not by the backend */
    ParityStage stage;
    char error[512]; /* why it could not run; empty: it ran */

    VqxContext *ctx; /* of the case at hand */
} ParityRunner;

typedef struct ParityRunners {
    ParityRunner *runner; /* runner[0] is the reference */
    size_t count, room;
    uint64_t digest; /* of the reference's values in the case that ended last */
    uint64_t wrong;  /* cases in which the reference's values are not those known */
    char wrong_where[80],
        wrong_stage[48]; /* the first of them, and (with stages) where it begins */
} ParityRunners;

/*
 * Lists the runners of the backends named ("cpu,opencl"; NULL or "all": whatever is found). `device` restricts the
 * devices of backends other than the CPU to one ("0+soft-division" is device 0 in that setting). A named backend without
 * a device is VQX_ERROR_BACKEND. A backend that does not declare itself exact fails here, for good. 0 or a status.
 */
int parity_list(ParityRunners *runners, const char *backends, const char *device,
                const char *module_folder, VqxError *error);
void parity_free(ParityRunners *runners);

/* A case: opens a context for every runner, */
int parity_begin(ParityRunners *runners, const VqxVifOptions *options, size_t option_count,
                 const char *module_folder, VqxError *error);
/* submits a pair of planes to each of them, */
void parity_submit(ParityRunners *runners, const VqxPlane *ref, const VqxPlane *dis,
                   uint64_t index);
/* and compares every value of every frame with the reference's, then closes. `where` names the case. */
void parity_end(ParityRunners *runners, const char *where);

/* Every runner ran, no value differed, and there were two at least. */
int parity_holds(const ParityRunners *runners);

#endif
