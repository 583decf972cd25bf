/*
 * What the scale kernel keeps where VIF_DUMP is defined, after its own work: the samples its
 * filters read, and the filtered values that its statistic took from the tile. They lie as the
 * terms do, transposed; the host finds them by tiles_stage (backend/tiles/stages.h).
 */
VQX_FN void vif_scale_dump(VQX_GLOBAL const VifSample *planes, VQX_GLOBAL vqx_f32 *dump,
                           VifScaleArgs args, VQX_LOCAL const vqx_f32 *tile, VqxItem item)
{
    const vqx_i32 x0 = item.group_x * VIF_COLUMNS, y0 = item.group_y * VIF_ROWS;
    const vqx_u64 plane = (vqx_u64)args.width * (vqx_u64)args.terms_pitch;
    dump += args.terms / 2 * VIF_DUMPED; /* two planes of terms stand where these stand here */
    VQX_NO_UNROLL
    for (vqx_i32 e = item.index; e < VIF_ROWS * VIF_COLUMNS; e += VIF_GROUP) {
        const vqx_i32 x = e / VIF_ROWS, y = e % VIF_ROWS;
        if (x0 + x >= args.width || y0 + y >= args.height)
            continue;
        VQX_GLOBAL vqx_f32 *to =
            dump + (vqx_u64)(x0 + x) * (vqx_u64)args.terms_pitch + (vqx_u64)(y0 + y);
        VQX_GLOBAL const VifSample *sample =
            planes + (vqx_u64)(y0 + y) * (vqx_u64)args.pitch + (vqx_u64)(x0 + x);
        to[0] = vif_luma(sample[0], args.unit[0]);
        to[plane] = vif_luma(sample[args.image], args.unit[1]);
        VQX_NO_UNROLL
        for (vqx_i32 q = 0; q < VIF_QUANTITIES; q++)
            to[(vqx_u64)(2 + q) * plane] = tile[q * VIF_TILE_QUANTITY + y * VIF_TILE_PITCH + x];
    }
}
