/*
 * What the OpenCL backend refuses, and what it says: devices that are not there, frames too large for the device's
 * memory, planes it does not take.
 *
 *   errors_test DEVICE
 */
#include "backend/opencl/engine.h"

#include <stdio.h>
#include <string.h>

VQX_API const VqxBackend *vqx_backend_module(void);

static int failed;

static void expect(const char *what, int status, const VqxError *error, int wanted,
                   const char *says)
{
    if (status == wanted && strstr(error->message, says))
        return;
    fprintf(stderr, "%s: status %d, '%s'; expected status %d and '%s'\n", what, status,
            status ? error->message : "", wanted, says);
    failed++;
}

static int open_engine(VqxEngine **engine, const VifPlan *plan, const char *device, VqxError *error)
{
    VqxEngineInfo info;
    const VqxEngineParams params = {.plans = plan,
                                    .plan_count = 1,
                                    .width = plan->width,
                                    .height = plan->height,
                                    .depth = {8, 8},
                                    .device = device};
    *error = (VqxError){0};
    return vqx_backend_module()->open(engine, &params, &info, error);
}

int main(int argc, char **argv)
{
    const VqxBackend *backend = vqx_backend_module();
    unsigned char samples[16 * 16] = {0};
    VqxVifOptions options;
    VifPlan small, large;
    VqxEngine *engine;
    VqxError error = {0};
    if (argc != 2) {
        fprintf(stderr, "usage: errors_test DEVICE\n");
        return 2;
    }
    vqx_vif_default_options(&options);
    if (vif_plan_init(&small, &options, 16, 16, &error) ||
        vif_plan_init(&large, &options, 65535, 65535, &error)) {
        fprintf(stderr, "%s\n", error.message);
        return 2;
    }
    expect("a name of no device", open_engine(&engine, &small, "no such", &error), &error,
           VQX_ERROR_BACKEND, "there is no OpenCL device 'no such'; a number from 0 to");
    expect("a number of no device", open_engine(&engine, &small, "99", &error), &error,
           VQX_ERROR_BACKEND, "there is no OpenCL device '99'");
    expect("a suffix", open_engine(&engine, &small, "0+quick", &error), &error, VQX_ERROR_OPTION,
           "+soft-division is");
    expect("a frame too large", open_engine(&engine, &large, argv[1], &error), &error,
           VQX_ERROR_BACKEND, "a frame of 65535x65535 takes");
    expect("a small frame", open_engine(&engine, &small, argv[1], &error), &error, 0, "");
    if (engine) {
        float sums[256], *sums_of[1] = {sums};
        VqxJob job = {.sums = sums_of};
        for (int i = 0; i < 2; i++)
            job.plane[i] = (VqxPlane){.data = samples,
                                      .stride = 16,
                                      .width = 16,
                                      .height = 16,
                                      .bit_depth = 8,
                                      .memory = VQX_MEMORY_DEVICE};
        expect("a plane in device memory", backend->submit(engine, &job, &error), &error,
               VQX_ERROR_ARGUMENT, "planes in host memory");
        backend->close(engine);
    }
    vif_plan_free(&small);
    vif_plan_free(&large);
    printf("6 refusals, %d failed\n", failed);
    return failed ? 1 : 0;
}
