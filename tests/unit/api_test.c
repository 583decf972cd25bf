/* The public interface: order, gaps, ownership, errors. Scores are compared with those of a plain
 * run in order. */
#include "cmocka_vqx.h"

#include "parity/clip.h"
#include "vqx.h"

#include <stdlib.h>
#include <string.h>

enum { WIDTH = 96, HEIGHT = 64, FRAMES = 9, SAMPLES = WIDTH * HEIGHT };

static uint16_t samples[FRAMES][2][SAMPLES]; /* of 16 bits */

static int make_clip(void **state)
{
    (void)state;
    for (int f = 0; f < FRAMES; f++) {
        clip_content(samples[f][0], WIDTH, HEIGHT, f, "texture", 77);
        clip_distort(samples[f][0], samples[f][1], WIDTH, HEIGHT, f, "noise:20", 77);
        for (int i = 0; i < 2;
             i++) /* eight significant bits, so that every depth holds the same picture */
            for (int n = 0; n < SAMPLES; n++)
                samples[f][i][n] &= 0xff00;
    }
    return 0;
}

static VqxPlane plane_of(void *buffer, int frame, int which, int bits)
{
    clip_pack(samples[frame][which], buffer, SAMPLES, bits);
    return (VqxPlane){.data = buffer,
                      .stride = WIDTH * (bits > 8 ? 2 : 1),
                      .width = WIDTH,
                      .height = HEIGHT,
                      .bit_depth = (unsigned)bits};
}

static int submit(VqxContext *ctx, int frame, uint64_t index, int ref_bits, int dis_bits,
                  VqxError *error)
{
    static uint16_t buffer[2][SAMPLES];
    const VqxPlane ref = plane_of(buffer[0], frame, 0, ref_bits),
                   dis = plane_of(buffer[1], frame, 1, dis_bits);
    const int status = vqx_submit(ctx, &ref, &dis, index, error);
    memset(buffer, 0xa5, sizeof buffer); /* the library has its own copy */
    return status;
}

static VqxContext *open_with(unsigned threads, const VqxVifOptions *options, size_t count)
{
    VqxContext *ctx;
    VqxSettings settings;
    VqxError error;
    vqx_default_settings(&settings);
    settings.backend = "cpu";
    settings.threads = threads;
    settings.vif = options;
    settings.vif_count = count;
    if (vqx_open(&ctx, &settings, &error))
        fail_msg("%s", error.message);
    return ctx;
}

static VqxVifOptions debug_options(void)
{
    VqxVifOptions options;
    vqx_vif_default_options(&options);
    options.debug = 1;
    return options;
}

typedef struct Scores {
    double value[FRAMES][15];
} Scores;

static Scores plain_run(int ref_bits, int dis_bits)
{
    Scores scores;
    VqxError error;
    const VqxVifOptions options = debug_options();
    VqxContext *ctx = open_with(1, &options, 1);
    for (int f = 0; f < FRAMES; f++)
        assert_int_equal(submit(ctx, f, (uint64_t)f, ref_bits, dis_bits, &error), 0);
    assert_int_equal(vqx_finish(ctx, &error), 0);
    for (int f = 0; f < FRAMES; f++)
        assert_int_equal(vqx_frame_scores(ctx, (uint64_t)f, scores.value[f], &error), 0);
    vqx_close(&ctx);
    assert_null(ctx);
    return scores;
}

