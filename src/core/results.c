/* The frames' results: records in order of index, scores, pooling. */
#include "core/context.h"

#include "util/error.h"

#include <stdlib.h>
#include <string.h>

/* The position of the first record whose index is not below `index`. */
static size_t lower_bound(const VqxContext *ctx, uint64_t index)
{
    size_t low = 0, high = ctx->record_count;
    if (high && ctx->records[high - 1].index < index)
        return high; /* frames mostly come in order */
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (ctx->records[middle].index < index)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

Record *vqx_record_find(const VqxContext *ctx, uint64_t index)
{
    const size_t at = lower_bound(ctx, index);
    return at < ctx->record_count && ctx->records[at].index == index ? &ctx->records[at] : NULL;
}

/* Room for `count` elements of `size` bytes, growing by half. */
static int reserve(void **array, size_t *room, size_t count, size_t size)
{
    if (count <= *room)
        return 0;
    const size_t wanted = count + count / 2 + 64;
    void *grown = realloc(*array, wanted * size);
    if (!grown)
        return -1;
    *array = grown;
    *room = wanted;
    return 0;
}

int vqx_record_add(VqxContext *ctx, uint64_t index, VqxError *error)
{
    const size_t at = lower_bound(ctx, index);
    if (at < ctx->record_count && ctx->records[at].index == index)
        return vqx_fail(error, VQX_ERROR_ARGUMENT, "frame %llu was submitted before",
                        (unsigned long long)index);
    void *records = ctx->records, *sums = ctx->sums;
    const int full =
        reserve(&records, &ctx->record_room, ctx->record_count + 1, sizeof *ctx->records) ||
        reserve(&sums, &ctx->sums_room, ctx->sums_count + ctx->plan_count, sizeof *ctx->sums);
    ctx->records = records;
    ctx->sums = sums;
    if (full)
        return vqx_fail(error, VQX_ERROR_MEMORY, "out of memory for the scores of frame %llu",
                        (unsigned long long)index);
    memmove(ctx->records + at + 1, ctx->records + at,
            (ctx->record_count - at) * sizeof *ctx->records);
    ctx->records[at] = (Record){index, ctx->sums_count, 0};
    ctx->record_count++;
    ctx->sums_count += ctx->plan_count;
    return 0;
}

void vqx_record_remove(VqxContext *ctx, uint64_t index)
{
    Record *record = vqx_record_find(ctx, index);
    if (!record)
        return;
    const size_t at = (size_t)(record - ctx->records);
    memmove(record, record + 1, (ctx->record_count - at - 1) * sizeof *record);
    ctx->record_count--;
}

size_t vqx_output_count(const VqxContext *ctx)
{
    return ctx->output_count;
}

const char *vqx_output_name(const VqxContext *ctx, size_t output)
{
    return output < ctx->output_count ? ctx->output_names[output] : NULL;
}

/* Waits for the frame if it is in work. */
static int finish_frame(VqxContext *ctx, uint64_t index, VqxError *error)
{
    for (unsigned i = 0; i < ctx->slot_count; i++)
        if (ctx->slots[i].state == SLOT_IN_WORK && ctx->slots[i].index == index)
            return vqx_collect(ctx, &ctx->slots[i], error);
    return 0;
}

int vqx_frame_scores(VqxContext *ctx, uint64_t index, double *values, VqxError *error)
{
    if (!ctx || !values)
        return vqx_fail(error, VQX_ERROR_ARGUMENT, "ctx and values must not be NULL");
    const int status = finish_frame(ctx, index, error);
    if (status)
        return status;
    const Record *record = vqx_record_find(ctx, index);
    if (!record)
        return vqx_fail(error, VQX_ERROR_NOT_FOUND, "frame %llu was not scored",
                        (unsigned long long)index);
    for (size_t p = 0; p < ctx->plan_count; p++) {
        vif_scores(values, &ctx->options[p], &ctx->sums[record->sums + p]);
        values += vif_output_count(&ctx->options[p]);
    }
    return 0;
}

size_t vqx_frame_count(const VqxContext *ctx)
{
    return ctx->record_count;
}

int vqx_frame_index(VqxContext *ctx, size_t n, uint64_t *index, VqxError *error)
{
    if (!ctx || !index)
        return vqx_fail(error, VQX_ERROR_ARGUMENT, "ctx and index must not be NULL");
    if (n >= ctx->record_count)
        return vqx_fail(error, VQX_ERROR_NOT_FOUND, "there are %zu frames", ctx->record_count);
    *index = ctx->records[n].index;
    return 0;
}

static int find_output(const VqxContext *ctx, size_t output, size_t *plan, int *value)
{
    size_t first = 0;
    for (size_t p = 0; p < ctx->plan_count; p++) {
        const size_t count = (size_t)vif_output_count(&ctx->options[p]);
        if (output - first < count) {
            *plan = p;
            *value = (int)(output - first);
            return 0;
        }
        first += count;
    }
    return -1;
}

int vqx_pooled(VqxContext *ctx, size_t output, VqxPooled *pooled, VqxError *error)
{
    size_t plan;
    int value;
    if (!ctx || !pooled)
        return vqx_fail(error, VQX_ERROR_ARGUMENT, "ctx and pooled must not be NULL");
    if (find_output(ctx, output, &plan, &value))
        return vqx_fail(error, VQX_ERROR_NOT_FOUND, "there are %zu outputs", ctx->output_count);
    const int status = vqx_collect_all(ctx, error);
    if (status)
        return status;
    if (!ctx->record_count)
        return vqx_fail(error, VQX_ERROR_NOT_FOUND, "no frame was scored");

    double sum = 0, inverse_sum = 0;
    *pooled = (VqxPooled){0};
    for (size_t n = 0; n < ctx->record_count; n++) {
        double values[VIF_DEBUG_OUTPUTS];
        vif_scores(values, &ctx->options[plan], &ctx->sums[ctx->records[n].sums + plan]);
        const double x = values[value];
        pooled->min = n == 0 || x < pooled->min ? x : pooled->min;
        pooled->max = n == 0 || x > pooled->max ? x : pooled->max;
        sum += x;
        inverse_sum += 1 / (x + 1);
    }
    pooled->mean = sum / (double)ctx->record_count;
    pooled->harmonic_mean = (double)ctx->record_count / inverse_sum - 1;
    return 0;
}
