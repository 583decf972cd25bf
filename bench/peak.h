/* Loops of mul and add; each returns the number of f32 operations it has done. */
#ifndef VQX_BENCH_PEAK_H
#define VQX_BENCH_PEAK_H

double peak_sse2(long rounds);
double peak_avx2(long rounds);
double peak_avx512(long rounds);
double peak_neon(long rounds);

#endif
