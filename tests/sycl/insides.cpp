/* The SYCL backend's insides, for the stage test. */
#include "backend/sycl/engine.hpp"

extern "C" {
#include "tiles/stages.h"

const int stages_has_native = 0;
}

const TilesLayout *stages_layout(const VqxEngine *engine)
{
    return &engine->layout;
}

int stages_read(VqxEngine *engine, int which, std::size_t first, float *values, std::size_t count)
{
    SyclSlot &slot = engine->slots.front();
    return sycl_guard(nullptr, "", "", [&] {
        slot.queue.queue.memcpy(values, static_cast<const float *>(slot.buffer[which]) + first,
                                count * sizeof(float));
        slot.queue.finish();
        return 0;
    });
}
