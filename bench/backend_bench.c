/*
 * How fast a backend is, at the seam: with planes that are in device memory already (its kernels
 * alone), from host memory that the device reads fastest, and one frame at a time.
 *
 *   backend_bench --backend NAME [--device NAME] [--modules FOLDER] [--size WxH] [--depth N]
 *                 [--options TEXT] [--form native|fp64-free] [--frames N] [--in-flight N]
 *
 * Rates are the median of five runs; what the device can do at most is measured in the same process.
 */
#include "backend/backend.h"

#include "parity/clip.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { RUNS = 5, DISTINCT = 4, OPERATIONS_STATISTIC = 60 };

typedef struct Bench {
    const VqxBackend *backend;
    const char *name, *device, *modules, *options;
    int width, height, depth, form, frames;
    unsigned in_flight;
    VifPlan plan;
    VqxEngine *engine;
    VqxEngineInfo info;
    VqxJob *jobs;
    float **sums;
    size_t stride, bytes; /* of a plane */
} Bench;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void fail(const char *what, const VqxError *error)
{
    fprintf(stderr, "%s: %s\n", what, error->message);
    exit(1);
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, by_value);
    return values[count / 2];
}

/* f32 multiplications and additions that a frame asks for: symmetric taps share a product. */
static double frame_operations(const VifPlan *plan)
{
    double total = 0;
    for (int s = 0; s < VIF_SCALES; s++) {
        const VifScale *scale = &plan->scale[s];
        const double pixels = (double)scale->width * scale->height;
        const double filter = scale->radius + 1 + scale->taps - 1;
        if (s >= plan->first_scale)
            total += pixels * (2 * 5 * filter + 3 + OPERATIONS_STATISTIC);
        if (s > 0) /* columns of the kept rows, then the kept samples, of two images */
            total += 2 * (2 * pixels + pixels) * filter;
    }
    return total;
}

static void fill_plane(const Bench *b, char *to, int frame, int distorted)
{
    const int n = b->width * b->height;
    const size_t row = (size_t)b->width * (b->depth > 8 ? 2 : 1);
    uint16_t *ref = malloc((size_t)n * 2), *dis = malloc((size_t)n * 2);
    char *packed = malloc((size_t)n * 2);
    if (!ref || !dis || !packed)
        exit(1);
    clip_content(ref, b->width, b->height, frame, "texture", 1);
    clip_distort(ref, dis, b->width, b->height, frame, "quant:24", 1);
    clip_pack(distorted ? dis : ref, packed, n, b->depth);
    for (int y = 0; y < b->height; y++)
        memcpy(to + b->stride * (size_t)y, packed + row * (size_t)y, row);
    free(ref);
    free(dis);
    free(packed);
}

static void set_plane(const Bench *b, VqxPlane *plane, void *data, int memory)
{
    *plane = (VqxPlane){.data = data,
                        .stride = (ptrdiff_t)b->stride,
                        .width = (unsigned)b->width,
                        .height = (unsigned)b->height,
                        .bit_depth = (unsigned)b->depth,
                        .memory = memory};
}

/* Frames a second through a window of jobs. */
static double run(Bench *b, int window)
{
    VqxError error;
    const double start = now();
    for (int f = 0; f < b->frames + window; f++) {
        if (f >= window && b->backend->wait(b->engine, &b->jobs[f % window], &error))
            fail("wait", &error);
        if (f < b->frames && b->backend->submit(b->engine, &b->jobs[f % window], &error))
            fail("submit", &error);
    }
    return b->frames / (now() - start);
}

static double median_run(Bench *b, int window)
{
    double rates[RUNS];
    run(b, window); /* warms up */
    for (int i = 0; i < RUNS; i++)
        rates[i] = run(b, window);
    return median(rates, RUNS);
}

