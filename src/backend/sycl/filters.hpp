/*
 * The kernels that filter, for one radius (VIF_RADIUS) or for any; included in a namespace for each.
 *
 * Taps of a filter that a kernel is made for travel by value: after unrolling each is a register.
 * Kernels of any filter index theirs at run time, so they read them from memory: an array in the
 * functor would be put in scratch memory.
 */
#ifdef VIF_RADIUS
struct Taps {
    vqx_f32 value[VIF_RADIUS + 1]; /* the half that vif_tap names */
};
inline Taps taps(const SyclArguments &a)
{
    return value<Taps>(a.taps);
}
#else
struct Taps {
    const vqx_f32 *value;
};
inline Taps taps(const SyclArguments &a)
{
    return {static_cast<const vqx_f32 *>(a.buffer[1])};
}
#endif

#include "kernels/tiles/taps.h"

#include "kernels/tiles/decimate.h"
struct Decimate {
    const VifSample *planes;
    Taps tap;
    vqx_f32 *out;
    VifDecimateArgs args;
    Tile tile;
    void operator()(sycl::nd_item<3> at) const
    {
        vif_decimate(planes, tap.value, out, args, &tile[0], vqx_item(at));
    }
};

inline void decimate(sycl::handler &handler, const SyclArguments &a)
{
    handler.parallel_for(range(a, VIF_GROUP), Decimate{static_cast<const VifSample *>(a.buffer[0]),
                                                       taps(a), static_cast<vqx_f32 *>(a.buffer[2]),
                                                       value<VifDecimateArgs>(a.args),
                                                       Tile(VIF_DECIMATE_TILE, handler)});
}

#include "kernels/tiles/scale.h"
struct Scale {
    const VifSample *planes;
    Taps tap;
    vqx_f32 *terms;
    VifScaleArgs args;
    VifConstants constants;
    Tile tile;
    void operator()(sycl::nd_item<3> at) const
    {
        vif_scale(planes, tap.value, terms, args, constants, &tile[0], vqx_item(at));
    }
};

inline void scale(sycl::handler &handler, const SyclArguments &a)
{
    handler.parallel_for(range(a, VIF_GROUP),
                         Scale{static_cast<const VifSample *>(a.buffer[0]), taps(a),
                               static_cast<vqx_f32 *>(a.buffer[2]), value<VifScaleArgs>(a.args),
                               value<VifConstants>(a.constants), Tile(VIF_SCALE_TILE, handler)});
}

/* The same, keeping its stages. */
#include "kernels/tiles/dump.h"
struct KeptScale {
    Scale scale;
    vqx_f32 *dump;
    void operator()(sycl::nd_item<3> at) const
    {
        scale(at);
        vif_scale_dump(scale.planes, dump, scale.args, &scale.tile[0], vqx_item(at));
    }
};

inline void kept_scale(sycl::handler &handler, const SyclArguments &a)
{
    handler.parallel_for(
        range(a, VIF_GROUP),
        KeptScale{{static_cast<const VifSample *>(a.buffer[0]), taps(a),
                   static_cast<vqx_f32 *>(a.buffer[2]), value<VifScaleArgs>(a.args),
                   value<VifConstants>(a.constants), Tile(VIF_SCALE_TILE, handler)},
                  static_cast<vqx_f32 *>(a.buffer[3])});
}

#undef VIF_RADIUS
#undef VIF_UNROLL_TAPS
#undef VIF_RUN
#undef VIF_RUNS
#undef VIF_COLUMNS
#undef VIF_TAPS
