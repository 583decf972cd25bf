/*
 * Scale s > 0's plane from the previous one's: filtered with scale s's taps, samples (2x, 2y) kept,
 * and only those computed.
 *
 * A group makes VIF_ROWS rows of VIF_DECIMATE_COLUMNS columns. Each work-item filters one column
 * vertically, at the kept rows alone; the results meet in local memory and are filtered
 * horizontally at the kept columns. The columns a work-item beyond the last needed one loads are
 * clamped into the plane.
 */
VQX_FN void vif_decimate_vertical(VQX_GLOBAL const VifSample *plane,
                                  VQX_CONSTANT const vqx_f32 *tap, VifDecimateArgs args,
                                  vqx_f32 unit, vqx_i32 x, vqx_i32 y, VQX_LOCAL vqx_f32 *column)
{
    vqx_f32 sum[VIF_ROWS];
    VQX_UNROLL
    for (vqx_i32 o = 0; o < VIF_ROWS; o++)
        sum[o] = 0.0f;
    x = vif_reflect_clamped(x, args.width);
    VIF_UNROLL_TAPS
    for (vqx_i32 i = 0; i < 2 * VIF_ROWS - 2 + VIF_TAPS; i++) {
        const vqx_i32 row = vif_reflect_clamped(y - VIF_RADIUS + i, args.height);
        const vqx_f32 v = vif_luma(plane[(vqx_u64)row * (vqx_u64)args.pitch + (vqx_u64)x], unit);
        VQX_UNROLL
        for (vqx_i32 o = 0; o < VIF_ROWS; o++) {
            const vqx_i32 k = i - 2 * o; /* rises with i: the order of the taps */
            if (k >= 0 && k < VIF_TAPS)
                sum[o] = vqx_add(sum[o], vqx_mul(vif_tap(tap, k, VIF_RADIUS), v));
        }
    }
    VQX_UNROLL
    for (vqx_i32 o = 0; o < VIF_ROWS; o++)
        column[o * VIF_DECIMATE_PITCH] = sum[o];
}

VQX_FN void vif_decimate(VQX_GLOBAL const VifSample *planes, VQX_CONSTANT const vqx_f32 *tap,
                         VQX_GLOBAL vqx_f32 *out, VifDecimateArgs args, VQX_LOCAL vqx_f32 *tile,
                         VqxItem item)
{
    const vqx_i32 columns = VIF_DECIMATE_COLUMNS(VIF_RADIUS);
    const vqx_i32 x0 = item.group_x * columns, y0 = item.group_y * VIF_ROWS;
    planes += (vqx_u64)item.group_z * args.image;
    out += (vqx_u64)item.group_z * args.out_image;
    vif_decimate_vertical(planes, tap, args, item.group_z ? args.unit[1] : args.unit[0],
                          2 * x0 - VIF_RADIUS + item.index, 2 * y0, tile + item.index);
    VQX_BARRIER(item);
    /* Half a group to a row: at most VIF_GROUP / 2 - 1 columns are kept. */
    const vqx_i32 x = item.index % (VIF_GROUP / 2);
    VQX_NO_UNROLL
    for (vqx_i32 y = item.index / (VIF_GROUP / 2); y < VIF_ROWS; y += 2) {
        VQX_LOCAL const vqx_f32 *row = tile + y * VIF_DECIMATE_PITCH + 2 * x;
        vqx_f32 sum = 0.0f;
        if (x >= columns || x0 + x >= args.out_width || y0 + y >= args.out_height)
            continue;
        VIF_UNROLL_TAPS
        for (vqx_i32 k = 0; k < VIF_TAPS; k++)
            sum = vqx_add(sum, vqx_mul(vif_tap(tap, k, VIF_RADIUS), row[k]));
        out[(vqx_u64)(y0 + y) * (vqx_u64)args.out_pitch + (vqx_u64)(x0 + x)] = sum;
    }
}
