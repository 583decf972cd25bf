/*
 * What the SYCL backend refuses, and what it says, on a device of the tests (shim/) that lacks one
 * thing after the other. A device's properties are read once a process, so each case is one of its own.
 *
 *   errors_test MODULES
 */
#include "backend/backend.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WIDTH = 32, HEIGHT = 24 };

static uint8_t samples[WIDTH * HEIGHT];

static const VqxBackend *load(const char *modules)
{
    VqxError error;
    for (size_t i = 0; i < vqx_backend_count(); i++) {
        if (strcmp(vqx_backend_name(i), "sycl"))
            continue;
        const VqxBackend *backend = vqx_backend_get(i, modules, &error);
        if (!backend)
            fprintf(stderr, "%s\n", error.message);
        return backend;
    }
    return NULL;
}

/* A frame's way through the backend, as far as it gets. */
typedef struct Try {
    int width, height;
    const char *device;
    int form, memory; /* VqxForm, VqxMemory */
    unsigned frames;  /* submitted before the first is waited for */
    int pinned;       /* also asks for pinned memory */
} Try;

static VqxJob make_job(const VifPlan *plan, float *const *sums, int memory)
{
    VqxJob job = {.sums = sums};
    for (int i = 0; i < 2; i++)
        job.plane[i] = (VqxPlane){.data = samples,
                                  .stride = plan->width,
                                  .width = (unsigned)plan->width,
                                  .height = (unsigned)plan->height,
                                  .bit_depth = 8,
                                  .memory = memory};
    return job;
}

static int submit_frames(const VqxBackend *backend, VqxEngine *engine, const VifPlan *plan,
                         const Try *try, VqxError *error)
{
    float *sums[1] = {calloc(2 * plan->rows, sizeof(float))};
    VqxJob job[8];
    unsigned submitted = 0;
    int status = 0;
    while (!status && submitted < try->frames) {
        job[submitted] = make_job(plan, sums, try->memory);
        status = backend->submit(engine, &job[submitted], error);
        submitted += !status;
    }
    for (unsigned i = 0; i < submitted; i++) {
        const int waited = backend->wait(engine, &job[i], status ? NULL : error);
        status = status ? status : waited;
    }
    free(sums[0]);
    return status;
}

static int attempt(const VqxBackend *backend, const Try *try, VqxError *error)
{
    VqxVifOptions options;
    VifPlan plan;
    VqxEngine *engine;
    VqxEngineInfo info;
    vqx_vif_default_options(&options);
    int status = vif_plan_init(&plan, &options, try->width, try->height, error);
    if (status)
        return status;
    const VqxEngineParams params = {.plans = &plan,
                                    .plan_count = 1,
                                    .width = plan.width,
                                    .height = plan.height,
                                    .depth = {8, 8},
                                    .device = try->device,
                                    .in_flight = 2,
                                    .form = try->form};
    status = backend->open(&engine, &params, &info, error);
    if (!status) {
        if (try->pinned && !backend->memory_alloc(engine, 4096, error))
            status = error->status;
        if (!status)
            status = submit_frames(backend, engine, &plan, try, error);
        backend->close(engine);
    }
    vif_plan_free(&plan);
    return status;
}

typedef struct Case {
    const char *faults; /* of the device */
    int status;         /* expected */
    const char *says;
    Try try;
} Case;

