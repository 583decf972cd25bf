/* The names of a configuration's outputs (specification, section 10). */
#ifndef VQX_VIF_NAMES_H
#define VQX_VIF_NAMES_H

#include "vqx.h"

enum {
    VIF_OUTPUTS = 4,        /* vif_scale0..3 */
    VIF_DEBUG_OUTPUTS = 15, /* and vif, vif_num, vif_den, and num and den of each scale */
    VIF_NAME_SIZE = 160
};

int vif_output_count(const VqxVifOptions *options);

/* Writes the name of output i, e.g. "vif_scale2_egl_1.2_snsq_1.5". */
void vif_output_name(char name[VIF_NAME_SIZE], const VqxVifOptions *options, int output);

#endif
