/* Finds stages: planes read back from where the next kernel reads them, the rest from what the
 * scale kernel kept. */
#include "backend/tiles/stages.h"

TilesStage tiles_stage(const TilesLayout *layout, int s, int stage)
{
    const VifPlan *plan = &layout->params->plans[0];
    const VifScale *scale = &plan->scale[s];
    const TilesPlan *at = &layout->plan[0];
    const size_t width = (size_t)scale->width, pitch = (size_t)at->pitch[s],
                 terms_pitch = (size_t)at->terms_pitch[s], plane = width * terms_pitch;
    TilesStage r = {.buffer = -1, .count = plane, .across = terms_pitch, .down = 1};
    if (stage <= VIF_STAGE_DIS && (s > 0 || tiles_makes_plane(layout, plan))) {
        const size_t count = pitch * (size_t)scale->height;
        return (TilesStage){TILES_PLANES + s, (size_t)stage * count, count, 1, pitch};
    }
    if (s < plan->first_scale)
        return r;
    if (stage >= VIF_STAGE_NUM) {
        r.buffer = TILES_TERMS;
        r.first = at->terms[s] + (size_t)(stage - VIF_STAGE_NUM) * plane;
    } else {
        r.buffer = TILES_DUMP;
        r.first = at->terms[s] / 2 * VIF_DUMPED + (size_t)stage * plane;
    }
    return r;
}

void tiles_stage_gather(float *out, const TilesLayout *layout, int s, const TilesStage *stage,
                        const float *floats)
{
    const VifScale *scale = &layout->params->plans[0].scale[s];
    for (size_t y = 0; y < (size_t)scale->height; y++)
        for (size_t x = 0; x < (size_t)scale->width; x++)
            *out++ = floats[x * stage->across + y * stage->down];
}
