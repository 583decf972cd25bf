#include "backends/parity.h"

#include "parity/clip.h"
#include "vif/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct Run {
    const ParityCase *c;
    VifPlan plans[PARITY_MAX_PLANS];
    size_t plan_count;
    uint16_t *samples[2];
    float **expected, **got; /* frame f's and plan p's sums at [f * plan_count + p] */
} Run;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* A GPU's driver takes a tenth of a second to start a device that no one uses. */
static int hold_device(ParityTest *test)
{
    static VifPlan plan;
    VqxVifOptions options;
    VqxEngineInfo info;
    VqxError error;
    vqx_vif_default_options(&options);
    const VqxEngineParams params = {.plans = &plan,
                                    .plan_count = 1,
                                    .width = 16,
                                    .height = 16,
                                    .depth = {8, 8},
                                    .device = test->device,
                                    .in_flight = 1};
    if (!vif_plan_init(&plan, &options, 16, 16, &error) &&
        !test->tested->open(&test->held, &params, &info, &error))
        return 0;
    fprintf(stderr, "%s\n", error.message);
    return 1;
}

void parity_end(ParityTest *test)
{
    test->tested->close(test->held);
}

int parity_begin(ParityTest *test)
{
    VqxError error;
    VqxDevice devices[8];
    size_t i = 0;
    while (i < vqx_backend_count() && strcmp(vqx_backend_name(i), test->backend) != 0)
        i++;
    if (i == vqx_backend_count()) {
        fprintf(stderr, "there is no backend %s\n", test->backend);
        return 2;
    }
    test->tested = vqx_backend_get(i, test->modules, &error);
    if (!test->tested) {
        printf("skipped: backend %s: %s\n", test->backend, error.message);
        return 77;
    }
    if (test->device) {
        printf("backend %s, device %s; seed %llu\n", test->backend, test->device,
               (unsigned long long)test->seed);
        return 0;
    }
    if (test->tested->devices(devices, 8) && !devices[0].available) {
        printf("skipped: backend %s: %s\n", test->backend, devices[0].reason);
        return 77;
    }
    printf("backend %s: %s, %s, %s; seed %llu, mask %llu\n", test->backend, devices[0].name,
           devices[0].driver, devices[0].detail, (unsigned long long)test->seed,
           (unsigned long long)test->cpumask);
    return hold_device(test);
}

static void *need(void *memory)
{
    if (!memory) {
        fprintf(stderr, "out of memory\n");
        exit(2);
    }
    return memory;
}

static int make_plans(Run *run, VqxError *error)
{
    const ParityCase *c = run->c;
    int status = 0;
    for (; !status && run->plan_count < c->option_count; run->plan_count += !status) {
        VqxVifOptions options;
        vqx_vif_default_options(&options);
        status = vqx_vif_parse_options(&options, c->options[run->plan_count], error);
        if (!status)
            status =
                vif_plan_init(&run->plans[run->plan_count], &options, c->width, c->height, error);
    }
    return status;
}

static float **make_sums(const Run *run)
{
    const size_t count = (size_t)run->c->frames * run->plan_count;
    float **sums = need(calloc(count, sizeof *sums));
    for (size_t i = 0; i < count; i++) {
        const size_t bytes = 2 * run->plans[i % run->plan_count].rows * sizeof(float);
        sums[i] = need(malloc(bytes));
        memset(sums[i], 0xa5, bytes); /* what is not written must not look right */
    }
    return sums;
}

static void free_sums(const Run *run, float **sums)
{
    for (size_t i = 0; sums && i < (size_t)run->c->frames * run->plan_count; i++)
        free(sums[i]);
    free(sums);
}

static size_t plane_stride(const ParityCase *c, int i, size_t align)
{
    const size_t row = (size_t)c->width * (c->depth[i] > 8 ? 2 : 1);
    return c->padding ? row + (size_t)c->padding : (row + align - 1) / align * align;
}

static int *frame_memory_flag(void *memory)
{
    return memory;
}

/* Both planes of a frame in one allocation, behind a flag that says whose it is. */
enum { MEMORY_HEAD = 64 };

static void *alloc_planes(const VqxBackend *backend, VqxEngine *engine, size_t bytes, int pageable,
                          VqxError *error)
{
    const int own = pageable || !backend->memory_alloc;
    void *memory = own ? need(malloc(bytes + MEMORY_HEAD))
                       : backend->memory_alloc(engine, bytes + MEMORY_HEAD, error);
    if (memory)
        *frame_memory_flag(memory) = own;
    return memory;
}

