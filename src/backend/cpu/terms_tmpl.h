/*
 * The statistic of many pixels, a stretch of them at a time.
 *
 * A stretch in which no reference variance reaches the noise's needs no quotient and no logarithm. For the others there
 * are four passes: the gain, the two expressions, the logarithms, the terms. All but the logarithms are the plain C of
 * src/arith in a loop that the compiler vectorises (no branch in it, and -fno-trapping-math lets both sides of a
 * selection be computed; no result depends on that flag). log2a is one chain of dependent operations, so it is taken
 * over Wide vectors, each several of the processor's: it is the text of src/arith/log2a.h, included a second time in a
 * dialect of vectors.
 */
#ifndef VQX_BACKEND_CPU_TERMS_TMPL_H
#define VQX_BACKEND_CPU_TERMS_TMPL_H

#include "arith/fp64_free.h"
#include "arith/log2a.h"
#include "arith/statistic.h"
#include "vif/plan.h"

enum { WIDE = 4 * VIF_LANES }; /* floats */

typedef float Wide __attribute__((vector_size(4 * WIDE)));
typedef float UnalignedWide __attribute__((vector_size(4 * WIDE), aligned(4), may_alias));
typedef uint32_t WideBits __attribute__((vector_size(4 * WIDE)));

#define VQX_VECTORS
#define vqx_f32 Wide
#define vqx_u32 WideBits
#define vqx_add(a, b) ((a) + (b))
#define vqx_sub(a, b) ((a) - (b))
#define vqx_mul(a, b) ((a) * (b))
#define vqx_bits(x) ((WideBits)(x))
#define vqx_from_bits(b) ((Wide)(b))
#define vif_log2a_fraction wide_log2a_fraction
#define vif_log2a_positive wide_log2a_positive
#undef VQX_ARITH_LOG2A_H
#include "arith/log2a.h"
#undef VQX_VECTORS
#undef vqx_f32
#undef vqx_u32
#undef vqx_add
#undef vqx_sub
#undef vqx_mul
#undef vqx_bits
#undef vqx_from_bits
#undef vif_log2a_fraction
#undef vif_log2a_positive

enum { TOGETHER = STRETCH * VIF_LANES }; /* pixels of a stretch */

/* Of each pixel: on entry the five filtered values. The passes put other things in their places. */
typedef struct Statistic {
    float *mu1, *mu2, *xx, *yy, *xy;
} Statistic;

/* Whether every s1 is below the noise's variance, so that terms are not made of logarithms. */
INLINE int is_flat(const Statistic *at, VifConstants k)
{
    const float *restrict mu1 = at->mu1, *restrict xx = at->xx;
    int reached = 0;
    for (int x = 0; x < TOGETHER; x++)
        reached |= vif_variance(xx[x], mu1[x]) >= k.nsq_least;
    return !reached;
}

static NOINLINE void flat_terms(float *restrict num, float *restrict den, const Statistic *at,
                                VifConstants k)
{
    const float *restrict mu2 = at->mu2, *restrict yy = at->yy;
    for (int x = 0; x < TOGETHER; x++) {
        num[x] = vif_noise_num(vif_variance(yy[x], mu2[x]), k);
        den[x] = 1.0f;
    }
}

/* From here mu1 holds gs, mu2 sv, xx s1, yy s2, xy s12. */
static NOINLINE void gains(const Statistic *at, VifConstants k)
{
    float *restrict mu1 = at->mu1, *restrict mu2 = at->mu2;
    float *restrict xx = at->xx, *restrict yy = at->yy, *restrict xy = at->xy;
    for (int x = 0; x < TOGETHER; x++) {
        const VifGain v = vif_gain(mu1[x], mu2[x], xx[x], yy[x], xy[x], k.gain_limit);
        mu1[x] = v.gs;
        mu2[x] = v.sv;
        xx[x] = v.s1;
        yy[x] = v.s2;
        xy[x] = v.s12;
    }
}

/* The numerator's argument of log2a takes the place of gs, the denominator's that of sv. */
INLINE void expressions_loop(const Statistic *at, VifConstants k, double nsq)
{
    float *restrict gs = at->mu1, *restrict sv = at->mu2;
    const float *restrict s1 = at->xx;
    for (int x = 0; x < TOGETHER; x++) {
        gs[x] = vif_num_f64(gs[x], sv[x], nsq);
        sv[x] = vif_settle_nan(vif_den_native(s1[x], k, nsq));
    }
}

static NOINLINE void expressions(const Statistic *at, VifConstants k, double nsq)
{
    const int power = k.nsq_is_power;
    if (power) { /* a loop for each, as the compiler would compute both ways in one */
        k.nsq_is_power = 1;
        expressions_loop(at, k, nsq);
    } else {
        k.nsq_is_power = 0;
        expressions_loop(at, k, nsq);
    }
}

/* Both logarithms, each in its argument's place. */
static NOINLINE void logarithms(const Statistic *at)
{
    for (int x = 0; x < TOGETHER; x += WIDE) {
        Wide num = *(const UnalignedWide *)(at->mu1 + x);
        num = wide_log2a_positive(num);
        *(UnalignedWide *)(at->mu1 + x) = num;
        Wide den = *(const UnalignedWide *)(at->mu2 + x);
        den = wide_log2a_positive(den);
        *(UnalignedWide *)(at->mu2 + x) = den;
    }
}

static NOINLINE void select_terms(float *restrict num, float *restrict den, const Statistic *at,
                                  VifConstants k)
{
    const float *restrict num_log = at->mu1, *restrict den_log = at->mu2;
    const float *restrict s1 = at->xx, *restrict s2 = at->yy, *restrict s12 = at->xy;
    for (int x = 0; x < TOGETHER; x++) {
        const VifGain v = {.s1 = s1[x], .s2 = s2[x], .s12 = s12[x]};
        const VifTerms t = vif_terms_of_logs(v, num_log[x], den_log[x], k);
        num[x] = t.num;
        den[x] = t.den;
    }
}

static NOINLINE void terms_native(float *num, float *den, const Statistic *at, VifConstants k,
                                  double nsq)
{
    gains(at, k);
    expressions(at, k, nsq);
    logarithms(at);
    select_terms(num, den, at, k);
}

static NOINLINE void terms_fp64_free(float *num, float *den, const Statistic *at, VifConstants k)
{
    for (int x = 0; x < TOGETHER; x++) {
        const VifTerms t =
            vif_statistic_pair(at->mu1[x], at->mu2[x], at->xx[x], at->yy[x], at->xy[x], k);
        num[x] = t.num;
        den[x] = t.den;
    }
}

/* The terms of `count` pixels, a multiple of a stretch. */
static void terms(float *num, float *den, Statistic at, int count, int form, const VifPlan *plan)
{
    for (int x = 0; x < count; x += TOGETHER) {
        if (is_flat(&at, plan->constants))
            flat_terms(num, den, &at, plan->constants);
        else if (form == VQX_FORM_FP64_FREE)
            terms_fp64_free(num, den, &at, plan->constants);
        else
            terms_native(num, den, &at, plan->constants, plan->nsq);
        at = (Statistic){at.mu1 + TOGETHER, at.mu2 + TOGETHER, at.xx + TOGETHER, at.yy + TOGETHER,
                         at.xy + TOGETHER};
        num += TOGETHER;
        den += TOGETHER;
    }
}

#endif
