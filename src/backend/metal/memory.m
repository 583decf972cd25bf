/* A frame's memory, the plans' tables and kernels, and host memory shared with the device. */
#include "backend/metal/engine.h"

#include "util/error.h"

#include <stdlib.h>
#include <unistd.h>

enum { FRAMES = 3 };

int metal_layout(VqxEngine *engine, VqxError *error)
{
    const MetalDevice *device = engine->device;
    const TilesDeviceMemory memory = {device->name, device->memory, device->largest_buffer};
    const int status = tiles_layout_init(&engine->layout, &engine->params, error);
    return status ? status
                  : tiles_frames_in_flight(&engine->layout, memory, FRAMES, &engine->slot_count,
                                           error);
}

static int fail_memory(const VqxEngine *engine, size_t bytes, VqxError *error)
{
    return vqx_fail(error, VQX_ERROR_BACKEND, "%zu KiB cannot be allocated on %s",
                    (bytes + 1023) >> 10, engine->device->name);
}

/* https://developer.apple.com/documentation/metal/mtldevice/makebuffer(bytes:length:options:) */
static int upload_tables(VqxEngine *engine, size_t p, VqxError *error)
{
    for (int i = TILES_FRAME_BUFFERS; i < TILES_BUFFERS; i++) {
        const TilesTable table = tiles_table(&engine->layout, p, i);
        if (!table.bytes)
            continue;
        id<MTLBuffer> buffer =
            [engine->device->device newBufferWithBytes:table.data
                                                length:table.bytes
                                               options:MTLResourceStorageModeShared];
        engine->plan[p].table[i - TILES_FRAME_BUFFERS] = buffer;
        if (!buffer)
            return fail_memory(engine, table.bytes, error);
    }
    return 0;
}

static int build_kernels(VqxEngine *engine, size_t p, VqxError *error)
{
    TilesLaunch launch[TILES_MAX_LAUNCHES];
    const size_t count = tiles_launches(launch, &engine->layout, p, (TilesMadeFor){METAL_MADE_FOR, VIF_MAX_RADIUS});
    for (size_t i = 0; i < count; i++) {
        id<MTLComputePipelineState> pipeline =
            metal_pipeline(engine->device, launch[i].kernel, engine->form, error);
        engine->plan[p].pipeline[i] = pipeline;
        if (!pipeline)
            return VQX_ERROR_BACKEND;
    }
    return 0;
}

int metal_plan_memory(VqxEngine *engine, VqxError *error)
{
    int status = 0;
    engine->plan = calloc(engine->params.plan_count, sizeof *engine->plan);
    if (!engine->plan)
        return vqx_fail(error, VQX_ERROR_MEMORY, "out of memory");
    for (size_t p = 0; !status && p < engine->params.plan_count; p++) {
        status = upload_tables(engine, p, error);
        if (!status)
            status = build_kernels(engine, p, error);
    }
    return status;
}

/*
 * Samples and sums are seen by the processor too; what lies between is the GPU's alone.
 *
 * https://developer.apple.com/documentation/metal/mtldevice/makebuffer(length:options:)
 * https://developer.apple.com/documentation/metal/mtlresourceoptions/storagemodeshared
 * https://developer.apple.com/documentation/metal/mtlresourceoptions/storagemodeprivate
 */
int metal_slot_memory(VqxEngine *engine, Slot *slot, VqxError *error)
{
    for (int i = 0; i < TILES_FRAME_BUFFERS; i++) {
        const int seen = i == TILES_SAMPLES || i == TILES_SUMS || engine->params.keep_stages;
        const size_t bytes = engine->layout.bytes[i];
        if (!bytes)
            continue;
        slot->buffer[i] =
            [engine->device->device newBufferWithLength:bytes
                                                options:seen ? MTLResourceStorageModeShared
                                                             : MTLResourceStorageModePrivate];
        if (!slot->buffer[i])
            return fail_memory(engine, engine->layout.total, error);
    }
    return 0;
}

/* Counted references in memory that C frees are let go of first. */
static void free_plan(PlanMemory *plan)
{
    for (int i = 0; i < TILES_BUFFERS - TILES_FRAME_BUFFERS; i++)
        plan->table[i] = nil;
    for (int i = 0; i < TILES_MAX_LAUNCHES; i++)
        plan->pipeline[i] = nil;
}

static void free_slot(Slot *slot)
{
    for (int i = 0; i < TILES_FRAME_BUFFERS; i++)
        slot->buffer[i] = nil;
    slot->commands = nil;
}

void metal_memory_free(VqxEngine *engine)
{
    while (engine->shared)
        metal_shared_free(engine, engine->shared->memory);
    for (unsigned i = 0; engine->slot && i < engine->slot_count; i++)
        free_slot(&engine->slot[i]);
    for (size_t p = 0; engine->plan && p < engine->params.plan_count; p++)
        free_plan(&engine->plan[p]);
    free(engine->slot);
    free(engine->plan);
    tiles_layout_free(&engine->layout);
}

/*
 * Whole pages of the processor's memory, wrapped as they are. Without a deallocator the memory
 * stays ours: it outlives the buffer.
 *
 * https://developer.apple.com/documentation/metal/mtldevice/makebuffer(bytesnocopy:length:options:deallocator:)
 */
void *metal_shared_alloc(VqxEngine *engine, size_t bytes, VqxError *error)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), size = (bytes + page - 1) / page * page;
    Shared *shared = calloc(1, sizeof *shared);
    void *memory = NULL;
    if (!shared || posix_memalign(&memory, page, size)) {
        free(shared);
        vqx_fail(error, VQX_ERROR_MEMORY, "out of memory for a frame of %zu KiB", size >> 10);
        return NULL;
    }
    @autoreleasepool {
        shared->buffer =
            [engine->device->device newBufferWithBytesNoCopy:memory
                                                      length:size
                                                     options:MTLResourceStorageModeShared
                                                 deallocator:nil];
    }
    /* Without the buffer frames are copied. */
    shared->memory = memory;
    shared->bytes = size;
    shared->next = engine->shared;
    engine->shared = shared;
    return memory;
}

void metal_shared_free(VqxEngine *engine, void *memory)
{
    for (Shared **link = &engine->shared; *link; link = &(*link)->next) {
        Shared *shared = *link;
        if (shared->memory != memory)
            continue;
        *link = shared->next;
        shared->buffer = nil;
        free(shared->memory);
        free(shared);
        return;
    }
}
