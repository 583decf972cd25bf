/*
 * The statistic of a scale: the five filters and, per pixel, the numerator's and the denominator's
 * term.
 *
 * A group makes VIF_ROWS rows of VIF_SCALE_COLUMNS columns in three steps, between which the tile
 * lies in local memory. Vertical: each work-item walks down one column and keeps VIF_ROWS sums of
 * every quantity in registers. Horizontal: each takes a run of adjacent columns of one row.
 * Statistic: each takes one pixel after another. Register arrays are indexed by constants of
 * unrolled loops only: anything else would put them in memory.
 */
#define VIF_RUNS (VIF_GROUP / VIF_ROWS)
#define VIF_COLUMNS VIF_SCALE_COLUMNS(VIF_RUN)

VQX_FN void vif_scale_vertical(VQX_GLOBAL const VifSample *planes, VQX_CONSTANT const vqx_f32 *tap,
                               VifScaleArgs args, vqx_i32 x, vqx_i32 y, VQX_LOCAL vqx_f32 *column)
{
    vqx_f32 sum[VIF_QUANTITIES][VIF_ROWS];
    VQX_UNROLL
    for (vqx_i32 q = 0; q < VIF_QUANTITIES; q++) {
        VQX_UNROLL
        for (vqx_i32 o = 0; o < VIF_ROWS; o++)
            sum[q][o] = 0.0f;
    }
    planes += vif_reflect_clamped(x, args.width);
    VIF_UNROLL_TAPS
    for (vqx_i32 i = 0; i < VIF_ROWS - 1 + VIF_TAPS; i++) {
        const vqx_i32 row = vif_reflect_clamped(y - VIF_RADIUS + i, args.height);
        VQX_GLOBAL const VifSample *sample = planes + (vqx_u64)row * (vqx_u64)args.pitch;
        vqx_f32 v[VIF_QUANTITIES];
        v[0] = vif_luma(sample[0], args.unit[0]);
        v[1] = vif_luma(sample[args.image], args.unit[1]);
        v[2] = vqx_mul(v[0], v[0]);
        v[3] = vqx_mul(v[1], v[1]);
        v[4] = vqx_mul(v[0], v[1]);
        VQX_UNROLL
        for (vqx_i32 o = 0; o < VIF_ROWS; o++) {
            const vqx_i32 k = i - o; /* rises with i: the order of the taps */
            if (k >= 0 && k < VIF_TAPS) {
                const vqx_f32 f = vif_tap(tap, k, VIF_RADIUS);
                VQX_UNROLL
                for (vqx_i32 q = 0; q < VIF_QUANTITIES; q++)
                    sum[q][o] = vqx_add(sum[q][o], vqx_mul(f, v[q]));
            }
        }
    }
    VQX_UNROLL
    for (vqx_i32 q = 0; q < VIF_QUANTITIES; q++) {
        VQX_UNROLL
        for (vqx_i32 o = 0; o < VIF_ROWS; o++)
            column[q * VIF_TILE_QUANTITY + o * VIF_TILE_PITCH] = sum[q][o];
    }
}

/* In place: reads the run and its neighbours, waits until everyone has, and writes the run. */
VQX_FN void vif_scale_horizontal(VQX_CONSTANT const vqx_f32 *tap, VifScaleArgs args,
                                 VQX_LOCAL vqx_f32 *run, VqxItem item)
{
    vqx_f32 sum[VIF_QUANTITIES][VIF_RUN];
    VQX_UNROLL
    for (vqx_i32 q = 0; q < VIF_QUANTITIES; q++) {
        VQX_UNROLL
        for (vqx_i32 o = 0; o < VIF_RUN; o++)
            sum[q][o] = 0.0f;
        VIF_UNROLL_TAPS
        for (vqx_i32 i = 0; i < VIF_RUN - 1 + VIF_TAPS; i++) {
            const vqx_f32 v = run[q * VIF_TILE_QUANTITY + i];
            VQX_UNROLL
            for (vqx_i32 o = 0; o < VIF_RUN; o++) {
                const vqx_i32 k = i - o;
                if (k >= 0 && k < VIF_TAPS)
                    sum[q][o] = vqx_add(sum[q][o], vqx_mul(vif_tap(tap, k, VIF_RADIUS), v));
            }
        }
    }
    VQX_BARRIER(item);
    VQX_UNROLL
    for (vqx_i32 q = 0; q < VIF_QUANTITIES; q++) {
        VQX_UNROLL
        for (vqx_i32 o = 0; o < VIF_RUN; o++)
            run[q * VIF_TILE_QUANTITY + o] = sum[q][o];
    }
}

VQX_FN VifTerms vif_scale_terms(VQX_LOCAL const vqx_f32 *filtered, VifScaleArgs args,
                                VifConstants constants)
{
    const vqx_f32 mu1 = filtered[0], mu2 = filtered[VIF_TILE_QUANTITY];
    const vqx_f32 xx = filtered[2 * VIF_TILE_QUANTITY], yy = filtered[3 * VIF_TILE_QUANTITY];
    const vqx_f32 xy = filtered[4 * VIF_TILE_QUANTITY];
#ifdef VIF_NATIVE
    return vif_statistic_f64(mu1, mu2, xx, yy, xy, constants, vqx_from_bits64(args.nsq_bits));
#else
    return vif_statistic_pair(mu1, mu2, xx, yy, xy, constants);
#endif
}

VQX_FN void vif_scale(VQX_GLOBAL const VifSample *planes, VQX_CONSTANT const vqx_f32 *tap,
                      VQX_GLOBAL vqx_f32 *terms, VifScaleArgs args, VifConstants constants,
                      VQX_LOCAL vqx_f32 *tile, VqxItem item)
{
    const vqx_i32 x0 = item.group_x * VIF_COLUMNS, y0 = item.group_y * VIF_ROWS;
    vif_scale_vertical(planes, tap, args, x0 - VIF_RADIUS + item.index, y0, tile + item.index);
    VQX_BARRIER(item);
    vif_scale_horizontal(
        tap, args, tile + item.index % VIF_ROWS * VIF_TILE_PITCH + item.index / VIF_ROWS * VIF_RUN,
        item);
    VQX_BARRIER(item);
    /* Rows below the plane compute on reflected samples and land in the padding of terms_pitch. */
    terms += args.terms;
    VQX_NO_UNROLL
    for (vqx_i32 e = item.index; e < VIF_ROWS * VIF_COLUMNS; e += VIF_GROUP) {
        const vqx_i32 x = e / VIF_ROWS, y = e % VIF_ROWS;
        const VifTerms t = vif_scale_terms(tile + y * VIF_TILE_PITCH + x, args, constants);
        if (x0 + x < args.width) {
            VQX_GLOBAL vqx_f32 *num =
                terms + (vqx_u64)(x0 + x) * (vqx_u64)args.terms_pitch + (vqx_u64)(y0 + y);
            num[0] = t.num;
            num[(vqx_u64)args.width * (vqx_u64)args.terms_pitch] = t.den;
        }
    }
}
