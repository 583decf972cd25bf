#include "cli/settings.h"

#include "cli/command.h"
#include "report/number.h"
#include "util/error.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    FLAG_POSITIONAL = 1, /* what getopt_long returns for an argument that is no flag */
    FLAG_XML = 256,
    FLAG_JSON,
    FLAG_CSV,
    FLAG_SUB,
    FLAG_THREADS,
    FLAG_READ_THREADS,
    FLAG_FEATURE,
    FLAG_SUBSAMPLE,
    FLAG_CPUMASK,
    FLAG_GPUMASK,
    FLAG_FRAME_CNT,
    FLAG_SKIP_REF,
    FLAG_SKIP_DIST,
    FLAG_PRECISION,
    FLAG_BACKEND,
    FLAG_DEVICE,
    FLAG_MODULES,
    FLAG_SHORTEST,
    FLAG_HELP,
    FLAG_MODEL_SET, /* --aom_ctc, --nflx_ctc */
};

static const char short_flags[] = "-:r:d:w:h:p:b:m:o:nvq"; /* '-': in order; ':': no messages */

static const struct option long_flags[] = {
    {"reference", 1, NULL, 'r'},
    {"distorted", 1, NULL, 'd'},
    {"width", 1, NULL, 'w'},
    {"height", 1, NULL, 'h'},
    {"pixel_format", 1, NULL, 'p'},
    {"bitdepth", 1, NULL, 'b'},
    {"model", 1, NULL, 'm'},
    {"output", 1, NULL, 'o'},
    {"no_prediction", 0, NULL, 'n'},
    {"version", 0, NULL, 'v'},
    {"quiet", 0, NULL, 'q'},
    {"xml", 0, NULL, FLAG_XML},
    {"json", 0, NULL, FLAG_JSON},
    {"csv", 0, NULL, FLAG_CSV},
    {"sub", 0, NULL, FLAG_SUB},
    {"threads", 1, NULL, FLAG_THREADS},
    {"read_threads", 1, NULL, FLAG_READ_THREADS},
    {"feature", 1, NULL, FLAG_FEATURE},
    {"subsample", 1, NULL, FLAG_SUBSAMPLE},
    {"cpumask", 1, NULL, FLAG_CPUMASK},
    {"gpumask", 1, NULL, FLAG_GPUMASK},
    {"frame_cnt", 1, NULL, FLAG_FRAME_CNT},
    {"frame_skip_ref", 1, NULL, FLAG_SKIP_REF},
    {"frame_skip_dist", 1, NULL, FLAG_SKIP_DIST},
    {"aom_ctc", 1, NULL, FLAG_MODEL_SET},
    {"nflx_ctc", 1, NULL, FLAG_MODEL_SET},
    {"precision", 1, NULL, FLAG_PRECISION},
    {"backend", 1, NULL, FLAG_BACKEND},
    {"device", 1, NULL, FLAG_DEVICE},
    {"modules", 1, NULL, FLAG_MODULES},
    {"shortest", 0, NULL, FLAG_SHORTEST},
    {"help", 0, NULL, FLAG_HELP},
    {NULL, 0, NULL, 0},
};

/* What has no place in ScoreSettings until all flags are read. */
typedef struct Parser {
    ScoreSettings *settings;
    VqxError *error;
    int format; /* a ReportFormat, or -1: by the suffix */
    int chroma_given, gpus_masked, pair_optional;
} Parser;

static int refuse(Parser *parser, const char *flag, const char *value, const char *accepted)
{
    vqx_fail(parser->error, VQX_ERROR_OPTION, "%s: '%.100s' is not accepted; %s", flag, value,
             accepted);
    return -1;
}

/* A whole number from least to most, decimal, 0x hexadecimal or 0 octal as in libvmaf. */
static int whole(Parser *parser, uint64_t *number, const char *flag, uint64_t least, uint64_t most)
{
    char *end, accepted[96];
    errno = 0;
    const unsigned long long value = strtoull(optarg, &end, 0);
    const int digits = optarg[0] >= '0' && optarg[0] <= '9';
    if (digits && !*end && !errno && value >= least && value <= most) {
        *number = value;
        return 0;
    }
    snprintf(accepted, sizeof accepted, "it takes a whole number from %llu to %llu",
             (unsigned long long)least, (unsigned long long)most);
    return refuse(parser, flag, optarg, accepted);
}

static int whole_unsigned(Parser *parser, unsigned *number, const char *flag, unsigned least,
                          unsigned most)
{
    uint64_t value = 0;
    const int status = whole(parser, &value, flag, least, most);
    *number = (unsigned)value;
    return status;
}

