/* The metric in plain C, operation by operation as the specification has it: the reference of every
 * other twin. */
#include "backend/cpu/rows.h"

#include "arith/fp64_free.h"
#include "arith/reflect.h"
#include "arith/statistic.h"

enum { REF, DIS, REF_REF, DIS_DIS, REF_DIS, QUANTITIES };

static size_t scratch_size(const VifPlan *plan)
{
    const size_t wide = (size_t)plan->scale[0].width, source = (size_t)plan->width;
    /* Rings of every quantity's rows, and a filtered row of each before and after the horizontal
     * pass. */
    const size_t statistic = (size_t)(QUANTITIES * (plan->scale[0].taps + 2)) * wide;
    const size_t prescale = (size_t)(plan->prescaled ? plan->y.taps : 0) * source;
    return sizeof(float) * (statistic > prescale ? statistic : prescale);
}

/* Section 1: a row of luma as f32. */
static void load_row(float *row, const VifSource *source, int y)
{
    const char *data = (const char *)source->data + y * source->stride;
    const uint8_t *bytes = (const uint8_t *)data;
    const uint16_t *words = (const uint16_t *)data;
    const float scale = (float)(1 << (source->depth > 8 ? source->depth - 8 : 0));
    if (source->depth == 0) {
        memcpy(row, data, (size_t)source->width * sizeof *row);
        return;
    }
    for (int x = 0; x < source->width; x++)
        row[x] = (source->depth == 8 ? (float)bytes[x] : (float)words[x] / scale) + -128.0f;
}

static void multiply_rows(float *out, const float *a, const float *b, int width)
{
    for (int x = 0; x < width; x++)
        out[x] = a[x] * b[x];
}

/*
 * Section 4: out[x] = sum over k, in order, of tap[k] * row[k][x].
 *
 * The sum starts from its first product instead of from 0 plus it. That differs in one case: where every product so far is
 * -0, the sum is -0 and not +0. No output sees the sign of a zero: a filtered value is only multiplied, added to or subtracted
 * from something (a zero's sign shows in a sum only if both are zeros), compared, or filtered again; the one quotient
 * by a filtered value has s1 + eps below it, and s1 has been through `s1 > 0 ? s1 : 0`.
 */
static void filter_vertical(float *out, const float *const *row, const VifScale *filter, int width)
{
    for (int x = 0; x < width; x++) {
        float sum = filter->tap[0] * row[0][x]; /* NOLINT: taps is at least 3, so row[0] is set */
        for (int k = 1; k < filter->taps; k++)
            sum = sum + filter->tap[k] * row[k][x];
        out[x] = sum;
    }
}

static float filter_at(const float *row, const VifScale *filter, int x, int width)
{
    float sum = filter->tap[0] * row[vif_reflect(x - filter->radius, width)];
    for (int k = 1; k < filter->taps; k++)
        sum = sum + filter->tap[k] * row[vif_reflect(x - filter->radius + k, width)];
    return sum;
}

/* The rows around one output row of a filter: row y of a plane stands at ring[y % taps] of each
 * quantity. */
typedef struct Ring {
    float *rows; /* quantity q's row i at rows + (q * taps + i) * width */
    int width, height, taps;
    int next; /* first row not loaded */
} Ring;

static float *ring_row(const Ring *ring, int quantity, int y)
{
    return ring->rows +
           ((size_t)quantity * (size_t)ring->taps + (size_t)(y % ring->taps)) * (size_t)ring->width;
}

static void window_of(const float **window, const Ring *ring, int quantity, int y)
{
    const int radius = ring->taps / 2;
    for (int k = 0; k < ring->taps; k++)
        window[k] = ring_row(ring, quantity, vif_reflect(y - radius + k, ring->height));
}

static Ring ring_begin(float *rows, const VifSource *source, const VifScale *filter, int first)
{
    const int top = first - filter->radius;
    return (Ring){rows, source->width, source->height, filter->taps, top > 0 ? top : 0};
}

/* The last row that the window around y reaches. */
static int ring_last(const Ring *ring, int y)
{
    const int last = y + ring->taps / 2;
    return last < ring->height ? last : ring->height - 1;
}

static VifTerms statistic_at(const VifPlan *plan, const float *const filtered[QUANTITIES], int x,
                             int form)
{
    const float mu1 = filtered[REF][x], mu2 = filtered[DIS][x];
    const float xx = filtered[REF_REF][x], yy = filtered[DIS_DIS][x], xy = filtered[REF_DIS][x];
    if (form == VQX_FORM_FP64_FREE)
        return vif_statistic_pair(mu1, mu2, xx, yy, xy, plan->constants);
    return vif_statistic_f64(mu1, mu2, xx, yy, xy, plan->constants, plan->nsq);
}

