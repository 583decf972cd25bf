/*
 * The metric in vectors of VIF_LANES floats, compiled once for each instruction set: VIF_ROWS names the table it fills,
 * VIF_GROUP is how many outputs of a filter are summed side by side.
 * The same operations in the same order as rows_c.c.
 *
 * A band of rows is walked left to right in chunks of columns, small enough that everything between the samples and the
 * row sums stays in the nearer caches. The vertical pass has a lane for a column and leaves its result transposed: the
 * vectors of a block lie side by side, one for each column, a lane for each of VIF_LANES rows. So the horizontal pass
 * is the same loop as the vertical one, reads whole aligned vectors, and a row's terms are added in order in its own
 * lane. The columns that the next chunk's filter reaches too are kept for it.
 */
#include "backend/cpu/rows.h"

#include "arith/reflect.h"

enum { REF, DIS, REF_REF, DIS_DIS, REF_DIS, QUANTITIES };

enum {
    GROUP = VIF_GROUP, /* independent sums that hide an addition's latency; a multiple of 4 */
    CHUNK = 128,       /* output columns */
    BLOCKS = VIF_BAND_ROWS / VIF_LANES, /* of rows in a band */
    ROWS_TOGETHER = GROUP > VIF_LANES ? GROUP : VIF_LANES,
    STRETCH = 8, /* columns whose statistic is taken together; a multiple of GROUP and of 4 */
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

/* ---- transposition ---- */

typedef float Quarter __attribute__((vector_size(16)));
typedef float UnalignedQuarter __attribute__((vector_size(16), aligned(4), may_alias));

/* A selection of two vectors' lanes that is the same in each 16 bytes: below VIF_LANES from the first, above from the
 * second. */
#define LANES_OF(f, at) f(at, 0), f(at, 1), f(at, 2), f(at, 3)
#if VIF_LANES == 4
#define EACH_QUARTER(f) LANES_OF(f, 0)
#elif VIF_LANES == 8
#define EACH_QUARTER(f) LANES_OF(f, 0), LANES_OF(f, 4)
#else
#define EACH_QUARTER(f) LANES_OF(f, 0), LANES_OF(f, 4), LANES_OF(f, 8), LANES_OF(f, 12)
#endif
#define LOW_SINGLES(at, i) ((at) + (i) / 2 + (i) % 2 * VIF_LANES)
#define HIGH_SINGLES(at, i) ((at) + 2 + (i) / 2 + (i) % 2 * VIF_LANES)
#define LOW_PAIRS(at, i) ((at) + (i) % 2 + (i) / 2 * VIF_LANES)
#define HIGH_PAIRS(at, i) ((at) + 2 + (i) % 2 + (i) / 2 * VIF_LANES)

/* Four vectors as VIF_LANES quarters: the i-th has lane i of each, at out + i * stride. */
INLINE void store_transposed(float *out, size_t stride, const Vector v[4])
{
    const Vector low01 = __builtin_shufflevector(v[0], v[1], EACH_QUARTER(LOW_SINGLES));
    const Vector low23 = __builtin_shufflevector(v[2], v[3], EACH_QUARTER(LOW_SINGLES));
    const Vector high01 = __builtin_shufflevector(v[0], v[1], EACH_QUARTER(HIGH_SINGLES));
    const Vector high23 = __builtin_shufflevector(v[2], v[3], EACH_QUARTER(HIGH_SINGLES));
    const union {
        Vector vector[4];
        Quarter quarter[4][VIF_LANES / 4];
    } lane = {{__builtin_shufflevector(low01, low23, EACH_QUARTER(LOW_PAIRS)),
               __builtin_shufflevector(low01, low23, EACH_QUARTER(HIGH_PAIRS)),
               __builtin_shufflevector(high01, high23, EACH_QUARTER(LOW_PAIRS)),
               __builtin_shufflevector(high01, high23, EACH_QUARTER(HIGH_PAIRS))}};
    UNROLL
    for (int i = 0; i < VIF_LANES; i++)
        *(UnalignedQuarter *)(out + (size_t)i * stride) = lane.quarter[i % 4][i / 4];
}

/* ---- filters ---- */

enum {
    REGISTER_RADIUS = 8
}; /* up to here a filter's loops are unrolled and its taps stay in registers */

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

/* GROUP neighbouring outputs from the vectors at in, in + stride, ...; output j begins at the one of number j * step. */
INLINE void filter_unrolled(Vector sum[GROUP], const float *in, size_t stride,
                            Vector tap[REGISTER_RADIUS + 1], int radius, int step)
{
    UNROLL
    for (int k = 0; k <= radius; k++)
        IN_REGISTER(tap[k]);
    UNROLL
    for (int i = 0; i < 2 * radius + 1 + (GROUP - 1) * step; i++) {
        const Vector v = load(in + (size_t)i * stride);
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
}

/* The same for a filter of any width. */
INLINE void filter_any(Vector sum[GROUP], const float *in, size_t stride, const VifScale *filter,
                       int step)
{
    for (int j = 0; j < GROUP; j++) {
        const float *at = in + (size_t)(j * step) * stride;
        sum[j] = filter->tap[0] * load(at);
        for (int k = 1; k < filter->taps; k++)
            sum[j] = sum[j] + filter->tap[k] * load(at + (size_t)k * stride);
    }
}

/* A pass over `count` columns, radius -1 for any. */
typedef void Pass(float *out, size_t block, const float *in, size_t stride, const VifScale *filter,
                  int radius, int step, int count);

/* GROUP rows of outputs, `step` rows of samples apart, from the rows at in, in + stride, ...; transposed, so that
 * column x is a part of the vector at out + x * VIF_LANES, or where GROUP is more than a vector of those at
 * out + block + x * VIF_LANES, ... too. */
INLINE void vertical_pass(float *out, size_t block, const float *in, size_t stride,
                          const VifScale *filter, int radius, int step, int count)
{
    Vector tap[REGISTER_RADIUS + 1], sum[GROUP];
    UNROLL
    for (int k = 0; k <= radius; k++)
        tap[k] = broadcast(filter->tap[k]);
    for (int x = 0; x < count; x += VIF_LANES) {
        if (radius < 0)
            filter_any(sum, in + x, stride, filter, step);
        else
            filter_unrolled(sum, in + x, stride, tap, radius, step);
        UNROLL
        for (int j = 0; j < GROUP; j += 4)
            store_transposed(out + j / VIF_LANES * block + (size_t)x * VIF_LANES + j % VIF_LANES,
                             VIF_LANES, sum + j);
    }
}

/* Columns 0, step, 2 * step, ... of a block of rows, `count` of them and up to GROUP - 1 more. */
INLINE void horizontal_pass(float *out, size_t block, const float *in, size_t stride,
                            const VifScale *filter, int radius, int step, int count)
{
    (void)block;
    Vector tap[REGISTER_RADIUS + 1], sum[GROUP];
    UNROLL
    for (int k = 0; k <= radius; k++)
        tap[k] = broadcast(filter->tap[k]);
    for (int x = 0; x < count; x += GROUP) {
        const float *at = in + (size_t)(x * step) * stride;
        if (radius < 0)
            filter_any(sum, at, stride, filter, step);
        else
            filter_unrolled(sum, at, stride, tap, radius, step);
        UNROLL
        for (int j = 0; j < GROUP; j++)
            store(out + (size_t)(x + j) * VIF_LANES, sum[j]);
    }
}

/* Compiles a pass for each filter of the default kernel scale, and one for all others. */
INLINE void specialise(Pass *pass, float *out, size_t block, const float *in, size_t stride,
                       const VifScale *filter, int step, int count)
{
    switch (filter->radius * 2 + step - 1) {
    case 8 * 2:
        pass(out, block, in, stride, filter, 8, 1, count);
        return;
    case 4 * 2:
        pass(out, block, in, stride, filter, 4, 1, count);
        return;
    case 2 * 2:
        pass(out, block, in, stride, filter, 2, 1, count);
        return;
    case 1 * 2:
        pass(out, block, in, stride, filter, 1, 1, count);
        return;
    case 4 * 2 + 1:
        pass(out, block, in, stride, filter, 4, 2, count);
        return;
    case 2 * 2 + 1:
        pass(out, block, in, stride, filter, 2, 2, count);
        return;
    case 1 * 2 + 1:
        pass(out, block, in, stride, filter, 1, 2, count);
        return;
    default:
        pass(out, block, in, stride, filter, -1, step, count);
        return;
    }
}

static NOINLINE void vertical(float *out, size_t block, const float *in, size_t stride,
                              const VifScale *filter, int step, int count)
{
    specialise(vertical_pass, out, block, in, stride, filter, step, count);
}

static NOINLINE void horizontal(float *out, const float *in, const VifScale *filter, int step,
                                int count)
{
    specialise(horizontal_pass, out, 0, in, VIF_LANES, filter, step, count);
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

/* Columns first..first+count-1 of row y, reflected into the plane, and zeros up to a whole vector. `next` more are
 * wanted soon. */
static void load_row(float *out, const VifSource *source, int y, int first, int count, int next)
{
    const int width = source->width, inside = vif_reflect_clamped(y, source->height);
    const int left = first < 0 ? -first : 0, beyond = first + count - width,
              right = beyond < 0 ? 0 : least(beyond, count);
    if (count > left + right)
        convert(out + left, source, inside, first + left, count - left - right);
    if (!right)
        prefetch_next(source, inside, first + count, least(next, -beyond));
    for (int i = 0; i < left; i++)
        convert(out + i, source, inside, vif_reflect_clamped(first + i, width), 1);
    for (int i = count - right; i < count; i++)
        convert(out + i, source, inside, vif_reflect_clamped(first + i, width), 1);
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

/* ---- a band of rows, chunk by chunk ---- */

/*
 * What a filter has to work on in a band: samples of a chunk, and of each block of rows the vertical pass's columns, those
 * kept from the chunk before first. Output x takes the columns from step * x on, so a chunk leaves taps - step of them
 * to the next.
 */
typedef struct Band {
    const VifScale *filter;
    int step;             /* 1, or 2 for decimation */
    int planes;           /* filtered side by side */
    size_t stride;        /* floats of a row of samples */
    size_t plane;         /* floats of a plane's samples */
    size_t block, blocks; /* floats of a block's columns; of all blocks of a plane */
    float *samples, *columns, *rest;
} Band;

static size_t up_to_line(size_t floats)
{
    return (floats + 15) / 16 * 16;
}

static Band band_of(void *scratch, const VifScale *filter, int planes, int step)
{
    const size_t taps = (size_t)filter->taps, steps = (size_t)step;
    const size_t columns = steps * CHUNK + taps - steps, rows = steps * (VIF_BAND_ROWS - 1) + taps;
    Band b = {.filter = filter, .step = step, .planes = planes, .samples = scratch};
    /* An odd number of cache lines: rows spread over the sets. */
    b.stride = (up_to_line(columns + VIF_LANES) / 16 | 1) * 16;
    b.plane = rows * b.stride;
    b.block = (columns + VIF_LANES + (size_t)STRETCH * (size_t)step) * VIF_LANES;
    b.blocks = BLOCKS * b.block;
    b.columns = b.samples + (size_t)planes * b.plane;
    b.rest = b.columns + (size_t)planes * b.blocks;
    return b;
}

static size_t band_floats(const VifScale *filter, int planes, int step)
{
    const Band b = band_of(NULL, filter, planes, step);
    return (size_t)planes * (b.plane + b.blocks);
}

/* Columns that the chunk before x has left. */
static int kept_columns(const Band *b, int x)
{
    return x ? b->filter->taps - b->step : 0;
}

/* Filters `rows` rows vertically: what outputs x..x+columns-1 need and the chunk before has not left. */
static void filter_columns(const Band *b, int plane, int rows, int x, int columns)
{
    const int kept = kept_columns(b, x), wanted = b->step * columns + b->filter->taps - b->step;
    float *blocks = b->columns + (size_t)plane * b->blocks;
    for (int y = 0; y < rows; y += GROUP)
        vertical(
            blocks + (size_t)(y / VIF_LANES) * b->block + (size_t)kept * VIF_LANES + y % VIF_LANES,
            b->block, b->samples + (size_t)plane * b->plane + (size_t)(y * b->step) * b->stride,
            b->stride, b->filter, b->step, wanted - kept);
    /* Outputs are computed in stretches; no output that is used reads these. */
    for (int i = 0; columns % STRETCH && i < rows / VIF_LANES; i++)
        memset(blocks + (size_t)i * b->block + (size_t)wanted * VIF_LANES, 0,
               (size_t)(STRETCH * b->step) * VIF_LANES * sizeof *blocks);
}

/* Filters a block horizontally into vectors side by side, and keeps what the next chunk needs. */
static void filter_block(const Band *b, int plane, int block, int columns, float *out)
{
    float *in = b->columns + (size_t)plane * b->blocks + (size_t)block * b->block;
    horizontal(out, in, b->filter, b->step, round_up(columns, STRETCH));
    memmove(in, in + (size_t)(b->step * columns) * VIF_LANES,
            (size_t)(b->filter->taps - b->step) * VIF_LANES * sizeof *in);
}

/* ---- the statistic of a scale ---- */

enum { BLOCK_FLOATS = CHUNK * VIF_LANES }; /* of a chunk of a block of rows */

/* The samples of a chunk and their products. */
static NOINLINE void load_products(const Band *b, const VifSource source[2], int first, int rows,
                                   int x, int columns)
{
    const int radius = b->filter->radius, kept = kept_columns(b, x);
    const int from = x - radius + kept, count = columns + 2 * radius - kept;
    for (int i = 0; i < rows + 2 * radius; i++) {
        float *row[QUANTITIES];
        for (int q = 0; q < QUANTITIES; q++)
            row[q] = b->samples + (size_t)q * b->plane + (size_t)i * b->stride;
        load_row(row[REF], &source[0], first - radius + i, from, count, CHUNK);
        load_row(row[DIS], &source[1], first - radius + i, from, count, CHUNK);
        multiply(row[REF_REF], row[DIS_DIS], row[REF_DIS], row[REF], row[DIS],
                 round_up(count, VIF_LANES));
    }
}

/* Where a chunk stands in the plane, and which of its rows and columns are wanted. */
typedef struct Place {
    int x, y, columns, rows;
} Place;

/* The samples that load_products has just read: those inside the plane. */
static NOINLINE void keep_samples(const VifKept *kept, const Band *b, const VifScale *scale,
                                  Place at)
{
    const int from = at.x ? at.x + scale->radius : 0;
    const int end = least(at.x + at.columns + scale->radius, scale->width);
    const float *first =
        b->samples + (size_t)scale->radius * b->stride + (at.x ? 0 : scale->radius);
    for (int i = 0; i < 2 && from < end; i++)
        for (int y = 0; y < at.rows; y++)
            vif_keep(kept, VIF_STAGE_REF + i, first + (size_t)i * b->plane + (size_t)y * b->stride,
                     scale->width, from, at.y + y, end - from);
}

/* A stage's values of a block of rows. */
static NOINLINE void keep_block(const VifKept *kept, int stage, const float *block, int width,
                                Place at)
{
    for (int y = 0; y < at.rows; y++)
        for (int x = 0; x < at.columns; x++)
            vif_keep(kept, stage, block + (size_t)x * VIF_LANES + y, width, at.x + x, at.y + y, 1);
}

/* Goes on with the sums of a block's rows. Left to right: the order is part of the definition. */
INLINE void add_terms(float *sums, const float *num, const float *den, int columns)
{
    Vector num_sum = load(sums), den_sum = load(sums + VIF_LANES);
    for (int x = 0; x < columns; x++) {
        num_sum += load(num + (size_t)x * VIF_LANES);
        den_sum += load(den + (size_t)x * VIF_LANES);
    }
    store(sums, num_sum);
    store(sums + VIF_LANES, den_sum);
}

/* A block's terms from its vertical pass, added to its sums. */
static void block_terms(const VifPlan *plan, int s, const Band *b, int block, Place at, int form,
                        float *sums, const VifKept *kept)
{
    const int width = plan->scale[s].width;
    float *filtered[QUANTITIES], *num = b->rest + (size_t)QUANTITIES * BLOCK_FLOATS,
                                 *den = num + BLOCK_FLOATS;
    for (int q = 0; q < QUANTITIES; q++) {
        filtered[q] = b->rest + (size_t)q * BLOCK_FLOATS;
        filter_block(b, q, block, at.columns, filtered[q]);
        if (kept)
            keep_block(kept, VIF_STAGE_MU1 + q, filtered[q], width, at);
    }
    terms(num, den,
          (Statistic){filtered[REF], filtered[DIS], filtered[REF_REF], filtered[DIS_DIS],
                      filtered[REF_DIS]},
          round_up(at.columns, STRETCH) * VIF_LANES, form, plan);
    if (kept) {
        keep_block(kept, VIF_STAGE_NUM, num, width, at);
        keep_block(kept, VIF_STAGE_DEN, den, width, at);
    }
    add_terms(sums, num, den, at.columns);
}

static void statistic_band(const VifPlan *plan, int s, const VifSource source[2], int first,
                           int end, int form, float *sums, const VifKept *kept, const Band *b)
{
    /* Rows past the band are computed and dropped. */
    const int rows = round_up(end - first, ROWS_TOGETHER), width = plan->scale[s].width;
    float block_sums[BLOCKS][2 * VIF_LANES] __attribute__((aligned(64))) = {{0}};
    for (int x = 0; x < width; x += CHUNK) {
        const int columns = least(CHUNK, width - x);
        load_products(b, source, first, rows, x, columns);
        if (kept)
            keep_samples(kept, b, &plan->scale[s], (Place){x, first, columns, end - first});
        for (int q = 0; q < QUANTITIES; q++)
            filter_columns(b, q, rows, x, columns);
        for (int i = 0; i < rows / VIF_LANES; i++) {
            const int y = first + i * VIF_LANES;
            block_terms(plan, s, b, i, (Place){x, y, columns, least(VIF_LANES, end - y)}, form,
                        block_sums[i], kept);
        }
    }
    for (int y = first; y < end; y++) {
        const float *block = block_sums[(y - first) / VIF_LANES] + (y - first) % VIF_LANES;
        sums[2 * y] = block[0];
        sums[2 * y + 1] = block[VIF_LANES];
    }
}

static void statistic(const VifPlan *plan, int s, const VifSource source[2], int first, int end,
                      int form, float *sums, const VifKept *kept, void *scratch)
{
    const Band b = band_of(scratch, &plan->scale[s], QUANTITIES, 1);
    for (int y = first; y < end; y += VIF_BAND_ROWS)
        statistic_band(plan, s, source, y, least(y + VIF_BAND_ROWS, end), form, sums, kept, &b);
}

/* ---- decimation ---- */

/* A block's columns as rows of the plane, those before `end`. */
static void store_rows(float *out, ptrdiff_t out_stride, int y, int end, int x, int columns,
                       const float *block)
{
    float row[VIF_LANES][CHUNK];
    for (int c = 0; c < columns; c += 4) {
        Vector v[4];
        UNROLL
        for (int i = 0; i < 4; i++)
            v[i] = load(block + (size_t)(c + i) * VIF_LANES);
        store_transposed(row[0] + c, CHUNK, v);
    }
    for (int i = 0; i < least(VIF_LANES, end - y); i++)
        memcpy((char *)out + (y + i) * out_stride + (size_t)x * sizeof *out, row[i],
               (size_t)columns * sizeof *out);
}

static void decimate_band(const VifScale *scale, const VifSource *source, int first, int end,
                          float *out, ptrdiff_t out_stride, const Band *b)
{
    const int radius = scale->radius, rows = round_up(end - first, ROWS_TOGETHER);
    for (int x = 0; x < scale->width; x += CHUNK) {
        const int columns = least(CHUNK, scale->width - x), kept = kept_columns(b, x);
        for (int i = 0; i < 2 * rows - 1 + 2 * radius; i++)
            load_row(b->samples + (size_t)i * b->stride, source, 2 * first - radius + i,
                     2 * x - radius + kept, 2 * columns - 1 + 2 * radius - kept, 2 * CHUNK);
        filter_columns(b, 0, rows, x, columns);
        for (int i = 0; i < rows / VIF_LANES; i++) {
            filter_block(b, 0, i, columns, b->rest);
            store_rows(out, out_stride, first + i * VIF_LANES, end, x, columns, b->rest);
        }
    }
}

static void decimate(const VifPlan *plan, int s, const VifSource *source, int first, int end,
                     float *out, ptrdiff_t out_stride, void *scratch)
{
    const Band b = band_of(scratch, &plan->scale[s], 1, 2);
    for (int y = first; y < end; y += VIF_BAND_ROWS)
        decimate_band(&plan->scale[s], source, y, least(y + VIF_BAND_ROWS, end), out, out_stride,
                      &b);
}

static size_t scratch_size(const VifPlan *plan)
{
    const size_t statistic = band_floats(&plan->scale[0], QUANTITIES, 1) +
                             (size_t)(QUANTITIES + 2) * BLOCK_FLOATS,
                 decimate = band_floats(&plan->scale[1], 1, 2) + BLOCK_FLOATS,
                 prescale = vif_rows_c.scratch_size(plan) / sizeof(float);
    const size_t most = statistic > decimate ? statistic : decimate;
    return sizeof(float) * (most > prescale ? most : prescale);
}

/* A prescale's rows are few and each method's weights are its own: the reference does them. */
static void prescale(const VifPlan *plan, const VifSource *source, int first, int end, float *out,
                     ptrdiff_t out_stride, void *scratch)
{
    vif_rows_c.prescale(plan, source, first, end, out, out_stride, scratch);
}

const VifCpuRows VIF_ROWS = {VIF_NAME, scratch_size, statistic, decimate, prescale, peak};
