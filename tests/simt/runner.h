/*
 * Runs blocks of threads on the host, one block at a time, a thread a fiber.
 *
 * A thread runs until it meets a barrier; in which order, a seed decides, anew at every barrier, so that code that lacks
 * one computes something else. A barrier that some thread of its group never reaches ends the program with a message.
 * Dynamic shared memory holds NaNs when a block starts, static shared memory what the last block left.
 */
#ifndef VQX_TESTS_SIMT_RUNNER_H
#define VQX_TESTS_SIMT_RUNNER_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct SimtIndex {
    unsigned x, y, z;
} SimtIndex;

extern SimtIndex threadIdx, blockIdx; /* of the fiber that runs */

/* Waits for the thread's group of `threads` neighbours; 0: for the block. */
void simt_barrier(unsigned threads);

/* Runs body(argument) as each thread of each block. `shared`: bytes of dynamic shared memory. */
void simt_launch(void (*body)(void *), void *argument, const unsigned grid[3], unsigned threads,
                 unsigned shared);

/* Memory of exactly these bytes (rounded up to 16) with an inaccessible page next to it: behind it, or before it, as the
 * seed decides. Filled with NaNs. */
void *simt_alloc(size_t bytes);
int simt_free(void *memory); /* 0, or -1 for memory that is not simt_alloc's */
size_t simt_used(void);      /* bytes asked for and not freed */
__attribute__((visibility("default"))) size_t simt_most_used(void); /* their most so far */

#ifdef __cplusplus
}
#endif

#endif