static double single_milliseconds(Bench *b)
{
    double times[51];
    VqxError error;
    for (int i = 0; i < 51; i++) {
        const double start = now();
        if (b->backend->submit(b->engine, &b->jobs[0], &error) ||
            b->backend->wait(b->engine, &b->jobs[0], &error))
            fail("one frame", &error);
        times[i] = 1e3 * (now() - start);
    }
    return median(times, 51);
}

static void bench_device_planes(Bench *b, char *content[DISTINCT][2], double f32_peak)
{
    VqxError error;
    void *planes[DISTINCT][2];
    if (!b->backend->device_alloc)
        return;
    for (int d = 0; d < DISTINCT; d++)
        for (int i = 0; i < 2; i++)
            if (!(planes[d][i] =
                      b->backend->device_alloc(b->engine, content[d][i], b->bytes, &error)))
                fail("device memory", &error);
    for (unsigned j = 0; j < b->info.in_flight; j++)
        for (int i = 0; i < 2; i++)
            set_plane(b, &b->jobs[j].plane[i], planes[j % DISTINCT][i], VQX_MEMORY_DEVICE);
    const double rate = median_run(b, (int)b->info.in_flight);
    printf("  planes in device memory: %8.0f fps, %.4f ms a frame", rate, 1e3 / rate);
    if (f32_peak > 0)
        printf(", %.0f %% of the unfused f32 peak (%.1f T/s)",
               100 * rate * frame_operations(&b->plan) / f32_peak, f32_peak * 1e-12);
    printf("\n  one such frame alone:    %8.3f ms\n", single_milliseconds(b));
    for (int d = 0; d < DISTINCT; d++)
        for (int i = 0; i < 2; i++)
            b->backend->device_free(b->engine, planes[d][i]);
}

static void bench_host_planes(Bench *b, char *content[DISTINCT][2], double copy_peak)
{
    VqxError error;
    const unsigned window = b->info.in_flight;
    for (unsigned j = 0; j < window; j++) {
        for (int i = 0; i < 2; i++) {
            void *memory = b->backend->memory_alloc
                               ? b->backend->memory_alloc(b->engine, b->bytes, &error)
                               : malloc(b->bytes);
            if (!memory)
                fail("host memory", &error);
            memcpy(memory, content[j % DISTINCT][i], b->bytes);
            set_plane(b, &b->jobs[j].plane[i], memory, VQX_MEMORY_HOST);
        }
    }
    const double rate = median_run(b, (int)window);
    printf("  planes in host memory:   %8.0f fps, %.4f ms a frame", rate, 1e3 / rate);
    if (copy_peak > 0)
        printf(", %.0f %% of the copy's peak (%.1f GB/s)",
               100 * rate * 2 * (double)b->bytes / copy_peak, copy_peak * 1e-9);
    printf("\n  one frame alone:         %8.3f ms\n", single_milliseconds(b));
    for (unsigned j = 0; j < window; j++)
        for (int i = 0; i < 2; i++) {
            if (b->backend->memory_free)
                b->backend->memory_free(b->engine, b->jobs[j].plane[i].data);
            else
                free(b->jobs[j].plane[i].data);
        }
}

static void open_engine(Bench *b)
{
    VqxError error;
    VqxVifOptions options;
    vqx_vif_default_options(&options);
    if (vqx_vif_parse_options(&options, b->options, &error) ||
        vif_plan_init(&b->plan, &options, b->width, b->height, &error))
        fail("options", &error);
    const VqxEngineParams params = {.plans = &b->plan,
                                    .plan_count = 1,
                                    .width = b->width,
                                    .height = b->height,
                                    .depth = {b->depth, b->depth},
                                    .device = b->device,
                                    .in_flight = b->in_flight,
                                    .form = b->form};
    const double start = now();
    if (b->backend->open(&b->engine, &params, &b->info, &error))
        fail("open", &error);
    printf("%s, %s: %dx%d %d bits, options '%s'\n  %s, %u frames in flight, opened in %.0f ms\n",
           b->info.device, b->info.driver, b->width, b->height, b->depth, b->options,
           b->info.detail, b->info.in_flight, 1e3 * (now() - start));
    const size_t align = b->info.stride_align ? b->info.stride_align : 1;
    b->stride = ((size_t)b->width * (b->depth > 8 ? 2 : 1) + align - 1) / align * align;
    b->bytes = b->stride * (size_t)b->height;
    b->jobs = calloc(b->info.in_flight, sizeof *b->jobs);
    b->sums = calloc(b->info.in_flight, sizeof *b->sums);
    for (unsigned j = 0; j < b->info.in_flight; j++) {
        b->sums[j] = malloc(2 * b->plan.rows * sizeof(float));
        b->jobs[j].sums = &b->sums[j];
    }
}

