/* What the context does with a backend's refusals.   seam_test FOLDER, where seam_module.c is the module for sycl */
#include "cmocka_vqx.h"

#include "vqx.h"

enum { SIZE = 32 };

static const char *folder;
static unsigned char samples[SIZE * SIZE];

static VqxContext *open_context(const char *backend)
{
    VqxContext *ctx;
    VqxSettings settings;
    VqxError error;
    vqx_default_settings(&settings);
    settings.backend = backend;
    settings.module_folder = folder;
    if (vqx_open(&ctx, &settings, &error))
        fail_msg("%s", error.message);
    return ctx;
}

static VqxPlane plane(int memory)
{
    return (VqxPlane){.data = samples,
                      .stride = SIZE,
                      .width = SIZE,
                      .height = SIZE,
                      .bit_depth = 8,
                      .memory = memory};
}

static void a_full_device_is_waited_for(void **state)
{
    (void)state;
    VqxContext *ctx = open_context("sycl");
    const VqxPlane device = plane(VQX_MEMORY_DEVICE), host = plane(VQX_MEMORY_HOST);
    VqxError error;
    for (uint64_t i = 0; i < 12; i++) {
        const VqxPlane *p = i % 3 ? &host : &device;
        if (vqx_submit(ctx, p, p, i, &error))
            fail_msg("frame %d: %s", (int)i, error.message);
    }
    assert_int_equal(vqx_finish(ctx, &error), 0);
    assert_int_equal(vqx_frame_count(ctx), 12);
    vqx_close(&ctx);
}

static void a_refused_frame_is_alone(void **state)
{
    (void)state;
    VqxContext *ctx = open_context("sycl");
    VqxPlane device = plane(VQX_MEMORY_DEVICE);
    VqxError error;
    device.stream = samples;
    assert_int_equal(vqx_submit(ctx, &device, &device, 7, &error), VQX_ERROR_ARGUMENT);
    assert_string_equal(error.message, "frame 7: as it was told");
    device.stream = NULL;
    assert_int_equal(vqx_submit(ctx, &device, &device, 7, &error), 0);
    assert_int_equal(vqx_finish(ctx, &error), 0);
    assert_int_equal(vqx_frame_count(ctx), 1);
    vqx_close(&ctx);
}

static void the_cpu_takes_no_device_memory(void **state)
{
    (void)state;
    VqxContext *ctx = open_context("cpu");
    const VqxPlane device = plane(VQX_MEMORY_DEVICE), host = plane(VQX_MEMORY_HOST);
    VqxError error;
    assert_int_equal(vqx_submit(ctx, &device, &host, 0, &error), VQX_ERROR_ARGUMENT);
    assert_string_equal(error.message, "backend cpu takes no planes in device memory");
    assert_int_equal(vqx_submit(ctx, &host, &device, 0, &error), VQX_ERROR_ARGUMENT);
    assert_int_equal(vqx_submit(ctx, &host, &host, 0, &error), 0);
    vqx_close(&ctx);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_full_device_is_waited_for),
        cmocka_unit_test(a_refused_frame_is_alone),
        cmocka_unit_test(the_cpu_takes_no_device_memory),
    };
    if (argc != 2)
        return 2;
    folder = argv[1];
    return cmocka_run_group_tests(tests, NULL, NULL);
}
