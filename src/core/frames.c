/* Frame buffers: handing out, submitting, collecting. */
#include "core/context.h"

#include "util/error.h"

#include <stdlib.h>
#include <string.h>

enum { BUFFER_ALIGN = 64, BUFFER_TAIL = 64 }; /* a vector load may reach past the last sample */

static size_t sample_bytes(unsigned depth)
{
    return depth > 8 ? 2 : 1;
}

static ptrdiff_t plane_stride(unsigned width, unsigned depth, size_t align)
{
    const size_t unit = align > 1 ? align : 1;
    return (ptrdiff_t)((width * sample_bytes(depth) + unit - 1) / unit * unit);
}

int vqx_slots_init(VqxContext *ctx, VqxError *error)
{
    ctx->slot_count = ctx->info.in_flight + 1;
    ctx->slots = calloc(ctx->slot_count, sizeof *ctx->slots);
    if (!ctx->slots)
        return vqx_fail(error, VQX_ERROR_MEMORY, "out of memory");
    for (int i = 0; i < 2; i++)
        ctx->stride[i] = plane_stride(ctx->width, ctx->depth[i], ctx->info.stride_align);
    const size_t first = (size_t)ctx->stride[0] * ctx->height;
    ctx->plane_offset = (first + BUFFER_TAIL + BUFFER_ALIGN - 1) / BUFFER_ALIGN * BUFFER_ALIGN;
    for (unsigned i = 0; i < ctx->slot_count; i++) {
        Slot *slot = &ctx->slots[i];
        slot->sums = calloc(ctx->plan_count, sizeof *slot->sums);
        for (size_t p = 0; slot->sums && p < ctx->plan_count; p++) {
            slot->sums[p] = calloc(ctx->plans[p].rows, 2 * sizeof(float));
            if (!slot->sums[p])
                return vqx_fail(error, VQX_ERROR_MEMORY, "out of memory");
        }
        if (!slot->sums)
            return vqx_fail(error, VQX_ERROR_MEMORY, "out of memory");
    }
    return 0;
}

static void free_memory(VqxContext *ctx, void *memory)
{
    if (ctx->backend->memory_free)
        ctx->backend->memory_free(ctx->engine, memory);
    else
        free(memory);
}

void vqx_slots_free(VqxContext *ctx)
{
    for (unsigned i = 0; ctx->slots && i < ctx->slot_count; i++) {
        Slot *slot = &ctx->slots[i];
        if (slot->memory)
            free_memory(ctx, slot->memory);
        for (size_t p = 0; slot->sums && p < ctx->plan_count; p++)
            free(slot->sums[p]);
        free(slot->sums);
    }
    free(ctx->slots);
    ctx->slots = NULL;
    ctx->slot_count = 0;
}

static int allocate_planes(VqxContext *ctx, Slot *slot, VqxError *error)
{
    const size_t bytes = ctx->plane_offset + (size_t)ctx->stride[1] * ctx->height + BUFFER_TAIL;
    if (ctx->backend->memory_alloc) {
        slot->memory = ctx->backend->memory_alloc(ctx->engine, bytes, error);
        return slot->memory ? 0 : VQX_ERROR_MEMORY;
    }
    if (posix_memalign(&slot->memory, BUFFER_ALIGN, bytes)) {
        slot->memory = NULL;
        return vqx_fail(error, VQX_ERROR_MEMORY, "out of memory for a frame buffer of %zu bytes",
                        bytes);
    }
    return 0;
}

static VqxPlane slot_plane(const VqxContext *ctx, Slot *slot, int i)
{
    return (VqxPlane){
        .data = (char *)slot->memory + (i ? ctx->plane_offset : 0),
        .stride = ctx->stride[i],
        .width = ctx->width,
        .height = ctx->height,
        .bit_depth = ctx->depth[i],
    };
}

static int slot_prepare(VqxContext *ctx, Slot *slot, VqxError *error)
{
    if (!slot->memory) {
        const int status = allocate_planes(ctx, slot, error);
        if (status)
            return status;
    }
    slot->frame.ref = slot_plane(ctx, slot, 0);
    slot->frame.dis = slot_plane(ctx, slot, 1);
    return 0;
}

static Slot *oldest_in_work(VqxContext *ctx)
{
    Slot *oldest = NULL;
    for (unsigned i = 0; i < ctx->slot_count; i++) {
        Slot *slot = &ctx->slots[i];
        if (slot->state == SLOT_IN_WORK && (!oldest || slot->order < oldest->order))
            oldest = slot;
    }
    return oldest;
}

static Slot *free_slot(VqxContext *ctx)
{
    for (unsigned i = 0; i < ctx->slot_count; i++)
        if (ctx->slots[i].state == SLOT_FREE)
            return &ctx->slots[i];
    return NULL;
}

static void remember_failure(VqxContext *ctx, const VqxError *failure)
{
    if (!ctx->failure.status)
        ctx->failure = *failure;
}

