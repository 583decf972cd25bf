/* `vqx bench`: how fast a backend and a device are here, and what share that is of what the device can do. */
#include "cli/command.h"
#include "cli/console.h"
#include "cli/figures.h"
#include "cli/score.h"
#include "cli/settings.h"
#include "report/target.h"
#include "report/text.h"
#include "util/error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct BenchCommand {
    ScoreSettings settings;
    FiguresRequest request;
    const char *json;
    int size_given, depth_given;
    int form; /* VqxForm */
    Console console;
    ScoreTimes files; /* of the pair, where one was given */
    Figures figures;
} BenchCommand;

static int refuse(const char *flag, const char *value, const char *accepted, VqxError *error)
{
    return vqx_fail(error, VQX_ERROR_OPTION, "%s: '%.100s' is not accepted; it takes %s", flag,
                    value, accepted);
}

/* A whole number up to `most` and no other character before `end`. */
static int whole(const char *text, char end, unsigned most, unsigned *number)
{
    char *rest;
    if (*text < '0' || *text > '9')
        return -1;
    const unsigned long value = strtoul(text, &rest, 10);
    *number = (unsigned)value;
    return *rest == end && value <= most ? 0 : -1;
}

static int take_size(BenchCommand *bench, const char *text, VqxError *error)
{
    FiguresRequest *request = &bench->request;
    const char *by = strchr(text, 'x');
    bench->size_given = 1;
    if (by && !whole(text, 'x', 65535, &request->width) &&
        !whole(by + 1, '\0', 65535, &request->height) && request->width && request->height)
        return 0;
    return refuse("--size", text, "a width and a height from 1 to 65535, as in 1920x1080", error);
}

static int take_depth(BenchCommand *bench, const char *text, VqxError *error)
{
    unsigned depth;
    bench->depth_given = 1;
    if (whole(text, '\0', 16, &depth) || depth < 8)
        return refuse("--depth", text, "a whole number from 8 to 16", error);
    bench->request.depth[0] = bench->request.depth[1] = depth;
    return 0;
}

static int take_seconds(BenchCommand *bench, const char *text, VqxError *error)
{
    char *end;
    const double seconds = strtod(text, &end);
    if (end == text || *end || !(seconds >= 0.001 && seconds <= 3600))
        return refuse("--seconds", text, "a number from 0.001 to 3600", error);
    bench->request.seconds = seconds;
    return 0;
}

static int take_form(BenchCommand *bench, const char *text, VqxError *error)
{
    bench->form = !strcmp(text, "native")      ? VQX_FORM_NATIVE
                  : !strcmp(text, "fp64-free") ? VQX_FORM_FP64_FREE
                                               : VQX_FORM_AUTO;
    return bench->form ? 0 : refuse("--form", text, "native or fp64-free", error);
}

static int take_json(BenchCommand *bench, const char *text, VqxError *error)
{
    (void)error;
    bench->json = text;
    return 0;
}

/* A flag of this command at argv[*i]: 1, and *status is what came of it. */
static int own_flag(BenchCommand *bench, int *i, int argc, char **argv, int *status,
                    VqxError *error)
{
    static const struct {
        const char *flag;
        int (*take)(BenchCommand *bench, const char *text, VqxError *error);
    } own[] = {{"--size", take_size},
               {"--depth", take_depth},
               {"--seconds", take_seconds},
               {"--form", take_form},
               {"--json", take_json}};
    for (size_t n = 0; n < sizeof own / sizeof *own; n++) {
        const char *value;
        if (!settings_own_flag(own[n].flag, i, argc, argv, &value))
            continue;
        *status = value ? own[n].take(bench, value, error)
                        : vqx_fail(error, VQX_ERROR_OPTION, "%s needs a value", own[n].flag);
        return 1;
    }
    return 0;
}

