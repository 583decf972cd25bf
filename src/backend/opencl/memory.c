/* A frame's memory on the device, the plans' tables, and pinned host memory. */
#include "backend/opencl/engine.h"

#include "util/error.h"

#include <stdlib.h>
#include <string.h>

enum {
    SAMPLES,
    TERMS,
    SUMS,
    PLANES, /* one a scale from here */
    PITCH_ALIGN =
        64, /* bytes of a row of samples; samples of an f32 row: whole memory transactions */
    IMAGE_ALIGN = 256,
    CPU_FRAMES = 2,
    GPU_FRAMES = 4
};

static size_t round_up(size_t n, size_t to)
{
    return (n + to - 1) / to * to;
}

static void enlarge(size_t *size, size_t to)
{
    *size = *size > to ? *size : to;
}

static void layout_samples(VqxEngine *engine)
{
    const VqxEngineParams *params = &engine->params;
    for (int i = 0; i < 2; i++) {
        const size_t bytes = params->depth[i] > 8 ? 2 : 1;
        engine->sample_bits[i] = (int)bytes * 8;
        engine->sample_pitch[i] = round_up((size_t)params->width * bytes, PITCH_ALIGN) / bytes;
        const size_t image = engine->sample_pitch[i] * bytes * (size_t)params->height;
        engine->bytes[SAMPLES] += round_up(image, IMAGE_ALIGN);
        if (i == 0)
            engine->image_bytes = engine->bytes[SAMPLES];
    }
    engine->mixed = engine->sample_bits[0] != engine->sample_bits[1];
}

/* The plans of an engine take turns in a slot's memory, so each buffer is as large as the largest
 * needs it; the row sums alone are all kept until they are read. */
static void layout_plan(VqxEngine *engine, const VifPlan *plan, PlanMemory *memory)
{
    uint64_t terms = 0;
    memory->first_sum = engine->bytes[SUMS] / sizeof(cl_float);
    engine->bytes[SUMS] += 2 * plan->rows * sizeof(cl_float);
    for (int s = 0; s < VIF_SCALES; s++) {
        const VifScale *scale = &plan->scale[s];
        memory->pitch[s] = (int)round_up((size_t)scale->width, PITCH_ALIGN);
        if (s > 0 || opencl_makes_plane(engine, plan))
            enlarge(&engine->bytes[PLANES + s],
                    2 * (size_t)memory->pitch[s] * (size_t)scale->height * sizeof(cl_float));
        memory->terms_pitch[s] = (int)round_up((size_t)scale->height, VIF_ROWS);
        memory->terms[s] = terms;
        if (s >= plan->first_scale)
            terms += 2 * (uint64_t)scale->width * (uint64_t)memory->terms_pitch[s];
    }
    enlarge(&engine->bytes[TERMS], (size_t)terms * sizeof(cl_float));
}

int opencl_layout(VqxEngine *engine, VqxError *error)
{
    const OpenclDevice *device = engine->device;
    size_t total = 0, largest = 0;
    engine->plan = calloc(engine->params.plan_count, sizeof *engine->plan);
    if (!engine->plan)
        return vqx_fail(error, VQX_ERROR_MEMORY, "out of memory");
    layout_samples(engine);
    for (size_t p = 0; p < engine->params.plan_count; p++)
        layout_plan(engine, &engine->params.plans[p], &engine->plan[p]);
    for (size_t i = 0; i < sizeof engine->bytes / sizeof engine->bytes[0]; i++) {
        total += engine->bytes[i];
        enlarge(&largest, engine->bytes[i]);
    }
    if (largest > device->largest_buffer || total > device->memory)
        return vqx_fail(error, VQX_ERROR_BACKEND,
                        "a frame of %dx%d takes %zu MiB on the device, %zu MiB of them in one "
                        "buffer; %s has %llu MiB and buffers of %llu MiB at most",
                        engine->params.width, engine->params.height, total >> 20, largest >> 20,
                        device->name, (unsigned long long)device->memory >> 20,
                        (unsigned long long)device->largest_buffer >> 20);
    engine->slot_count = engine->params.in_flight ? engine->params.in_flight
                         : device->is_cpu         ? CPU_FRAMES
                                                  : GPU_FRAMES;
    while (engine->slot_count > 1 && engine->slot_count * total > device->memory / 2)
        engine->slot_count--;
    return 0;
}

