/* The statistic of a chunk: five filtered planes in shared memory become terms in place. */
#ifndef VQX_KERNELS_STRIP_WALK_STATISTIC_H
#define VQX_KERNELS_STRIP_WALK_STATISTIC_H

#include "arith/fp64_free.h"
#include "kernels/strip_walk/params.h"

VQX_DEVICE void load_floats(vqx_f32 (&v)[2], const vqx_f32 *from)
{
    const float2 w = *(const float2 *)from;
    v[0] = w.x, v[1] = w.y;
}
VQX_DEVICE void load_floats(vqx_f32 (&v)[4], const vqx_f32 *from)
{
    const float4 w = *(const float4 *)from;
    v[0] = w.x, v[1] = w.y, v[2] = w.z, v[3] = w.w;
}
VQX_DEVICE void store_floats(vqx_f32 *to, const vqx_f32 (&v)[2])
{
    *(float2 *)to = make_float2(v[0], v[1]);
}
VQX_DEVICE void store_floats(vqx_f32 *to, const vqx_f32 (&v)[4])
{
    *(float4 *)to = make_float4(v[0], v[1], v[2], v[3]);
}

/* The terms of one pixel in each form of the two f64 expressions. */
struct NativeTerms {
    static VQX_METHOD VifTerms of(vqx_f32 mu1, vqx_f32 mu2, vqx_f32 xx, vqx_f32 yy, vqx_f32 xy,
                                  const StripWalk &p)
    {
        return vif_statistic_ranged(mu1, mu2, xx, yy, xy, p.constants, p.noise);
    }
};
struct NativePowerTerms { /* of a noise variance that is a power of two, as the default is */
    static VQX_METHOD VifTerms of(vqx_f32 mu1, vqx_f32 mu2, vqx_f32 xx, vqx_f32 yy, vqx_f32 xy,
                                  const StripWalk &p)
    {
        return vif_statistic_ranged_power(mu1, mu2, xx, yy, xy, p.constants, p.noise);
    }
};
struct PairTerms {
    static VQX_METHOD VifTerms of(vqx_f32 mu1, vqx_f32 mu2, vqx_f32 xx, vqx_f32 yy, vqx_f32 xy,
                                  const StripWalk &p)
    {
        return vif_statistic_pair(mu1, mu2, xx, yy, xy, p.constants);
    }
};

/* The planes that the terms take the place of: of the warps that add them up afterwards. */
enum { STRIP_NUM = 1, STRIP_DEN = 2, STRIP_QUANTITIES = 5 };

/*
 * N pixels, 2 or 4: the filtered values at `at` of each plane (`plane` floats apart) belong to the
 * output columns from x on. Terms of columns outside the image are zero, which a row sum does not
 * feel.
 */
template <typename Terms, int N>
VQX_DEVICE void terms_of(vqx_f32 *at, int plane, int x, const StripWalk &p)
{
    vqx_f32 v[STRIP_QUANTITIES][N], num[N], den[N];
    VQX_UNROLL
    for (int q = 0; q < STRIP_QUANTITIES; q++)
        load_floats(v[q], at + q * plane);
    VQX_UNROLL
    for (int i = 0; i < N; i++) {
        const VifTerms t = Terms::of(v[0][i], v[1][i], v[2][i], v[3][i], v[4][i], p);
        const bool outside = (unsigned)(x + i) >= (unsigned)p.width;
        num[i] = outside ? 0.0f : t.num;
        den[i] = outside ? 0.0f : t.den;
    }
    store_floats(at + STRIP_NUM * plane, num);
    store_floats(at + STRIP_DEN * plane, den);
}

/* A kernel's form. The values at `at` are of row y, the columns from x on. */
struct NativeForm {
    template <int N>
    static VQX_METHOD void terms(vqx_f32 *at, int plane, int x, int, const StripWalk &p)
    {
        if (VIF_HAS_POWER_FORM && p.constants.nsq_is_power)
            terms_of<NativePowerTerms, N>(at, plane, x, p);
        else
            terms_of<NativeTerms, N>(at, plane, x, p);
    }
};
struct PairForm {
    template <int N>
    static VQX_METHOD void terms(vqx_f32 *at, int plane, int x, int, const StripWalk &p)
    {
        terms_of<PairTerms, N>(at, plane, x, p);
    }
};

template <int N> VQX_DEVICE void keep(vqx_f32 *to, const vqx_f32 *from)
{
    VQX_UNROLL
    for (int i = 0; i < N; i++)
        to[i] = from[i];
}

/* A form that also keeps what it reads and makes: where a difference begins is found by this. The
 * walk passes the image's edges, and the kept planes have room for it. */
template <typename Form> struct KeepingForm {
    template <int N>
    static VQX_METHOD void terms(vqx_f32 *at, int plane, int x, int y, const StripWalk &p)
    {
        vqx_f32 *to = p.kept + y * p.kept_pitch + x;
        VQX_NO_UNROLL
        for (int q = 0; q < STRIP_QUANTITIES; q++, to += p.kept_plane)
            keep<N>(to, at + q * plane);
        Form::template terms<N>(at, plane, x, y, p);
        keep<N>(to, at + STRIP_NUM * plane);
        keep<N>(to + p.kept_plane, at + STRIP_DEN * plane);
    }
};

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