static void close_engine(Bench *b)
{
    for (unsigned j = 0; j < b->info.in_flight; j++)
        free(b->sums[j]);
    free(b->sums);
    free(b->jobs);
    b->backend->close(b->engine);
    vif_plan_free(&b->plan);
}

static int parse(Bench *b, int argc, char **argv)
{
    for (int i = 1; i + 1 < argc; i += 2) {
        const char *value = argv[i + 1];
        if (!strcmp(argv[i], "--backend"))
            b->name = value;
        else if (!strcmp(argv[i], "--device"))
            b->device = value;
        else if (!strcmp(argv[i], "--modules"))
            b->modules = value;
        else if (!strcmp(argv[i], "--options"))
            b->options = value;
        else if (!strcmp(argv[i], "--size") && sscanf(value, "%dx%d", &b->width, &b->height) == 2)
            continue;
        else if (!strcmp(argv[i], "--depth"))
            b->depth = atoi(value);
        else if (!strcmp(argv[i], "--frames"))
            b->frames = atoi(value);
        else if (!strcmp(argv[i], "--in-flight"))
            b->in_flight = (unsigned)atoi(value);
        else if (!strcmp(argv[i], "--form"))
            b->form = !strcmp(value, "native") ? VQX_FORM_NATIVE : VQX_FORM_FP64_FREE;
        else
            return -1;
    }
    return argc % 2 && b->name ? 0 : -1;
}

static const VqxBackend *find_backend(const Bench *b)
{
    VqxError error = {0};
    for (size_t i = 0; i < vqx_backend_count(); i++) {
        if (strcmp(vqx_backend_name(i), b->name) != 0)
            continue;
        const VqxBackend *backend = vqx_backend_get(i, b->modules, &error);
        if (!backend)
            fail(b->name, &error);
        return backend;
    }
    fprintf(stderr, "there is no backend %s\n", b->name);
    exit(2);
}

int main(int argc, char **argv)
{
    Bench b = {.width = 3840, .height = 2160, .depth = 8, .frames = 1000, .options = ""};
    char *content[DISTINCT][2];
    VqxPeaks peaks = {0};
    VqxError error;
    if (parse(&b, argc, argv)) {
        fprintf(stderr,
                "usage: backend_bench --backend NAME [--device NAME] [--modules FOLDER]\n"
                "                     [--size WxH] [--depth N] [--options TEXT]\n"
                "                     [--form native|fp64-free] [--frames N] [--in-flight N]\n");
        return 2;
    }
    b.backend = find_backend(&b);
    open_engine(&b);
    for (int d = 0; d < DISTINCT; d++) {
        for (int i = 0; i < 2; i++) {
            content[d][i] = calloc(1, b.bytes);
            fill_plane(&b, content[d][i], d, i);
        }
    }
    if (b.backend->measure_peaks && b.backend->measure_peaks(b.engine, &peaks, &error))
        fail("peaks", &error);
    bench_device_planes(&b, content, peaks.f32);
    bench_host_planes(&b, content, peaks.copy_bytes);
    for (int d = 0; d < DISTINCT; d++)
        for (int i = 0; i < 2; i++)
            free(content[d][i]);
    close_engine(&b);
    return 0;
}
