/* Where the tile kernels' stages lie, for VqxBackend.stage. */
#ifndef VQX_BACKEND_TILES_STAGES_H
#define VQX_BACKEND_TILES_STAGES_H

#include "backend/tiles/layout.h"
#include "vif/stages.h"

/* Sample (x, y) of a stage is the float first + x * across + y * down of a frame's buffer. */
typedef struct TilesStage {
    int buffer;          /* TILES_PLANES and so on; -1: the stage was not made */
    size_t first, count; /* the floats of the buffer that hold it */
    size_t across, down;
} TilesStage;

/* A stage of scale s of the layout's first plan, kept by an engine opened with keep_stages. */
TilesStage tiles_stage(const TilesLayout *layout, int s, int stage);

/* Writes scale s's samples, without padding, from the stage's floats. */
void tiles_stage_gather(float *out, const TilesLayout *layout, int s, const TilesStage *stage,
                        const float *floats);

#endif
