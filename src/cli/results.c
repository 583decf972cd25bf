#include "cli/results.h"

#include "cli/command.h"
#include "cli/commit.h"
#include "report/number.h"
#include "util/error.h"
#include "vif/options.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { OPTION_DIGITS = 6 }; /* of an option, which is rounded to as many when it is read */

/* A report and what it points to. */
typedef struct Results {
    Report report;
    ReportNote notes[20];
    char count[3][24]; /* subsample and skips as text */
    char digest[2][24];
    char *features, *options;
    const char **names;
    ReportPooled *pooled;
} Results;

static int give_frame(void *opaque, size_t n, uint64_t *index, double *values)
{
    const int status = vqx_frame_index(opaque, n, index, NULL);
    return status ? status : vqx_frame_scores(opaque, *index, values, NULL);
}

static void note(Results *results, const char *name, const char *text)
{
    results->notes[results->report.note_count++] = (ReportNote){name, text ? text : ""};
}

static void note_count(Results *results, int i, const char *name, uint64_t value)
{
    snprintf(results->count[i], sizeof results->count[i], "%" PRIu64, value);
    note(results, name, results->count[i]);
}

/* The features as they were asked for, with blanks between. NULL: out of memory. */
static char *join_features(const ScoreSettings *settings)
{
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    if (!stream)
        return NULL;
    for (size_t i = 0; i < settings->feature_count; i++)
        fprintf(stream, "%s%s", i ? " " : "", settings->feature_text[i]);
    if (!fclose(stream))
        return text;
    free(text);
    return NULL;
}

/* The options in use, by their names and in one order, whatever way they were asked for: those that differ from the
 * defaults. */
static char *name_options(const ScoreSettings *settings)
{
    char *text = NULL, number[REPORT_NUMBER_SIZE];
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    if (!stream)
        return NULL;
    for (size_t i = 0; i < settings->feature_count; i++) {
        fprintf(stream, "%sfloat_vif", i ? " " : "");
        const char *before = "=";
        for (int k = 0; k < VIF_OPTION_COUNT; k++) {
            const double value = vif_option_number(&settings->features[i], &vif_option[k]);
            if (value == vif_option[k].standard)
                continue;
            fprintf(stream, "%s%s=%s", before, vif_option[k].name,
                    vif_option[k].kind == VIF_OPTION_METHOD
                        ? vif_prescale_method_name((int)value)
                        : report_number(number, value, OPTION_DIGITS));
            before = ":";
        }
    }
    if (!fclose(stream))
        return text;
    free(text);
    return NULL;
}

static void note_digest(Results *results, int i, const char *name, uint64_t digest)
{
    snprintf(results->digest[i], sizeof results->digest[i], "xxh3:%016" PRIx64, digest);
    note(results, name, results->digest[i]);
}

static void add_notes(Results *results, const Run *run)
{
    const ScoreSettings *settings = run->settings;
    VqxUsed used;
    vqx_used(run->ctx, &used);
    note(results, "outcome", run->outcome);
    note(results, "commit", VQX_COMMIT);
    note(results, "features", results->features);
    note(results, "options", results->options);
    note(results, "backend", used.backend);
    note(results, "device", used.device);
    note(results, "driver", used.driver);
    note(results, "detail", used.detail);
    note(results, "reference", vqx_media_path(run->media[0]));
    note(results, "reference_format", vqx_media_info(run->media[0])->description);
    note_digest(results, 0, "reference_digest", run->digest[0]);
    note(results, "distorted", vqx_media_path(run->media[1]));
    note(results, "distorted_format", vqx_media_info(run->media[1])->description);
    note_digest(results, 1, "distorted_digest", run->digest[1]);
    note_count(results, 0, "frame_skip_ref", settings->skip[0]);
    note_count(results, 1, "frame_skip_dist", settings->skip[1]);
    note_count(results, 2, "subsample", settings->subsample ? settings->subsample : 1);
}

