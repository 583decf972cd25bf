/*
 * Error-free transformations: a rounded f32 result together with what the rounding lost.
 *
 * The only place of the arithmetic where a fused multiply-add is allowed, because what is returned
 * is proven.
 */
#ifndef VQX_ARITH_ERROR_FREE_H
#define VQX_ARITH_ERROR_FREE_H

typedef struct VqxPair {
    vqx_f32 hi, lo; /* the unevaluated sum hi + lo, |lo| at most half an ulp of hi */
} VqxPair;

/* a + b exactly (Knuth). Infinities and overflow give a NaN lo. */
VQX_FN VqxPair vqx_two_sum(vqx_f32 a, vqx_f32 b)
{
    VqxPair r;
    r.hi = vqx_add(a, b);
    const vqx_f32 b_part = vqx_sub(r.hi, a);
    const vqx_f32 a_part = vqx_sub(r.hi, b_part);
    r.lo = vqx_add(vqx_sub(a, a_part), vqx_sub(b, b_part));
    return r;
}

/* The same for |a| >= |b| (Dekker). */
VQX_FN VqxPair vqx_fast_two_sum(vqx_f32 a, vqx_f32 b)
{
    VqxPair r;
    r.hi = vqx_add(a, b);
    r.lo = vqx_sub(b, vqx_sub(r.hi, a));
    return r;
}

/* c - a * b, rounded once where the language has a fused multiply-add; otherwise from the exact
 * product, for c within a factor of two of a * b, also rounded once (barring underflow, whose error
 * stays below 2^-146). */
#ifdef VQX_HAS_FMA
VQX_FN vqx_f32 vqx_residual(vqx_f32 c, vqx_f32 a, vqx_f32 b)
{
    return vqx_fma(-a, b, c);
}
#else
/* The 12 leading bits of the significand; the other 12 are x minus this. Infinity minus this is
 * NaN. */
VQX_FN vqx_f32 vqx_upper_half(vqx_f32 x)
{
    return vqx_from_bits(vqx_bits(x) & 0xfffff000u);
}

/*
 * The four products of 12-bit halves are exact. So is every sum below: with a, b scaled to integers
 * under 2^24 the terms are multiples of 2^23, 2^12, 2^12 and 1, and the partial sums stay under
 * 2^37, 2^36, 2^25 and 2^24.
 */
VQX_FN vqx_f32 vqx_product_error(vqx_f32 a, vqx_f32 b, vqx_f32 product)
{
    const vqx_f32 a_hi = vqx_upper_half(a), a_lo = vqx_sub(a, a_hi);
    const vqx_f32 b_hi = vqx_upper_half(b), b_lo = vqx_sub(b, b_hi);
    vqx_f32 e = vqx_sub(vqx_mul(a_hi, b_hi), product);
    e = vqx_add(e, vqx_mul(a_hi, b_lo));
    e = vqx_add(e, vqx_mul(a_lo, b_hi));
    return vqx_add(e, vqx_mul(a_lo, b_lo));
}

VQX_FN vqx_f32 vqx_residual(vqx_f32 c, vqx_f32 a, vqx_f32 b)
{
    const vqx_f32 product = vqx_mul(a, b);
    return vqx_sub(vqx_sub(c, product), vqx_product_error(a, b, product));
}
#endif

#endif
