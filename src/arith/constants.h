/*
 * What the statistic needs besides its samples. The plan computes it once on the host from the
 * options (vif_constants_init); it travels to devices as it is (4-byte members, then 8-byte ones,
 * no padding), so it holds no f64.
 */
#ifndef VQX_ARITH_CONSTANTS_H
#define VQX_ARITH_CONSTANTS_H

typedef struct VifConstants {
    vqx_f32 gain_limit;
    vqx_f32 noise_term; /* c of the specification: (nsq / 255)^2, rounded as the reference does */
    vqx_f32 nsq_least; /* the least f32 not below nsq: f64(s1) < nsq exactly where s1 < nsq_least */
    vqx_f32 nsq_hi;    /* nsq = nsq_hi + nsq_lo to f32 pair precision, nsq_hi = f32(nsq) */
    vqx_f32 nsq_lo;    /* f32(nsq - nsq_hi) */
    vqx_f32 nsq_reciprocal;  /* f32(1 / nsq_hi); NaN for nsq < 2^-60: see fp64_free.h */
    vqx_i32 nsq_is_power;    /* 1: nsq is a power of two and nsq_reciprocal its exact inverse */
    vqx_i32 nsq_exponent;    /* nsq = nsq_significand * 2^nsq_exponent exactly; 0, 0 for nsq = 0 */
    vqx_u64 nsq_significand; /* else from 2^52 up to 2^53, that excluded */
} VifConstants;

#endif
