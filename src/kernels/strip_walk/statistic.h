/* The statistic of a chunk: five filtered planes in shared memory become terms in place. */
#ifndef VQX_KERNELS_STRIP_WALK_STATISTIC_H
#define VQX_KERNELS_STRIP_WALK_STATISTIC_H

#include "arith/fp64_free.h"
#include "kernels/strip_walk/params.h"

/* Which form of the two f64 expressions a kernel has. */
struct NativeForm {
    static VQX_METHOD VifTerms terms(vqx_f32 mu1, vqx_f32 mu2, vqx_f32 xx, vqx_f32 yy, vqx_f32 xy,
                                     const StripWalk &p)
    {
#ifdef VQX_HAS_RANGED
        return vif_statistic_ranged(mu1, mu2, xx, yy, xy, p.constants, p.noise);
#else
        return vif_statistic_f64(mu1, mu2, xx, yy, xy, p.constants, p.noise.nsq);
#endif
    }
};
struct PairForm {
    static VQX_METHOD VifTerms terms(vqx_f32 mu1, vqx_f32 mu2, vqx_f32 xx, vqx_f32 yy, vqx_f32 xy,
                                     const StripWalk &p)
    {
        return vif_statistic_pair(mu1, mu2, xx, yy, xy, p.constants);
    }
};

/* The planes that the terms take the place of: of the warps that add them up afterwards. */
enum { STRIP_NUM = 1, STRIP_DEN = 2, STRIP_QUANTITIES = 5 };

/*
 * Four pixels: the filtered values at `at` of each plane (`plane` floats apart) belong to the
 * output columns x..x+3. Terms of columns outside the image are zero, which a row sum does not
 * feel.
 */
template <typename Form>
VQX_DEVICE void statistic_of_four(vqx_f32 *at, int plane, int x, const StripWalk &p)
{
    const float4 mu1 = *(const float4 *)at, mu2 = *(const float4 *)(at + plane),
                 xx = *(const float4 *)(at + 2 * plane), yy = *(const float4 *)(at + 3 * plane),
                 xy = *(const float4 *)(at + 4 * plane);
    VifTerms t[4];
    t[0] = Form::terms(mu1.x, mu2.x, xx.x, yy.x, xy.x, p);
    t[1] = Form::terms(mu1.y, mu2.y, xx.y, yy.y, xy.y, p);
    t[2] = Form::terms(mu1.z, mu2.z, xx.z, yy.z, xy.z, p);
    t[3] = Form::terms(mu1.w, mu2.w, xx.w, yy.w, xy.w, p);
    VQX_UNROLL
    for (int i = 0; i < 4; i++) {
        const bool outside = (unsigned)(x + i) >= (unsigned)p.width;
        t[i].num = outside ? 0.0f : t[i].num;
        t[i].den = outside ? 0.0f : t[i].den;
    }
    *(float4 *)(at + STRIP_NUM * plane) = make_float4(t[0].num, t[1].num, t[2].num, t[3].num);
    *(float4 *)(at + STRIP_DEN * plane) = make_float4(t[0].den, t[1].den, t[2].den, t[3].den);
}

/* Adds a chunk's 32 terms of one row, left to right: the order is part of the definition. */
VQX_DEVICE vqx_f32 add_terms(vqx_f32 sum, const vqx_f32 *row)
{
    VQX_UNROLL
    for (int i = 0; i < STRIP_COLUMNS / 4; i++) {
        const float4 v = ((const float4 *)row)[i];
        sum = vqx_add(vqx_add(vqx_add(vqx_add(sum, v.x), v.y), v.z), v.w);
    }
    return sum;
}

#endif
