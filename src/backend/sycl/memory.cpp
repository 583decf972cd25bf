/* A frame's memory on the device, the plans' tables, and pinned host memory. */
#include "backend/sycl/engine.hpp"

static const unsigned cpu_frames = 2, gpu_frames = 4;

int sycl_layout(VqxEngine &engine, VqxError *error)
{
    const SyclDevice &device = *engine.device;
    const TilesDeviceMemory memory = {device.name.c_str(), device.memory, device.largest_buffer};
    const int status = tiles_layout_init(&engine.layout, &engine.params, error);
    return status ? status
                  : tiles_frames_in_flight(&engine.layout, memory,
                                           device.is_cpu ? cpu_frames : gpu_frames,
                                           &engine.slot_count, error);
}

static int fail_memory(const VqxEngine &engine, std::size_t bytes, VqxError *error)
{
    return vqx_fail(error, VQX_ERROR_BACKEND, "%zu KiB cannot be allocated on %s",
                    (bytes + 1023) >> 10, engine.device->name.c_str());
}

int sycl_plan_tables(VqxEngine &engine, VqxError *error)
{
    SyclQueue &queue = engine.slots.front().queue;
    engine.tables.resize(engine.params.plan_count);
    for (std::size_t p = 0; p < engine.params.plan_count; p++) {
        for (int i = TILES_FRAME_BUFFERS; i < TILES_BUFFERS; i++) {
            const TilesTable table = tiles_table(&engine.layout, p, i);
            void *&buffer = engine.tables[p].buffer[i - TILES_FRAME_BUFFERS];
            if (!table.bytes)
                continue;
            buffer = sycl::malloc_device(table.bytes, queue.queue);
            if (!buffer)
                return fail_memory(engine, table.bytes, error);
            queue.queue.memcpy(buffer, table.data, table.bytes);
        }
    }
    queue.finish();
    return 0;
}

static int slot_memory(VqxEngine &engine, SyclSlot &slot, VqxError *error)
{
    for (int i = 0; i < TILES_FRAME_BUFFERS; i++) {
        if (!engine.layout.bytes[i])
            continue;
        slot.buffer[i] = sycl::malloc_device(engine.layout.bytes[i], slot.queue.queue);
        if (!slot.buffer[i])
            return fail_memory(engine, engine.layout.total, error);
    }
    slot.staging = sycl::malloc_host<char>(engine.layout.bytes[TILES_SAMPLES], slot.queue.queue);
    return slot.staging ? 0 : fail_memory(engine, engine.layout.bytes[TILES_SAMPLES], error);
}

int sycl_slots(VqxEngine &engine, VqxError *error)
{
    int status = 0;
    engine.slots.reserve(engine.slot_count);
    for (unsigned i = 0; !status && i < engine.slot_count; i++) {
        engine.slots.push_back({SyclQueue(engine.device->device), {}, nullptr, nullptr});
        status = slot_memory(engine, engine.slots.back(), error);
    }
    return status;
}

static void release(VqxEngine &engine, void *memory)
{
    if (memory)
        sycl::free(memory, engine.slots.front().queue.queue);
}

void sycl_memory_free(VqxEngine &engine)
{
    for (SyclSlot &slot : engine.slots) {
        for (void *buffer : slot.buffer)
            release(engine, buffer);
        release(engine, slot.staging);
    }
    for (SyclTables &tables : engine.tables)
        for (void *buffer : tables.buffer)
            release(engine, buffer);
    tiles_layout_free(&engine.layout);
}

void *sycl_pinned_alloc(VqxEngine *engine, std::size_t bytes, VqxError *error) noexcept
{
    void *memory = nullptr;
    sycl_guard(error, engine->device->name.c_str(), "gives no pinned memory", [&] {
        memory = sycl::malloc_host(bytes, engine->slots.front().queue.queue);
        return memory ? 0
                      : vqx_fail(error, VQX_ERROR_MEMORY, "%zu KiB of pinned memory cannot be had",
                                 (bytes + 1023) >> 10);
    });
    return memory;
}

void sycl_pinned_free(VqxEngine *engine, void *memory) noexcept
{
    sycl_guard(nullptr, "", "", [&] {
        release(*engine, memory);
        return 0;
    });
}
