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
    s.ring = (2 * s.radius <= STRIP_COLUMNS ? 3 : 4) * STRIP_COLUMNS;
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
    VQX_UNROLL_3 /* a turn of w: its values stay in their registers */
        for (int g = 0; g < radius / 2; g++)
    {
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
    vqx_f32 *filtered = tile + 2 * STRIP_COLUMNS * s.tile_pitch;
    const int thread = (int)threadIdx.x, quantity = thread / 64, within = thread % 64;
    const int first_row = (int)blockIdx.x * STRIP_ROWS_ANY, frame = (int)blockIdx.y;

    if (thread < 4)
        ones[thread] = 1.0f;
    for (int i = thread; i <= 2 * s.radius; i += STRIP_THREADS_ANY)
        tap[i] = i < s.before || i - s.before > 2 * p.taps.radius ? 0.0f : p.taps.tap[i - s.before];
    for (int i = thread; i < STRIP_QUANTITIES * s.plane; i += STRIP_THREADS_ANY)
        filtered[i] = 0.0f;

    StripLoader<T> loader = strip_loader<T>(planes, p, frame, STRIP_THREADS_ANY - 1 - thread,
                                            first_row - s.radius, s.rows, tile, s.tile_pitch);
    vqx_f32 *own = filtered + quantity * s.plane;

    /* Down a column: eight rows of it. */
    const int column = within % 32, row = within / 32 * 8;
    const vqx_f32 *ref = tile + column * s.tile_pitch + row,
                  *dis = ref + STRIP_COLUMNS * s.tile_pitch;
    const bool plain = quantity < 2;
    ColumnSamples samples;
    samples.a = quantity == 1 || quantity == 3 ? dis : ref;
    samples.b = plain ? ones : quantity == 2 ? ref : dis;
    samples.step = plain ? 0 : 1;

    /* Along a row: eight columns of it. */
    const int eighth = within / STRIP_ROWS_ANY * 8;
    vqx_f32 *along = own + within % STRIP_ROWS_ANY * s.plane_pitch;
    RingSamples ring;
    ring.row = along;
    ring.ring = s.ring;

    /* Each warp adds the rows that it overwrites next. */
    const int sum_row = row + within % 32;
    const bool adds = (quantity == STRIP_NUM || quantity == STRIP_DEN) && within % 32 < 8;
    vqx_f32 sum = 0.0f, eight[8];
    const int chunks = (p.width + s.lead + s.radius + STRIP_COLUMNS - 1) / STRIP_COLUMNS;
    loader.fetch(-s.lead);
    loader.store(-s.lead);
    VQX_BARRIER();
    int at = 0, out = 0; /* where the chunk and its results are in the ring */
    for (int c = 0; c < chunks; c++) {
        const int x = c * STRIP_COLUMNS - s.lead;
        if (c > 0 && adds)
            sum = add_terms(sum, own + sum_row * s.plane_pitch + out);
        VQX_WARP_BARRIER();
        at = c == 0 ? 0 : out;
        out = at + STRIP_COLUMNS == s.ring ? 0 : at + STRIP_COLUMNS;
        gather_eight(eight, tap, s.radius, samples);
        VQX_UNROLL
        for (int j = 0; j < 8; j++)
            own[(row + j) * s.plane_pitch + at + column] = eight[j];
        VQX_BARRIER();
        if (c + 1 < chunks)
            loader.fetch(x + STRIP_COLUMNS);
        ring.first = at + eighth - 2 * s.radius;
        ring.first += ring.first < 0 ? s.ring : 0;
        gather_eight(eight, tap, s.radius, ring);
        float4 *to = (float4 *)(along + out + eighth);
        to[0] = make_float4(eight[0], eight[1], eight[2], eight[3]);
        to[1] = make_float4(eight[4], eight[5], eight[6], eight[7]);
        VQX_BARRIER();
        if (c + 1 < chunks)
            loader.store(x + STRIP_COLUMNS);
        if (thread < STRIP_ROWS_ANY * STRIP_COLUMNS / 2)
            Form::template terms<2>(filtered + thread / 16 * s.plane_pitch + out + thread % 16 * 2,
                                    s.plane, x - s.radius + thread % 16 * 2,
                                    first_row + thread / 16, p);
        VQX_BARRIER();
    }
    if (adds) {
        sum = add_terms(sum, own + sum_row * s.plane_pitch + out);
        if (first_row + sum_row < p.height)
            p.sums[frame * p.frame_sums + 2 * (first_row + sum_row) + (quantity - STRIP_NUM)] = sum;
    }
}

#endif
