/* What a kernel body needs of OpenCL C 1.2 beyond arithmetic: address spaces, barriers, positions.
 */
#ifndef VQX_KERNELS_TILES_LANGUAGE_OPENCL_H
#define VQX_KERNELS_TILES_LANGUAGE_OPENCL_H

#define VQX_GLOBAL __global
#define VQX_LOCAL __local
#define VQX_CONSTANT __constant
#define VQX_UNROLL _Pragma("unroll")
#define VQX_NO_UNROLL _Pragma("unroll 1")

typedef uchar vqx_u8;
typedef ushort vqx_u16;

typedef struct VqxItem {
    vqx_i32 index;                     /* of the work-item in its group */
    vqx_i32 group_x, group_y, group_z; /* of the group in the grid */
} VqxItem;

VQX_FN VqxItem vqx_item(void)
{
    VqxItem r;
    r.index = (vqx_i32)get_local_id(0);
    r.group_x = (vqx_i32)get_group_id(0);
    r.group_y = (vqx_i32)get_group_id(1);
    r.group_z = (vqx_i32)get_group_id(2);
    return r;
}

#define VQX_BARRIER(item) barrier(CLK_LOCAL_MEM_FENCE)

#ifdef VQX_HAS_F64
VQX_FN vqx_f64 vqx_from_bits64(vqx_u64 u)
{
    return as_double(u);
}
#endif

#endif
