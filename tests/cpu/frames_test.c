/*
 * Whole frames through the CPU backend, at its seam, against plain C run plane by plane: every row
 * sum, for every option, instruction set, number of threads and order of waiting.
 *
 *   frames_test [--seed N] [--options N] [--cases N] [--threads N]
 *
 * Takes the first N of a fixed list of options, then N random ones.
 */
#include "backend/backend.h"
#include "backend/cpu/rows.h"
#include "cpu/fence.h"
#include "parity/clip.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MAX_PLANS = 3, MAX_FRAMES = 6, MAX_THREADS = 8, ALL_MASKS = 64 };

typedef struct Case {
    const char *options[MAX_PLANS];
    size_t plan_count;
    int width, height, depth[2], frames;
    const char *content, *distortion;
    uint64_t seed;
    unsigned threads, in_flight;
    int form, newest_first;
} Case;

static const char *const contents[][2] = {
    {"texture", "quant:24"},  {"noise", "noise:64"},    {"boxes", "blur"},
    {"texture", "gain:24"},   {"dark", "quant:90"},     {"bright", "noise:9"},
    {"flat:128", "same"},     {"texture", "invert"},    {"ramp", "quant:64"},
    {"checker:1", "shift:1"}, {"flat:128", "noise:20"}, {"boxes", "mid"},
};

static const char *const options[] = {
    "",
    "vif_kernelscale=0.5",
    "vif_kernelscale=1.5",
    "vif_kernelscale=2",
    "vif_kernelscale=0.666667",
    "vif_kernelscale=2.4",
    "vif_kernelscale=3.71134",
    "vif_kernelscale=1.333333",
    "vif_kernelscale=1.166667",
    "vif_kernelscale=1.25",
    "vif_kernelscale=1.416667",
    "vif_kernelscale=1.666667",
    "vif_kernelscale=3",
    "vif_kernelscale=0.444444",
    "vif_kernelscale=1.4746",
    "vif_kernelscale=1.54",
    "vif_kernelscale=1.6",
    "vif_kernelscale=1.06667",
    "vif_kernelscale=0.711111",
    "vif_kernelscale=0.74074",
    "vif_kernelscale=1.111111",
    "vif_sigma_nsq=0",
    "vif_sigma_nsq=0.001",
    "vif_sigma_nsq=1.5",
    "vif_sigma_nsq=5",
    "vif_enhn_gain_limit=1",
    "vif_enhn_gain_limit=1.2:vif_sigma_nsq=1.5",
    "vif_skip_scale0=true",
    "vif_skip_scale0=true:vif_kernelscale=0.5",
    "vif_prescale=0.5",
    "vif_prescale=1.7",
    "vif_prescale=0.71:vif_prescale_method=bilinear",
    "vif_prescale=1.5:vif_prescale_method=bilinear",
    "vif_prescale=0.5:vif_prescale_method=bicubic",
    "vif_prescale=2:vif_prescale_method=bicubic:vif_sigma_nsq=3",
    "vif_prescale=0.71:vif_prescale_method=lanczos4",
    "vif_prescale=1.5:vif_prescale_method=lanczos4:vif_kernelscale=1.5",
};

enum {
    CONTENTS = sizeof contents / sizeof contents[0],
    OPTIONS = sizeof options / sizeof options[0]
};

static void *need(void *memory)
{
    if (!memory) {
        fprintf(stderr, "out of memory\n");
        exit(2);
    }
    return memory;
}

/* ---- plain C, a whole plane at a time ---- */

static VifSource f32_plane(const VifScale *scale)
{
    const size_t bytes = (size_t)scale->width * (size_t)scale->height * sizeof(float);
    return (VifSource){.data = need(malloc(bytes)),
                       .stride = scale->width * (ptrdiff_t)sizeof(float),
                       .width = scale->width,
                       .height = scale->height};
}

static void free_plane(const VifSource *plane)
{
    free((void *)(uintptr_t)plane->data);
}

