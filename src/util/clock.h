/* Seconds, for rates and times that are shown. */
#ifndef VQX_UTIL_CLOCK_H
#define VQX_UTIL_CLOCK_H

#include <time.h>

static inline double vqx_seconds_of(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Since some moment in the past; never goes back. */
static inline double vqx_seconds(void)
{
    return vqx_seconds_of(CLOCK_MONOTONIC);
}

#endif
