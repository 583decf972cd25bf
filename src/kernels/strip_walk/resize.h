/* The prescale, a thread a sample, from the plan's tables; or the conversion to f32 alone. */
#ifndef VQX_KERNELS_STRIP_WALK_RESIZE_H
#define VQX_KERNELS_STRIP_WALK_RESIZE_H

#include "kernels/strip_walk/samples.h"

template <typename T>
VQX_DEVICE vqx_f32 resize_sample(const StripPlanes &from, const StripResize &p, int frame,
                                 int image, int x, int y)
{
    const SampleConvert convert = convert_of(p.convert, image);
    if (p.taps == 0)
        return sample_value(plane_row<T>(from, frame, image, y)[x], convert);
    if (!p.x_weight)
        return sample_value(plane_row<T>(from, frame, image, p.y_index[y])[p.x_index[x]], convert);
    vqx_f32 sum = 0.0f, weights = 0.0f;
    for (int j = 0; j < p.taps; j++) { /* rows outer, columns inner: the order is defined */
        const T *row = plane_row<T>(from, frame, image, p.y_index[y * p.taps + j]);
        for (int i = 0; i < p.taps; i++) {
            const vqx_f32 w = vqx_mul(p.x_weight[x * p.taps + i], p.y_weight[y * p.taps + j]);
            weights = vqx_add(weights, w);
            sum = vqx_add(sum, vqx_mul(sample_value(row[p.x_index[x * p.taps + i]], convert), w));
        }
    }
    return p.normalized ? vqx_div(sum, weights) : sum;
}

template <typename T>
VQX_DEVICE void resize(const StripPlanes &from, const StripPlanes &to, const StripResize &p)
{
    const int x = (int)(blockIdx.y * RESIZE_THREADS + threadIdx.x), y = (int)blockIdx.x;
    const int frame = (int)blockIdx.z, image = p.image;
    if (x >= p.width)
        return;
    vqx_f32 *row = (vqx_f32 *)((char *)to.data[image][frame] + y * to.stride[image][frame]);
    row[x] = resize_sample<T>(from, p, frame, image, x, y);
}

#endif
