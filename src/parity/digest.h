/* Digests of values that must be the same everywhere. Zeros of either sign are one value, as no
 * output tells them apart; so are NaNs. */
#ifndef VQX_PARITY_DIGEST_H
#define VQX_PARITY_DIGEST_H

#include <stddef.h>
#include <stdint.h>

/* Each goes on from `before` (0 at the start): XXH64 and XXH32 with that as the seed. The values may
 * be changed. */
uint64_t digest_doubles(uint64_t before, double *values, size_t count);
uint32_t digest_floats(uint32_t before, float *values, size_t count);

#endif
