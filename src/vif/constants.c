/* The noise variance in every form a device needs, and what else the statistic takes from the
 * options. */
#include "vif/constants.h"

#include <math.h>

/* Below this the f32 reciprocal would come near overflow: fp64_free.h then replays every
 * denominator in integers, told so by a reciprocal of NaN. */
static const double least_for_pair = 0x1p-60;

void vif_constants_init(VifConstants *constants, double nsq, double gain_limit)
{
    const float n = (float)nsq;
    int exponent;
    const double significand = frexp(nsq, &exponent); /* in [0.5, 1), for subnormals too */
    *constants = (VifConstants){
        .gain_limit = (float)gain_limit,
        .noise_term = (float)((double)(n * n) / (255.0 * 255.0)),
        .nsq_least = (double)n < nsq ? nextafterf(n, INFINITY) : n,
        .nsq_hi = n,
        .nsq_lo = (float)(nsq - (double)n),
        .nsq_reciprocal = nsq < least_for_pair ? NAN : 1.0f / n,
        .nsq_is_power = nsq >= least_for_pair && significand == 0.5,
        .nsq_exponent = nsq > 0 ? exponent - 53 : 0,
        .nsq_significand = (uint64_t)ldexp(significand, 53),
    };
}
