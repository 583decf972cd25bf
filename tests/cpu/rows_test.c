/*
 * Every stage of every instruction set that this processor has, against plain C, byte by byte.
 *
 *   rows_test [--seed N] [--cases N] [--only NAME]
 *
 * Both get the same samples, and outputs that begin with the same random bytes; afterwards the
 * outputs must be the same everywhere, also in the padding and the rows that were not asked for.
 * Inputs and scratch lie between pages that cannot be touched; the scratch begins with random bytes.
 */
#include "backend/cpu/rows.h"
#include "cpu/fence.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MAX_TABLES = 8, LARGE_SIDE = 700 };

typedef enum Stage { STATISTIC, DECIMATE, PRESCALE, STAGES } Stage;

static const char *const stage_names[STAGES] = {"statistic", "decimate", "prescale"};

typedef struct Case {
    Stage stage;
    VqxVifOptions options;
    VifPlan plan;
    int scale, form;
    int first, end; /* rows */
    VifSource source[2];
    Fence samples[2];
    char pattern[2][16];
} Case;

/* ---- samples ---- */

typedef struct Pattern {
    const char *name;
    float (*at)(Random *random, int x, int y); /* 0..1 */
} Pattern;

static float uniform(Random *random)
{
    return (float)(random_bits(random) >> 8) / 16777215.0f;
}

static float noise(Random *random, int x, int y)
{
    (void)x;
    (void)y;
    return uniform(random);
}

static float extremes(Random *random, int x, int y)
{
    (void)x;
    (void)y;
    return (float)(random_bits(random) & 1);
}

static float black(Random *random, int x, int y)
{
    (void)random;
    (void)x;
    (void)y;
    return 0.0f;
}

static float white(Random *random, int x, int y)
{
    (void)random;
    (void)x;
    (void)y;
    return 1.0f;
}

static float mid(Random *random, int x, int y)
{
    (void)random;
    (void)x;
    (void)y;
    return 0.50196f; /* 128 of 255: zeros after the offset */
}

static float soft(Random *random, int x, int y)
{
    return 0.5f + 0.002f * (float)((x + 2 * y) % 100) + 0.01f * uniform(random);
}

/* Flat patches beside busy ones: vectors whose lanes disagree about every condition. */
static float patches(Random *random, int x, int y)
{
    return (x / 37 + y / 23) % 3 ? 0.4f + 0.001f * (float)(y % 7) : uniform(random);
}

static float checker(Random *random, int x, int y)
{
    (void)random;
    return (float)((x ^ y) & 1);
}

static float single(Random *random, int x, int y)
{
    (void)x;
    (void)y;
    return random_int(random, 0, 500) ? 0.5f : 1.0f;
}

static const Pattern patterns[] = {
    {"noise", noise},     {"extremes", extremes}, {"black", black},
    {"white", white},     {"mid", mid},           {"soft", soft},
    {"patches", patches}, {"checker", checker},   {"single", single},
};

enum { PATTERNS = sizeof patterns / sizeof patterns[0] };

/* An f32 plane: what a decimation gives lies in -128..128, a prescale can overshoot. */
static float as_f32(float value, Random *random)
{
    const float x = (value - 0.5f) * 300.0f;
    const int kind = random_int(random, 0, 400);
    return kind == 0 ? -0.0f : kind == 1 ? x * 1e-20f : x;
}

static void write_sample(char *at, int depth, float value, Random *random)
{
    const uint16_t word = (uint16_t)(value * (float)((1 << (depth ? depth : 8)) - 1) + 0.5f);
    const uint8_t byte = (uint8_t)word;
    const float single_precision = as_f32(value, random);
    if (depth == 0)
        memcpy(at, &single_precision, sizeof single_precision);
    else if (depth == 8)
        *at = (char)byte;
    else
        memcpy(at, &word, sizeof word);
}

static size_t sample_bytes(int depth)
{
    return depth == 0 ? sizeof(float) : depth == 8 ? 1 : 2;
}

/* The distorted plane is at times the reference with a little noise on it, or the very same. */
static void make_source(Case *c, int i, int width, int height, int depth, Random *random)
{
    const size_t unit = sample_bytes(depth), row = unit * (size_t)width;
    const int padding = random_int(random, 0, 3) ? random_int(random, 0, 80) : 0;
    const size_t stride = row + unit * (size_t)padding;
    const int bottom_up = random_int(random, 0, 4) == 0, derived = i && random_int(random, 0, 1);
    const float amount = random_int(random, 0, 2) ? 0.05f : 0.0f;
    const Pattern *pattern = &patterns[random_int(random, 0, PATTERNS - 1)];
    Fence *fence = &c->samples[i];
    *fence = fence_make(stride * (size_t)(height - 1) + row, unit, random_int(random, 0, 1));
    fence_fill_random(fence, random);
    c->source[i] = (VifSource){
        .data = fence->data + (bottom_up ? stride * (size_t)(height - 1) : 0),
        .stride = bottom_up ? -(ptrdiff_t)stride : (ptrdiff_t)stride,
        .width = width,
        .height = height,
        .depth = depth,
    };
    snprintf(c->pattern[i], sizeof c->pattern[i], "%s", derived ? "derived" : pattern->name);
    const VifSource *from = &c->source[0], *to = &c->source[i];
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            char *at = (char *)(uintptr_t)to->data + y * to->stride + x * (ptrdiff_t)unit;
            const char *origin = (const char *)from->data + y * from->stride +
                                 x * (ptrdiff_t)sample_bytes(from->depth);
            if (derived && from->depth == depth && uniform(random) > amount)
                memcpy(at, origin, unit);
            else
                write_sample(at, depth, pattern->at(random, x, y), random);
        }
    }
}

