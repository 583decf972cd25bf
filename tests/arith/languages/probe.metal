/* The probe in the Metal shading language. */
#include "arith/dialect_metal.h"

#include "probe.h"

kernel void probe_fp64_free_kernel(device const ProbeIn *in [[buffer(0)]], device ProbeOut *out [[buffer(1)]],
                                   constant VifConstants &k [[buffer(2)]], uint i [[thread_position_in_grid]])
{
    out[i] = probe_fp64_free(in[i], k);
}
