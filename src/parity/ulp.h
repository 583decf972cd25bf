/* How far two doubles are apart. */
#ifndef VQX_PARITY_ULP_H
#define VQX_PARITY_ULP_H

#include <stdint.h>

/* The number of doubles from a to b, zeros of either sign being two: 0 only for equal bits; UINT64_MAX where one is NaN. */
uint64_t ulp_between(double a, double b);

#endif