/* A set of bits; -1 is all of them. */
static int mask(Parser *parser, uint64_t *bits, const char *flag)
{
    if (!strcmp(optarg, "-1")) {
        *bits = UINT64_MAX;
        return 0;
    }
    return whole(parser, bits, flag, 0, UINT64_MAX);
}

static int raw_flag(Parser *parser, int flag)
{
    VqxMediaOptions *media = &parser->settings->media;
    static const char *const chroma[] = {[VQX_CHROMA_420] = "420",
                                         [VQX_CHROMA_422] = "422",
                                         [VQX_CHROMA_444] = "444",
                                         [VQX_CHROMA_400] = "400"};
    media->raw = 1;
    switch (flag) {
    case 'w':
        return whole_unsigned(parser, &media->width, "--width", 1, 65535);
    case 'h':
        return whole_unsigned(parser, &media->height, "--height", 1, 65535);
    case 'b':
        return whole_unsigned(parser, &media->bit_depth, "--bitdepth", 8, 16);
    default:
        for (int i = 0; i < (int)(sizeof chroma / sizeof *chroma); i++) {
            if (strcmp(optarg, chroma[i]))
                continue;
            media->chroma = (VqxChroma)i;
            parser->chroma_given = 1;
            return 0;
        }
        return refuse(parser, "--pixel_format", optarg,
                      "it takes 420, 422, 444 or 400 (luma alone)");
    }
}

static int add_feature(Parser *parser, const char *text)
{
    ScoreSettings *settings = parser->settings;
    static const char name[] = "float_vif";
    const size_t length = strlen(name);
    if (strncmp(text, name, length) || (text[length] && text[length] != '='))
        return refuse(
            parser, "--feature", text,
            "vqx scores float_vif, written float_vif or float_vif=option=value:option=value");
    VqxVifOptions *options = &settings->features[settings->feature_count];
    vqx_vif_default_options(options);
    VqxError reason;
    if (text[length] && vqx_vif_parse_options(options, text + length + 1, &reason)) {
        vqx_fail(parser->error, reason.status, "--feature float_vif: %.440s", reason.message);
        return -1;
    }
    for (size_t i = 0; i < settings->feature_count; i++)
        /* Said twice, scored once. Both were cleared by vqx_vif_default_options. */
        /* NOLINTNEXTLINE(bugprone-suspicious-memory-comparison) */
        if (!memcmp(&settings->features[i], options, sizeof *options))
            return 0;
    settings->feature_text[settings->feature_count++] = text;
    return 0;
}

static int positional(Parser *parser, const char *path)
{
    ScoreSettings *settings = parser->settings;
    for (int i = 0; i < 2; i++) {
        if (settings->path[i])
            continue;
        settings->path[i] = path;
        return 0;
    }
    vqx_fail(parser->error, VQX_ERROR_OPTION,
             "'%.100s' is a third file; give one reference and one distorted video", path);
    return -1;
}

/* What --reference or --distorted names; not 0 for a second reference or distorted video. */
static int named_video(Parser *parser, int side)
{
    static const char *const what[] = {"reference", "distorted video"};
    ScoreSettings *settings = parser->settings;
    if (settings->path[side]) {
        vqx_fail(parser->error, VQX_ERROR_OPTION, "'%.100s' and '%.100s': give one %s",
                 settings->path[side], optarg, what[side]);
        return -1;
    }
    settings->path[side] = optarg;
    return 0;
}

static int refuse_model(Parser *parser, const char *flag)
{
    vqx_fail(parser->error, VQX_ERROR_OPTION,
             "%s: vqx scores the features of float_vif and predicts no VMAF score; leave it out",
             flag);
    return -1;
}

/* The frames to score and what scores them. */
static int run_flag(Parser *parser, int flag)
{
    ScoreSettings *settings = parser->settings;
    uint64_t bits = 0;
    int status;
    switch (flag) {
    case FLAG_THREADS:
        return whole_unsigned(parser, &settings->threads, "--threads", 0, 4096);
    case FLAG_READ_THREADS:
        return whole_unsigned(parser, &settings->read_threads, "--read_threads", 0, 64);
    case FLAG_SUBSAMPLE:
        return whole(parser, &settings->subsample, "--subsample", 0, UINT32_MAX);
    case FLAG_CPUMASK:
        return mask(parser, &settings->cpumask, "--cpumask");
    case FLAG_GPUMASK:
        status = mask(parser, &bits, "--gpumask");
        parser->gpus_masked = bits != 0;
        return status;
    case FLAG_FRAME_CNT:
        return whole(parser, &settings->frame_count, "--frame_cnt", 0, UINT32_MAX);
    case FLAG_SKIP_REF:
        return whole(parser, &settings->skip[0], "--frame_skip_ref", 0, UINT32_MAX);
    case FLAG_SKIP_DIST:
        return whole(parser, &settings->skip[1], "--frame_skip_dist", 0, UINT32_MAX);
    case FLAG_BACKEND:
        settings->backend = optarg;
        return 0;
    case FLAG_DEVICE:
        settings->device = optarg;
        return 0;
    default:
        settings->media.module_folder = optarg;
        return 0;
    }
}

