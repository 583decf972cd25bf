/* Kernels: compiled from the embedded source at first use on a device, and kept there. */
#ifndef VQX_BACKEND_OPENCL_KERNELS_H
#define VQX_BACKEND_OPENCL_KERNELS_H

#include "backend/backend.h"
#include "backend/opencl/devices.h"

/* kernels.cl and what it includes, as one text; written by embed.py at build time. */
extern const unsigned char vqx_kernels_source[];
extern const size_t vqx_kernels_source_size;

/* How the statistic is computed. */
typedef struct OpenclForm {
    int native;        /* f64 instructions; else the fp64-free form */
    int soft_division; /* f32 division corrected in software */
} OpenclForm;

typedef struct OpenclKernelShape {
    const char *name; /* "prescale", "decimate", "scale", "row_sums", "probe" */
    int sample_bits;  /* 8, 16, 32; 0 where the kernel reads no samples */
    int radius;       /* of the filter it is made for; 0: none or any */
} OpenclKernelShape;

/* Whether filters of that radius have kernels made for them. */
int opencl_made_for(const OpenclDevice *device, int radius);

/* A kernel object of the caller's own, or NULL with the reason. A compiler's whole log goes to
 * `log` (may be NULL), its beginning into the error. */
cl_kernel opencl_kernel(OpenclDevice *device, OpenclKernelShape shape, OpenclForm form,
                        const VqxLog *log, VqxError *error);

/* The self-test of backend/probe.h in that form. */
int opencl_probe(OpenclDevice *device, OpenclForm form, VqxError *error);

#endif
