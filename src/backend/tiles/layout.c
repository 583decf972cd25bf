/* Sizes and places of a frame's planes, and the plans' tables. */
#include "backend/tiles/layout.h"

#include "util/error.h"

#include <stdlib.h>
#include <string.h>

enum {
    PITCH_ALIGN =
        64, /* bytes of a row of samples; samples of an f32 row: whole memory transactions */
    IMAGE_ALIGN = 256
};

static size_t round_up(size_t n, size_t to)
{
    return (n + to - 1) / to * to;
}

static void enlarge(size_t *size, size_t to)
{
    *size = *size > to ? *size : to;
}

static void layout_samples(TilesLayout *layout)
{
    const VqxEngineParams *params = layout->params;
    for (int i = 0; i < 2; i++) {
        const size_t bytes = params->depth[i] > 8 ? 2 : 1;
        layout->sample_bits[i] = (int)bytes * 8;
        layout->sample_pitch[i] = round_up((size_t)params->width * bytes, PITCH_ALIGN) / bytes;
        const size_t image = layout->sample_pitch[i] * bytes * (size_t)params->height;
        layout->bytes[TILES_SAMPLES] += round_up(image, IMAGE_ALIGN);
        if (i == 0)
            layout->image_bytes = layout->bytes[TILES_SAMPLES];
    }
    layout->mixed = layout->sample_bits[0] != layout->sample_bits[1];
}

/* The plans of an engine take turns in a frame's memory, so each buffer is as large as the largest
 * needs it; the row sums alone are all kept until they are read. */
static void layout_plan(TilesLayout *layout, const VifPlan *plan, TilesPlan *out)
{
    uint64_t terms = 0;
    out->first_sum = layout->bytes[TILES_SUMS] / sizeof(float);
    layout->bytes[TILES_SUMS] += 2 * plan->rows * sizeof(float);
    for (int s = 0; s < VIF_SCALES; s++) {
        const VifScale *scale = &plan->scale[s];
        out->pitch[s] = (int)round_up((size_t)scale->width, PITCH_ALIGN);
        if (s > 0 || tiles_makes_plane(layout, plan))
            enlarge(&layout->bytes[TILES_PLANES + s],
                    2 * (size_t)out->pitch[s] * (size_t)scale->height * sizeof(float));
        out->terms_pitch[s] = (int)round_up((size_t)scale->height, VIF_ROWS);
        out->terms[s] = terms;
        if (s < plan->first_scale)
            continue;
        out->row_sums[s - plan->first_scale] = (VifRowSumArgs){
            .terms = terms,
            .sums = out->first_sum + 2 * scale->first_row,
            .width = scale->width,
            .height = scale->height,
            .terms_pitch = out->terms_pitch[s],
        };
        terms += 2 * (uint64_t)scale->width * (uint64_t)out->terms_pitch[s];
    }
    enlarge(&layout->bytes[TILES_TERMS], (size_t)terms * sizeof(float));
    if (layout->params->keep_stages)
        enlarge(&layout->bytes[TILES_DUMP], (size_t)terms / 2 * VIF_DUMPED * sizeof(float));
}

int tiles_layout_init(TilesLayout *layout, const VqxEngineParams *params, VqxError *error)
{
    const int longest = params->width > params->height ? params->width : params->height;
    *layout = (TilesLayout){.params = params};
    layout->plan = calloc(params->plan_count, sizeof *layout->plan);
    layout->identity = malloc((size_t)longest * sizeof *layout->identity);
    if (!layout->plan || !layout->identity)
        return vqx_fail(error, VQX_ERROR_MEMORY, "out of memory");
    for (int i = 0; i < longest; i++)
        layout->identity[i] = i;
    layout_samples(layout);
    for (size_t p = 0; p < params->plan_count; p++)
        layout_plan(layout, &params->plans[p], &layout->plan[p]);
    for (size_t i = 0; i < TILES_FRAME_BUFFERS; i++) {
        layout->total += layout->bytes[i];
        enlarge(&layout->largest, layout->bytes[i]);
    }
    return 0;
}

void tiles_layout_free(TilesLayout *layout)
{
    free(layout->plan);
    free(layout->identity);
}

int tiles_frames_in_flight(const TilesLayout *layout, TilesDeviceMemory device, unsigned usual,
                           unsigned *frames, VqxError *error)
{
    const VqxEngineParams *params = layout->params;
    if (layout->largest > device.largest_buffer || layout->total > device.memory)
        return vqx_fail(error, VQX_ERROR_BACKEND,
                        "a frame of %dx%d takes %zu MiB on the device, %zu MiB of them in one "
                        "buffer; %s has %llu MiB and buffers of %llu MiB at most",
                        params->width, params->height, layout->total >> 20, layout->largest >> 20,
                        device.name, (unsigned long long)device.memory >> 20,
                        (unsigned long long)device.largest_buffer >> 20);
    *frames = params->in_flight ? params->in_flight : usual;
    while (*frames > 1 && *frames * layout->total > device.memory / 2)
        --*frames;
    return 0;
}

void tiles_copy_plane(const TilesLayout *layout, int image, const VqxPlane *plane, char *to)
{
    const size_t bytes = (size_t)layout->sample_bits[image] / 8;
    const char *from = plane->data;
    for (size_t y = 0; y < plane->height; y++)
        memcpy(to + y * layout->sample_pitch[image] * bytes, from + (ptrdiff_t)y * plane->stride,
               plane->width * bytes);
}

static TilesTable index_table(const TilesLayout *layout, const VifPlan *plan, const VifAxis *axis,
                              int size)
{
    if (!tiles_makes_plane(layout, plan))
        return (TilesTable){0};
    if (!plan->prescaled)
        return (TilesTable){layout->identity, (size_t)size * sizeof(int32_t)};
    return (TilesTable){axis->index, (size_t)axis->size * (size_t)axis->taps * sizeof(int32_t)};
}

static TilesTable weight_table(const VifAxis *axis)
{
    if (!axis->weight)
        return (TilesTable){0};
    return (TilesTable){axis->weight, (size_t)axis->size * (size_t)axis->taps * sizeof(float)};
}

TilesTable tiles_table(const TilesLayout *layout, size_t p, int which)
{
    const VifPlan *plan = &layout->params->plans[p];
    switch (which) {
    case TILES_ROW_SUMS:
        return (TilesTable){layout->plan[p].row_sums, sizeof layout->plan[p].row_sums};
    case TILES_X_INDEX:
        return index_table(layout, plan, &plan->x, plan->width);
    case TILES_Y_INDEX:
        return index_table(layout, plan, &plan->y, plan->height);
    case TILES_X_WEIGHT:
        return weight_table(&plan->x);
    case TILES_Y_WEIGHT:
        return weight_table(&plan->y);
    default:
        return (TilesTable){plan->scale[which - TILES_TAPS].tap, sizeof plan->scale[0].tap};
    }
}

TilesSums tiles_sums(const TilesLayout *layout, size_t p)
{
    const VifPlan *plan = &layout->params->plans[p];
    const size_t skipped = 2 * plan->scale[plan->first_scale].first_row;
    return (TilesSums){.first = layout->plan[p].first_sum + skipped,
                       .count = 2 * plan->rows - skipped,
                       .skipped = skipped};
}
