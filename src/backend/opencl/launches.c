/* The kernel launches that compute a frame: made once for a slot, with their arguments set. */
#include "backend/opencl/engine.h"

#include "util/error.h"

#include <stdlib.h>

typedef struct Argument {
    size_t size;
    const void *value;
} Argument;

#define ARGUMENT(x)     \
    {                   \
        sizeof(x), &(x) \
    }
#define LOCAL(floats)                     \
    {                                     \
        (floats) * sizeof(cl_float), NULL \
    }
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static size_t groups(int size, int of)
{
    return ((size_t)size + (size_t)of - 1) / (size_t)of;
}

/* Appends a launch of x * y * z groups. */
static int add_launch(VqxEngine *engine, Slot *slot, OpenclKernelShape shape,
                      const Argument *arguments, size_t count, size_t group, size_t x, size_t y,
                      size_t z, VqxError *error)
{
    Launch *launch = &slot->launch[slot->launch_count];
    cl_int code = CL_SUCCESS;
    launch->kernel = opencl_kernel(engine->device, shape, engine->form, &engine->params.log, error);
    if (!launch->kernel)
        return VQX_ERROR_BACKEND;
    slot->launch_count++;
    launch->group = group;
    launch->global[0] = x * group;
    launch->global[1] = y;
    launch->global[2] = z;
    for (size_t i = 0; !code && i < count; i++)
        code = engine->cl->SetKernelArg(launch->kernel, (cl_uint)i, arguments[i].size,
                                        arguments[i].value);
    return code ? vqx_fail(error, VQX_ERROR_BACKEND, "kernel %s refuses its arguments: %s",
                           shape.name, opencl_error_name(code))
                : 0;
}

static float sample_unit(const VqxEngine *engine, int image)
{
    return 1.0f / (float)(1 << (engine->params.depth[image] - 8));
}

static int add_prescale(VqxEngine *engine, Slot *slot, const VifPlan *plan,
                        const PlanMemory *memory, int image, VqxError *error)
{
    const VifScale *scale = &plan->scale[0];
    const size_t sample_bytes = (size_t)engine->sample_bits[image] / 8;
    const VifPrescaleArgs args = {
        .in = image ? engine->image_bytes / sample_bytes : 0,
        .out = image ? (uint64_t)memory->pitch[0] * (uint64_t)scale->height : 0,
        .in_pitch = (int)engine->sample_pitch[image],
        .width = scale->width,
        .out_pitch = memory->pitch[0],
        .taps = plan->prescaled ? plan->x.taps : 1,
        .weighted = memory->weight[0] != NULL,
        .normalized = plan->normalized,
        .unit = sample_unit(engine, image),
    };
    const cl_mem *weight = memory->weight[0] ? memory->weight : memory->index;
    const Argument arguments[] = {ARGUMENT(slot->samples), ARGUMENT(memory->index[0]),
                                  ARGUMENT(weight[0]),     ARGUMENT(memory->index[1]),
                                  ARGUMENT(weight[1]),     ARGUMENT(slot->plane[0]),
                                  ARGUMENT(args)};
    const OpenclKernelShape shape = {"prescale", engine->sample_bits[image], 0};
    return add_launch(engine, slot, shape, arguments, COUNT(arguments), VIF_GROUP,
                      groups(scale->width, VIF_GROUP), (size_t)scale->height, 1, error);
}

/* What a scale's kernels read: the samples as submitted, or the scale's f32 planes. */
typedef struct Source {
    cl_mem buffer;
    int bits, pitch;
    uint64_t image;
} Source;

static Source scale_source(const VqxEngine *engine, const Slot *slot, const VifPlan *plan,
                           const PlanMemory *memory, int s)
{
    if (s == 0 && !opencl_makes_plane(engine, plan))
        return (Source){slot->samples, engine->sample_bits[0], (int)engine->sample_pitch[0],
                        engine->image_bytes / (size_t)(engine->sample_bits[0] / 8)};
    return (Source){slot->plane[s], 32, memory->pitch[s],
                    (uint64_t)memory->pitch[s] * (uint64_t)plan->scale[s].height};
}

static int shape_radius(const VqxEngine *engine, const VifScale *filter)
{
    return opencl_made_for(engine->device, filter->radius) ? filter->radius : 0;
}