static int check(const BenchCommand *bench, VqxError *error)
{
    const ScoreSettings *settings = &bench->settings;
    if (settings->output)
        return vqx_fail(error, VQX_ERROR_OPTION,
                        "bench writes no report of scores; leave out --output ('--json FILE' "
                        "writes its figures)");
    if (settings->path[0] && (bench->size_given || bench->depth_given))
        return vqx_fail(error, VQX_ERROR_OPTION,
                        "--size and --depth are of frames that bench makes; with files theirs are "
                        "taken: leave the flags out");
    if (settings->media.raw && !settings->path[0])
        return vqx_fail(error, VQX_ERROR_OPTION,
                        "--width, --height, --pixel_format and --bitdepth describe raw files, and "
                        "none is given; '--size 1920x1080' says how large frames to make");
    return 0;
}

/* Takes this command's flags out of the command line; the rest is as `vqx score` has it. */
static int parse(BenchCommand *bench, int argc, char **argv, VqxError *error)
{
    int left = 1, status = 0;
    for (int i = 1; !status && i < argc; i++)
        if (!own_flag(bench, &i, argc, argv, &status, error))
            argv[left++] = argv[i];
    if (status)
        return status;
    argv[left] = NULL;
    status = settings_parse(&bench->settings, left, argv, 1, error);
    return status || bench->settings.answered ? status : check(bench, error);
}

/* First of all: the device is as cold as it is for a run of its own. */
static int measure_files(BenchCommand *bench)
{
    FiguresRequest *request = &bench->request;
    if (!bench->settings.path[0])
        return EXIT_DONE;
    const int status = score_timed(&bench->settings, &bench->files);
    request->width = bench->files.width;
    request->height = bench->files.height;
    request->depth[0] = bench->files.depth[0];
    request->depth[1] = bench->files.depth[1];
    return status;
}

static int measure(BenchCommand *bench)
{
    VqxSettings context;
    VqxError error;
    int status = measure_files(bench);
    if (status)
        return status;
    settings_of_context(&bench->settings, &context);
    context.form = bench->form;
    context.log = console_log;
    context.log_opaque = &bench->console;
    status = figures_measure(&bench->figures, &bench->request, &context, &error);
    if (status) {
        console_error(&bench->console, "%s", error.message);
        return command_status(status);
    }
    if (bench->files.frames)
        figures_add(&bench->figures, "files", "from the files",
                    bench->files.scoring / (double)bench->files.frames, 1);
    return EXIT_DONE;
}

static void print_share(FILE *out, double share)
{
    if (share > 0)
        fprintf(out, " %10.0f %%", 100 * share);
    else
        fprintf(out, " %12s", "-");
}

static void print_table(const BenchCommand *bench, FILE *out)
{
    const Figures *f = &bench->figures;
    const FiguresRequest *r = &bench->request;
    fprintf(out, "%s: %s%s%s, %s\n", f->backend, f->device, *f->driver ? ", " : "", f->driver,
            f->detail);
    fprintf(out, "%ux%u, %u bits", r->width, r->height, r->depth[0]);
    if (r->depth[1] != r->depth[0])
        fprintf(out, " and %u bits", r->depth[1]);
    for (size_t i = 0; i < bench->settings.feature_count; i++)
        fprintf(out, ", %s", bench->settings.feature_text[i]);
    fprintf(out, "\nstart: backend %.1f ms, stream %.1f ms, %u frame buffers of %.1f MB %.1f ms\n",
            1e3 * f->open, 1e3 * f->configure, f->buffers, 1e-6 * (double)f->frame_bytes,
            1e3 * f->allocate);
    fprintf(out, "peaks: ");
    if (f->peaks.f32 > 0)
        fprintf(out, "%.1f billion f32 multiplications and additions a second",
                1e-9 * f->peaks.f32);
    else
        fprintf(out, "arithmetic is not measured on this device");
    if (f->peaks.copy_bytes > 0)
        fprintf(out, ", copies of %.1f GB/s", 1e-9 * f->peaks.copy_bytes);
    fprintf(out, "\n\n%-32s %10s %12s %12s %12s\n", "", "frames/s", "ms a frame", "arithmetic",
            "copy");
    for (size_t i = 0; i < f->count; i++) {
        const Figure *figure = &f->figure[i];
        fprintf(out, "%-32s %10.1f %12.3f", figure->label, 1 / figure->seconds,
                1e3 * figure->seconds);
        print_share(out, figure->arithmetic);
        print_share(out, figure->copy);
        fprintf(out, "\n");
    }
    if (bench->files.frames)
        fprintf(out, "\n%zu pairs from the files, started in %.1f ms\n", bench->files.frames,
                1e3 * bench->files.start);
}

