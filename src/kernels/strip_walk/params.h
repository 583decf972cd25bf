/*
 * What the host hands to the strip-walking kernels: plain structs, the same on host and device.
 *
 * Include after a dialect. Structs travel by value as kernel parameters (4 KiB in all).
 */
#ifndef VQX_KERNELS_STRIP_WALK_PARAMS_H
#define VQX_KERNELS_STRIP_WALK_PARAMS_H

#include "arith/constants.h"
#include "arith/ranged.h"

/* The parts that the kernels are compiled in (kernels.h). */
#define STRIP_PART_NATIVE 1
#define STRIP_PART_PAIR 2
#define STRIP_PART_PLANES 3
#define STRIP_PART_ANY 4
#define STRIP_PART_KEPT 5
#define STRIP_PARTS 5

enum {
    STRIP_BATCH = 32,        /* frames of one launch */
    STRIP_TAPS = 65,         /* as VIF_MAX_TAPS */
    STRIP_MAX_RADIUS = 32,   /* the any-radius kernels' limit */
    STRIP_KEPT = 7,          /* planes that the keeping kernels fill */
    STRIP_KEPT_MARGIN = 64,  /* columns on each side of them that a walk may write, too */
    STRIP_THREADS = 160,     /* five warps, one a quantity: mu1, mu2, xx, yy, xy */
    STRIP_ROWS = 32,         /* of a strip, compile-time radius */
    STRIP_ROWS_LOW = 20,     /* of a low one: its chunks give each thread one group of four terms */
    STRIP_THREADS_ANY = 320, /* any radius: two warps a quantity */
    STRIP_ROWS_ANY = 16,     /* any radius */
    STRIP_COLUMNS = 32,      /* of a chunk, the step of the walk */
    STRIP_ALIGN = 16,        /* every row of a plane starts at a multiple of this */
    DECIMATE_COLUMNS = 124,  /* outputs of a block, compile-time radius */
    DECIMATE_ROWS = 16,
    DECIMATE_THREADS = 64,
    DECIMATE_COLUMNS_ANY = 32,
    DECIMATE_THREADS_ANY = 128,
    RESIZE_THREADS = 128,
    PEAK_THREADS = 256,
    PEAK_CHAINS = 16,
    PEAK_OPERATIONS = 2 * PEAK_CHAINS, /* of a thread in a round */
};

/* The same plane of both images for every frame of a launch. Strides are in bytes and may be
 * negative. */
typedef struct StripPlanes {
    void *data[2][STRIP_BATCH];
    long long stride[2][STRIP_BATCH];
} StripPlanes;

/* A sample becomes sample * factor + bias: exact in one fused operation (see samples.h). */
typedef struct StripConvert {
    vqx_f32 factor[2], bias[2];
} StripConvert;

typedef struct StripTaps {
    vqx_i32 radius;
    vqx_f32 tap[STRIP_TAPS];
} StripTaps;

/* The statistic of one scale. */
typedef struct StripWalk {
    vqx_i32 width, height;
    StripConvert convert;
    StripTaps taps;
    VifConstants constants;
    VifNoise noise;
    vqx_f32 *sums;        /* of the scale's first row in the first frame: num, den, num, den, ... */
    long long frame_sums; /* floats from a frame's sums to the next */
    /* One frame's, for the keeping kernels: row 0, column 0 of mu1; mu2, xx, yy, xy, num and den
     * follow. */
    vqx_f32 *kept;
    long long kept_pitch, kept_plane; /* floats */
} StripWalk;

/* Filter and keep samples (2x, 2y): width and height are the input's. */
typedef struct StripDecimate {
    vqx_i32 width, height;
    StripConvert convert;
    StripTaps taps;
} StripDecimate;

/* The prescale of one image, or with `taps` 0 the conversion to f32 alone. Tables as in VifAxis. */
typedef struct StripResize {
    vqx_i32 image;
    vqx_i32 width, height; /* of the output */
    StripConvert convert;
    vqx_i32 taps; /* of either axis */
    vqx_i32 normalized;
    const vqx_i32 *x_index, *y_index;
    const vqx_f32 *x_weight, *y_weight; /* NULL for nearest */
} StripResize;

#endif
