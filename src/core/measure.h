/* What `vqx bench` asks of a configured context beyond the public API. */
#ifndef VQX_CORE_MEASURE_H
#define VQX_CORE_MEASURE_H

#include "backend/backend.h"
#include "vqx.h"

/* What the context's first device can do at most, measured now; 0 where the backend cannot tell or, of copies, makes none. */
int vqx_measure_peaks(VqxContext *ctx, VqxPeaks *peaks, VqxError *error);

/* Multiplications and additions of a frame, over all configurations (vif/operations.h). */
double vqx_frame_operations(const VqxContext *ctx);

/* Whether frames may be in the device's memory already. */
int vqx_takes_device_frames(const VqxContext *ctx);

/* A copy of the plane in memory of the context's first device. */
int vqx_device_plane(VqxContext *ctx, const VqxPlane *plane, VqxPlane *copy, VqxError *error);
void vqx_device_plane_free(VqxContext *ctx, VqxPlane *copy);

#endif
