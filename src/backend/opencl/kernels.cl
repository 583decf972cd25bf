/*
 * The OpenCL entry points of the tile kernels, one of them in a program: the host defines
 * KERNEL_NAME, and what the bodies ask for (VIF_SAMPLE_BITS, VIF_RADIUS or none, VIF_NATIVE). Tiles are
 * arguments: of an array declared in the kernel PoCL 3.1 can make one that its threads share.
 */
#include "arith/dialect_opencl.h"

#include "arith/constants.h"
#include "arith/log2a.h"
#include "arith/reflect.h"
#include "arith/statistic.h"

#include "arith/fp64_free.h"

#include "kernels/tiles/language_opencl.h"

#include "kernels/tiles/args.h"

#define GROUP_OF(items) __attribute__((reqd_work_group_size(items, 1, 1)))

#ifdef VIF_SAMPLE_BITS
#include "kernels/tiles/sample.h"
#endif
#if defined(KERNEL_DECIMATE) || defined(KERNEL_SCALE)
#include "kernels/tiles/taps.h"
#endif

#ifdef KERNEL_PRESCALE
#include "kernels/tiles/prescale.h"
__kernel GROUP_OF(VIF_GROUP) void prescale(__global const VifSample *restrict samples,
                                           __global const int *restrict x_index,
                                           __global const float *restrict x_weight,
                                           __global const int *restrict y_index,
                                           __global const float *restrict y_weight,
                                           __global float *restrict out, VifPrescaleArgs args)
{
    vif_prescale(samples, x_index, x_weight, y_index, y_weight, out, args, vqx_item());
}
#endif

#ifdef KERNEL_DECIMATE
#include "kernels/tiles/decimate.h"
__kernel GROUP_OF(VIF_GROUP) void decimate(__global const VifSample *restrict planes,
                                           __constant float *restrict tap,
                                           __global float *restrict out, VifDecimateArgs args,
                                           __local float *tile)
{
    vif_decimate(planes, tap, out, args, tile, vqx_item());
}
#endif

#ifdef KERNEL_SCALE
#include "kernels/tiles/scale.h"
#ifdef VIF_DUMP
#include "kernels/tiles/dump.h"
#define DUMP_BUFFER , __global float *restrict dump
#else
#define DUMP_BUFFER
#endif
__kernel GROUP_OF(VIF_GROUP) void scale(__global const VifSample *restrict planes,
                                        __constant float *restrict tap,
                                        __global float *restrict terms DUMP_BUFFER,
                                        VifScaleArgs args, VifConstants constants,
                                        __local float *tile)
{
    vif_scale(planes, tap, terms, args, constants, tile, vqx_item());
#ifdef VIF_DUMP
    vif_scale_dump(planes, dump, args, tile, vqx_item());
#endif
}
#endif

#ifdef KERNEL_ROW_SUMS
#include "kernels/tiles/row_sums.h"
__kernel GROUP_OF(VIF_ROW_GROUP) void row_sums(__global const float *restrict terms,
                                               __constant VifRowSumArgs *restrict scales,
                                               __global float *restrict sums)
{
    vif_row_sums(terms, scales, sums, vqx_item());
}
#endif

#ifdef KERNEL_PEAK
/* Unfused multiplications and additions as fast as the device issues them, for benchmarks: in vectors, which a GPU takes
 * apart. Nothing of it reaches a score, so the operators are the language's. */
__kernel GROUP_OF(VIF_GROUP) void peak(__global float *restrict out, int rounds)
{
    float16 a = (float)get_global_id(0), b = a + 1.0f, c = a + 2.0f, d = a + 3.0f;
    for (int r = 0; r < rounds; r++) {
        a = a * 0.75f + 1.0f;
        b = b * 0.75f + 1.0f;
        c = c * 0.75f + 1.0f;
        d = d * 0.75f + 1.0f;
    }
    const float16 all = a + b + c + d;
    if (any(all == 0.5f)) /* never; the work must not be optimized away */
        out[0] = all.s0;
}
#endif

#ifdef KERNEL_PROBE
#include "kernels/tiles/probe.h"
__kernel GROUP_OF(VIF_GROUP) void probe(__global const uint *restrict operands,
                                        __global uint *restrict results, VifConstants constants,
                                        ulong nsq_bits)
{
    const VqxItem item = vqx_item();
    vqx_probe(operands, results, constants, nsq_bits, item.group_x * VIF_GROUP + item.index);
}
#endif
