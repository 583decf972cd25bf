/*
 * The CPU backend's stages: nanoseconds of processor time a pixel for each instruction set, scale and stage, with the share
 * of the arithmetic peak it reaches (vif/operations.h says what is counted). `vqx bench` measures whole frames.
 *
 *   bench_cpu [--size WIDTHxHEIGHT] [--depth N] [--repeat N] [--only NAME]
 *
 * Every time is the least of the repeats: other programs on the machine only ever add to it.
 */
#include "backend/backend.h"
#include "backend/cpu/rows.h"
#include "parity/clip.h"
#include "util/clock.h"
#include "vif/operations.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_TABLES = 8 };

typedef struct Bench {
    int width, height, depth, repeat;
    const char *only;
    VifPlan plan;
    VqxPlane planes[2];
    VifSource source[VIF_SCALES][2]; /* what scale s reads */
    float *sums;
} Bench;

static void *need(void *memory)
{
    if (!memory) {
        fprintf(stderr, "out of memory\n");
        exit(2);
    }
    return memory;
}

static void *aligned(size_t bytes)
{
    return need(aligned_alloc(64, (bytes + 63) / 64 * 64));
}

static void make_input(Bench *b)
{
    VqxError error;
    VqxVifOptions options;
    vqx_vif_default_options(&options);
    if (vif_plan_init(&b->plan, &options, b->width, b->height, &error)) {
        fprintf(stderr, "%s\n", error.message);
        exit(2);
    }
    const size_t samples = (size_t)b->width * (size_t)b->height;
    uint16_t *full[2] = {need(malloc(samples * 2)), need(malloc(samples * 2))};
    clip_content(full[0], b->width, b->height, 0, "texture", 1);
    clip_distort(full[0], full[1], b->width, b->height, 0, "noise:12", 1);
    for (int i = 0; i < 2; i++) {
        void *packed = aligned(samples * 2);
        clip_pack(full[i], packed, (int)samples, b->depth);
        free(full[i]);
        b->planes[i] = (VqxPlane){.data = packed,
                                  .stride = b->width * (b->depth > 8 ? 2 : 1),
                                  .width = (unsigned)b->width,
                                  .height = (unsigned)b->height,
                                  .bit_depth = (unsigned)b->depth};
        b->source[0][i] = (VifSource){packed, b->planes[i].stride, b->width, b->height, b->depth};
        for (int s = 1; s < VIF_SCALES; s++) {
            const VifScale *scale = &b->plan.scale[s];
            const ptrdiff_t stride = (scale->width + 15) / 16 * 64;
            b->source[s][i] = (VifSource){aligned((size_t)stride * (size_t)scale->height), stride,
                                          scale->width, scale->height, 0};
        }
    }
    b->sums = aligned(2 * b->plan.rows * sizeof(float));
}

static float *writable(const VifSource *plane)
{
    return (float *)(uintptr_t)plane->data;
}

static void free_input(Bench *b)
{
    for (int s = 0; s < VIF_SCALES; s++)
        for (int i = 0; i < 2; i++)
            free(writable(&b->source[s][i]));
    free(b->sums);
    vif_plan_free(&b->plan);
}

/* ---- stages ---- */

static double least_time(const Bench *b, const VifCpuRows *rows, int s, int decimate, void *scratch)
{
    const VifScale *scale = &b->plan.scale[s];
    double least = 1e9;
    for (int n = 0; n < b->repeat; n++) {
        const double start = vqx_seconds_of(CLOCK_THREAD_CPUTIME_ID);
        for (int i = 0; decimate && i < 2; i++)
            rows->decimate(&b->plan, s, &b->source[s - 1][i], 0, scale->height,
                           writable(&b->source[s][i]), b->source[s][i].stride, scratch);
        if (!decimate)
            rows->statistic(&b->plan, s, b->source[s], 0, scale->height, VQX_FORM_NATIVE,
                            b->sums + 2 * scale->first_row, NULL, scratch);
        const double time = vqx_seconds_of(CLOCK_THREAD_CPUTIME_ID) - start;
        least = time < least ? time : least;
    }
    return least;
}

static double peak_rate(const VifCpuRows *rows)
{
    double best = 0.0;
    for (int n = 0; rows->peak && n < 20; n++) {
        const double start = vqx_seconds_of(CLOCK_THREAD_CPUTIME_ID);
        const double operations = rows->peak(500000);
        const double rate = operations / (vqx_seconds_of(CLOCK_THREAD_CPUTIME_ID) - start);
        best = rate > best ? rate : best;
    }
    return best;
}