static void json_text(FILE *file, const char *name, const char *text)
{
    fprintf(file, "  \"%s\": ", name);
    report_json_string(file, text);
    fputs(",\n", file);
}

static void json_figures(FILE *file, const BenchCommand *bench)
{
    const Figures *f = &bench->figures;
    const FiguresRequest *r = &bench->request;
    fprintf(file, "{\n  \"version\": \"%s\",\n", vqx_version());
    json_text(file, "backend", f->backend);
    json_text(file, "device", f->device);
    json_text(file, "driver", f->driver);
    json_text(file, "detail", f->detail);
    fputs("  \"features\": [", file);
    for (size_t i = 0; i < bench->settings.feature_count; i++) {
        fputs(i ? ", " : "", file);
        report_json_string(file, bench->settings.feature_text[i]);
    }
    fprintf(file, "],\n  \"width\": %u,\n  \"height\": %u,\n  \"depth\": [%u, %u],\n", r->width,
            r->height, r->depth[0], r->depth[1]);
    fprintf(file,
            "  \"start\": {\"backend\": %.6f, \"stream\": %.6f, \"buffers\": %.6f, "
            "\"buffer_count\": %u},\n",
            f->open, f->configure, f->allocate, f->buffers);
    fprintf(file, "  \"frame_bytes\": %zu,\n  \"frame_operations\": %.0f,\n", f->frame_bytes,
            f->operations);
    fprintf(file, "  \"peaks\": {\"f32\": %.4g, \"copy_bytes\": %.4g},\n", f->peaks.f32,
            f->peaks.copy_bytes);
    if (bench->files.frames)
        fprintf(file, "  \"files\": {\"frames\": %zu, \"start\": %.6f, \"scoring\": %.6f},\n",
                bench->files.frames, bench->files.start, bench->files.scoring);
    fputs("  \"figures\": {\n", file);
    for (size_t i = 0; i < f->count; i++) {
        const Figure *figure = &f->figure[i];
        fprintf(file, "    \"%s\": {\"seconds\": %.9f, \"arithmetic\": %.4f, \"copy\": %.4f}%s\n",
                figure->key, figure->seconds, figure->arithmetic, figure->copy,
                i + 1 < f->count ? "," : "");
    }
    fputs("  }\n}\n", file);
}

static int write_json(const BenchCommand *bench, ReportTarget *target, VqxError *error)
{
    FILE *file = report_target_open(target, error);
    if (!file)
        return -1;
    json_figures(file, bench);
    return report_target_close(target, 0, error);
}

/* Where the figures cannot be written, that is said before measuring. */
static int run(BenchCommand *bench)
{
    ReportTarget target = {0};
    VqxError error;
    int status = EXIT_DONE;
    if (bench->json && (report_target_init(&target, bench->json, &error) ||
                        report_target_spares(&target, bench->settings.path, &error))) {
        report_target_free(&target);
        console_error(&bench->console, "%s", error.message);
        return EXIT_OUTPUT;
    }
    const int stdout_taken = bench->json && report_target_is_descriptor(&target, STDOUT_FILENO);
    status = measure(bench);
    if (!status) {
        print_table(bench, stdout_taken ? stderr : stdout);
        if (bench->json && write_json(bench, &target, &error)) {
            console_error(&bench->console, "%s", error.message);
            status = EXIT_OUTPUT;
        }
    }
    report_target_free(&target);
    return status;
}

int command_bench(int argc, char **argv)
{
    BenchCommand bench = {
        .request = {.width = 3840, .height = 2160, .depth = {8, 8}, .seconds = 5}};
    VqxError error = {0};
    const int refused = parse(&bench, argc, argv, &error);
    console_init(&bench.console, bench.settings.quiet);
    if (refused)
        console_error(&bench.console, "%s", error.message);
    int status = refused ? command_status(error.status) : EXIT_DONE;
    if (!refused && !bench.settings.answered)
        status = run(&bench);
    settings_free(&bench.settings);
    return command_finish_output(status);
}
