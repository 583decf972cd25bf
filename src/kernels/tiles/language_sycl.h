/* What a kernel body needs of SYCL 2020 beyond arithmetic: barriers, positions. Address spaces are
 * the compiler's to infer. */
#ifndef VQX_KERNELS_TILES_LANGUAGE_SYCL_H
#define VQX_KERNELS_TILES_LANGUAGE_SYCL_H

#include <sycl/sycl.hpp>

#define VQX_GLOBAL
#define VQX_LOCAL
#define VQX_CONSTANT
#define VQX_UNROLL _Pragma("clang loop unroll(full)")
#define VQX_NO_UNROLL _Pragma("clang loop unroll(disable)")

typedef std::uint8_t vqx_u8;
typedef std::uint16_t vqx_u16;

typedef struct VqxItem {
    vqx_i32 index;                     /* of the work-item in its group */
    vqx_i32 group_x, group_y, group_z; /* of the group in the grid */
    sycl::group<3> group;
} VqxItem;

/* SYCL's last dimension is the fastest: x. */
VQX_FN VqxItem vqx_item(const sycl::nd_item<3> &at)
{
    return VqxItem{static_cast<vqx_i32>(at.get_local_id(2)), static_cast<vqx_i32>(at.get_group(2)),
                   static_cast<vqx_i32>(at.get_group(1)), static_cast<vqx_i32>(at.get_group(0)),
                   at.get_group()};
}

#define VQX_BARRIER(item) sycl::group_barrier((item).group)

#endif
