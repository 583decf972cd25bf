/* The probe in OpenCL C 1.2. */
#include "arith/dialect_opencl.h"

#include "probe.h"

__kernel void probe_fp64_free_kernel(__global const ProbeIn *in, __global ProbeOut *out, VifConstants k)
{
    const size_t i = get_global_id(0);
    out[i] = probe_fp64_free(in[i], k);
}

#ifdef VQX_HAS_F64
__kernel void probe_native_kernel(__global const ProbeIn *in, __global ProbeOut *out, VifConstants k, vqx_f64 nsq)
{
    const size_t i = get_global_id(0);
    out[i] = probe_native(in[i], k, nsq);
}
#endif
