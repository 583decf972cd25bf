/*
 * The statistic of one scale, for any radius up to 32.
 *
 * The walk is walk.h's with a strip of 16 rows. Here outputs gather: eight of them at a time slide
 * over their window, one tap after the other. The column-filtered planes are rings of `ring`
 * columns that remember what the row filter still needs; the filtered chunk and its terms take the
 * place of the ring's oldest.
 *
 * Windows start at multiples of four: taps are preceded by zeros (`before` of them) that multiply
 * finite samples and change no sum.
 */
#ifndef VQX_KERNELS_STRIP_WALK_WALK_ANY_H
#define VQX_KERNELS_STRIP_WALK_WALK_ANY_H

#include "kernels/strip_walk/loader.h"
#include "kernels/strip_walk/statistic.h"

/* Sizes that follow from the radius; the host needs them for the shared memory. */
struct AnyShape {
    int radius; /* rounded up so that a window is a multiple of four and one */
    int before; /* zeros put before the taps */
    int rows, tile_pitch, ring, plane_pitch, plane, lead;
};

VQX_DEVICE AnyShape any_shape(int radius)
{
    AnyShape s;
    s.radius = (radius + 1) / 2 * 2;
    s.before = s.radius - radius;
    s.rows = STRIP_ROWS_ANY + 2 * s.radius;
    s.tile_pitch = s.rows / 4 % 2 ? s.rows : s.rows + 4;
    s.ring = 2 * s.radius <= STRIP_COLUMNS ? 2 * STRIP_COLUMNS : 3 * STRIP_COLUMNS;
    s.plane_pitch = s.ring + 4;
    s.plane = STRIP_ROWS_ANY * s.plane_pitch;
    s.lead = s.radius <= 16 ? 16 : 32;
    return s;
}

/* Eight neighbouring outputs from windows of 2 * radius + 1; next(i) gives samples 4i..4i+3. */
template <typename Next>
VQX_DEVICE void gather_eight(vqx_f32 (&sum)[8], const vqx_f32 *tap, int radius, Next next)
{
    vqx_f32 w[12];
    float4 v = next(0);
    w[0] = v.x, w[1] = v.y, w[2] = v.z, w[3] = v.w;
    v = next(1);
    w[4] = v.x, w[5] = v.y, w[6] = v.z, w[7] = v.w;
    VQX_UNROLL
    for (int j = 0; j < 8; j++)
        sum[j] = 0.0f;
    for (int g = 0; g < radius / 2; g++) {
        const float4 t4 = ((const float4 *)tap)[g];
        const vqx_f32 t[4] = {t4.x, t4.y, t4.z, t4.w};
        v = next(g + 2);
        w[8] = v.x, w[9] = v.y, w[10] = v.z, w[11] = v.w;
        VQX_UNROLL
        for (int k = 0; k < 4; k++) {
            VQX_UNROLL
            for (int j = 0; j < 8; j++)
                sum[j] = vqx_add(sum[j], vqx_mul(t[k], w[j + k]));
        }
        VQX_UNROLL
        for (int j = 0; j < 8; j++)
            w[j] = w[j + 4];
    }
    VQX_UNROLL
    for (int j = 0; j < 8; j++)
        sum[j] = vqx_add(sum[j], vqx_mul(tap[2 * radius], w[j]));
}

struct ColumnSamples { /* products of two columns of the tile, or of one and ones */
    const vqx_f32 *a, *b;
    int step;
    VQX_METHOD float4 operator()(int i) const
    {
        const float4 p = *(const float4 *)(a + 4 * i), q = *(const float4 *)(b + step * 4 * i);
        return make_float4(vqx_mul(p.x, q.x), vqx_mul(p.y, q.y), vqx_mul(p.z, q.z),
                           vqx_mul(p.w, q.w));
    }
};

struct RingSamples { /* a row of a ring, from column `first` on */
    const vqx_f32 *row;
    int first, ring;
    VQX_METHOD float4 operator()(int i) const
    {
        const int at = first + 4 * i;
        return *(const float4 *)(row + (at >= ring ? at - ring : at));
    }
};

