/*
 * The statistic for devices with fused multiply-add and fast f64: native f64, with divisions that
 * leave out the range checks which a compiler's own must make.
 *
 * Each division is the sequence that ends a correctly rounded division everywhere: a reciprocal refined by
 * Newton steps, a quotient, and corrections by its exact remainder (Markstein 1990). It is correct as long as
 * nothing overflows, underflows or is lost in the remainder, which the range checks are for. Here the
 * ranges are known (see fp64_free.h): s1 + eps and sv + nsq lie between 1e-10 and 2^21, the numerators
 * below 2^34.
 *
 * The theorem has one exception: a divisor whose significand is all ones, here with a power of two as
 * numerator. The reciprocal of such a divisor lies just above the middle between two numbers, and Newton
 * steps that come from below end on the lower one. So for that divisor the f64 approximation must not lie below, which is
 * what its lower bits of 1 are for, and the f32 one must be the nearest: tests on a device show that it is.
 */
#ifndef VQX_ARITH_RANGED_H
#define VQX_ARITH_RANGED_H

#include "arith/statistic.h"

/* The noise variance for the denominator's quotient. */
typedef struct VifNoise {
    vqx_f64 nsq, reciprocal; /* reciprocal = f64(1 / nsq) */
    vqx_i32 vanishes;        /* nsq < VIF_NSQ_VANISHES: s1 / nsq is over 2^128 for every s1 > 0 that
                                is not flat, and with nsq = 0 NaN for s1 = 0 */
    vqx_i32 reserved;
} VifNoise;

#define VIF_NSQ_VANISHES 0x1p-200

/* Whether vif_statistic_ranged_power is worth a branch of its own. */
#ifdef VQX_HAS_RANGED
#define VIF_HAS_POWER_FORM 1
#else
#define VIF_HAS_POWER_FORM 0
#endif

#ifdef VQX_HAS_RANGED
/* n / d correctly rounded, d normal, n of at most 2^34 (f32 promoted to f64), either sign. */
VQX_FN vqx_f64 vqx_div64_ranged(vqx_f64 n, vqx_f64 d)
{
    vqx_f64 r = vqx_reciprocal64(d); /* within 2^-19 */
    vqx_f64 e = vqx_fma64(-d, r, 1.0);
    r = vqx_fma64(r, vqx_fma64(e, e, e), r); /* 2^-53: 1 / (1 - e) to the third power of e */
    e = vqx_fma64(-d, r, 1.0);
    r = vqx_fma64(r, e, r);
    const vqx_f64 q = vqx_mul64(n, r);
    return vqx_fma64(vqx_fma64(-d, q, n), r, q);
}

/* As vif_num_f64. */
VQX_FN vqx_f32 vif_num_ranged(vqx_f32 gs, vqx_f32 sv, vqx_f64 nsq)
{
    const vqx_f64 q = vqx_div64_ranged(vqx_f32_to_f64(gs), vqx_add64(vqx_f32_to_f64(sv), nsq));
    return vqx_f64_to_f32(vqx_add64(1.0, q));
}

/* As vif_den_f64 for s1 >= nsq; for a smaller s1, whose result vif_terms drops, anything (NaN where
 * both are 0: that one counts). */
VQX_FN vqx_f32 vif_den_ranged(vqx_f32 s1, VifNoise noise)
{
    const vqx_f64 n = vqx_f32_to_f64(s1);
    const vqx_f64 q = vqx_mul64(n, noise.reciprocal);
    const vqx_f64 exact = vqx_fma64(vqx_fma64(-noise.nsq, q, n), noise.reciprocal, q);
    const vqx_f32 x = vqx_f64_to_f32(vqx_add64(1.0, exact));
    return noise.vanishes ? vqx_mul(s1, vqx_from_bits(0x7f800000u)) : x;
}

VQX_FN VifTerms vif_statistic_ranged(vqx_f32 mu1, vqx_f32 mu2, vqx_f32 xx, vqx_f32 yy, vqx_f32 xy,
                                     VifConstants k, VifNoise noise)
{
    const VifGain v = vif_gain(mu1, mu2, xx, yy, xy, k.gain_limit);
    return vif_terms(v, vif_num_ranged(v.gs, v.sv, noise.nsq), vif_den_ranged(v.s1, noise), k);
}

/* The same where nsq is a power of two (constants.nsq_is_power). */
VQX_FN VifTerms vif_statistic_ranged_power(vqx_f32 mu1, vqx_f32 mu2, vqx_f32 xx, vqx_f32 yy,
                                           vqx_f32 xy, VifConstants k, VifNoise noise)
{
    const VifGain v = vif_gain(mu1, mu2, xx, yy, xy, k.gain_limit);
    return vif_terms(v, vif_num_ranged(v.gs, v.sv, noise.nsq), vif_den_power(v.s1, k), k);
}
#elif defined(VQX_HAS_F64) /* the compiler's own divisions */
VQX_FN VifTerms vif_statistic_ranged(vqx_f32 mu1, vqx_f32 mu2, vqx_f32 xx, vqx_f32 yy, vqx_f32 xy,
                                     VifConstants k, VifNoise noise)
{
    return vif_statistic_f64(mu1, mu2, xx, yy, xy, k, noise.nsq);
}
VQX_FN VifTerms vif_statistic_ranged_power(vqx_f32 mu1, vqx_f32 mu2, vqx_f32 xx, vqx_f32 yy,
                                           vqx_f32 xy, VifConstants k, VifNoise noise)
{
    return vif_statistic_f64(mu1, mu2, xx, yy, xy, k, noise.nsq);
}
#endif

#endif
