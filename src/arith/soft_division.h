/*
 * f32 division, correctly rounded, on devices whose own is not: an estimate of the quotient's
 * integer significand, made exact by its remainder in 32-bit integers. Included by a dialect in
 * place of its vqx_div.
 */
#ifndef VQX_ARITH_SOFT_DIVISION_H
#define VQX_ARITH_SOFT_DIVISION_H

/* A finite number other than zero: significand * 2^exponent, significand from 2^23 up to 2^24, that
 * excluded. */
typedef struct VqxParts {
    vqx_u32 significand;
    vqx_i32 exponent;
} VqxParts;

VQX_FN VqxParts vqx_parts(vqx_u32 magnitude)
{
    const vqx_u32 field = magnitude >> 23, fraction = magnitude & 0x7fffffu;
    VqxParts r;
    r.significand = field ? fraction | 0x800000u : fraction;
    r.exponent = (vqx_i32)(field ? field : 1u) - 150;
    while (r.significand < 0x800000u) {
        r.significand <<= 1;
        r.exponent -= 1;
    }
    return r;
}

/*
 * floor(n * 2^26 / d) with the lowest bit set where anything remains; n, d significands. The
 * reciprocal within 5u (u = 2^-24) and two roundings put the first estimate within 7u of a quotient
 * under 2^27, that is within 56: the remainder stays under 2^30, so it is right modulo 2^32, and
 * the second estimate, rounded to nearest, is at most one too large.
 */
VQX_FN vqx_u32 vqx_divide_significands(vqx_u32 n, vqx_u32 d)
{
    const vqx_f32 reciprocal = vqx_reciprocal(vqx_i32_to_f32((vqx_i32)d));
    const vqx_f32 estimate = vqx_mul(vqx_i32_to_f32((vqx_i32)n), reciprocal);
    vqx_u32 quotient = (vqx_u32)vqx_mul(estimate, 67108864.0f);
    vqx_i32 remainder = (vqx_i32)((n << 26) - quotient * d);
    const vqx_f32 excess = vqx_mul(vqx_i32_to_f32(remainder), reciprocal);
    const vqx_i32 step = (vqx_i32)vqx_add(excess, 64.5f) - 64;
    quotient += (vqx_u32)step;
    remainder -= step * (vqx_i32)d;
    if (remainder < 0) {
        quotient -= 1u;
        remainder += (vqx_i32)d;
    }
    return quotient | (remainder ? 1u : 0u);
}

VQX_FN vqx_f32 vqx_div(vqx_f32 a, vqx_f32 b)
{
    const vqx_u32 sign = (vqx_bits(a) ^ vqx_bits(b)) & 0x80000000u;
    const vqx_u32 infinity = 0x7f800000u;
    const vqx_u32 n = vqx_bits(a) & 0x7fffffffu, d = vqx_bits(b) & 0x7fffffffu;
    if (n > infinity || d > infinity || (n == d && (n == 0u || n == infinity)))
        return vqx_from_bits(0x7fc00000u);
    if (n == infinity || d == 0u)
        return vqx_from_bits(sign | infinity);
    if (n == 0u || d == infinity)
        return vqx_from_bits(sign);

    const VqxParts x = vqx_parts(n), y = vqx_parts(d);
    const vqx_u32 quotient =
        vqx_divide_significands(x.significand, y.significand); /* 26 or 27 bits */
    vqx_i32 field = x.exponent - y.exponent + 126 + (vqx_i32)(quotient >> 26);
    vqx_i32 dropped = 2 + (vqx_i32)(quotient >> 26); /* bits below the last of the result */
    if (field < 1) {                                 /* subnormal */
        dropped += 1 - field;
        field = 1;
    }
    if (field > 254)
        return vqx_from_bits(sign | infinity);
    if (dropped > 27)
        return vqx_from_bits(sign);
    const vqx_u32 kept = quotient >> dropped, halfway = 1u << (dropped - 1);
    const vqx_u32 rest = quotient & ((halfway << 1) - 1u);
    const vqx_u32 up = rest > halfway || (rest == halfway && (kept & 1u)) ? 1u : 0u;
    /* The significand's leading bit counts into the exponent field, as does the carry of a rounding
     * up. */
    return vqx_from_bits(sign | (((vqx_u32)(field - 1) << 23) + kept + up));
}

#endif
