/*
 * The plan and the CPU backend: bytes say options, size, depths and content. What the plan refuses must be what
 * vqx_vif_least_size says; what it accepts is computed by plain C and by an instruction set, threads and order of the
 * input's choice, from planes between pages that cannot be touched, and must give the same bits.
 */
#include "backend/backend.h"
#include "cpu/fence.h"
#include "fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

enum {
    MOST_SIDE = 80,
    PLAIN_C = 0x19, /* --cpumask that leaves nothing else */
    MOST_SAMPLES = 8000
};

typedef struct Job {
    VifPlan plan;
    VqxPlane planes[2];
    Fence fences[2];
    unsigned threads;
    uint64_t mask;
    int form;
} Job;

static double number(Input *input, double standard, double least, double most)
{
    const uint8_t kind = input_byte(input);
    if (kind == 255)
        return input_double(input);
    if (kind == 254)
        return most;
    if (kind == 253)
        return least;
    return kind < 128 ? standard : least + (most - least) * (kind - 128) / 125.0;
}

static double kernelscale(Input *input)
{
    size_t count;
    const double *list = vqx_vif_kernelscales(&count);
    const uint8_t kind = input_byte(input);
    return kind < 250 ? list[kind % count] : number(input, 1, 0.1, 4);
}

static VqxVifOptions take_options(Input *input)
{
    VqxVifOptions options;
    vqx_vif_default_options(&options);
    options.kernelscale = kernelscale(input);
    options.prescale = number(input, 1, 0.1, 4);
    options.prescale_method = input_byte(input) % 5;
    options.enhn_gain_limit = number(input, 100, 1, 100);
    options.sigma_nsq = number(input, 2, 0, 5);
    options.scale1_min_val = number(input, 0, 0, 1);
    options.skip_scale0 = input_byte(input) % 8 == 1;
    return options;
}

/* Samples of one of four kinds; the distorted plane is often nearly the reference. */
static void fill(Job *job, Input *input)
{
    const uint8_t kind = input_byte(input);
    Random random = random_begin(input_word(input));
    for (int i = 0; i < 2; i++) {
        VqxPlane *plane = &job->planes[i];
        const unsigned most = (1u << plane->bit_depth) - 1, flat = random_bits(&random) & most;
        const size_t bytes = plane->bit_depth > 8 ? 2 : 1;
        plane->stride = (ptrdiff_t)(plane->width * bytes + (kind & 16 ? 2 * bytes : 0));
        job->fences[i] = fence_make((size_t)plane->stride * plane->height, bytes, kind & 32);
        plane->data = job->fences[i].data;
        for (size_t n = 0; n < (size_t)plane->stride * plane->height / bytes; n++) {
            const uint32_t bits = random_bits(&random);
            const unsigned sample = (kind & 3) == 0   ? bits & most
                                    : (kind & 3) == 1 ? (bits & 1) * most
                                    : (kind & 3) == 2 ? flat
                                                      : (flat + (bits & 3)) & most;
            if (bytes == 2)
                ((uint16_t *)plane->data)[n] = (uint16_t)sample;
            else
                ((uint8_t *)plane->data)[n] = (uint8_t)sample;
        }
    }
}

static void compute(const Job *job, uint64_t mask, unsigned threads, float *sums)
{
    const VqxEngineParams params = {
        .plans = &job->plan,
        .plan_count = 1,
        .width = job->plan.width,
        .height = job->plan.height,
        .depth = {(int)job->planes[0].bit_depth, (int)job->planes[1].bit_depth},
        .threads = threads,
        .in_flight = 1,
        .cpumask = mask,
        .form = job->form};
    VqxEngine *engine;
    VqxEngineInfo info;
    VqxError error = {0};
    float *const of_plan[1] = {sums};
    VqxJob frame = {.plane = {job->planes[0], job->planes[1]}, .sums = of_plan};
    FUZZ_CHECK(vqx_backend_cpu.open(&engine, &params, &info, &error) == 0);
    FUZZ_CHECK(vqx_backend_cpu.submit(engine, &frame, &error) == 0);
    FUZZ_CHECK(vqx_backend_cpu.wait(engine, &frame, &error) == 0);
    vqx_backend_cpu.close(engine);
}

static void compute_both(const Job *job)
{
    const size_t bytes = 2 * job->plan.rows * sizeof(float);
    float *expected = calloc(1, bytes), *got = calloc(1, bytes);
    compute(job, PLAIN_C, 1, expected);
    compute(job, job->mask, job->threads, got);
    FUZZ_CHECK(!memcmp(expected, got, bytes));
    free(expected);
    free(got);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const uint64_t masks[] = {0, 0x10, 0x18, PLAIN_C};
    Input input = {data, size};
    Job job = {0};
    VqxError error = {0};
    unsigned least;
    const VqxVifOptions options = take_options(&input);
    const unsigned width = input_word(&input) % MOST_SIDE + 1;
    const unsigned height = input_word(&input) % MOST_SIDE + 1;
    const int refused = vqx_vif_least_size(&options, &least, &error);
    const int status = vif_plan_init(&job.plan, &options, (int)width, (int)height, &error);
    FUZZ_CHECK(!refused || refused == status);
    FUZZ_CHECK(refused || (status == 0) == (width >= least && height >= least));
    if (status) {
        fuzz_check_error(status, &error);
        return 0;
    }
    for (int i = 0; i < 2; i++)
        job.planes[i] =
            (VqxPlane){.width = width, .height = height, .bit_depth = 8 + input_byte(&input) % 9u};
    const uint8_t how = input_byte(&input);
    job.mask = masks[how % 4];
    job.threads = 1 + how / 4 % 3;
    job.form = how & 128 ? VQX_FORM_FP64_FREE : VQX_FORM_NATIVE;
    if (job.plan.scale[0].width * job.plan.scale[0].height <= MOST_SAMPLES) {
        fill(&job, &input);
        compute_both(&job);
        fence_free(&job.fences[0]);
        fence_free(&job.fences[1]);
    }
    vif_plan_free(&job.plan);
    return 0;
}
