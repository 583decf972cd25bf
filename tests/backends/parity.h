/* A backend and the CPU's plain C on the same frames, compared row sum by row sum. */
#ifndef VQX_TESTS_BACKENDS_PARITY_H
#define VQX_TESTS_BACKENDS_PARITY_H

#include "backend/backend.h"

enum { PARITY_MAX_PLANS = 8 };

typedef struct ParityTally {
    int cases, failed;
    uint64_t frames, rows; /* compared */
    double seconds;
} ParityTally;

typedef struct ParityTest {
    const char *backend, *device, *modules;
    int form; /* VqxForm; 0: both */
    uint64_t seed, cpumask;
    int frames; /* of the long group; 0: its own choice */
    const VqxBackend *tested;
    VqxEngine *held; /* keeps the device awake from case to case */
    ParityTally tally;
} ParityTest;

typedef struct ParityCase {
    int width, height, depth[2];
    const char *options[PARITY_MAX_PLANS];
    size_t option_count;
    const char *content, *distortion; /* patterns of parity/clip.h */
    int frames;
    uint64_t seed;
    int padding;        /* bytes from a row's end to the next, at least */
    int bottom_up;      /* negative strides */
    int pageable;       /* planes in plain memory though the backend has faster */
    int on_device;      /* planes in device memory */
    unsigned in_flight; /* 0: the backend's choice */
    int newest_first;   /* wait in the reverse order */
} ParityCase;

/* Finds the backend; prints the reason and returns 77 where it has no device, 2 for no such one. */
int parity_begin(ParityTest *test);

/* Runs a case in the test's forms; says what differs first. */
void parity_run(ParityTest *test, const ParityCase *c);

void parity_end(ParityTest *test);

/* One line of counts. */
void parity_report(const ParityTest *test, const char *group);

#endif
