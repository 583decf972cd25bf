/* The kernel launches that compute a frame: made once for a slot, with their arguments set. */
#include "backend/opencl/engine.h"

#include "util/error.h"

#include <stdlib.h>

static const cl_mem *find_buffer(const VqxEngine *engine, const Slot *slot, size_t plan, int which)
{
    return which < TILES_FRAME_BUFFERS ? &slot->buffer[which]
                                       : &engine->tables[plan].buffer[which - TILES_FRAME_BUFFERS];
}

static cl_int set_arguments(VqxEngine *engine, const Slot *slot, cl_kernel kernel,
                            const TilesLaunch *launch)
{
    const OpenclApi *cl = engine->cl;
    const VifConstants *constants = &engine->params.plans[launch->plan].constants;
    cl_uint at = 0;
    cl_int code = CL_SUCCESS;
    for (int i = 0; !code && i < launch->buffer_count; i++)
        code = cl->SetKernelArg(kernel, at++, sizeof(cl_mem),
                                find_buffer(engine, slot, launch->plan, launch->buffer[i]));
    if (!code && launch->args_bytes)
        code = cl->SetKernelArg(kernel, at++, launch->args_bytes, &launch->args);
    if (!code && launch->takes_constants)
        code = cl->SetKernelArg(kernel, at++, sizeof *constants, constants);
    if (!code && launch->local_bytes)
        code = cl->SetKernelArg(kernel, at++, launch->local_bytes, NULL);
    return code;
}

static int add_launch(VqxEngine *engine, Slot *slot, const TilesLaunch *from, VqxError *error)
{
    Launch *launch = &slot->launch[slot->launch_count];
    launch->kernel =
        opencl_kernel(engine->device, from->kernel, engine->form, &engine->params.log, error);
    if (!launch->kernel)
        return VQX_ERROR_BACKEND;
    slot->launch_count++;
    launch->group = from->group;
    launch->global[0] = from->groups[0] * from->group;
    launch->global[1] = from->groups[1];
    launch->global[2] = from->groups[2];
    const cl_int code = set_arguments(engine, slot, launch->kernel, from);
    return code ? vqx_fail(error, VQX_ERROR_BACKEND, "kernel %s refuses its arguments: %s",
                           from->kernel.name, opencl_error_name(code))
                : 0;
}

int opencl_slot_launches(VqxEngine *engine, Slot *slot, VqxError *error)
{
    int status = 0;
    slot->launch = calloc(TILES_MAX_LAUNCHES * engine->params.plan_count, sizeof *slot->launch);
    if (!slot->launch)
        return vqx_fail(error, VQX_ERROR_MEMORY, "out of memory");
    for (size_t p = 0; !status && p < engine->params.plan_count; p++) {
        TilesLaunch launch[TILES_MAX_LAUNCHES];
        const size_t count =
            tiles_launches(launch, &engine->layout, p, opencl_made_for(engine->device));
        for (size_t i = 0; !status && i < count; i++)
            status = add_launch(engine, slot, &launch[i], error);
    }
    return status;
}
