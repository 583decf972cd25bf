/* The SIMT runner's runtimes as stand-ins in tests of faults; and what the build else embeds in these backends. */
#include "robustness/stand_in.h"

#include "robustness/faults.h"
#include "simt/runner.h"

FAULTS_SHARED size_t faults_device_room(void);

/* Images of the kernels: hip.c knows the word, and takes the source for what hiprtc compiles. */
#define IMAGE(name)           \
    extern const char name[]; \
    const char name[] = "simt";
IMAGE(vqx_cuda_kernels_1)
IMAGE(vqx_cuda_kernels_2)
IMAGE(vqx_cuda_kernels_3)
IMAGE(vqx_cuda_kernels_4)
IMAGE(vqx_cuda_kernels_5)
IMAGE(vqx_hip_gfx0_1)
IMAGE(vqx_hip_gfx0_2)
IMAGE(vqx_hip_gfx0_3)
IMAGE(vqx_hip_gfx0_4)
IMAGE(vqx_hip_gfx0_5)
extern const char vqx_hip_source[];
const char vqx_hip_source[] = "vqx_walk_any_";

static size_t most = (size_t)1 << 30;

size_t faults_device_room(void)
{
    return most;
}

void stand_in_memory(size_t bytes)
{
    most = bytes;
}

size_t stand_in_peak(void)
{
    return simt_most_used();
}

long stand_in_kept(void)
{
    return 0; /* what hiprtc compiled is kept by every run, so it is in the count of the first */
}
