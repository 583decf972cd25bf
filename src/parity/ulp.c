/* How far two doubles are apart. */
#include "parity/ulp.h"

#include <string.h>

/* Doubles in the order of their values, -0 just below 0, so that neighbours differ by 1. */
static int64_t ordered(double x)
{
    int64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits < 0 ? INT64_MIN - bits - 1 : bits;
}

uint64_t ulp_between(double a, double b)
{
    if (a != a || b != b)
        return UINT64_MAX;
    const int64_t x = ordered(a), y = ordered(b);
    return x > y ? (uint64_t)x - (uint64_t)y : (uint64_t)y - (uint64_t)x;
}
