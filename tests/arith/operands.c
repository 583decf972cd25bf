/* Operands on and beside ties. */
#include "operands.h"

#include "sweep.h"

#include <math.h>
#include <string.h>

#ifndef OPERAND_FN
#define OPERAND_FN static
#define trailing_zeros(x) __builtin_ctzll(x)
#endif

const char *const operand_kind_name[OPERAND_KINDS] = {
    "log-uniform", "uniform", "edges", "exact ties", "near ties", "sum ties", "solved"};

#define least_sv 1.0e-10f

/* The numbers of one operand. */
typedef struct Draw {
    uint64_t seed, n;
} Draw;

OPERAND_FN uint64_t draw(Draw *d)
{
    d->seed = sweep_random(d->seed, d->n);
    return d->seed;
}

OPERAND_FN float from_bits(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

OPERAND_FN uint32_t to_bits(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

OPERAND_FN uint64_t below(Draw *d, uint64_t bound)
{
    return draw(d) % bound;
}

/* Any f32 of least..most, every bit pattern equally likely: log-uniform but for the ends. */
OPERAND_FN float log_uniform(Draw *d, float least, float most)
{
    const uint32_t from = to_bits(least), span = to_bits(most) - from + 1;
    return from_bits(from + (uint32_t)below(d, span));
}

OPERAND_FN float uniform(Draw *d, double most)
{
    return (float)((double)(draw(d) >> 11) * 0x1p-53 * most);
}

OPERAND_FN float beside(Draw *d, float x, int reach)
{
    const int64_t bits = (int64_t)to_bits(x) + (int64_t)below(d, 2u * (unsigned)reach + 1) - reach;
    return from_bits(bits < 0 ? 0 : (uint32_t)bits);
}

OPERAND_FN float at_least(float x, float least)
{
    return x > least ? x : least;
}

/* q such that 1 + q lies exactly between two f32: an odd multiple of half the f32 step at 1 + q. Of
 * 25 bits at most. */
OPERAND_FN double tie_quotient(Draw *d, int most_exponent)
{
    const int e = (int)below(d, (uint64_t)most_exponent + 1); /* 1 + q in [2^e, 2^(e+1)) */
    const double step = ldexp(1.0, e - 23);
    double low = ldexp(1.0, e) + step / 2 + step * (double)below(d, 1u << 23);
    if (e == 0 && below(d, 2)) /* small ones too: few bits in q */
        low = 1.0 + step / 2 + step * (double)below(d, (uint64_t)1 << below(d, 23));
    return low - 1.0;
}

OPERAND_FN float edge(Draw *d, int least_exponent, int most_exponent)
{
    const int e = least_exponent + (int)below(d, (uint64_t)(most_exponent - least_exponent + 1));
    return beside(d, ldexpf(1.0f, e), 3);
}

/* gs / sv with both of 24 bits, sv + nsq = sv' of an odd significand, as near to a tie as r = +-1,
 * +-3, ... of gs * 2^25 = q * sv' + r allows: q = -r / sv' modulo 2^25, an odd number, as 1 + q *
 * 2^(e - 24) needs of a tie. */
OPERAND_FN NumOperand near_tie(Draw *d, double nsq)
{
    NumOperand o = {1.0f, 1.0f};
    for (int attempt = 0; attempt < 64; attempt++) {
        const float sv =
            at_least(log_uniform(d, nsq > 0x1p-20 ? (float)nsq / 4 : least_sv, 0x1p16f), least_sv);
        const double sum = (double)sv + nsq;
        int exponent;
        uint64_t s = (uint64_t)ldexp(frexp(sum, &exponent), 53);
        const int zeros = trailing_zeros(s);
        s >>= zeros;
        if (s >> 24) /* too many bits for this construction */
            continue;
        uint64_t inverse = s; /* Newton: correct bits double from 3 */
        for (int i = 0; i < 5; i++)
            inverse *= 2 - s * inverse;
        const int64_t r = (int64_t)(2 * below(d, 8)) - 7;
        const uint64_t q = (0 - (uint64_t)r * inverse) & 0x1ffffffu;
        const int64_t product = (int64_t)(q * s) + r;
        if (product <= 0)
            continue;
        const int e = (int)below(d, 4);
        o.gs = (float)ldexp((double)(product >> 25), 25 + exponent - 53 + zeros + e - 24);
        o.sv = sv;
        break;
    }
    return o;
}

OPERAND_FN NumOperand exact_tie(Draw *d, double nsq)
{
    NumOperand o;
    if (below(d, 2)) { /* a sum that is a power of two, or any where nsq is larger */
        const double sum = ldexp(1.0, (int)below(d, 10) - 2);
        o.sv = (float)(sum - nsq);
    } else {
        o.sv = (float)((double)(1 + below(d, 64)) / 4);
    }
    o.sv = at_least(o.sv, least_sv);
    o.gs = (float)(tie_quotient(d, 24) * ((double)o.sv + nsq));
    if (!below(d, 4))
        o.gs = beside(d, o.gs, 1);
    return o;
}

OPERAND_FN NumOperand sum_tie(Draw *d, double nsq)
{
    NumOperand o;
    int exponent;
    frexp(nsq > 0 ? nsq : 1.0, &exponent);
    if (exponent < -30)
        exponent = -30;
    o.sv = (float)ldexp((double)(2 * below(d, 1u << 23) + 1), exponent - 54);
    o.sv = at_least(beside(d, o.sv, (int)below(d, 2)), least_sv);
    o.gs = (float)(tie_quotient(d, 8) * ((double)o.sv + nsq));
    return o;
}

/* For small sv the sum has far more bits than an f32 and reaches far nearer to a tie than gs can:
 * gs a little over tie * nsq, then sv = gs / tie - nsq. */
OPERAND_FN NumOperand solved(Draw *d, double nsq)
{
    NumOperand o;
    const double tie = tie_quotient(d, 20), base = nsq > 1e-9 ? nsq : 1e-9;
    const double ratio =
        1.0 + ldexp(1.0 + (double)below(d, 1u << 20) * 0x1p-20, -(int)below(d, 30));
    o.gs = (float)(tie * base * ratio);
    o.sv = at_least(beside(d, (float)((double)o.gs / tie - nsq), 4), least_sv);
    return o;
}

OPERAND_API NumOperand operand_num(OperandKind kind, double nsq, uint64_t seed, uint64_t n)
{
    Draw d = {seed + (uint64_t)kind, n};
    NumOperand o;
    switch (kind) {
    case OPERAND_UNIFORM:
        o.gs = uniform(&d, below(&d, 2) ? 1e2 : 1e4);
        o.sv = at_least(uniform(&d, below(&d, 2) ? 1e1 : 1e3), least_sv);
        break;
    case OPERAND_EDGE:
        o.gs = below(&d, 8) ? edge(&d, -149, 33) : 0.0f;
        o.sv = below(&d, 3) ? at_least(edge(&d, -34, 20), least_sv) : least_sv;
        break;
    case OPERAND_TIE:
        o = exact_tie(&d, nsq);
        break;
    case OPERAND_NEAR_TIE:
        o = near_tie(&d, nsq);
        break;
    case OPERAND_SUM_TIE:
        o = sum_tie(&d, nsq);
        break;
    case OPERAND_SOLVED:
        o = solved(&d, nsq);
        break;
    default:
        o.gs = log_uniform(&d, 0.0f, 0x1p34f);
        o.sv = log_uniform(&d, least_sv, 0x1p21f);
    }
    return o;
}

OPERAND_API float operand_den(OperandKind kind, double nsq, uint64_t seed, uint64_t n)
{
    Draw d = {seed + (uint64_t)kind + OPERAND_KINDS, n};
    switch (kind) {
    case OPERAND_UNIFORM:
        return uniform(&d, below(&d, 2) ? 1e2 : 2e4);
    case OPERAND_EDGE:
        return below(&d, 8) ? edge(&d, -149, 127) : 0.0f;
    case OPERAND_TIE:
    case OPERAND_NEAR_TIE:
    case OPERAND_SOLVED:
        return beside(&d, (float)(tie_quotient(&d, 24) * (nsq > 0 ? nsq : 1.0)), 2);
    default:
        return log_uniform(&d, 0.0f, 0x1.fffffep127f);
    }
}
