/* The tables of the prescale (specification, section 2). */
#ifndef VQX_VIF_PRESCALE_H
#define VQX_VIF_PRESCALE_H

#include "vif/plan.h"

/* The size of a dimension after prescaling. */
int vif_prescaled_size(int size, double prescale);

/* The least source dimension a resize by this VqxPrescaleMethod accepts. */
int vif_prescale_least(int method);

/* Makes the table from `source` samples to `size`. 0 or VQX_ERROR_MEMORY. */
int vif_axis_init(VifAxis *axis, int method, int source, int size, VqxError *error);
void vif_axis_free(VifAxis *axis);

#endif
