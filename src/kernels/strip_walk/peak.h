/* Unfused multiplications and additions as fast as the device issues them, for benchmarks. */
#ifndef VQX_KERNELS_STRIP_WALK_PEAK_H
#define VQX_KERNELS_STRIP_WALK_PEAK_H

#include "kernels/strip_walk/params.h"

VQX_DEVICE void peak_f32(vqx_f32 *out, int rounds)
{
    vqx_f32 v[PEAK_CHAINS];
    VQX_UNROLL
    for (int i = 0; i < PEAK_CHAINS; i++)
        v[i] = vqx_i32_to_f32((vqx_i32)threadIdx.x + i);
    for (int r = 0; r < rounds; r++) {
        VQX_UNROLL
        for (int i = 0; i < PEAK_CHAINS; i++)
            v[i] = vqx_add(vqx_mul(v[i], 0.75f), 1.0f);
    }
    vqx_f32 sum = 0.0f;
    VQX_UNROLL
    for (int i = 0; i < PEAK_CHAINS; i++)
        sum = vqx_add(sum, v[i]);
    if (sum == 0.5f) /* never; the work must not be optimized away */
        *out = sum;
}

#endif
