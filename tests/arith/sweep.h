/*
 * Sweeps of many operands: numbered ones, split over threads, each derived from the seed and its
 * number alone, so that a failure can be repeated with any thread count.
 */
#ifndef VQX_TESTS_ARITH_SWEEP_H
#define VQX_TESTS_ARITH_SWEEP_H

#include <stdint.h>

typedef struct SweepTally {
    uint64_t operands;
    uint64_t replays;
    uint64_t wrong;
    char first[256]; /* the first wrong one, in words */
} SweepTally;

/* Checks operands first..end-1 and adds to *tally. */
typedef void SweepFn(const void *context, uint64_t first, uint64_t end, SweepTally *tally);

SweepTally sweep_run(SweepFn *check, const void *context, uint64_t count, int threads);

/* Adds one tally to another. */
void sweep_add(SweepTally *total, const SweepTally *part);

/* Prints one line; returns 0 when nothing was wrong. */
int sweep_report(const char *what, const SweepTally *tally);

/* Adds a wrong operand; the text is kept when it is the first. */
__attribute__((format(printf, 2, 3))) void sweep_wrong(SweepTally *tally, const char *format, ...);

/* Options common to the programs: --operands N (10M, 2e9 understood), --seed N, --threads N. */
typedef struct SweepOptions {
    uint64_t operands, seed;
    int threads;
} SweepOptions;

void sweep_options(SweepOptions *options, int argc, char **argv);

/* The n-th number of a seed (splitmix64). */
#ifndef SWEEP_FN
#define SWEEP_FN static inline
#endif
SWEEP_FN uint64_t sweep_random(uint64_t seed, uint64_t n)
{
    uint64_t z = seed + (n + 1) * 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

#endif
