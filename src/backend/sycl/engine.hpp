/* The engine's insides, shared by launches.cpp, memory.cpp, submit.cpp and sycl.cpp. */
#ifndef VQX_BACKEND_SYCL_ENGINE_HPP
#define VQX_BACKEND_SYCL_ENGINE_HPP

#include "backend/sycl/devices.hpp"
#include "backend/sycl/kernels.hpp"

#include <vector>

/* A plan's tables on the device; by TILES_TAPS and so on. */
struct SyclTables {
    void *buffer[TILES_BUFFERS - TILES_FRAME_BUFFERS];
};

/* One kernel launch. */
struct SyclLaunch {
    TilesLaunch launch;
    SyclKernel kernel;
};

/* A frame in flight: a queue of its own, and memory. */
struct SyclSlot {
    SyclQueue queue;
    void *buffer[TILES_FRAME_BUFFERS];
    char *staging; /* host memory for the samples of planes with other strides than the kernels' */
    VqxJob *job;   /* NULL: free */
};

struct VqxEngine {
    SyclDevice *device;
    bool soft_division;
    VqxEngineParams params;
    TilesLayout layout;
    std::vector<SyclTables> tables; /* a plan */
    std::vector<SyclLaunch> launches;
    std::vector<SyclSlot> slots;
    unsigned slot_count;
};

/* Those that return a status fail with it; all may throw what SYCL throws. */

/* memory.cpp */
int sycl_layout(VqxEngine &engine, VqxError *error); /* sizes, slot_count */
int sycl_plan_tables(VqxEngine &engine, VqxError *error);
int sycl_slots(VqxEngine &engine, VqxError *error);
void sycl_memory_free(VqxEngine &engine);
void *sycl_pinned_alloc(VqxEngine *engine, std::size_t bytes, VqxError *error) noexcept;
void sycl_pinned_free(VqxEngine *engine, void *memory) noexcept;

/* launches.cpp */
int sycl_find_launches(VqxEngine &engine, VqxError *error);
void sycl_launch(VqxEngine &engine, SyclSlot &slot, const SyclLaunch &launch);

/* submit.cpp */
int sycl_submit(VqxEngine *engine, VqxJob *job, VqxError *error) noexcept;
int sycl_wait(VqxEngine *engine, VqxJob *job, VqxError *error) noexcept;
void sycl_drain(VqxEngine &engine) noexcept;

/* stages.cpp */
int sycl_stage(VqxEngine *engine, int scale, int stage, float *out, VqxError *error) noexcept;

#endif
