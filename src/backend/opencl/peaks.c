/* What a device can do at most, for benchmarks: copies from pinned memory, and the peak kernel on all of it. */
#include "backend/opencl/engine.h"

#include "util/clock.h"
#include "util/error.h"

#include <string.h>

enum {
    COPIES = 32,
    COPY_BYTES = 64 << 20,
    GROUPS = 4096,
    CHAINS = 4 * 16, /* of a work-item */
    MOST_ROUNDS = 1 << 20
};

static const double long_enough = 0.05; /* seconds, beside which a launch is nothing */

static int failed(const VqxEngine *engine, cl_int code, const char *what, VqxError *error)
{
    return code ? vqx_fail(error, VQX_ERROR_BACKEND, "%s: measure %s: %s", engine->device->name,
                           what, opencl_error_name(code))
                : 0;
}

static cl_int copy(VqxEngine *engine, cl_mem buffer, const void *from, double *rate)
{
    const OpenclApi *cl = engine->cl;
    cl_command_queue queue = engine->slot[0].queue;
    cl_int code = CL_SUCCESS;
    for (int turn = 0; turn < 2; turn++) { /* the first warms up */
        const double start = vqx_seconds();
        for (int i = 0; !code && i < COPIES; i++)
            code =
                cl->EnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, COPY_BYTES, from, 0, NULL, NULL);
        const cl_int end = cl->Finish(queue);
        code = code ? code : end;
        *rate = COPIES * (double)COPY_BYTES / (vqx_seconds() - start);
    }
    return code;
}

static int measure_copies(VqxEngine *engine, double *rate, VqxError *error)
{
    cl_int code;
    void *from = opencl_pinned_alloc(engine, COPY_BYTES, error);
    if (!from)
        return VQX_ERROR_MEMORY;
    memset(from, 0x5a, COPY_BYTES);
    cl_mem buffer = engine->cl->CreateBuffer(engine->device->context, CL_MEM_READ_ONLY, COPY_BYTES,
                                             NULL, &code);
    if (buffer) {
        code = copy(engine, buffer, from, rate);
        engine->cl->ReleaseMemObject(buffer);
    }
    opencl_pinned_free(engine, from);
    return failed(engine, code, "copies", error);
}

/* Rounds are doubled until they take long enough. */
static cl_int calculate(VqxEngine *engine, cl_kernel kernel, double *rate)
{
    const OpenclApi *cl = engine->cl;
    const Slot *slot = &engine->slot[0];
    const size_t group = VIF_GROUP, items = (size_t)GROUPS * VIF_GROUP;
    cl_int code = cl->SetKernelArg(kernel, 0, sizeof(cl_mem), &slot->buffer[TILES_SUMS]);
    double seconds = 0;
    for (cl_int rounds = 16; !code && seconds < long_enough && rounds <= MOST_ROUNDS; rounds *= 2) {
        const double start = vqx_seconds();
        code = cl->SetKernelArg(kernel, 1, sizeof rounds, &rounds);
        if (!code)
            code = cl->EnqueueNDRangeKernel(slot->queue, kernel, 1, NULL, &items, &group, 0, NULL,
                                            NULL);
        const cl_int end = cl->Finish(slot->queue);
        code = code ? code : end;
        seconds = vqx_seconds() - start;
        *rate = 2.0 * CHAINS * (double)items * rounds / seconds;
    }
    return code;
}

int opencl_measure_peaks(VqxEngine *engine, VqxPeaks *peaks, VqxError *error)
{
    *peaks = (VqxPeaks){0};
    int status = measure_copies(engine, &peaks->copy_bytes, error);
    if (status ||
        engine->device->is_cpu) /* whose compilers do not come near it: `--backend cpu` does */
        return status;
    cl_kernel kernel = opencl_kernel(engine->device, (TilesKernel){.name = "peak"}, engine->form,
                                     &engine->params.log, error);
    if (!kernel)
        return VQX_ERROR_BACKEND;
    status = failed(engine, calculate(engine, kernel, &peaks->f32), "arithmetic", error);
    engine->cl->ReleaseKernel(kernel);
    return status;
}
