/*
 * The Metal entry points of the tile kernels, one of them in a library: the host defines
 * KERNEL_NAME, and what the bodies ask for (VIF_SAMPLE_BITS, VIF_RADIUS or none). There is no
 * f64: VIF_NATIVE is never defined. Arguments stand in the order of the buffers that
 * tiles/launches.h lists; the tile's memory is the host's to set.
 */
#include "arith/dialect_metal.h"

#include "arith/constants.h"
#include "arith/log2a.h"
#include "arith/reflect.h"
#include "arith/statistic.h"

#include "arith/fp64_free.h"

#include "kernels/tiles/language_metal.h"

#include "kernels/tiles/args.h"

#ifdef VIF_SAMPLE_BITS
#include "kernels/tiles/sample.h"
#endif
#if defined(KERNEL_DECIMATE) || defined(KERNEL_SCALE)
#include "kernels/tiles/taps.h"
#endif

#ifdef KERNEL_PRESCALE
#include "kernels/tiles/prescale.h"
kernel void prescale(device const VifSample *samples [[buffer(0)]],
                     device const int *x_index [[buffer(1)]],
                     device const float *x_weight [[buffer(2)]],
                     device const int *y_index [[buffer(3)]],
                     device const float *y_weight [[buffer(4)]],
                     device float *out [[buffer(5)]],
                     constant VifPrescaleArgs &args [[buffer(6)]],
                     uint index [[thread_index_in_threadgroup]],
                     uint3 group [[threadgroup_position_in_grid]])
{
    vif_prescale(samples, x_index, x_weight, y_index, y_weight, out, VQX_VALUE(args),
                 vqx_item(index, group));
}
#endif

#ifdef KERNEL_DECIMATE
#include "kernels/tiles/decimate.h"
kernel void decimate(device const VifSample *planes [[buffer(0)]],
                     constant float *tap [[buffer(1)]],
                     device float *out [[buffer(2)]],
                     constant VifDecimateArgs &args [[buffer(3)]],
                     threadgroup float *tile [[threadgroup(0)]],
                     uint index [[thread_index_in_threadgroup]],
                     uint3 group [[threadgroup_position_in_grid]])
{
    vif_decimate(planes, tap, out, VQX_VALUE(args), tile, vqx_item(index, group));
}
#endif

#ifdef KERNEL_SCALE
#include "kernels/tiles/scale.h"
#ifdef VIF_DUMP
#include "kernels/tiles/dump.h"
kernel void scale(device const VifSample *planes [[buffer(0)]],
                  constant float *tap [[buffer(1)]],
                  device float *terms [[buffer(2)]],
                  device float *dump [[buffer(3)]],
                  constant VifScaleArgs &args [[buffer(4)]],
                  constant VifConstants &constants [[buffer(5)]],
                  threadgroup float *tile [[threadgroup(0)]],
                  uint index [[thread_index_in_threadgroup]],
                  uint3 group [[threadgroup_position_in_grid]])
{
    vif_scale(planes, tap, terms, VQX_VALUE(args), VQX_VALUE(constants), tile,
              vqx_item(index, group));
    vif_scale_dump(planes, dump, VQX_VALUE(args), tile, vqx_item(index, group));
}
#else
kernel void scale(device const VifSample *planes [[buffer(0)]],
                  constant float *tap [[buffer(1)]],
                  device float *terms [[buffer(2)]],
                  constant VifScaleArgs &args [[buffer(3)]],
                  constant VifConstants &constants [[buffer(4)]],
                  threadgroup float *tile [[threadgroup(0)]],
                  uint index [[thread_index_in_threadgroup]],
                  uint3 group [[threadgroup_position_in_grid]])
{
    vif_scale(planes, tap, terms, VQX_VALUE(args), VQX_VALUE(constants), tile,
              vqx_item(index, group));
}
#endif
#endif

#ifdef KERNEL_ROW_SUMS
#include "kernels/tiles/row_sums.h"
kernel void row_sums(device const float *terms [[buffer(0)]],
                     constant VifRowSumArgs *scales [[buffer(1)]],
                     device float *sums [[buffer(2)]],
                     uint index [[thread_index_in_threadgroup]],
                     uint3 group [[threadgroup_position_in_grid]])
{
    vif_row_sums(terms, scales, sums, vqx_item(index, group));
}
#endif

#ifdef KERNEL_PROBE
#include "kernels/tiles/probe.h"
kernel void probe(device const uint *operands [[buffer(0)]],
                  device uint *results [[buffer(1)]],
                  constant VifConstants &constants [[buffer(2)]],
                  uint index [[thread_index_in_threadgroup]],
                  uint3 group [[threadgroup_position_in_grid]])
{
    const VqxItem item = vqx_item(index, group);
    vqx_probe(operands, results, VQX_VALUE(constants), 0, item.group_x * VIF_GROUP + item.index);
}
#endif
