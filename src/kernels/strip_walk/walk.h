/*
 * The statistic of one scale, for a radius known when the kernel is compiled.
 *
 * A block of five warps takes a strip of 32 rows, or of fewer where the device has more
 * multiprocessors than there are strips, and walks it from left to right in chunks of 32 columns. A warp filters one quantity (mu1, mu2, xx, yy, xy): first down the columns, a lane a
 * column, then along the rows, a lane a row, its unfinished sums carried in registers from chunk to
 * chunk. All warps then turn the five results into terms, and two of them add these to their rows'
 * sums, which so stay in registers and in the defined order from the first column to the last.
 *
 * Taps are bit-symmetric, so radius + 1 products of a sample serve its 2 * radius + 1 outputs. A
 * sum begins with its first product where the reference adds that to +0: a difference in a zero's
 * sign at most, which nothing after it sees (a covariance of zero has no sign in the statistic).
 */
#ifndef VQX_KERNELS_STRIP_WALK_WALK_H
#define VQX_KERNELS_STRIP_WALK_WALK_H

#include "kernels/strip_walk/loader.h"
#include "kernels/strip_walk/statistic.h"

template <int R, int ROWS> struct WalkShape {
    static const int rows = ROWS + 2 * R;
    /* Pitches are odd multiples of four floats: a warp's reads of four then spread over all banks.
     */
    static const int quads = (rows + 3) / 4;
    static const int tile_pitch = 4 * (quads % 2 ? quads : quads + 1);
    static const int plane_pitch = STRIP_COLUMNS + 4;
    static const int plane = ROWS * plane_pitch;
    static const int lead = 16; /* columns of the first chunk left of the image */
};

/* Index of the tap that a symmetric filter shares. */
template <int R> VQX_DEVICE constexpr int mirrored(int k)
{
    return k <= R ? k : 2 * R - k;
}

/* Down one column: ROWS outputs from ROWS + 2R samples, each the product of a[i] and, where `step` is
 * not 0, b[i]; else b[0..3] are ones. */
template <int R, int ROWS>
VQX_DEVICE void filter_column(const vqx_f32 *a, const vqx_f32 *b, int step, const vqx_f32 *tap,
                              vqx_f32 *out)
{
    const int samples = ROWS + 2 * R, pitch = WalkShape<R, ROWS>::plane_pitch;
    vqx_f32 sum[ROWS];
    VQX_UNROLL
    for (int i4 = 0; i4 < (samples + 3) / 4; i4++) {
        const float4 p = *(const float4 *)(a + 4 * i4), q = *(const float4 *)(b + step * 4 * i4);
        const vqx_f32 v[4] = {vqx_mul(p.x, q.x), vqx_mul(p.y, q.y), vqx_mul(p.z, q.z),
                              vqx_mul(p.w, q.w)};
        VQX_UNROLL
        for (int j = 0; j < 4; j++) {
            const int i = 4 * i4 + j;
            if (i >= samples)
                continue;
            vqx_f32 product[R + 1];
            VQX_UNROLL
            for (int k = 0; k <= R; k++)
                product[k] = vqx_mul(tap[k], v[j]);
            if (i >= 2 * R)
                out[(i - 2 * R) * pitch] = vqx_add(sum[i >= 2 * R ? i - 2 * R : 0], product[0]);
            VQX_UNROLL
            for (int k = 2 * R - 1; k >= 1; k--) {
                const int o = i - k;
                if (o >= 0 && o < ROWS)
                    sum[o] = vqx_add(sum[o], product[mirrored<R>(k)]);
            }
            if (i < ROWS)
                sum[i < ROWS ? i : 0] = product[0];
        }
    }
}

/* Along 32 columns of one row, in place: column i becomes the output of column i - R. `open` holds
 * the sums of the 2R outputs not finished yet. */