static const Case cases[] = {
    {"", 0, "", {WIDTH, HEIGHT, NULL, 0, 0, 2, 1}},
    {"", 0, "", {WIDTH, HEIGHT, "runner", VQX_FORM_FP64_FREE, 0, 1, 0}},
    {"no-division", 0, "", {WIDTH, HEIGHT, NULL, 0, 0, 1, 0}},
    {"", VQX_ERROR_BACKEND, "uses no f64", {WIDTH, HEIGHT, NULL, VQX_FORM_NATIVE, 0, 1, 0}},
    {"", VQX_ERROR_BACKEND, "a number from 0 to 0 is taken", {WIDTH, HEIGHT, "1", 0, 0, 1, 0}},
    {"", VQX_ERROR_BACKEND, "no SYCL device 'arc'", {WIDTH, HEIGHT, "arc", 0, 0, 1, 0}},
    {"", VQX_ERROR_OPTION, "'+fast' is not understood", {WIDTH, HEIGHT, "0+fast", 0, 0, 1, 0}},
    {"", VQX_ERROR_BACKEND, "takes", {16384, 16384, NULL, 0, 0, 1, 0}},
    {"", VQX_ERROR_ARGUMENT, "in flight already", {WIDTH, HEIGHT, NULL, 0, 0, 3, 0}},
    {"",
     VQX_ERROR_ARGUMENT,
     "planes in host memory",
     {WIDTH, HEIGHT, NULL, 0, VQX_MEMORY_DEVICE, 1, 0}},
    {"no-device", VQX_ERROR_BACKEND, "finds no device", {WIDTH, HEIGHT, NULL, 0, 0, 1, 0}},
    {"no-runtime", VQX_ERROR_BACKEND, "cannot be started", {WIDTH, HEIGHT, NULL, 0, 0, 1, 0}},
    {"no-usm", VQX_ERROR_BACKEND, "no unified shared memory", {WIDTH, HEIGHT, NULL, 0, 0, 1, 0}},
    {"no-denorm", VQX_ERROR_BACKEND, "subnormal numbers", {WIDTH, HEIGHT, NULL, 0, 0, 1, 0}},
    {"small-local",
     VQX_ERROR_BACKEND,
     "16384 bytes of local memory",
     {WIDTH, HEIGHT, NULL, 0, 0, 1, 0}},
    {"no-pinned", VQX_ERROR_BACKEND, "cannot be allocated", {WIDTH, HEIGHT, NULL, 0, 0, 1, 0}},
    {"device-fails",
     VQX_ERROR_BACKEND,
     "fails in a frame: the device was lost",
     {WIDTH, HEIGHT, NULL, 0, 0, 2, 0}},
};

/* Device listings say what opening says. */
static int listed_reason(const VqxBackend *backend, const Case *c)
{
    VqxDevice device;
    const int refused =
        strstr("no-device no-runtime no-usm no-denorm small-local", c->faults) && *c->faults;
    const size_t count = backend->devices(&device, 1);
    return count == 1 && device.available == !refused &&
                   (!refused || strstr(device.reason, c->says))
               ? 0
               : -1;
}

static int run_case(const Case *c, const char *modules)
{
    VqxError error = {0};
    setenv("VQX_SYCL_SHIM", c->faults, 1);
    const VqxBackend *backend = load(modules);
    if (!backend)
        return 1;
    const int status = attempt(backend, &c->try, &error);
    const int listed = listed_reason(backend, c);
    if (status == c->status && (!status || strstr(error.message, c->says)) && !listed)
        return 0;
    fprintf(stderr, "'%s': status %d, '%s', %s; expected status %d and '%s'\n", c->faults, status,
            status ? error.message : "", listed ? "listed otherwise" : "listed so", c->status,
            c->says);
    return 1;
}

int main(int argc, char **argv)
{
    int failed = 0, count = (int)(sizeof cases / sizeof cases[0]);
    if (argc != 2) {
        fprintf(stderr, "usage: errors_test MODULES\n");
        return 2;
    }
    for (int i = 0; i < count; i++) {
        int status;
        const pid_t child = fork();
        if (child == 0)
            _exit(run_case(&cases[i], argv[1]));
        if (child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) &&
            !WEXITSTATUS(status))
            continue;
        fprintf(stderr, "case %d, '%s': failed\n", i, cases[i].says);
        failed++;
    }
    printf("%d cases, %d failed\n", count, failed);
    return failed ? 1 : 0;
}
