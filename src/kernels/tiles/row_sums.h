/*
 * The row sums of a scale: a work-item adds one row's terms left to right, the order that is part
 * of the definition. The group's y is 0 for the numerators, 1 for the denominators; its z the
 * scale.
 */
#define VIF_ROW_AHEAD 32 /* terms loaded before they are added, so that loads overlap */

VQX_FN void vif_row_sums(VQX_GLOBAL const vqx_f32 *terms, VQX_CONSTANT const VifRowSumArgs *scales,
                         VQX_GLOBAL vqx_f32 *sums, VqxItem item)
{
    VQX_CONSTANT const VifRowSumArgs *args = scales + item.group_z;
    const vqx_i32 width = args->width, y = item.group_x * VIF_ROW_GROUP + item.index;
    const vqx_u64 pitch = (vqx_u64)args->terms_pitch;
    vqx_f32 sum = 0.0f;
    vqx_i32 x = 0;
    if (y >= args->height)
        return;
    terms += args->terms + (vqx_u64)item.group_y * (vqx_u64)width * pitch + (vqx_u64)y;
    VQX_NO_UNROLL
    for (; x + VIF_ROW_AHEAD <= width; x += VIF_ROW_AHEAD) {
        vqx_f32 ahead[VIF_ROW_AHEAD];
        VQX_UNROLL
        for (vqx_i32 i = 0; i < VIF_ROW_AHEAD; i++)
            ahead[i] = terms[(vqx_u64)(x + i) * pitch];
        VQX_UNROLL
        for (vqx_i32 i = 0; i < VIF_ROW_AHEAD; i++)
            sum = vqx_add(sum, ahead[i]);
    }
    VQX_NO_UNROLL
    for (; x < width; x++)
        sum = vqx_add(sum, terms[(vqx_u64)x * pitch]);
    sums[args->sums + 2 * (vqx_u64)y + (vqx_u64)item.group_y] = sum;
}