static void any_order_with_gaps(void **state)
{
    (void)state;
    static const int order[FRAMES] = {4, 8, 0, 3, 1, 7, 2, 6, 5};
    const Scores expected = plain_run(8, 8);
    for (unsigned threads = 1; threads <= 8; threads++) {
        VqxError error;
        double values[15];
        const VqxVifOptions options = debug_options();
        VqxContext *ctx = open_with(threads, &options, 1);
        for (int i = 0; i < FRAMES; i++) {
            assert_int_equal(submit(ctx, order[i], (uint64_t)order[i] * 10, 8, 8, &error), 0);
            if (i == 5) { /* asked for while others are in work */
                assert_int_equal(vqx_frame_scores(ctx, 30, values, &error), 0);
                assert_memory_equal(values, expected.value[3], sizeof values);
            }
        }
        assert_int_equal(vqx_finish(ctx, &error), 0);
        assert_int_equal(vqx_frame_count(ctx), FRAMES);
        for (size_t n = 0; n < FRAMES; n++) {
            uint64_t index;
            assert_int_equal(vqx_frame_index(ctx, n, &index, &error), 0);
            assert_int_equal(index, n * 10);
            assert_int_equal(vqx_frame_scores(ctx, index, values, &error), 0);
            assert_memory_equal(values, expected.value[n], sizeof values);
        }
        assert_int_equal(vqx_frame_scores(ctx, 5, values, &error), VQX_ERROR_NOT_FOUND);
        vqx_close(&ctx);
    }
}

static void every_depth_and_mixture_is_equal(void **state)
{
    (void)state;
    const Scores expected = plain_run(8, 8);
    for (int ref = 8; ref <= 16; ref++) {
        for (int dis = 8; dis <= 16; dis++) {
            const Scores got = plain_run(ref, dis);
            assert_memory_equal(&got, &expected, sizeof got);
        }
    }
}

static void buffers_of_the_context(void **state)
{
    (void)state;
    const Scores expected = plain_run(8, 10);
    const VqxVifOptions options = debug_options();
    VqxContext *ctx = open_with(2, &options, 1);
    VqxFrame *frame, *held[64];
    VqxError error;
    double values[15];
    assert_int_equal(vqx_frame_acquire(ctx, &frame, 1, &error),
                     VQX_ERROR_ARGUMENT); /* not configured */
    assert_int_equal(vqx_configure(ctx, WIDTH, HEIGHT, 8, 10, &error), 0);
    assert_int_equal(vqx_configure(ctx, WIDTH, HEIGHT, 8, 10, &error), 0);
    assert_int_equal(vqx_configure(ctx, WIDTH, HEIGHT, 8, 8, &error), VQX_ERROR_ARGUMENT);
    size_t n = 0;
    while (!vqx_frame_acquire(ctx, &held[n], 0, &error))
        n++;
    assert_int_equal(error.status, VQX_ERROR_AGAIN);
    assert_true(n >= 2);
    assert_int_equal(vqx_frame_acquire(ctx, &frame, 1, &error), VQX_ERROR_ARGUMENT);
    for (size_t i = 0; i < n; i++)
        vqx_frame_release(ctx, held[i]);
    for (int f = 0; f < FRAMES; f++) {
        static uint16_t packed[SAMPLES];
        assert_int_equal(vqx_frame_acquire(ctx, &frame, 1, &error), 0);
        VqxPlane *const plane[2] = {&frame->ref, &frame->dis};
        for (int i = 0; i < 2; i++) {
            const size_t row = WIDTH * (plane[i]->bit_depth > 8 ? 2 : 1);
            clip_pack(samples[f][i], packed, SAMPLES, (int)plane[i]->bit_depth);
            for (int y = 0; y < HEIGHT; y++)
                memcpy((char *)plane[i]->data + y * plane[i]->stride,
                       (char *)packed + (size_t)y * row, row);
        }
        assert_int_equal(vqx_frame_submit(ctx, frame, (uint64_t)f, &error), 0);
        assert_int_equal(vqx_frame_submit(ctx, frame, 100, &error),
                         VQX_ERROR_ARGUMENT); /* not held any more */
    }
    assert_int_equal(vqx_finish(ctx, &error), 0);
    for (int f = 0; f < FRAMES; f++) {
        assert_int_equal(vqx_frame_scores(ctx, (uint64_t)f, values, &error), 0);
        assert_memory_equal(values, expected.value[f], sizeof values);
    }
    vqx_close(&ctx);
}

