/* Which instruction set to use. Read from top to bottom: what comes later is better and wins where it may be used. */
#include "backend/cpu/rows.h"

/* Bits of --cpumask, which are libvmaf's: a set bit forbids that instruction set. */
enum {
    MASK_SSE2 = 1 << 0,
    MASK_AVX2 = 1 << 3,
    MASK_AVX512 = 1 << 4,
    MASK_NEON = 1 << 0,
};

const VifCpuRows *vif_rows_choose(uint64_t mask)
{
    const VifCpuRows *rows = &vif_rows_c;
#if defined(__x86_64__)
    __builtin_cpu_init(); /* reads CPUID and what the system saves */
    if (mask & MASK_SSE2)
        return rows;
    rows = &vif_rows_sse2;
    if (mask & MASK_AVX2 || !__builtin_cpu_supports("avx2"))
        return rows;
    rows = &vif_rows_avx2;
    if (mask & MASK_AVX512 || !__builtin_cpu_supports("avx512f") ||
        !__builtin_cpu_supports("avx512vl") || !__builtin_cpu_supports("avx512dq") ||
        !__builtin_cpu_supports("avx512bw"))
        return rows;
    rows = &vif_rows_avx512;
#elif defined(__aarch64__)
    if (mask & MASK_NEON)
        return rows;
    rows = &vif_rows_neon;
#else
    (void)mask;
#endif
    return rows;
}