template <typename T, typename Form>
VQX_DEVICE void strip_walk_any(const StripPlanes &planes, const StripWalk &p)
{
    VQX_DYNAMIC_SHARED vqx_f32 shared[];
    const AnyShape s = any_shape(p.taps.radius);
    vqx_f32 *tap = shared;                          /* zeros, then the taps */
    vqx_f32 *ones = tap + 2 * STRIP_MAX_RADIUS + 4; /* 4 */
    vqx_f32 *tile = ones + 4;
    vqx_f32 *planes_of = tile + 2 * STRIP_COLUMNS * s.tile_pitch;
    const int thread = (int)threadIdx.x, quantity = thread / 32, lane = thread % 32;
    const int first_row = (int)blockIdx.x * STRIP_ROWS_ANY, frame = (int)blockIdx.y;

    if (thread < 4)
        ones[thread] = 1.0f;
    for (int i = thread; i <= 2 * s.radius; i += STRIP_THREADS)
        tap[i] = i < s.before || i - s.before > 2 * p.taps.radius ? 0.0f : p.taps.tap[i - s.before];
    for (int i = thread; i < STRIP_QUANTITIES * s.plane; i += STRIP_THREADS)
        planes_of[i] = 0.0f;

    StripLoader<T> loader = strip_loader<T>(planes, p, frame, STRIP_THREADS - 1 - thread,
                                            first_row - s.radius, s.rows, tile, s.tile_pitch);
    const vqx_f32 *ref = tile + lane * s.tile_pitch, *dis = ref + STRIP_COLUMNS * s.tile_pitch;
    const bool plain = quantity < 2;
    ColumnSamples column;
    column.step = plain ? 0 : 1;
    vqx_f32 *own = planes_of + quantity * s.plane;
    const bool adds = (quantity == STRIP_NUM || quantity == STRIP_DEN) && lane < STRIP_ROWS_ANY;
    vqx_f32 sum = 0.0f;

    const int chunks = (p.width + s.lead + s.radius + STRIP_COLUMNS - 1) / STRIP_COLUMNS;
    loader.fetch(-s.lead);
    loader.store(-s.lead);
    VQX_BARRIER();
    int at = 0, out = 0; /* the chunk's place in the ring, and its results' */
    for (int c = 0; c < chunks; c++) {
        const int x = c * STRIP_COLUMNS - s.lead;
        if (c > 0 && adds)
            sum = add_terms(sum, own + lane * s.plane_pitch + out);
        VQX_WARP_BARRIER();
        at = c == 0 || at + STRIP_COLUMNS == s.ring ? 0 : at + STRIP_COLUMNS;
        out = at + STRIP_COLUMNS == s.ring ? 0 : at + STRIP_COLUMNS;

        vqx_f32 eight[2][8];
        VQX_NO_UNROLL
        for (int half = 0; half < 2; half++) {
            column.a = (quantity == 1 || quantity == 3 ? dis : ref) + 8 * half;
            column.b = plain ? ones : (quantity == 2 ? ref : dis) + 8 * half;
            gather_eight(eight[0], tap, s.radius, column);
            VQX_UNROLL
            for (int j = 0; j < 8; j++)
                own[(8 * half + j) * s.plane_pitch + at + lane] = eight[0][j];
        }
        VQX_WARP_BARRIER();
        if (c + 1 < chunks)
            loader.fetch(x + STRIP_COLUMNS);
        RingSamples ring;
        ring.row = own + lane % 16 * s.plane_pitch;
        ring.ring = s.ring;
        const int from = lane / 16 * 16;
        VQX_UNROLL
        for (int part = 0; part < 2; part++) {
            ring.first = at + from + 8 * part - 2 * s.radius;
            ring.first += ring.first < 0 ? s.ring : 0;
            gather_eight(eight[part], tap, s.radius, ring);
        }
        VQX_WARP_BARRIER(); /* all have read the columns that the results replace */
        VQX_UNROLL
        for (int part = 0; part < 2; part++) {
            float4 *to = (float4 *)(own + lane % 16 * s.plane_pitch + out + from + 8 * part);
            const vqx_f32 *e = eight[part];
            to[0] = make_float4(e[0], e[1], e[2], e[3]);
            to[1] = make_float4(e[4], e[5], e[6], e[7]);
        }
        VQX_BARRIER();
        if (c + 1 < chunks)
            loader.store(x + STRIP_COLUMNS);
        if (thread < STRIP_ROWS_ANY * STRIP_COLUMNS / 4)
            statistic_of_four<Form>(planes_of + thread / 8 * s.plane_pitch + out + thread % 8 * 4,
                                    s.plane, x - s.radius + thread % 8 * 4, p);
        VQX_BARRIER();
    }
    if (adds) {
        sum = add_terms(sum, own + lane * s.plane_pitch + out);
        if (first_row + lane < p.height)
            p.sums[frame * p.frame_sums + 2 * (first_row + lane) + (quantity - STRIP_NUM)] = sum;
    }
}

#endif
