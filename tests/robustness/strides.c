/*
 * Planes whose rows lie so far apart that their bytes pass 2^31 and 2^32, stored downwards and upwards: each must give the
 * sums of the same samples without gaps. The gaps are never touched, so they cost addresses and no memory.
 *
 *   strides BACKEND [DEVICE [MODULES]]
 */
#include "backend/backend.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { WIDTH = 64, HEIGHT = 72, SKIPPED = 77 };

typedef struct View {
    char *mapping;
    size_t bytes;
    VqxPlane plane;
} View;

static uint16_t samples[2][HEIGHT][WIDTH];

static const VqxBackend *find_backend(const char *name, const char *modules, VqxError *error)
{
    for (size_t i = 0; i < vqx_backend_count(); i++)
        if (!strcmp(vqx_backend_name(i), name))
            return vqx_backend_get(i, modules, error);
    return NULL;
}

/* The samples with `gap` bytes from row to row; negative: the first row has the highest address. */
static View make_view(int image, ptrdiff_t gap)
{
    const size_t distance = (size_t)(gap < 0 ? -gap : gap), row = sizeof samples[0][0];
    View view = {.bytes = distance * (HEIGHT - 1) + row};
    view.mapping = mmap(NULL, view.bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (view.mapping == MAP_FAILED) {
        perror("mmap");
        exit(2);
    }
    char *first = gap < 0 ? view.mapping + distance * (HEIGHT - 1) : view.mapping;
    for (int y = 0; y < HEIGHT; y++)
        memcpy(first + y * gap, samples[image][y], row);
    view.plane =
        (VqxPlane){.data = first, .stride = gap, .width = WIDTH, .height = HEIGHT, .bit_depth = 10};
    return view;
}

/* Straight through the backend, which reads the planes where they lie. */
static int compute(const VqxBackend *backend, const VqxEngineParams *params, const View view[2],
                   float *sums, VqxError *error)
{
    VqxEngine *engine;
    VqxEngineInfo info;
    float *const of_plan[1] = {sums};
    VqxJob job = {.plane = {view[0].plane, view[1].plane}, .sums = of_plan};
    int status = backend->open(&engine, params, &info, error);
    if (status)
        return status;
    status = backend->submit(engine, &job, error);
    if (!status)
        status = backend->wait(engine, &job, error);
    backend->close(engine);
    return status;
}

int main(int argc, char **argv)
{
    static const ptrdiff_t gaps[] = {sizeof samples[0][0], (1 << 25) + 128, -(1 << 25) - 128,
                                     (1 << 26) + 128, -(1 << 26) - 128};
    VqxError error = {0};
    VqxVifOptions options;
    VifPlan plan;
    float *expected = NULL;
    int failed = 0;
    const char *name = argc > 1 ? argv[1] : "cpu";
    const VqxBackend *backend = find_backend(name, argc > 3 ? argv[3] : NULL, &error);
    if (!backend) {
        printf("skipped: %s\n", error.message);
        return SKIPPED;
    }
    for (unsigned i = 0; i < 2 * HEIGHT * WIDTH; i++)
        (&samples[0][0][0])[i] = (uint16_t)(i * 2654435761u >> 22);
    vqx_vif_default_options(&options);
    if (vif_plan_init(&plan, &options, WIDTH, HEIGHT, &error)) {
        fprintf(stderr, "%s\n", error.message);
        return 2;
    }
    const VqxEngineParams params = {.plans = &plan,
                                    .plan_count = 1,
                                    .width = WIDTH,
                                    .height = HEIGHT,
                                    .depth = {10, 10},
                                    .device = argc > 2 ? argv[2] : NULL,
                                    .threads = 2};
    const size_t bytes = 2 * plan.rows * sizeof(float);
    for (size_t i = 0; i < sizeof gaps / sizeof *gaps; i++) {
        const View view[2] = {make_view(0, gaps[i]), make_view(1, gaps[i])};
        float *sums = calloc(1, bytes);
        const int status = compute(backend, &params, view, sums, &error);
        const int equal = !status && (!expected || !memcmp(sums, expected, bytes));
        printf("%s, a stride of %td: planes over %zu bytes: %s\n", name, gaps[i], view[0].bytes,
               status  ? error.message
               : equal ? "the same sums"
                       : "OTHER SUMS");
        failed += !equal;
        for (int k = 0; k < 2; k++)
            munmap(view[k].mapping, view[k].bytes);
        if (expected)
            free(sums);
        else
            expected = sums;
    }
    free(expected);
    vif_plan_free(&plan);
    return failed ? 1 : 0;
}
