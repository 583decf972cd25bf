/* What the strip-walking kernels need of CUDA C++ besides the arithmetic's dialect. */
#ifndef VQX_KERNELS_STRIP_WALK_LANGUAGE_CUDA_H
#define VQX_KERNELS_STRIP_WALK_LANGUAGE_CUDA_H

#include "arith/dialect_cuda.h"

#define VQX_KERNEL extern "C" __global__
#define VQX_DEVICE static __device__ __forceinline__
#define VQX_METHOD __device__ __forceinline__
#define VQX_BOUNDS(threads, blocks) __launch_bounds__(threads, blocks)
#define VQX_PARAM const __grid_constant__ /* a parameter read where it lies, in constant memory */
#define VQX_SHARED __shared__ __align__(16)
#define VQX_DYNAMIC_SHARED extern __shared__ __align__(16)
#define VQX_UNROLL _Pragma("unroll")
#define VQX_UNROLL_3 _Pragma("unroll 3")
#define VQX_NO_UNROLL _Pragma("unroll 1")
#define VQX_BARRIER() __syncthreads()
#define VQX_WARP_BARRIER() __syncwarp() /* of 32 threads */
#define VQX_FETCH_AHEAD 1               /* large register arrays of loads are loads in flight */

/* Reads of memory that no one writes during the launch. */
template <typename V> VQX_DEVICE V vqx_load(const V *p)
{
    return __ldg(p);
}

/* Byte i, or 16-bit half i, of w in the fraction of 2^23: the f32 2^23 + sample. */
VQX_DEVICE vqx_f32 vqx_byte_over_2_23(vqx_u32 w, int i)
{
    return vqx_from_bits(__byte_perm(w, 0x4b000000u, 0x7440u | (vqx_u32)i));
}
VQX_DEVICE vqx_f32 vqx_half_over_2_23(vqx_u32 w, int i)
{
    return vqx_from_bits(__byte_perm(w, 0x4b000000u, i ? 0x7432u : 0x7410u));
}

#endif