/* ---- cases ---- */

static void random_options(VqxVifOptions *options, Stage stage, Random *random)
{
    static const double nsq[] = {2, 2, 2, 0, 1, 0.5, 1.5, 0.001, 4.7, 5, 1e-20};
    static const double limits[] = {100, 100, 1, 1.2, 7.5};
    size_t scales;
    const double *kernelscales = vqx_vif_kernelscales(&scales);
    vqx_vif_default_options(options);
    if (random_int(random, 0, 1))
        options->kernelscale = kernelscales[random_int(random, 0, (int)scales - 1)];
    options->sigma_nsq = nsq[random_int(random, 0, 10)];
    options->enhn_gain_limit = limits[random_int(random, 0, 4)];
    if (stage == PRESCALE) {
        options->prescale = 0.3 + 0.01 * random_int(random, 0, 200);
        options->prescale_method = random_int(random, 0, 3);
    }
}

static int random_depth(Random *random)
{
    return random_int(random, 0, 2) ? random_int(random, 8, 16) : 8;
}

/* Sizes hug the least one and the edges of vectors and chunks more often than chance would. */
static int random_side(Random *random, int least)
{
    const int kind = random_int(random, 0, 9);
    return kind < 3   ? least + random_int(random, 0, 3)
           : kind < 9 ? least + random_int(random, 0, 130)
                      : least + random_int(random, 0, LARGE_SIDE);
}

static void random_rows(Case *c, int height, Random *random)
{
    c->first = random_int(random, 0, 2) ? random_int(random, 0, height - 1) : 0;
    c->end = random_int(random, 0, 2) ? random_int(random, c->first + 1, height) : height;
}

static int make_case(Case *c, Random *random)
{
    VqxError error;
    *c = (Case){.stage = (Stage)random_int(random, 0, STAGES - 1)};
    random_options(&c->options, c->stage, random);
    const int least = vif_least_frame(&c->options);
    const int width = random_side(random, least), height = random_side(random, least);
    if (vif_plan_init(&c->plan, &c->options, width, height, &error)) {
        fprintf(stderr, "%d x %d: %s\n", width, height, error.message);
        return -1;
    }
    c->form = random_int(random, 0, 3) ? VQX_FORM_NATIVE : VQX_FORM_FP64_FREE;
    c->scale = c->stage == STATISTIC  ? random_int(random, 0, VIF_SCALES - 1)
               : c->stage == DECIMATE ? random_int(random, 1, VIF_SCALES - 1)
                                      : 0;
    const VifScale *output = &c->plan.scale[c->scale];
    const VifScale *input = &c->plan.scale[c->stage == DECIMATE ? c->scale - 1 : c->scale];
    const int planes = c->stage == STATISTIC ? 2 : 1;
    const int luma =
        c->stage == PRESCALE || (input == &c->plan.scale[0] && random_int(random, 0, 2));
    for (int i = 0; i < planes; i++)
        make_source(c, i, c->stage == PRESCALE ? width : input->width,
                    c->stage == PRESCALE ? height : input->height, luma ? random_depth(random) : 0,
                    random);
    random_rows(c, output->height, random);
    return 0;
}

static void free_case(Case *c)
{
    vif_plan_free(&c->plan);
    for (int i = 0; i < 2; i++)
        if (c->samples[i].pages)
            fence_free(&c->samples[i]);
}

static void describe(const Case *c)
{
    const VqxVifOptions *o = &c->options;
    fprintf(stderr,
            "  %s of scale %d, rows %d to %d, form %s; kernelscale %.17g nsq %g gain limit %g",
            stage_names[c->stage], c->scale, c->first, c->end - 1,
            c->form == VQX_FORM_NATIVE ? "native" : "fp64-free", o->kernelscale, o->sigma_nsq,
            o->enhn_gain_limit);
    fprintf(stderr, " prescale %g method %d\n", o->prescale, (int)o->prescale_method);
    for (int i = 0; i < 2 && c->source[i].data; i++)
        fprintf(stderr, "  plane %d: %d x %d, depth %d, stride %td, %s\n", i, c->source[i].width,
                c->source[i].height, c->source[i].depth, c->source[i].stride, c->pattern[i]);
}

