/* The taps of each scale's filter (specification, section 3). */
#include "vif/plan.h"

#include <math.h>

int vif_taps(float *tap, double kernelscale, int scale)
{
    const int n = (1 << (4 - scale)) + 1;
    int width = (int)ceilf((float)(n * (float)kernelscale));
    width += width % 2 == 0;
    width = width < 3 ? 3 : width;

    const int radius = width / 2;
    const float sd = (float)width / 5.0f;
    /* The division by den is the reference's. */
    const float den = (float)(1.0 / ((double)sd * sqrt(2 * M_PI)));
    float sum = 0.0f;
    for (int i = -radius; i <= radius; i++) {
        const float num = (float)exp(-0.5 * (double)i / (double)sd * (double)i / (double)sd);
        tap[i + radius] = num / den;
        sum += tap[i + radius];
    }
    for (int i = 0; i < width; i++)
        tap[i] /= sum;
    return width;
}
