#include "cli/figures.h"

#include "core/measure.h"
#include "parity/clip.h"
#include "util/clock.h"
#include "util/error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    DISTINCT = 4, /* frames of different content */
    RUNS = 5,     /* whose median counts */
    LEAST = 8,    /* frames of a run */
    ALONE = 51,   /* frames, one at a time */
    LEAST_ALONE = 5,
};

typedef struct Bench {
    const FiguresRequest *request;
    Figures *figures;
    VqxContext *ctx;
    VqxFrame *held;               /* every buffer while they are filled, linked by `opaque` */
    VqxPlane device[DISTINCT][2]; /* copies of some */
    uint64_t next;                /* index */
    double *values;
} Bench;

/* Submits a frame, of the device's memory or of the host's. */
typedef int Submit(Bench *b, VqxError *error);

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

void figures_add(Figures *figures, const char *key, const char *label, double seconds, int copied)
{
    const VqxPeaks *peaks = &figures->peaks;
    const double operations = figures->operations / seconds,
                 bytes = (double)figures->frame_bytes / seconds;
    figures->figure[figures->count++] =
        (Figure){.key = key,
                 .label = label,
                 .seconds = seconds,
                 .arithmetic = peaks->f32 > 0 ? operations / peaks->f32 : 0,
                 .copy = copied && peaks->copy_bytes > 0 ? bytes / peaks->copy_bytes : 0};
}

static int submit_host(Bench *b, VqxError *error)
{
    VqxFrame *frame;
    const int status = vqx_frame_acquire(b->ctx, &frame, 1, error);
    return status ? status : vqx_frame_submit(b->ctx, frame, b->next++, error);
}

static int submit_device(Bench *b, VqxError *error)
{
    const VqxPlane *pair = b->device[b->next % DISTINCT];
    return vqx_submit(b->ctx, &pair[0], &pair[1], b->next++, error);
}

/* Frames for some seconds, with their scores. */
static int run(Bench *b, Submit *submit, double seconds, double *each, VqxError *error)
{
    const uint64_t first = b->next;
    const double start = vqx_seconds();
    int status = 0;
    while (!status && (b->next < first + LEAST || vqx_seconds() - start < seconds))
        status = submit(b, error);
    for (uint64_t i = first; !status && i < b->next; i++)
        status = vqx_frame_scores(b->ctx, i, b->values, error);
    *each = (vqx_seconds() - start) / (double)(b->next - first);
    return status;
}

static int measure_rate(Bench *b, Submit *submit, double *each, VqxError *error)
{
    double times[RUNS];
    const double seconds = b->request->seconds / (RUNS + 1);
    int status = run(b, submit, seconds, times, error); /* warms up */
    for (int i = 0; !status && i < RUNS; i++)
        status = run(b, submit, seconds, &times[i], error);
    *each = status ? 0 : median(times, RUNS);
    return status;
}

static int measure_alone(Bench *b, Submit *submit, double *each, VqxError *error)
{
    double times[ALONE];
    const double begin = vqx_seconds();
    int status = 0, count = 0;
    while (!status && count < ALONE &&
           (count < LEAST_ALONE || vqx_seconds() - begin < b->request->seconds)) {
        const double start = vqx_seconds();
        status = submit(b, error);
        if (!status)
            status = vqx_frame_scores(b->ctx, b->next - 1, b->values, error);
        times[count++] = vqx_seconds() - start;
    }
    *each = status ? 0 : median(times, count);
    return status;
}

/* A texture and what coarse levels leave of it. */
static int make_pair(const Bench *b, const VqxPlane *planes[2], int number, VqxError *error)
{
    const FiguresRequest *r = b->request;
    const int width = (int)r->width, height = (int)r->height;
    const size_t samples = (size_t)r->width * r->height;
    uint16_t *full[2] = {malloc(samples * 2), malloc(samples * 2)};
    int status = 0;
    if (full[0] && full[1]) {
        clip_content(full[0], width, height, number, "texture", 1);
        clip_distort(full[0], full[1], width, height, number, "quant:24", 1);
        for (int i = 0; i < 2; i++)
            for (int y = 0; y < height; y++)
                clip_pack(full[i] + (size_t)y * r->width,
                          (char *)planes[i]->data + y * planes[i]->stride, width, (int)r->depth[i]);
    } else {
        status = vqx_fail(error, VQX_ERROR_MEMORY, "out of memory");
    }
    free(full[0]);
    free(full[1]);
    return status;
}

/* Acquires every buffer. */
static int hold_buffers(Bench *b, VqxError *error)
{
    const double start = vqx_seconds();
    VqxFrame *frame;
    int status;
    while (!(status = vqx_frame_acquire(b->ctx, &frame, 0, error))) {
        frame->opaque = b->held;
        b->held = frame;
        b->figures->buffers++;
    }
    b->figures->allocate = vqx_seconds() - start;
    return status == VQX_ERROR_AGAIN ? 0 : status;
}

