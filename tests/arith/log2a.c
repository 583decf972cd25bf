/*
 * log2a against a statement of its own. By default all 2^23 significands, with every exponent in
 * turn, and a checksum of their results; with --operands 4294967296 every f32 there is.
 *
 * The statement works in f64 and rounds each result to f32. That equals one f32 operation: 53 bits
 * are at least 2 * 24 + 2, where a double rounding of a sum or a product does no harm. So it holds
 * under flags that would break f32 code.
 */
#include "arith/dialect_c.h"

#include "arith/log2a.h"

#include "sweep.h"

#include <math.h>
#include <stdio.h>

static const double coefficient[9] = {-0.012671635276421, 0.064841182402670,  -0.157048836463065,
                                      0.257167726303123,  -0.353800560300520, 0.480131410397451,
                                      -0.721314327952201, 1.442694803896991,  0};

static double to_f32(double x)
{
    volatile float rounded = (float)x;
    return rounded;
}

static float stated(float x)
{
    if (x == 0)
        return -INFINITY;
    if (x < 0)
        return NAN;
    const uint32_t bits = vqx_bits(x);
    const double e = (int)(bits >> 23 & 255) - 127;
    const double t = (bits & 0x7fffff) / 8388608.0;
    double v = 0;
    for (int i = 0; i < 9; i++)
        v = to_f32(to_f32(v * t) + to_f32(coefficient[i]));
    return (float)to_f32(e + v);
}

static int same(float a, float b)
{
    return vqx_bits(a) == vqx_bits(b) || (isnan(a) && isnan(b));
}

static void check(const void *context, uint64_t first, uint64_t end, SweepTally *tally)
{
    (void)context;
    for (uint64_t n = first; n < end; n++) {
        const float x = vqx_from_bits((uint32_t)n), expected = stated(x), got = vif_log2a(x);
        if (!same(expected, got))
            sweep_wrong(tally, "log2a(0x%08x) = 0x%08x, got 0x%08x", vqx_bits(x),
                        vqx_bits(expected), vqx_bits(got));
        if (n >> 31 == 0 && x != 0 && !same(expected, vif_log2a_positive(x)))
            sweep_wrong(tally, "log2a_positive(0x%08x) differs from log2a", vqx_bits(x));
    }
}

/* Every significand; exponent fields 0..255 and both signs take turns over them. */
static void check_significands(const void *context, uint64_t first, uint64_t end, SweepTally *tally)
{
    for (uint64_t n = first; n < end; n++) {
        const uint64_t bits = n | (n * 0x9e3779b1u >> 8 & 511) << 23;
        check(context, bits, bits + 1, tally);
        check(context, n | 0x3f800000u, (n | 0x3f800000u) + 1, tally);
    }
}

/* FNV-1a over the results for [1, 2), in order: recorded once, so that the code and the statement
 * cannot move together. */
static uint64_t checksum(void)
{
    uint64_t sum = 0xcbf29ce484222325u;
    for (uint32_t fraction = 0; fraction < 1u << 23; fraction++) {
        const uint32_t bits = vqx_bits(vif_log2a_positive(vqx_from_bits(0x3f800000u | fraction)));
        for (int i = 0; i < 4; i++)
            sum = (sum ^ (bits >> 8 * i & 255)) * 0x100000001b3u;
    }
    return sum;
}

static int check_points(void)
{
    static const uint32_t point[][2] = {{0x7f800000, 0x43000000}, {0x7fc00000, 0x430095c0},
                                        {0xffc00000, 0x430095c0}, {0x3f800000, 0},
                                        {0, 0xff800000},          {0x80000000, 0xff800000},
                                        {0x40000000, 0x3f800000}};
    int failed = 0;
    for (size_t i = 0; i < sizeof point / sizeof *point; i++) {
        const uint32_t got = vqx_bits(vif_log2a(vqx_from_bits(point[i][0])));
        if (got != point[i][1]) {
            printf("log2a(0x%08x) = 0x%08x by the specification, got 0x%08x\n", point[i][0],
                   point[i][1], got);
            failed = 1;
        }
    }
    return failed;
}

int main(int argc, char **argv)
{
    const uint64_t recorded = 0xbfc01bfa6afe1ce1u;
    SweepOptions options = {.operands = 1u << 23};
    sweep_options(&options, argc, argv);
    int failed = check_points();
    const uint64_t sum = checksum();
    if (sum != recorded) {
        printf("checksum of log2a over [1, 2): 0x%016llx, recorded 0x%016llx\n",
               (unsigned long long)sum, (unsigned long long)recorded);
        failed = 1;
    }
    if (options.operands > 1ull << 32)
        options.operands = 1ull << 32;
    SweepFn *function = options.operands > 1u << 23 ? check : check_significands;
    const SweepTally tally = sweep_run(function, NULL, options.operands, options.threads);
    return sweep_report("log2a", &tally) | failed;
}
