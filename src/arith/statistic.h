/*
 * The statistic of one pixel: from the five filtered values to the numerator's and the
 * denominator's term.
 *
 * It has three parts: vif_gain (f32 throughout), two expressions the reference evaluates in f64,
 * and vif_terms (f32 again). The expressions come in two forms that give the same bits: native f64
 * here, and the fp64-free form of fp64_free.h.
 */
#ifndef VQX_ARITH_STATISTIC_H
#define VQX_ARITH_STATISTIC_H

#include "arith/constants.h"
#include "arith/log2a.h"

#define VIF_EPS 1.0e-10f

/* The state between the parts, named as in the specification. */
typedef struct VifGain {
    vqx_f32 s1, s2; /* variances, clamped */
    vqx_f32 s12;    /* covariance */
    vqx_f32 sv;     /* variance of the distortion that is no gain, at least eps */
    vqx_f32 gs;     /* (g * g) * s1 */
} VifGain;

typedef struct VifTerms {
    vqx_f32 num, den;
} VifTerms;

/* n / d, d from 1e-10 to 2^21 and |n| up to 2^21. */
#ifdef VQX_HAS_RANGED
/* The sequence behind a correctly rounded division, without the range checks of a compiler's own
 * (see ranged.h). Below |n| of 2^-60 it may be an ulp off, and no one sees it: g is then under
 * 2^-26 and g * n under half an ulp of any s2 that is not flat, so sv = s2; and gs / sv is under
 * 2^-50, so num = log2a(1). */
VQX_FN vqx_f32 vif_gain_quotient(vqx_f32 n, vqx_f32 d)
{
    vqx_f32 r = vqx_reciprocal(d);
    r = vqx_fma(r, vqx_fma(-d, r, 1.0f), r);
    vqx_f32 q = vqx_mul(n, r);
    q = vqx_fma(vqx_fma(-d, q, n), r, q);
    return vqx_fma(vqx_fma(-d, q, n), r, q);
}
#else
VQX_FN vqx_f32 vif_gain_quotient(vqx_f32 n, vqx_f32 d)
{
    return vqx_div(n, d);
}
#endif

VQX_FN vqx_f32 vif_variance(vqx_f32 xx, vqx_f32 mu)
{
    const vqx_f32 variance = vqx_sub(xx, vqx_mul(mu, mu));
    return variance > 0.0f ? variance : 0.0f;
}

VQX_FN VifGain vif_gain(vqx_f32 mu1, vqx_f32 mu2, vqx_f32 xx, vqx_f32 yy, vqx_f32 xy,
                        vqx_f32 gain_limit)
{
    VifGain r;
    vqx_f32 s1 = vif_variance(xx, mu1);
    const vqx_f32 s2 = vif_variance(yy, mu2);
    const vqx_f32 s12 = vqx_sub(xy, vqx_mul(mu1, mu2));

    vqx_f32 g = vif_gain_quotient(s12, vqx_add(s1, VIF_EPS));
    vqx_f32 sv = vqx_sub(s2, vqx_mul(g, s12));
    const int flat1 = s1 < VIF_EPS, flat2 = s2 < VIF_EPS;
    g = flat1 ? 0.0f : g;
    sv = flat1 ? s2 : sv;
    s1 = flat1 ? 0.0f : s1;
    g = flat2 ? 0.0f : g;
    sv = flat2 ? 0.0f : sv;
    const int negative = g < 0.0f;
    sv = negative ? s2 : sv;
    g = negative ? 0.0f : g;
    sv = sv > VIF_EPS ? sv : VIF_EPS;
    g = g < gain_limit ? g : gain_limit;

    r.s1 = s1;
    r.s2 = s2;
    r.s12 = s12;
    r.sv = sv;
    r.gs = vqx_mul(vqx_mul(g, g), s1);
    return r;
}

/* The numerator's term where the noise outweighs the reference: s1 < k.nsq_least. The denominator's is 1. */
VQX_FN vqx_f32 vif_noise_num(vqx_f32 s2, VifConstants k)
{
    return vqx_sub(1.0f, vqx_mul(s2, k.noise_term));
}

/* What becomes of the two logarithms. */
VQX_FN VifTerms vif_terms_of_logs(VifGain v, vqx_f32 num_log, vqx_f32 den_log, VifConstants k)
{
    VifTerms r;
    r.num = v.s12 < 0.0f ? 0.0f : num_log;
    r.den = den_log;
    if (v.s1 < k.nsq_least) {
        r.num = vif_noise_num(v.s2, k);
        r.den = 1.0f;
    }
    return r;
}

/* A NaN's fraction bits reach the result through log2a (nsq = 0), so a device's NaN becomes the one
 * that x86 and Arm make. */
VQX_FN vqx_f32 vif_settle_nan(vqx_f32 den_x)
{
    return den_x == den_x ? den_x : vqx_from_bits(0x7fc00000u);
}

/* num_x and den_x are the two expressions' values. */
VQX_FN VifTerms vif_terms(VifGain v, vqx_f32 num_x, vqx_f32 den_x, VifConstants k)
{
    return vif_terms_of_logs(v, vif_log2a_positive(num_x),
                             vif_log2a_positive(vif_settle_nan(den_x)), k);
}

/*
 * f32( 1 + s1 / nsq ) as vif_den_f64, where nsq is a power of two (k.nsq_is_power) and s1 finite
 * and not negative.
 *
 * The quotient q is exact then, and so is the f64 sum 1 + q unless q is too small or too large for
 * the 1 to matter: one rounding to f32 remains, and the f32 sum does the same. (A product that
 * underflows is under 2^-100; one that overflows is over 2^128 in f64 too.)
 */
VQX_FN vqx_f32 vif_den_power(vqx_f32 s1, VifConstants k)
{
    return vqx_add(1.0f, vqx_mul(s1, k.nsq_reciprocal));
}

#ifdef VQX_HAS_F64
/* f32( 1 + gs / (sv + nsq) ), sum, quotient and sum in f64. */
VQX_FN vqx_f32 vif_num_f64(vqx_f32 gs, vqx_f32 sv, vqx_f64 nsq)
{
    const vqx_f64 q = vqx_div64(vqx_f32_to_f64(gs), vqx_add64(vqx_f32_to_f64(sv), nsq));
    return vqx_f64_to_f32(vqx_add64(1.0, q));
}

/* f32( 1 + s1 / nsq ), quotient and sum in f64. */
VQX_FN vqx_f32 vif_den_f64(vqx_f32 s1, vqx_f64 nsq)
{
    return vqx_f64_to_f32(vqx_add64(1.0, vqx_div64(vqx_f32_to_f64(s1), nsq)));
}

VQX_FN vqx_f32 vif_den_native(vqx_f32 s1, VifConstants k, vqx_f64 nsq)
{
    return k.nsq_is_power ? vif_den_power(s1, k) : vif_den_f64(s1, nsq);
}

VQX_FN VifTerms vif_statistic_f64(vqx_f32 mu1, vqx_f32 mu2, vqx_f32 xx, vqx_f32 yy, vqx_f32 xy,
                                  VifConstants k, vqx_f64 nsq)
{
    const VifGain v = vif_gain(mu1, mu2, xx, yy, xy, k.gain_limit);
    return vif_terms(v, vif_num_f64(v.gs, v.sv, nsq), vif_den_native(v.s1, k, nsq), k);
}
#endif

#endif
