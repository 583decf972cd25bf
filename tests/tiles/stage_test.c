/*
 * The stages of a backend of the tile kernels against plain C, sample by sample: the prescaled planes, the pyramid, the terms
 * of the row sums, the row sums. What differs first is what a failure names.
 *
 *   stage_test DEVICE [SEED [CASES]]
 *
 * Random sizes, depths and options from the seed, which is printed; the forms that the backend has, both divisions.
 */
#include "tiles/stages.h"

#include "backend/cpu/rows.h"
#include "vif/options.h"

#include "parity/clip.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { STANDARD_CASES = 40 };

VQX_API const VqxBackend *vqx_backend_module(void);

typedef struct Case {
    int width, height, depth;
    char options[128];
    VifPlan plan;
    void *samples[2];
    size_t stride;
    float *sums; /* the device's */
    int failed;
} Case;

static uint32_t next(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*state >> 33);
}

static void *need(void *memory)
{
    if (!memory) {
        fprintf(stderr, "out of memory\n");
        exit(2);
    }
    return memory;
}

static int make_case(Case *c, uint64_t *state)
{
    static const char *const options[] = {
        "",
        "",
        "vif_kernelscale=0.5",
        "vif_kernelscale=1.5",
        "vif_kernelscale=3.71134",
        "vif_sigma_nsq=0",
        "vif_sigma_nsq=1.3",
        "vif_prescale=0.5",
        "vif_prescale=1.3:vif_prescale_method=bilinear",
        "vif_prescale=0.71:vif_prescale_method=bicubic",
        "vif_prescale=1.5:vif_prescale_method=lanczos4",
        "vif_prescale=0.6:vif_prescale_method=lanczos4:vif_skip_scale0=true",
    };
    const char *const contents[] = {"texture", "noise", "boxes", "dark"};
    VqxVifOptions parsed;
    VqxError error;
    *c = (Case){.depth = 8 + (int)(next(state) % 9)};
    snprintf(c->options, sizeof c->options, "%s",
             options[next(state) % (sizeof options / sizeof options[0])]);
    vqx_vif_default_options(&parsed);
    if (vqx_vif_parse_options(&parsed, c->options, &error))
        return -1;
    const int least = vif_least_frame(&parsed);
    c->width = least + (int)(next(state) % 200);
    c->height = least + (int)(next(state) % 90);
    if (vif_plan_init(&c->plan, &parsed, c->width, c->height, &error))
        return -1;

    const int n = c->width * c->height;
    const size_t bytes = c->depth > 8 ? 2 : 1;
    uint16_t *clip[2] = {need(malloc((size_t)n * 2)), need(malloc((size_t)n * 2))};
    const uint64_t seed = next(state);
    clip_content(clip[0], c->width, c->height, 0, contents[next(state) % 4], seed);
    clip_distort(clip[0], clip[1], c->width, c->height, 0, "noise:20", seed);
    c->stride = (size_t)c->width * bytes;
    for (int i = 0; i < 2; i++) {
        c->samples[i] = need(malloc((size_t)n * 2));
        clip_pack(clip[i], c->samples[i], n, c->depth);
        free(clip[i]);
    }
    c->sums = need(calloc(2 * c->plan.rows, sizeof *c->sums));
    return 0;
}

static void free_case(Case *c)
{
    for (int i = 0; i < 2; i++)
        free(c->samples[i]);
    free(c->sums);
    vif_plan_free(&c->plan);
}

static float *read_buffer(VqxEngine *engine, int which, size_t first, size_t count)
{
    float *values = need(malloc(count * sizeof *values));
    if (stages_read(engine, which, first, values, count)) {
        fprintf(stderr, "a buffer cannot be read back\n");
        exit(2);
    }
    return values;
}

/* Scale s's plane of an image as the device has it, against plain C's. */
static void compare_plane(Case *c, VqxEngine *engine, int s, int image, const float *expected,
                          size_t expected_pitch)
{
    const VifScale *scale = &c->plan.scale[s];
    const size_t pitch = (size_t)stages_layout(engine)->plan[0].pitch[s],
                 height = (size_t)scale->height;
    float *got =
        read_buffer(engine, TILES_PLANES + s, (size_t)image * pitch * height, pitch * height);
    for (size_t y = 0; !c->failed && y < height; y++) {
        for (size_t x = 0; !c->failed && x < (size_t)scale->width; x++) {
            const float e = expected[y * expected_pitch + x], g = got[y * pitch + x];
            /* A bilinear sum has no zero to start from: -0 may be +0, which nothing after it sees. */
            if (vqx_bits(e) == vqx_bits(g) || (e == 0.0f && g == 0.0f))
                continue;
            fprintf(stderr, "  scale %d's plane, image %d, (%zu, %zu): %.9g, plain C's %.9g\n", s,
                    image, x, y, (double)g, (double)e);
            c->failed = 1;
        }
    }
    free(got);
}

/* The terms as the device has them, added here, tell a fault of the scale kernel from one of the row
 * sums. */
