#include "media/digest.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

uint64_t vqx_digest_plane(const VqxPlane *plane)
{
    const size_t row = plane->width * (size_t)(plane->bit_depth > 8 ? 2 : 1);
    XXH3_state_t state;
    XXH3_INITSTATE(&state);
    XXH3_64bits_reset(&state);
    for (ptrdiff_t y = 0; y < (ptrdiff_t)plane->height; y++)
        XXH3_64bits_update(&state, (const char *)plane->data + y * plane->stride, row);
    return XXH3_64bits_digest(&state);
}

uint64_t vqx_digest_next(uint64_t before, uint64_t frame)
{
    unsigned char bytes[16];
    for (int i = 0; i < 8; i++) {
        bytes[i] = (unsigned char)(before >> (8 * i));
        bytes[8 + i] = (unsigned char)(frame >> (8 * i));
    }
    return XXH3_64bits(bytes, sizeof bytes);
}
