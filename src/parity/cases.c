/* The self-test's cases: clips made on the spot that stress the metric, with the options they are scored under. */
#include "parity/cases.h"

#include "parity/clip.h"
#include "util/error.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct Case {
    const char *content, *distortion;
    int width, height, bits, frames;
    const char *options;
} Case;

static const Case cases[] = {
    /* Content: ordinary, then what drives one branch of the statistic or one end of a range. */
    {"texture", "quant:24", 320, 180, 8, 3, ""},
    {"texture", "quant:40", 322, 181, 10, 2, ""},
    {"boxes", "blur", 480, 270, 8, 2, ""},
    {"checker:1", "shift:1", 640, 360, 8, 1, ""},
    {"checker:10", "shift:1", 640, 360, 8, 1, ""},
    {"bright", "blur", 320, 240, 16, 1, ""},
    {"bright", "noise:9", 321, 243, 12, 1, ""},
    {"dark", "quant:90", 320, 180, 8, 1, ""},
    {"noise", "noise:64", 352, 288, 8, 1, ""},
    {"flat:128", "same", 96, 64, 8, 1, ""},
    {"flat:128", "noise:20", 320, 240, 8, 1, ""},
    {"texture", "invert", 320, 240, 8, 1, ""},
    {"texture", "gain:24", 480, 270, 8, 1, ""},
    {"texture", "mid", 96, 64, 8, 1, ""},
    {"texture", "same", 96, 64, 8, 1, ""},
    {"ramp", "quant:64", 257, 129, 10, 1, ""},
    /* Every bit depth. */
    {"texture", "quant:20", 96, 64, 9, 1, ""},
    {"texture", "quant:20", 96, 64, 11, 1, ""},
    {"texture", "quant:20", 96, 64, 13, 1, ""},
    {"texture", "quant:20", 96, 64, 14, 1, ""},
    {"texture", "quant:20", 96, 64, 15, 1, ""},
    /* The least size, odd ones, and those around the widths of tiles and strips. */
    {"texture", "quant:20", 16, 16, 8, 2, ""},
    {"texture", "quant:20", 17, 16, 10, 1, ""},
    {"texture", "quant:20", 16, 19, 8, 1, ""},
    {"texture", "quant:20", 31, 33, 8, 1, ""},
    {"texture", "quant:20", 65, 63, 8, 1, ""},
    {"texture", "quant:20", 71, 71, 8, 1, ""},
    {"texture", "quant:20", 127, 65, 10, 1, ""},
    {"texture", "quant:20", 16, 200, 8, 1, ""},
    {"texture", "quant:20", 1000, 18, 10, 1, ""},
    {"texture", "blur", 1031, 67, 8, 1, ""},
    /* Options. */
    {"boxes", "noise:12", 192, 108, 8, 1, "snsq=0"},
    {"flat:100", "same", 64, 48, 8, 1, "snsq=0"},
    {"noise", "noise:3", 128, 72, 10, 1, "snsq=0"},
    {"boxes", "noise:12", 192, 108, 8, 1, "snsq=0.001"},
    {"boxes", "noise:12", 192, 108, 8, 1, "snsq=0.333"},
    {"boxes", "noise:12", 192, 108, 8, 1, "snsq=1.5"},
    {"boxes", "noise:12", 192, 108, 8, 1, "snsq=4.7"},
    {"boxes", "noise:12", 192, 108, 8, 1, "snsq=5"},
    {"boxes", "noise:12", 192, 108, 8, 1, "snsq=1e-310"},
    {"texture", "gain:24", 192, 108, 8, 1, "egl=1"},
    {"texture", "gain:30", 192, 108, 12, 1, "egl=1.2:snsq=1.5"},
    {"texture", "blur", 192, 108, 8, 2, "ssclz=true"},
    {"texture", "invert", 192, 108, 8, 1, "s1miv=0.25:s2miv=0.5:s3miv=0.75"},
    {"texture", "quant:30", 160, 120, 10, 1, "ps=0.5"},
    {"texture", "quant:30", 160, 120, 8, 1, "ps=1.5:pm=bilinear"},
    {"texture", "quant:30", 160, 120, 8, 1, "ps=0.71:pm=bicubic"},
    {"texture", "quant:30", 160, 120, 10, 1, "ps=1.7:pm=lanczos4"},
    {"flat:128", "noise:1", 160, 120, 16, 1, "ps=1.7:pm=lanczos4"},
    {"boxes", "quant:30", 96, 80, 8, 1, "ks=0.5:ps=2:pm=bicubic:snsq=3"},
};
enum { CASES = sizeof cases / sizeof cases[0] };

/* Then every kernel scale. */
static Case numbered(size_t number, char options[32])
{
    if (number < CASES)
        return cases[number];
    size_t count;
    const double kernelscale = vqx_vif_kernelscales(&count)[number - CASES];
    snprintf(options, 32, "ks=%.6g", kernelscale);
    return (Case){"texture", "blur", 200, 150, number % 2 ? 8 : 10, 1, options};
}

size_t parity_case_count(void)
{
    size_t kernelscales;
    vqx_vif_kernelscales(&kernelscales);
    return CASES + kernelscales;
}

void parity_case_name(char name[80], size_t number)
{
    char options[32];
    const Case c = numbered(number, options);
    snprintf(name, 80, "%s, %s, %dx%d, %d bit%s%s", c.content, c.distortion, c.width, c.height,
             c.bits, *c.options ? ", " : "", c.options);
}

static int submit_frames(ParityRunners *runners, const Case *c, VqxError *error)
{
    const int n = c->width * c->height;
    uint16_t *samples = malloc(4 * (size_t)n * sizeof *samples);
    if (!samples)
        return vqx_fail(error, VQX_ERROR_MEMORY, "out of memory");
    for (int f = 0; f < c->frames; f++) {
        VqxPlane plane[2];
        clip_content(samples, c->width, c->height, f, c->content, 1);
        clip_distort(samples, samples + n, c->width, c->height, f, c->distortion, 1);
        for (int i = 0; i < 2; i++) {
            uint16_t *packed = samples + (2 + i) * n;
            clip_pack(samples + i * n, packed, n, c->bits);
            plane[i] = (VqxPlane){.data = packed,
                                  .stride = c->width * (c->bits > 8 ? 2 : 1),
                                  .width = (unsigned)c->width,
                                  .height = (unsigned)c->height,
                                  .bit_depth = (unsigned)c->bits};
        }
        parity_submit(runners, &plane[0], &plane[1], (uint64_t)f);
    }
    free(samples);
    return 0;
}

int parity_case_run(ParityRunners *runners, size_t number, const char *module_folder,
                    VqxError *error)
{
    char text[32], name[80];
    const Case c = numbered(number, text);
    VqxVifOptions options;
    vqx_vif_default_options(&options);
    options.debug = 1;
    int status = vqx_vif_parse_options(&options, c.options, error);
    if (!status)
        status = parity_begin(runners, &options, 1, module_folder, error);
    if (!status)
        status = submit_frames(runners, &c, error);
    parity_case_name(name, number);
    parity_end(runners, name);
    return status;
}
