/* The stages of a frame, kept for whoever looks for where a difference begins. */
#include "backend/cpu/cpu.h"

#include "util/error.h"

#include <stdlib.h>

/* The plane of scale s is in the frame's memory and needs no copy. */
static int has_plane(const VifPlan *plan, int s)
{
    return s > 0 || plan->prescaled;
}

static size_t samples(const VifScale *scale)
{
    return (size_t)scale->width * (size_t)scale->height;
}

int cpu_kept_init(VqxEngine *engine, VqxError *error)
{
    const VifPlan *plan = &engine->params.plans[0];
    engine->kept = calloc(VIF_SCALES, sizeof *engine->kept);
    if (!engine->kept)
        return vqx_fail(error, VQX_ERROR_MEMORY, "out of memory");
    for (int s = plan->first_scale; s < VIF_SCALES; s++) {
        for (int i = has_plane(plan, s) ? VIF_STAGE_MU1 : VIF_STAGE_REF; i < VIF_STAGES; i++) {
            engine->kept[s].stage[i] = malloc(samples(&plan->scale[s]) * sizeof(float));
            if (!engine->kept[s].stage[i])
                return vqx_fail(error, VQX_ERROR_MEMORY, "out of memory for the stages");
        }
    }
    return 0;
}

void cpu_kept_free(VqxEngine *engine)
{
    for (int s = 0; engine->kept && s < VIF_SCALES; s++)
        for (int i = 0; i < VIF_STAGES; i++)
            free(engine->kept[s].stage[i]);
    free(engine->kept);
}

/* One frame is in flight at a time, so its planes are the first. */
int cpu_kept_stage(VqxEngine *engine, int s, int stage, float *out, VqxError *error)
{
    const VifPlan *plan = &engine->params.plans[0];
    const VifScale *scale = &plan->scale[s];
    (void)error;
    if (stage <= VIF_STAGE_DIS && has_plane(plan, s)) {
        const char *plane = (const char *)engine->planes[0].scale[s][stage];
        for (int y = 0; y < scale->height; y++)
            memcpy(out + (size_t)y * (size_t)scale->width, plane + y * cpu_plane_stride(scale),
                   (size_t)scale->width * sizeof *out);
        return 1;
    }
    if (!engine->kept[s].stage[stage])
        return 0;
    memcpy(out, engine->kept[s].stage[stage], samples(scale) * sizeof *out);
    return 1;
}
