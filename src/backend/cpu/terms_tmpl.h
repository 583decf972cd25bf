/*
 * The statistic of a row of columns, in three passes: up to log2a's arguments, the logarithms, the terms.
 *
 * The first and the last are the plain C of src/arith in a loop that the compiler vectorises (no branch in it, and
 * -fno-trapping-math lets both sides of a selection be computed; no result depends on that flag). log2a is one chain of
 * dependent operations, so it is taken over Wide vectors, each several of the processor's: it is the text of
 * src/arith/log2a.h, included a second time in a dialect of vectors.
 */
#ifndef VQX_BACKEND_CPU_TERMS_TMPL_H
#define VQX_BACKEND_CPU_TERMS_TMPL_H

#include "arith/fp64_free.h"
#include "arith/log2a.h"
#include "arith/statistic.h"

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

/* A row of each: on entry the five filtered values. The passes put other things in their places. */
typedef struct Statistic {
    float *mu1, *mu2, *xx, *yy, *xy;
} Statistic;

/* From here mu1 holds the numerator's argument of log2a, mu2 the denominator's, xx s1, yy s2, xy s12. */
INLINE void arguments_loop(const Statistic *row, int count, VifConstants k, double nsq)
{
    float *restrict mu1 = row->mu1, *restrict mu2 = row->mu2;
    float *restrict xx = row->xx, *restrict yy = row->yy, *restrict xy = row->xy;
    for (int x = 0; x < count; x++) {
        const VifGain v = vif_gain(mu1[x], mu2[x], xx[x], yy[x], xy[x], k.gain_limit);
        mu1[x] = vif_num_f64(v.gs, v.sv, nsq);
        mu2[x] = vif_settle_nan(vif_den_native(v.s1, k, nsq));
        xx[x] = v.s1;
        yy[x] = v.s2;
        xy[x] = v.s12;
    }
}

static NOINLINE void arguments(const Statistic *row, int count, VifConstants k, double nsq)
{
    const int power = k.nsq_is_power;
    if (power) { /* a loop for each, as the compiler would compute both ways in one */
        k.nsq_is_power = 1;
        arguments_loop(row, count, k, nsq);
    } else {
        k.nsq_is_power = 0;
        arguments_loop(row, count, k, nsq);
    }
}

/* Both logarithms, each in its argument's place. */
static NOINLINE void logarithms(const Statistic *row, int count)
{
    for (int x = 0; x < count; x += WIDE) {
        Wide num = *(const UnalignedWide *)(row->mu1 + x);
        num = wide_log2a_positive(num);
        *(UnalignedWide *)(row->mu1 + x) = num;
        Wide den = *(const UnalignedWide *)(row->mu2 + x);
        den = wide_log2a_positive(den);
        *(UnalignedWide *)(row->mu2 + x) = den;
    }
}

static NOINLINE void select_terms(float *restrict num, float *restrict den, const Statistic *row,
                                  int count, VifConstants k)
{
    const float *restrict num_log = row->mu1, *restrict den_log = row->mu2;
    const float *restrict s1 = row->xx, *restrict s2 = row->yy, *restrict s12 = row->xy;
    for (int x = 0; x < count; x++) {
        const VifGain v = {.s1 = s1[x], .s2 = s2[x], .s12 = s12[x]};
        const VifTerms t = vif_terms_of_logs(v, num_log[x], den_log[x], k);
        num[x] = t.num;
        den[x] = t.den;
    }
}

/* Rows have room for `count` rounded up to WIDE. */
static void terms_native(float *num, float *den, const Statistic *row, int count, VifConstants k,
                         double nsq)
{
    count = (count + WIDE - 1) / WIDE * WIDE;
    arguments(row, count, k, nsq);
    logarithms(row, count);
    select_terms(num, den, row, count, k);
}

static void terms_fp64_free(float *num, float *den, const Statistic *row, int count, VifConstants k)
{
    for (int x = 0; x < count; x++) {
        const VifTerms t =
            vif_statistic_pair(row->mu1[x], row->mu2[x], row->xx[x], row->yy[x], row->xy[x], k);
        num[x] = t.num;
        den[x] = t.den;
    }
}

#endif
