/* A frame's memory on the device, the plans' tables, and pinned host memory. */
#include "backend/opencl/engine.h"

#include "util/error.h"

#include <stdlib.h>

enum { CPU_FRAMES = 2, GPU_FRAMES = 4 };

int opencl_layout(VqxEngine *engine, VqxError *error)
{
    const OpenclDevice *device = engine->device;
    const TilesDeviceMemory memory = {device->name, device->memory, device->largest_buffer};
    const int status = tiles_layout_init(&engine->layout, &engine->params, error);
    return status ? status
                  : tiles_frames_in_flight(&engine->layout, memory,
                                           device->is_cpu ? CPU_FRAMES : GPU_FRAMES,
                                           &engine->slot_count, error);
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
                                 bytes, (void *)data, &code);
    if (!buffer)
        fail_memory(engine, bytes, code, error);
    return buffer;
}

int opencl_plan_tables(VqxEngine *engine, VqxError *error)
{
    engine->tables = calloc(engine->params.plan_count, sizeof *engine->tables);
    if (!engine->tables)
        return vqx_fail(error, VQX_ERROR_MEMORY, "out of memory");
    for (size_t p = 0; p < engine->params.plan_count; p++) {
        for (int i = TILES_FRAME_BUFFERS; i < TILES_BUFFERS; i++) {
            const TilesTable table = tiles_table(&engine->layout, p, i);
            cl_mem *buffer = &engine->tables[p].buffer[i - TILES_FRAME_BUFFERS];
            if (table.bytes)
                *buffer = upload(engine, table.data, table.bytes, error);
            if (table.bytes && !*buffer)
                return VQX_ERROR_BACKEND;
        }
    }
    return 0;
}

/* Drivers allocate on first use; asking for the memory now lets a lack of it show at open. */
static cl_int claim(VqxEngine *engine, Slot *slot)
{
    cl_mem buffers[TILES_FRAME_BUFFERS];
    cl_uint count = 0;
    for (int i = 0; i < TILES_FRAME_BUFFERS; i++)
        if (slot->buffer[i])
            buffers[count++] = slot->buffer[i];
    const cl_int code = engine->cl->EnqueueMigrateMemObjects(
        slot->queue, count, buffers, CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED, 0, NULL, NULL);
    return code ? code : engine->cl->Finish(slot->queue);
}

int opencl_slot_memory(VqxEngine *engine, Slot *slot, VqxError *error)
{
    const OpenclApi *cl = engine->cl;
    cl_context context = engine->device->context;
    cl_int code;
    slot->queue = cl->CreateCommandQueue(context, engine->device->id, 0, &code);
    for (int i = 0; !code && i < TILES_FRAME_BUFFERS; i++)
        if (engine->layout.bytes[i])
            slot->buffer[i] =
                cl->CreateBuffer(context, CL_MEM_READ_WRITE, engine->layout.bytes[i], NULL, &code);
    if (!code)
        code = claim(engine, slot);
    return code ? fail_memory(engine, engine->layout.total, code, error) : 0;
}

static void release(const OpenclApi *cl, cl_mem buffer)
{
    if (buffer)
        cl->ReleaseMemObject(buffer);
}

void opencl_slot_free(VqxEngine *engine, Slot *slot)
{
    const OpenclApi *cl = engine->cl;
    for (size_t i = 0; i < slot->launch_count; i++)
        cl->ReleaseKernel(slot->launch[i].kernel);
    free(slot->launch);
    for (int i = 0; i < TILES_FRAME_BUFFERS; i++)
        release(cl, slot->buffer[i]);
    if (slot->queue)
        cl->ReleaseCommandQueue(slot->queue);
}

void opencl_memory_free(VqxEngine *engine)
{
    const OpenclApi *cl = engine->cl;
    while (engine->pinned)
        opencl_pinned_free(engine, engine->pinned->memory);
    for (unsigned i = 0; engine->slot && i < engine->slot_count; i++)
        opencl_slot_free(engine, &engine->slot[i]);
    for (size_t p = 0; engine->tables && p < engine->params.plan_count; p++)
        for (int i = 0; i < TILES_BUFFERS - TILES_FRAME_BUFFERS; i++)
            release(cl, engine->tables[p].buffer[i]);
    free(engine->slot);
    free(engine->tables);
    tiles_layout_free(&engine->layout);
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
