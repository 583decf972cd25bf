/* How much arithmetic a frame is, for benchmarks to hold against what a device can do. */
#ifndef VQX_VIF_OPERATIONS_H
#define VQX_VIF_OPERATIONS_H

#include "vif/plan.h"

/*
 * Multiplications and additions in f32 that no implementation of a plan can do without: filters, whose two halves share
 * their products, the three products of planes, and what arith/statistic.h has. Divisions, the f64 expressions, conversions
 * of samples and the prescale are not counted.
 */
double vif_statistic_operations(const VifPlan *plan, int scale); /* its filters included */
double vif_decimation_operations(const VifPlan *plan,
                                 int scale); /* of both planes, from the scale before */
double vif_frame_operations(const VifPlan *plan);

#endif
