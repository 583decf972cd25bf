/*
 * The OpenCL backend's kernels one by one, by the driver's own timestamps, and the kernels of several frames in flight.
 * `vqx bench` measures whole frames.
 *
 *   bench_opencl DEVICE WIDTH HEIGHT DEPTH native|fp64-free FRAMES [IN_FLIGHT]
 */
#include "backend/opencl/engine.h"
#include "util/clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RUNS = 5 };

VQX_API const VqxBackend *vqx_backend_module(void);

static void check(cl_int code, const char *what)
{
    if (!code)
        return;
    fprintf(stderr, "%s: %s\n", what, opencl_error_name(code));
    exit(1);
}

static void enqueue(const OpenclApi *cl, cl_command_queue queue, const Launch *launch,
                    cl_event *event)
{
    const size_t group[3] = {launch->group, 1, 1};
    check(cl->EnqueueNDRangeKernel(queue, launch->kernel, 3, NULL, launch->global, group, 0, NULL,
                                   event),
          "launch");
}

/* The least time of each launch of slot 0, in their order. */
static void time_kernels(VqxEngine *engine)
{
    const OpenclApi *cl = engine->cl;
    const Slot *slot = &engine->slot[0];
    double least[64], total = 0;
    cl_int code;
    cl_command_queue queue = cl->CreateCommandQueue(engine->device->context, engine->device->id,
                                                    CL_QUEUE_PROFILING_ENABLE, &code);
    check(code, "queue");
    for (int run = 0; run < RUNS; run++) {
        for (size_t i = 0; i < slot->launch_count; i++) {
            cl_ulong start, end;
            cl_event event;
            enqueue(cl, queue, &slot->launch[i], &event);
            check(cl->WaitForEvents(1, &event), "wait");
            check(cl->GetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof start, &start,
                                            NULL),
                  "timestamps");
            check(
                cl->GetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL),
                "timestamps");
            cl->ReleaseEvent(event);
            const double ms = 1e-6 * (double)(end - start);
            least[i] = run == 0 || ms < least[i] ? ms : least[i];
        }
    }
    for (size_t i = 0; i < slot->launch_count; i++) {
        printf("%s%.4f", i ? " + " : "  kernels, ms: ", least[i]);
        total += least[i];
    }
    printf(" = %.4f\n", total);
    cl->ReleaseCommandQueue(queue);
}

/* Kernels alone, a frame a slot in turn. */
static void time_slots(VqxEngine *engine, int frames)
{
    double best = 0;
    for (int run = 0; run < RUNS; run++) {
        const double start = vqx_seconds();
        for (int f = 0; f < frames; f++) {
            const Slot *slot = &engine->slot[(unsigned)f % engine->slot_count];
            for (size_t i = 0; i < slot->launch_count; i++)
                enqueue(engine->cl, slot->queue, &slot->launch[i], NULL);
            engine->cl->Flush(slot->queue);
        }
        opencl_drain(engine);
        const double ms = 1e3 * (vqx_seconds() - start) / frames;
        best = run == 0 || ms < best ? ms : best;
    }
    printf("  kernels of %u frames in flight: %.4f ms a frame\n", engine->slot_count, best);
}

static void *need(void *memory)
{
    if (!memory) {
        fputs("out of memory\n", stderr);
        exit(1);
    }
    return memory;
}

static VqxPlane make_plane(const VqxEngine *engine, int image)
{
    const int words = engine->layout.sample_bits[image] == 16;
    const size_t row = (size_t)engine->params.width * (words ? 2 : 1);
    const size_t bytes = row * (size_t)engine->params.height;
    unsigned char *data = need(malloc(bytes));
    for (size_t b = 0; b < bytes; b++)
        data[b] = words && b % 2 ? 1 : (unsigned char)(b * 37 >> 3);
    return (VqxPlane){.data = data,
                      .stride = (ptrdiff_t)row,
                      .width = (unsigned)engine->params.width,
                      .height = (unsigned)engine->params.height,
                      .bit_depth = (unsigned)engine->params.depth[image]};
}

/* A frame through each slot, whose samples are then what the kernels alone work on. */
static void fill_slots(VqxEngine *engine, const VifPlan *plan)
{
    const VqxBackend *backend = vqx_backend_module();
    const unsigned count = engine->slot_count;
    const VqxPlane plane[2] = {make_plane(engine, 0), make_plane(engine, 1)};
    VqxJob *jobs = need(calloc(count, sizeof *jobs));
    float **sums = need(calloc(count, sizeof *sums));
    VqxError error;
    int status = 0;
    for (unsigned i = 0; !status && i < count; i++) {
        sums[i] = need(malloc(2 * plan->rows * sizeof **sums));
        jobs[i] = (VqxJob){.plane = {plane[0], plane[1]}, .sums = &sums[i]};
        status = backend->submit(engine, &jobs[i], &error);
    }
    for (unsigned i = 0; !status && i < count; i++)
        status = backend->wait(engine, &jobs[i], &error);
    if (status) {
        fprintf(stderr, "%s\n", error.message);
        exit(1);
    }
    for (unsigned i = 0; i < count; i++)
        free(sums[i]);
    free(sums);
    free(jobs);
    free(plane[0].data);
    free(plane[1].data);
}

int main(int argc, char **argv)
{
    VqxVifOptions options;
    VifPlan plan;
    VqxEngine *engine;
    VqxEngineInfo info;
    VqxError error;
    if (argc < 7) {
        fprintf(stderr, "usage: bench_opencl DEVICE WIDTH HEIGHT DEPTH native|fp64-free FRAMES "
                        "[IN_FLIGHT]\n");
        return 2;
    }
    const int depth = atoi(argv[4]), frames = atoi(argv[6]);
    VqxEngineParams params = {.plans = &plan,
                              .plan_count = 1,
                              .width = atoi(argv[2]),
                              .height = atoi(argv[3]),
                              .depth = {depth, depth},
                              .device = argv[1],
                              .in_flight = argc > 7 ? (unsigned)atoi(argv[7]) : 0,
                              .form =
                                  strcmp(argv[5], "native") ? VQX_FORM_FP64_FREE : VQX_FORM_NATIVE};
    vqx_vif_default_options(&options);
    const double start = vqx_seconds();
    if (vif_plan_init(&plan, &options, params.width, params.height, &error) ||
        vqx_backend_module()->open(&engine, &params, &info, &error)) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    printf("%s, %s: %dx%d, %d bits, %s, opened in %.0f ms\n", info.device, info.driver,
           params.width, params.height, depth, info.detail, 1e3 * (vqx_seconds() - start));
    fill_slots(engine, &plan);
    time_kernels(engine);
    time_slots(engine, frames);
    vqx_backend_module()->close(engine);
    vif_plan_free(&plan);
    return 0;
}
