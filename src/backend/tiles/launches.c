/* Builds a frame's launches from the layout. */
#include "backend/tiles/launches.h"

#include <stdio.h>

static void define(TilesDefine *out, const char *prefix, const char *name, int value)
{
    snprintf(out->name, sizeof out->name, "%s%s", prefix, name);
    for (char *c = out->name; *c; c++)
        *c = (char)(*c >= 'a' && *c <= 'z' ? *c - 'a' + 'A' : *c);
    out->value = value;
}

int tiles_defines(TilesDefine *out, TilesKernel kernel, TilesForm form)
{
    int count = 0;
    define(&out[count++], "KERNEL_", kernel.name, 1);
    if (form.native)
        define(&out[count++], "", "VIF_NATIVE", 1);
    if (form.soft_division)
        define(&out[count++], "", "VQX_SOFT_DIVISION", 1);
    if (kernel.sample_bits)
        define(&out[count++], "", "VIF_SAMPLE_BITS", kernel.sample_bits);
    if (kernel.radius)
        define(&out[count++], "", "VIF_RADIUS", kernel.radius);
    if (kernel.dumps)
        define(&out[count++], "", "VIF_DUMP", 1);
    return count;
}

static size_t groups(int size, int of)
{
    return ((size_t)size + (size_t)of - 1) / (size_t)of;
}

static float sample_unit(const TilesLayout *layout, int image)
{
    return 1.0f / (float)(1 << (layout->params->depth[image] - 8));
}

/* What a scale's kernels read: the samples as submitted, or the scale's f32 planes. */
typedef struct Source {
    int buffer, bits, pitch;
    uint64_t image; /* samples from an image to the other */
} Source;

static Source scale_source(const TilesLayout *layout, size_t p, int s)
{
    const VifPlan *plan = &layout->params->plans[p];
    const int pitch = layout->plan[p].pitch[s];
    if (s == 0 && !tiles_makes_plane(layout, plan))
        return (Source){TILES_SAMPLES, layout->sample_bits[0], (int)layout->sample_pitch[0],
                        layout->image_bytes / (size_t)(layout->sample_bits[0] / 8)};
    return (Source){TILES_PLANES + s, 32, pitch, (uint64_t)pitch * (uint64_t)plan->scale[s].height};
}

/* Unweighted axes have the index as a stand-in for the weights that no work-item reads. */
static TilesLaunch prescale(const TilesLayout *layout, size_t p, int image)
{
    const VifPlan *plan = &layout->params->plans[p];
    const VifScale *scale = &plan->scale[0];
    const int pitch = layout->plan[p].pitch[0], weighted = plan->prescaled && plan->x.weight;
    const size_t sample_bytes = (size_t)layout->sample_bits[image] / 8;
    TilesLaunch r = {
        .kernel = {.name = "prescale", .sample_bits = layout->sample_bits[image]},
        .buffer = {TILES_SAMPLES, TILES_X_INDEX, weighted ? TILES_X_WEIGHT : TILES_X_INDEX,
                   TILES_Y_INDEX, weighted ? TILES_Y_WEIGHT : TILES_Y_INDEX, TILES_PLANES},
        .buffer_count = 6,
        .args_bytes = sizeof r.args.prescale,
        .group = VIF_GROUP,
        .groups = {groups(scale->width, VIF_GROUP), (size_t)scale->height, 1},
    };
    r.args.prescale = (VifPrescaleArgs){
        .in = image ? layout->image_bytes / sample_bytes : 0,
        .out = image ? (uint64_t)pitch * (uint64_t)scale->height : 0,
        .in_pitch = (int)layout->sample_pitch[image],
        .width = scale->width,
        .out_pitch = pitch,
        .taps = plan->prescaled ? plan->x.taps : 1,
        .weighted = weighted,
        .normalized = plan->normalized,
        .unit = sample_unit(layout, image),
    };
    return r;
}

