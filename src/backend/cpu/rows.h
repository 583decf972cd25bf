/*
 * The metric's work on the CPU, in bands of rows. Each instruction set fills the same table; the
 * plain C one is the reference and reads as the specification does.
 */
#ifndef VQX_BACKEND_CPU_ROWS_H
#define VQX_BACKEND_CPU_ROWS_H

#include "vif/plan.h"
#include "vif/stages.h"

/* A plane that a scale reads: luma samples as submitted, or an f32 plane (depth 0). */
typedef struct VifSource {
    const void *data;
    ptrdiff_t stride; /* in bytes */
    int width, height;
    int depth; /* 8..16, or 0 */
} VifSource;

enum { VIF_BAND_ROWS = 32 }; /* the engine's unit of work; a call may ask for more or fewer rows */

typedef struct VifCpuRows {
    const char *name;

    /* Bytes of scratch that a call for this plan and scale needs, aligned to 64. */
    size_t (*scratch_size)(const VifPlan *plan);

    /* Writes the row sums of rows first..end-1 of scale s (num and den of row y at sums[2 * y]), and
     * what leads to them where `kept` is not NULL. */
    void (*statistic)(const VifPlan *plan, int s, const VifSource source[2], int first, int end,
                      int form, float *sums, const VifKept *kept, void *scratch);

    /* Writes rows first..end-1 of scale s > 0's plane: the previous scale's filtered with scale s's
     * taps, samples (2x, 2y) kept. */
    void (*decimate)(const VifPlan *plan, int s, const VifSource *source, int first, int end,
                     float *out, ptrdiff_t out_stride, void *scratch);

    /* Writes rows first..end-1 of the prescaled plane. */
    void (*prescale)(const VifPlan *plan, const VifSource *source, int first, int end, float *out,
                     ptrdiff_t out_stride, void *scratch);

    /* For benchmarks: multiplies and adds f32 as fast as the instruction set can; returns how many times. NULL: unknown. */
    double (*peak)(long rounds);
} VifCpuRows;

/* Keeps `count` values of a stage: those from (x, y) on of a plane that is `width` wide. */
static inline void vif_keep(const VifKept *kept, int stage, const float *values, int width, int x,
                            int y, int count)
{
    if (kept->stage[stage])
        memcpy(kept->stage[stage] + (size_t)y * (size_t)width + x, values,
               (size_t)count * sizeof *values);
}

extern const VifCpuRows vif_rows_c;
extern const VifCpuRows vif_rows_sse2, vif_rows_avx2, vif_rows_avx512,
    vif_rows_neon; /* where built */

/* The best that this processor can run and `mask` (VqxSettings.cpumask) leaves. */
const VifCpuRows *vif_rows_choose(uint64_t mask);

#endif
