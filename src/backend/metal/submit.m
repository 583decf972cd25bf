/* A frame's way through the device: samples in, the launches, row sums out. */
#include "backend/metal/engine.h"
#include "backend/tiles/stages.h"

#include "util/error.h"


enum { OFFSET_ALIGN = 256 /* bytes; what a buffer's offset is a multiple of on every device */ };

/* Where a frame's samples are: the slot's buffer, or the caller's own memory. */
typedef struct Samples {
    __unsafe_unretained id<MTLBuffer> buffer; /* held by the slot or by the engine's list */
    size_t offset, image_bytes;
} Samples;

/* Both planes in one shared allocation, laid out as the kernels read them. */
static int find_shared(const VqxEngine *engine, const VqxJob *job, Samples *samples)
{
    const TilesLayout *layout = &engine->layout;
    const char *ref = job->plane[0].data, *dis = job->plane[1].data;
    for (int i = 0; i < 2; i++)
        if (job->plane[i].stride !=
            (ptrdiff_t)(layout->sample_pitch[i] * (size_t)layout->sample_bits[i] / 8))
            return 0;
    for (const Shared *s = engine->shared; s; s = s->next) {
        if (!s->buffer || ref < s->memory || ref >= s->memory + s->bytes || dis < ref ||
            dis >= s->memory + s->bytes)
            continue;
        *samples = (Samples){s->buffer, (size_t)(ref - s->memory), (size_t)(dis - ref)};
        return samples->offset % OFFSET_ALIGN == 0 && samples->image_bytes % sizeof(uint16_t) == 0;
    }
    return 0;
}

/* https://developer.apple.com/documentation/metal/mtlbuffer/contents() */
static Samples copy_samples(const VqxEngine *engine, const Slot *slot, const VqxJob *job)
{
    const TilesLayout *layout = &engine->layout;
    char *to = slot->buffer[TILES_SAMPLES].contents;
    for (int i = 0; i < 2; i++)
        tiles_copy_plane(layout, i, &job->plane[i], to + (i ? layout->image_bytes : 0));
    return (Samples){slot->buffer[TILES_SAMPLES], 0, layout->image_bytes};
}

/*
 * https://developer.apple.com/documentation/metal/mtlcomputecommandencoder/setcomputepipelinestate(_:)
 * https://developer.apple.com/documentation/metal/mtlcomputecommandencoder/setbuffer(_:offset:index:)
 * https://developer.apple.com/documentation/metal/mtlcomputecommandencoder/setbytes(_:length:index:)
 * https://developer.apple.com/documentation/metal/mtlcomputecommandencoder/setthreadgroupmemorylength(_:index:)
 *   (the length a multiple of 16)
 * https://developer.apple.com/documentation/metal/mtlcomputecommandencoder/dispatchthreadgroups(_:threadsperthreadgroup:)
 */
static void encode_launch(const VqxEngine *engine, const Slot *slot, const Samples *samples,
                          id<MTLComputeCommandEncoder> encoder, const TilesLaunch *launch,
                          id<MTLComputePipelineState> pipeline)
{
    const VifConstants *constants = &engine->params.plans[launch->plan].constants;
    NSUInteger at = 0;
    [encoder setComputePipelineState:pipeline];
    for (int i = 0; i < launch->buffer_count; i++) {
        const int which = launch->buffer[i];
        if (which == TILES_SAMPLES)
            [encoder setBuffer:samples->buffer offset:samples->offset atIndex:at++];
        else if (which < TILES_FRAME_BUFFERS)
            [encoder setBuffer:slot->buffer[which] offset:0 atIndex:at++];
        else
            [encoder setBuffer:engine->plan[launch->plan].table[which - TILES_FRAME_BUFFERS]
                        offset:0
                       atIndex:at++];
    }
    if (launch->args_bytes)
        [encoder setBytes:&launch->args length:launch->args_bytes atIndex:at++];
    if (launch->takes_constants)
        [encoder setBytes:constants length:sizeof *constants atIndex:at++];
    if (launch->local_bytes)
        [encoder setThreadgroupMemoryLength:launch->local_bytes atIndex:0];
    [encoder
         dispatchThreadgroups:MTLSizeMake(launch->groups[0], launch->groups[1], launch->groups[2])
        threadsPerThreadgroup:MTLSizeMake(launch->group, 1, 1)];
}

