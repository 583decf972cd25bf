/*
 * The next scale's plane for any radius up to 32: a block of 128 threads makes 16 rows of 32
 * outputs, columns first, eight kept rows at a time.
 */
#ifndef VQX_KERNELS_STRIP_WALK_DECIMATE_ANY_H
#define VQX_KERNELS_STRIP_WALK_DECIMATE_ANY_H

#include "kernels/strip_walk/samples.h"

enum { DECIMATE_PITCH_ANY = 2 * DECIMATE_COLUMNS_ANY - 1 + 2 * STRIP_MAX_RADIUS };

/* Down one column: eight outputs, two samples apart; next(i) gives the i-th sample. */
template <typename Next>
VQX_DEVICE void decimate_eight(vqx_f32 *out, const StripTaps &taps, Next next)
{
    vqx_f32 w[16], sum[8];
    VQX_UNROLL
    for (int i = 0; i < 15; i++)
        w[i] = next(i);
    VQX_UNROLL
    for (int j = 0; j < 8; j++)
        sum[j] = 0.0f;
    for (int k = 0; k < 2 * taps.radius; k += 2) {
        w[15] = next(k + 15);
        VQX_UNROLL
        for (int j = 0; j < 8; j++)
            sum[j] = vqx_add(sum[j], vqx_mul(taps.tap[k], w[2 * j]));
        VQX_UNROLL
        for (int j = 0; j < 8; j++)
            sum[j] = vqx_add(sum[j], vqx_mul(taps.tap[k + 1], w[2 * j + 1]));
        VQX_UNROLL
        for (int i = 0; i < 14; i++)
            w[i] = w[i + 2];
        w[14] = next(k + 16);
    }
    VQX_UNROLL
    for (int j = 0; j < 8; j++)
        out[j * DECIMATE_PITCH_ANY] = vqx_add(sum[j], vqx_mul(taps.tap[2 * taps.radius], w[2 * j]));
}

template <typename T>
VQX_DEVICE void decimate_any(const StripPlanes &from, const StripPlanes &to, const StripDecimate &p)
{
    VQX_SHARED vqx_f32 columns[DECIMATE_ROWS * DECIMATE_PITCH_ANY];
    const int thread = (int)threadIdx.x, frame = (int)blockIdx.z / 2, image = (int)blockIdx.z % 2;
    const int first_x = (int)blockIdx.x * DECIMATE_COLUMNS_ANY,
              first_y = (int)blockIdx.y * DECIMATE_ROWS;
    const int radius = p.taps.radius, wide = 2 * DECIMATE_COLUMNS_ANY - 1 + 2 * radius;
    const SampleConvert convert = convert_of(p.convert, image);

    for (int i = thread; i < 2 * wide; i += DECIMATE_THREADS_ANY) {
        const int c = i % wide, half = i / wide * 8;
        const int x = vif_reflect_clamped(2 * first_x - radius + c, p.width);
        const int y = 2 * (first_y + half) - radius;
        decimate_eight(columns + half * DECIMATE_PITCH_ANY + c, p.taps, [&](int n) {
            const int row = vif_reflect_clamped(y + n, p.height);
            return sample_value(vqx_load(plane_row<T>(from, frame, image, row) + x), convert);
        });
    }
    VQX_BARRIER();
    const int out_width = p.width / 2, out_height = p.height / 2;
    for (int i = thread; i < DECIMATE_ROWS * DECIMATE_COLUMNS_ANY; i += DECIMATE_THREADS_ANY) {
        const int c = i % DECIMATE_COLUMNS_ANY, r = i / DECIMATE_COLUMNS_ANY;
        const int out_x = first_x + c, out_y = first_y + r;
        if (out_x >= out_width || out_y >= out_height)
            continue;
        const vqx_f32 *window = columns + r * DECIMATE_PITCH_ANY + 2 * c;
        vqx_f32 sum = 0.0f;
        for (int k = 0; k <= 2 * radius; k++)
            sum = vqx_add(sum, vqx_mul(p.taps.tap[k], window[k]));
        vqx_f32 *row = (vqx_f32 *)((char *)to.data[image][frame] + out_y * to.stride[image][frame]);
        row[out_x] = sum;
    }
}

#endif
