/* What the processor can do at most, for benchmarks: every thread of the engine in the loop of peak_tmpl.h at once. */
#include "backend/cpu/cpu.h"

#include "util/clock.h"
#include "util/error.h"

#include <stdlib.h>

enum { ROUNDS = 500000, TURNS = 8 };

typedef struct Turn {
    pthread_t thread;
    double (*peak)(long rounds);
    double operations;
} Turn;

static void *run(void *opaque)
{
    Turn *turn = opaque;
    turn->operations = turn->peak(ROUNDS);
    return NULL;
}

/* Operations a second of all threads together; 0: one could not be started. */
static double rate(Turn *turns, unsigned count)
{
    const double start = vqx_seconds();
    double operations = 0;
    unsigned started = 0;
    while (started < count && !pthread_create(&turns[started].thread, NULL, run, &turns[started]))
        started++;
    for (unsigned i = 0; i < started; i++) {
        pthread_join(turns[i].thread, NULL);
        operations += turns[i].operations;
    }
    return started == count ? operations / (vqx_seconds() - start) : 0;
}

int cpu_measure_peaks(VqxEngine *engine, VqxPeaks *peaks, VqxError *error)
{
    *peaks = (VqxPeaks){0};
    if (!engine->rows->peak)
        return 0;
    Turn *turns = calloc(engine->worker_count, sizeof *turns);
    if (!turns)
        return vqx_fail(error, VQX_ERROR_MEMORY, "out of memory");
    for (unsigned i = 0; i < engine->worker_count; i++)
        turns[i].peak = engine->rows->peak;
    for (int n = 0; n < TURNS; n++) { /* the best: other programs only ever slow it */
        const double r = rate(turns, engine->worker_count);
        peaks->f32 = r > peaks->f32 ? r : peaks->f32;
    }
    free(turns);
    return 0;
}
