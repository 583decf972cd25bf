/* Kernels: compiled from the embedded source at first use on a device, and kept there. */
#ifndef VQX_BACKEND_METAL_KERNELS_H
#define VQX_BACKEND_METAL_KERNELS_H

#include "backend/metal/devices.h"
#include "backend/tiles/launches.h"

/* kernels.metal and what it includes, as one text that ends in a zero byte. */
extern const unsigned char vqx_kernels_source[];

/* The largest radius of filters that have kernels made for them; see tiles_launches. */
enum { METAL_MADE_FOR = 8 };

/* The kernel's pipeline, or nil with the reason. */
id<MTLComputePipelineState> metal_pipeline(MetalDevice *device, TilesKernel kernel, TilesForm form,
                                           VqxError *error);

/* The self-test of backend/probe.h in that form. */
int metal_probe(MetalDevice *device, TilesForm form, VqxError *error);

#endif
