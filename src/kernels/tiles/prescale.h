/*
 * Section 2 of the specification: an image resized with the plan's tables, a work-item an output.
 * Groups lie along x; their y is the row.
 */
VQX_FN void vif_prescale(VQX_GLOBAL const VifSample *samples, VQX_GLOBAL const vqx_i32 *x_index,
                         VQX_GLOBAL const vqx_f32 *x_weight, VQX_GLOBAL const vqx_i32 *y_index,
                         VQX_GLOBAL const vqx_f32 *y_weight, VQX_GLOBAL vqx_f32 *out,
                         VifPrescaleArgs args, VqxItem item)
{
    const vqx_i32 x = item.group_x * VIF_GROUP + item.index, y = item.group_y;
    vqx_f32 sum = 0.0f, weights = 0.0f;
    if (x >= args.width)
        return;
    samples += args.in;
    VQX_NO_UNROLL
    for (vqx_i32 j = 0; j < args.taps; j++) {
        const vqx_i32 row = y_index[y * args.taps + j];
        VQX_NO_UNROLL
        for (vqx_i32 i = 0; i < args.taps; i++) {
            const vqx_i32 column = x_index[x * args.taps + i];
            const vqx_f32 v = vif_luma(
                samples[(vqx_u64)row * (vqx_u64)args.in_pitch + (vqx_u64)column], args.unit);
            if (args.weighted) {
                const vqx_f32 w = vqx_mul(x_weight[x * args.taps + i], y_weight[y * args.taps + j]);
                weights = vqx_add(weights, w);
                sum = vqx_add(sum, vqx_mul(v, w));
            } else {
                sum = v;
            }
        }
    }
    if (args.normalized)
        sum = vqx_div(sum, weights);
    out[args.out + (vqx_u64)y * (vqx_u64)args.out_pitch + (vqx_u64)x] = sum;
}