static void bench_stages(const Bench *b, const VifCpuRows *rows)
{
    const double peak = peak_rate(rows);
    void *scratch = aligned(rows->scratch_size(&b->plan));
    double total = 0.0, operations = 0.0;
    printf("\n%s, %dx%d, %d bits, one thread", rows->name, b->width, b->height, b->depth);
    if (peak > 0.0)
        printf("; mul + add peak %.1f Gflop/s", peak * 1e-9);
    printf("\n  %-22s %8s %8s %10s %14s\n", "stage", "ms", "ns/pixel", "flop/pixel",
           "share of peak");
    for (int s = 0; s < VIF_SCALES; s++) {
        const double pixels = (double)b->plan.scale[s].width * b->plan.scale[s].height;
        for (int decimate = s > 0; decimate >= 0; decimate--) {
            const double time = least_time(b, rows, s, decimate, scratch);
            const double needed = decimate ? vif_decimation_operations(&b->plan, s)
                                           : vif_statistic_operations(&b->plan, s);
            printf("  %-9s of scale %d %9.3f %8.3f %10.0f", decimate ? "decimate" : "statistic", s,
                   time * 1e3, time * 1e9 / pixels, needed / pixels);
            if (peak > 0.0)
                printf(" %12.0f %%", 100.0 * needed / time / peak);
            printf("\n");
            total += time;
            operations += needed;
        }
    }
    const double pixels = (double)b->width * b->height;
    printf("  %-20s %9.3f %8.3f %10.0f", "frame", total * 1e3, total * 1e9 / pixels,
           operations / pixels);
    if (peak > 0.0)
        printf(" %12.0f %%", 100.0 * operations / total / peak);
    printf("\n");
    fflush(stdout);
    free(scratch);
}

/* Every table that some mask leaves; plain C last. */
static int find_tables(const VifCpuRows **tables, const char *only)
{
    int count = 0;
    for (uint64_t mask = 0; mask < 64; mask++) {
        const VifCpuRows *rows = vif_rows_choose(mask);
        int known = rows == &vif_rows_c;
        for (int i = 0; i < count; i++)
            known |= tables[i] == rows;
        if (!known && count < MAX_TABLES - 1)
            tables[count++] = rows;
    }
    tables[count++] = &vif_rows_c;
    int kept = 0;
    for (int i = 0; i < count; i++)
        if (!only || !strcmp(only, tables[i]->name))
            tables[kept++] = tables[i];
    return kept;
}

static int parse(Bench *b, int argc, char **argv)
{
    for (int i = 1; i + 1 < argc; i += 2) {
        const char *value = argv[i + 1];
        if (!strcmp(argv[i], "--size")) {
            if (sscanf(value, "%dx%d", &b->width, &b->height) != 2)
                return -1;
        } else if (!strcmp(argv[i], "--depth"))
            b->depth = atoi(value);
        else if (!strcmp(argv[i], "--repeat"))
            b->repeat = atoi(value);
        else if (!strcmp(argv[i], "--only"))
            b->only = value;
        else
            return -1;
    }
    return argc % 2 ? 0 : -1;
}

int main(int argc, char **argv)
{
    Bench b = {.width = 1920, .height = 1080, .depth = 8, .repeat = 7};
    const VifCpuRows *tables[MAX_TABLES];
    if (parse(&b, argc, argv)) {
        fprintf(stderr,
                "usage: bench_cpu [--size WIDTHxHEIGHT] [--depth N] [--repeat N] [--only NAME]\n");
        return 2;
    }
    make_input(&b);
    const int count = find_tables(tables, b.only);
    for (int s = 1; s < VIF_SCALES; s++) /* every scale's input exists before it is measured */
        for (int i = 0; i < 2; i++) {
            void *scratch = aligned(vif_rows_c.scratch_size(&b.plan));
            vif_rows_c.decimate(&b.plan, s, &b.source[s - 1][i], 0, b.plan.scale[s].height,
                                writable(&b.source[s][i]), b.source[s][i].stride, scratch);
            free(scratch);
        }
    for (int i = 0; i < count; i++)
        bench_stages(&b, tables[i]);
    free_input(&b);
    return 0;
}