static TilesLaunch decimate(const TilesLayout *layout, size_t p, int s, int radius)
{
    const VifPlan *plan = &layout->params->plans[p];
    const VifScale *from = &plan->scale[s - 1], *to = &plan->scale[s];
    const Source in = scale_source(layout, p, s - 1), out = scale_source(layout, p, s);
    TilesLaunch r = {
        .kernel = {.name = "decimate", .sample_bits = in.bits, .radius = radius},
        .buffer = {in.buffer, TILES_TAPS + s, out.buffer},
        .buffer_count = 3,
        .args_bytes = sizeof r.args.decimate,
        .local_bytes = VIF_DECIMATE_TILE * sizeof(float),
        .group = VIF_GROUP,
        .groups = {groups(to->width, VIF_DECIMATE_COLUMNS(to->radius)),
                   groups(to->height, VIF_ROWS), 2},
    };
    r.args.decimate = (VifDecimateArgs){
        .image = in.image,
        .out_image = out.image,
        .width = from->width,
        .height = from->height,
        .pitch = in.pitch,
        .out_width = to->width,
        .out_height = to->height,
        .out_pitch = out.pitch,
        .radius = to->radius,
        .unit = {sample_unit(layout, 0), sample_unit(layout, 1)},
    };
    return r;
}

static TilesLaunch scale(const TilesLayout *layout, size_t p, int s, int radius)
{
    const VifPlan *plan = &layout->params->plans[p];
    const VifScale *scale = &plan->scale[s];
    const Source in = scale_source(layout, p, s);
    const int run = VIF_SCALE_RUN(radius ? radius : VIF_MAX_RADIUS);
    TilesLaunch r = {
        .kernel = {"scale", in.bits, radius, layout->params->keep_stages},
        .buffer = {in.buffer, TILES_TAPS + s, TILES_TERMS, TILES_DUMP},
        .buffer_count = layout->params->keep_stages ? 4 : 3,
        .args_bytes = sizeof r.args.scale,
        .takes_constants = 1,
        .local_bytes = VIF_SCALE_TILE * sizeof(float),
        .group = VIF_GROUP,
        .groups = {groups(scale->width, VIF_SCALE_COLUMNS(run)), groups(scale->height, VIF_ROWS),
                   1},
    };
    r.args.scale = (VifScaleArgs){
        .image = in.image,
        .terms = layout->plan[p].terms[s],
        .width = scale->width,
        .height = scale->height,
        .pitch = in.pitch,
        .terms_pitch = layout->plan[p].terms_pitch[s],
        .radius = scale->radius,
        .unit = {sample_unit(layout, 0), sample_unit(layout, 1)},
    };
    memcpy(&r.args.scale.nsq_bits, &plan->nsq, sizeof plan->nsq);
    return r;
}

static TilesLaunch row_sums(const TilesLayout *layout, size_t p)
{
    const VifPlan *plan = &layout->params->plans[p];
    return (TilesLaunch){
        .kernel = {.name = "row_sums"},
        .buffer = {TILES_TERMS, TILES_ROW_SUMS, TILES_SUMS},
        .buffer_count = 3,
        .group = VIF_ROW_GROUP,
        .groups = {groups(plan->scale[plan->first_scale].height, VIF_ROW_GROUP), 2,
                   (size_t)(VIF_SCALES - plan->first_scale)},
    };
}

/* The radius of the kernel that filters scale `of`'s samples; 0: the one for any. */
static int kernel_radius(const TilesLayout *layout, size_t p, int of, int radius,
                         TilesMadeFor made_for)
{
    const int by_default = radius == 1 || radius == 2 || radius == 4 || radius == 8;
    if (radius > made_for.wide_to && scale_source(layout, p, of).bits > 8)
        return 0;
    return by_default || radius <= made_for.all_to ? radius : 0;
}

size_t tiles_launches(TilesLaunch *launch, const TilesLayout *layout, size_t p,
                      TilesMadeFor made_for)
{
    const VifPlan *plan = &layout->params->plans[p];
    size_t count = 0;
    for (int image = 0; tiles_makes_plane(layout, plan) && image < 2; image++)
        launch[count++] = prescale(layout, p, image);
    for (int s = 1; s < VIF_SCALES; s++)
        launch[count++] = decimate(
            layout, p, s, kernel_radius(layout, p, s - 1, plan->scale[s].radius, made_for));
    for (int s = plan->first_scale; s < VIF_SCALES; s++)
        launch[count++] =
            scale(layout, p, s, kernel_radius(layout, p, s, plan->scale[s].radius, made_for));
    launch[count++] = row_sums(layout, p);
    for (size_t i = 0; i < count; i++)
        launch[i].plan = p;
    return count;
}
