/* Kernels: compiled from the embedded source at first use on a device, and kept there. */
#ifndef VQX_BACKEND_OPENCL_KERNELS_H
#define VQX_BACKEND_OPENCL_KERNELS_H

#include "backend/backend.h"
#include "backend/opencl/devices.h"
#include "backend/tiles/launches.h"

/* kernels.cl and what it includes, as one text; written by embed.py at build time. */
extern const unsigned char vqx_kernels_source[];
extern const size_t vqx_kernels_source_size;

/* The largest radius of filters that have kernels made for them; see tiles_launches. */
TilesMadeFor opencl_made_for(const OpenclDevice *device);

/* A kernel object of the caller's own, or NULL with the reason. A compiler's whole log goes to
 * `log` (may be NULL), its beginning into the error. */
cl_kernel opencl_kernel(OpenclDevice *device, TilesKernel kind, TilesForm form, const VqxLog *log,
                        VqxError *error);

/* The self-test of backend/probe.h in that form. */
int opencl_probe(OpenclDevice *device, TilesForm form, VqxError *error);

#endif
