/* The processor's rate of multiplications and additions, unfused, for benchmarks: chains enough to hide the latency, in
 * registers. */
#ifndef VQX_BACKEND_CPU_PEAK_TMPL_H
#define VQX_BACKEND_CPU_PEAK_TMPL_H

enum { PEAK_CHAINS = 12 };

static double peak(long rounds)
{
    Vector chain[PEAK_CHAINS], factor = broadcast(0.999f), term = broadcast(0.001f);
    for (int i = 0; i < PEAK_CHAINS; i++)
        chain[i] = broadcast((float)i);
    for (long n = 0; n < rounds; n++) {
        UNROLL
        for (int i = 0; i < PEAK_CHAINS; i++)
            chain[i] = chain[i] * factor + term;
    }
    volatile float sink = 0.0f; /* the work must not be optimized away */
    for (int i = 0; i < PEAK_CHAINS; i++)
        sink = sink + chain[i][0];
    return 2.0 * VIF_LANES * PEAK_CHAINS * (double)rounds;
}

#endif
