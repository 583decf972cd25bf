/*
 * The f32 division for devices that have no correctly rounded one, against the host's, with a
 * reciprocal as wrong as it may be: all kinds of operands, and quotients beside a tie.
 */
#include "rough.h"

#define VQX_SOFT_DIVISION 1
#include "arith/dialect_c.h"

#include "sweep.h"

#include <stdio.h>

enum { BITS, NORMAL, INTEGERS, SUBNORMAL, SPECIAL, KINDS };
static const char *const kind_name[KINDS] = {"any bits", "quotients of normal size",
                                             "small integers", "quotients of subnormal size",
                                             "special values"};

typedef struct Case {
    int kind;
    uint64_t seed;
} Case;

static const uint32_t special[] = {
    0,          1,          2,          0x007fffff, 0x00800000, 0x00800001, 0x3f800000, 0x3f800001,
    0x7f000000, 0x7f7fffff, 0x7f800000, 0x7fc00000, 0x7f800001, 0x4b800000, 0x34000000, 0x3f7fffff};

static uint32_t with_exponent(uint32_t bits, uint32_t least, uint32_t count)
{
    return (bits & 0x807fffffu) | ((least + (bits >> 23 & 255u) % count) << 23);
}

static void operands(float *a, float *b, int kind, uint64_t r)
{
    uint32_t x = (uint32_t)r, y = (uint32_t)(r >> 32);
    switch (kind) {
    case NORMAL:
        x = with_exponent(x, 96, 62);
        y = with_exponent(y, 96, 62);
        break;
    case INTEGERS: { /* b * q or beside it over b: quotients exact, or near a tie where q has 25
                        bits */
        const uint32_t d = (y >> 8 | 1u) >> (y & 15u), q = (x >> 7 | 1u) >> (x & 15u);
        *b = (float)d;
        *a = (float)((double)d * (double)q) + (float)((int)(r >> 20 & 3u) - 1);
        return;
    }
    case SUBNORMAL:
        x = with_exponent(x, 0, 40);
        y = with_exponent(y, 127, 26);
        break;
    case SPECIAL:
        x = special[x % 16u] | (x & 0x80000000u);
        y = special[y % 16u] | (y & 0x80000000u);
        break;
    default:
        break;
    }
    *a = vqx_from_bits(x);
    *b = vqx_from_bits(y);
}

static void check(const void *context, uint64_t first, uint64_t end, SweepTally *tally)
{
    const Case *c = context;
    for (uint64_t n = first; n < end; n++) {
        float a, b;
        operands(&a, &b, c->kind, sweep_random(c->seed + (uint64_t)c->kind, n));
        const float expected = a / b, got = vqx_div(a, b);
        const int both_nan = expected != expected && got != got;
        if (vqx_bits(expected) != vqx_bits(got) && !both_nan)
            sweep_wrong(tally, "%a / %a = %a, got %a", (double)a, (double)b, (double)expected,
                        (double)got);
    }
}

int main(int argc, char **argv)
{
    SweepOptions options = {.operands = 20000000, .seed = 1};
    sweep_options(&options, argc, argv);
    int failed = 0;
    for (int kind = 0; kind < KINDS; kind++) {
        const Case c = {kind, options.seed};
        const SweepTally tally = sweep_run(check, &c, options.operands / KINDS, options.threads);
        failed |= sweep_report(kind_name[kind], &tally);
    }
    return failed;
}