int vqx_collect(VqxContext *ctx, Slot *slot, VqxError *error)
{
    VqxError failure = {0};
    const int status = ctx->backend->wait(ctx->engine, &slot->job, &failure);
    slot->state = SLOT_FREE;
    ctx->in_work--;
    if (status) {
        failure.status = status;
        remember_failure(ctx, &failure);
        vqx_record_remove(ctx, slot->index);
        return vqx_fail(error, status, "frame %llu: %.440s", (unsigned long long)slot->index,
                        failure.message);
    }
    Record *record = vqx_record_find(ctx, slot->index);
    for (size_t p = 0; p < ctx->plan_count; p++)
        ctx->sums[record->sums + p] = vif_add_rows(&ctx->plans[p], slot->sums[p]);
    record->done = 1;
    return 0;
}

int vqx_collect_all(VqxContext *ctx, VqxError *error)
{
    int first = 0;
    for (Slot *slot = oldest_in_work(ctx); slot; slot = oldest_in_work(ctx)) {
        const int status = vqx_collect(ctx, slot, first ? NULL : error);
        first = first ? first : status;
    }
    return first;
}

static int check_open(const VqxContext *ctx, VqxError *error)
{
    if (!ctx)
        return vqx_fail(error, VQX_ERROR_ARGUMENT, "ctx must not be NULL");
    if (ctx->finished)
        return vqx_fail(error, VQX_ERROR_ARGUMENT, "no frame may follow vqx_finish");
    if (ctx->failure.status)
        return vqx_fail(error, ctx->failure.status, "an earlier frame failed: %.440s",
                        ctx->failure.message);
    return 0;
}

/* Frees the slots of frames that are done, oldest first. A failure is kept for the next call. */
static void collect_done(VqxContext *ctx)
{
    Slot *oldest = ctx->backend->done ? oldest_in_work(ctx) : NULL;
    while (oldest && ctx->backend->done(ctx->engine, &oldest->job)) {
        vqx_collect(ctx, oldest, NULL);
        oldest = oldest_in_work(ctx);
    }
}

/* A slot for a frame; waits for the oldest in work when none is free. */
static int take_slot(VqxContext *ctx, Slot **slot, int wait, VqxError *error)
{
    collect_done(ctx);
    *slot = free_slot(ctx);
    if (*slot)
        return 0;
    if (!wait)
        return vqx_fail(error, VQX_ERROR_AGAIN, "every frame buffer is in use");
    Slot *oldest = oldest_in_work(ctx);
    if (!oldest)
        return vqx_fail(error, VQX_ERROR_ARGUMENT, "the caller holds all %u frame buffers",
                        ctx->slot_count);
    const int status = vqx_collect(ctx, oldest, error);
    *slot = status ? NULL : oldest;
    return status;
}

/* Where the planes' device has no room while others have, the oldest frames are waited for. */
static int submit_job(VqxContext *ctx, Slot *slot, VqxError *error)
{
    int status = ctx->backend->submit(ctx->engine, &slot->job, error);
    while (status == VQX_ERROR_AGAIN && ctx->in_work > 0) {
        status = vqx_collect(ctx, oldest_in_work(ctx), error);
        if (!status)
            status = ctx->backend->submit(ctx->engine, &slot->job, error);
    }
    return status;
}

/* The slot is SLOT_HELD and its job's planes are set; afterwards it is in work, or free on failure.
 */
static int start_slot(VqxContext *ctx, Slot *slot, uint64_t index, VqxError *error)
{
    int status = 0;
    if (ctx->in_work >= ctx->info.in_flight)
        status = vqx_collect(ctx, oldest_in_work(ctx), error);
    if (!status)
        status = vqx_record_add(ctx, index, error);
    if (!status) {
        VqxError failure = {0};
        slot->index = index;
        slot->order = ctx->submitted++;
        slot->job.sums = slot->sums;
        status = submit_job(ctx, slot, &failure);
        if (status) {
            failure.status = status;
            if (status == VQX_ERROR_BACKEND || status == VQX_ERROR_MEMORY)
                remember_failure(ctx, &failure);
            vqx_record_remove(ctx, index);
            vqx_fail(error, status, "frame %llu: %.440s", (unsigned long long)index,
                     failure.message);
        }
    }
    slot->state = status ? SLOT_FREE : SLOT_IN_WORK;
    ctx->in_work += status ? 0 : 1;
    return status;
}

int vqx_frame_acquire(VqxContext *ctx, VqxFrame **frame, int wait, VqxError *error)
{
    Slot *slot = NULL;
    if (!frame)
        return vqx_fail(error, VQX_ERROR_ARGUMENT, "frame must not be NULL");
    *frame = NULL;
    int status = check_open(ctx, error);
    if (status)
        return status;
    if (!ctx->configured)
        return vqx_fail(error, VQX_ERROR_ARGUMENT, "vqx_configure must come first");
    status = take_slot(ctx, &slot, wait, error);
    if (!status)
        status = slot_prepare(ctx, slot, error);
    if (status)
        return status;
    slot->state = SLOT_HELD;
    *frame = &slot->frame;
    return 0;
}

