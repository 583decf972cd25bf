/* The constants of the statistic, from the options. */
#ifndef VQX_VIF_CONSTANTS_H
#define VQX_VIF_CONSTANTS_H

#include "arith/dialect_c.h"

#include "arith/constants.h"

/* nsq from 0 (not -0) up, finite. */
void vif_constants_init(VifConstants *constants, double nsq, double gain_limit);

#endif
