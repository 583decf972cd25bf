/*
 * f64 sums and quotients of positive numbers in 64-bit integers: shifts, sums and comparisons, no
 * 64-bit division (device compilers make calls or f32 estimates of one).
 *
 * There is no zero, no sign, and the exponent has no bounds: results agree with f64 wherever f64
 * neither overflows nor falls below its least normal number. vqx_soft_to_f32 turns whatever is too
 * large for f32 into infinity, as f64 does by way of its own.
 */
#ifndef VQX_ARITH_SOFT_DOUBLE_H
#define VQX_ARITH_SOFT_DOUBLE_H

/* significand * 2^exponent, significand from 2^52 up to 2^53, that excluded */
typedef struct VqxSoft {
    vqx_u64 significand;
    vqx_i32 exponent;
} VqxSoft;

#define VQX_SOFT_LEAST ((vqx_u64)1 << 52)

VQX_FN VqxSoft vqx_soft_one(void)
{
    VqxSoft r;
    r.significand = VQX_SOFT_LEAST;
    r.exponent = -52;
    return r;
}

/* x > 0 and finite; subnormals too. */
VQX_FN VqxSoft vqx_soft_from_f32(vqx_f32 x)
{
    const vqx_u32 bits = vqx_bits(x), field = bits >> 23, fraction = bits & 0x7fffffu;
    VqxSoft r;
    r.significand = (vqx_u64)(field ? fraction | 0x800000u : fraction) << 29;
    r.exponent = (vqx_i32)(field ? field : 1u) - 150 - 29;
    while (r.significand < VQX_SOFT_LEAST) {
        r.significand <<= 1;
        r.exponent -= 1;
    }
    return r;
}

/* m * 2^exponent, m at least 2^62, to 53 bits: to nearest, ties to even. The lowest bit of m may
 * stand for whatever nonzero lies below it. */
VQX_FN VqxSoft vqx_soft_round(vqx_u64 m, vqx_i32 exponent)
{
    VqxSoft r;
    if (m >> 63) {
        m = (m >> 1) | (m & 1u);
        exponent += 1;
    }
    m = (m + 511u + ((m >> 10) & 1u)) >> 10;
    exponent += 10;
    if (m >> 53) {
        m >>= 1;
        exponent += 1;
    }
    r.significand = m;
    r.exponent = exponent;
    return r;
}

VQX_FN VqxSoft vqx_soft_add(VqxSoft a, VqxSoft b)
{
    if (a.exponent < b.exponent) {
        const VqxSoft swap = a;
        a = b;
        b = swap;
    }
    const vqx_i32 shift = a.exponent - b.exponent;
    const vqx_u64 whole = b.significand << 10;
    vqx_u64 aligned = 1u; /* all of b below the last bit */
    if (shift < 63) {
        aligned = whole >> shift;
        aligned |= (aligned << shift) != whole ? 1u : 0u;
    }
    return vqx_soft_round((a.significand << 10) + aligned, a.exponent - 10);
}

/* Restoring division: 55 bits of the quotient, the first of them 1, and whether anything remains.
 */
VQX_FN VqxSoft vqx_soft_div(VqxSoft n, VqxSoft d)
{
    vqx_u64 remainder = n.significand, quotient = 0;
    vqx_i32 exponent = n.exponent - d.exponent;
    if (remainder < d.significand) {
        remainder <<= 1;
        exponent -= 1;
    }
    for (vqx_i32 i = 0; i < 55; i++) {
        quotient <<= 1;
        if (remainder >= d.significand) {
            remainder -= d.significand;
            quotient |= 1u;
        }
        remainder <<= 1;
    }
    return vqx_soft_round((quotient << 8) | (remainder ? 1u : 0u), exponent - 62);
}

/* To nearest, ties to even; a at least 2^-126, so the result is not subnormal. */
VQX_FN vqx_f32 vqx_soft_to_f32(VqxSoft a)
{
    const vqx_i32 field = a.exponent + 52 + 127;
    const vqx_u64 m = (a.significand + 0xfffffffu + ((a.significand >> 29) & 1u)) >> 29;
    /* A significand rounded up to 2^24 carries into the exponent field, and from its last value
     * into infinity. */
    return vqx_from_bits(field > 254 ? 0x7f800000u
                                     : ((vqx_u32)field << 23) + ((vqx_u32)m - 0x800000u));
}

#endif
