/*
 * VifPlan: everything that the options and the frame size decide, computed once on the host. No
 * kernel and no SIMD file holds a tap or a constant of its own.
 */
#ifndef VQX_VIF_PLAN_H
#define VQX_VIF_PLAN_H

#include "arith/dialect_c.h"

#include "arith/constants.h"
#include "vqx.h"

#include <stddef.h>

enum {
    VIF_SCALES = 4,
    VIF_MAX_TAPS =
        65, /* scale 0 at the largest kernel scale (360/97, the odd number over 17 * 3.712) */
    VIF_MAX_DIMENSION = 65535
};

typedef struct VifScale {
    int width, height;       /* samples of the plane this scale's statistic runs over */
    int taps, radius;        /* odd; taps = 2 * radius + 1 */
    float tap[VIF_MAX_TAPS]; /* bit-symmetric: tap[i] == tap[taps - 1 - i] */
    size_t first_row;        /* of this scale in a frame's row sums */
} VifScale;

/* One axis of the prescale: output i is made of `taps` samples at index[i * taps + k] with weight[i
 * * taps + k]. */
typedef struct VifAxis {
    int size; /* outputs */
    int taps; /* 1 nearest, 2 bilinear, 4 bicubic, 9 lanczos4 */
    int32_t *index;
    float *weight; /* NULL for nearest */
} VifAxis;

typedef struct VifPlan {
    VqxVifOptions options;
    int width, height; /* of the frame submitted; scale[0] has the size after prescaling */
    int prescaled;     /* 0: the size does not change and x, y are empty */
    int normalized;    /* 1 for lanczos4: divide by the sum of the weights */
    VifAxis x, y;
    VifScale scale[VIF_SCALES];
    int first_scale; /* whose statistic runs: 1 with vif_skip_scale0 */
    size_t rows;     /* of all scales, skipped or not: a frame's row sums are 2 * rows floats */
    VifConstants constants;
    double nsq; /* never -0 */
} VifPlan;

/*
 * A frame's row sums: for scale s and row y the numerator is sums[2 * (scale[s].first_row + y)] and
 * the denominator follows it. Rows of a skipped scale are left alone.
 */

/* Checks the options and makes the plan for frames of width x height. 0, or VQX_ERROR_OPTION,
 * VQX_ERROR_SIZE, VQX_ERROR_MEMORY. */
int vif_plan_init(VifPlan *plan, const VqxVifOptions *options, int width, int height,
                  VqxError *error);
void vif_plan_free(VifPlan *plan);

/* The taps of scale s (its width returned, VIF_MAX_TAPS at most). */
int vif_taps(float *tap, double kernelscale, int scale);

/* The least width and height the options can score, after and before the prescale. */
int vif_least_plane(const VqxVifOptions *options);
int vif_least_frame(const VqxVifOptions *options);

#endif