static void compute_reference(const VifPlan *plan, const VqxPlane planes[2], int form, float *sums)
{
    const VifCpuRows *rows = &vif_rows_c;
    void *scratch = need(malloc(rows->scratch_size(plan)));
    VifSource source[VIF_SCALES + 1][2]; /* the submitted planes, then each scale's */
    for (int i = 0; i < 2; i++) {
        const VqxPlane *p = &planes[i];
        source[0][i] =
            (VifSource){p->data, p->stride, (int)p->width, (int)p->height, (int)p->bit_depth};
        for (int s = 0; s < VIF_SCALES; s++) {
            const VifScale *scale = &plan->scale[s];
            const VifSource *from = &source[s][i];
            source[s + 1][i] = f32_plane(scale);
            float *out = (float *)(uintptr_t)source[s + 1][i].data;
            const ptrdiff_t stride = source[s + 1][i].stride;
            if (s > 0)
                rows->decimate(plan, s, s == 1 && !plan->prescaled ? &source[0][i] : from, 0,
                               scale->height, out, stride, scratch);
            else if (plan->prescaled)
                rows->prescale(plan, from, 0, scale->height, out, stride, scratch);
        }
    }
    for (int s = plan->first_scale; s < VIF_SCALES; s++)
        rows->statistic(plan, s, source[s == 0 && !plan->prescaled ? 0 : s + 1], 0,
                        plan->scale[s].height, form, sums + 2 * plan->scale[s].first_row, NULL,
                        scratch);
    for (int s = 0; s < VIF_SCALES; s++)
        for (int i = 0; i < 2; i++)
            free_plane(&source[s + 1][i]);
    free(scratch);
}

/* ---- the backend ---- */

typedef struct Run {
    const Case *c;
    VifPlan plans[MAX_PLANS];
    size_t plan_count;
    VqxPlane planes[MAX_FRAMES][2];
    float *expected[MAX_FRAMES][MAX_PLANS], *got[MAX_FRAMES][MAX_PLANS];
} Run;

static void make_planes(Run *run)
{
    const Case *c = run->c;
    const size_t samples = (size_t)c->width * (size_t)c->height;
    uint16_t *full[2] = {need(malloc(samples * 2)), need(malloc(samples * 2))};
    for (int f = 0; f < c->frames; f++) {
        clip_content(full[0], c->width, c->height, f, c->content, c->seed);
        clip_distort(full[0], full[1], c->width, c->height, f, c->distortion, c->seed);
        for (int i = 0; i < 2; i++) {
            void *packed = need(malloc(samples * 2));
            clip_pack(full[i], packed, (int)samples, c->depth[i]);
            run->planes[f][i] = (VqxPlane){.data = packed,
                                           .stride = c->width * (c->depth[i] > 8 ? 2 : 1),
                                           .width = (unsigned)c->width,
                                           .height = (unsigned)c->height,
                                           .bit_depth = (unsigned)c->depth[i]};
        }
    }
    free(full[0]);
    free(full[1]);
}

static float *make_sums(const VifPlan *plan)
{
    return need(malloc(2 * plan->rows * sizeof(float)));
}

/* What must not be written stays so. */
static void clear_sums(const VifPlan *plan, float *sums)
{
    memset(sums, 0xa5, 2 * plan->rows * sizeof(float));
}

static int run_begin(Run *run, const Case *c)
{
    VqxError error = {0};
    *run = (Run){.c = c};
    for (; run->plan_count < c->plan_count; run->plan_count++) {
        VqxVifOptions parsed;
        vqx_vif_default_options(&parsed);
        if (vqx_vif_parse_options(&parsed, c->options[run->plan_count], &error) ||
            vif_plan_init(&run->plans[run->plan_count], &parsed, c->width, c->height, &error)) {
            fprintf(stderr, "  %s\n", error.message);
            return -1;
        }
    }
    make_planes(run);
    for (int f = 0; f < c->frames; f++) {
        for (size_t p = 0; p < run->plan_count; p++) {
            run->expected[f][p] = make_sums(&run->plans[p]);
            run->got[f][p] = make_sums(&run->plans[p]);
            clear_sums(&run->plans[p], run->expected[f][p]);
            compute_reference(&run->plans[p], run->planes[f], c->form, run->expected[f][p]);
        }
    }
    return 0;
}