/* How many long flags begin with what stands behind "--", up to a "=", and may be what getopt_long stopped at. */
static int long_flags_like(const char *given)
{
    const size_t length = strcspn(given + 2, "=");
    int count = 0;
    for (const struct option *flag = long_flags; flag->name; flag++)
        count += !strncmp(flag->name, given + 2, length) && (!optopt || optopt == flag->val);
    return count;
}

/* getopt_long could not go on with this argument. */
static int unknown_flag(Parser *parser, int flag, char **argv)
{
    char letter[3] = {'-', (char)optopt, '\0'};
    /* Of letters in one argument, what stands before optind is an argument before. */
    const int after_long = !strncmp(argv[optind - 1], "--", 2);
    const int like = after_long ? long_flags_like(argv[optind - 1]) : 0;
    const char *given = after_long && (like || !optopt) ? argv[optind - 1] : letter;
    vqx_fail(parser->error, VQX_ERROR_OPTION,
             flag == ':' ? "%.100s needs a value; 'vqx help' lists the flags"
             : like > 1  ? "%.100s could be several flags; write it out, 'vqx help' lists them"
             : like == 1 ? "%.100s: this flag takes no value"
                         : "%.100s is no flag of vqx; 'vqx help' lists them",
             given);
    return -1;
}

static int choose_format(Parser *parser, int format)
{
    static const char *const flags[] = {"--xml", "--json", "--csv", "--sub"};
    if (parser->format >= 0 && parser->format != format) {
        vqx_fail(parser->error, VQX_ERROR_OPTION,
                 "%s and %s are two formats, and there is one report; give one of them",
                 flags[parser->format - REPORT_XML], flags[format - REPORT_XML]);
        return -1;
    }
    parser->format = format;
    return 0;
}

static int apply(Parser *parser, int flag, char **argv)
{
    ScoreSettings *settings = parser->settings;
    switch (flag) {
    case FLAG_POSITIONAL:
        return positional(parser, optarg);
    case 'r':
    case 'd':
        return named_video(parser, flag == 'd');
    case 'w':
    case 'h':
    case 'p':
    case 'b':
        return raw_flag(parser, flag);
    case 'o':
        settings->output = optarg;
        return 0;
    case FLAG_XML:
    case FLAG_JSON:
    case FLAG_CSV:
    case FLAG_SUB:
        return choose_format(parser, REPORT_XML + (flag - FLAG_XML)); /* in one order */
    case FLAG_PRECISION:
        settings->precision = report_precision(optarg);
        return settings->precision < 0
                   ? refuse(parser, "--precision", optarg,
                            "it takes max, legacy, or 1 to 17 significant digits")
                   : 0;
    case FLAG_FEATURE:
        return add_feature(parser, optarg);
    case 'm':
        return refuse_model(parser, "--model");
    case FLAG_MODEL_SET:
        return refuse_model(parser, "--aom_ctc and --nflx_ctc");
    case 'n':
        return 0; /* nothing is predicted with or without it */
    case 'q':
        settings->quiet = 1;
        return 0;
    case FLAG_SHORTEST:
        settings->shortest = 1;
        return 0;
    case '?':
    case ':':
        return unknown_flag(parser, flag, argv);
    default:
        return run_flag(parser, flag);
    }
}

/* Flags that are answered at once; 1 if this was one. */
static int answer(int flag)
{
    if (flag == FLAG_HELP)
        command_help(0, NULL);
    else if (flag == 'v')
        printf("vqx %s\n", vqx_version());
    return flag == FLAG_HELP || flag == 'v';
}

static int check_raw(Parser *parser)
{
    const VqxMediaOptions *media = &parser->settings->media;
    if (!media->raw || (media->width && media->height && media->bit_depth && parser->chroma_given))
        return 0;
    vqx_fail(parser->error, VQX_ERROR_OPTION,
             "raw video needs --width, --height, --pixel_format and --bitdepth; missing:%s%s%s%s",
             media->width ? "" : " --width", media->height ? "" : " --height",
             parser->chroma_given ? "" : " --pixel_format", media->bit_depth ? "" : " --bitdepth");
    return -1;
}

static int check_backend(Parser *parser)
{
    ScoreSettings *settings = parser->settings;
    const char *backend = settings->backend ? settings->backend : "auto";
    if (parser->gpus_masked && strcmp(backend, "auto") && strcmp(backend, "cpu")) {
        vqx_fail(
            parser->error, VQX_ERROR_OPTION,
            "--gpumask leaves the GPUs out and --backend %.40s asks for one; give one of the two",
            backend);
        return -1;
    }
    if (parser->gpus_masked)
        settings->backend = "cpu";
    return 0;
}

