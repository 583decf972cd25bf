/* From row sums to a frame's scores (specification, sections 8 and 9). */
#ifndef VQX_VIF_SCORES_H
#define VQX_VIF_SCORES_H

#include "vif/names.h"
#include "vif/plan.h"

/* A frame's sums: what is kept of it. */
typedef struct VifSums {
    float num[VIF_SCALES], den[VIF_SCALES];
} VifSums;

/* Adds the row sums (laid out as plan.h says), top to bottom. */
VifSums vif_add_rows(const VifPlan *plan, const float *rows);

/* Writes vif_output_count(options) values. */
void vif_scores(double *values, const VqxVifOptions *options, const VifSums *sums);

#endif
