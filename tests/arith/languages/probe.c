/* The probe as a host compiles it: C17, C++17, and C++17 in SYCL's dialect. */
#ifdef PROBE_SYCL
#include "arith/dialect_sycl.h"
#else
#include "arith/dialect_c.h"
#endif

#include "probe.h"

#ifdef __cplusplus
extern "C" {
#endif
ProbeOut probe_call_fp64_free(ProbeIn in, VifConstants k);
ProbeOut probe_call_fp64_free(ProbeIn in, VifConstants k)
{
    return probe_fp64_free(in, k);
}

#ifdef VQX_HAS_F64
ProbeOut probe_call_native(ProbeIn in, VifConstants k, vqx_f64 nsq);
ProbeOut probe_call_native(ProbeIn in, VifConstants k, vqx_f64 nsq)
{
    return probe_native(in, k, nsq);
}
#endif
#ifdef __cplusplus
}
#endif
