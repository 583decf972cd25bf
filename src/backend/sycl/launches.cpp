/* The kernel launches that compute a frame: found once, given their arguments for each frame. */
#include "backend/sycl/engine.hpp"

/* Kernels are made for the filters of the default options; but for 17 taps on samples of 16 and 32 bits, which
 * Intel's compiler spills on Arc. */
static const TilesMadeFor made_for = {0, 4};

static SyclKernel find_kernel(TilesKernel kernel, bool soft_division)
{
    typedef SyclKernel (*Set)(const char *name, int radius, bool keeps_stages);
    const Set sets[3][2] = {{sycl_kernels_8, sycl_kernels_8_soft},
                            {sycl_kernels_16, sycl_kernels_16_soft},
                            {sycl_kernels_32, sycl_kernels_32_soft}};
    const int set = kernel.sample_bits == 8 ? 0 : kernel.sample_bits == 16 ? 1 : 2;
    return sets[set][soft_division](kernel.name, kernel.radius, kernel.dumps);
}

int sycl_find_launches(VqxEngine &engine, VqxError *error)
{
    for (std::size_t p = 0; p < engine.params.plan_count; p++) {
        TilesLaunch launch[TILES_MAX_LAUNCHES];
        const std::size_t count = tiles_launches(launch, &engine.layout, p, made_for);
        for (std::size_t i = 0; i < count; i++) {
            const SyclKernel kernel = find_kernel(launch[i].kernel, engine.soft_division);
            if (!kernel)
                return vqx_fail(error, VQX_ERROR_BACKEND,
                                "the module has no kernel %s for %d bits and radius %d",
                                launch[i].kernel.name, launch[i].kernel.sample_bits,
                                launch[i].kernel.radius);
            engine.launches.push_back({launch[i], kernel});
        }
    }
    return 0;
}

void sycl_launch(VqxEngine &engine, SyclSlot &slot, const SyclLaunch &from)
{
    const TilesLaunch &launch = from.launch;
    const VifPlan &plan = engine.params.plans[launch.plan];
    SyclArguments arguments{};
    for (int i = 0; i < launch.buffer_count; i++) {
        const int which = launch.buffer[i];
        if (which < TILES_FRAME_BUFFERS)
            arguments.buffer[i] = slot.buffer[which];
        else
            arguments.buffer[i] = engine.tables[launch.plan].buffer[which - TILES_FRAME_BUFFERS];
        if (which >= TILES_TAPS && which < TILES_TAPS + VIF_SCALES)
            arguments.taps = plan.scale[which - TILES_TAPS].tap;
    }
    arguments.args = &launch.args;
    arguments.constants = &plan.constants;
    std::copy(launch.groups, launch.groups + 3, arguments.groups);
    slot.queue.queue.submit([&](sycl::handler &handler) { from.kernel(handler, arguments); });
}