static int fail_memory(VqxEngine *engine, size_t bytes, cl_int code, VqxError *error)
{
    return vqx_fail(error, VQX_ERROR_BACKEND, "%zu KiB cannot be allocated on %s: %s",
                    (bytes + 1023) >> 10, engine->device->name, opencl_error_name(code));
}

static cl_mem upload(VqxEngine *engine, const void *data, size_t bytes, VqxError *error)
{
    cl_int code;
    cl_mem buffer =
        engine->cl->CreateBuffer(engine->device->context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR,
                                 bytes, (void *)(uintptr_t)data, &code);
    if (!buffer)
        fail_memory(engine, bytes, code, error);
    return buffer;
}

/* An axis' tables; an axis that only copies is 0, 1, 2, ... Unweighted axes have the index as a
 * stand-in for the weights that no work-item reads. */
static int upload_axis(VqxEngine *engine, const VifPlan *plan, int which, PlanMemory *memory,
                       VqxError *error)
{
    const VifAxis *axis = which ? &plan->y : &plan->x;
    const int size = which ? plan->height : plan->width;
    int32_t *identity = NULL;
    if (plan->prescaled) {
        const size_t bytes = (size_t)axis->size * (size_t)axis->taps * sizeof(int32_t);
        memory->index[which] = upload(engine, axis->index, bytes, error);
        if (axis->weight)
            memory->weight[which] = upload(engine, axis->weight, bytes, error);
    } else {
        identity = malloc((size_t)size * sizeof *identity);
        if (!identity)
            return vqx_fail(error, VQX_ERROR_MEMORY, "out of memory");
        for (int i = 0; i < size; i++)
            identity[i] = i;
        memory->index[which] = upload(engine, identity, (size_t)size * sizeof *identity, error);
    }
    free(identity);
    return memory->index[which] && (memory->weight[which] || !axis->weight) ? 0 : VQX_ERROR_BACKEND;
}

static int upload_row_sums(VqxEngine *engine, const VifPlan *plan, PlanMemory *memory,
                           VqxError *error)
{
    VifRowSumArgs args[VIF_SCALES];
    memset(args, 0, sizeof args);
    for (int s = plan->first_scale; s < VIF_SCALES; s++) {
        VifRowSumArgs *a = &args[s - plan->first_scale];
        a->terms = memory->terms[s];
        a->sums = memory->first_sum + 2 * plan->scale[s].first_row;
        a->width = plan->scale[s].width;
        a->height = plan->scale[s].height;
        a->terms_pitch = memory->terms_pitch[s];
    }
    memory->row_sums = upload(engine, args, sizeof args, error);
    return memory->row_sums ? 0 : VQX_ERROR_BACKEND;
}

int opencl_plan_tables(VqxEngine *engine, VqxError *error)
{
    int status = 0;
    for (size_t p = 0; !status && p < engine->params.plan_count; p++) {
        const VifPlan *plan = &engine->params.plans[p];
        PlanMemory *memory = &engine->plan[p];
        for (int s = 0; !status && s < VIF_SCALES; s++) {
            memory->tap[s] = upload(engine, plan->scale[s].tap, sizeof plan->scale[s].tap, error);
            status = memory->tap[s] ? 0 : VQX_ERROR_BACKEND;
        }
        if (!status)
            status = upload_row_sums(engine, plan, memory, error);
        for (int axis = 0; !status && opencl_makes_plane(engine, plan) && axis < 2; axis++)
            status = upload_axis(engine, plan, axis, memory, error);
    }
    return status;
}

/* Drivers allocate on first use; asking for the memory now lets a lack of it show at open. */
static cl_int claim(VqxEngine *engine, Slot *slot)
{
    cl_mem buffers[3 + VIF_SCALES];
    cl_uint count = 0;
    buffers[count++] = slot->samples;
    buffers[count++] = slot->terms;
    buffers[count++] = slot->sums;
    for (int s = 0; s < VIF_SCALES; s++)
        if (slot->plane[s])
            buffers[count++] = slot->plane[s];
    const cl_int code = engine->cl->EnqueueMigrateMemObjects(
        slot->queue, count, buffers, CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED, 0, NULL, NULL);
    return code ? code : engine->cl->Finish(slot->queue);
}

