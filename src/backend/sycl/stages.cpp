/* VqxBackend.stage: reads back what the one slot's kernels left. */
#include "backend/sycl/engine.hpp"

int sycl_stage(VqxEngine *engine, int scale, int stage, float *out, VqxError *error) noexcept
{
    const TilesStage from = tiles_stage(&engine->layout, scale, stage);
    if (from.buffer < 0)
        return 0;
    return sycl_guard(error, engine->device->name.c_str(), "fails to give a stage back", [&] {
        SyclSlot &slot = engine->slots.front();
        std::vector<float> floats(from.count);
        slot.queue.queue.memcpy(floats.data(),
                                static_cast<const float *>(slot.buffer[from.buffer]) + from.first,
                                from.count * sizeof(float));
        slot.queue.finish();
        tiles_stage_gather(out, &engine->layout, scale, &from, floats.data());
        return 1;
    });
}
