/*
 * A dialect for the source check alone: f32 and f64 are types without + - * /, so a formula that uses one does not compile.
 * Comparisons, a minus sign, copies and literals remain.
 */
#ifndef VQX_ARITH_DIALECT_STRICT_H
#define VQX_ARITH_DIALECT_STRICT_H

#include <cstdint>
#include <cstring>

#define VQX_FN static inline
#define VQX_RARE_FN static inline

template <typename Value> class Strict
{
    Value value;

  public:
    typedef Value Plain;
    Strict() = default;
    constexpr Strict(Value v) : value(v) {}
    template <typename Other> Strict(Other) = delete; /* conversions go through the dialect */

    constexpr Strict operator-() const
    {
        return Strict(-value);
    }
    constexpr Value plain() const
    {
        return value;
    }
    explicit constexpr operator std::int32_t() const
    {
        return static_cast<std::int32_t>(value);
    }
    explicit constexpr operator std::uint32_t() const
    {
        return static_cast<std::uint32_t>(value);
    }
#define COMPARISON(op)                                    \
    friend constexpr bool operator op(Strict a, Strict b) \
    {                                                     \
        return a.value op b.value;                        \
    }
    COMPARISON(==)
    COMPARISON(!=)
    COMPARISON(<)
    COMPARISON(<=)
    COMPARISON(>)
    COMPARISON(>=)
#undef COMPARISON
};

typedef Strict<float> vqx_f32;
typedef Strict<double> vqx_f64;
typedef std::int32_t vqx_i32;
typedef std::uint32_t vqx_u32;
typedef std::uint64_t vqx_u64;

#define BINARY(name, type, op)         \
    VQX_FN type name(type a, type b)   \
    {                                  \
        return a.plain() op b.plain(); \
    }
BINARY(vqx_add, vqx_f32, +)
BINARY(vqx_sub, vqx_f32, -)
BINARY(vqx_mul, vqx_f32, *)
#ifndef VQX_SOFT_DIVISION
BINARY(vqx_div, vqx_f32, /)
#endif
BINARY(vqx_add64, vqx_f64, +)
BINARY(vqx_mul64, vqx_f64, *)
BINARY(vqx_div64, vqx_f64, /)
#undef BINARY

VQX_FN vqx_f32 vqx_reciprocal(vqx_f32 x)
{
    return 1.0f / x.plain();
}
VQX_FN vqx_f64 vqx_reciprocal64(vqx_f64 x)
{
    return 1.0 / x.plain();
}
#ifdef STRICT_FMA
#define VQX_HAS_FMA 1
#define VQX_HAS_RANGED 1
#endif
VQX_FN vqx_f32 vqx_fma(vqx_f32 a, vqx_f32 b, vqx_f32 c)
{
    return __builtin_fmaf(a.plain(), b.plain(), c.plain());
}
VQX_FN vqx_f64 vqx_fma64(vqx_f64 a, vqx_f64 b, vqx_f64 c)
{
    return __builtin_fma(a.plain(), b.plain(), c.plain());
}
VQX_FN vqx_f32 vqx_i32_to_f32(vqx_i32 i)
{
    return static_cast<float>(i);
}
VQX_FN vqx_u32 vqx_bits(vqx_f32 x)
{
    vqx_u32 u;
    std::memcpy(&u, &x, sizeof u);
    return u;
}
VQX_FN vqx_f32 vqx_from_bits(vqx_u32 u)
{
    vqx_f32 x;
    std::memcpy(static_cast<void *>(&x), &u, sizeof x);
    return x;
}
#define VQX_HAS_F64 1
VQX_FN vqx_f64 vqx_f32_to_f64(vqx_f32 x)
{
    return static_cast<double>(x.plain());
}
VQX_FN vqx_f32 vqx_f64_to_f32(vqx_f64 x)
{
    return static_cast<float>(x.plain());
}
#ifdef VQX_SOFT_DIVISION
#include "arith/soft_division.h"
#endif

#endif
