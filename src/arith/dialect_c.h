/*
 * The arithmetic's dialect for C17 and C++17 hosts.
 *
 * A dialect gives the headers of this folder a language: types of known width, one spelling for
 * each operation that rounds, and bit casts. Every + - * / of a formula goes through it, so that a
 * device language can spell "rounded once, never fused" its own way. Everything else in a formula
 * (comparisons, selections, integers) is plain C. Exactly one dialect is included, before any other
 * header of this folder.
 */
#ifndef VQX_ARITH_DIALECT_C_H
#define VQX_ARITH_DIALECT_C_H

#ifdef __FAST_MATH__
#error "vqx is exact: build it without fast-math flags"
#endif

#include <float.h>
#include <stdint.h>
#include <string.h>

/* 16 is 0 for float and double: it only says that _Float16, which nothing here uses, has operations of its
 * own (gcc -march=native on a processor with AVX512-FP16). */
#if !defined(FLT_EVAL_METHOD) || (FLT_EVAL_METHOD != 0 && FLT_EVAL_METHOD != 16)
#error "vqx needs float operations that round to float (FLT_EVAL_METHOD 0 or 16)"
#endif

#define VQX_FN static inline
#define VQX_RARE_FN static __attribute__((noinline, unused)) /* functions that are seldom called */

typedef float vqx_f32;
typedef double vqx_f64;
typedef int32_t vqx_i32;
typedef uint32_t vqx_u32;
typedef uint64_t vqx_u64;

/* 1 / x within 2.5 ulp, for x from 2^-60 to 2^60: no result may depend on more, and tests put in
 * one that is that wrong. */
#ifndef VQX_RECIPROCAL
#define VQX_RECIPROCAL(x) (1.0f / (x))
#endif
VQX_FN vqx_f32 vqx_reciprocal(vqx_f32 x)
{
    return VQX_RECIPROCAL(x);
}
/* a * b + c rounded once, where that is an instruction. For error_free.h alone. */
#if !defined(VQX_NO_FMA) && (defined(__FMA__) || defined(__ARM_FEATURE_FMA))
#define VQX_HAS_FMA 1
VQX_FN vqx_f32 vqx_fma(vqx_f32 a, vqx_f32 b, vqx_f32 c)
{
    return __builtin_fmaf(a, b, c);
}
#endif
VQX_FN vqx_f32 vqx_i32_to_f32(vqx_i32 i)
{
    return (vqx_f32)i;
}
VQX_FN vqx_u32 vqx_bits(vqx_f32 x)
{
    vqx_u32 u;
    memcpy(&u, &x, sizeof u);
    return u;
}
VQX_FN vqx_f32 vqx_from_bits(vqx_u32 u)
{
    vqx_f32 x;
    memcpy(&x, &u, sizeof x);
    return x;
}

#define VQX_HAS_F64 1

#include "arith/dialect_plain.h"

#endif
