/*
 * The next scale's plane: filter, keep samples (2x, 2y). For a radius known when the kernel is
 * compiled, at most 4.
 *
 * A block of 64 threads makes 16 rows of 124 outputs. Each thread filters four neighbouring columns
 * down 31 + 2R rows, only the rows that are kept; then the kept columns are filtered along the
 * rows.
 */
#ifndef VQX_KERNELS_STRIP_WALK_DECIMATE_H
#define VQX_KERNELS_STRIP_WALK_DECIMATE_H

#include "kernels/strip_walk/samples.h"
#include "kernels/strip_walk/walk.h"

enum { DECIMATE_LEAD = 4, DECIMATE_PITCH = 4 * DECIMATE_THREADS + 4 };

/* Down four columns: read(i, v) gives the i-th row's samples. Sums begin as in walk.h. */
template <int R, typename Read>
VQX_DEVICE void decimate_columns(const vqx_f32 *tap, vqx_f32 *out, Read read)
{
    vqx_f32 sum[DECIMATE_ROWS][4];
    VQX_UNROLL
    for (int i = 0; i < 2 * DECIMATE_ROWS - 1 + 2 * R; i++) {
        vqx_f32 v[4];
        read(i, v);
        VQX_UNROLL
        for (int j = 0; j < 4; j++) {
            vqx_f32 product[R + 1];
            VQX_UNROLL
            for (int k = 0; k <= R; k++)
                product[k] = vqx_mul(tap[k], v[j]);
            VQX_UNROLL
            for (int o = 0; o < DECIMATE_ROWS; o++) {
                const int k = i - 2 * o;
                if (k >= 0 && k <= 2 * R) {
                    const vqx_f32 term = product[mirrored<R>(k)];
                    sum[o][j] = k == 0 ? term : vqx_add(sum[o][j], term);
                }
            }
        }
        VQX_UNROLL
        for (int o = 0; o < DECIMATE_ROWS; o++)
            if (i - 2 * o == 2 * R)
                *(float4 *)(out + o * DECIMATE_PITCH) =
                    make_float4(sum[o][0], sum[o][1], sum[o][2], sum[o][3]);
    }
}

/* Four outputs along a row from 16 column-filtered samples, the first of them 4 left of the first
 * output's centre. */
template <int R> VQX_DEVICE void decimate_row(const vqx_f32 *tap, const vqx_f32 *row, vqx_f32 *out)
{
    vqx_f32 v[16];
    VQX_UNROLL
    for (int i = 0; i < 4; i++)
        *(float4 *)(v + 4 * i) = *(const float4 *)(row + 4 * i);
    VQX_UNROLL
    for (int j = 0; j < 4; j++) {
        const vqx_f32 *window = v + 2 * j + DECIMATE_LEAD - R;
        vqx_f32 sum = vqx_mul(tap[0], window[0]);
        VQX_UNROLL
        for (int k = 1; k <= 2 * R; k++)
            sum = vqx_add(sum, vqx_mul(tap[mirrored<R>(k)], window[k]));
        out[j] = sum;
    }
}

template <int R, typename T>
VQX_DEVICE void decimate(const StripPlanes &from, const StripPlanes &to, const StripDecimate &p)
{
    typedef SampleTraits<T> Traits;
    VQX_SHARED vqx_f32 columns[DECIMATE_ROWS * DECIMATE_PITCH];
    const int thread = (int)threadIdx.x, frame = (int)blockIdx.z / 2, image = (int)blockIdx.z % 2;
    const int first_x = (int)blockIdx.x * DECIMATE_COLUMNS,
              first_y = (int)blockIdx.y * DECIMATE_ROWS;
    const int x = 2 * first_x - DECIMATE_LEAD + 4 * thread, y = 2 * first_y - R;
    const int rows = 2 * DECIMATE_ROWS - 1 + 2 * R;
    const SampleConvert convert = convert_of(p.convert, image);
    vqx_f32 tap[R + 1];
    VQX_UNROLL
    for (int i = 0; i <= R; i++)
        tap[i] = p.taps.tap[i];

    const bool inside = blockIdx.x > 0 &&
                        2 * first_x - DECIMATE_LEAD + 4 * DECIMATE_THREADS <= p.width && y >= 0 &&
                        y + rows <= p.height;
    if (inside) { /* the same branch for the whole block */
        const char *at = (const char *)(plane_row<T>(from, frame, image, y) + x);
        const long long stride = from.stride[image][frame];
#if VQX_FETCH_AHEAD /* all loads are in flight at once */
        typename Traits::Four ahead[rows];
        VQX_UNROLL
        for (int i = 0; i < rows; i++)
            ahead[i] = vqx_load((const typename Traits::Four *)(at + i * stride));
        decimate_columns<R>(tap, columns + 4 * thread,
                            [&](int i, vqx_f32 *v) { Traits::unpack(ahead[i], convert, v); });
#else
        decimate_columns<R>(tap, columns + 4 * thread, [&](int i, vqx_f32 *v) {
            Traits::unpack(vqx_load((const typename Traits::Four *)(at + i * stride)), convert, v);
        });
#endif
    } else {
        int column[4];
        VQX_UNROLL
        for (int j = 0; j < 4; j++)
            column[j] = vif_reflect_clamped(x + j, p.width);
        decimate_columns<R>(tap, columns + 4 * thread, [&](int i, vqx_f32 *v) {
            const T *row = plane_row<T>(from, frame, image, vif_reflect_clamped(y + i, p.height));
            VQX_UNROLL
            for (int j = 0; j < 4; j++)
                v[j] = sample_value(vqx_load(row + column[j]), convert);
        });
    }
    VQX_BARRIER();
    const int out_width = p.width / 2, out_height = p.height / 2;
    for (int i = thread; i < DECIMATE_ROWS * (DECIMATE_COLUMNS / 4); i += DECIMATE_THREADS) {
        const int r = i / (DECIMATE_COLUMNS / 4), g = i % (DECIMATE_COLUMNS / 4);
        const int out_x = first_x + 4 * g, out_y = first_y + r;
        if (out_y >= out_height || out_x >= out_width)
            continue;
        vqx_f32 v[4];
        decimate_row<R>(tap, columns + r * DECIMATE_PITCH + 8 * g, v);
        /* The last four may lie partly behind the row's end: its stride has room for them. */
        vqx_f32 *row = (vqx_f32 *)((char *)to.data[image][frame] + out_y * to.stride[image][frame]);
        *(float4 *)(row + out_x) = make_float4(v[0], v[1], v[2], v[3]);
    }
}

#endif
