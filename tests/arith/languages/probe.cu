/* The probe in CUDA and HIP: kernels alone. */
#ifdef __HIP__
#include <hip/hip_runtime.h>

#include "arith/dialect_hip.h"
#else
#include "arith/dialect_cuda.h"
#endif

#include "probe.h"

extern "C" __global__ void probe_fp64_free_kernel(const ProbeIn *in, ProbeOut *out, VifConstants k, int count)
{
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < count)
        out[i] = probe_fp64_free(in[i], k);
}

extern "C" __global__ void probe_native_kernel(const ProbeIn *in, ProbeOut *out, VifConstants k, vqx_f64 nsq, int count)
{
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < count)
        out[i] = probe_native(in[i], k, nsq);
}

#ifdef VQX_HAS_RANGED
extern "C" __global__ void probe_ranged_kernel(const ProbeIn *in, ProbeOut *out, VifConstants k,
                                               VifNoise noise, int count)
{
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < count)
        out[i] = probe_ranged(in[i], k, noise);
}
#endif
