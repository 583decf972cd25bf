/*
 * What a device must get right, in one kernel: a product and a sum each rounded, division,
 * subnormals, and the statistic in the form and with the division that the other kernels will use.
 * The host runs the same function through its own dialect and compares (backend/probe.h).
 */
#define VQX_PROBE_OPERANDS 8 /* f32 patterns read by a work-item */
#define VQX_PROBE_RESULTS 5  /* patterns written */

/* A NaN's bits are nobody's promise; the one that x86 and Arm make stands for all. */
VQX_FN vqx_u32 vqx_probe_bits(vqx_f32 x)
{
    return x == x ? vqx_bits(x) : 0x7fc00000u;
}

VQX_FN void vqx_probe(VQX_GLOBAL const vqx_u32 *operands, VQX_GLOBAL vqx_u32 *results,
                      VifConstants constants, vqx_u64 nsq_bits, vqx_i32 i)
{
    VQX_GLOBAL const vqx_u32 *in = operands + i * VQX_PROBE_OPERANDS;
    VQX_GLOBAL vqx_u32 *out = results + i * VQX_PROBE_RESULTS;
    const vqx_f32 a = vqx_from_bits(in[0]), b = vqx_from_bits(in[1]), c = vqx_from_bits(in[2]);
    const vqx_f32 mu1 = vqx_from_bits(in[3]), mu2 = vqx_from_bits(in[4]);
    const vqx_f32 xx = vqx_from_bits(in[5]), yy = vqx_from_bits(in[6]), xy = vqx_from_bits(in[7]);
#ifdef VIF_NATIVE
    const VifTerms t =
        vif_statistic_f64(mu1, mu2, xx, yy, xy, constants, vqx_from_bits64(nsq_bits));
#else
    const VifTerms t = vif_statistic_pair(mu1, mu2, xx, yy, xy, constants);
#endif
    out[0] = vqx_probe_bits(vqx_add(vqx_mul(a, b), c));
    out[1] = vqx_probe_bits(vqx_div(a, b));
    out[2] = vqx_probe_bits(vqx_add(vqx_mul(c, 0x1p-126f), vqx_mul(mu1, 0x1p-140f)));
    out[3] = vqx_probe_bits(t.num);
    out[4] = vqx_probe_bits(t.den);
}
