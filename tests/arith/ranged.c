/*
 * The divisions without range checks (ranged.h) against the host's, over their ranges, with approximations of reciprocals as
 * wrong as a device's: many operands, every significand over divisors that are hard, and the one divisor that the theorem
 * behind them leaves out.
 */
#include <math.h>
#include <stdint.h>
#include <string.h>

static _Thread_local int error_side; /* -1, 0, 1: how the approximations are wrong */

/* f32: within one ulp; the nearest where the significand is all ones. */
static float approximate_f32(float x)
{
    const float exact = 1.0f / x;
    uint32_t of, bits;
    memcpy(&of, &x, sizeof of);
    memcpy(&bits, &exact, sizeof bits);
    bits += (of & 0x7fffffu) == 0x7fffffu ? 0u : (uint32_t)error_side;
    float r;
    memcpy(&r, &bits, sizeof r);
    return r;
}
#define VQX_RECIPROCAL(x) approximate_f32(x)

#include "arith/dialect_c.h"

#ifndef VQX_HAS_FMA
#error "compile this for a processor with fused multiply-add"
#endif

/* f64: the upper word of the reciprocal of the upper word, at most one off, and 1 below it. */
static double vqx_reciprocal64(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    const int ones = (bits & 0xfffffffffffffu) == 0xfffffffffffffu;
    const double exact = 1.0 / x;
    memcpy(&bits, &exact, sizeof bits);
    bits = (bits >> 32) + (uint64_t)(int64_t)(ones ? 0 : error_side);
    bits = bits << 32 | 1;
    double r;
    memcpy(&r, &bits, sizeof r);
    return r;
}
static double vqx_mul64(double a, double b)
{
    return a * b;
}
static double vqx_fma64(double a, double b, double c)
{
    return __builtin_fma(a, b, c);
}
#define VQX_HAS_RANGED 1
#include "arith/ranged.h"

#include "operands.h"
#include "sweep.h"

#include <stdio.h>

/* The significands that are hard: the least, the largest, beside them, and everyday ones. */
static const double divisors[] = {0x1.fffffffffffffp0,
                                  0x1.ffffffffffffep0,
                                  0x1.0000000000001p0,
                                  0x1.8p0,
                                  0x1.5555555555555p0,
                                  0x1.2cccccccccccdp2,
                                  1};
static const double variances[] = {2,
                                   1.5,
                                   4.7,
                                   0.333,
                                   0,
                                   5,
                                   1e-5,
                                   1e-30,
                                   0x1.fffffffffffffp0,
                                   0x1.0000000000001p1,
                                   0x1.fffffffffffffp0 - 1.0e-10f};
enum {
    DIVISORS = sizeof divisors / sizeof *divisors,
    VARIANCES = sizeof variances / sizeof *variances
};

typedef struct Case {
    double nsq;
    uint64_t seed;
    OperandKind kind;
} Case;

static void check_f64(double n, double d, SweepTally *tally)
{
    const double expected = n / d, got = vqx_div64_ranged(n, d);
    if (expected != got)
        sweep_wrong(tally, "%a / %a = %a, got %a", n, d, expected, got);
}

static void check_f32(float n, float d, SweepTally *tally)
{
    const float expected = n / d, got = vif_gain_quotient(n, d);
    if (vqx_bits(expected) != vqx_bits(got) && fabsf(n) >= 0x1p-60f)
        sweep_wrong(tally, "%a / %a = %a, got %a", (double)n, (double)d, (double)expected,
                    (double)got);
}

/* A significand a number: over every hard divisor, and over itself as the divisor of some. */
static void check_significands(const void *context, uint64_t first, uint64_t end, SweepTally *tally)
{
    const Case *c = context;
    for (uint64_t n = first; n < end; n++) {
        const uint64_t r = sweep_random(c->seed, n);
        error_side = (int)(r % 3) - 1;
        const float x = vqx_from_bits(0x3f800000u | (uint32_t)(n & 0x7fffff));
        for (int i = 0; i < DIVISORS; i++)
            check_f64((double)x, divisors[i], tally);
        check_f64((double)x, ldexp((double)(r >> 11 | 1ull << 52), -52), tally);
        check_f32(x, 0x1.fffffep0f, tally);
        check_f32(1.0f, x, tally);
        check_f32(ldexpf(-x, (int)(r >> 4) % 60 - 40),
                  vqx_from_bits(0x2edbe6ffu + (uint32_t)(r >> 32) % 0x1b000000u), tally);
    }
}

static void check_expressions(const void *context, uint64_t first, uint64_t end, SweepTally *tally)
{
    const Case *c = context;
    const VifNoise noise = {c->nsq, 1.0 / c->nsq, c->nsq < VIF_NSQ_VANISHES, 0};
    for (uint64_t n = first; n < end; n++) {
        NumOperand o = operand_num(c->kind, c->nsq, c->seed, n);
        const uint64_t r = sweep_random(c->seed, n);
        error_side = (int)(r % 3) - 1;
        if (r >> 60 ==
            0) { /* a power of two over the least sum: all ones for one of the variances */
            o.gs = ldexpf(1.0f, (int)(r >> 8) % 34);
            o.sv = 1.0e-10f;
        }
        if (o.gs > 0x1p34f || o.sv > 0x1p21f)
            continue;
        const float num = (float)(1.0 + (double)o.gs / ((double)o.sv + c->nsq)),
                    got = vif_num_ranged(o.gs, o.sv, c->nsq);
        if (num != got)
            sweep_wrong(tally, "num gs %a sv %a nsq %a: %a, got %a", (double)o.gs, (double)o.sv,
                        c->nsq, (double)num, (double)got);
        const float s1 = operand_den(c->kind, c->nsq, c->seed, n);
        if (!(s1 >= 1.0e-10f && s1 < 0x1p20f && (double)s1 >= c->nsq))
            continue;
        const float den = (float)(1.0 + (double)s1 / c->nsq), den_got = vif_den_ranged(s1, noise);
        if (den != den_got)
            sweep_wrong(tally, "den s1 %a nsq %a: %a, got %a", (double)s1, c->nsq, (double)den,
                        (double)den_got);
    }
}

int main(int argc, char **argv)
{
    SweepOptions options = {.operands = 20000000, .seed = 1};
    sweep_options(&options, argc, argv);
#ifdef __x86_64__
    if (!__builtin_cpu_supports("fma")) {
        puts("this processor has no fused multiply-add");
        return 77;
    }
#endif
    Case c = {.seed = options.seed};
    SweepTally tally = sweep_run(check_significands, &c, options.operands / 2, options.threads);
    int failed = sweep_report("quotients", &tally);
    for (int v = 0; v < VARIANCES; v++) {
        SweepTally total = {0};
        char what[64];
        c.nsq = variances[v];
        for (int kind = 0; kind < OPERAND_KINDS; kind++) {
            c.kind = (OperandKind)kind;
            tally =
                sweep_run(check_expressions, &c,
                          options.operands / (2 * VARIANCES * OPERAND_KINDS) + 1, options.threads);
            sweep_add(&total, &tally);
        }
        snprintf(what, sizeof what, "expressions, nsq %.17g", c.nsq);
        failed |= sweep_report(what, &total);
    }
    return failed;
}
