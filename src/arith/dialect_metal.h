/*
 * The arithmetic's dialect for the Metal shading language (C++14). See dialect_c.h for what a
 * dialect is.
 *
 * Metal has no f64. Compiled with -fmetal-math-mode=safe (or -fno-fast-math) and -ffp-contract=off;
 * the pragmas say the same to compilers that know them. The host may define VQX_SOFT_DIVISION where
 * a device's division is not correctly rounded.
 */
#ifndef VQX_ARITH_DIALECT_METAL_H
#define VQX_ARITH_DIALECT_METAL_H

#ifdef __FAST_MATH__
#error "vqx is exact: build it with the safe math mode"
#endif

#include <metal_stdlib>

#pragma METAL fp math_mode(safe)
#pragma METAL fp contract(off)
#pragma clang fp contract(off)

#define VQX_FN static inline
#define VQX_RARE_FN VQX_FN

typedef float vqx_f32;
typedef int vqx_i32;
typedef uint vqx_u32;
typedef ulong vqx_u64;

VQX_FN vqx_f32 vqx_reciprocal(vqx_f32 x)
{
    return 1.0f / x;
}
#define VQX_HAS_FMA 1
VQX_FN vqx_f32 vqx_fma(vqx_f32 a, vqx_f32 b, vqx_f32 c)
{
    return metal::fma(a, b, c);
}
VQX_FN vqx_f32 vqx_i32_to_f32(vqx_i32 i)
{
    return static_cast<vqx_f32>(i);
}
VQX_FN vqx_u32 vqx_bits(vqx_f32 x)
{
    return as_type<vqx_u32>(x);
}
VQX_FN vqx_f32 vqx_from_bits(vqx_u32 u)
{
    return as_type<vqx_f32>(u);
}

#include "arith/dialect_plain.h"

#endif
