/*
 * The arithmetic's dialect for SYCL 2020, C++17. See dialect_c.h for what a dialect is.
 *
 * Compiled with -ffp-contract=off (AdaptiveCpp) or -fp-model=precise -ffp-contract=off
 * -foffload-fp32-prec-div (DPC++). The backend may define
 *   VQX_USE_FMA        its devices have a fused multiply-add in one instruction;
 *   VQX_NO_F64         no f64 type may stand in its code;
 *   VQX_SOFT_DIVISION  its devices cannot promise correctly rounded f32 division.
 */
#ifndef VQX_ARITH_DIALECT_SYCL_H
#define VQX_ARITH_DIALECT_SYCL_H

#ifdef __FAST_MATH__
#error "vqx is exact: build it without fast-math flags"
#endif

#include <cstdint>

#ifdef __clang__
#pragma clang fp contract(off)
#endif

/* Inlined whatever its size: a call would need a stack, which Intel's compilers put in scratch
 * memory. */
#define VQX_FN static inline __attribute__((always_inline))
#define VQX_RARE_FN VQX_FN

typedef float vqx_f32;
typedef std::int32_t vqx_i32;
typedef std::uint32_t vqx_u32;
typedef std::uint64_t vqx_u64;

VQX_FN vqx_f32 vqx_reciprocal(vqx_f32 x)
{
    return 1.0f / x;
}
#ifdef VQX_USE_FMA
#define VQX_HAS_FMA 1
VQX_FN vqx_f32 vqx_fma(vqx_f32 a, vqx_f32 b, vqx_f32 c)
{
    return __builtin_fmaf(a, b, c);
}
#endif
VQX_FN vqx_f32 vqx_i32_to_f32(vqx_i32 i)
{
    return static_cast<vqx_f32>(i);
}
VQX_FN vqx_u32 vqx_bits(vqx_f32 x)
{
    return __builtin_bit_cast(vqx_u32, x);
}
VQX_FN vqx_f32 vqx_from_bits(vqx_u32 u)
{
    return __builtin_bit_cast(vqx_f32, u);
}

#ifndef VQX_NO_F64
#define VQX_HAS_F64 1
typedef double vqx_f64;
#endif

#include "arith/dialect_plain.h"

#endif
