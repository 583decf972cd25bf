/*
 * What the host hands the tile kernels besides buffers: plain structs of numbers of known width,
 * the same in every language (8-byte members first, no padding inside).
 */
#ifndef VQX_KERNELS_TILES_ARGS_H
#define VQX_KERNELS_TILES_ARGS_H

/* The tile's shape. VIF_GROUP work-items compute VIF_ROWS rows; see scale.h and decimate.h. */
#define VIF_GROUP 128
#define VIF_ROWS 8
#define VIF_ROW_GROUP 32 /* work-items of a group that sums rows */

/* Tile columns that a group of the scale kernel and of the decimation produce, filtering with
 * `radius`. Each work-item of the scale kernel takes a run of adjacent columns in one row. */
#define VIF_SCALE_RUN(radius) ((VIF_GROUP - 2 * (radius)) * VIF_ROWS / VIF_GROUP)
#define VIF_SCALE_COLUMNS(run) ((run) * (VIF_GROUP / VIF_ROWS))
#define VIF_MAX_RADIUS 32
#define VIF_DECIMATE_COLUMNS(radius) ((VIF_GROUP - 2 * (radius)) / 2)

/* Floats of local memory. 4 more than the work-items to a row of the scale kernel's tile: eight
 * rows then start in different memory banks. */
#define VIF_QUANTITIES 5                /* ref, dis, ref * ref, dis * dis, ref * dis */
#define VIF_DUMPED (2 + VIF_QUANTITIES) /* planes that the scale kernel keeps; see dump.h */
#define VIF_TILE_PITCH (VIF_GROUP + 4)
#define VIF_TILE_QUANTITY (VIF_ROWS * VIF_TILE_PITCH)
#define VIF_SCALE_TILE (VIF_QUANTITIES * VIF_TILE_QUANTITY)
#define VIF_DECIMATE_PITCH (VIF_GROUP + 1)
#define VIF_DECIMATE_TILE (VIF_ROWS * VIF_DECIMATE_PITCH)

/* Prescale, or a conversion to f32 alone (nearest with an axis of 0, 1, 2, ...): one image. */
typedef struct VifPrescaleArgs {
    vqx_u64 in, out;  /* first samples of the image read and written, in their buffers */
    vqx_i32 in_pitch; /* samples from a row to the next */
    vqx_i32 width, out_pitch;
    vqx_i32 taps;       /* on each axis: 1, 2, 4 or 9 */
    vqx_i32 weighted;   /* 0: nearest, the sample as it is */
    vqx_i32 normalized; /* 1: divide by the sum of the weights */
    vqx_f32 unit;       /* 1 / 2^(depth - 8) */
    vqx_i32 unused;
} VifPrescaleArgs;

/* Decimation of both images: images are the z of the group. */
typedef struct VifDecimateArgs {
    vqx_u64 image, out_image; /* samples from an image's plane to the other's */
    vqx_i32 width, height, pitch;
    vqx_i32 out_width, out_height, out_pitch;
    vqx_i32 radius; /* of the filter, for a kernel not made for one */
    vqx_i32 unused;
    vqx_f32 unit[2];
} VifDecimateArgs;

/*
 * The statistic of a scale. Its terms are written as two planes, num then den, each transposed: the
 * term of column x, row y stands at terms + x * terms_pitch + y, so that work-items that sum
 * neighbouring rows read neighbouring values. terms_pitch is a multiple of VIF_ROWS.
 */
typedef struct VifScaleArgs {
    vqx_u64 image;
    vqx_u64 terms;    /* the first in the buffer */
    vqx_u64 nsq_bits; /* nsq as f64, for the native form */
    vqx_i32 width, height, pitch;
    vqx_i32 terms_pitch;
    vqx_i32 radius; /* as in VifDecimateArgs */
    vqx_i32 unused;
    vqx_f32 unit[2];
} VifScaleArgs;

/* One scale's part of the row sums; an array of them lies in constant memory. */
typedef struct VifRowSumArgs {
    vqx_u64 terms;
    vqx_u64 sums; /* of its first row in the buffer: row y's num at sums + 2 * y, den after it */
    vqx_i32 width, height, terms_pitch;
    vqx_i32 unused;
} VifRowSumArgs;

#endif
