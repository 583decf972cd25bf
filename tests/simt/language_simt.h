/*
 * The strip-walking kernels' language on a host: a thread is a fiber, barriers are real (see runner.h), shared memory is
 * static, one block at a time. What HIP's dialect does on AMD's devices is done here: FMAs where it has them, the
 * compiler's own f64 division, and a reciprocal that is an ulp wrong two times out of three.
 */
#ifndef VQX_TESTS_SIMT_LANGUAGE_SIMT_H
#define VQX_TESTS_SIMT_LANGUAGE_SIMT_H

#include "simt/runner.h"

#define VQX_NO_FMA /* the dialect's own: without -mfma there is none, here always */
#define VQX_RECIPROCAL(x) simt_reciprocal(x)
static inline float simt_reciprocal(float x);

#include "arith/dialect_c.h"

#define VQX_HAS_FMA 1
VQX_FN vqx_f32 vqx_fma(vqx_f32 a, vqx_f32 b, vqx_f32 c)
{
    return __builtin_fmaf(a, b, c);
}
static inline float simt_reciprocal(float x)
{
    return vqx_from_bits(vqx_bits(1.0f / x) + vqx_bits(x) % 3 - 1);
}

#define VQX_KERNEL extern "C" __attribute__((visibility("default")))
#define VQX_DEVICE static inline
#define VQX_METHOD inline
#define VQX_BOUNDS(threads, blocks)
#define VQX_PARAM const
#define VQX_SHARED static __attribute__((aligned(16)))
#define VQX_DYNAMIC_SHARED extern
#define VQX_UNROLL
#define VQX_UNROLL_3
#define VQX_NO_UNROLL
#ifndef SIMT_NO_WARP_BARRIER
#define VQX_WARP_BARRIER() simt_barrier(32)
#else
#define VQX_WARP_BARRIER()
#endif
#define VQX_BARRIER() simt_barrier(0)
#define VQX_FETCH_AHEAD 0

struct alignas(8) float2 {
    float x, y;
};
struct alignas(16) float4 {
    float x, y, z, w;
};
struct alignas(8) uint2 {
    unsigned x, y;
};
struct alignas(16) uint4 {
    unsigned x, y, z, w;
};
VQX_DEVICE float2 make_float2(float x, float y)
{
    return float2{x, y};
}
VQX_DEVICE float4 make_float4(float x, float y, float z, float w)
{
    return float4{x, y, z, w};
}
template <typename V> VQX_DEVICE V vqx_load(const V *p)
{
    return *p;
}
VQX_DEVICE vqx_f32 vqx_byte_over_2_23(vqx_u32 w, int i)
{
    return vqx_from_bits(0x4b000000u | (w >> 8 * i & 0xffu));
}
VQX_DEVICE vqx_f32 vqx_half_over_2_23(vqx_u32 w, int i)
{
    return vqx_from_bits(0x4b000000u | (w >> 16 * i & 0xffffu));
}

#endif
