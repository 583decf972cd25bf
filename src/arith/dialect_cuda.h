/*
 * The arithmetic's dialect for CUDA device code. See dialect_c.h for what a dialect is.
 *
 * Every rounding operation is an intrinsic, which no flag contracts or makes approximate.
 */
#ifndef VQX_ARITH_DIALECT_CUDA_H
#define VQX_ARITH_DIALECT_CUDA_H

#define VQX_FN static __device__ __forceinline__
#define VQX_RARE_FN static __device__ __noinline__

typedef float vqx_f32;
typedef double vqx_f64;
typedef int vqx_i32;
typedef unsigned int vqx_u32;
typedef unsigned long long vqx_u64;

VQX_FN vqx_f32 vqx_add(vqx_f32 a, vqx_f32 b)
{
    return __fadd_rn(a, b);
}
VQX_FN vqx_f32 vqx_sub(vqx_f32 a, vqx_f32 b)
{
    return __fsub_rn(a, b);
}
VQX_FN vqx_f32 vqx_mul(vqx_f32 a, vqx_f32 b)
{
    return __fmul_rn(a, b);
}
VQX_FN vqx_f32 vqx_div(vqx_f32 a, vqx_f32 b)
{
    return __fdiv_rn(a, b);
}
/* One instruction, within one ulp; its flush of subnormals lies outside the range asked for. */
VQX_FN vqx_f32 vqx_reciprocal(vqx_f32 x)
{
    vqx_f32 r;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(x));
    return r;
}
#define VQX_HAS_FMA 1
VQX_FN vqx_f32 vqx_fma(vqx_f32 a, vqx_f32 b, vqx_f32 c)
{
    return __fmaf_rn(a, b, c);
}
VQX_FN vqx_f32 vqx_i32_to_f32(vqx_i32 i)
{
    return __int2float_rn(i);
}
VQX_FN vqx_u32 vqx_bits(vqx_f32 x)
{
    return __float_as_uint(x);
}
VQX_FN vqx_f32 vqx_from_bits(vqx_u32 u)
{
    return __uint_as_float(u);
}

#define VQX_HAS_F64 1
VQX_FN vqx_f64 vqx_add64(vqx_f64 a, vqx_f64 b)
{
    return __dadd_rn(a, b);
}
VQX_FN vqx_f64 vqx_div64(vqx_f64 a, vqx_f64 b)
{
    return __ddiv_rn(a, b);
}
/* For ranged.h: from the upper 32 bits of x, within 2^-19. The lower 32 bits of the result are 1, not 0, as in
 * the compiler's own division: see there. */
#define VQX_HAS_RANGED 1
VQX_FN vqx_f64 vqx_reciprocal64(vqx_f64 x)
{
    vqx_f64 r;
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(r) : "d"(x));
    return __hiloint2double(__double2hiint(r), 1);
}
VQX_FN vqx_f64 vqx_mul64(vqx_f64 a, vqx_f64 b)
{
    return __dmul_rn(a, b);
}
VQX_FN vqx_f64 vqx_fma64(vqx_f64 a, vqx_f64 b, vqx_f64 c)
{
    return __fma_rn(a, b, c);
}
VQX_FN vqx_f64 vqx_f32_to_f64(vqx_f32 x)
{
    return (vqx_f64)x;
}
VQX_FN vqx_f32 vqx_f64_to_f32(vqx_f64 x)
{
    return __double2float_rn(x);
}

#endif