template <int R>
VQX_DEVICE void filter_row(vqx_f32 *row, const vqx_f32 *tap, vqx_f32 (&open)[2 * R])
{
    VQX_NO_UNROLL
    for (int half = 0; half < 2; half++) { /* 16 columns are a whole turn of `open` for R up to 8 */
        VQX_UNROLL
        for (int i4 = 0; i4 < STRIP_COLUMNS / 8; i4++) {
            float4 *at = (float4 *)row + half * (STRIP_COLUMNS / 8) + i4;
            const float4 w = *at;
            const vqx_f32 v[4] = {w.x, w.y, w.z, w.w};
            vqx_f32 out[4];
            VQX_UNROLL
            for (int j = 0; j < 4; j++) {
                const int i = 4 * i4 + j;
                vqx_f32 product[R + 1];
                VQX_UNROLL
                for (int k = 0; k <= R; k++)
                    product[k] = vqx_mul(tap[k], v[j]);
                out[j] = vqx_add(open[i % (2 * R)], product[0]);
                VQX_UNROLL
                for (int k = 2 * R - 1; k >= 1; k--) {
                    const int s = (i - k + 64 * R) % (2 * R);
                    open[s] = vqx_add(open[s], product[mirrored<R>(k)]);
                }
                open[i % (2 * R)] = product[0];
            }
            *at = make_float4(out[0], out[1], out[2], out[3]);
        }
    }
}

template <int R, int ROWS, typename T, typename Form>
VQX_DEVICE void strip_walk(const StripPlanes &planes, const StripWalk &p)
{
    typedef WalkShape<R, ROWS> Shape;
    VQX_SHARED vqx_f32 tile[2 * STRIP_COLUMNS * Shape::tile_pitch];
    VQX_SHARED vqx_f32 filtered[STRIP_QUANTITIES * Shape::plane];
    VQX_SHARED vqx_f32 ones[4];
    const int thread = (int)threadIdx.x, quantity = thread / 32, lane = thread % 32;
    const int first_row = (int)blockIdx.x * ROWS, frame = (int)blockIdx.y;
    if (thread < 4)
        ones[thread] = 1.0f;

    /* The last threads load: the first warps have the row sums to add. */
    StripLoader<T> loader = strip_loader<T>(planes, p, frame, STRIP_THREADS - 1 - thread,
                                            first_row - R, Shape::rows, tile, Shape::tile_pitch);
    const vqx_f32 *ref = tile + lane * Shape::tile_pitch,
                  *dis = ref + STRIP_COLUMNS * Shape::tile_pitch;
    const bool plain = quantity < 2;
    const vqx_f32 *a = quantity == 1 || quantity == 3 ? dis : ref;
    const vqx_f32 *b = plain ? ones : quantity == 2 ? ref : dis;
    vqx_f32 *own = filtered + quantity * Shape::plane;
    const bool adds = (quantity == STRIP_NUM || quantity == STRIP_DEN) && lane < ROWS;

    vqx_f32 tap[R + 1], open[2 * R], sum = 0.0f;
    VQX_UNROLL
    for (int i = 0; i <= R; i++)
        tap[i] = p.taps.tap[i];
    VQX_UNROLL
    for (int i = 0; i < 2 * R; i++)
        open[i] = 0.0f;

    const int chunks = (p.width + Shape::lead + R + STRIP_COLUMNS - 1) / STRIP_COLUMNS;
    loader.fetch(-Shape::lead);
    loader.store(-Shape::lead);
    VQX_BARRIER();
    for (int c = 0; c < chunks; c++) {
        const int x = c * STRIP_COLUMNS - Shape::lead; /* the chunk's first column */
        if (c > 0 && adds)
            sum = add_terms(sum, own + lane * Shape::plane_pitch);
        VQX_WARP_BARRIER();
        filter_column<R, ROWS>(a, b, plain ? 0 : 1, tap, own + lane);
        VQX_WARP_BARRIER();
        if (c + 1 < chunks)
            loader.fetch(x + STRIP_COLUMNS);
        if (lane < ROWS)
            filter_row<R>(own + lane * Shape::plane_pitch, tap, open);
        VQX_BARRIER();
        if (c + 1 < chunks)
            loader.store(x + STRIP_COLUMNS);
        VQX_NO_UNROLL
        for (int i = thread; i < ROWS * STRIP_COLUMNS / 4; i += STRIP_THREADS)
            Form::template terms<4>(filtered + (i / 8) * Shape::plane_pitch + (i % 8) * 4,
                                    Shape::plane, x - R + (i % 8) * 4, first_row + i / 8, p);
        VQX_BARRIER();
    }
    if (adds) {
        sum = add_terms(sum, own + lane * Shape::plane_pitch);
        if (first_row + lane < p.height)
            p.sums[frame * p.frame_sums + 2 * (first_row + lane) + (quantity - STRIP_NUM)] = sum;
    }
}

#endif
