/* Fibers with barriers, and memory between guard pages. See runner.h. */
#undef _FORTIFY_SOURCE /* its longjmp takes another fiber's stack for a mistake */
#include "simt/runner.h"

#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

enum { MAX_THREADS = 1024, STACK = 256 << 10, SHARED = 64 << 10, CANARY = 4096, PAGE = 4096 };

typedef struct Fiber {
    ucontext_t first; /* how it starts; afterwards setjmp and longjmp are enough, and cheaper */
    jmp_buf context;
    char *stack;
    enum { FRESH, READY, WAITING, ENDED } state;
    unsigned group; /* what it waits for: 0 the block */
} Fiber;

SimtIndex threadIdx, blockIdx;
_Alignas(
    PAGE) float shared[(SHARED + CANARY) / sizeof(float)]; /* the kernels' dynamic shared memory */

static Fiber fibers[MAX_THREADS];
static jmp_buf scheduler;
static unsigned running, block_threads;
static void (*block_body)(void *);
static void *block_argument;
static uint64_t seed;

static unsigned random_below(unsigned n)
{
    if (!seed) {
        const char *text = getenv("VQX_SIMT_SEED");
        seed = (text ? strtoull(text, NULL, 10) : 1) * 0x9e3779b97f4a7c15u + 1;
    }
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)((seed >> 33) % n);
}

static void fail(const char *what)
{
    fprintf(stderr, "simt: %s (block %u, %u, %u)\n", what, blockIdx.x, blockIdx.y, blockIdx.z);
    exit(3);
}

static void fiber_main(void)
{
    block_body(block_argument);
    fibers[running].state = ENDED;
    _longjmp(scheduler, 1);
}

void simt_barrier(unsigned threads)
{
    Fiber *self = &fibers[running];
    self->state = WAITING;
    self->group = threads;
    if (!_setjmp(self->context))
        _longjmp(scheduler, 1);
}

static void start_fiber(Fiber *fiber)
{
    if (!fiber->stack) {
        fiber->stack =
            mmap(NULL, STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (fiber->stack == MAP_FAILED || mprotect(fiber->stack, PAGE, PROT_NONE))
            fail("no memory for stacks");
    }
    if (!fiber->first.uc_stack.ss_sp) {
        getcontext(&fiber->first);
        fiber->first.uc_stack.ss_sp = fiber->stack;
        fiber->first.uc_stack.ss_size = STACK;
        makecontext(&fiber->first, fiber_main, 0);
    }
    fiber->state = FRESH;
}

/* Lets go of a group of threads that all wait for each other; their number. */
static unsigned release(unsigned first, unsigned count, unsigned group)
{
    for (unsigned t = first; t < first + count; t++)
        if (fibers[t].state != WAITING || fibers[t].group != group)
            return 0;
    for (unsigned t = first; t < first + count; t++)
        fibers[t].state = READY;
    return count;
}

static unsigned release_any(void)
{
    unsigned released = release(0, block_threads, 0);
    for (unsigned t = 0; !released && t < block_threads; t++)
        if (fibers[t].state == WAITING && fibers[t].group && t % fibers[t].group == 0 &&
            t + fibers[t].group <= block_threads)
            released = release(t, fibers[t].group, fibers[t].group);
    return released;
}

/* Every ready thread up to its next barrier, from a random one on, forwards or backwards. */
static void run_ready(void)
{
    static volatile unsigned i, t, step; /* kept across the jumps */
    step = random_below(2) ? 1 : block_threads - 1;
    t = random_below(block_threads);
    for (i = 0; i < block_threads; i++, t = (t + step) % block_threads) {
        const int fresh = fibers[t].state == FRESH;
        if (!fresh && fibers[t].state != READY)
            continue;
        running = t;
        threadIdx = (SimtIndex){t, 0, 0};
        if (_setjmp(scheduler))
            continue;
        if (fresh)
            setcontext(&fibers[t].first);
        _longjmp(fibers[t].context, 1);
    }
}

static unsigned ended(void)
{
    unsigned count = 0;
    for (unsigned t = 0; t < block_threads; t++)
        count += fibers[t].state == ENDED;
    return count;
}

static void run_block(unsigned shared_bytes)
{
    memset(shared, 0xff, sizeof shared);
    for (unsigned t = 0; t < block_threads; t++)
        start_fiber(&fibers[t]);
    do
        run_ready();
    while (release_any());
    if (ended() != block_threads)
        fail("a barrier that not all threads of its group reach");
    for (const unsigned char *p = (const unsigned char *)shared + shared_bytes;
         p < (const unsigned char *)shared + sizeof shared; p++)
        if (*p != 0xff)
            fail("a write behind the dynamic shared memory");
}

void simt_launch(void (*body)(void *), void *argument, const unsigned grid[3], unsigned threads,
                 unsigned shared_bytes)
{
    if (threads > MAX_THREADS || shared_bytes > SHARED)
        fail("a launch beyond the device's limits");
    block_body = body;
    block_argument = argument;
    block_threads = threads;
    for (unsigned z = 0; z < grid[2]; z++) {
        for (unsigned y = 0; y < grid[1]; y++) {
            for (unsigned x = 0; x < grid[0]; x++) {
                blockIdx = (SimtIndex){x, y, z};
                run_block(shared_bytes);
            }
        }
    }
}

/* ---- memory ---- */

typedef struct Allocation {
    char *memory, *mapping;
    size_t mapped, asked;
    struct Allocation *next;
} Allocation;

static Allocation *allocations;
static size_t used, most_used;

size_t simt_used(void)
{
    return used;
}

size_t simt_most_used(void)
{
    return most_used;
}

void *simt_alloc(size_t bytes)
{
    const size_t size = (bytes + 15) / 16 * 16, pages = (size + PAGE - 1) / PAGE * PAGE;
    Allocation *a = malloc(sizeof *a);
    if (!a)
        return NULL;
    a->asked = bytes;
    a->mapped = pages + 2 * PAGE;
    a->mapping = mmap(NULL, a->mapped, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (a->mapping == MAP_FAILED || mprotect(a->mapping + PAGE, pages, PROT_READ | PROT_WRITE)) {
        free(a);
        return NULL;
    }
    memset(a->mapping + PAGE, 0xff, pages);
    a->memory = a->mapping + PAGE + (random_below(2) ? pages - size : 0);
    a->next = allocations;
    allocations = a;
    used += bytes;
    most_used = used > most_used ? used : most_used;
    return a->memory;
}

int simt_free(void *memory)
{
    for (Allocation **at = &allocations; *at; at = &(*at)->next) {
        Allocation *a = *at;
        if (a->memory != memory)
            continue;
        *at = a->next;
        used -= a->asked;
        munmap(a->mapping, a->mapped);
        free(a);
        return 0;
    }
    return -1;
}
