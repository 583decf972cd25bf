/* Reading samples of the three types a plane can have, as f32, one or a 16-byte word at a time. */
#ifndef VQX_KERNELS_STRIP_WALK_SAMPLES_H
#define VQX_KERNELS_STRIP_WALK_SAMPLES_H

#include "arith/reflect.h"
#include "kernels/strip_walk/params.h"

typedef unsigned char StripByte;
typedef unsigned short StripWord;

/*
 * 2^23 + sample comes from bits alone; times factor = 2^-(depth-8) and plus bias = -(2^23 * factor
 * + 128) it is what the specification's section 1 says. The fused operation is exact: every
 * intermediate is a multiple of factor below 2^24 of them. f32 samples are left alone.
 */
struct SampleConvert {
    vqx_f32 factor, bias;
    VQX_METHOD vqx_f32 operator()(vqx_f32 over) const
    {
        return vqx_fma(over, factor, bias);
    }
};

VQX_DEVICE SampleConvert convert_of(const StripConvert &c, int image)
{
    SampleConvert r;
    r.factor = c.factor[image];
    r.bias = c.bias[image];
    return r;
}

VQX_DEVICE vqx_f32 sample_value(StripByte v, SampleConvert c)
{
    return c(vqx_from_bits(0x4b000000u | v));
}
VQX_DEVICE vqx_f32 sample_value(StripWord v, SampleConvert c)
{
    return c(vqx_from_bits(0x4b000000u | v));
}
VQX_DEVICE vqx_f32 sample_value(vqx_f32 v, SampleConvert)
{
    return v;
}

/* Four samples: a vector of their size (Four), and how many a 16-byte word holds. */
template <typename T> struct SampleTraits;

template <> struct SampleTraits<StripByte> {
    static const int per_word = 16;
    typedef vqx_u32 Four;
    static VQX_METHOD void unpack(uint4 w, SampleConvert c, vqx_f32 *out)
    {
        const vqx_u32 part[4] = {w.x, w.y, w.z, w.w};
        VQX_UNROLL
        for (int i = 0; i < 16; i++)
            out[i] = c(vqx_byte_over_2_23(part[i / 4], i % 4));
    }
    static VQX_METHOD void unpack(Four w, SampleConvert c, vqx_f32 *out)
    {
        VQX_UNROLL
        for (int i = 0; i < 4; i++)
            out[i] = c(vqx_byte_over_2_23(w, i));
    }
};

template <> struct SampleTraits<StripWord> {
    static const int per_word = 8;
    typedef uint2 Four;
    static VQX_METHOD void unpack(uint4 w, SampleConvert c, vqx_f32 *out)
    {
        const vqx_u32 part[4] = {w.x, w.y, w.z, w.w};
        VQX_UNROLL
        for (int i = 0; i < 8; i++)
            out[i] = c(vqx_half_over_2_23(part[i / 2], i % 2));
    }
    static VQX_METHOD void unpack(Four w, SampleConvert c, vqx_f32 *out)
    {
        const vqx_u32 part[2] = {w.x, w.y};
        VQX_UNROLL
        for (int i = 0; i < 4; i++)
            out[i] = c(vqx_half_over_2_23(part[i / 2], i % 2));
    }
};

template <> struct SampleTraits<vqx_f32> {
    static const int per_word = 4;
    typedef uint4 Four;
    static VQX_METHOD void unpack(uint4 w, SampleConvert, vqx_f32 *out)
    {
        out[0] = vqx_from_bits(w.x);
        out[1] = vqx_from_bits(w.y);
        out[2] = vqx_from_bits(w.z);
        out[3] = vqx_from_bits(w.w);
    }
};

template <typename T>
VQX_DEVICE const T *plane_row(const StripPlanes &planes, int frame, int image, int y)
{
    return (const T *)((const char *)planes.data[image][frame] + y * planes.stride[image][frame]);
}

#endif