static void bottom_up_and_wide_strides(void **state)
{
    (void)state;
    const Scores expected = plain_run(8, 8);
    static uint8_t packed[SAMPLES], flipped[2][HEIGHT * (WIDTH + 13)];
    const VqxVifOptions options = debug_options();
    VqxContext *ctx = open_with(1, &options, 1);
    VqxPlane plane[2];
    VqxError error;
    double values[15];
    for (int i = 0; i < 2; i++) {
        clip_pack(samples[0][i], packed, SAMPLES, 8);
        for (int y = 0; y < HEIGHT; y++)
            memcpy(flipped[i] + (HEIGHT - 1 - y) * (WIDTH + 13), packed + y * WIDTH, WIDTH);
        plane[i] = (VqxPlane){.data = flipped[i] + (HEIGHT - 1) * (WIDTH + 13),
                              .stride = -(WIDTH + 13),
                              .width = WIDTH,
                              .height = HEIGHT,
                              .bit_depth = 8};
    }
    assert_int_equal(vqx_submit(ctx, &plane[0], &plane[1], 0, &error), 0);
    assert_int_equal(vqx_frame_scores(ctx, 0, values, &error), 0);
    assert_memory_equal(values, expected.value[0], sizeof values);
    vqx_close(&ctx);
}

static void several_configurations(void **state)
{
    (void)state;
    const Scores expected = plain_run(8, 8);
    VqxVifOptions options[3];
    VqxError error;
    options[0] = debug_options();
    vqx_vif_default_options(&options[1]);
    assert_int_equal(vqx_vif_parse_options(&options[1], "snsq=1.5", &error), 0);
    options[2] = debug_options();
    assert_int_equal(vqx_vif_parse_options(&options[2], "ps=0.5:pm=bicubic", &error), 0);
    VqxContext *ctx = open_with(2, options, 3);
    assert_int_equal(vqx_output_count(ctx), 34);
    assert_string_equal(vqx_output_name(ctx, 15), "vif_scale0_snsq_1.5");
    assert_string_equal(vqx_output_name(ctx, 33), "vif_den_scale3_ps_0.5_pm_bicubic");
    assert_null(vqx_output_name(ctx, 34));
    double values[34], sum = 0;
    for (int f = 0; f < FRAMES; f++)
        assert_int_equal(submit(ctx, f, (uint64_t)f, 8, 8, &error), 0);
    for (int f = 0; f < FRAMES; f++) {
        assert_int_equal(vqx_frame_scores(ctx, (uint64_t)f, values, &error), 0);
        assert_memory_equal(values, expected.value[f], sizeof expected.value[f]);
        sum += expected.value[f][4];
    }
    VqxPooled pooled;
    assert_int_equal(vqx_pooled(ctx, 4, &pooled, &error), 0);
    assert_true(pooled.mean == sum / FRAMES);
    assert_true(pooled.min <= pooled.harmonic_mean && pooled.harmonic_mean <= pooled.mean &&
                pooled.mean <= pooled.max);
    assert_int_equal(vqx_pooled(ctx, 34, &pooled, &error), VQX_ERROR_NOT_FOUND);
    vqx_close(&ctx);
}

