/*
 * What every backend of the tile kernels (OpenCL, SYCL, Metal) does alike on the host: where a frame's
 * planes lie in its buffers, the tables that a plan puts on the device, and the launches that
 * compute a frame. No device's functions are called here.
 */
#ifndef VQX_BACKEND_TILES_LAYOUT_H
#define VQX_BACKEND_TILES_LAYOUT_H

#include "backend/backend.h"
#include "kernels/tiles/args.h"

/* Buffers, by what they hold: a frame's own, then the tables of a plan. */
enum {
    TILES_SAMPLES, /* both images as submitted */
    TILES_TERMS,
    TILES_SUMS,
    TILES_PLANES, /* both images of a scale, f32; one buffer a scale from here, [0] where made */
    TILES_DUMP = TILES_PLANES + VIF_SCALES, /* with keep_stages: what the scale kernels keep */
    TILES_FRAME_BUFFERS,

    TILES_TAPS = TILES_FRAME_BUFFERS, /* one table a scale from here */
    TILES_ROW_SUMS = TILES_TAPS + VIF_SCALES,
    TILES_X_INDEX, /* the prescale's, where scale 0 is made; then y's */
    TILES_Y_INDEX,
    TILES_X_WEIGHT,
    TILES_Y_WEIGHT,
    TILES_BUFFERS
};

/* Where a plan's planes lie in a frame's buffers, and those of its tables that are not the plan's
 * own. */
typedef struct TilesPlan {
    int pitch[VIF_SCALES]; /* samples from a row to the next; [0] where scale 0 is an f32 plane */
    int terms_pitch[VIF_SCALES];
    uint64_t terms[VIF_SCALES];         /* first term of a scale in the terms buffer */
    size_t first_sum;                   /* of the plan's row sums in the frame's */
    VifRowSumArgs row_sums[VIF_SCALES]; /* of the scales from first_scale on */
} TilesPlan;

typedef struct TilesLayout {
    const VqxEngineParams *params;
    int mixed;              /* one image has 8 bits and the other more: both are made f32 first */
    int sample_bits[2];     /* 8 or 16 */
    size_t sample_pitch[2]; /* samples */
    size_t image_bytes;     /* from the reference's samples to the distorted's */
    size_t bytes[TILES_FRAME_BUFFERS];
    size_t total, largest; /* bytes of a frame's buffers */
    TilesPlan *plan;
    int32_t *identity; /* 0, 1, 2, ...: the index of an axis that only copies */
} TilesLayout;

/* `params` must outlive the layout. */
int tiles_layout_init(TilesLayout *layout, const VqxEngineParams *params, VqxError *error);
void tiles_layout_free(TilesLayout *layout);

/* What a device has for frames. */
typedef struct TilesDeviceMemory {
    const char *name;
    uint64_t memory, largest_buffer; /* bytes */
} TilesDeviceMemory;

/* How many frames are in flight: as many as params asks for, else `usual`, but no more than half the
 * memory holds. 0, or VQX_ERROR_BACKEND where not even one fits. */
int tiles_frames_in_flight(const TilesLayout *layout, TilesDeviceMemory device, unsigned usual,
                           unsigned *frames, VqxError *error);

/* An image's samples as submitted, laid out as the kernels read them. */
void tiles_copy_plane(const TilesLayout *layout, int image, const VqxPlane *plane, char *to);

/* A table of plan p (TILES_TAPS up to TILES_BUFFERS) as the device gets it; bytes 0: not used. */
typedef struct TilesTable {
    const void *data;
    size_t bytes;
} TilesTable;
TilesTable tiles_table(const TilesLayout *layout, size_t p, int which);

/* Whether scale 0's plane is made on the device, by prescaling or by converting alone. */
static inline int tiles_makes_plane(const TilesLayout *layout, const VifPlan *plan)
{
    return plan->prescaled || layout->mixed;
}

/* The plan's row sums in TILES_SUMS, as floats: those of scales that are computed. */
typedef struct TilesSums {
    size_t first, count;
    size_t skipped; /* floats of the job's sums before them */
} TilesSums;
TilesSums tiles_sums(const TilesLayout *layout, size_t p);

#endif
