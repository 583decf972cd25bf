/* Which decoded formats the libav module takes, what it does to their words, what it says of the
 * others. */
#include "cmocka_vqx.h"

#include "media/libav/libav.h"

#include <libavutil/pixdesc.h>
#include <string.h>

static const VqxLibavInput input = {.path = "it's here", .name = "it's here"};

typedef struct Accepted {
    enum AVPixelFormat format;
    unsigned bit_depth;
    uint8_t stored[2]; /* the bytes of a sample */
    uint16_t sample;
} Accepted;

static void test_accepted(void **state)
{
    static const Accepted accepted[] = {
        {AV_PIX_FMT_YUV420P, 8, {0xAB}, 0xAB},
        {AV_PIX_FMT_YUVJ420P, 8, {0xAB}, 0xAB},
        {AV_PIX_FMT_GRAY8, 8, {0xAB}, 0xAB},
        {AV_PIX_FMT_NV12, 8, {0xAB}, 0xAB},
        {AV_PIX_FMT_YUVA444P, 8, {0xAB}, 0xAB},
        {AV_PIX_FMT_YUV420P9LE, 9, {0xCD, 0x01}, 0x1CD},
        {AV_PIX_FMT_YUV422P10LE, 10, {0xCD, 0x03}, 0x3CD},
        {AV_PIX_FMT_YUV420P10BE, 10, {0x03, 0xCD}, 0x3CD},
        {AV_PIX_FMT_GRAY12BE, 12, {0x0B, 0xCD}, 0xBCD},
        {AV_PIX_FMT_YUV420P14LE, 14, {0xCD, 0x2B}, 0x2BCD},
        {AV_PIX_FMT_YUV444P16LE, 16, {0xCD, 0xAB}, 0xABCD},
        {AV_PIX_FMT_P010LE, 10, {0x40, 0xF3}, 0x3CD},
        {AV_PIX_FMT_P010BE, 10, {0xF3, 0x40}, 0x3CD},
        {AV_PIX_FMT_P016LE, 16, {0xCD, 0xAB}, 0xABCD},
    };
    (void)state;
    for (size_t i = 0; i < sizeof accepted / sizeof accepted[0]; i++) {
        const Accepted *one = &accepted[i];
        Luma luma;
        assert_int_equal(vqx_luma_of_format(&luma, one->format, &input, NULL), 0);
        assert_int_equal(luma.bit_depth, one->bit_depth);
        const int bytes = one->bit_depth > 8 ? 2 : 1;
        _Alignas(16) uint8_t stored[2][16] = {{0}}, read[2][10];
        memset(read, 0x5A, sizeof read);
        AVFrame frame = {.width = 3, .height = 2, .data = {stored[0]}, .linesize = {16}};
        for (int y = 0; y < 2; y++)
            for (int x = 0; x < 3; x++)
                memcpy(&stored[y][x * bytes], one->stored, (size_t)bytes);
        vqx_luma_copy(&luma, &frame, read, sizeof read[0]);
        for (int y = 0; y < 2; y++) {
            for (int x = 0; x < 3; x++) {
                uint16_t sample = read[y][x];
                if (bytes == 2)
                    memcpy(&sample, &read[y][2 * x], 2);
                assert_int_equal(sample, one->sample);
            }
            assert_int_equal(read[y][3 * bytes], 0x5A);
        }
    }
}

static void test_refused(void **state)
{
    static const struct {
        enum AVPixelFormat format;
        const char *why, *target;
    } refused[] = {
        {AV_PIX_FMT_RGB24, "RGB", "yuv444p "},
        {AV_PIX_FMT_GBRP10, "RGB", "yuv444p10le "},
        {AV_PIX_FMT_GBRP16, "RGB", "yuv444p16le "},
        {AV_PIX_FMT_PAL8, "a palette", "yuv444p "},
        {AV_PIX_FMT_BAYER_RGGB8, "RGB", "yuv"},
        {AV_PIX_FMT_XYZ12, "packed", "yuv444p12le "},
        {AV_PIX_FMT_YUYV422, "packed", "yuv422p "},
        {AV_PIX_FMT_Y210, "packed", "yuv422p10le "},
        {AV_PIX_FMT_YA8, "packed", "gray "},
        {AV_PIX_FMT_MONOWHITE, "not of 8 to 16 bits", "gray "},
        {AV_PIX_FMT_GRAYF32, "not of 8 to 16 bits", "gray"},
        {AV_PIX_FMT_VAAPI, "in a device's memory", "yuv420p "},
        {AV_PIX_FMT_CUDA, "in a device's memory", "yuv420p "},
    };
    (void)state;
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        Luma luma;
        VqxError error;
        const char *name = av_get_pix_fmt_name(refused[i].format);
        assert_int_equal(vqx_luma_of_format(&luma, refused[i].format, &input, &error),
                         VQX_ERROR_ARGUMENT);
        assert_non_null(strstr(error.message, name));
        assert_non_null(strstr(error.message, refused[i].why));
        const char *command = strstr(error.message, "ffmpeg -i 'file:it'\\''s here' -pix_fmt ");
        assert_non_null(command);
        if (!strstr(command, refused[i].target))
            fail_msg("%s: %s is not in %s", name, refused[i].target, command);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_accepted),
                                       cmocka_unit_test(test_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
