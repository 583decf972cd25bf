/*
 * Runners: every way this machine has to compute the metric (each backend's devices, each instruction set of the CPU, each
 * form of the arithmetic), driven side by side through the public API and compared bit by bit with the first of them, the
 * CPU's plain C.
 */
#ifndef VQX_PARITY_RUNNERS_H
#define VQX_PARITY_RUNNERS_H

#include "vqx.h"

/* Where two results part. `ulp` counts the doubles between the two; UINT64_MAX where one is not a number. */
typedef struct ParityDifference {
    char where[80]; /* the case: a clip of the self-test, or empty */
    uint64_t frame;
    char output[160];
    double expected, got;
    uint64_t ulp;
} ParityDifference;

typedef struct ParityRunner {
    /* What it is. */
    char backend[16], device[16];
    uint64_t cpumask;
    int form; /* VqxForm */
    /* What it turned out to use, known after the first frames. */
    char name[128], driver[128], detail[256];
    /* What was seen. */
    uint64_t frames, values, differing;
    ParityDifference first;
    uint64_t largest_ulp;
    char error[512]; /* why it could not run; empty: it ran */

    VqxContext *ctx; /* of the case at hand */
} ParityRunner;

typedef struct ParityRunners {
    ParityRunner *runner; /* runner[0] is the reference */
    size_t count, room;
} ParityRunners;

/*
 * Lists the runners of the backends named ("cpu,opencl"; NULL or "all": whatever is found). `device` restricts the
 * devices of backends other than the CPU to one. A named backend without a device is VQX_ERROR_BACKEND. 0 or a status.
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
