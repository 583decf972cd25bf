#include "cpu/fence.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

Random random_begin(uint64_t seed)
{
    return (Random){seed * 0x9E3779B97F4A7C15ull + 0xBF58476D1CE4E5B9ull};
}

uint32_t random_bits(Random *random)
{
    uint64_t z = random->state += 0x9E3779B97F4A7C15ull; /* splitmix64 */
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return (uint32_t)(z >> 32);
}

int random_int(Random *random, int least, int most)
{
    const uint32_t span = (uint32_t)(most - least) + 1;
    return least + (int)(((uint64_t)random_bits(random) * span) >> 32);
}

Fence fence_make(size_t bytes, size_t alignment, int at_end)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    const size_t room = (bytes + alignment + page - 1) / page * page;
    Fence fence = {.bytes = bytes, .page_bytes = room + 2 * page};
    fence.pages =
        mmap(NULL, fence.page_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (fence.pages == MAP_FAILED || mprotect(fence.pages + page, room, PROT_READ | PROT_WRITE)) {
        fprintf(stderr, "out of memory for %zu bytes\n", bytes);
        exit(2);
    }
    fence.data = fence.pages + page + (at_end ? (room - bytes) / alignment * alignment : 0);
    return fence;
}

void fence_free(Fence *fence)
{
    munmap(fence->pages, fence->page_bytes);
    *fence = (Fence){0};
}

void fence_fill_random(Fence *fence, Random *random)
{
    for (size_t i = 0; i < fence->bytes; i += 4) {
        const uint32_t bits = random_bits(random);
        const size_t left = fence->bytes - i;
        memcpy(fence->data + i, &bits, left < 4 ? left : 4);
    }
}
