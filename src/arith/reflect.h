/* Reflection of an index about the edge samples, for filters no wider than the plane allows. */
#ifndef VQX_ARITH_REFLECT_H
#define VQX_ARITH_REFLECT_H

/* i in -(n-1) .. 2n-2 gives an index of 0..n-1; the edge sample is not repeated. */
VQX_FN vqx_i32 vif_reflect(vqx_i32 i, vqx_i32 n)
{
    return i < 0 ? -i : i >= n ? 2 * n - 2 - i : i;
}

/* As vif_reflect where the plan's rule holds; any other i is clamped into the plane. For the cells
 * of a tile that no output consumes. */
VQX_FN vqx_i32 vif_reflect_clamped(vqx_i32 i, vqx_i32 n)
{
    const vqx_i32 r = vif_reflect(i, n);
    return r < 0 ? 0 : r >= n ? n - 1 : r;
}

#endif
