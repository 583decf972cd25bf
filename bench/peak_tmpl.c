/* The processor's rate of f32 multiplications and additions, unfused, in vectors of PEAK_LANES: chains enough to hide the
 * latency, in registers. Compiled once for each instruction set, as rows_tmpl.c is. */
#include "peak.h"

enum { CHAINS = 12 };

typedef float Vector __attribute__((vector_size(4 * PEAK_LANES)));

double PEAK_NAME(long rounds)
{
    Vector chain[CHAINS], factor = (Vector){0} + 0.999f, term = (Vector){0} + 0.001f;
    for (int i = 0; i < CHAINS; i++)
        chain[i] = (Vector){0} + (float)i;
    for (long n = 0; n < rounds; n++) {
#pragma GCC unroll 12
        for (int i = 0; i < CHAINS; i++)
            chain[i] = chain[i] * factor + term;
    }
    volatile float sink = 0.0f;
    for (int i = 0; i < CHAINS; i++)
        sink += chain[i][0];
    return 2.0 * PEAK_LANES * CHAINS * (double)rounds;
}
