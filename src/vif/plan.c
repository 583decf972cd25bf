/* VifPlan: everything that the options and the frame size decide. */
#include "vif/plan.h"

#include "util/error.h"
#include "vif/constants.h"
#include "vif/options.h"
#include "vif/prescale.h"

#include <string.h>

/* The widest filter that runs over a plane of scale s: its own statistic's, or the next scale's
 * decimation. Scale 0's statistic counts even where it is skipped, as in the reference. */
static int widest_radius(const VqxVifOptions *options, int scale)
{
    float tap[VIF_MAX_TAPS];
    return vif_taps(tap, options->kernelscale, scale) / 2; /* taps never grow with the scale */
}

int vif_least_plane(const VqxVifOptions *options)
{
    int least = 1;
    for (int s = 0; s < VIF_SCALES; s++) {
        const int needed = (widest_radius(options, s) + 1)
                           << s; /* radius < size of the plane, which is size >> s */
        least = needed > least ? needed : least;
    }
    return least;
}

int vif_least_frame(const VqxVifOptions *options)
{
    const int plane = vif_least_plane(options);
    int least = plane;
    if (options->prescale != 1.0) {
        for (least = 1; vif_prescaled_size(least, options->prescale) < plane;)
            least++;
        const int method = vif_prescale_least(options->prescale_method);
        if (least < method && vif_prescaled_size(least, options->prescale) != least)
            least = method;
    }
    return least;
}

int vqx_vif_least_size(const VqxVifOptions *options, unsigned *least, VqxError *error)
{
    if (!options || !least)
        return vqx_fail(error, VQX_ERROR_ARGUMENT, "options and least must not be NULL");
    const int status = vif_options_check(options, error);
    if (!status)
        *least = (unsigned)vif_least_frame(options);
    return status;
}

static int fill_prescale(VifPlan *plan, VqxError *error)
{
    const VqxVifOptions *o = &plan->options;
    const int method = o->prescale_method, least = vif_prescale_least(method);
    VifScale *s = &plan->scale[0];
    s->width = vif_prescaled_size(plan->width, o->prescale);
    s->height = vif_prescaled_size(plan->height, o->prescale);
    if (s->width > VIF_MAX_DIMENSION || s->height > VIF_MAX_DIMENSION)
        return vqx_fail(error, VQX_ERROR_SIZE,
                        "%dx%d becomes %dx%d by vif_prescale=%g; at most %dx%d can be scored",
                        plan->width, plan->height, s->width, s->height, o->prescale,
                        VIF_MAX_DIMENSION, VIF_MAX_DIMENSION);
    if (s->width == plan->width && s->height == plan->height)
        return 0;
    if (plan->width < least || plan->height < least)
        return vqx_fail(error, VQX_ERROR_SIZE,
                        "%dx%d is too small to resize by %s: at least %dx%d is needed", plan->width,
                        plan->height, vif_prescale_method_name(method), least, least);
    plan->prescaled = 1;
    plan->normalized = method == VQX_PRESCALE_LANCZOS4;
    const int status = vif_axis_init(&plan->x, method, plan->width, s->width, error);
    return status ? status : vif_axis_init(&plan->y, method, plan->height, s->height, error);
}

static int fill_scales(VifPlan *plan, VqxError *error)
{
    const int least = vif_least_plane(&plan->options);
    VifScale *scale = plan->scale;
    if (scale[0].width < least || scale[0].height < least)
        return vqx_fail(
            error, VQX_ERROR_SIZE, "%dx%d is too small: these options need at least %dx%d%s",
            plan->width, plan->height, vif_least_frame(&plan->options),
            vif_least_frame(&plan->options), plan->prescaled ? " before prescaling" : "");
    for (int s = 0; s < VIF_SCALES; s++) {
        if (s > 0) {
            scale[s].width = scale[s - 1].width / 2;
            scale[s].height = scale[s - 1].height / 2;
        }
        scale[s].taps = vif_taps(scale[s].tap, plan->options.kernelscale, s);
        scale[s].radius = scale[s].taps / 2;
        scale[s].first_row = plan->rows;
        plan->rows += (size_t)scale[s].height;
    }
    return 0;
}

int vif_plan_init(VifPlan *plan, const VqxVifOptions *options, int width, int height,
                  VqxError *error)
{
    memset(plan, 0, sizeof *plan);
    int status = vif_options_check(options, error);
    if (status)
        return status;
    if (width < 1 || height < 1 || width > VIF_MAX_DIMENSION || height > VIF_MAX_DIMENSION)
        return vqx_fail(error, VQX_ERROR_SIZE, "%dx%d: width and height must be from 1 to %d",
                        width, height, VIF_MAX_DIMENSION);
    plan->options = *options;
    plan->width = width;
    plan->height = height;
    plan->first_scale = options->skip_scale0 ? 1 : 0;
    plan->nsq = options->sigma_nsq == 0 ? 0.0 : options->sigma_nsq; /* -0 is taken as 0 */
    vif_constants_init(&plan->constants, plan->nsq, options->enhn_gain_limit);
    status = fill_prescale(plan, error);
    if (!status)
        status = fill_scales(plan, error);
    if (status)
        vif_plan_free(plan);
    return status;
}

void vif_plan_free(VifPlan *plan)
{
    vif_axis_free(&plan->x);
    vif_axis_free(&plan->y);
}
