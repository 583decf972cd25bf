#include "parity/digest.h"

#include <math.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

uint64_t digest_doubles(uint64_t before, double *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        values[i] = values[i] == 0 ? 0 : values[i] == values[i] ? values[i] : (double)NAN;
    return XXH64(values, count * sizeof *values, before);
}

uint32_t digest_floats(uint32_t before, float *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        values[i] = values[i] == 0 ? 0 : values[i] == values[i] ? values[i] : NAN;
    return XXH32(values, count * sizeof *values, before);
}