static void statistic_row(const VifPlan *plan, const float *const filtered[QUANTITIES], int width,
                          int form, float *sums, const VifKept *kept, int y)
{
    float num = 0.0f, den = 0.0f;
    for (int x = 0; x < width; x++) { /* left to right: the order is part of the definition */
        const VifTerms t = statistic_at(plan, filtered, x, form);
        num += t.num;
        den += t.den;
        if (kept) {
            vif_keep(kept, VIF_STAGE_NUM, &t.num, width, x, y, 1);
            vif_keep(kept, VIF_STAGE_DEN, &t.den, width, x, y, 1);
        }
    }
    sums[0] = num;
    sums[1] = den;
}

static void statistic(const VifPlan *plan, int s, const VifSource source[2], int first, int end,
                      int form, float *sums, const VifKept *kept, void *scratch)
{
    const VifScale *scale = &plan->scale[s];
    const int width = scale->width;
    Ring ring = ring_begin(scratch, &source[0], scale, first);
    float *vertical = ring.rows + (size_t)QUANTITIES * (size_t)scale->taps * (size_t)width;
    float *filtered = vertical + (size_t)width;
    const float *rows[QUANTITIES];
    const float *window[VIF_MAX_TAPS];

    for (int y = first; y < end; y++) {
        for (; ring.next <= ring_last(&ring, y); ring.next++) {
            float *ref = ring_row(&ring, REF, ring.next), *dis = ring_row(&ring, DIS, ring.next);
            load_row(ref, &source[0], ring.next);
            load_row(dis, &source[1], ring.next);
            multiply_rows(ring_row(&ring, REF_REF, ring.next), ref, ref, width);
            multiply_rows(ring_row(&ring, DIS_DIS, ring.next), dis, dis, width);
            multiply_rows(ring_row(&ring, REF_DIS, ring.next), ref, dis, width);
        }
        for (int q = 0; q < QUANTITIES; q++) {
            float *out = filtered + (size_t)q * (size_t)width;
            window_of(window, &ring, q, y);
            filter_vertical(vertical, window, scale, width);
            for (int x = 0; x < width; x++)
                out[x] = filter_at(vertical, scale, x, width);
            rows[q] = out;
        }
        for (int q = 0; kept && q < QUANTITIES; q++)
            vif_keep(kept, VIF_STAGE_MU1 + q, rows[q], width, 0, y, width);
        for (int i = 0; kept && i < 2; i++)
            vif_keep(kept, VIF_STAGE_REF + i, ring_row(&ring, i, y), width, 0, y, width);
        statistic_row(plan, rows, width, form, sums + 2 * (size_t)y, kept, y);
    }
}

static void decimate(const VifPlan *plan, int s, const VifSource *source, int first, int end,
                     float *out, ptrdiff_t out_stride, void *scratch)
{
    const VifScale *scale = &plan->scale[s];
    Ring ring = ring_begin(scratch, source, scale, 2 * first);
    float *vertical = ring.rows + (size_t)scale->taps * (size_t)source->width;
    const float *window[VIF_MAX_TAPS];

    for (int y = first; y < end; y++) {
        float *row = (float *)((char *)out + y * out_stride);
        for (; ring.next <= ring_last(&ring, 2 * y); ring.next++)
            load_row(ring_row(&ring, 0, ring.next), source, ring.next);
        window_of(window, &ring, 0, 2 * y);
        filter_vertical(vertical, window, scale, source->width);
        for (int x = 0; x < scale->width; x++)
            row[x] = filter_at(vertical, scale, 2 * x, source->width);
    }
}

/* Section 2. Each method sums rows outer, columns inner; bilinear has no zero to start from, which
 * only a zero's sign could show and nothing after it sees. */
static void prescale(const VifPlan *plan, const VifSource *source, int first, int end, float *out,
                     ptrdiff_t out_stride, void *scratch)
{
    const VifAxis *ax = &plan->x, *ay = &plan->y;
    float *rows = scratch;
    for (int y = first; y < end; y++) {
        float *to = (float *)((char *)out + y * out_stride);
        for (int j = 0; j < ay->taps; j++)
            load_row(rows + (size_t)j * (size_t)source->width, source, ay->index[y * ay->taps + j]);
        for (int x = 0; x < ax->size; x++) {
            const int32_t *index = ax->index + x * ax->taps;
            if (!ax->weight) {
                to[x] = rows[*index];
                continue;
            }
            const float *wx = ax->weight + x * ax->taps, *wy = ay->weight + y * ay->taps;
            float sum = 0.0f, weights = 0.0f;
            for (int j = 0; j < ay->taps; j++) {
                for (int i = 0; i < ax->taps; i++) {
                    const float w = wx[i] * wy[j];
                    weights += w;
                    sum += rows[(size_t)j * (size_t)source->width + (size_t)index[i]] * w;
                }
            }
            to[x] = plan->normalized ? sum / weights : sum;
        }
    }
}

const VifCpuRows vif_rows_c = {"c", scratch_size, statistic, decimate, prescale, NULL};
