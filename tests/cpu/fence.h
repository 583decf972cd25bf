/* Buffers between two pages that cannot be touched, and the random bytes that fill them. */
#ifndef VQX_TESTS_CPU_FENCE_H
#define VQX_TESTS_CPU_FENCE_H

#include <stddef.h>
#include <stdint.h>

typedef struct Random {
    uint64_t state;
} Random;

Random random_begin(uint64_t seed);
uint32_t random_bits(Random *random);
/* least..most, both included. */
int random_int(Random *random, int least, int most);

typedef struct Fence {
    char *data; /* `bytes` of them */
    size_t bytes;
    char *pages;
    size_t page_bytes;
} Fence;

/* The buffer ends at the page after it, up to the alignment (a power of two), or begins at the page
 * before it. Exits where there is no memory. */
Fence fence_make(size_t bytes, size_t alignment, int at_end);
void fence_free(Fence *fence);

void fence_fill_random(Fence *fence, Random *random);

#endif
