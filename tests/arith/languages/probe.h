/*
 * One call of everything in src/arith, by value, so that a kernel of a few lines can run it in any
 * language. Included after a dialect, by device sources and by the host that checks them.
 */
#ifndef VQX_TESTS_ARITH_PROBE_H
#define VQX_TESTS_ARITH_PROBE_H

#include "arith/fp64_free.h"
#ifdef VQX_HAS_F64
#include "arith/ranged.h"
#endif
#include "arith/reflect.h"

/* 4-byte members only: the same layout everywhere. */
typedef struct ProbeIn {
    vqx_f32 gs, sv, s1;           /* of the two expressions */
    vqx_f32 mu1, mu2, xx, yy, xy; /* of the statistic */
    vqx_f32 logarithm;            /* log2a's */
    vqx_f32 dividend, divisor;
    vqx_f32 gain_n, gain_d; /* of the gain's quotient, in its range */
    vqx_i32 index, size;    /* of the reflection */
} ProbeIn;

typedef struct ProbeOut {
    vqx_f32 num_x, den_x;
    vqx_f32 num, den;
    vqx_f32 logarithm;
    vqx_f32 quotient, gain;
    vqx_i32 reflected, clamped;
} ProbeOut;

VQX_FN ProbeOut probe_rest(ProbeIn in, ProbeOut out)
{
    out.logarithm = vif_log2a(in.logarithm);
    out.quotient = vqx_div(in.dividend, in.divisor);
    out.gain = vif_gain_quotient(in.gain_n, in.gain_d);
    out.reflected = vif_reflect(in.index, in.size);
    out.clamped = vif_reflect_clamped(in.index * 3, in.size);
    return out;
}

VQX_FN ProbeOut probe_fp64_free(ProbeIn in, VifConstants k)
{
    ProbeOut out;
    const VifTerms t = vif_statistic_pair(in.mu1, in.mu2, in.xx, in.yy, in.xy, k);
    out.num = t.num;
    out.den = t.den;
    out.num_x = vif_num_pair(in.gs, in.sv, k);
    out.den_x = vif_den_pair(in.s1, k);
    return probe_rest(in, out);
}

#ifdef VQX_HAS_F64
VQX_FN ProbeOut probe_native(ProbeIn in, VifConstants k, vqx_f64 nsq)
{
    ProbeOut out;
    const VifTerms t = vif_statistic_f64(in.mu1, in.mu2, in.xx, in.yy, in.xy, k, nsq);
    out.num = t.num;
    out.den = t.den;
    out.num_x = vif_num_f64(in.gs, in.sv, nsq);
    out.den_x = vif_den_f64(in.s1, nsq);
    return probe_rest(in, out);
}

#ifdef VQX_HAS_RANGED
VQX_FN ProbeOut probe_ranged(ProbeIn in, VifConstants k, VifNoise noise)
{
    ProbeOut out;
    const VifTerms t = vif_statistic_ranged(in.mu1, in.mu2, in.xx, in.yy, in.xy, k, noise);
    out.num = t.num;
    out.den = t.den;
    out.num_x = vif_num_ranged(in.gs, in.sv, noise.nsq);
    /* Below nsq it promises nothing, and no one asks. */
    out.den_x = in.s1 < k.nsq_least ? vif_den_f64(in.s1, noise.nsq) : vif_den_ranged(in.s1, noise);
    return probe_rest(in, out);
}
#endif
#endif

#endif
