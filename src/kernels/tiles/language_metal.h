/* What a kernel body needs of the Metal shading language beyond arithmetic: address spaces,
 * barriers, positions. */
#ifndef VQX_KERNELS_TILES_LANGUAGE_METAL_H
#define VQX_KERNELS_TILES_LANGUAGE_METAL_H

#define VQX_GLOBAL device
#define VQX_LOCAL threadgroup
#define VQX_CONSTANT constant
#define VQX_UNROLL _Pragma("clang loop unroll(full)")
#define VQX_NO_UNROLL _Pragma("clang loop unroll(disable)")

typedef uchar vqx_u8;
typedef ushort vqx_u16;

typedef struct VqxItem {
    vqx_i32 index;                     /* of the work-item in its group */
    vqx_i32 group_x, group_y, group_z; /* of the group in the grid */
} VqxItem;

VQX_FN VqxItem vqx_item(uint index, uint3 group)
{
    VqxItem r;
    r.index = static_cast<vqx_i32>(index);
    r.group_x = static_cast<vqx_i32>(group.x);
    r.group_y = static_cast<vqx_i32>(group.y);
    r.group_z = static_cast<vqx_i32>(group.z);
    return r;
}

#define VQX_BARRIER(item) metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup)

/* A struct out of constant memory. The tests' compiler, which knows no address spaces of its own,
 * needs a function for it. */
#ifndef VQX_VALUE
#define VQX_VALUE(x) (x)
#endif

#endif