static void release_buffers(Bench *b)
{
    while (b->held) {
        VqxFrame *frame = b->held;
        b->held = frame->opaque;
        vqx_frame_release(b->ctx, frame);
    }
}

/* Frames of different content in all buffers, and, where the backend takes them from there, on the device. */
static int fill_buffers(Bench *b, VqxError *error)
{
    const VqxFrame *made[DISTINCT];
    int status = 0, count = 0;
    for (const VqxFrame *frame = b->held; frame && !status; frame = frame->opaque, count++) {
        const VqxPlane *to[2] = {&frame->ref, &frame->dis};
        if (count < DISTINCT) {
            made[count] = frame;
            status = make_pair(b, to, count, error);
            continue;
        }
        const VqxFrame *from = made[count % DISTINCT];
        memcpy(to[0]->data, from->ref.data, (size_t)to[0]->stride * to[0]->height);
        memcpy(to[1]->data, from->dis.data, (size_t)to[1]->stride * to[1]->height);
    }
    for (int n = 0; vqx_takes_device_frames(b->ctx) && n < DISTINCT && !status; n++) {
        const VqxFrame *from = made[n % count];
        status = vqx_device_plane(b->ctx, &from->ref, &b->device[n][0], error);
        if (!status)
            status = vqx_device_plane(b->ctx, &from->dis, &b->device[n][1], error);
    }
    return status;
}

static int measure_all(Bench *b, VqxError *error)
{
    const struct {
        const char *key, *label;
        Submit *submit;
        int (*measure)(Bench *b, Submit *submit, double *each, VqxError *error);
    } kinds[] = {{"device", "frames on the device", submit_device, measure_rate},
                 {"host", "frames in host memory", submit_host, measure_rate},
                 {"device_alone", "one frame alone, on the device", submit_device, measure_alone},
                 {"host_alone", "one frame alone, in host memory", submit_host, measure_alone}};
    int status = 0;
    for (size_t i = 0; !status && i < sizeof kinds / sizeof *kinds; i++) {
        double each;
        if (kinds[i].submit == submit_device && !vqx_takes_device_frames(b->ctx))
            continue;
        status = kinds[i].measure(b, kinds[i].submit, &each, error);
        if (!status)
            figures_add(b->figures, kinds[i].key, kinds[i].label, each,
                        kinds[i].submit == submit_host);
    }
    return status;
}

static int start(Bench *b, const VqxSettings *settings, VqxError *error)
{
    const FiguresRequest *r = b->request;
    const double before = vqx_seconds();
    int status = vqx_open(&b->ctx, settings, error);
    const double opened = vqx_seconds();
    if (!status)
        status = vqx_configure(b->ctx, r->width, r->height, r->depth[0], r->depth[1], error);
    b->figures->open = opened - before;
    b->figures->configure = vqx_seconds() - opened;
    if (status)
        return status;
    b->values = malloc(vqx_output_count(b->ctx) * sizeof *b->values);
    return b->values ? hold_buffers(b, error) : vqx_fail(error, VQX_ERROR_MEMORY, "out of memory");
}

static void describe(Bench *b)
{
    Figures *figures = b->figures;
    VqxUsed used;
    vqx_used(b->ctx, &used);
    snprintf(figures->backend, sizeof figures->backend, "%s", used.backend);
    snprintf(figures->device, sizeof figures->device, "%s", used.device);
    snprintf(figures->driver, sizeof figures->driver, "%s", used.driver);
    snprintf(figures->detail, sizeof figures->detail, "%s", used.detail);
    figures->operations = vqx_frame_operations(b->ctx);
    figures->frame_bytes =
        ((size_t)b->held->ref.stride + (size_t)b->held->dis.stride) * b->request->height;
}

int figures_measure(Figures *figures, const FiguresRequest *request, const VqxSettings *settings,
                    VqxError *error)
{
    Bench b = {.request = request, .figures = figures};
    *figures = (Figures){0};
    int status = start(&b, settings, error);
    if (!status) {
        describe(&b);
        status = fill_buffers(&b, error);
    }
    release_buffers(&b);
    if (!status)
        status = vqx_measure_peaks(b.ctx, &figures->peaks, error);
    if (!status)
        status = measure_all(&b, error);
    vqx_finish(b.ctx, NULL); /* nothing reads the planes any more */
    for (int n = 0; n < DISTINCT; n++)
        for (int i = 0; i < 2; i++)
            vqx_device_plane_free(b.ctx, &b.device[n][i]);
    free(b.values);
    vqx_close(&b.ctx);
    return status;
}
