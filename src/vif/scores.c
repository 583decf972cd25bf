/* From row sums to a frame's scores (specification, sections 8 and 9). */
#include "vif/scores.h"

VifSums vif_add_rows(const VifPlan *plan, const float *rows)
{
    VifSums sums = {{0}, {0}};
    for (int s = plan->first_scale; s < VIF_SCALES; s++) {
        const float *row = rows + 2 * plan->scale[s].first_row;
        float num = 0.0f, den = 0.0f;
        for (int y = 0; y < plan->scale[s].height; y++) { /* the order is part of the definition */
            num += row[2 * y];
            den += row[2 * y + 1];
        }
        sums.num[s] = num;
        sums.den[s] = den;
    }
    return sums;
}

static double floored(double q, double floor)
{
    return q > floor ? q : floor; /* a NaN becomes the floor */
}

void vif_scores(double *values, const VqxVifOptions *options, const VifSums *sums)
{
    const double floors[VIF_SCALES] = {0, options->scale1_min_val, options->scale2_min_val,
                                       options->scale3_min_val};
    double num[VIF_SCALES], den[VIF_SCALES], total_num = 0, total_den = 0;
    for (int s = 0; s < VIF_SCALES; s++) {
        num[s] = sums->num[s];
        den[s] = sums->den[s];
        values[s] = num[s] / den[s];
        if (s > 0)
            values[s] = floored(values[s], floors[s]);
    }
    if (options->skip_scale0) {
        values[0] = 0;
        num[0] = 0;
        den[0] = -1;
    }
    if (!options->debug)
        return;
    for (int s = options->skip_scale0 ? 1 : 0; s < VIF_SCALES; s++) {
        total_num += num[s];
        total_den += den[s];
    }
    values[4] = total_den == 0 ? 1 : total_num / total_den;
    values[5] = total_num;
    values[6] = total_den;
    for (int s = 0; s < VIF_SCALES; s++) {
        values[7 + 2 * s] = num[s];
        values[8 + 2 * s] = den[s];
    }
}