int opencl_slot_memory(VqxEngine *engine, Slot *slot, VqxError *error)
{
    const OpenclApi *cl = engine->cl;
    cl_context context = engine->device->context;
    cl_mem *buffer[3 + VIF_SCALES] = {&slot->samples, &slot->terms, &slot->sums};
    size_t bytes = 0;
    cl_int code;
    for (int s = 0; s < VIF_SCALES; s++)
        buffer[PLANES + s] = &slot->plane[s];
    slot->queue = cl->CreateCommandQueue(context, engine->device->id, 0, &code);
    for (int i = 0; !code && i < 3 + VIF_SCALES; i++) {
        if (!engine->bytes[i])
            continue;
        bytes += engine->bytes[i];
        *buffer[i] = cl->CreateBuffer(context, CL_MEM_READ_WRITE, engine->bytes[i], NULL, &code);
    }
    if (!code)
        code = claim(engine, slot);
    return code ? fail_memory(engine, bytes, code, error) : 0;
}

static void release(const OpenclApi *cl, cl_mem buffer)
{
    if (buffer)
        cl->ReleaseMemObject(buffer);
}

static void free_slot(const OpenclApi *cl, Slot *slot)
{
    for (size_t i = 0; i < slot->launch_count; i++)
        cl->ReleaseKernel(slot->launch[i].kernel);
    free(slot->launch);
    release(cl, slot->samples);
    release(cl, slot->terms);
    release(cl, slot->sums);
    for (int s = 0; s < VIF_SCALES; s++)
        release(cl, slot->plane[s]);
    if (slot->queue)
        cl->ReleaseCommandQueue(slot->queue);
}

void opencl_memory_free(VqxEngine *engine)
{
    const OpenclApi *cl = engine->cl;
    while (engine->pinned)
        opencl_pinned_free(engine, engine->pinned->memory);
    for (unsigned i = 0; engine->slot && i < engine->slot_count; i++)
        free_slot(cl, &engine->slot[i]);
    for (size_t p = 0; engine->plan && p < engine->params.plan_count; p++) {
        PlanMemory *memory = &engine->plan[p];
        for (int s = 0; s < VIF_SCALES; s++)
            release(cl, memory->tap[s]);
        release(cl, memory->row_sums);
        for (int axis = 0; axis < 2; axis++) {
            release(cl, memory->index[axis]);
            release(cl, memory->weight[axis]);
        }
    }
    free(engine->slot);
    free(engine->plan);
}

void *opencl_pinned_alloc(VqxEngine *engine, size_t bytes, VqxError *error)
{
    const OpenclApi *cl = engine->cl;
    Pinned *pinned = calloc(1, sizeof *pinned);
    cl_int code = CL_OUT_OF_HOST_MEMORY;
    if (pinned)
        pinned->buffer = cl->CreateBuffer(
            engine->device->context, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, bytes, NULL, &code);
    if (!code)
        pinned->memory =
            cl->EnqueueMapBuffer(engine->slot[0].queue, pinned->buffer, CL_TRUE,
                                 CL_MAP_READ | CL_MAP_WRITE, 0, bytes, 0, NULL, NULL, &code);
    if (code) {
        if (pinned)
            release(cl, pinned->buffer);
        free(pinned);
        vqx_fail(error, VQX_ERROR_MEMORY, "%zu KiB of pinned memory cannot be had: %s",
                 (bytes + 1023) >> 10, opencl_error_name(code));
        return NULL;
    }
    pinned->next = engine->pinned;
    engine->pinned = pinned;
    return pinned->memory;
}

void opencl_pinned_free(VqxEngine *engine, void *memory)
{
    for (Pinned **link = &engine->pinned; *link; link = &(*link)->next) {
        Pinned *pinned = *link;
        if (pinned->memory != memory)
            continue;
        *link = pinned->next;
        engine->cl->EnqueueUnmapMemObject(engine->slot[0].queue, pinned->buffer, memory, 0, NULL,
                                          NULL);
        engine->cl->Finish(engine->slot[0].queue);
        engine->cl->ReleaseMemObject(pinned->buffer);
        free(pinned);
        return;
    }
}
