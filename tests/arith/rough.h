/* A reciprocal as wrong as a device's may be: 2 to 2.5 ulp off, above or below by the bits of x. */
#ifndef VQX_TESTS_ARITH_ROUGH_H
#define VQX_TESTS_ARITH_ROUGH_H

#include <stdint.h>
#include <string.h>

static inline float rough_reciprocal(float x)
{
    const float rounded = 1.0f / x;
    uint32_t of, bits;
    memcpy(&of, &x, sizeof of);
    memcpy(&bits, &rounded, sizeof bits);
    bits += of * 0x9e3779b1u >> 31 ? 2u : (uint32_t)-2;
    float rough;
    memcpy(&rough, &bits, sizeof rough);
    return rough;
}

#define VQX_RECIPROCAL(x) rough_reciprocal(x)

#endif
