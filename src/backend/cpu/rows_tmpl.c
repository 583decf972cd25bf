/*
 * The metric in vectors of VIF_LANES floats, compiled once for each instruction set: VIF_ROWS names the table it fills,
 * VIF_GROUP is how many rows are filtered together.
 * The same operations in the same order as rows_c.c, a lane a column.
 *
 * A band of rows is computed in chunks of columns, small enough that everything between the samples and the row sums
 * stays in the second-level cache: the chunk's samples and their products (with the filter's border, reflected), the
 * vertical pass for a group of rows, the horizontal pass and the statistic for a row. Row sums go on from chunk to
 * chunk, left to right.
 */
#include "backend/cpu/rows.h"

#include "arith/reflect.h"

enum { REF, DIS, REF_REF, DIS_DIS, REF_DIS, QUANTITIES };

enum {
    GROUP =
        VIF_GROUP, /* rows filtered together: independent sums that hide an addition's latency */
    CHUNK = 256,   /* output columns */
    PADDING = 64,  /* floats after a row that a vector may read or write past its end */
};

typedef float Vector __attribute__((vector_size(4 * VIF_LANES)));
typedef float UnalignedVector __attribute__((vector_size(4 * VIF_LANES), aligned(4), may_alias));

#define INLINE static inline __attribute__((always_inline))
#define NOINLINE __attribute__((noinline))
#if defined(__aarch64__)
#define VIF_REGISTER "w"
#elif defined(__x86_64__)
#define VIF_REGISTER "v"
#else
#define VIF_REGISTER "m" /* no wish */
#endif
#ifdef __clang__
#define UNROLL _Pragma("unroll")
#else
#define UNROLL _Pragma("GCC unroll 80")
#endif

#include "backend/cpu/terms_tmpl.h"

INLINE Vector load(const float *at)
{
    return *(const UnalignedVector *)at;
}

INLINE void store(float *at, Vector v)
{
    *(UnalignedVector *)at = v;
}

INLINE Vector broadcast(float x)
{
    return (Vector){0} + x;
}

#include "backend/cpu/peak_tmpl.h"

/* ---- filters ---- */

enum {
    REGISTER_RADIUS = 8
}; /* up to here a filter's loops are unrolled and its taps stay in registers */

/* The filter's distinct taps in vectors. */
INLINE void spread_taps(Vector *spread, const VifScale *filter, int radius)
{
    UNROLL
    for (int k = 0; k <= radius; k++)
        spread[k] = broadcast(filter->tap[k]);
}

/* IN_REGISTER keeps a value in a register where the compiler would read it from memory at each use. IN_ORDER holds the
 * compiler to the order written: sums side by side, which hides an addition's latency. To the memory sanitizer, what is
 * named in assembly is used; lanes behind a row's end are not. */
#ifdef VIF_NO_ASSEMBLY
#define IN_REGISTER(v) ((void)(v))
#define IN_ORDER(v) ((void)(v))
#else
#define IN_REGISTER(v) __asm__("" : "+" VIF_REGISTER(v))
#define IN_ORDER(v) __asm__ volatile("" : "+" VIF_REGISTER(v))
#endif

/* GROUP rows of outputs, `step` rows of samples apart, from the rows at in, in + stride, ... */
INLINE void vertical_unrolled(float *out, size_t out_stride, const float *in, size_t stride,
                              const VifScale *filter, int radius, int step, int width)
{
    Vector tap[REGISTER_RADIUS + 1];
    spread_taps(tap, filter, radius);
    for (int x = 0; x < width; x += VIF_LANES) {
        Vector sum[GROUP];
        UNROLL
        for (int k = 0; k <= radius; k++)
            IN_REGISTER(tap[k]);
        UNROLL
        for (int i = 0; i < 2 * radius + 1 + (GROUP - 1) * step; i++) {
            const Vector v = load(in + (size_t)i * stride + x);
            UNROLL
            for (int j = 0; j < GROUP; j++) {
                const int k = i - j * step;
                if (k == 0)
                    sum[j] = tap[0] * v;
                else if (k > 0 && k <= 2 * radius)
                    sum[j] = sum[j] + tap[k <= radius ? k : 2 * radius - k] * v;
                if (k >= 0 && k <= 2 * radius)
                    IN_ORDER(sum[j]);
            }
        }
        UNROLL
        for (int j = 0; j < GROUP; j++)
            store(out + (size_t)j * out_stride + x, sum[j]);
    }
}

