/*
 * How the tile kernels walk a filter's taps. VIF_RADIUS is the radius: a constant, for which short
 * filters are unrolled whole, so that every tap is a register; or, where it is not defined, what the
 * arguments say, in kernels that serve every filter.
 */
#ifndef VIF_RADIUS
#define VIF_RADIUS args.radius
#define VIF_UNROLL_TAPS VQX_NO_UNROLL
#define VIF_RUN VIF_SCALE_RUN(VIF_MAX_RADIUS)
#else
#define VIF_UNROLL_TAPS VQX_UNROLL
#define VIF_RUN VIF_SCALE_RUN(VIF_RADIUS)
#endif
#define VIF_TAPS (2 * VIF_RADIUS + 1)

/* Taps are symmetric bit for bit: naming only one half lets a product serve two outputs. */
VQX_FN vqx_f32 vif_tap(VQX_CONSTANT const vqx_f32 *tap, vqx_i32 k, vqx_i32 radius)
{
    return tap[k <= radius ? k : 2 * radius - k];
}