static void free_planes(const VqxBackend *backend, VqxEngine *engine, void *memory)
{
    if (!memory)
        return;
    if (*frame_memory_flag(memory))
        free(memory);
    else
        backend->memory_free(engine, memory);
}

static void fill_planes(const Run *run, VqxJob *job, char *memory, size_t align)
{
    const ParityCase *c = run->c;
    for (int i = 0; i < 2; i++) {
        const size_t stride = plane_stride(c, i, align);
        const size_t row = (size_t)c->width * (c->depth[i] > 8 ? 2 : 1);
        char *packed = need(malloc(row * (size_t)c->height));
        clip_pack(run->samples[i], packed, c->width * c->height, c->depth[i]);
        memset(memory, 0xff, stride * (size_t)c->height);
        for (int y = 0; y < c->height; y++)
            memcpy(memory + stride * (size_t)(c->bottom_up ? c->height - 1 - y : y),
                   packed + row * (size_t)y, row);
        free(packed);
        job->plane[i] = (VqxPlane){
            .data = memory + (c->bottom_up ? stride * (size_t)(c->height - 1) : 0),
            .stride = c->bottom_up ? -(ptrdiff_t)stride : (ptrdiff_t)stride,
            .width = (unsigned)c->width,
            .height = (unsigned)c->height,
            .bit_depth = (unsigned)c->depth[i],
        };
        memory += (stride * (size_t)c->height + 63) / 64 * 64;
    }
}

/* The same planes in device memory, which *device takes the place of what it was. */
static int move_to_device(const VqxBackend *backend, VqxEngine *engine, VqxJob *job, char *memory,
                          size_t bytes, void **device, VqxError *error)
{
    if (*device)
        backend->device_free(engine, *device);
    *device = backend->device_alloc(engine, memory, bytes, error);
    for (int i = 0; i < 2; i++) {
        job->plane[i].data = (char *)*device + ((char *)job->plane[i].data - memory);
        job->plane[i].memory = VQX_MEMORY_DEVICE;
    }
    return *device ? 0 : VQX_ERROR_BACKEND;
}

/* The frames go round through a window of jobs, each with planes of its own. */
static int run_frames(const Run *run, const VqxBackend *backend, VqxEngine *engine,
                      const VqxEngineInfo *info, float **sums, VqxError *error)
{
    const ParityCase *c = run->c;
    const int window = (int)info->in_flight < c->frames ? (int)info->in_flight : c->frames;
    const size_t align = info->stride_align ? info->stride_align : 1;
    const size_t bytes =
        (plane_stride(c, 0, align) + plane_stride(c, 1, align)) * (size_t)c->height + 256;
    VqxJob *jobs = need(calloc((size_t)window, sizeof *jobs));
    void **memory = need(calloc((size_t)window, sizeof *memory));
    void **device = need(calloc((size_t)window, sizeof *device));
    const int on_device = c->on_device && backend->device_alloc;
    int status = 0, submitted = 0, waited = 0;
    for (int w = 0; !status && w < window; w++) {
        memory[w] = alloc_planes(backend, engine, bytes, c->pageable, error);
        status = memory[w] ? 0 : VQX_ERROR_MEMORY;
    }
    while (!status && waited < c->frames) {
        for (; !status && submitted < c->frames && submitted - waited < window; submitted++) {
            VqxJob *job = &jobs[submitted % window];
            clip_content(run->samples[0], c->width, c->height, submitted, c->content, c->seed);
            clip_distort(run->samples[0], run->samples[1], c->width, c->height, submitted,
                         c->distortion, c->seed);
            fill_planes(run, job, (char *)memory[submitted % window] + MEMORY_HEAD, align);
            job->sums = sums + (size_t)submitted * run->plan_count;
            if (on_device)
                status = move_to_device(backend, engine, job,
                                        (char *)memory[submitted % window] + MEMORY_HEAD, bytes,
                                        &device[submitted % window], error);
            if (!status)
                status = backend->submit(engine, job, error);
        }
        const int end = c->newest_first ? submitted : waited + 1;
        for (int f = end - 1; !status && f >= waited; f--)
            status = backend->wait(engine, &jobs[f % window], error);
        waited = end;
    }
    for (int w = 0; w < window; w++) {
        free_planes(backend, engine, memory[w]);
        if (device[w])
            backend->device_free(engine, device[w]);
    }
    free(memory);
    free(device);
    free(jobs);
    return status;
}

