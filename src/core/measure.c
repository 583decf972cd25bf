#include "core/measure.h"

#include "core/context.h"
#include "util/error.h"
#include "vif/operations.h"

int vqx_measure_peaks(VqxContext *ctx, VqxPeaks *peaks, VqxError *error)
{
    *peaks = (VqxPeaks){0};
    return ctx->backend->measure_peaks ? ctx->backend->measure_peaks(ctx->engine, peaks, error) : 0;
}

double vqx_frame_operations(const VqxContext *ctx)
{
    double total = 0;
    for (size_t p = 0; p < ctx->plan_count; p++)
        total += vif_frame_operations(&ctx->plans[p]);
    return total;
}

int vqx_takes_device_frames(const VqxContext *ctx)
{
    return ctx->backend->device_alloc != NULL;
}

int vqx_device_plane(VqxContext *ctx, const VqxPlane *plane, VqxPlane *copy, VqxError *error)
{
    *copy = *plane;
    copy->memory = VQX_MEMORY_DEVICE;
    copy->data = ctx->backend->device_alloc(ctx->engine, plane->data,
                                            (size_t)plane->stride * plane->height, error);
    return copy->data ? 0 : VQX_ERROR_BACKEND;
}

void vqx_device_plane_free(VqxContext *ctx, VqxPlane *copy)
{
    if (copy->data)
        ctx->backend->device_free(ctx->engine, copy->data);
    copy->data = NULL;
}
