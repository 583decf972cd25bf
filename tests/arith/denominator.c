/*
 * The denominator's expression depends on one f32 for a given noise variance: all of them can be
 * tried. --operands is how many of the 2139095040 finite values that are not negative are taken,
 * evenly spaced.
 */
#include "sweep.h"

static _Thread_local uint64_t replays;
#define VIF_COUNT_REPLAY (replays++)

#include "arith/dialect_c.h"

#include "arith/fp64_free.h"
#include "vif/constants.h"

#include <stdio.h>

enum { FINITE = 0x7f800000 };
static const double variances[] = {2, 1.5, 4.7, 0.333, 0};

typedef struct Case {
    double nsq;
    VifConstants constants;
    uint64_t stride;
} Case;

static void check(const void *context, uint64_t first, uint64_t end, SweepTally *tally)
{
    const Case *c = context;
    replays = 0;
    for (uint64_t n = first; n < end; n++) {
        const float s1 = vqx_from_bits((uint32_t)(n * c->stride));
        const float expected = (float)(1.0 + (double)s1 / c->nsq);
        const float pair = vif_den_pair(s1, c->constants), native = vif_den_f64(s1, c->nsq);
        const int nan = expected != expected && pair != pair && native != native;
        if (!nan &&
            (vqx_bits(expected) != vqx_bits(pair) || vqx_bits(expected) != vqx_bits(native)))
            sweep_wrong(tally, "s1 %a nsq %g: %a, native %a, pair %a", (double)s1, c->nsq,
                        (double)expected, (double)native, (double)pair);
    }
    tally->replays += replays;
}

int main(int argc, char **argv)
{
    SweepOptions options = {.operands = FINITE};
    sweep_options(&options, argc, argv);
    const uint64_t stride =
        options.operands && options.operands < FINITE ? FINITE / options.operands : 1;
    int failed = 0;
    for (size_t i = 0; i < sizeof variances / sizeof *variances; i++) {
        Case c = {.nsq = variances[i], .stride = stride};
        char what[64];
        vif_constants_init(&c.constants, c.nsq, 100.0);
        const SweepTally tally = sweep_run(check, &c, (FINITE - 1) / stride + 1, options.threads);
        snprintf(what, sizeof what, "1 + s1 / %g", c.nsq);
        failed |= sweep_report(what, &tally);
    }
    return failed;
}
