/*
 * Loading a chunk of a strip: each loading thread owns one row of one image and walks it, 32
 * samples at a time, into shared memory that is column-major (a column's rows lie together, so that
 * the vertical filter reads four at once).
 *
 * Samples are fetched into registers a chunk ahead, converted and stored when the tile is free.
 * Columns outside the plane reflect; the ones that no output needs are clamped into it.
 */
#ifndef VQX_KERNELS_STRIP_WALK_LOADER_H
#define VQX_KERNELS_STRIP_WALK_LOADER_H

#include "kernels/strip_walk/samples.h"

template <typename T> struct StripLoader {
    typedef SampleTraits<T> Traits;
    static const int words = STRIP_COLUMNS / Traits::per_word;

    bool active;
    const T *row;
    vqx_f32 *to; /* column 0's sample of this row */
    int pitch;   /* from a column of the tile to the next */
    int width;
    SampleConvert convert;
    uint4 ahead[words];

    /* Whether the 32 samples from x on lie inside the plane: then they are read as words. */
    VQX_METHOD bool inside(int x) const
    {
        return x >= 0 && x + STRIP_COLUMNS <= width;
    }

    VQX_METHOD void fetch(int x)
    {
        if (!active || !inside(x))
            return;
        VQX_UNROLL
        for (int g = 0; g < words; g++)
            ahead[g] = vqx_load((const uint4 *)(row + x) + g);
    }

    VQX_METHOD void store(int x)
    {
        if (!active)
            return;
        if (inside(x)) {
            VQX_UNROLL
            for (int g = 0; g < words; g++) {
                vqx_f32 v[Traits::per_word];
                Traits::unpack(ahead[g], convert, v);
                VQX_UNROLL
                for (int i = 0; i < Traits::per_word; i++)
                    to[(g * Traits::per_word + i) * pitch] = v[i];
            }
        } else {
            VQX_NO_UNROLL
            for (int i = 0; i < STRIP_COLUMNS; i++)
                to[i * pitch] = sample_value(row[vif_reflect_clamped(x + i, width)], convert);
        }
    }
};

/*
 * Thread `slot` of a block loads row `slot` of the reference's rows, the distorted image's after
 * them; other threads nothing. The tile holds both images' 32 columns.
 */
template <typename T>
VQX_DEVICE StripLoader<T> strip_loader(const StripPlanes &planes, const StripWalk &p, int frame,
                                       int slot, int first_row, int rows, vqx_f32 *tile, int pitch)
{
    StripLoader<T> loader;
    const int image = slot >= rows, r = image ? slot - rows : slot;
    loader.active = slot >= 0 && slot < 2 * rows;
    loader.row = plane_row<T>(planes, frame, loader.active ? image : 0,
                              loader.active ? vif_reflect_clamped(first_row + r, p.height) : 0);
    loader.to = tile + (loader.active ? image * STRIP_COLUMNS * pitch + r : 0);
    loader.pitch = pitch;
    loader.width = p.width;
    loader.convert = convert_of(p.convert, loader.active ? image : 0);
    return loader;
}

#endif