static void compare_sums(Case *c, VqxEngine *engine, int s, const float *expected)
{
    const VifScale *scale = &c->plan.scale[s];
    const TilesPlan *plan = &stages_layout(engine)->plan[0];
    const size_t pitch = (size_t)plan->terms_pitch[s], width = (size_t)scale->width;
    float *terms = read_buffer(engine, TILES_TERMS, plan->terms[s], 2 * width * pitch);
    for (size_t i = 0; !c->failed && i < 2 * (size_t)scale->height; i++) {
        const char *name = i % 2 ? "den" : "num";
        const float *term = terms + (i % 2) * width * pitch + i / 2;
        const float got = c->sums[2 * scale->first_row + i];
        float sum = 0.0f;
        for (size_t x = 0; x < width; x++)
            sum += term[x * pitch];
        if (vqx_bits(sum) != vqx_bits(expected[i])) {
            fprintf(stderr, "  scale %d, terms of row %zu, %s: sum %.9g, plain C's %.9g\n", s,
                    i / 2, name, (double)sum, (double)expected[i]);
            c->failed = 1;
        } else if (vqx_bits(got) != vqx_bits(sum)) {
            fprintf(stderr, "  scale %d, row sum %zu, %s: %.9g of terms that add up to %.9g\n", s,
                    i / 2, name, (double)got, (double)sum);
            c->failed = 1;
        }
    }
    free(terms);
}

static void compare_stages(Case *c, VqxEngine *engine)
{
    const VifPlan *plan = &c->plan;
    void *scratch = need(aligned_alloc(64, (vif_rows_c.scratch_size(plan) + 63) / 64 * 64));
    float *planes[2] = {NULL, NULL};
    VifSource source[2];
    for (int i = 0; i < 2; i++)
        source[i] = (VifSource){c->samples[i], (ptrdiff_t)c->stride, c->width, c->height, c->depth};
    for (int s = 0; s < VIF_SCALES && !c->failed; s++) {
        const VifScale *scale = &plan->scale[s];
        const ptrdiff_t stride = scale->width * (ptrdiff_t)sizeof(float);
        for (int i = 0; i < 2 && (s > 0 || plan->prescaled); i++) {
            float *out = need(malloc((size_t)stride * (size_t)scale->height));
            if (s > 0)
                vif_rows_c.decimate(plan, s, &source[i], 0, scale->height, out, stride, scratch);
            else
                vif_rows_c.prescale(plan, &source[i], 0, scale->height, out, stride, scratch);
            free(planes[i]);
            planes[i] = out;
            source[i] = (VifSource){out, stride, scale->width, scale->height, 0};
            compare_plane(c, engine, s, i, out, (size_t)scale->width);
        }
        if (s < plan->first_scale)
            continue;
        float *sums = need(malloc(2 * (size_t)scale->height * sizeof *sums));
        vif_rows_c.statistic(plan, s, source, 0, scale->height, VQX_FORM_NATIVE, sums, NULL,
                             scratch);
        compare_sums(c, engine, s, sums);
        free(sums);
    }
    free(planes[0]);
    free(planes[1]);
    free(scratch);
}

/* One slot, so that its buffers hold the frame when it is done. */
static void run_case(Case *c, const char *device, int form)
{
    const VqxBackend *backend = vqx_backend_module();
    float *sums[1] = {c->sums};
    VqxJob job = {.sums = sums};
    VqxEngineParams params = {.plans = &c->plan,
                              .plan_count = 1,
                              .width = c->width,
                              .height = c->height,
                              .depth = {c->depth, c->depth},
                              .device = device,
                              .in_flight = 1,
                              .form = form};
    VqxEngine *engine = NULL;
    VqxEngineInfo info;
    VqxError error;
    for (int i = 0; i < 2; i++)
        job.plane[i] = (VqxPlane){.data = c->samples[i],
                                  .stride = (ptrdiff_t)c->stride,
                                  .width = (unsigned)c->width,
                                  .height = (unsigned)c->height,
                                  .bit_depth = (unsigned)c->depth};
    if (backend->open(&engine, &params, &info, &error) || backend->submit(engine, &job, &error) ||
        backend->wait(engine, &job, &error)) {
        fprintf(stderr, "  %s\n", error.message);
        c->failed = 1;
    } else {
        compare_stages(c, engine);
    }
    backend->close(engine);
}

int main(int argc, char **argv)
{
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1, state = seed;
    const int cases = argc > 3 ? atoi(argv[3]) : STANDARD_CASES;
    int failed = 0;
    if (argc < 2) {
        fprintf(stderr, "usage: stage_test DEVICE [SEED [CASES]]\n");
        return 2;
    }
    printf("seed %llu\n", (unsigned long long)seed);
    for (int i = 0; i < cases; i++) {
        char device[64];
        const int soft = i & 1, native = stages_has_native && (i & 2);
        const int form = native ? VQX_FORM_NATIVE : VQX_FORM_FP64_FREE;
        Case c;
        snprintf(device, sizeof device, "%s%s", argv[1], soft ? "+soft-division" : "");
        if (make_case(&c, &state)) {
            fprintf(stderr, "case %d cannot be made\n", i);
            return 2;
        }
        run_case(&c, device, form);
        if (c.failed)
            fprintf(stderr, "FAILED case %d: %dx%d, %d bits, '%s', %s, %s division\n", i, c.width,
                    c.height, c.depth, c.options, native ? "native" : "fp64-free",
                    soft ? "software" : "native");
        failed += c.failed;
        free_case(&c);
    }
    printf("%d cases, %d failed\n", cases, failed);
    return failed ? 1 : 0;
}
