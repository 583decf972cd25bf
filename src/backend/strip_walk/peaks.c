/* What a device can do at most, for benchmarks to be measured against. */
#include "backend/strip_walk/engine.h"

#include "util/clock.h"

#include <stdlib.h>
#include <string.h>

enum { COPY_MEBIBYTES = 64, COPIES = 32, PEAK_BLOCKS_A_MULTIPROCESSOR = 8, PEAK_ROUNDS = 20000 };

/* Waits for what was sent to the stream; the seconds since `start`. */
static int finish(StripLane *lane, double start, double *seconds)
{
    const StripDriver *driver = lane->engine->driver;
    int code = driver->event_record(lane->mark, lane->copies);
    if (!code)
        code = driver->event_wait(lane->mark);
    *seconds = vqx_seconds() - start;
    return code;
}

static int measure_copies(StripLane *lane, double *rate)
{
    const StripDriver *driver = lane->engine->driver;
    const size_t bytes = (size_t)COPY_MEBIBYTES << 20;
    void *host = NULL, *device = NULL;
    double seconds = 0;
    int code = driver->pinned_alloc(&host, bytes);
    if (!code)
        code = driver->memory_alloc(&device, bytes);
    if (!code)
        memset(host, 0x5a, bytes);
    for (int turn = 0; !code && turn < 2; turn++) { /* the first warms up */
        const double start = vqx_seconds();
        for (int i = 0; !code && i < COPIES; i++)
            code = driver->copy_in(device, host, bytes, lane->copies);
        if (!code)
            code = finish(lane, start, &seconds);
    }
    *rate = COPIES * (double)bytes / seconds;
    if (device)
        driver->memory_free(device);
    if (host)
        driver->pinned_free(host);
    return code;
}

static int measure_arithmetic(StripLane *lane, const StripLaunch *launch, double *rate)
{
    const StripDriver *driver = lane->engine->driver;
    const unsigned grid[3] = {
        (unsigned)(PEAK_BLOCKS_A_MULTIPROCESSOR * lane->device.multiprocessors), 1, 1};
    int rounds = PEAK_ROUNDS;
    float *out = lane->batch[0].sums;
    void *params[] = {&out, &rounds};
    double seconds = 0;
    int code = 0;
    for (int turn = 0; !code && turn < 3; turn++) {
        const double start = vqx_seconds();
        code = driver->launch(launch->function, grid, launch->threads, 0, lane->copies, params);
        if (!code)
            code = finish(lane, start, &seconds);
    }
    *rate = (double)grid[0] * launch->threads * rounds * PEAK_OPERATIONS / seconds;
    return code;
}

int strip_engine_measure_peaks(VqxEngine *engine, VqxPeaks *peaks, VqxError *error)
{
    StripLane *lane = &engine->lanes[0];
    StripLaunch launch = {.threads = PEAK_THREADS};
    int code = engine->driver->activate(lane->device.handle);
    *peaks = (VqxPeaks){0};
    if (!code)
        code = measure_copies(lane, &peaks->copy_bytes);
    int status = strip_check(lane, code, "measure copies", error);
    if (!status)
        status = strip_kernels_find(lane, &launch, STRIP_PART_PLANES, "vqx_peak_f32", error);
    if (!status)
        status = strip_check(lane, measure_arithmetic(lane, &launch, &peaks->f32),
                             "measure arithmetic", error);
    return status;
}
