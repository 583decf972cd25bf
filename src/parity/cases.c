/* The self-test's cases: clips made on the spot that stress the metric, with the options they are scored under. */
#include "parity/cases.h"

#include "parity/clip.h"
#include "util/error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    /* A pixel whose exact pair lies so near a tie that only its replay rounds as f64 does (found by search). */
    {"noise:59912", "noise:64", 192, 64, 8, 1, "snsq=0.333"},
    /* s1 / 1.6 is next to a multiple of s1 / 8: pixel after pixel has a quotient that its rounding to f64 puts on a tie. */
    {"noise", "noise:12", 192, 108, 8, 1, "snsq=1.6"},
    /* Variances that equal f32(nsq), which is less than nsq. */
    {"ramp", "quant:64", 480, 160, 8, 1, "snsq=2.18396"},
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

enum { KERNEL_SCALES = 21 };
/* Then every kernel scale. */
static Case numbered(size_t number, char options[32])
{
    if (number < CASES)
        return cases[number];
    size_t count;
    const double kernelscale = vqx_vif_kernelscales(&count)[number - CASES];
    snprintf(options, 32, "ks=%.6g", kernelscale);
    return (Case){"texture", "blur", 200, 150, (number - CASES) % 2 ? 8 : 10, 1, options};
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

static const ParityAnswer answers[] = {
#include "parity/answers.inc"
};
_Static_assert(sizeof answers / sizeof answers[0] == CASES + KERNEL_SCALES, "an answer a case");

/* A case at work. */
typedef struct Run {
    ParityRunners *runners;
    const Case *c;
    const VqxVifOptions *options;
    const char *name;
    int stages;
    ParityAnswer *answer;
} Run;

static int submit_frames(const Run *run, VqxError *error)
{
    const Case *c = run->c;
    int status = 0;
    const int n = c->width * c->height;
    uint16_t *samples = malloc(4 * (size_t)n * sizeof *samples);
    if (!samples)
        return vqx_fail(error, VQX_ERROR_MEMORY, "out of memory");
    for (int f = 0; !status && f < c->frames; f++) {
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
        parity_submit(run->runners, &plane[0], &plane[1], (uint64_t)f);
        if (run->stages)
            status = parity_stages_frame(run->runners, run->options, 1, plane, (uint64_t)f,
                                         run->name, run->answer->stage, error);
    }
    free(samples);
    return status;
}

/* "scale 0, mu1": the first stage that is not what is known. */
static void name_wrong_stage(const Run *run, const ParityAnswer *known)
{
    ParityRunners *runners = run->runners;
    VifPlan plan;
    char name[32];
    if (vif_plan_init(&plan, run->options, run->c->width, run->c->height, NULL))
        return;
    for (int s = 0; !runners->wrong_stage[0] && s < VIF_SCALES; s++) {
        for (int i = 0; !runners->wrong_stage[0] && i < PARITY_STAGES; i++) {
            if (run->answer->stage[s][i] == known->stage[s][i])
                continue;
            parity_stage_name(name, &plan, s, i);
            snprintf(runners->wrong_stage, sizeof runners->wrong_stage, "scale %d, %s", s, name);
        }
    }
    vif_plan_free(&plan);
}

static void check_answer(const Run *run, const ParityAnswer *known)
{
    ParityRunners *runners = run->runners;
    const int stages_hold =
        !run->stages || !memcmp(run->answer->stage, known->stage, sizeof known->stage);
    if ((run->answer->values == known->values && stages_hold) || runners->wrong++)
        return;
    snprintf(runners->wrong_where, sizeof runners->wrong_where, "%s", run->name);
    if (run->stages)
        name_wrong_stage(run, known);
}

int parity_case_run(ParityRunners *runners, size_t number, int stages, const char *module_folder,
                    ParityAnswer *answer, VqxError *error)
{
    char text[32], name[80];
    const Case c = numbered(number, text);
    VqxVifOptions options;
    vqx_vif_default_options(&options);
    const Run run = {runners, &c, &options, name, stages, answer};
    options.debug = 1;
    memset(answer, 0, sizeof *answer);
    parity_case_name(name, number);
    int status = vqx_vif_parse_options(&options, c.options, error);
    if (!status)
        status = parity_begin(runners, &options, 1, module_folder, error);
    if (!status)
        status = submit_frames(&run, error);
    parity_end(runners, name);
    answer->values = runners->digest;
    if (!status)
        check_answer(&run, &answers[number]);
    return status;
}