static int run_backend(const Run *run, const VqxBackend *backend, const char *device,
                       uint64_t cpumask, int form, float **sums, VqxError *error)
{
    const VqxEngineParams params = {
        .plans = run->plans,
        .plan_count = run->plan_count,
        .width = run->c->width,
        .height = run->c->height,
        .depth = {run->c->depth[0], run->c->depth[1]},
        .device = device,
        .in_flight = device || backend != &vqx_backend_cpu ? run->c->in_flight : 0,
        .cpumask = cpumask,
        .form = form};
    VqxEngine *engine;
    VqxEngineInfo info;
    int status = backend->open(&engine, &params, &info, error);
    if (status)
        return status;
    status = run_frames(run, backend, engine, &info, sums, error);
    backend->close(engine);
    return status;
}

/* Prints the first row sum that differs. */
static int compare_plan(ParityTest *test, const Run *run, int frame, size_t p)
{
    const VifPlan *plan = &run->plans[p];
    const float *expected = run->expected[(size_t)frame * run->plan_count + p],
                *got = run->got[(size_t)frame * run->plan_count + p];
    for (int s = plan->first_scale; s < VIF_SCALES; s++) {
        for (int y = 0; y < plan->scale[s].height; y++) {
            const size_t at = 2 * (plan->scale[s].first_row + (size_t)y);
            test->tally.rows++;
            for (int i = 0; i < 2; i++) {
                if (vqx_bits(expected[at + (size_t)i]) == vqx_bits(got[at + (size_t)i]))
                    continue;
                fprintf(stderr,
                        "  frame %d, scale %d, row %d, %s: %.9g (%08x), the CPU's %.9g (%08x)\n",
                        frame, s, y, i ? "den" : "num", (double)got[at + (size_t)i],
                        vqx_bits(got[at + (size_t)i]), (double)expected[at + (size_t)i],
                        vqx_bits(expected[at + (size_t)i]));
                return -1;
            }
        }
    }
    return 0;
}

static int compare(ParityTest *test, const Run *run)
{
    for (int f = 0; f < run->c->frames; f++) {
        test->tally.frames++;
        for (size_t p = 0; p < run->plan_count; p++)
            if (compare_plan(test, run, f, p))
                return -1;
    }
    return 0;
}

static void describe(const ParityCase *c, int form)
{
    fprintf(stderr, "FAILED %dx%d, %d and %d bits, %s/%s seed %llu, %d frames, form %s, options",
            c->width, c->height, c->depth[0], c->depth[1], c->content, c->distortion,
            (unsigned long long)c->seed, c->frames,
            form == VQX_FORM_NATIVE ? "native" : "fp64-free");
    for (size_t i = 0; i < c->option_count; i++)
        fprintf(stderr, " '%s'", c->options[i]);
    fprintf(stderr, "\n");
}

static void run_form(ParityTest *test, Run *run, int form)
{
    VqxError error;
    test->tally.cases++;
    run->got = make_sums(run);
    const int status =
        run_backend(run, test->tested, test->device, test->cpumask, form, run->got, &error);
    if (status)
        fprintf(stderr, "  %s\n", error.message);
    if (status || compare(test, run)) {
        describe(run->c, form);
        test->tally.failed++;
    }
    free_sums(run, run->got);
}

void parity_run(ParityTest *test, const ParityCase *c)
{
    static const int forms[] = {VQX_FORM_NATIVE, VQX_FORM_FP64_FREE};
    const double start = now();
    Run run = {.c = c};
    VqxError error;
    int status = make_plans(&run, &error);
    for (int i = 0; i < 2; i++)
        run.samples[i] = need(malloc((size_t)c->width * (size_t)c->height * sizeof(uint16_t)));
    if (!status) {
        run.expected = make_sums(&run);
        status =
            run_backend(&run, &vqx_backend_cpu, NULL, 0, VQX_FORM_NATIVE, run.expected, &error);
    }
    if (status) {
        fprintf(stderr, "  the CPU: %s\n", error.message);
        describe(c, VQX_FORM_NATIVE);
        test->tally.failed++;
    }
    for (int i = 0; !status && i < 2; i++)
        if (!test->form || test->form == forms[i])
            run_form(test, &run, forms[i]);
    free_sums(&run, run.expected);
    for (size_t p = 0; p < run.plan_count; p++)
        vif_plan_free(&run.plans[p]);
    free(run.samples[0]);
    free(run.samples[1]);
    test->tally.seconds += now() - start;
}

void parity_report(const ParityTest *test, const char *group)
{
    const ParityTally *t = &test->tally;
    printf("%-10s %5d cases, %d failed, %llu frames, %llu rows equal, %.1f s\n", group, t->cases,
           t->failed, (unsigned long long)t->frames, (unsigned long long)t->rows, t->seconds);
    fflush(stdout);
}
