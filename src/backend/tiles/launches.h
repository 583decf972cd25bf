/* The kernel launches that compute a frame, as every backend of the tile kernels makes them. */
#ifndef VQX_BACKEND_TILES_LAUNCHES_H
#define VQX_BACKEND_TILES_LAUNCHES_H

#include "backend/tiles/layout.h"

/* What a kernel is compiled for. */
typedef struct TilesKernel {
    const char *name; /* "prescale", "decimate", "scale", "row_sums", "probe", "peak" */
    int sample_bits;  /* 8, 16, 32; 0 where the kernel reads no samples */
    int radius;       /* of the filter it is made for; 0: none or any */
    int dumps;        /* the scale kernel keeps its stages in TILES_DUMP, its last buffer */
} TilesKernel;

/* How the arithmetic is computed. */
typedef struct TilesForm {
    int native;        /* f64 instructions; else the fp64-free form */
    int soft_division; /* f32 division corrected in software */
} TilesForm;

/* The definitions that make it of the kernels' source: {"KERNEL_SCALE", 1}, {"VIF_RADIUS", 8}, ... */
enum { TILES_MAX_DEFINES = 6 };
typedef struct TilesDefine {
    char name[24];
    int value;
} TilesDefine;
int tiles_defines(TilesDefine *define, TilesKernel kernel, TilesForm form); /* how many */

enum {
    TILES_MAX_ARGUMENTS = 6,
    TILES_MAX_LAUNCHES = 2 + (VIF_SCALES - 1) + VIF_SCALES + 1 /* of a plan */
};

/* A launch. The kernel's arguments are, in this order: the buffers, args (where args_bytes is not
 * 0), the plan's constants (where asked for), local memory (likewise). */
typedef struct TilesLaunch {
    TilesKernel kernel;
    size_t plan;                     /* whose tables are meant */
    int buffer[TILES_MAX_ARGUMENTS]; /* TILES_SAMPLES and so on */
    int buffer_count;
    int takes_constants;
    union {
        VifPrescaleArgs prescale;
        VifDecimateArgs decimate;
        VifScaleArgs scale;
    } args;
    size_t args_bytes;
    size_t local_bytes;
    size_t group, groups[3]; /* work-items of a group along x; groups */
} TilesLaunch;

/* The filters that have kernels made for them: those of the default options and all up to radius
 * `all_to`; of samples of more than 8 bits, f32 ones (prescaled, of two depths) included, none beyond `wide_to`. */
typedef struct TilesMadeFor {
    int all_to, wide_to;
} TilesMadeFor;

/* The launches of plan p, TILES_MAX_LAUNCHES at most; how many. */
size_t tiles_launches(TilesLaunch *launch, const TilesLayout *layout, size_t p,
                      TilesMadeFor made_for);

#endif
