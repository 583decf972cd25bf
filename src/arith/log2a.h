/* log2a: the reference's logarithm to base 2, f32 in and out, by the exponent and a polynomial. */
#ifndef VQX_ARITH_LOG2A_H
#define VQX_ARITH_LOG2A_H

/* Horner's scheme without its first step, 0 * t + c is c exactly for every t in [0, 1), and without
 * the 0 added last: v is positive there, so the product is not -0. */
VQX_FN vqx_f32 vif_log2a_fraction(vqx_f32 t)
{
    vqx_f32 v = vqx_add(vqx_mul(t, -0.012671635276421f), 0.064841182402670f);
    v = vqx_add(vqx_mul(v, t), -0.157048836463065f);
    v = vqx_add(vqx_mul(v, t), 0.257167726303123f);
    v = vqx_add(vqx_mul(v, t), -0.353800560300520f);
    v = vqx_add(vqx_mul(v, t), 0.480131410397451f);
    v = vqx_add(vqx_mul(v, t), -0.721314327952201f);
    v = vqx_add(vqx_mul(v, t), 1.442694803896991f);
    return vqx_mul(v, t);
}

/* For x with its sign bit clear, and not 0. Infinity, NaN and subnormals get no special case: the
 * reference has none. The exponent becomes f32 by way of the fraction of 2^23: exactly field - 127. */
VQX_FN vqx_f32 vif_log2a_positive(vqx_f32 x)
{
    const vqx_u32 bits = vqx_bits(x);
    const vqx_f32 e = vqx_sub(vqx_from_bits(0x4b000000u + (bits >> 23)), 8388735.0f);
    const vqx_f32 m = vqx_from_bits((bits & 0x7fffffu) | 0x3f800000u);
    return vqx_add(e, vif_log2a_fraction(vqx_sub(m, 1.0f)));
}

#ifndef VQX_VECTORS /* no selection among the operations of vectors */
/* For every x. The NaN of a negative x is the quiet one with no other fraction bits, sign clear. */
VQX_FN vqx_f32 vif_log2a(vqx_f32 x)
{
    const vqx_f32 negative_infinity = vqx_from_bits(0xff800000u), nan = vqx_from_bits(0x7fc00000u);
    return x == 0.0f  ? negative_infinity
           : x < 0.0f ? nan
                      : vif_log2a_positive(vqx_from_bits(vqx_bits(x) & 0x7fffffffu));
}
#endif

#endif
