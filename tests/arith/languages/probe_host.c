/* Operands for the probe, and what its results must be. */
#include "arith/dialect_c.h"

#include "probe.h"

#include "probe_host.h"

#include "operands.h"
#include "sweep.h"
#include "vif/constants.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { BATCH = 1 << 17 };
static const double variances[] = {
    2,      1.5,  4.7,
    0.333,  0,    5,
    1e-310, 1e-5, 0x1.fffffffffffffp0 - 1.0e-10f}; /* plus 1e-10f: all ones */
static const char *const form_name[PROBE_FORMS] = {"fp64-free", "native", "ranged"};

/* The moments of two images that are a gain and noise apart, with variances from none to the
 * largest. */
static void fill_moments(ProbeIn *in, uint64_t r)
{
    const uint64_t s = sweep_random(r, 1), t = sweep_random(r, 2);
    const double mu1 = (double)(r >> 40) * 0x1p-16 - 128,
                 mu2 = s & 1 ? mu1 : (double)(s >> 40) * 0x1p-16 - 128;
    const double variance = exp2((double)(t >> 32) * 0x1p-32 * 54 - 40),
                 noise = exp2((double)(s & 0xffffff) * 0x1p-24 * 54 - 40);
    const double gain = s & 2 ? 1 : (double)(t & 0xffff) * 0x1p-14 - 1;
    in->mu1 = (float)mu1;
    in->mu2 = (float)mu2;
    in->xx = (float)(mu1 * mu1 + variance);
    in->xy = (float)(mu1 * mu2 + gain * variance);
    in->yy = (float)(mu2 * mu2 + gain * gain * variance + (s & 4 ? noise : 0));
}

static ProbeIn operand(double nsq, uint64_t seed, uint64_t n)
{
    ProbeIn in;
    const OperandKind kind = (OperandKind)(n % OPERAND_KINDS);
    const NumOperand o = operand_num(kind, nsq, seed, n);
    const uint64_t r = sweep_random(seed, n), s = sweep_random(r, 0);
    in.gs = o.gs < 0x1p34f ? o.gs : 0x1p34f;
    in.sv = o.sv < 0x1p21f ? o.sv : 0x1p21f;
    in.s1 = operand_den(kind, nsq, seed, n);
    in.s1 = in.s1 < 1.0e-10f ? 0.0f : in.s1 < 0x1p20f ? in.s1 : 0x1p20f;
    fill_moments(&in, sweep_random(s, 0));
    in.logarithm = vqx_from_bits((uint32_t)r);
    in.dividend = vqx_from_bits((uint32_t)s);
    in.divisor = vqx_from_bits((uint32_t)(s >> 32));
    in.gain_n =
        ldexpf(vqx_from_bits(0x3f800000u | (uint32_t)(r & 0x7fffff)), (int)(r >> 24 & 63) - 43);
    in.gain_d = vqx_from_bits(0x2edbe6ffu + (uint32_t)(s >> 32) % 0x1b000000u);
    if (n % 16 == 0) { /* powers of two over significands of all ones: see ranged.h */
        in.gain_n = ldexpf(s & 1 ? -1.0f : 1.0f, (int)(r >> 24 & 63) - 43);
        in.gain_d = vqx_from_bits(vqx_bits(in.gain_d) | 0x7fffffu);
        in.gs = ldexpf(1.0f, (int)(s & 31));
        in.sv = 1.0e-10f;
    }
    in.size = 2 + (int)((r >> 32) % 4000);
    in.index = (int)((r >> 44) % (3 * (unsigned)in.size - 3)) - in.size + 1;
    return in;
}

static int same(float a, float b)
{
    return vqx_bits(a) == vqx_bits(b) || (isnan(a) && isnan(b));
}

static void check_one(const ProbeIn *in, const ProbeOut *got, const VifConstants *k, double nsq,
                      SweepTally *tally)
{
    const ProbeOut e = probe_native(*in, *k, nsq);
    if (!same(e.num_x, got->num_x))
        sweep_wrong(tally, "num gs %a sv %a nsq %a: %a, got %a", (double)in->gs, (double)in->sv,
                    nsq, (double)e.num_x, (double)got->num_x);
    if (!same(e.den_x, got->den_x))
        sweep_wrong(tally, "den s1 %a nsq %a: %a, got %a", (double)in->s1, nsq, (double)e.den_x,
                    (double)got->den_x);
    if (vqx_bits(e.num) != vqx_bits(got->num) || vqx_bits(e.den) != vqx_bits(got->den))
        sweep_wrong(tally, "statistic of %a %a %a %a %a nsq %a: %a %a, got %a %a", (double)in->mu1,
                    (double)in->mu2, (double)in->xx, (double)in->yy, (double)in->xy, nsq,
                    (double)e.num, (double)e.den, (double)got->num, (double)got->den);
    if (!same(e.logarithm, got->logarithm))
        sweep_wrong(tally, "log2a(0x%08x) = 0x%08x, got 0x%08x", vqx_bits(in->logarithm),
                    vqx_bits(e.logarithm), vqx_bits(got->logarithm));
    if (!same(e.quotient, got->quotient))
        sweep_wrong(tally, "%a / %a = %a, got %a", (double)in->dividend, (double)in->divisor,
                    (double)e.quotient, (double)got->quotient);
    if (vqx_bits(e.gain) != vqx_bits(got->gain))
        sweep_wrong(tally, "gain %a / %a = %a, got %a", (double)in->gain_n, (double)in->gain_d,
                    (double)e.gain, (double)got->gain);
    if (e.reflected != got->reflected || e.clamped != got->clamped)
        sweep_wrong(tally, "reflection of %d in %d: %d and %d, got %d and %d", in->index, in->size,
                    e.reflected, e.clamped, got->reflected, got->clamped);
}

static int check_variance(const char *name, ProbeForm form, ProbeRun *run, void *device, double nsq,
                          const SweepOptions *options)
{
    ProbeIn *in = malloc(BATCH * sizeof *in);
    ProbeOut *out = malloc(BATCH * sizeof *out);
    VifConstants k;
    SweepTally tally = {0};
    char what[256];
    int failed = !in || !out;
    vif_constants_init(&k, nsq, 100.0);
    for (uint64_t first = 0; !failed && first < options->operands; first += BATCH) {
        for (uint64_t i = 0; i < BATCH; i++)
            in[i] = operand(nsq, options->seed, first + i);
        failed = run(device, form, in, out, BATCH, &k, nsq);
        for (uint64_t i = 0; !failed && i < BATCH; i++)
            check_one(&in[i], &out[i], &k, nsq, &tally);
        tally.operands += BATCH;
    }
    snprintf(what, sizeof what, "%s, %s, nsq %g", name, form_name[form], nsq);
    failed |= sweep_report(what, &tally);
    free(in);
    free(out);
    return failed;
}

int probe_check_device(const char *name, int forms, ProbeRun *run, void *device, int argc,
                       char **argv)
{
    SweepOptions options = {.operands = 200000, .seed = 1};
    int failed = 0;
    sweep_options(&options, argc, argv);
    for (int form = PROBE_FP64_FREE; form < forms; form++)
        for (size_t i = 0; i < sizeof variances / sizeof *variances; i++)
            failed |= check_variance(name, (ProbeForm)form, run, device, variances[i], &options);
    return failed;
}
