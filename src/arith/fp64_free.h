/*
 * The statistic without f64: the same bits as vif_statistic_f64, for devices that have no f64 or a
 * slow one.
 *
 * 1 + n / d is computed as an exact pair of f32, x = hi + lo. Where the error of the pair cannot
 * reach a rounding boundary, hi is the result; else the reference's own f64 sequence is replayed in
 * integers (soft_double.h).
 *
 * Ranges: n finite and not negative; d from 1e-10f; n / d under 2^126. What the statistic hands
 * over stays far inside: samples lie within
 * +-128, a prescale overshoots less than fourfold, so s1, s2 < 2^20, n = (g * g) * s1 < 2^34 with g
 * at most 100, d = sv + nsq from 1e-10f to 2^21, and n / d < 2^68.
 *
 * Error of the pair, u = 2^-24, reciprocal within 5u (2.5 ulp, what OpenCL asks of a plain division), first order in u:
 *   d.hi + d.lo           is d within 3u^2 d: nsq_hi + nsq_lo loses u^2 nsq, the sum into d.lo (at most 2u d) 2u^2 d.
 *   q = n * reciprocal    is n / d within 8u: reciprocal 5u, product u, d.hi for d 2u.
 *   r = n - q * d         at most 8u n. Residual rounded once: 10u^2 n; product with d.lo 2u^2 n; their difference
 *                         8u^2 n; error of d 3u^2 n: 23u^2 n in all.
 *   tail = r * reciprocal within 8u of r / d: 64u^2 n / d; with r's error 87u^2 n / d.
 *   lo                    the sum of two terms of at most u x and 8u x: 9u^2 x.
 * Together under 96u^2 x.
 * A rounding boundary next to x is half an ulp away, h > u x / 2, so the pair is off by less than
 * 192u h < 2^-16.4 h. The reference rounds three times to 53 bits: 3 * 2^-53 x < 2^-26 h more.
 * vif_settled allows 2^-15 h. Underflow anywhere adds at most 2^-140 to r, at most 2^-80 to x (1 /
 * d < 2^60), and x is at least 1: nothing. Overflow makes lo NaN, which never settles.
 */
#ifndef VQX_ARITH_FP64_FREE_H
#define VQX_ARITH_FP64_FREE_H

#include "arith/error_free.h"
#include "arith/soft_double.h"
#include "arith/statistic.h"

/* A hook for tests, which count how often this happens. */
#ifndef VIF_COUNT_REPLAY
#define VIF_COUNT_REPLAY
#endif

/* 1 + n / d as a pair. `reciprocal` is 1 / d.hi within 2.5 ulp. */
VQX_FN VqxPair vif_one_plus_quotient(vqx_f32 n, VqxPair d, vqx_f32 reciprocal)
{
    const vqx_f32 q = vqx_mul(n, reciprocal);
    const vqx_f32 r = vqx_sub(vqx_residual(n, q, d.hi), vqx_mul(q, d.lo));
    const VqxPair x = vqx_two_sum(1.0f, q);
    return vqx_fast_two_sum(x.hi, vqx_add(x.lo, vqx_mul(r, reciprocal)));
}

/* Whether x.hi is the f32 nearest to x and to everything within 2^-15 of lo beside it (Ziv's test).
 * False for NaN. */
VQX_FN int vif_settled(VqxPair x)
{
    return x.hi == vqx_add(x.hi, vqx_mul(x.lo, 1.000030517578125f));
}

/* f32( 1 + n / d ), quotient, sum and rounding as f64 does them; n not negative. */
VQX_FN vqx_f32 vif_soft_one_plus_quotient(vqx_f32 n, VqxSoft d)
{
    VIF_COUNT_REPLAY;
    if (!(n > 0.0f))
        return 1.0f;
    return vqx_soft_to_f32(vqx_soft_add(vqx_soft_one(), vqx_soft_div(vqx_soft_from_f32(n), d)));
}

VQX_FN VqxSoft vif_soft_nsq(VifConstants k)
{
    VqxSoft r;
    r.significand = k.nsq_significand;
    r.exponent = k.nsq_exponent;
    return r;
}

/* A significand of 0 stands for nsq = 0. */
VQX_RARE_FN vqx_f32 vif_num_replay(vqx_f32 gs, vqx_f32 sv, VqxSoft nsq)
{
    const VqxSoft d = vqx_soft_from_f32(sv);
    return vif_soft_one_plus_quotient(gs, nsq.significand ? vqx_soft_add(d, nsq) : d);
}

VQX_RARE_FN vqx_f32 vif_den_replay(vqx_f32 s1, VqxSoft nsq)
{
    if (!nsq.significand) /* s1 / 0 */
        return vqx_from_bits(s1 > 0.0f ? 0x7f800000u : 0x7fc00000u);
    return vif_soft_one_plus_quotient(s1, nsq);
}

/* f32( 1 + gs / (sv + nsq) ) as vif_num_f64. */
VQX_FN vqx_f32 vif_num_pair(vqx_f32 gs, vqx_f32 sv, VifConstants k)
{
    VqxPair d = vqx_two_sum(sv, k.nsq_hi);
    d.lo = vqx_add(d.lo, k.nsq_lo);
    const VqxPair x = vif_one_plus_quotient(gs, d, vqx_reciprocal(d.hi));
    return vif_settled(x) ? x.hi : vif_num_replay(gs, sv, vif_soft_nsq(k));
}

/* f32( 1 + s1 / nsq ) as vif_den_f64, for every s1 that is finite and not negative. */
VQX_FN vqx_f32 vif_den_pair(vqx_f32 s1, VifConstants k)
{
    if (k.nsq_is_power)
        return vif_den_power(s1, k);
    VqxPair d;
    d.hi = k.nsq_hi;
    d.lo = k.nsq_lo;
    const VqxPair x = vif_one_plus_quotient(s1, d, k.nsq_reciprocal);
    return vif_settled(x) ? x.hi : vif_den_replay(s1, vif_soft_nsq(k));
}

VQX_FN VifTerms vif_statistic_pair(vqx_f32 mu1, vqx_f32 mu2, vqx_f32 xx, vqx_f32 yy, vqx_f32 xy,
                                   VifConstants k)
{
    const VifGain v = vif_gain(mu1, mu2, xx, yy, xy, k.gain_limit);
    return vif_terms(v, vif_num_pair(v.gs, v.sv, k), vif_den_pair(v.s1, k), k);
}

#endif