int vqx_frame_submit(VqxContext *ctx, VqxFrame *frame, uint64_t index, VqxError *error)
{
    Slot *slot = (Slot *)frame;
    if (!ctx || !frame || slot->state != SLOT_HELD)
        return vqx_fail(error, VQX_ERROR_ARGUMENT,
                        "ctx must be open and frame one that vqx_frame_acquire gave");
    const int status = check_open(ctx, error);
    if (status) {
        slot->state = SLOT_FREE;
        return status;
    }
    slot->job.plane[0] = slot_plane(ctx, slot, 0);
    slot->job.plane[1] = slot_plane(ctx, slot, 1);
    return start_slot(ctx, slot, index, error);
}

void vqx_frame_release(VqxContext *ctx, VqxFrame *frame)
{
    Slot *slot = (Slot *)frame;
    if (ctx && frame && slot->state == SLOT_HELD)
        slot->state = SLOT_FREE;
}

static int check_plane(const VqxPlane *plane, const char *which, VqxError *error)
{
    if (!plane || !plane->data)
        return vqx_fail(error, VQX_ERROR_ARGUMENT, "the %s plane must not be NULL", which);
    if (plane->memory != VQX_MEMORY_HOST && plane->memory != VQX_MEMORY_DEVICE)
        return vqx_fail(error, VQX_ERROR_ARGUMENT, "the %s plane's memory %d is none of VqxMemory",
                        which, (int)plane->memory);
    const size_t row = plane->width * sample_bytes(plane->bit_depth);
    const size_t stride = (size_t)(plane->stride < 0 ? -plane->stride : plane->stride);
    const int aligned =
        plane->bit_depth <= 8 || (stride % 2 == 0 && (uintptr_t)plane->data % 2 == 0);
    if ((stride < row && plane->height > 1) || !aligned ||
        (plane->stride < 0 && plane->memory != VQX_MEMORY_HOST))
        return vqx_fail(error, VQX_ERROR_ARGUMENT,
                        "the %s plane's stride of %td bytes does not fit rows of %zu bytes%s",
                        which, plane->stride, row,
                        aligned ? "" : " (16-bit samples need an even address and stride)");
    return 0;
}

static void copy_plane(const VqxPlane *to, const VqxPlane *from)
{
    const size_t row = from->width * sample_bytes(from->bit_depth);
    for (ptrdiff_t y = 0; y < (ptrdiff_t)from->height; y++)
        memcpy((char *)to->data + y * to->stride, (const char *)from->data + y * from->stride, row);
}

int vqx_submit(VqxContext *ctx, const VqxPlane *ref, const VqxPlane *dis, uint64_t index,
               VqxError *error)
{
    int status = check_open(ctx, error);
    if (!status)
        status = check_plane(ref, "reference", error);
    if (!status)
        status = check_plane(dis, "distorted", error);
    if (status)
        return status;
    if (ref->width != dis->width || ref->height != dis->height)
        return vqx_fail(error, VQX_ERROR_ARGUMENT,
                        "frame %llu: the reference is %ux%u and the distorted plane %ux%u",
                        (unsigned long long)index, ref->width, ref->height, dis->width,
                        dis->height);
    status = vqx_configure(ctx, ref->width, ref->height, ref->bit_depth, dis->bit_depth, error);
    if (status)
        return status;
    if ((ref->memory == VQX_MEMORY_DEVICE || dis->memory == VQX_MEMORY_DEVICE) &&
        !ctx->backend->device_alloc)
        return vqx_fail(error, VQX_ERROR_ARGUMENT, "backend %s takes no planes in device memory",
                        ctx->backend->name);
    Slot *slot;
    status = take_slot(ctx, &slot, 1, error);
    if (status)
        return status;
    const VqxPlane *from[2] = {ref, dis};
    for (int i = 0; i < 2; i++) {
        slot->job.plane[i] = *from[i];
        if (from[i]->memory == VQX_MEMORY_DEVICE)
            continue;
        status = slot_prepare(ctx, slot, error);
        if (status)
            return status;
        slot->job.plane[i] = slot_plane(ctx, slot, i);
        copy_plane(&slot->job.plane[i], from[i]);
    }
    slot->state = SLOT_HELD;
    return start_slot(ctx, slot, index, error);
}

int vqx_finish(VqxContext *ctx, VqxError *error)
{
    if (!ctx)
        return vqx_fail(error, VQX_ERROR_ARGUMENT, "ctx must not be NULL");
    ctx->finished = 1;
    vqx_collect_all(ctx, NULL);
    return ctx->failure.status
               ? vqx_fail(error, ctx->failure.status, "%.440s", ctx->failure.message)
               : 0;
}
