/*
 * A backend against the CPU's plain C, at the seam: every row sum of every frame, bit by bit.
 *
 *   backend_test --backend NAME [--device NAME] [--modules FOLDER] [--form native|fp64-free]
 *                [--cpumask N] [--group NAME]... [--seed N] [--frames N]
 *
 * Without --group all the short groups run. Exits with 77 and the reason when the backend has no
 * device here.
 */
#include "backends/parity.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const kernelscales[] = {
    "0.5",      "1.5",  "2",        "0.666667", "2.4",     "3.71134",  "1.333333",
    "1.166667", "1.25", "1.416667", "1.666667", "3",       "0.444444", "1.4746",
    "1.54",     "1.6",  "1.06667",  "0.711111", "0.74074", "1.111111", "1.0009"};

static const char *const other_options[] = {
    "vif_sigma_nsq=0",
    "vif_sigma_nsq=0.001",
    "vif_sigma_nsq=0.333",
    "vif_sigma_nsq=1",
    "vif_sigma_nsq=1.5",
    "vif_sigma_nsq=4.7",
    "vif_sigma_nsq=5",
    "vif_sigma_nsq=1e-20",
    "vif_sigma_nsq=1e-250",
    "vif_enhn_gain_limit=1",
    "vif_enhn_gain_limit=1.2:vif_sigma_nsq=1.5",
    "vif_skip_scale0=true",
    "vif_skip_scale0=true:vif_kernelscale=0.5",
    "vif_prescale=0.5",
    "vif_prescale=1.7",
    "vif_prescale=0.71:vif_prescale_method=bilinear",
    "vif_prescale=1.5:vif_prescale_method=bilinear",
    "vif_prescale=0.5:vif_prescale_method=bicubic",
    "vif_prescale=2:vif_prescale_method=bicubic:vif_sigma_nsq=3",
    "vif_prescale=0.71:vif_prescale_method=lanczos4",
    "vif_prescale=1.5:vif_prescale_method=lanczos4:vif_kernelscale=1.5",
    "vif_prescale=2.3:vif_prescale_method=nearest:vif_kernelscale=3",
};

static const char *const contents[][2] = {
    {"texture", "quant:24"},  {"noise", "noise:64"}, {"boxes", "blur"},
    {"texture", "gain:24"},   {"dark", "quant:90"},  {"bright", "noise:9"},
    {"flat:128", "same"},     {"texture", "invert"}, {"ramp", "quant:64"},
    {"checker:1", "shift:1"}, {"boxes", "noise:12"}, {"flat:128", "noise:20"},
};

enum { CONTENTS = sizeof contents / sizeof contents[0] };

static ParityCase make_case(const ParityTest *test, int width, int height, int depth,
                            unsigned number)
{
    ParityCase c = {.width = width,
                    .height = height,
                    .depth = {depth, depth},
                    .options = {""},
                    .option_count = 1,
                    .content = contents[number % CONTENTS][0],
                    .distortion = contents[number % CONTENTS][1],
                    .frames = 1,
                    .seed = test->seed + number};
    return c;
}

/* Every width and every height from the least to 80, in pairs that meet all remainders. */
static void group_sizes(ParityTest *test)
{
    for (int n = 16; n <= 80; n++) {
        const int other = 16 + (n * 29) % 65;
        ParityCase c = make_case(test, n, other, n % 3 ? 8 : 10, (unsigned)n);
        parity_run(test, &c);
        c = make_case(test, 16 + (n * 11) % 65, n, n % 3 ? 10 : 8, (unsigned)n + 100);
        parity_run(test, &c);
    }
}

/* All of them. */
static void group_all_sizes(ParityTest *test)
{
    for (int w = 16; w <= 80; w++) {
        for (int h = 16; h <= 80; h++) {
            ParityCase c = make_case(test, w, h, (w + h) % 2 ? 8 : 16, (unsigned)(w * 80 + h));
            parity_run(test, &c);
        }
    }
}