static int pool(Results *results, VqxContext *ctx, VqxError *error)
{
    for (size_t i = 0; i < results->report.value_count; i++) {
        VqxPooled pooled;
        const int status = vqx_pooled(ctx, i, &pooled, error);
        if (status)
            return status;
        results->names[i] = vqx_output_name(ctx, i);
        results->pooled[i] =
            (ReportPooled){pooled.min, pooled.max, pooled.mean, pooled.harmonic_mean};
    }
    return 0;
}

static void results_free(Results *results)
{
    free(results->features);
    free(results->options);
    free(results->names);
    free(results->pooled);
}

/* Nothing is left to free on failure. */
static int results_init(Results *results, const Run *run, VqxError *error)
{
    const size_t values = vqx_output_count(run->ctx), frames = vqx_frame_count(run->ctx);
    const VqxMediaInfo *info = vqx_media_info(run->media[0]);
    memset(results, 0, sizeof *results);
    results->features = join_features(run->settings);
    results->options = name_options(run->settings);
    results->names = calloc(values, sizeof *results->names);
    results->pooled = calloc(values, sizeof *results->pooled);
    results->report = (Report){
        .version = vqx_version(),
        .width = info->width,
        .height = info->height,
        .fps = (double)frames / (run->times.scoring > 1e-6 ? run->times.scoring : 1e-6),
        .notes = results->notes,
        .names = results->names,
        .pooled = results->pooled,
        .value_count = values,
        .frame_count = frames,
        .frame = give_frame,
        .opaque = run->ctx,
    };
    int status = VQX_ERROR_MEMORY;
    if (results->features && results->options && results->names && results->pooled) {
        add_notes(results, run);
        status = pool(results, run->ctx, error);
    } else {
        vqx_fail(error, status, "out of memory for the report");
    }
    if (status)
        results_free(results);
    return status;
}

static int write_report(const Results *results, const ScoreSettings *settings, ReportTarget *target,
                        VqxError *error)
{
    FILE *file = report_target_open(target, error);
    if (!file)
        return EXIT_OUTPUT;
    const int failed = report_write(&results->report, settings->format, settings->precision, file);
    return report_target_close(target, failed, error) ? EXIT_OUTPUT : EXIT_DONE;
}

static void print_table(const Report *report, FILE *out)
{
    size_t width = 0;
    for (size_t i = 0; i < report->value_count; i++)
        width = strlen(report->names[i]) > width ? strlen(report->names[i]) : width;
    fprintf(out, "%-*s %16s %16s %16s %16s\n", (int)width, "", "mean", "harmonic mean", "min",
            "max");
    for (size_t i = 0; i < report->value_count; i++) {
        const ReportPooled *pooled = &report->pooled[i];
        fprintf(out, "%-*s %16.6f %16.6f %16.6f %16.6f\n", (int)width, report->names[i],
                pooled->mean, pooled->harmonic_mean, pooled->min, pooled->max);
    }
}

static void print_summary(const Results *results, const Run *run, const char *where, FILE *out)
{
    const Report *report = &results->report;
    VqxUsed used;
    vqx_used(run->ctx, &used);
    print_table(report, out);
    fprintf(out,
            "\n%zu frame%s of %ux%u scored in %.2f s (%.1f fps) by %s: %s%s%s; started in %.2f s\n",
            report->frame_count, report->frame_count == 1 ? "" : "s", report->width, report->height,
            run->times.scoring, report->fps, used.backend, used.device,
            used.detail && *used.detail ? ", " : "", used.detail ? used.detail : "",
            run->times.start);
    if (where)
        fprintf(out, "report: %s\n", where);
    else
        fputs("no report was asked for; -o FILE writes one\n", out);
}

int results_write(const Run *run, ReportTarget *target, VqxError *error)
{
    Results results;
    int status = results_init(&results, run, error);
    if (status)
        return command_status(status);
    const int stdout_taken = target && report_target_is_descriptor(target, STDOUT_FILENO);
    if (target)
        status = write_report(&results, run->settings, target, error);
    if (!run->settings->quiet || !target)
        print_summary(&results, run,
                      status   ? "none"
                      : target ? run->settings->output
                               : NULL,
                      stdout_taken ? stderr : stdout);
    results_free(&results);
    return status;
}
