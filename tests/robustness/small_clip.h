/*
 * A clip of three frames through the public interface: two submitted, one filled in place; two configurations. Short, and
 * yet every kind of call is made: what the tests of faults run again and again.
 */
#ifndef VQX_TESTS_SMALL_CLIP_H
#define VQX_TESTS_SMALL_CLIP_H

#include "vqx.h"

enum { SMALL_CLIP_FRAMES = 3, SMALL_CLIP_OUTPUTS = 2 * 15 };

typedef struct ClipScores {
    size_t count;
    double values[SMALL_CLIP_FRAMES][SMALL_CLIP_OUTPUTS];
    VqxPooled pooled;
} ClipScores;

/* The frames' size from here on, at most 128x128; 22x18 before. */
void small_clip_size(unsigned width, unsigned height);

/* Opens, scores and closes. */
int small_clip_run(const char *backend, const char *device, ClipScores *scores, VqxError *error);

/* Whether a run with a fault in it ended as it may: the scores expected, or a sentence with the status of memory or of the
 * backend. */
int small_clip_holds(int status, const VqxError *error, const ClipScores *expected,
                     const ClipScores *got);

#endif
