/*
 * The samples a kernel reads. VIF_SAMPLE_BITS is 8 or 16 (luma as submitted) or 32 (an f32 plane).
 * Included once in a program or namespace for each kind.
 */
#if VIF_SAMPLE_BITS == 8
typedef vqx_u8 VifSample;
#elif VIF_SAMPLE_BITS == 16
typedef vqx_u16 VifSample;
#else
typedef vqx_f32 VifSample;
#endif

/* Section 1 of the specification. The product with the power of two is exact, as its quotient is.
 */
VQX_FN vqx_f32 vif_luma(VifSample sample, vqx_f32 unit)
{
#if VIF_SAMPLE_BITS == 8
    return vqx_add(vqx_i32_to_f32((vqx_i32)sample), -128.0f);
#elif VIF_SAMPLE_BITS == 16
    return vqx_add(vqx_mul(vqx_i32_to_f32((vqx_i32)sample), unit), -128.0f);
#else
    return sample;
#endif
}
