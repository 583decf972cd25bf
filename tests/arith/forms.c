/*
 * Both forms of the statistic's two f64 expressions against the host's f64 instructions, bit for
 * bit, for many noise variances. Fails also where no operand took the replay: then it would have
 * proven nothing of it.
 */
#include "sweep.h"

#ifdef ROUGH
#include "rough.h"
#endif

static _Thread_local uint64_t replays;
#define VIF_COUNT_REPLAY (replays++)

#include "arith/dialect_c.h"

#include "arith/fp64_free.h"

#include "operands.h"
#include "vif/constants.h"

#include <stdio.h>

static const double variances[] = {2,
                                   1.5,
                                   4.7,
                                   0.333,
                                   0,
                                   5,
                                   4,
                                   3,
                                   1e-310,
                                   5e-324,
                                   1e-40,
                                   1e-30,
                                   1e-18,
                                   0x1p-60,
                                   0x1.8p-60,
                                   1e-10,
                                   1e-5,
                                   0.25,
                                   0.0123,
                                   1,
                                   0x1.0000000000001p0,
                                   0x1.fffffffffffffp1,
                                   4.99999};
enum { VARIANCES = sizeof variances / sizeof *variances };

typedef struct Case {
    OperandKind kind;
    double nsq;
    uint64_t seed;
    VifConstants constants;
} Case;

static int same(float a, float b)
{
    return vqx_bits(a) == vqx_bits(b) || (a != a && b != b);
}

static void check(const void *context, uint64_t first, uint64_t end, SweepTally *tally)
{
    const Case *c = context;
    const VifConstants k = c->constants;
    replays = 0;
    for (uint64_t n = first; n < end; n++) {
        const NumOperand o = operand_num(c->kind, c->nsq, c->seed, n);
        const float num = (float)(1.0 + (double)o.gs / ((double)o.sv + c->nsq));
        const float num_f64 = vif_num_f64(o.gs, o.sv, c->nsq),
                    num_pair = vif_num_pair(o.gs, o.sv, k);
        if (!same(num, num_f64) || !same(num, num_pair))
            sweep_wrong(tally, "num gs %a sv %a nsq %a: %a, native %a, pair %a", (double)o.gs,
                        (double)o.sv, c->nsq, (double)num, (double)num_f64, (double)num_pair);

        const float s1 = operand_den(c->kind, c->nsq, c->seed, n);
        const float den = (float)(1.0 + (double)s1 / c->nsq);
        const float den_f64 = vif_den_f64(s1, c->nsq), den_pair = vif_den_pair(s1, k);
        if (!same(den, den_f64) || !same(den, den_pair))
            sweep_wrong(tally, "den s1 %a nsq %a: %a, native %a, pair %a", (double)s1, c->nsq,
                        (double)den, (double)den_f64, (double)den_pair);
        if (((double)s1 < c->nsq) != (s1 < k.nsq_least))
            sweep_wrong(tally, "s1 %a nsq %a: nsq_least %a", (double)s1, c->nsq,
                        (double)k.nsq_least);
    }
    tally->replays += replays;
}

int main(int argc, char **argv)
{
    SweepOptions options = {.operands = 20000000, .seed = 1};
    sweep_options(&options, argc, argv);
#if defined(VQX_HAS_FMA) && defined(__x86_64__)
    if (!__builtin_cpu_supports("fma")) {
        puts("this processor has no fused multiply-add");
        return 77;
    }
#endif
#ifdef VQX_HAS_FMA
    puts("residuals by fused multiply-add");
#else
    puts("residuals by exact products");
#endif
    const uint64_t each = options.operands / (VARIANCES * OPERAND_KINDS) + 1;
    int failed = 0;
    for (int kind = 0; kind < OPERAND_KINDS; kind++) {
        SweepTally total = {0};
        for (int v = 0; v < VARIANCES; v++) {
            Case c = {.kind = (OperandKind)kind, .nsq = variances[v], .seed = options.seed};
            vif_constants_init(&c.constants, c.nsq, 100.0);
            const SweepTally part = sweep_run(check, &c, each, options.threads);
            char what[64];
            snprintf(what, sizeof what, "%s, nsq %g", operand_kind_name[kind], c.nsq);
            failed |= sweep_report(what, &part);
            total.replays += part.replays;
        }
        if (!total.replays) {
            printf("%s: no operand took the replay\n", operand_kind_name[kind]);
            failed = 1;
        }
    }
    return failed;
}
