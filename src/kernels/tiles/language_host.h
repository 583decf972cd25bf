/* What a kernel body needs of C beyond arithmetic, to run on the host. A body that waits at
 * barriers needs the tests' SIMT runner, which defines vqx_host_barrier. */
#ifndef VQX_KERNELS_TILES_LANGUAGE_HOST_H
#define VQX_KERNELS_TILES_LANGUAGE_HOST_H

#define VQX_GLOBAL
#define VQX_LOCAL
#define VQX_CONSTANT
#define VQX_UNROLL
#define VQX_NO_UNROLL

typedef uint8_t vqx_u8;
typedef uint16_t vqx_u16;

typedef struct VqxItem {
    vqx_i32 index;                     /* of the work-item in its group */
    vqx_i32 group_x, group_y, group_z; /* of the group in the grid */
} VqxItem;

void vqx_host_barrier(void);
#define VQX_BARRIER(item) vqx_host_barrier()

VQX_FN vqx_f64 vqx_from_bits64(vqx_u64 u)
{
    vqx_f64 x;
    memcpy(&x, &u, sizeof x);
    return x;
}

#endif