static void run_end(Run *run)
{
    for (int f = 0; f < run->c->frames; f++) {
        for (size_t p = 0; p < run->plan_count; p++) {
            free(run->expected[f][p]);
            free(run->got[f][p]);
        }
        free(run->planes[f][0].data);
        free(run->planes[f][1].data);
    }
    for (size_t p = 0; p < run->plan_count; p++)
        vif_plan_free(&run->plans[p]);
}

/* As many frames at once as the engine takes; each group is waited for in one of two orders. */
static int run_frames(Run *run, VqxEngine *engine, unsigned in_flight, VqxError *error)
{
    const VqxBackend *cpu = &vqx_backend_cpu;
    VqxJob jobs[MAX_FRAMES];
    int status = 0;
    for (int first = 0; !status && first < run->c->frames; first += (int)in_flight) {
        const int left = run->c->frames - first;
        const int group = left < (int)in_flight ? left : (int)in_flight;
        for (int i = 0; !status && i < group; i++) {
            jobs[i] = (VqxJob){.plane = {run->planes[first + i][0], run->planes[first + i][1]},
                               .sums = run->got[first + i]};
            status = cpu->submit(engine, &jobs[i], error);
        }
        for (int i = 0; !status && i < group; i++)
            status = cpu->wait(engine, &jobs[run->c->newest_first ? group - 1 - i : i], error);
    }
    return status;
}

static int run_backend(Run *run, uint64_t mask, VqxError *error)
{
    const Case *c = run->c;
    const VqxEngineParams params = {.plans = run->plans,
                                    .plan_count = run->plan_count,
                                    .width = c->width,
                                    .height = c->height,
                                    .depth = {c->depth[0], c->depth[1]},
                                    .threads = c->threads,
                                    .in_flight = c->in_flight,
                                    .cpumask = mask,
                                    .form = c->form};
    VqxEngine *engine;
    VqxEngineInfo info;
    for (int f = 0; f < c->frames; f++)
        for (size_t p = 0; p < run->plan_count; p++)
            clear_sums(&run->plans[p], run->got[f][p]);
    int status = vqx_backend_cpu.open(&engine, &params, &info, error);
    if (status)
        return status;
    if (!strstr(info.detail, vif_rows_choose(mask)->name)) {
        fprintf(stderr, "  detail '%s' does not name %s\n", info.detail,
                vif_rows_choose(mask)->name);
        status = -1;
    }
    if (!status)
        status = run_frames(run, engine, info.in_flight, error);
    vqx_backend_cpu.close(engine);
    return status;
}

static int compare(const Run *run)
{
    for (int f = 0; f < run->c->frames; f++) {
        for (size_t p = 0; p < run->plan_count; p++) {
            const float *expected = run->expected[f][p], *got = run->got[f][p];
            for (size_t i = 0; i < 2 * run->plans[p].rows; i++) {
                if (vqx_bits(expected[i]) == vqx_bits(got[i]))
                    continue;
                fprintf(stderr, "  frame %d, plan %zu, row %zu of all scales, %s: %a, not %a\n", f,
                        p, i / 2, i % 2 ? "den" : "num", (double)got[i], (double)expected[i]);
                return -1;
            }
        }
    }
    return 0;
}

static void describe(const Case *c, uint64_t mask, const VqxError *error)
{
    fprintf(stderr, "FAILED %s: %dx%d, %d and %d bits, %s/%s seed %llu, %d frames, %u threads,",
            error->message, c->width, c->height, c->depth[0], c->depth[1], c->content,
            c->distortion, (unsigned long long)c->seed, c->frames, c->threads);
    fprintf(stderr, " %u in flight, %s first, %s, form %d, options", c->in_flight,
            c->newest_first ? "newest" : "oldest", vif_rows_choose(mask)->name, c->form);
    for (size_t p = 0; p < c->plan_count; p++)
        fprintf(stderr, " '%s'", c->options[p]);
    fprintf(stderr, "\n");
}

