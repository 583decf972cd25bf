/* `vqx parity`: the same frames on every backend, device and instruction set, compared with tolerance zero. */
#include "cli/command.h"
#include "cli/console.h"
#include "cli/gate.h"
#include "cli/settings.h"
#include "parity/cases.h"
#include "parity/required.h"
#include "util/error.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct Parity {
    ScoreSettings settings; /* of the pair; with the self-test only backend, device and modules */
    const char *json, *only, *required;
    int self_test, stages;
    Console console;
    ReportTarget target; /* of the JSON */
    ParityRunners runners;
    size_t cases;
    VqxError end; /* status not 0: the pair's frames ended otherwise than together, after some */
} Parity;

/* The self-test's few flags. */
static int parse_self_test(Parity *parity, int argc, char **argv, VqxError *error)
{
    for (int i = 1; i < argc; i++) {
        const char *value = "";
        if (!strcmp(argv[i], "-q") || !strcmp(argv[i], "--quiet"))
            parity->settings.quiet = 1;
        else if (settings_own_flag("--backend", &i, argc, argv, &value))
            parity->settings.backend = value;
        else if (settings_own_flag("--device", &i, argc, argv, &value))
            parity->settings.device = value;
        else if (settings_own_flag("--modules", &i, argc, argv, &value))
            parity->settings.media.module_folder = value;
        else if (settings_own_flag("--case", &i, argc, argv, &value))
            parity->only = value;
        else if (!strcmp(argv[i], "--help"))
            parity->settings.answered = !command_help(0, NULL);
        else
            return vqx_fail(error, VQX_ERROR_OPTION,
                            "parity --self-test: '%.100s' is not accepted; it takes --backend, "
                            "--device, --modules, --stages, --case, --require, --json and --quiet",
                            argv[i]);
        if (!value)
            return vqx_fail(error, VQX_ERROR_OPTION, "%s needs a value", argv[i]);
    }
    return 0;
}

/* Takes the command's own flags out of the command line; the rest is a pair's, as `vqx score` has it. */
static int parse(Parity *parity, int argc, char **argv, VqxError *error)
{
    int left = 1;
    for (int i = 1; i < argc; i++) {
        const char *flag = argv[i], *value = "";
        if (!strcmp(flag, "--self-test"))
            parity->self_test = 1;
        else if (!strcmp(flag, "--stages"))
            parity->stages = 1;
        else if (settings_own_flag("--json", &i, argc, argv, &value))
            parity->json = value;
        else if (settings_own_flag("--require", &i, argc, argv, &value))
            parity->required = value;
        else
            argv[left++] = argv[i];
        if (!value)
            return vqx_fail(error, VQX_ERROR_OPTION, "%s needs a value: the name of a file", flag);
    }
    argv[left] = NULL;
    if (parity->self_test)
        return parse_self_test(parity, left, argv, error);
    const int status = settings_parse(&parity->settings, left, argv, 0, error);
    if (!status && parity->settings.output)
        return vqx_fail(error, VQX_ERROR_OPTION,
                        "parity writes no report of scores; leave out --output ('--json FILE' "
                        "writes its table)");
    return status;
}

static int run_self_test(Parity *parity, VqxError *error)
{
    const size_t count = parity_case_count();
    for (size_t i = 0; i < count; i++) {
        char name[80];
        ParityAnswer answer;
        parity_case_name(name, i);
        if (parity->only && !strstr(name, parity->only))
            continue;
        console_progress(&parity->console, "%zu of %zu: %s", i + 1, count, name);
        const int status = parity_case_run(&parity->runners, i, parity->stages,
                                           parity->settings.media.module_folder, &answer, error);
        if (status)
            return status;
        parity->cases++;
    }
    if (!parity->cases)
        return vqx_fail(error, VQX_ERROR_OPTION, "no case of the self-test has '%.80s' in its name",
                        parity->only);
    return 0;
}

/* Whether frame n is to be scored. */
static int wanted(const ScoreSettings *settings, uint64_t n)
{
    return !settings->subsample || n % settings->subsample == 0;
}