/* ---- running and comparing ---- */

static size_t output_stride(const Case *c)
{
    const VifScale *scale = &c->plan.scale[c->scale];
    return c->stage == STATISTIC ? 2 * sizeof(float) : ((size_t)scale->width + 5) * sizeof(float);
}

static void run_case(const VifCpuRows *rows, const Case *c, Fence *output, Random random)
{
    const int at_end = random_int(&random, 0, 1);
    Fence scratch = fence_make(rows->scratch_size(&c->plan), 64, at_end);
    fence_fill_random(output, &random);
    fence_fill_random(&scratch, &random);
    float *out = (float *)(void *)output->data;
    const ptrdiff_t stride = (ptrdiff_t)output_stride(c);
    if (c->stage == STATISTIC)
        rows->statistic(&c->plan, c->scale, c->source, c->first, c->end, c->form, out, NULL,
                        scratch.data);
    else if (c->stage == DECIMATE)
        rows->decimate(&c->plan, c->scale, &c->source[0], c->first, c->end, out, stride,
                       scratch.data);
    else
        rows->prescale(&c->plan, &c->source[0], c->first, c->end, out, stride, scratch.data);
    fence_free(&scratch);
}

static int compare(const Case *c, const char *name, const Fence *expected, const Fence *got)
{
    const size_t stride = output_stride(c);
    if (!memcmp(expected->data, got->data, expected->bytes))
        return 0;
    size_t i = 0;
    while (expected->data[i] == got->data[i])
        i++;
    float values[2];
    memcpy(&values[0], expected->data + i / 4 * 4, sizeof(float));
    memcpy(&values[1], got->data + i / 4 * 4, sizeof(float));
    fprintf(stderr,
            "%s differs first at row %zu, float %zu of it: %.9g (%a), plain C has %.9g (%a)\n",
            name, i / stride, i % stride / 4, (double)values[1], (double)values[1],
            (double)values[0], (double)values[0]);
    describe(c);
    return -1;
}

static int test_case(const VifCpuRows *const *tables, int count, uint64_t seed)
{
    Random random = random_begin(seed);
    Case c;
    if (make_case(&c, &random))
        return -1;
    int status = 0;
    const size_t bytes = output_stride(&c) * (size_t)c.plan.scale[c.scale].height;
    Fence expected = fence_make(bytes, sizeof(float), 1), got = fence_make(bytes, sizeof(float), 1);
    run_case(&vif_rows_c, &c, &expected, random);
    for (int i = 0; i < count; i++) {
        run_case(tables[i], &c, &got, random);
        status |= compare(&c, tables[i]->name, &expected, &got);
    }
    fence_free(&expected);
    fence_free(&got);
    free_case(&c);
    return status;
}

/* Every table that some mask leaves, but for plain C. */
static int find_tables(const VifCpuRows **tables, const char *only)
{
    int count = 0;
    for (uint64_t mask = 0; mask < 64; mask++) {
        const VifCpuRows *rows = vif_rows_choose(mask);
        int known = rows == &vif_rows_c || (only && strcmp(only, rows->name) != 0);
        for (int i = 0; i < count; i++)
            known |= tables[i] == rows;
        if (!known && count < MAX_TABLES)
            tables[count++] = rows;
    }
    return count;
}

int main(int argc, char **argv)
{
    uint64_t seed = (uint64_t)time(NULL);
    int cases = 1500, failed = 0;
    const char *only = NULL;
    const VifCpuRows *tables[MAX_TABLES];
    for (int i = 1; i + 1 < argc; i += 2) {
        if (!strcmp(argv[i], "--seed"))
            seed = strtoull(argv[i + 1], NULL, 10);
        else if (!strcmp(argv[i], "--cases"))
            cases = atoi(argv[i + 1]);
        else if (!strcmp(argv[i], "--only"))
            only = argv[i + 1];
    }
    const int count = find_tables(tables, only);
    if (!count) {
        printf("skipped: this processor has none of the instruction sets%s%s\n",
               only ? " named " : "", only ? only : "");
        return 77;
    }
    for (int i = 0; i < count; i++)
        printf("%s%s", i ? ", " : "against plain C: ", tables[i]->name);
    printf("; %d cases from seed %llu\n", cases, (unsigned long long)seed);
    fflush(stdout);
    for (int n = 0; n < cases && failed < 5; n++) {
        if (test_case(tables, count, seed + (uint64_t)n)) {
            fprintf(stderr, "  repeat with --seed %llu --cases 1\n",
                    (unsigned long long)(seed + (uint64_t)n));
            failed++;
        }
    }
    printf("%d failed\n", failed);
    return failed ? 1 : 0;
}
