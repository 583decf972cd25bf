/* The OpenCL backend's insides, for the stage test. */
#include "tiles/stages.h"

#include "backend/opencl/engine.h"

const int stages_has_native = 1;

const TilesLayout *stages_layout(const VqxEngine *engine)
{
    return &engine->layout;
}

int stages_read(VqxEngine *engine, int which, size_t first, float *values, size_t count)
{
    const Slot *slot = &engine->slot[0];
    return engine->cl->EnqueueReadBuffer(slot->queue, slot->buffer[which], CL_TRUE,
                                         first * sizeof(float), count * sizeof(float), values, 0,
                                         NULL, NULL)
               ? -1
               : 0;
}
