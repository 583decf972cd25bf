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

typedef struct Parity {
    ScoreSettings settings; /* of the pair; with the self-test only backend, device and modules */
    const char *json, *only, *required;
    int self_test, stages;
    Console console;
    ParityRunners runners;
    size_t cases;
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
    return settings_parse(&parity->settings, left, argv, 0, error);
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

/* Reads the pair's frames one by one and gives each to every runner. */
static int run_frames(Parity *parity, VqxMedia *media[2], void *luma[2], VqxError *error)
{
    const ScoreSettings *settings = &parity->settings;
    VqxPlane plane[2];
    for (int i = 0; i < 2; i++) {
        const VqxMediaInfo *info = vqx_media_info(media[i]);
        plane[i] = (VqxPlane){.data = luma[i],
                              .stride = (ptrdiff_t)info->width * (info->bit_depth > 8 ? 2 : 1),
                              .width = info->width,
                              .height = info->height,
                              .bit_depth = info->bit_depth};
        for (uint64_t n = 0; n < settings->skip[i]; n++)
            if (vqx_media_skip(media[i], error) != VQX_MEDIA_FRAME)
                return vqx_fail(error, VQX_ERROR_ARGUMENT,
                                "%s: it has no more than %" PRIu64 " frames to skip",
                                vqx_media_path(media[i]), n);
    }
    for (uint64_t n = 0; !settings->frame_count || n < settings->frame_count; n++) {
        for (int i = 0; i < 2; i++) {
            const VqxMediaResult result =
                wanted(settings, n) ? vqx_media_read(media[i], luma[i], plane[i].stride, error)
                                    : vqx_media_skip(media[i], error);
            if (result == VQX_MEDIA_END && i == 0)
                return n ? 0
                         : vqx_fail(error, VQX_ERROR_ARGUMENT, "%s: there is no frame",
                                    vqx_media_path(media[i]));
            if (result == VQX_MEDIA_END)
                return vqx_fail(error, VQX_ERROR_ARGUMENT,
                                "%s: it ends after %" PRIu64 " frames, before %s",
                                vqx_media_path(media[i]), n, vqx_media_path(media[0]));
            if (result != VQX_MEDIA_FRAME)
                return error->status;
        }
        if (wanted(settings, n))
            parity_submit(&parity->runners, &plane[0], &plane[1], n);
        const int status =
            parity->stages && wanted(settings, n)
                ? parity_stages_frame(&parity->runners, settings->features, settings->feature_count,
                                      plane, n, "", NULL, error)
                : 0;
        if (status)
            return status;
        console_progress(&parity->console, "frame %" PRIu64, n);
    }
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
    VqxError error;
    console_end(&parity->console);
    gate_print(&gate);
    if (parity->json && gate_write_json(&gate, parity->json, &error)) {
        console_error(&parity->console, "%s", error.message);
        return EXIT_OUTPUT;
    }
    if (!parity_holds(&parity->runners))
        return command_finish_output(EXIT_DIFFERENT);
    if (parity->required && parity_required(&parity->runners, parity->required, &error)) {
        console_error(&parity->console, "%s", error.message);
        return command_finish_output(EXIT_BACKEND);
    }
    return command_finish_output(EXIT_DONE);
}

int command_parity(int argc, char **argv)
{
    Parity parity = {.self_test = 0};
    VqxError error = {0};
    int status = parse(&parity, argc, argv, &error);
    console_init(&parity.console, parity.settings.quiet);
    if (!status && parity.settings.answered)
        return command_finish_output(EXIT_DONE);
    if (status) {
        console_error(&parity.console, "%s", error.message);
        return command_status(error.status);
    }
    status = parity_list(&parity.runners, parity.settings.backend, parity.settings.device,
                         parity.settings.media.module_folder, &error);
    int result = command_status(status);
    if (!status) {
        status = parity.self_test ? run_self_test(&parity, &error) : run_pair(&parity, &error);
        result = !status                      ? judge(&parity)
                 : status == VQX_ERROR_OPTION ? EXIT_USAGE
                                              : command_input_status(status);
    }
    console_end(&parity.console);
    if (status)
        console_error(&parity.console, "%s", error.message);
    parity_free(&parity.runners);
    settings_free(&parity.settings);
    return result;
}
