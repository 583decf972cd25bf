#include "vif/operations.h"

enum {
    PLANES = 5,   /* that the statistic filters: both images, their squares, their product */
    PRODUCTS = 3, /* that make those planes */
    STATISTIC =
        53, /* variances and gain 11, one quotient's plain form 2, two logarithms of 18, noise 2, two sums */
};

static double pixels(const VifScale *scale)
{
    return (double)scale->width * scale->height;
}

/* Of one output of one pass. */
static double filter(const VifScale *scale)
{
    return (scale->radius + 1) + (scale->taps - 1);
}

double vif_statistic_operations(const VifPlan *plan, int s)
{
    const VifScale *scale = &plan->scale[s];
    return pixels(scale) * (PLANES * 2 * filter(scale) + PRODUCTS + STATISTIC);
}

double vif_decimation_operations(const VifPlan *plan, int s)
{
    /* Columns first, of the rows that are kept: two for each sample kept. */
    const VifScale *scale = &plan->scale[s];
    return 2 * (2 * pixels(scale) + pixels(scale)) * filter(scale);
}

double vif_frame_operations(const VifPlan *plan)
{
    double total = 0;
    for (int s = 0; s < VIF_SCALES; s++) {
        if (s >= plan->first_scale)
            total += vif_statistic_operations(plan, s);
        if (s > 0)
            total += vif_decimation_operations(plan, s);
    }
    return total;
}
