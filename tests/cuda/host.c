#include "host.h"

#include "arith/dialect_c.h"

#include "arith/statistic.h"

#include <pthread.h>
#include <stdlib.h>

typedef struct Part {
    const float *x;
    uint32_t first;
    size_t count;
    uint64_t wrong;
} Part;

static void *check_part(void *opaque)
{
    Part *p = opaque;
    for (size_t i = 0; i < p->count; i++)
        p->wrong += vqx_bits(p->x[i]) != vqx_bits(vif_log2a(vqx_from_bits(p->first + (uint32_t)i)));
    return NULL;
}

uint64_t host_check_log2a(const float *x, uint32_t first, size_t count, int threads)
{
    Part part[64];
    pthread_t thread[64];
    uint64_t wrong = 0;
    const size_t share = count / (size_t)threads;
    for (int t = 0; t < threads; t++) {
        const size_t from = share * (size_t)t;
        part[t] =
            (Part){x + from, first + (uint32_t)from, t + 1 < threads ? share : count - from, 0};
        if (pthread_create(&thread[t], NULL, check_part, &part[t]))
            abort();
    }
    for (int t = 0; t < threads; t++) {
        pthread_join(thread[t], NULL);
        wrong += part[t].wrong;
    }
    return wrong;
}

static int differs(float x, float expected)
{
    return vqx_bits(x) != vqx_bits(expected) && !(x != x && expected != expected);
}

uint64_t host_check_num(const float *x, const float *gs, const float *sv, size_t count, double nsq)
{
    uint64_t wrong = 0;
    for (size_t i = 0; i < count; i++)
        wrong += (uint64_t)differs(x[i], vif_num_f64(gs[i], sv[i], nsq));
    return wrong;
}

uint64_t host_check_den(const float *x, const float *s1, size_t count, double nsq)
{
    uint64_t wrong = 0;
    for (size_t i = 0; i < count; i++)
        wrong += (uint64_t)differs(x[i], vif_den_f64(s1[i], nsq));
    return wrong;
}
