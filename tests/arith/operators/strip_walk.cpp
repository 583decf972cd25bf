/* The strip-walking kernels without operators: as much of CUDA C++ as they speak, then every one of them. */
#include "dialect_strict.h"

#define VQX_KERNEL
#define VQX_DEVICE static inline
#define VQX_METHOD
#define VQX_BOUNDS(threads, blocks)
#define VQX_PARAM const
#define VQX_SHARED static
#define VQX_DYNAMIC_SHARED extern
#define VQX_UNROLL
#define VQX_UNROLL_3
#define VQX_NO_UNROLL
#define VQX_BARRIER()
#define VQX_WARP_BARRIER()

struct Index {
    unsigned x, y, z;
};
static const Index threadIdx = {0, 0, 0}, blockIdx = {0, 0, 0};

struct float4 {
    vqx_f32 x, y, z, w;
};
struct float2 {
    vqx_f32 x, y;
};
struct uint2 {
    unsigned x, y;
};
struct uint4 {
    unsigned x, y, z, w;
};
VQX_DEVICE float2 make_float2(vqx_f32 x, vqx_f32 y)
{
    const float2 r = {x, y};
    return r;
}
VQX_DEVICE float4 make_float4(vqx_f32 x, vqx_f32 y, vqx_f32 z, vqx_f32 w)
{
    const float4 r = {x, y, z, w};
    return r;
}

template <typename V> VQX_DEVICE V vqx_load(const V *p)
{
    return *p;
}
VQX_DEVICE vqx_f32 vqx_byte_over_2_23(vqx_u32 w, int i)
{
    return vqx_from_bits(0x4b000000u | (w >> 8 * i & 255u));
}
VQX_DEVICE vqx_f32 vqx_half_over_2_23(vqx_u32 w, int i)
{
    return vqx_from_bits(0x4b000000u | (w >> 16 * i & 65535u));
}

#include "kernels/strip_walk/kernels.h"
