/*
 * The arithmetic's dialect for HIP device code. See dialect_c.h for what a dialect is.
 *
 * On AMD's compiler (clang) plain operators round once: the pragma forbids contraction from here to
 * the end of the file that includes this one, f32 division is correctly rounded and subnormals are
 * kept by default. Compile with -ffp-contract=off as well. HIP for NVIDIA is compiled by nvcc and
 * speaks CUDA's dialect.
 */
#ifndef VQX_ARITH_DIALECT_HIP_H
#define VQX_ARITH_DIALECT_HIP_H

#ifdef __HIP_PLATFORM_NVIDIA__
#include "arith/dialect_cuda.h"
#else

#ifdef __FAST_MATH__
#error "vqx is exact: build it without fast-math flags"
#endif

#pragma clang fp contract(off)

#define VQX_FN static __device__ __forceinline__
#define VQX_RARE_FN VQX_FN /* a call would need a stack in scratch memory */

typedef float vqx_f32;
typedef double vqx_f64;
typedef int vqx_i32;
typedef unsigned int vqx_u32;
typedef unsigned long long vqx_u64;

/* v_rcp_f32, within one ulp. */
VQX_FN vqx_f32 vqx_reciprocal(vqx_f32 x)
{
    return __builtin_amdgcn_rcpf(x);
}
#define VQX_HAS_FMA 1
VQX_FN vqx_f32 vqx_fma(vqx_f32 a, vqx_f32 b, vqx_f32 c)
{
    return __builtin_fmaf(a, b, c);
}
VQX_FN vqx_f32 vqx_i32_to_f32(vqx_i32 i)
{
    return (vqx_f32)i;
}
VQX_FN vqx_u32 vqx_bits(vqx_f32 x)
{
    return __builtin_bit_cast(vqx_u32, x);
}
VQX_FN vqx_f32 vqx_from_bits(vqx_u32 u)
{
    return __builtin_bit_cast(vqx_f32, u);
}

#define VQX_HAS_F64 1

#include "arith/dialect_plain.h"

#endif
#endif