/* One frame of a side, or over it where it is not wanted. */
static VqxMediaResult take_frame(VqxMedia *media, const VqxPlane *plane, int want, VqxError *error)
{
    return want ? vqx_media_read(media, plane->data, plane->stride, error)
                : vqx_media_skip(media, error);
}

static int skip_frames(VqxMedia *media, uint64_t count, VqxError *error)
{
    for (uint64_t n = 0; n < count; n++) {
        const VqxMediaResult result = vqx_media_skip(media, error);
        if (result == VQX_MEDIA_END)
            return vqx_fail(error, VQX_ERROR_ARGUMENT,
                            "%s: it has no more than %" PRIu64 " frames to skip",
                            vqx_media_path(media), n);
        if (result != VQX_MEDIA_FRAME)
            return error->status;
    }
    return 0;
}

/* How the frames ended, where side `side` gave `result` for pair n: what was compared before stands. */
static int judge_end(Parity *parity, VqxMedia *media[2], const VqxPlane *plane, int side,
                     VqxMediaResult result, uint64_t n, VqxError *error)
{
    const int other = 1 - side;
    if (result == VQX_MEDIA_END && side == 0) {
        result = take_frame(media[1], &plane[1], 0, error);
        if (result == VQX_MEDIA_END)
            return n ? 0
                     : vqx_fail(error, VQX_ERROR_ARGUMENT, "%s: there is no frame",
                                vqx_media_path(media[0]));
        if (result == VQX_MEDIA_FRAME)
            result = VQX_MEDIA_END;
    }
    if (result == VQX_MEDIA_END)
        vqx_fail(error, VQX_ERROR_ARGUMENT,
                 "%s: it ends after %" PRIu64 " frames, and %s has more; --shortest accepts that",
                 vqx_media_path(media[side]), n + parity->settings.skip[side],
                 vqx_media_path(media[other]));
    if (!n)
        return error->status;
    if (result == VQX_MEDIA_END && parity->settings.shortest)
        console_note(&parity->console, "%s", error->message);
    else
        parity->end = *error;
    *error = (VqxError){0};
    return 0;
}

/* Reads the pair's frames one by one and gives each to every runner. */
static int run_frames(Parity *parity, VqxMedia *media[2], void *luma[2], VqxError *error)
{
    const ScoreSettings *settings = &parity->settings;
    VqxPlane plane[2];
    int status = 0;
    for (int i = 0; !status && i < 2; i++) {
        const VqxMediaInfo *info = vqx_media_info(media[i]);
        plane[i] = (VqxPlane){.data = luma[i],
                              .stride = (ptrdiff_t)info->width * (info->bit_depth > 8 ? 2 : 1),
                              .width = info->width,
                              .height = info->height,
                              .bit_depth = info->bit_depth};
        status = skip_frames(media[i], settings->skip[i], error);
    }
    for (uint64_t n = 0; !status && (!settings->frame_count || n < settings->frame_count); n++) {
        const int want = wanted(settings, n);
        for (int i = 0; i < 2; i++) {
            const VqxMediaResult result = take_frame(media[i], &plane[i], want, error);
            if (result != VQX_MEDIA_FRAME)
                return judge_end(parity, media, plane, i, result, n, error);
        }
        if (want)
            parity_submit(&parity->runners, &plane[0], &plane[1], n);
        if (want && parity->stages)
            status = parity_stages_frame(&parity->runners, settings->features,
                                         settings->feature_count, plane, n, "", NULL, error);
        console_progress(&parity->console, "frame %" PRIu64, n);
    }
    return status;
}

static int check_sizes(VqxMedia *media[2], VqxError *error)
{
    const VqxMediaInfo *a = vqx_media_info(media[0]), *b = vqx_media_info(media[1]);
    if (a->width != b->width || a->height != b->height)
        return vqx_fail(error, VQX_ERROR_SIZE,
                        "%s is %ux%u, %s is %ux%u; two videos of one size are accepted",
                        vqx_media_path(media[0]), a->width, a->height, vqx_media_path(media[1]),
                        b->width, b->height);
    return 0;
}