/*
 * A compute encoder runs its dispatches one after the other (the serial type, the default), so each
 * sees what those before it wrote.
 *
 * https://developer.apple.com/documentation/metal/mtlcommandqueue/makecommandbuffer()
 * https://developer.apple.com/documentation/metal/mtlcommandbuffer/makecomputecommandencoder()
 * https://developer.apple.com/documentation/metal/mtldispatchtype/serial
 * https://developer.apple.com/documentation/metal/mtlcommandencoder/endencoding()
 * https://developer.apple.com/documentation/metal/mtlcommandbuffer/commit()
 */
static int enqueue(VqxEngine *engine, Slot *slot, const VqxJob *job)
{
    Samples samples;
    if (!find_shared(engine, job, &samples))
        samples = copy_samples(engine, slot, job);
    TilesLayout layout = engine->layout;
    layout.image_bytes = samples.image_bytes;
    slot->commands = [engine->device->queue commandBuffer];
    id<MTLComputeCommandEncoder> encoder = [slot->commands computeCommandEncoder];
    if (!encoder)
        return -1;
    for (size_t p = 0; p < engine->params.plan_count; p++) {
        TilesLaunch launch[TILES_MAX_LAUNCHES];
        const size_t count = tiles_launches(launch, &layout, p, (TilesMadeFor){METAL_MADE_FOR, VIF_MAX_RADIUS});
        for (size_t i = 0; i < count; i++)
            encode_launch(engine, slot, &samples, encoder, &launch[i], engine->plan[p].pipeline[i]);
    }
    [encoder endEncoding];
    [slot->commands commit];
    return 0;
}

static Slot *find_free(VqxEngine *engine)
{
    for (unsigned i = 0; i < engine->slot_count; i++)
        if (!engine->slot[i].job)
            return &engine->slot[i];
    return NULL;
}

int metal_submit(VqxEngine *engine, VqxJob *job, VqxError *error)
{
    if (job->plane[0].memory != VQX_MEMORY_HOST || job->plane[1].memory != VQX_MEMORY_HOST)
        return vqx_fail(error, VQX_ERROR_ARGUMENT, "the Metal backend takes planes in host memory");
    Slot *slot = find_free(engine);
    if (!slot)
        return vqx_fail(error, VQX_ERROR_ARGUMENT, "%u frames are in flight already",
                        engine->slot_count);
    @autoreleasepool {
        if (enqueue(engine, slot, job)) {
            slot->commands = nil;
            return vqx_fail(error, VQX_ERROR_BACKEND, "%s fails to start a frame",
                            engine->device->name);
        }
    }
    slot->job = job;
    job->backend_data = slot;
    return 0;
}

static void read_sums(const VqxEngine *engine, const Slot *slot, const VqxJob *job)
{
    const float *from = slot->buffer[TILES_SUMS].contents;
    for (size_t p = 0; p < engine->params.plan_count; p++) {
        const TilesSums sums = tiles_sums(&engine->layout, p);
        memcpy(job->sums[p] + sums.skipped, from + sums.first, sums.count * sizeof(float));
    }
}

/*
 * https://developer.apple.com/documentation/metal/mtlcommandbuffer/waituntilcompleted()
 * https://developer.apple.com/documentation/metal/mtlcommandbuffer/status
 * https://developer.apple.com/documentation/metal/mtlcommandbuffer/error
 */
int metal_wait(VqxEngine *engine, VqxJob *job, VqxError *error)
{
    Slot *slot = job->backend_data;
    int status = 0;
    @autoreleasepool {
        [slot->commands waitUntilCompleted];
        if (slot->commands.status == MTLCommandBufferStatusCompleted) {
            read_sums(engine, slot, job);
        } else {
            NSError *reason = slot->commands.error;
            status = vqx_fail(
                error, VQX_ERROR_BACKEND, "%s fails in a frame: %.300s", engine->device->name,
                reason ? reason.localizedDescription.UTF8String : "no reason is given");
        }
        slot->commands = nil;
    }
    slot->job = NULL;
    return status;
}

void metal_drain(VqxEngine *engine)
{
    for (unsigned i = 0; engine->slot && i < engine->slot_count; i++) {
        [engine->slot[i].commands waitUntilCompleted];
        engine->slot[i].job = NULL;
    }
}

/* Buffers are in memory that the host sees, and the one slot's hold the frame until the next. */
int metal_stage(VqxEngine *engine, int scale, int stage, float *out, VqxError *error)
{
    const TilesStage from = tiles_stage(&engine->layout, scale, stage);
    (void)error;
    if (from.buffer < 0)
        return 0;
    const float *floats = engine->slot[0].buffer[from.buffer].contents;
    tiles_stage_gather(out, &engine->layout, scale, &from, floats + from.first);
    return 1;
}
