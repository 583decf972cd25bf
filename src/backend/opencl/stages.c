/* VqxBackend.stage: reads back what the one slot's kernels left. */
#include "backend/tiles/stages.h"
#include "backend/opencl/engine.h"

#include "util/error.h"

#include <stdlib.h>

int opencl_stage(VqxEngine *engine, int scale, int stage, float *out, VqxError *error)
{
    const TilesStage from = tiles_stage(&engine->layout, scale, stage);
    const Slot *slot = &engine->slot[0];
    if (from.buffer < 0)
        return 0;
    float *floats = malloc(from.count * sizeof *floats);
    if (!floats)
        return vqx_fail(error, VQX_ERROR_MEMORY, "out of memory for a stage");
    const cl_int code = engine->cl->EnqueueReadBuffer(
        slot->queue, slot->buffer[from.buffer], CL_TRUE, from.first * sizeof *floats,
        from.count * sizeof *floats, floats, 0, NULL, NULL);
    if (!code)
        tiles_stage_gather(out, &engine->layout, scale, &from, floats);
    free(floats);
    return code ? vqx_fail(error, VQX_ERROR_BACKEND, "%s fails to give a stage back: %s",
                           engine->device->name, opencl_error_name(code))
                : 1;
}
