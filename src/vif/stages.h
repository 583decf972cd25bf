/*
 * The stages of a scale, in the order in which one follows from another: what a backend can keep of
 * a frame so that a difference is found where it begins (VqxBackend.stage, `vqx parity --stages`).
 */
#ifndef VQX_VIF_STAGES_H
#define VQX_VIF_STAGES_H

typedef enum VifStage {
    VIF_STAGE_REF, /* what the scale's filters read: converted, prescaled or decimated samples */
    VIF_STAGE_DIS,
    VIF_STAGE_MU1, /* filtered */
    VIF_STAGE_MU2,
    VIF_STAGE_XX,
    VIF_STAGE_YY,
    VIF_STAGE_XY,
    VIF_STAGE_NUM, /* the terms of the row sums */
    VIF_STAGE_DEN,
    VIF_STAGES
} VifStage;

/* Where a scale's stages are kept, each width * height floats without padding; NULL: not kept. */
typedef struct VifKept {
    float *stage[VIF_STAGES];
} VifKept;

#endif