static int add_decimate(VqxEngine *engine, Slot *slot, const VifPlan *plan,
                        const PlanMemory *memory, int s, VqxError *error)
{
    const VifScale *from = &plan->scale[s - 1], *to = &plan->scale[s];
    const Source in = scale_source(engine, slot, plan, memory, s - 1);
    const Source out = scale_source(engine, slot, plan, memory, s);
    const VifDecimateArgs args = {
        .image = in.image,
        .out_image = out.image,
        .width = from->width,
        .height = from->height,
        .pitch = in.pitch,
        .out_width = to->width,
        .out_height = to->height,
        .out_pitch = out.pitch,
        .radius = to->radius,
        .unit = {sample_unit(engine, 0), sample_unit(engine, 1)},
    };
    const Argument arguments[] = {ARGUMENT(in.buffer), ARGUMENT(memory->tap[s]),
                                  ARGUMENT(out.buffer), ARGUMENT(args), LOCAL(VIF_DECIMATE_TILE)};
    const OpenclKernelShape shape = {"decimate", in.bits, shape_radius(engine, to)};
    return add_launch(engine, slot, shape, arguments, COUNT(arguments), VIF_GROUP,
                      groups(to->width, VIF_DECIMATE_COLUMNS(to->radius)),
                      groups(to->height, VIF_ROWS), 2, error);
}

static int add_scale(VqxEngine *engine, Slot *slot, const VifPlan *plan, const PlanMemory *memory,
                     int s, VqxError *error)
{
    const VifScale *scale = &plan->scale[s];
    const Source in = scale_source(engine, slot, plan, memory, s);
    VifScaleArgs args = {
        .image = in.image,
        .terms = memory->terms[s],
        .width = scale->width,
        .height = scale->height,
        .pitch = in.pitch,
        .terms_pitch = memory->terms_pitch[s],
        .radius = scale->radius,
        .unit = {sample_unit(engine, 0), sample_unit(engine, 1)},
    };
    memcpy(&args.nsq_bits, &plan->nsq, sizeof args.nsq_bits);
    const Argument arguments[] = {ARGUMENT(in.buffer),       ARGUMENT(memory->tap[s]),
                                  ARGUMENT(slot->terms),     ARGUMENT(args),
                                  ARGUMENT(plan->constants), LOCAL(VIF_SCALE_TILE)};
    const OpenclKernelShape shape = {"scale", in.bits, shape_radius(engine, scale)};
    const int run = VIF_SCALE_RUN(shape.radius ? shape.radius : VIF_MAX_RADIUS);
    return add_launch(engine, slot, shape, arguments, COUNT(arguments), VIF_GROUP,
                      groups(scale->width, VIF_SCALE_COLUMNS(run)), groups(scale->height, VIF_ROWS),
                      1, error);
}

static int add_row_sums(VqxEngine *engine, Slot *slot, const VifPlan *plan,
                        const PlanMemory *memory, VqxError *error)
{
    const Argument arguments[] = {ARGUMENT(slot->terms), ARGUMENT(memory->row_sums),
                                  ARGUMENT(slot->sums)};
    const OpenclKernelShape shape = {.name = "row_sums"};
    return add_launch(engine, slot, shape, arguments, COUNT(arguments), VIF_ROW_GROUP,
                      groups(plan->scale[plan->first_scale].height, VIF_ROW_GROUP), 2,
                      (size_t)(VIF_SCALES - plan->first_scale), error);
}

static int add_plan(VqxEngine *engine, Slot *slot, const VifPlan *plan, const PlanMemory *memory,
                    VqxError *error)
{
    int status = 0;
    for (int i = 0; !status && opencl_makes_plane(engine, plan) && i < 2; i++)
        status = add_prescale(engine, slot, plan, memory, i, error);
    for (int s = 1; !status && s < VIF_SCALES; s++)
        status = add_decimate(engine, slot, plan, memory, s, error);
    for (int s = plan->first_scale; !status && s < VIF_SCALES; s++)
        status = add_scale(engine, slot, plan, memory, s, error);
    return status ? status : add_row_sums(engine, slot, plan, memory, error);
}

int opencl_slot_launches(VqxEngine *engine, Slot *slot, VqxError *error)
{
    const size_t most = 2 + (VIF_SCALES - 1) + VIF_SCALES + 1; /* of a plan */
    int status = 0;
    slot->launch = calloc(most * engine->params.plan_count, sizeof *slot->launch);
    if (!slot->launch)
        return vqx_fail(error, VQX_ERROR_MEMORY, "out of memory");
    for (size_t p = 0; !status && p < engine->params.plan_count; p++)
        status = add_plan(engine, slot, &engine->params.plans[p], &engine->plan[p], error);
    return status;
}