static int run_pair(Parity *parity, VqxError *error)
{
    const ScoreSettings *settings = &parity->settings;
    VqxMedia *media[2] = {NULL, NULL};
    void *luma[2] = {NULL, NULL};
    int status = 0;
    for (size_t i = 0; i < settings->feature_count; i++)
        settings->features[i].debug = 1; /* every output is compared */
    for (int i = 0; !status && i < 2; i++) {
        status = vqx_media_open(&media[i], settings->path[i], &settings->media, error);
        if (status)
            break;
        const VqxMediaInfo *info = vqx_media_info(media[i]);
        luma[i] = malloc((size_t)info->width * info->height * 2);
        if (!luma[i])
            status = vqx_fail(error, VQX_ERROR_MEMORY, "out of memory");
    }
    if (!status)
        status = check_sizes(media, error);
    if (!status) {
        status = parity_begin(&parity->runners, settings->features, settings->feature_count,
                              settings->media.module_folder, error);
        if (!status)
            status = run_frames(parity, media, luma, error);
        parity_end(&parity->runners, "");
        parity->cases++;
    }
    for (int i = 0; i < 2; i++) {
        vqx_media_close(&media[i]);
        free(luma[i]);
    }
    return status;
}

static int judge(Parity *parity)
{
    const Gate gate = {&parity->runners, parity->cases, parity->self_test, parity->stages};
    const int stdout_taken =
        parity->json && report_target_is_descriptor(&parity->target, STDOUT_FILENO);
    VqxError error;
    console_end(&parity->console);
    gate_print(stdout_taken ? stderr : stdout, &gate);
    if (parity->json && gate_write_json(&gate, &parity->target, &error)) {
        console_error(&parity->console, "%s", error.message);
        return EXIT_OUTPUT;
    }
    if (parity->end.status)
        console_error(&parity->console, "%s", parity->end.message);
    if (!parity_holds(&parity->runners))
        return EXIT_DIFFERENT;
    if (parity->end.status)
        return EXIT_INCOMPLETE;
    if (parity->required && parity_required(&parity->runners, parity->required, &error)) {
        console_error(&parity->console, "%s", error.message);
        return EXIT_BACKEND;
    }
    return EXIT_DONE;
}

/* What can be refused before anything is run: an ExitStatus. */
static int prepare(Parity *parity, VqxError *error)
{
    const ScoreSettings *settings = &parity->settings;
    if (parity->json && (report_target_init(&parity->target, parity->json, error) ||
                         report_target_spares(&parity->target, settings->path, error)))
        return EXIT_OUTPUT;
    int status = parity->required ? parity_required_check(parity->required, error) : 0;
    if (status)
        return command_input_status(status);
    status = parity_list(&parity->runners, settings->backend, settings->device,
                         settings->media.module_folder, error);
    return command_status(status);
}

/* All frames on every runner: an ExitStatus. */
static int run(Parity *parity, VqxError *error)
{
    const int status = parity->self_test ? run_self_test(parity, error) : run_pair(parity, error);
    return !status                      ? judge(parity)
           : status == VQX_ERROR_OPTION ? EXIT_USAGE
                                        : command_input_status(status);
}

int command_parity(int argc, char **argv)
{
    Parity parity = {.self_test = 0};
    VqxError error = {0};
    const int refused = parse(&parity, argc, argv, &error);
    console_init(&parity.console, parity.settings.quiet);
    int result = refused ? command_status(error.status) : EXIT_DONE;
    if (!refused && !parity.settings.answered)
        result = prepare(&parity, &error);
    if (!result && !refused && !parity.settings.answered)
        result = run(&parity, &error);
    console_end(&parity.console);
    if (error.status)
        console_error(&parity.console, "%s", error.message);
    report_target_free(&parity.target);
    parity_free(&parity.runners);
    settings_free(&parity.settings);
    return command_finish_output(result);
}
