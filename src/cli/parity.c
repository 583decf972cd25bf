/* `vqx parity`: the same frames on every backend, device and instruction set, compared with tolerance zero. */
#include "cli/command.h"
#include "cli/console.h"
#include "cli/settings.h"
#include "parity/cases.h"
#include "report/target.h"
#include "report/text.h"
#include "util/error.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct Parity {
    ScoreSettings settings; /* of the pair; with the self-test only backend, device and modules */
    const char *json;
    int self_test;
    Console console;
    ParityRunners runners;
    size_t cases;
} Parity;

static int take_value(const char *flag, int *i, int argc, char **argv, const char **value)
{
    if (strcmp(argv[*i], flag))
        return 0;
    *value = *i + 1 < argc ? argv[++*i] : NULL;
    return 1;
}

/* The self-test's few flags. */
static int parse_self_test(Parity *parity, int argc, char **argv, VqxError *error)
{
    for (int i = 1; i < argc; i++) {
        const char *value = "";
        if (!strcmp(argv[i], "-q") || !strcmp(argv[i], "--quiet"))
            parity->settings.quiet = 1;
        else if (take_value("--backend", &i, argc, argv, &value))
            parity->settings.backend = value;
        else if (take_value("--device", &i, argc, argv, &value))
            parity->settings.device = value;
        else if (take_value("--modules", &i, argc, argv, &value))
            parity->settings.media.module_folder = value;
        else
            return vqx_fail(error, VQX_ERROR_OPTION,
                            "parity --self-test: '%.100s' is not accepted; it takes --backend, "
                            "--device, --modules, "
                            "--json and --quiet",
                            argv[i]);
        if (!value)
            return vqx_fail(error, VQX_ERROR_OPTION, "%s needs a value", argv[i]);
    }
    return 0;
}

/* Takes --self-test and --json out of the command line; the rest is a pair's, as `vqx score` has it. */
static int parse(Parity *parity, int argc, char **argv, VqxError *error)
{
    int left = 1;
    for (int i = 1; i < argc; i++) {
        const char *value = "";
        if (!strcmp(argv[i], "--self-test")) {
            parity->self_test = 1;
        } else if (take_value("--json", &i, argc, argv, &value)) {
            parity->json = value;
            if (!value)
                return vqx_fail(error, VQX_ERROR_OPTION, "--json needs a value: the file to write");
        } else {
            argv[left++] = argv[i];
        }
    }
    argv[left] = NULL;
    if (parity->self_test)
        return parse_self_test(parity, left, argv, error);
    return settings_parse(&parity->settings, left, argv, error);
}

static int run_self_test(Parity *parity, VqxError *error)
{
    int status = 0;
    for (size_t i = 0; !status && i < parity_case_count(); i++) {
        char name[80];
        parity_case_name(name, i);
        console_progress(&parity->console, "%zu of %zu: %s", i + 1, parity_case_count(), name);
        status = parity_case_run(&parity->runners, i, parity->settings.media.module_folder, error);
        parity->cases++;
    }
    return status;
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

static void print_table(const Parity *parity)
{
    printf("%-8s %-7s %-28s %10s %10s  %s\n", "backend", "device", "form", "frames", "values",
           "equal");
    for (size_t i = 0; i < parity->runners.count; i++) {
        const ParityRunner *r = &parity->runners.runner[i];
        printf("%-8s %-7s %-28s %10" PRIu64 " %10" PRIu64 "  %s\n", r->backend,
               *r->device ? r->device : "-", r->detail, r->frames, r->values,
               i == 0         ? "(reference)"
               : r->error[0]  ? "FAILED"
               : r->differing ? "NO"
                              : "yes");
        if (r->error[0])
            printf("    %s\n", r->error);
        if (!r->differing)
            continue;
        const ParityDifference *d = &r->first;
        printf("    %" PRIu64 " values differ, the first: %s%sframe %" PRIu64
               " %s = %.17g, reference %.17g",
               r->differing, d->where, *d->where ? ": " : "", d->frame, d->output, d->got,
               d->expected);
        if (r->largest_ulp == UINT64_MAX)
            printf("; one side is not a number\n");
        else
            printf("; largest difference %" PRIu64 " ulp\n", r->largest_ulp);
    }
    const int holds = parity_holds(&parity->runners);
    printf("%s: %zu runners, %zu %s\n",
           holds                       ? "equal"
           : parity->runners.count < 2 ? "nothing to compare"
                                       : "NOT EQUAL",
           parity->runners.count, parity->cases, parity->self_test ? "cases" : "pair");
}

static void json_text(FILE *file, const char *name, const char *text)
{
    fprintf(file, "      \"%s\": ", name);
    report_json_string(file, text);
    fputs(",\n", file);
}

static void json_runner(FILE *file, const ParityRunner *r, int last)
{
    fputs("    {\n", file);
    json_text(file, "backend", r->backend);
    json_text(file, "device", r->device);
    json_text(file, "name", r->name);
    json_text(file, "driver", r->driver);
    json_text(file, "detail", r->detail);
    json_text(file, "error", r->error);
    if (r->differing) {
        json_text(file, "first_case", r->first.where);
        json_text(file, "first_output", r->first.output);
        fprintf(file, "      \"first_frame\": %" PRIu64 ",\n", r->first.frame);
        if (r->largest_ulp != UINT64_MAX)
            fprintf(file, "      \"largest_ulp\": %" PRIu64 ",\n", r->largest_ulp);
    }
    fprintf(file,
            "      \"frames\": %" PRIu64 ",\n      \"values\": %" PRIu64
            ",\n      \"differing\": %" PRIu64 "\n    }%s\n",
            r->frames, r->values, r->differing, last ? "" : ",");
}

static int write_json(const Parity *parity, VqxError *error)
{
    ReportTarget target;
    char date[32];
    const time_t now = time(NULL);
    struct tm utc;
    if (report_target_init(&target, parity->json, error))
        return -1;
    FILE *file = report_target_open(&target, error);
    if (file) {
        strftime(date, sizeof date, "%Y-%m-%d", gmtime_r(&now, &utc));
        fprintf(file,
                "{\n  \"version\": \"%s\",\n  \"date\": \"%s\",\n  \"kind\": \"%s\",\n  \"cases\": "
                "%zu,\n"
                "  \"equal\": %s,\n  \"runners\": [\n",
                vqx_version(), date, parity->self_test ? "self-test" : "pair", parity->cases,
                parity_holds(&parity->runners) ? "true" : "false");
        for (size_t i = 0; i < parity->runners.count; i++)
            json_runner(file, &parity->runners.runner[i], i + 1 == parity->runners.count);
        fputs("  ]\n}\n", file);
    }
    const int status = file ? report_target_close(&target, 0, error) : -1;
    report_target_free(&target);
    return status;
}

static int judge(Parity *parity)
{
    VqxError error;
    console_end(&parity->console);
    print_table(parity);
    if (parity->json && write_json(parity, &error)) {
        console_error(&parity->console, "%s", error.message);
        return EXIT_OUTPUT;
    }
    return command_finish_output(parity_holds(&parity->runners) ? EXIT_DONE : EXIT_DIFFERENT);
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
        result = status ? command_input_status(status) : judge(&parity);
    }
    console_end(&parity.console);
    if (status)
        console_error(&parity.console, "%s", error.message);
    parity_free(&parity.runners);
    settings_free(&parity.settings);
    return result;
}
