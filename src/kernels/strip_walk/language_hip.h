/*
 * What the strip-walking kernels need of HIP besides the arithmetic's dialect: of the compiler alone, so that any clang
 * with an AMDGPU target compiles them, and hiprtc as well.
 *
 * A "warp" of the kernels is 32 threads. Where a wave has 64, it is half of one: its 32 threads take every branch
 * together, a wave executes in lockstep, and its accesses to shared memory are done in order, so what a warp barrier must
 * do either way is to keep the compiler from moving memory accesses across it: a fence of the wave.
 */
#ifndef VQX_KERNELS_STRIP_WALK_LANGUAGE_HIP_H
#define VQX_KERNELS_STRIP_WALK_LANGUAGE_HIP_H

#ifdef __HIP_PLATFORM_NVIDIA__ /* nvcc compiles it */
#include "kernels/strip_walk/language_cuda.h"
#else

#ifndef __HIPCC_RTC__ /* hiprtc brings these names along */
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __forceinline__ inline __attribute__((always_inline))
#endif

#include "arith/dialect_hip.h"

#define VQX_KERNEL extern "C" __global__ __attribute__((visibility("protected")))
#define VQX_DEVICE static __device__ __forceinline__
#define VQX_METHOD __device__ __forceinline__
/* Every launch has exactly so many threads. */
#define VQX_BOUNDS(threads, blocks) __attribute__((amdgpu_flat_work_group_size(threads, threads)))
#define VQX_PARAM
#define VQX_SHARED __shared__ __attribute__((aligned(16)))
#define VQX_DYNAMIC_SHARED extern __shared__ __attribute__((aligned(16)))
#define VQX_UNROLL _Pragma("unroll")
#define VQX_UNROLL_3 _Pragma("unroll 3")
#define VQX_NO_UNROLL _Pragma("clang loop unroll(disable)")

VQX_DEVICE void vqx_barrier()
{
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
    __builtin_amdgcn_s_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
VQX_DEVICE void vqx_warp_barrier()
{
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "wavefront");
    __builtin_amdgcn_wave_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "wavefront");
}
#define VQX_BARRIER() vqx_barrier()
#define VQX_WARP_BARRIER() vqx_warp_barrier()
/* A large array of loads would lie in scratch memory; the compiler moves the loads up itself. */
#define VQX_FETCH_AHEAD 0

struct VqxIndex {
    unsigned x, y, z;
};
#define threadIdx (VqxIndex{__builtin_amdgcn_workitem_id_x(), 0, 0})
#define blockIdx                                                                    \
    (VqxIndex{__builtin_amdgcn_workgroup_id_x(), __builtin_amdgcn_workgroup_id_y(), \
              __builtin_amdgcn_workgroup_id_z()})

/* hiprtc's own are classes of unions, arrays of which would lie in scratch memory. */
#define float2 VqxFloat2
#define float4 VqxFloat4
#define uint2 VqxUint2
#define uint4 VqxUint4
#define make_float2 vqx_make_float2
#define make_float4 vqx_make_float4
struct __attribute__((aligned(8))) VqxFloat2 {
    float x, y;
};
struct __attribute__((aligned(16))) VqxFloat4 {
    float x, y, z, w;
};
struct __attribute__((aligned(8))) VqxUint2 {
    unsigned x, y;
};
struct __attribute__((aligned(16))) VqxUint4 {
    unsigned x, y, z, w;
};
VQX_DEVICE VqxFloat2 vqx_make_float2(float x, float y)
{
    return VqxFloat2{x, y};
}
VQX_DEVICE VqxFloat4 vqx_make_float4(float x, float y, float z, float w)
{
    return VqxFloat4{x, y, z, w};
}

/* Reads of memory that no one writes during the launch. */
template <typename V> VQX_DEVICE V vqx_load(const V *p)
{
    return *p;
}

/* Byte i, or 16-bit half i, of w in the fraction of 2^23: the f32 2^23 + sample. */
VQX_DEVICE vqx_f32 vqx_byte_over_2_23(vqx_u32 w, int i)
{
    return vqx_from_bits(0x4b000000u | (w >> 8 * i & 0xffu));
}
VQX_DEVICE vqx_f32 vqx_half_over_2_23(vqx_u32 w, int i)
{
    return vqx_from_bits(0x4b000000u | (w >> 16 * i & 0xffffu));
}

#endif
#endif
