/*
 * + - * / as plain operators, for the dialects of languages whose compiler rounds each once when it is told to: C, HIP,
 * OpenCL C, SYCL, Metal. A dialect tells it, defines the types, the bit casts and what it has (VQX_HAS_F64,
 * VQX_SOFT_DIVISION), and includes this last.
 */
#ifndef VQX_ARITH_DIALECT_PLAIN_H
#define VQX_ARITH_DIALECT_PLAIN_H

VQX_FN vqx_f32 vqx_add(vqx_f32 a, vqx_f32 b)
{
    return a + b;
}
VQX_FN vqx_f32 vqx_sub(vqx_f32 a, vqx_f32 b)
{
    return a - b;
}
VQX_FN vqx_f32 vqx_mul(vqx_f32 a, vqx_f32 b)
{
    return a * b;
}

/* For devices without correctly rounded division, and for tests. */
#ifdef VQX_SOFT_DIVISION
#include "arith/soft_division.h"
#else
VQX_FN vqx_f32 vqx_div(vqx_f32 a, vqx_f32 b)
{
    return a / b;
}
#endif

#ifdef VQX_HAS_F64
VQX_FN vqx_f64 vqx_add64(vqx_f64 a, vqx_f64 b)
{
    return a + b;
}
VQX_FN vqx_f64 vqx_div64(vqx_f64 a, vqx_f64 b)
{
    return a / b;
}
VQX_FN vqx_f64 vqx_f32_to_f64(vqx_f32 x)
{
    return (vqx_f64)x;
}
VQX_FN vqx_f32 vqx_f64_to_f32(vqx_f64 x)
{
    return (vqx_f32)x;
}
#endif

#endif
