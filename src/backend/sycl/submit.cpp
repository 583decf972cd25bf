/* A frame's way through the device: samples in, the launches, row sums out. */
#include "backend/sycl/engine.hpp"

#include <stdexcept>

SyclQueue::SyclQueue(const sycl::device &device)
    : faults(std::make_shared<Faults>()),
      queue(device,
            [faults = faults](sycl::exception_list list) {
                const std::lock_guard<std::mutex> lock(faults->mutex);
                for (const std::exception_ptr &e : list)
                    faults->first = faults->first ? faults->first : e;
            },
            {sycl::property::queue::in_order{}})
{
}

void SyclQueue::finish()
{
    queue.wait_and_throw();
    const std::lock_guard<std::mutex> lock(faults->mutex);
    if (const std::exception_ptr first = std::exchange(faults->first, nullptr))
        std::rethrow_exception(first);
}

/* Rows go as they lie where the strides agree, else through the slot's staging memory. */
static void write_samples(const VqxEngine &engine, SyclSlot &slot, const VqxPlane &plane, int image)
{
    const TilesLayout &layout = engine.layout;
    const std::size_t bytes = static_cast<std::size_t>(layout.sample_bits[image]) / 8;
    const std::size_t pitch = layout.sample_pitch[image] * bytes;
    const std::size_t offset = image ? layout.image_bytes : 0;
    const void *from = plane.data;
    if (plane.stride != static_cast<std::ptrdiff_t>(pitch)) {
        tiles_copy_plane(&layout, image, &plane, slot.staging + offset);
        from = slot.staging + offset;
    }
    slot.queue.queue.memcpy(static_cast<char *>(slot.buffer[TILES_SAMPLES]) + offset, from,
                            pitch * (plane.height - 1) + plane.width * bytes);
}

/* The rows of scales that were computed. */
static void read_sums(VqxEngine &engine, SyclSlot &slot, const VqxJob &job)
{
    const float *from = static_cast<const float *>(slot.buffer[TILES_SUMS]);
    for (std::size_t p = 0; p < engine.params.plan_count; p++) {
        const TilesSums sums = tiles_sums(&engine.layout, p);
        slot.queue.queue.memcpy(job.sums[p] + sums.skipped, from + sums.first,
                                sums.count * sizeof(float));
    }
}

static int enqueue(VqxEngine &engine, SyclSlot &slot, const VqxJob &job)
{
    for (int i = 0; i < 2; i++)
        write_samples(engine, slot, job.plane[i], i);
    for (const SyclLaunch &launch : engine.launches)
        sycl_launch(engine, slot, launch);
    read_sums(engine, slot, job);
    return 0;
}

static int finish(SyclSlot &slot)
{
    slot.job = nullptr;
    slot.queue.finish();
    return 0;
}

static SyclSlot *free_slot(VqxEngine &engine)
{
    for (SyclSlot &slot : engine.slots)
        if (!slot.job)
            return &slot;
    return nullptr;
}

int sycl_submit(VqxEngine *engine, VqxJob *job, VqxError *error) noexcept
{
    if (job->plane[0].memory != VQX_MEMORY_HOST || job->plane[1].memory != VQX_MEMORY_HOST)
        return vqx_fail(error, VQX_ERROR_ARGUMENT, "the SYCL backend takes planes in host memory");
    SyclSlot *slot = free_slot(*engine);
    if (!slot)
        return vqx_fail(error, VQX_ERROR_ARGUMENT, "%u frames are in flight already",
                        engine->slot_count);
    slot->job = job;
    job->backend_data = slot;
    const int status = sycl_guard(error, engine->device->name.c_str(), "fails to start a frame",
                                  [&] { return enqueue(*engine, *slot, *job); });
    if (status) /* nothing may write to the job's memory later */
        sycl_guard(nullptr, "", "", [slot] { return finish(*slot); });
    return status;
}

int sycl_wait(VqxEngine *engine, VqxJob *job, VqxError *error) noexcept
{
    return sycl_guard(error, engine->device->name.c_str(), "fails in a frame",
                      [job] { return finish(*static_cast<SyclSlot *>(job->backend_data)); });
}

void sycl_drain(VqxEngine &engine) noexcept
{
    for (SyclSlot &slot : engine.slots)
        sycl_guard(nullptr, "", "", [&slot] { return finish(slot); });
}
