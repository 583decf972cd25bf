/*
 * Sums, quotients and conversions of soft_double.h against the host's f64, over bit patterns of the
 * range it states: positive, every result a normal f64.
 */
#include "arith/dialect_c.h"

#include "arith/soft_double.h"

#include "sweep.h"

#include <math.h>
#include <stdio.h>

enum { FAR, NEAR, SHORT, ALL_ONES, TIES, KINDS };
static const char *const kind_name[KINDS] = {
    "any exponents", "near exponents", "short significands", "significands beside a power", "ties"};

typedef struct Case {
    int kind;
    uint64_t seed;
} Case;

static double to_double(VqxSoft a)
{
    return ldexp((double)a.significand, a.exponent);
}

static VqxSoft soft(uint64_t significand, int exponent)
{
    const VqxSoft r = {significand | (uint64_t)1 << 52, exponent - 52};
    return r;
}

static uint64_t fraction(int kind, uint64_t r)
{
    const uint64_t mask = ((uint64_t)1 << 52) - 1;
    switch (kind) {
    case SHORT:
        return r & mask & ~(((uint64_t)1 << (20 + r % 30)) - 1);
    case ALL_ONES:
        return r & 1 ? (0 - (r >> 60)) & mask : r >> 60;
    default:
        return r & mask;
    }
}

/* b such that a + b lies on or beside the middle between two f64: the bits of b below a's last are
 * 100...0 or nearly. */
static VqxSoft tie_partner(VqxSoft a, uint64_t r)
{
    const int shift = 1 + (int)((r >> 32) % 52);
    uint64_t low = (uint64_t)1 << (shift - 1);
    low += (r >> 40) % 3 - 1;
    const uint64_t high = (r & (((uint64_t)1 << 52) - 1)) >> shift << shift;
    return soft(high | (low & (((uint64_t)1 << shift) - 1)), a.exponent + 52 - shift);
}

static int well_formed(VqxSoft a)
{
    return a.significand >> 52 == 1;
}

static void check_pair(VqxSoft a, VqxSoft b, SweepTally *tally)
{
    const double x = to_double(a), y = to_double(b);
    const VqxSoft sum = vqx_soft_add(a, b), quotient = vqx_soft_div(a, b);
    if (!well_formed(sum) || to_double(sum) != x + y)
        sweep_wrong(tally, "%a + %a = %a, got %a", x, y, x + y, to_double(sum));
    if (!well_formed(quotient) || to_double(quotient) != x / y)
        sweep_wrong(tally, "%a / %a = %a, got %a", x, y, x / y, to_double(quotient));
}

static void check_conversions(VqxSoft a, uint64_t r, SweepTally *tally)
{
    const float x = vqx_from_bits((uint32_t)(r >> 33) % 0x7f7fffffu + 1);
    const VqxSoft from = vqx_soft_from_f32(x);
    if (!well_formed(from) || to_double(from) != (double)x)
        sweep_wrong(tally, "from %a, got %a", (double)x, to_double(from));

    /* To f32: into the range of f32 and a little above, ties and their neighbours half of the time.
     */
    a.exponent = (int)(r % 264) - 126 - 52;
    if (r >> 63)
        a.significand = (a.significand & ~(uint64_t)0x1fffffff) + 0x10000000 + (r >> 20) % 3 - 1;
    const float expected = (float)to_double(a), got = vqx_soft_to_f32(a);
    if (vqx_bits(expected) != vqx_bits(got))
        sweep_wrong(tally, "to f32 %a: %a, got %a", to_double(a), (double)expected, (double)got);
}

static void check(const void *context, uint64_t first, uint64_t end, SweepTally *tally)
{
    const Case *c = context;
    for (uint64_t n = first; n < end; n++) {
        const uint64_t r = sweep_random(c->seed + (uint64_t)c->kind, n), s = sweep_random(r, 0),
                       t = sweep_random(s, 0);
        const int reach = c->kind == FAR ? 500 : 60;
        const VqxSoft a = soft(fraction(c->kind, r), (int)(t % 1001) - 500);
        VqxSoft b = soft(fraction(c->kind, s),
                         a.exponent + 52 + (int)((t >> 32) % (2u * (unsigned)reach + 1)) - reach);
        if (c->kind == TIES)
            b = tie_partner(a, s);
        check_pair(a, b, tally);
        check_pair(b, a, tally);
        check_conversions(a, t, tally);
    }
}

int main(int argc, char **argv)
{
    SweepOptions options = {.operands = 5000000, .seed = 1};
    sweep_options(&options, argc, argv);
    int failed = 0;
    for (int kind = 0; kind < KINDS; kind++) {
        const Case c = {kind, options.seed};
        const SweepTally tally = sweep_run(check, &c, options.operands / KINDS, options.threads);
        failed |= sweep_report(kind_name[kind], &tally);
    }
    return failed;
}