static void group_options(ParityTest *test)
{
    char text[64];
    unsigned number = 0;
    for (size_t i = 0; i < sizeof kernelscales / sizeof kernelscales[0]; i++) {
        for (int k = 0; k < 3; k++) {
            snprintf(text, sizeof text, "vif_kernelscale=%s", kernelscales[i]);
            ParityCase c = make_case(test, 163 + 41 * k, 141 - 17 * k, k == 1 ? 10 : 8, number++);
            c.options[0] = text;
            parity_run(test, &c);
        }
    }
    for (size_t i = 0; i < sizeof other_options / sizeof other_options[0]; i++) {
        for (int k = 0; k < CONTENTS; k++) {
            ParityCase c = make_case(test, 192 + 5 * k, 108 + k, k % 2 ? 10 : 8, (unsigned)k);
            c.options[0] = other_options[i];
            parity_run(test, &c);
        }
    }
}

static void group_contents(ParityTest *test)
{
    static const int sizes[][2] = {{16, 200},  {1000, 18}, {321, 243},
                                   {576, 324}, {257, 129}, {640, 360}};
    for (unsigned i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        for (unsigned k = 0; k < CONTENTS; k++) {
            ParityCase c = make_case(test, sizes[i][0], sizes[i][1], k % 2 ? 8 : 12, k);
            c.frames = 3;
            parity_run(test, &c);
        }
    }
}

static void group_depths(ParityTest *test)
{
    for (int ref = 8; ref <= 16; ref++) {
        for (int dis = 8; dis <= 16; dis++) {
            ParityCase c = make_case(test, 130 + ref, 70 + dis, ref, (unsigned)(ref * 16 + dis));
            c.depth[1] = dis;
            parity_run(test, &c);
        }
    }
}

static void group_strides(ParityTest *test)
{
    static const int paddings[] = {0, 2, 6, 16, 30, 64, 258};
    unsigned number = 0;
    for (unsigned i = 0; i < sizeof paddings / sizeof paddings[0]; i++) {
        for (int k = 0; k < 8; k++) {
            ParityCase c = make_case(test, 97 + 13 * k, 61 + k, k & 1 ? 10 : 8, number++);
            c.padding = paddings[i];
            c.bottom_up = k & 2;
            c.pageable = k & 4;
            parity_run(test, &c);
        }
    }
}

/* Planes that are in device memory already, with rows that the kernels can read there and others. */
static void group_device(ParityTest *test)
{
    if (!test->tested->device_alloc) {
        printf("device     skipped: the backend takes no planes in device memory\n");
        return;
    }
    for (int k = 0; k < 12; k++) {
        ParityCase c = make_case(test, 90 + 7 * k, 75 + k, k % 2 ? 8 : 10, (unsigned)k);
        c.on_device = 1;
        c.frames = 7;
        c.padding = k / 2 % 2 ? 2 * k : 0;
        parity_run(test, &c);
    }
}

/* Several configurations share an upload; they differ in the planes they need. */
static void group_plans(ParityTest *test)
{
    ParityCase c = make_case(test, 230, 170, 8, 1);
    c.frames = 5;
    c.options[1] = "vif_enhn_gain_limit=1";
    c.options[2] = "vif_kernelscale=2";
    c.options[3] = "vif_prescale=0.5:vif_prescale_method=bicubic";
    c.options[4] = "vif_prescale=1.3:vif_prescale_method=lanczos4:vif_skip_scale0=true";
    c.option_count = 5;
    parity_run(test, &c);
    c.depth[1] = 10;
    parity_run(test, &c);
}

/* How many frames are in flight, and how they group, changes nothing. */
static void group_flight(ParityTest *test)
{
    static const unsigned in_flight[] = {1, 2, 3, 5, 16, 100, 0};
    for (unsigned i = 0; i < sizeof in_flight / sizeof in_flight[0]; i++) {
        ParityCase c = make_case(test, 352, 288, 8, i);
        c.in_flight = in_flight[i];
        c.frames = 150;
        parity_run(test, &c);
        c.newest_first = 1;
        parity_run(test, &c);
    }
}

/* A few small cases that reach every kernel, for tools that watch memory and run a hundred times
 * slower. */
static void group_tiny(ParityTest *test)
{
    static const char *const options[] = {"", "vif_kernelscale=2", "vif_kernelscale=0.5",
                                          "vif_prescale=1.5:vif_prescale_method=lanczos4",
                                          "vif_prescale=2.5:vif_sigma_nsq=1.5"};
    static const int sizes[][2] = {{16, 16}, {40, 41}, {71, 37}, {150, 70}};
    unsigned number = 0;
    for (unsigned i = 0; i < sizeof options / sizeof options[0]; i++) {
        for (unsigned k = i == 1 ? 1 : 0; k < sizeof sizes / sizeof sizes[0]; k++) {
            ParityCase c = make_case(test, sizes[k][0], sizes[k][1], k % 2 ? 8 : 10, number++);
            c.options[0] = options[i];
            c.frames = 3;
            c.depth[1] = k == 3 && i % 2 ? 9 : c.depth[0];
            parity_run(test, &c);
        }
    }
}

