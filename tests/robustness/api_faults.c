/*
 * The library with the n-th allocation, thread or module refused, for every n until nothing is refused any more: each call
 * succeeds or says what is wrong, nothing leaks, and a later run computes what the first did.
 */
#include "robustness/faults.h"
#include "vqx.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 40, HEIGHT = 36, FRAMES = 3, OUTPUTS = 2 * 15 };

typedef struct Scores {
    size_t count;
    double values[FRAMES][OUTPUTS];
    VqxPooled pooled;
} Scores;

static uint8_t samples[2][HEIGHT * WIDTH];
static const char *modules;

static VqxPlane plane(int i)
{
    return (VqxPlane){
        .data = samples[i], .stride = WIDTH, .width = WIDTH, .height = HEIGHT, .bit_depth = 8};
}

static int submit_in_place(VqxContext *ctx, VqxError *error)
{
    VqxFrame *frame;
    int status = vqx_frame_acquire(ctx, &frame, 1, error);
    if (status)
        return status;
    const VqxPlane *planes[2] = {&frame->ref, &frame->dis};
    for (int i = 0; i < 2; i++)
        for (int y = 0; y < HEIGHT; y++)
            memcpy((char *)planes[i]->data + y * planes[i]->stride, samples[i] + y * WIDTH, WIDTH);
    return vqx_frame_submit(ctx, frame, FRAMES - 1, error);
}

static int score(VqxContext *ctx, Scores *scores, VqxError *error)
{
    const VqxPlane ref = plane(0), dis = plane(1);
    int status = 0;
    for (uint64_t n = 0; !status && n + 1 < FRAMES; n++)
        status = vqx_submit(ctx, &ref, &dis, n, error);
    if (!status)
        status = submit_in_place(ctx, error);
    if (!status)
        status = vqx_finish(ctx, error);
    scores->count = vqx_output_count(ctx);
    for (uint64_t n = 0; !status && n < FRAMES; n++)
        status = vqx_frame_scores(ctx, n, scores->values[n], error);
    return status ? status : vqx_pooled(ctx, 0, &scores->pooled, error);
}

static int run(const char *backend, Scores *scores, VqxError *error)
{
    VqxVifOptions options[2];
    VqxSettings settings;
    VqxContext *ctx = NULL;
    vqx_default_settings(&settings);
    vqx_vif_default_options(&options[0]);
    vqx_vif_default_options(&options[1]);
    memset(scores, 0, sizeof *scores);
    int status =
        vqx_vif_parse_options(&options[1], "debug=true:ps=1.3:pm=lanczos4:snsq=1.5", error);
    if (status)
        return status;
    settings.vif = options;
    settings.vif_count = 2;
    settings.backend = backend;
    settings.threads = 3;
    settings.module_folder = modules;
    status = vqx_open(&ctx, &settings, error);
    if (status) {
        if (ctx)
            fputs("  a context after a failed vqx_open\n", stderr);
        return ctx ? 1 : status;
    }
    status = score(ctx, scores, error);
    vqx_close(&ctx);
    return status;
}

/* Whether the run with a fault ended as it may. */
static int holds(int status, const VqxError *error, const Scores *expected, const Scores *got)
{
    if (faults_live()) {
        fprintf(stderr, "  %ld allocations were not freed\n", faults_live());
        return 0;
    }
    if (!status)
        return !memcmp(expected, got, sizeof *got);
    return status < 0 && status == error->status && error->message[0] &&
           (status == VQX_ERROR_MEMORY || status == VQX_ERROR_BACKEND);
}

static int test_kind(const char *name, const char *backend, FaultKind kind, FaultMode mode)
{
    Scores expected, got;
    unsigned long n = 0, survived = 0, failed = 0;
    int status;
    VqxError error = {0};
    faults_arm(kind, 0, mode);
    if (run(backend, &expected, &error) || faults_live()) {
        fprintf(stderr, "without a fault: %s, %ld not freed\n", error.message, faults_live());
        return 1;
    }
    do {
        memset(&error, 0, sizeof error);
        faults_arm(kind, ++n, mode);
        status = run(backend, &got, &error);
        if (!holds(status, &error, &expected, &got)) {
            fprintf(stderr, "%s, call %lu: status %d, '%s'\n", name, n, status, error.message);
            failed++;
        }
        survived += faults_injected() && !status;
    } while (faults_injected());
    printf("%-32s %4lu faults, %lu of them without an effect\n", name, n - 1, survived);
    return failed || n < 2; /* a kind that is never reached tests nothing */
}

int main(int argc, char **argv)
{
    modules = argc > 1 ? argv[1] : ".";
    for (int i = 0; i < 2; i++)
        for (int n = 0; n < WIDTH * HEIGHT; n++)
            samples[i][n] = (uint8_t)(n * 37 % 251 / (i + 1));
    int failed = test_kind("memory, one call", "cpu", FAULT_MEMORY, FAULT_ONCE);
    failed += test_kind("memory, from a call on", "cpu", FAULT_MEMORY, FAULT_FROM);
    failed += test_kind("threads, one", "cpu", FAULT_THREAD, FAULT_ONCE);
    failed += test_kind("threads, from one on", "cpu", FAULT_THREAD, FAULT_FROM);
    return failed ? 1 : 0;
}