static NOINLINE void vertical(float *out, size_t out_stride, const float *in, size_t stride,
                              const VifScale *filter, int step, int width)
{
    switch (filter->radius * 2 + step - 1) {
    case 8 * 2:
        vertical_unrolled(out, out_stride, in, stride, filter, 8, 1, width);
        return;
    case 4 * 2:
        vertical_unrolled(out, out_stride, in, stride, filter, 4, 1, width);
        return;
    case 2 * 2:
        vertical_unrolled(out, out_stride, in, stride, filter, 2, 1, width);
        return;
    case 1 * 2:
        vertical_unrolled(out, out_stride, in, stride, filter, 1, 1, width);
        return;
    case 4 * 2 + 1:
        vertical_unrolled(out, out_stride, in, stride, filter, 4, 2, width);
        return;
    case 2 * 2 + 1:
        vertical_unrolled(out, out_stride, in, stride, filter, 2, 2, width);
        return;
    default:
        break;
    }
    for (int j = 0; j < GROUP; j++) { /* any width */
        for (int x = 0; x < width; x += VIF_LANES) {
            const float *at = in + (size_t)(j * step) * stride + x;
            Vector sum = filter->tap[0] * load(at);
            for (int k = 1; k < filter->taps; k++)
                sum = sum + filter->tap[k] * load(at + (size_t)k * stride);
            store(out + (size_t)j * out_stride + x, sum);
        }
    }
}

/* Where the sample of tap k for output 0 is: columns lie side by side, or even and odd ones apart (decimation). */
INLINE const float *column(const float *const row[2], int k, int split)
{
    return split ? row[k % 2] + k / 2 : row[0] + k;
}

INLINE void horizontal_unrolled(float *out, const float *const row[2], const VifScale *filter,
                                int radius, int split, int width)
{
    Vector tap[REGISTER_RADIUS + 1];
    spread_taps(tap, filter, radius);
    for (int x = 0; x < width; x += GROUP * VIF_LANES) {
        Vector sum[GROUP];
        UNROLL
        for (int k = 0; k <= radius; k++)
            IN_REGISTER(tap[k]);
        UNROLL
        for (int k = 0; k <= 2 * radius; k++) {
            const float *from = column(row, k, split) + x;
            UNROLL
            for (int j = 0; j < GROUP; j++) {
                const Vector product =
                    tap[k <= radius ? k : 2 * radius - k] * load(from + j * VIF_LANES);
                sum[j] = k == 0 ? product : sum[j] + product;
                IN_ORDER(sum[j]);
            }
        }
        UNROLL
        for (int j = 0; j < GROUP; j++)
            store(out + x + j * VIF_LANES, sum[j]);
    }
}

static NOINLINE void horizontal(float *out, const float *const row[2], const VifScale *filter,
                                int split, int width)
{
    switch (filter->radius * 2 + split) {
    case 8 * 2:
        horizontal_unrolled(out, row, filter, 8, 0, width);
        return;
    case 4 * 2:
        horizontal_unrolled(out, row, filter, 4, 0, width);
        return;
    case 2 * 2:
        horizontal_unrolled(out, row, filter, 2, 0, width);
        return;
    case 1 * 2:
        horizontal_unrolled(out, row, filter, 1, 0, width);
        return;
    case 4 * 2 + 1:
        horizontal_unrolled(out, row, filter, 4, 1, width);
        return;
    case 2 * 2 + 1:
        horizontal_unrolled(out, row, filter, 2, 1, width);
        return;
    default:
        break;
    }
    for (int x = 0; x < width; x += VIF_LANES) { /* any width */
        Vector sum = filter->tap[0] * load(column(row, 0, split) + x);
        for (int k = 1; k < filter->taps; k++)
            sum = sum + filter->tap[k] * load(column(row, k, split) + x);
        store(out + x, sum);
    }
}

/* ---- samples ---- */

