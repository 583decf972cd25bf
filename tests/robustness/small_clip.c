#include "robustness/small_clip.h"

#include <stdio.h>
#include <string.h>

enum { MOST = 128 };

static uint8_t samples[2][MOST * MOST];
static unsigned clip_width = 22, clip_height = 18;

void small_clip_size(unsigned width, unsigned height)
{
    clip_width = width;
    clip_height = height;
}

static VqxPlane plane(int i)
{
    for (unsigned n = 0; n < clip_width * clip_height; n++)
        samples[i][n] = (uint8_t)(n * 37 % 251 / ((unsigned)i + 1));
    return (VqxPlane){.data = samples[i],
                      .stride = (ptrdiff_t)clip_width,
                      .width = clip_width,
                      .height = clip_height,
                      .bit_depth = 8};
}

static int submit_in_place(VqxContext *ctx, VqxError *error)
{
    VqxFrame *frame;
    int status = vqx_frame_acquire(ctx, &frame, 1, error);
    if (status)
        return status;
    const VqxPlane *planes[2] = {&frame->ref, &frame->dis};
    for (int i = 0; i < 2; i++)
        for (unsigned y = 0; y < clip_height; y++)
            memcpy((char *)planes[i]->data + y * planes[i]->stride, samples[i] + y * clip_width,
                   clip_width);
    return vqx_frame_submit(ctx, frame, SMALL_CLIP_FRAMES - 1, error);
}

static int score(VqxContext *ctx, ClipScores *scores, VqxError *error)
{
    const VqxPlane ref = plane(0), dis = plane(1);
    int status = 0;
    for (uint64_t n = 0; !status && n + 1 < SMALL_CLIP_FRAMES; n++)
        status = vqx_submit(ctx, &ref, &dis, n, error);
    if (!status)
        status = submit_in_place(ctx, error);
    if (!status)
        status = vqx_finish(ctx, error);
    scores->count = vqx_output_count(ctx);
    for (uint64_t n = 0; !status && n < SMALL_CLIP_FRAMES; n++)
        status = vqx_frame_scores(ctx, n, scores->values[n], error);
    return status ? status : vqx_pooled(ctx, 0, &scores->pooled, error);
}

int small_clip_run(const char *backend, const char *device, ClipScores *scores, VqxError *error)
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
    settings.device = device;
    settings.threads = 3;
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

int small_clip_holds(int status, const VqxError *error, const ClipScores *expected,
                     const ClipScores *got)
{
    if (!status)
        return !memcmp(expected, got, sizeof *got);
    return status < 0 && status == error->status && error->message[0] &&
           (status == VQX_ERROR_MEMORY || status == VQX_ERROR_BACKEND);
}
