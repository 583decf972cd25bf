/*
 * The kernels: one per sample type, form and radius that is worth its own code. Their names are
 * what the host looks up (src/backend/strip_walk/kernels.c).
 *
 * A translation unit defines STRIP_PART (1..5) to hold a part of them, so that parts compile side
 * by side, and includes this after its language.
 */
#include "kernels/strip_walk/decimate.h"
#include "kernels/strip_walk/decimate_any.h"
#include "kernels/strip_walk/peak.h"
#include "kernels/strip_walk/resize.h"
#include "kernels/strip_walk/walk.h"
#include "kernels/strip_walk/walk_any.h"

/* `blocks` is how many of them a multiprocessor's registers must hold. */
#define WALK_KERNEL(name, radius, rows, type, form, blocks)       \
    VQX_KERNEL void VQX_BOUNDS(STRIP_THREADS, blocks)             \
        name(VQX_PARAM StripPlanes planes, VQX_PARAM StripWalk p) \
    {                                                             \
        strip_walk<radius, rows, type, form>(planes, p);          \
    }
/* Of a radius, in strips of the usual height and in low ones. */
#define WALK_KERNELS(radius, type, type_name, form, form_name, blocks)                           \
    WALK_KERNEL(vqx_walk_##radius##_##type_name##_##form_name, radius, STRIP_ROWS, type, form,   \
                blocks)                                                                          \
    WALK_KERNEL(vqx_walk_low_##radius##_##type_name##_##form_name, radius, STRIP_ROWS_LOW, type, \
                form, blocks)
#define WALK_ANY_KERNEL(type, type_name, form, form_name, blocks)                                 \
    VQX_KERNEL void VQX_BOUNDS(STRIP_THREADS_ANY, blocks) vqx_walk_any_##type_name##_##form_name( \
        VQX_PARAM StripPlanes planes, VQX_PARAM StripWalk p)                                      \
    {                                                                                             \
        strip_walk_any<type, form>(planes, p);                                                    \
    }
#define DECIMATE_KERNEL(radius, type, type_name)                                         \
    VQX_KERNEL void VQX_BOUNDS(DECIMATE_THREADS, 1) vqx_decimate_##radius##_##type_name( \
        VQX_PARAM StripPlanes from, VQX_PARAM StripPlanes to, VQX_PARAM StripDecimate p) \
    {                                                                                    \
        decimate<radius, type>(from, to, p);                                             \
    }
#define DECIMATE_ANY_KERNEL(type, type_name)                                             \
    VQX_KERNEL void VQX_BOUNDS(DECIMATE_THREADS_ANY, 1) vqx_decimate_any_##type_name(    \
        VQX_PARAM StripPlanes from, VQX_PARAM StripPlanes to, VQX_PARAM StripDecimate p) \
    {                                                                                    \
        decimate_any<type>(from, to, p);                                                 \
    }
#define RESIZE_KERNEL(type, type_name)                                                 \
    VQX_KERNEL void VQX_BOUNDS(RESIZE_THREADS, 1) vqx_resize_##type_name(              \
        VQX_PARAM StripPlanes from, VQX_PARAM StripPlanes to, VQX_PARAM StripResize p) \
    {                                                                                  \
        resize<type>(from, to, p);                                                     \
    }

#if STRIP_PART == STRIP_PART_NATIVE
WALK_KERNELS(8, StripByte, u8, NativeForm, native, 4)
WALK_KERNELS(8, StripWord, u16, NativeForm, native, 4)
WALK_KERNELS(8, vqx_f32, f32, NativeForm, native, 4)
WALK_KERNELS(4, vqx_f32, f32, NativeForm, native, 4)
WALK_KERNELS(2, vqx_f32, f32, NativeForm, native, 4)
WALK_KERNELS(1, vqx_f32, f32, NativeForm, native, 4)
#elif STRIP_PART == STRIP_PART_PAIR
WALK_KERNELS(8, StripByte, u8, PairForm, pair, 4)
WALK_KERNELS(8, StripWord, u16, PairForm, pair, 4)
WALK_KERNELS(8, vqx_f32, f32, PairForm, pair, 3)
WALK_KERNELS(4, vqx_f32, f32, PairForm, pair, 4)
WALK_KERNELS(2, vqx_f32, f32, PairForm, pair, 4)
WALK_KERNELS(1, vqx_f32, f32, PairForm, pair, 4)
#elif STRIP_PART == STRIP_PART_PLANES
DECIMATE_KERNEL(4, StripByte, u8)
DECIMATE_KERNEL(4, StripWord, u16)
DECIMATE_KERNEL(4, vqx_f32, f32)
DECIMATE_KERNEL(2, vqx_f32, f32)
DECIMATE_KERNEL(1, vqx_f32, f32)
DECIMATE_ANY_KERNEL(StripByte, u8)
DECIMATE_ANY_KERNEL(StripWord, u16)
DECIMATE_ANY_KERNEL(vqx_f32, f32)
RESIZE_KERNEL(StripByte, u8)
RESIZE_KERNEL(StripWord, u16)
VQX_KERNEL void VQX_BOUNDS(PEAK_THREADS, 1) vqx_peak_f32(vqx_f32 *out, int rounds)
{
    peak_f32(out, rounds);
}
#elif STRIP_PART == STRIP_PART_ANY
WALK_ANY_KERNEL(StripByte, u8, NativeForm, native, 3)
WALK_ANY_KERNEL(StripWord, u16, NativeForm, native, 3)
WALK_ANY_KERNEL(vqx_f32, f32, NativeForm, native, 2)
WALK_ANY_KERNEL(StripByte, u8, PairForm, pair, 3)
WALK_ANY_KERNEL(StripWord, u16, PairForm, pair, 3)
WALK_ANY_KERNEL(vqx_f32, f32, PairForm, pair, 2)
#elif STRIP_PART == STRIP_PART_KEPT
#define KEPT_KERNELS(form, form_name)                                                       \
    WALK_KERNEL(vqx_walk_8_u8_##form_name, 8, STRIP_ROWS, StripByte, KeepingForm<form>, 1)  \
    WALK_KERNEL(vqx_walk_8_u16_##form_name, 8, STRIP_ROWS, StripWord, KeepingForm<form>, 1) \
    WALK_KERNEL(vqx_walk_8_f32_##form_name, 8, STRIP_ROWS, vqx_f32, KeepingForm<form>, 1)   \
    WALK_KERNEL(vqx_walk_4_f32_##form_name, 4, STRIP_ROWS, vqx_f32, KeepingForm<form>, 1)   \
    WALK_KERNEL(vqx_walk_2_f32_##form_name, 2, STRIP_ROWS, vqx_f32, KeepingForm<form>, 1)   \
    WALK_KERNEL(vqx_walk_1_f32_##form_name, 1, STRIP_ROWS, vqx_f32, KeepingForm<form>, 1)   \
    WALK_ANY_KERNEL(StripByte, u8, KeepingForm<form>, form_name, 1)                         \
    WALK_ANY_KERNEL(StripWord, u16, KeepingForm<form>, form_name, 1)                        \
    WALK_ANY_KERNEL(vqx_f32, f32, KeepingForm<form>, form_name, 1)
KEPT_KERNELS(NativeForm, kept_native)
KEPT_KERNELS(PairForm, kept_pair)
#else
#error "STRIP_PART must be one of params.h"
#endif