static int test_case(const Case *c, const uint64_t *masks, int mask_count)
{
    Run run;
    VqxError error = {0};
    int failed = run_begin(&run, c) ? 1 : 0;
    for (int i = 0; !failed && i < mask_count; i++) {
        if (run_backend(&run, masks[i], &error) || compare(&run)) {
            describe(c, masks[i], &error);
            failed++;
        }
    }
    run_end(&run);
    return failed;
}

/* ---- cases ---- */

/* The masks that lead to different instruction sets, plain C among them. */
static int find_masks(uint64_t masks[ALL_MASKS])
{
    int count = 0;
    for (uint64_t mask = 0; mask < ALL_MASKS; mask++) {
        int known = 0;
        for (int i = 0; i < count; i++)
            known |= vif_rows_choose(masks[i]) == vif_rows_choose(mask);
        if (!known)
            masks[count++] = mask;
    }
    return count;
}

static Case random_case(Random *random)
{
    const int content = random_int(random, 0, CONTENTS - 1);
    Case c = {
        .plan_count = random_int(random, 0, 3) ? 1 : (size_t)random_int(random, 2, MAX_PLANS),
        .width = 72 + random_int(random, 0, 300), /* prescaled by 0.5 the least side is 32 */
        .height = 72 + random_int(random, 0, 120),
        .depth = {random_int(random, 8, 16), random_int(random, 8, 16)},
        .frames = random_int(random, 0, 2) ? 1 : random_int(random, 2, MAX_FRAMES),
        .content = contents[content][0],
        .distortion = contents[content][1],
        .seed = random_bits(random),
        .threads = (unsigned)random_int(random, 1, MAX_THREADS),
        .in_flight = (unsigned)random_int(random, 0, MAX_FRAMES),
        .form = random_int(random, 0, 7) ? VQX_FORM_NATIVE : VQX_FORM_FP64_FREE,
        .newest_first = random_int(random, 0, 1),
    };
    for (size_t p = 0; p < c.plan_count; p++)
        c.options[p] = options[random_int(random, 0, OPTIONS - 1)];
    return c;
}

int main(int argc, char **argv)
{
    uint64_t seed = (uint64_t)time(NULL), masks[ALL_MASKS];
    const int mask_count = find_masks(masks);
    int option_cases = OPTIONS, cases = 60, failed = 0, run = 0;
    unsigned threads = 0;
    for (int i = 1; i + 1 < argc; i += 2) {
        if (!strcmp(argv[i], "--seed"))
            seed = strtoull(argv[i + 1], NULL, 10);
        else if (!strcmp(argv[i], "--options"))
            option_cases = atoi(argv[i + 1]) < OPTIONS ? atoi(argv[i + 1]) : OPTIONS;
        else if (!strcmp(argv[i], "--cases"))
            cases = atoi(argv[i + 1]);
        else if (!strcmp(argv[i], "--threads"))
            threads = (unsigned)atoi(argv[i + 1]);
    }
    for (int i = 0; i < mask_count; i++)
        printf("%s%s", i ? ", " : "", vif_rows_choose(masks[i])->name);
    printf("; %d options, then %d random cases from seed %llu\n", option_cases, cases,
           (unsigned long long)seed);
    fflush(stdout);
    for (int n = 0; n < option_cases + cases && failed < 5; n++) {
        Random random = random_begin(seed + (uint64_t)n);
        Case c = random_case(&random);
        if (n < option_cases) {
            c.options[0] = options[n];
            c.plan_count = 1;
        }
        c.threads = threads ? threads : c.threads;
        failed += test_case(&c, masks, mask_count);
        run += mask_count;
    }
    printf("%d runs, %d failed\n", run, failed);
    return failed ? 1 : 0;
}
