/*
 * The numerator's expression on operands built around ties, against MPFR: the reference's sequence
 * with MPFR's own rounding to 53 and 24 bits. MPFR also rounds the exact value once; the two differ
 * where the reference rounds twice to its harm, and a run in which they never do has not reached
 * what it is for.
 */
#include "sweep.h"

static _Thread_local uint64_t replays, doubly_rounded;
#define VIF_COUNT_REPLAY (replays++)

#include "arith/dialect_c.h"

#include "arith/fp64_free.h"
#include "operands.h"
#include "vif/constants.h"

#include <mpfr.h>
#include <pthread.h>
#include <stdio.h>

static const double variances[] = {2, 1.5, 4.7, 0.333, 0, 5, 1e-10};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t all_doubly_rounded;

typedef struct Case {
    OperandKind kind;
    double nsq;
    uint64_t seed;
    VifConstants constants;
} Case;

typedef struct Scratch {
    mpfr_t f64, f32, sum, exact;
} Scratch;

static float by_sequence(Scratch *m, NumOperand o, double nsq)
{
    mpfr_set_flt(m->f64, o.sv, MPFR_RNDN);
    mpfr_add_d(m->f64, m->f64, nsq, MPFR_RNDN);
    mpfr_d_div(m->f64, (double)o.gs, m->f64, MPFR_RNDN);
    mpfr_add_ui(m->f64, m->f64, 1, MPFR_RNDN);
    mpfr_set(m->f32, m->f64, MPFR_RNDN);
    return mpfr_get_flt(m->f32, MPFR_RNDN);
}

/* The sum is exact in 2000 bits. The quotient is not, but 400 bits tell it from any tie it is not
 * equal to. */
static float rounded_once(Scratch *m, NumOperand o, double nsq)
{
    mpfr_set_flt(m->sum, o.sv, MPFR_RNDN);
    mpfr_add_d(m->sum, m->sum, nsq, MPFR_RNDN);
    mpfr_d_div(m->exact, (double)o.gs, m->sum, MPFR_RNDN);
    mpfr_add_ui(m->exact, m->exact, 1, MPFR_RNDN);
    mpfr_set(m->f32, m->exact, MPFR_RNDN);
    return mpfr_get_flt(m->f32, MPFR_RNDN);
}

static void check(const void *context, uint64_t first, uint64_t end, SweepTally *tally)
{
    const Case *c = context;
    Scratch m;
    mpfr_init2(m.f64, 53);
    mpfr_init2(m.f32, 24);
    mpfr_init2(m.sum, 2000);
    mpfr_init2(m.exact, 400);
    replays = doubly_rounded = 0;
    for (uint64_t n = first; n < end; n++) {
        const NumOperand o = operand_num(c->kind, c->nsq, c->seed, n);
        const float expected = by_sequence(&m, o, c->nsq);
        const float pair = vif_num_pair(o.gs, o.sv, c->constants),
                    native = vif_num_f64(o.gs, o.sv, c->nsq);
        if (vqx_bits(expected) != vqx_bits(pair) || vqx_bits(expected) != vqx_bits(native))
            sweep_wrong(tally, "gs %a sv %a nsq %a: %a, native %a, pair %a", (double)o.gs,
                        (double)o.sv, c->nsq, (double)expected, (double)native, (double)pair);
        doubly_rounded += expected != rounded_once(&m, o, c->nsq);
    }
    tally->replays += replays;
    mpfr_clears(m.f64, m.f32, m.sum, m.exact, (mpfr_ptr)0);
    mpfr_free_cache();
    pthread_mutex_lock(&lock);
    all_doubly_rounded += doubly_rounded;
    pthread_mutex_unlock(&lock);
}

int main(int argc, char **argv)
{
    SweepOptions options = {.operands = 1000000, .seed = 1};
    sweep_options(&options, argc, argv);
    const size_t count = sizeof variances / sizeof *variances;
    int failed = 0;
    for (int kind = OPERAND_TIE; kind < OPERAND_KINDS; kind++) {
        SweepTally total = {0};
        for (size_t v = 0; v < count; v++) {
            Case c = {.kind = (OperandKind)kind, .nsq = variances[v], .seed = options.seed};
            vif_constants_init(&c.constants, c.nsq, 100.0);
            const uint64_t each = options.operands / (count * (OPERAND_KINDS - OPERAND_TIE)) + 1;
            const SweepTally part = sweep_run(check, &c, each, options.threads);
            sweep_add(&total, &part);
        }
        failed |= sweep_report(operand_kind_name[kind], &total);
        if (!total.replays) {
            printf("%s: no operand took the replay\n", operand_kind_name[kind]);
            failed = 1;
        }
    }
    printf("%llu results differ from the exact value rounded once\n",
           (unsigned long long)all_doubly_rounded);
    return failed || !all_doubly_rounded;
}