static void misuse_is_an_error(void **state)
{
    (void)state;
    VqxContext *ctx = NULL;
    VqxSettings settings;
    VqxVifOptions twice[2] = {debug_options(), debug_options()};
    VqxError error;
    VqxPooled pooled;
    double values[15];
    vqx_default_settings(&settings);

    settings.backend = "abacus";
    assert_int_equal(vqx_open(&ctx, &settings, &error), VQX_ERROR_OPTION);
    assert_non_null(strstr(error.message, "auto, cuda"));
    settings.backend = "cuda";
    settings.module_folder = "/nonexistent";
    assert_int_equal(vqx_open(&ctx, &settings, &error), VQX_ERROR_BACKEND);
    assert_non_null(strstr(error.message, "/nonexistent/libvqx-cuda"));
    assert_null(ctx);
    settings.backend = "auto";
    settings.vif = twice;
    settings.vif_count = 2;
    assert_int_equal(vqx_open(&ctx, &settings, &error), VQX_ERROR_OPTION);
    twice[0].sigma_nsq = 7;
    settings.vif_count = 1;
    assert_int_equal(vqx_open(&ctx, &settings, NULL), VQX_ERROR_OPTION);
    settings.vif = NULL;
    assert_int_equal(vqx_open(&ctx, &settings, &error), 0);
    assert_int_equal(vqx_pooled(ctx, 0, &pooled, &error), VQX_ERROR_NOT_FOUND);
    vqx_close(&ctx);
    vqx_close(&ctx);
    vqx_close(NULL);

    settings.backend = "cpu";
    settings.device = "99";
    assert_int_equal(vqx_open(&ctx, &settings, &error), 0);
    assert_int_equal(vqx_configure(ctx, 64, 64, 8, 8, &error), VQX_ERROR_BACKEND);
    assert_non_null(strstr(error.message, "no device '99'"));
    vqx_close(&ctx);

    ctx = open_with(1, NULL, 0);
    assert_int_equal(vqx_configure(ctx, 15, 64, 8, 8, &error), VQX_ERROR_SIZE);
    assert_non_null(strstr(error.message, "16x16"));
    assert_int_equal(vqx_configure(ctx, 64, 70000, 8, 8, &error), VQX_ERROR_SIZE);
    assert_int_equal(vqx_configure(ctx, 64, 64, 7, 8, &error), VQX_ERROR_ARGUMENT);
    assert_int_equal(vqx_configure(ctx, 64, 64, 8, 17, &error), VQX_ERROR_ARGUMENT);
    assert_int_equal(submit(ctx, 0, 5, 8, 8, &error), 0); /* refusals before left it usable */
    assert_int_equal(submit(ctx, 1, 5, 8, 8, &error), VQX_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "frame 5 was submitted before"));
    assert_int_equal(submit(ctx, 1, 6, 10, 8, &error), VQX_ERROR_ARGUMENT);
    static uint16_t buffer[SAMPLES];
    VqxPlane plane = plane_of(buffer, 0, 0, 8), other = plane;
    other.width = WIDTH - 1;
    assert_int_equal(vqx_submit(ctx, &plane, &other, 7, &error), VQX_ERROR_ARGUMENT);
    assert_int_equal(vqx_submit(ctx, &other, &other, 7, &error), VQX_ERROR_ARGUMENT);
    other = plane;
    other.stride = WIDTH - 1;
    assert_int_equal(vqx_submit(ctx, &plane, &other, 7, &error), VQX_ERROR_ARGUMENT);
    assert_int_equal(vqx_submit(ctx, &plane, NULL, 7, &error), VQX_ERROR_ARGUMENT);
    assert_int_equal(vqx_finish(ctx, &error), 0);
    assert_int_equal(submit(ctx, 1, 8, 8, 8, &error), VQX_ERROR_ARGUMENT);
    assert_int_equal(vqx_frame_scores(ctx, 5, values, &error), 0);
    assert_int_equal(vqx_frame_count(ctx), 1);
    vqx_close(&ctx);
}

static void devices_are_listed_with_reasons(void **state)
{
    (void)state;
    const size_t count = vqx_devices(NULL, 0, "/nonexistent");
    VqxDevice devices[32];
    assert_true(count >= 6 && count <= 32);
    assert_int_equal(vqx_devices(devices, 32, "/nonexistent"), count);
    int cpu = 0;
    for (size_t i = 0; i < count; i++) {
        cpu |= devices[i].available && !strcmp(devices[i].backend, "cpu");
        assert_true(devices[i].available || devices[i].reason[0]);
    }
    assert_true(cpu);
    assert_string_equal(vqx_version(), VQX_VERSION_STRING);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_order_with_gaps),
        cmocka_unit_test(every_depth_and_mixture_is_equal),
        cmocka_unit_test(buffers_of_the_context),
        cmocka_unit_test(bottom_up_and_wide_strides),
        cmocka_unit_test(several_configurations),
        cmocka_unit_test(misuse_is_an_error),
        cmocka_unit_test(devices_are_listed_with_reasons),
    };
    return cmocka_run_group_tests(tests, make_clip, NULL);
}