/* Columns first..first+count-1 of row y as f32, all of them inside the plane. */
static void convert(float *restrict out, const VifSource *source, int y, int first, int count)
{
    const char *row = (const char *)source->data + y * source->stride;
    const uint8_t *restrict bytes = (const uint8_t *)row + first;
    const uint16_t *restrict words = (const uint16_t *)row + first;
    if (source->depth == 0) {
        memcpy(out, (const float *)row + first, (size_t)count * sizeof *out);
    } else if (source->depth == 8) {
        for (int i = 0; i < count; i++)
            out[i] = (float)bytes[i] + -128.0f;
    } else {
        const float inverse =
            1.0f /
            (float)(1 << (source->depth - 8)); /* a power of two: the product is the quotient */
        for (int i = 0; i < count; i++)
            out[i] = (float)words[i] * inverse + -128.0f;
    }
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

/* The next chunk's part of a row: parts of many rows are too short a stride each for the processor to foresee. */
INLINE void prefetch_next(const VifSource *source, int y, int end, int count)
{
    const int bytes = source->depth == 0 ? 4 : source->depth == 8 ? 1 : 2;
    const char *next = (const char *)source->data + y * source->stride + end * bytes;
    for (int i = 0; i < count * bytes; i += 64)
        __builtin_prefetch(next + i);
}

static int round_up(int n, int multiple)
{
    return (n + multiple - 1) / multiple * multiple;
}

/* Columns first..first+count-1 of row y, reflected into the plane, and zeros up to a whole vector. */
static void load_row(float *out, const VifSource *source, int y, int first, int count)
{
    const int width = source->width;
    const int left = first < 0 ? -first : 0,
              right = first + count > width ? first + count - width : 0;
    const int inside = vif_reflect_clamped(y, source->height);
    convert(out + left, source, inside, first + left, count - left - right);
    if (!right)
        prefetch_next(source, inside, first + count, least(CHUNK, width - first - count));
    for (int i = 0; i < left; i++)
        out[i] = out[vif_reflect_clamped(first + i, width) - first];
    for (int i = count - right; i < count; i++)
        out[i] = out[vif_reflect_clamped(first + i, width) - first];
    for (int i = count; i < round_up(count, VIF_LANES); i++)
        out[i] = 0.0f;
}

static void multiply(float *restrict xx, float *restrict yy, float *restrict xy,
                     const float *restrict x, const float *restrict y, int count)
{
    for (int i = 0; i < count; i++) {
        xx[i] = x[i] * x[i];
        yy[i] = y[i] * y[i];
        xy[i] = x[i] * y[i];
    }
}

/* ---- the statistic of a scale ---- */

/* Where a chunk is worked on; what each member holds is said where scratch_size counts it. */
typedef struct Chunk {
    size_t stride; /* floats of a row of samples or of the vertical pass */
    size_t plane;  /* floats of a quantity's samples */
    float *samples, *vertical, *filtered, *num, *den;
} Chunk;

static size_t row_floats(int radius)
{
    return ((size_t)(CHUNK + 2 * radius) + PADDING + 15) / 16 * 16;
}

static Chunk chunk_of(void *scratch, int radius)
{
    const size_t stride = row_floats(radius), rows = VIF_BAND_ROWS + 2 * (size_t)radius;
    Chunk c = {.stride = stride, .plane = rows * stride, .samples = scratch};
    c.vertical = c.samples + QUANTITIES * c.plane;
    c.filtered = c.vertical + QUANTITIES * GROUP * stride;
    c.num = c.filtered + QUANTITIES * (CHUNK + PADDING);
    c.den = c.num + GROUP * (CHUNK + PADDING);
    return c;
}

static size_t scratch_size(const VifPlan *plan)
{
    const int radius = plan->scale[0].radius;
    const size_t stride = row_floats(radius);
    const size_t statistic =
        QUANTITIES * (size_t)(VIF_BAND_ROWS + 2 * radius) * stride /* samples and products */
        + QUANTITIES * GROUP * stride                              /* vertical pass */
        + QUANTITIES * (CHUNK + PADDING)                           /* a row, filtered */
        + 2 * (size_t)GROUP * (CHUNK + PADDING);                   /* terms */
    const size_t decimate =
        (size_t)(2 * VIF_BAND_ROWS + 2 * radius) * 2 * stride + 3 * (size_t)GROUP * 2 * stride;
    const size_t prescale = vif_rows_c.scratch_size(plan) / sizeof(float);
    const size_t most = statistic > decimate ? statistic : decimate;
    return sizeof(float) * (most > prescale ? most : prescale);
}

static NOINLINE void load_chunk(const Chunk *c, const VifSource source[2], int radius, int first,
                                int rows, int x, int columns)
{
    for (int i = 0; i < rows + 2 * radius; i++) {
        float *row[QUANTITIES];
        for (int q = 0; q < QUANTITIES; q++)
            row[q] = c->samples + (size_t)q * c->plane + (size_t)i * c->stride;
        load_row(row[REF], &source[0], first - radius + i, x - radius, columns + 2 * radius);
        load_row(row[DIS], &source[1], first - radius + i, x - radius, columns + 2 * radius);
        multiply(row[REF_REF], row[DIS_DIS], row[REF_DIS], row[REF], row[DIS],
                 round_up(columns + 2 * radius, VIF_LANES));
    }
}

/* Where in the plane a chunk's group of rows stands, and which of them are wanted. */
typedef struct Place {
    int x, y, columns, rows;
} Place;

/* What leads to the terms of a row of the group, between its filters and its statistic. */
static NOINLINE void keep_filtered(const VifKept *kept, const Chunk *c, const VifScale *scale,
                                   int from, Place at, int j)
{
    for (int i = 0; i < 2; i++)
        vif_keep(kept, VIF_STAGE_REF + i,
                 c->samples + (size_t)i * c->plane +
                     (size_t)(from + j + scale->radius) * c->stride + scale->radius,
                 scale->width, at.x, at.y + j, at.columns);
    for (int q = 0; q < QUANTITIES; q++)
        vif_keep(kept, VIF_STAGE_MU1 + q, c->filtered + q * (CHUNK + PADDING), scale->width, at.x,
                 at.y + j, at.columns);
}

static NOINLINE void keep_terms(const VifKept *kept, const Chunk *c, const VifScale *scale,
                                Place at)
{
    for (int j = 0; j < at.rows; j++) {
        vif_keep(kept, VIF_STAGE_NUM, c->num + j * (CHUNK + PADDING), scale->width, at.x, at.y + j,
                 at.columns);
        vif_keep(kept, VIF_STAGE_DEN, c->den + j * (CHUNK + PADDING), scale->width, at.x, at.y + j,
                 at.columns);
    }
}

/* GROUP rows' terms from the samples; row `from` of the chunk's samples is the first the filter reaches. */
static void group_terms(const Chunk *c, const VifPlan *plan, const VifScale *scale, int from,
                        Place place, int form, const VifKept *kept)
{
    const int columns = place.columns;
    for (int q = 0; q < QUANTITIES; q++)
        vertical(c->vertical + (size_t)q * GROUP * c->stride, c->stride,
                 c->samples + (size_t)q * c->plane + (size_t)from * c->stride, c->stride, scale, 1,
                 columns + 2 * scale->radius);
    for (int j = 0; j < GROUP; j++) {
        float *num = c->num + j * (CHUNK + PADDING), *den = c->den + j * (CHUNK + PADDING);
        for (int q = 0; q < QUANTITIES; q++) {
            const float *row[2] = {c->vertical + (size_t)(q * GROUP + j) * c->stride, NULL};
            horizontal(c->filtered + q * (CHUNK + PADDING), row, scale, 0, columns);
        }
        if (kept && j < place.rows)
            keep_filtered(kept, c, scale, from, place, j);
        float *at = c->filtered;
        const size_t next = CHUNK + PADDING;
        const Statistic row = {at, at + next, at + 2 * next, at + 3 * next, at + 4 * next};
        if (form == VQX_FORM_FP64_FREE)
            terms_fp64_free(num, den, &row, columns, plan->constants);
        else
            terms_native(num, den, &row, columns, plan->constants, plan->nsq);
    }
}

/* Goes on with the sums of GROUP rows. Left to right: the order is part of the definition; rows side by side hide the
 * additions' latency. */
static NOINLINE void add_terms(const Chunk *c, int columns, int rows, float *sums)
{
    float num[GROUP] = {0}, den[GROUP] = {0};
    for (int j = 0; j < rows; j++) {
        num[j] = sums[2 * j];
        den[j] = sums[2 * j + 1];
    }
    for (int x = 0; x < columns; x++) {
        UNROLL
        for (int j = 0; j < GROUP; j++) {
            num[j] += c->num[j * (CHUNK + PADDING) + x];
            den[j] += c->den[j * (CHUNK + PADDING) + x];
        }
    }
    for (int j = 0; j < rows; j++) {
        sums[2 * j] = num[j];
        sums[2 * j + 1] = den[j];
    }
}

static void statistic_band(const VifPlan *plan, int s, const VifSource source[2], int first,
                           int end, int form, float *sums, const VifKept *kept, const Chunk *c)
{
    const VifScale *scale = &plan->scale[s];
    const int padded =
        round_up(end - first, GROUP); /* rows past the band are computed and dropped */
    for (int y = first; y < end; y++)
        sums[2 * y] = sums[2 * y + 1] = 0.0f;
    for (int x = 0; x < scale->width; x += CHUNK) {
        const int columns = least(CHUNK, scale->width - x);
        load_chunk(c, source, scale->radius, first, padded, x, columns);
        for (int y = first; y < end; y += GROUP) {
            const Place at = {x, y, columns, least(GROUP, end - y)};
            group_terms(c, plan, scale, y - first, at, form, kept);
            add_terms(c, columns, at.rows, sums + 2 * (size_t)y);
            if (kept)
                keep_terms(kept, c, scale, at);
        }
    }
}

static void statistic(const VifPlan *plan, int s, const VifSource source[2], int first, int end,
                      int form, float *sums, const VifKept *kept, void *scratch)
{
    const Chunk c = chunk_of(scratch, plan->scale[s].radius);
    for (int y = first; y < end; y += VIF_BAND_ROWS)
        statistic_band(plan, s, source, y, least(y + VIF_BAND_ROWS, end), form, sums, kept, &c);
}

/* ---- decimation ---- */

/* Even and odd columns apart, so that a vector of outputs reads neighbours. */
static void split_columns(float *restrict even, float *restrict odd, const float *restrict row,
                          int pairs)
{
    for (int i = 0; i < pairs; i++) {
        even[i] = row[2 * i];
        odd[i] = row[2 * i + 1];
    }
}

static void decimate_band(const VifScale *scale, const VifSource *source, int first, int end,
                          float *out, ptrdiff_t out_stride, float *scratch)
{
    const int radius = scale->radius, rows = 2 * round_up(end - first, GROUP) - 1 + 2 * radius;
    const size_t stride = 2 * row_floats(radius);
    float *samples = scratch,
          *filtered = samples + (size_t)(2 * VIF_BAND_ROWS + 2 * radius) * stride;
    float *even = filtered + GROUP * stride, *odd = even + stride, *result = odd + stride;
    for (int x = 0; x < scale->width; x += CHUNK) {
        const int columns = least(CHUNK, scale->width - x), wide = 2 * columns + 2 * radius;
        for (int i = 0; i < rows; i++)
            load_row(samples + (size_t)i * stride, source, 2 * first - radius + i, 2 * x - radius,
                     wide);
        for (int y = first; y < end; y += GROUP) {
            vertical(filtered, stride, samples + (size_t)(2 * (y - first)) * stride, stride, scale,
                     2, wide);
            for (int j = 0; j < least(GROUP, end - y); j++) {
                const float *split[2] = {even, odd};
                split_columns(even, odd, filtered + (size_t)j * stride,
                              columns + radius + PADDING / 2);
                horizontal(result, split, scale, 1, columns);
                memcpy((char *)out + (y + j) * out_stride + (size_t)x * sizeof *out, result,
                       (size_t)columns * sizeof *out);
            }
        }
    }
}

static void decimate(const VifPlan *plan, int s, const VifSource *source, int first, int end,
                     float *out, ptrdiff_t out_stride, void *scratch)
{
    for (int y = first; y < end; y += VIF_BAND_ROWS)
        decimate_band(&plan->scale[s], source, y, least(y + VIF_BAND_ROWS, end), out, out_stride,
                      scratch);
}

/* A prescale's rows are few and each method's weights are its own: the reference does them. */
static void prescale(const VifPlan *plan, const VifSource *source, int first, int end, float *out,
                     ptrdiff_t out_stride, void *scratch)
{
    vif_rows_c.prescale(plan, source, first, end, out, out_stride, scratch);
}

const VifCpuRows VIF_ROWS = {VIF_NAME, scratch_size, statistic, decimate, prescale, peak};
