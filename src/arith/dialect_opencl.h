/*
 * The arithmetic's dialect for OpenCL C 1.2. See dialect_c.h for what a dialect is.
 *
 * Built with -cl-fp32-correctly-rounded-divide-sqrt. The host may define
 *   VQX_USE_F64        the device has f64 and is to use it;
 *   VQX_SOFT_DIVISION  the device cannot promise correctly rounded f32 division.
 */
#ifndef VQX_ARITH_DIALECT_OPENCL_H
#define VQX_ARITH_DIALECT_OPENCL_H

#ifdef __FAST_RELAXED_MATH__
#error "vqx is exact: build it without -cl-fast-relaxed-math"
#endif

#pragma OPENCL FP_CONTRACT OFF

#define VQX_FN static inline
#define VQX_RARE_FN VQX_FN

typedef float vqx_f32;
typedef int vqx_i32;
typedef uint vqx_u32;
typedef ulong vqx_u64;

/* Within 2.5 ulp on every device. */
VQX_FN vqx_f32 vqx_reciprocal(vqx_f32 x)
{
    return 1.0f / x;
}
#ifdef FP_FAST_FMAF
#define VQX_HAS_FMA 1
VQX_FN vqx_f32 vqx_fma(vqx_f32 a, vqx_f32 b, vqx_f32 c)
{
    return fma(a, b, c);
}
#endif
VQX_FN vqx_f32 vqx_i32_to_f32(vqx_i32 i)
{
    return (vqx_f32)i;
}
VQX_FN vqx_u32 vqx_bits(vqx_f32 x)
{
    return as_uint(x);
}
VQX_FN vqx_f32 vqx_from_bits(vqx_u32 u)
{
    return as_float(u);
}

#ifdef VQX_USE_F64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define VQX_HAS_F64 1
typedef double vqx_f64;
#endif

#include "arith/dialect_plain.h"

#endif