static void group_large(ParityTest *test)
{
    static const int depths[] = {8, 10, 12, 16};
    for (unsigned i = 0; i < 4; i++) {
        ParityCase c = make_case(test, 3840, 2160, depths[i], i);
        c.frames = 2;
        parity_run(test, &c);
        c = make_case(test, 1920, 1080, depths[i], i + 4);
        c.frames = 2;
        parity_run(test, &c);
    }
    ParityCase c = make_case(test, 7680, 4320, 8, 0);
    parity_run(test, &c);
    c = make_case(test, 3840, 2160, 8, 2);
    c.options[0] = "vif_kernelscale=3.71134";
    parity_run(test, &c);
}

static void group_long(ParityTest *test)
{
    ParityCase c = make_case(test, 3840, 2160, 8, 0);
    c.frames = test->frames ? test->frames : 200;
    parity_run(test, &c);
}

static const struct Group {
    const char *name;
    void (*run)(ParityTest *test);
    int short_enough; /* to run without being asked for */
} groups[] = {
    {"sizes", group_sizes, 1},   {"options", group_options, 1}, {"contents", group_contents, 1},
    {"depths", group_depths, 1}, {"strides", group_strides, 1}, {"device", group_device, 1},
    {"plans", group_plans, 1},   {"flight", group_flight, 1},   {"all-sizes", group_all_sizes, 0},
    {"tiny", group_tiny, 0},     {"large", group_large, 0},     {"long", group_long, 0},
};

enum { GROUPS = sizeof groups / sizeof groups[0] };

static int group_number(const char *name)
{
    for (int i = 0; i < GROUPS; i++)
        if (!strcmp(groups[i].name, name))
            return i;
    return -1;
}

static int parse(ParityTest *test, int wanted[GROUPS], int argc, char **argv)
{
    for (int i = 1; i + 1 < argc; i += 2) {
        const char *value = argv[i + 1];
        if (!strcmp(argv[i], "--backend"))
            test->backend = value;
        else if (!strcmp(argv[i], "--device"))
            test->device = value;
        else if (!strcmp(argv[i], "--modules"))
            test->modules = value;
        else if (!strcmp(argv[i], "--seed"))
            test->seed = strtoull(value, NULL, 10);
        else if (!strcmp(argv[i], "--cpumask"))
            test->cpumask = strtoull(value, NULL, 0);
        else if (!strcmp(argv[i], "--frames"))
            test->frames = atoi(value);
        else if (!strcmp(argv[i], "--form"))
            test->form = !strcmp(value, "native") ? VQX_FORM_NATIVE : VQX_FORM_FP64_FREE;
        else if (!strcmp(argv[i], "--group") && group_number(value) >= 0)
            wanted[group_number(value)] = 1;
        else
            return -1;
    }
    return argc % 2 && test->backend ? 0 : -1;
}

int main(int argc, char **argv)
{
    ParityTest test = {.seed = 1};
    int wanted[GROUPS] = {0}, chosen = 0, failed = 0;
    if (parse(&test, wanted, argc, argv)) {
        fprintf(stderr,
                "usage: backend_test --backend NAME [--device NAME] [--modules FOLDER]\n"
                "                    [--form native|fp64-free] [--group NAME]... [--seed N] "
                "[--frames N]\n");
        return 2;
    }
    const int status = parity_begin(&test);
    if (status)
        return status;
    for (int i = 0; i < GROUPS; i++)
        chosen += wanted[i];
    for (int i = 0; i < GROUPS; i++) {
        if (chosen ? !wanted[i] : !groups[i].short_enough)
            continue;
        test.tally = (ParityTally){0};
        groups[i].run(&test);
        if (test.tally.cases)
            parity_report(&test, groups[i].name);
        failed += test.tally.failed;
    }
    parity_end(&test);
    return failed ? 1 : 0;
}
