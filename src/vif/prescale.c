/* The tables of the prescale (specification, section 2). */
#include "vif/prescale.h"

#include "util/error.h"
#include "vif/sine.h"

#include <math.h>
#include <stdlib.h>

/* Per method: how many samples make one, the first of them relative to floor(position), the least
 * dimension. */
static const struct {
    int taps, first, least;
} method_shape[] = {
    [VQX_PRESCALE_NEAREST] = {1, 0, 1},
    [VQX_PRESCALE_BILINEAR] = {2, 0, 2},
    [VQX_PRESCALE_BICUBIC] = {4, -1, 3},
    [VQX_PRESCALE_LANCZOS4] = {9, -4, 6},
};

int vif_prescaled_size(int size, double prescale)
{
    return (int)(size * prescale + 0.5);
}

int vif_prescale_least(int method)
{
    return method_shape[method].least;
}

static int reflect(int i, int n)
{
    return i < 0 ? -i : i > n - 1 ? 2 * (n - 1) - i : i;
}

static float bicubic_weight(float t)
{
    const float a = -0.75f;
    if (t < 1.0f)
        return ((a + 2.0f) * t - (a + 3.0f)) * t * t + 1.0f;
    if (t < 2.0f)
        return (((t - 5.0f) * t + 8.0f) * t - 4.0f) * a;
    return 0.0f;
}

static float lanczos4_weight(float distance)
{
    const double t = distance, pi = M_PI;
    if (distance == 0.0f)
        return 1.0f;
    if (distance >= 4.0f)
        return 0.0f;
    return (float)(4 * vif_sine(pi * t) * vif_sine(pi * t / 4) / (pi * pi * t * t));
}

static void fill_nearest(VifAxis *axis, float ratio)
{
    for (int i = 0; i < axis->size; i++)
        axis->index[i] = (int)((float)i * ratio);
}

static void fill_bilinear(VifAxis *axis, int source, int i, float position)
{
    int32_t *index = axis->index + 2 * i;
    index[0] = reflect((int)floorf(position), source);
    index[1] = reflect((int)ceilf(position), source);
    /* From the reflected index, as the reference has it: negative at an edge. */
    const float d = position - (float)index[0];
    axis->weight[2 * i] = 1.0f - d;
    axis->weight[2 * i + 1] = d;
}

static void fill_kernel(VifAxis *axis, int method, int source, int i, float position)
{
    const int base = (int)floorf(position), first = method_shape[method].first;
    const float d = position - (float)base;
    for (int k = 0; k < axis->taps; k++) {
        const float t = fabsf((float)(first + k) - d);
        axis->index[i * axis->taps + k] = reflect(base + first + k, source);
        axis->weight[i * axis->taps + k] =
            method == VQX_PRESCALE_BICUBIC ? bicubic_weight(t) : lanczos4_weight(t);
    }
}

int vif_axis_init(VifAxis *axis, int method, int source, int size, VqxError *error)
{
    const int taps = method_shape[method].taps;
    const size_t count = (size_t)size * (size_t)taps;
    const float ratio = (float)source / (float)size;
    *axis = (VifAxis){.size = size, .taps = taps};
    axis->index = malloc(count * sizeof *axis->index);
    axis->weight = method == VQX_PRESCALE_NEAREST ? NULL : malloc(count * sizeof *axis->weight);
    if (!axis->index || (!axis->weight && method != VQX_PRESCALE_NEAREST)) {
        vif_axis_free(axis);
        return vqx_fail(error, VQX_ERROR_MEMORY, "out of memory");
    }
    if (method == VQX_PRESCALE_NEAREST) {
        fill_nearest(axis, ratio);
        return 0;
    }
    for (int i = 0; i < size; i++) {
        const float position = (float)((i + 0.5) * (double)ratio - 0.5);
        if (method == VQX_PRESCALE_BILINEAR)
            fill_bilinear(axis, source, i, position);
        else
            fill_kernel(axis, method, source, i, position);
    }
    return 0;
}

void vif_axis_free(VifAxis *axis)
{
    free(axis->index);
    free(axis->weight);
    *axis = (VifAxis){0};
}