/* 1 if both names are of the same pipe, socket or terminal. */
static int one_stream(const char *const path[2])
{
    struct stat status[2];
    if (!strcmp(path[0], "-") && !strcmp(path[1], "-"))
        return 1;
    for (int i = 0; i < 2; i++)
        if (strcmp(path[i], "-") ? stat(path[i], &status[i]) : fstat(STDIN_FILENO, &status[i]))
            return 0;
    return !S_ISREG(status[0].st_mode) && !S_ISDIR(status[0].st_mode) &&
           status[0].st_dev == status[1].st_dev && status[0].st_ino == status[1].st_ino;
}

static int check_pair(Parser *parser)
{
    const ScoreSettings *settings = parser->settings;
    if (parser->pair_optional && !settings->path[0] && !settings->path[1])
        return 0;
    if (!settings->path[0] || !settings->path[1]) {
        vqx_fail(parser->error, VQX_ERROR_OPTION,
                 "the %s video is missing; 'vqx REFERENCE DISTORTED' scores a pair, 'vqx help' "
                 "tells more",
                 settings->path[0] ? "distorted" : "reference");
        return -1;
    }
    if (!*settings->path[0] || !*settings->path[1]) {
        vqx_fail(parser->error, VQX_ERROR_OPTION,
                 "the %s video's name is empty; give a file, or - for standard input",
                 *settings->path[0] ? "distorted" : "reference");
        return -1;
    }
    if (one_stream(settings->path)) {
        vqx_fail(parser->error, VQX_ERROR_OPTION,
                 "the two videos are one pipe, which can be read once: only one of them can be "
                 "standard input");
        return -1;
    }
    return 0;
}

/* What only all flags together decide. */
static int complete(Parser *parser)
{
    ScoreSettings *settings = parser->settings;
    if (check_pair(parser))
        return -1;
    settings->format = parser->format >= 0 ? (ReportFormat)parser->format
                       : settings->output  ? report_format_of(settings->output, REPORT_XML)
                                           : REPORT_XML;
    if (check_raw(parser) || check_backend(parser))
        return -1;
    return settings->feature_count ? 0 : add_feature(parser, "float_vif");
}

/* Room for as many configurations as there can be flags, and the default. */
static int reserve_features(Parser *parser, int argc)
{
    ScoreSettings *settings = parser->settings;
    settings->features = calloc((size_t)argc + 1, sizeof *settings->features);
    settings->feature_text = calloc((size_t)argc + 1, sizeof *settings->feature_text);
    if (settings->features && settings->feature_text)
        return 0;
    vqx_fail(parser->error, VQX_ERROR_MEMORY, "out of memory");
    return -1;
}

int settings_parse(ScoreSettings *settings, int argc, char **argv, int pair_optional,
                   VqxError *error)
{
    Parser parser = {
        .settings = settings, .error = error, .format = -1, .pair_optional = pair_optional};
    *settings = (ScoreSettings){.precision = REPORT_PRECISION_MAX};
    int flag, status = reserve_features(&parser, argc);
    optind = 0;
    while (!status && !settings->answered &&
           (flag = getopt_long(argc, argv, short_flags, long_flags, NULL)) != -1) {
        settings->answered = answer(flag);
        status = settings->answered ? 0 : apply(&parser, flag, argv);
    }
    for (; !status && !settings->answered && optind < argc; optind++) /* behind "--" */
        status = positional(&parser, argv[optind]);
    if (!status && !settings->answered)
        status = complete(&parser);
    if (status || settings->answered)
        settings_free(settings);
    return status;
}

int settings_own_flag(const char *flag, int *i, int argc, char **argv, const char **value)
{
    const size_t length = strlen(flag);
    if (strncmp(argv[*i], flag, length) || (argv[*i][length] && argv[*i][length] != '='))
        return 0;
    if (argv[*i][length])
        *value = argv[*i] + length + 1;
    else
        *value = *i + 1 < argc ? argv[++*i] : NULL;
    return 1;
}

void settings_of_context(const ScoreSettings *settings, VqxSettings *context)
{
    vqx_default_settings(context);
    context->vif = settings->features;
    context->vif_count = settings->feature_count;
    context->backend = settings->backend;
    context->device = settings->device;
    context->module_folder = settings->media.module_folder;
    context->threads = settings->threads;
    context->cpumask = settings->cpumask;
}

void settings_free(ScoreSettings *settings)
{
    free(settings->features);
    free(settings->feature_text);
    settings->features = NULL;
    settings->feature_text = NULL;
}
