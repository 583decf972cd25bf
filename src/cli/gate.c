#include "cli/gate.h"

#include "cli/commit.h"
#include "report/target.h"
#include "report/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>

/* ---- the table ---- */

enum { COLUMNS = 4, WIDEST = 40 }; /* of text: backend, device, driver, form */

static const char *text_of(const ParityRunner *r, int column, char device[200])
{
    snprintf(device, 200, "%s%s%s", r->device, *r->device && *r->name ? " " : "", r->name);
    const char *const text[COLUMNS] = {r->backend, device, r->driver, r->detail};
    return *text[column] ? text[column] : "-";
}

/* How much of a text is shown: a long one ends at a comma. */
static int shown(const char *text)
{
    int end = (int)strlen(text);
    if (end <= WIDEST)
        return end;
    for (int i = end = WIDEST; i > 0; i--)
        if (text[i] == ',')
            return i;
    return end;
}

static void measure(const ParityRunners *runners, const char *const *heading, int *width)
{
    char device[200];
    for (int c = 0; c < COLUMNS; c++) {
        width[c] = (int)strlen(heading[c]);
        for (size_t i = 0; i < runners->count; i++) {
            const int length = shown(text_of(&runners->runner[i], c, device));
            width[c] = length > width[c] ? length : width[c];
        }
    }
}

static void print_ulp(FILE *out, uint64_t ulp)
{
    if (ulp == UINT64_MAX)
        fprintf(out, " %12s", "no number");
    else
        fprintf(out, " %12" PRIu64, ulp);
}

static void print_stage(FILE *out, const ParityRunner *r)
{
    const ParityStage *s = &r->stage;
    float got, expected;
    char at[48];
    memcpy(&got, &s->got, sizeof got);
    memcpy(&expected, &s->expected, sizeof expected);
    if (s->has_x)
        snprintf(at, sizeof at, "at (%d, %d)", s->x, s->y);
    else
        snprintf(at, sizeof at, "of row %d", s->y);
    fprintf(out,
            "    first differing stage: %s%sframe %" PRIu64
            ", scale %d, %s %s: 0x%08x (%.9g), reference 0x%08x (%.9g)\n",
            s->where, *s->where ? ": " : "", s->frame, s->scale, s->name, at, s->got, (double)got,
            s->expected, (double)expected);
}

static void print_findings(FILE *out, const ParityRunner *r, int stages)
{
    const ParityDifference *d = &r->first;
    if (*r->absent)
        fprintf(out, "    %s\n", r->absent);
    if (*r->error)
        fprintf(out, "    %s\n", r->error);
    if (r->differing)
        fprintf(out,
                "    %" PRIu64 " values differ, the first: %s%sframe %" PRIu64
                " %s = %.17g, reference %.17g\n",
                r->differing, d->where, *d->where ? ": " : "", d->frame, d->output, d->got,
                d->expected);
    if (r->stage.name[0])
        print_stage(out, r);
    else if (stages && r->differing && !*r->error)
        fprintf(out, r->vtable->stage ? "    no stage that this backend keeps differs\n"
                                      : "    this backend keeps no stages\n");
}

static const char *verdict(const ParityRunner *r, int reference)
{
    return *r->absent                         ? "(no such form)"
           : *r->error                        ? "FAILED"
           : reference                        ? "(reference)"
           : r->differing || r->stage.name[0] ? "NO"
                                              : "yes";
}

static void print_runner(FILE *out, const ParityRunner *r, const int *width, int reference,
                         int stages)
{
    char device[200];
    for (int c = 0; c < COLUMNS; c++) {
        const char *text = text_of(r, c, device);
        fprintf(out, "%-*.*s  ", width[c], shown(text), text);
    }
    fprintf(out, "%7" PRIu64 " %8" PRIu64, r->frames, r->values);
    if (stages)
        fprintf(out, " %7" PRIu64, r->stages);
    print_ulp(out, r->largest_ulp);
    fprintf(out, "  %s\n", verdict(r, reference));
    print_findings(out, r, stages);
}

static size_t count_run(const ParityRunners *runners)
{
    size_t count = 0;
    for (size_t i = 0; i < runners->count; i++)
        count += !*runners->runner[i].absent;
    return count;
}

static void print_wrong(FILE *out, const ParityRunners *runners)
{
    if (!runners->wrong)
        return;
    fprintf(out,
            "the reference itself is wrong: in %" PRIu64
            " cases its values are not the known ones, first in: %s\n",
            runners->wrong, runners->wrong_where);
    if (runners->wrong_stage[0])
        fprintf(out, "    first stage that is not the known one: %s\n", runners->wrong_stage);
}

void gate_print(FILE *out, const Gate *gate)
{
    static const char *const heading[COLUMNS] = {"backend", "device", "driver", "form"};
    const ParityRunners *runners = gate->runners;
    int width[COLUMNS];
    measure(runners, heading, width);
    for (int c = 0; c < COLUMNS; c++)
        fprintf(out, "%-*s  ", width[c], heading[c]);
    fprintf(out, "%7s %8s", "frames", "values");
    if (gate->stages)
        fprintf(out, " %7s", "stages");
    fprintf(out, " %12s  %s\n", "largest ulp", "equal");
    for (size_t i = 0; i < runners->count; i++)
        print_runner(out, &runners->runner[i], width, i == 0, gate->stages);
    print_wrong(out, runners);
    fprintf(out, "%s: %zu runners, %zu %s\n",
            parity_holds(runners) ? "equal"
            : runners->count < 2  ? "nothing to compare"
                                  : "NOT EQUAL",
            count_run(runners), gate->cases, gate->self_test ? "cases" : "pair");
}

/* ---- the record ---- */

static void json_text(FILE *file, const char *indent, const char *name, const char *text)
{
    fprintf(file, "%s\"%s\": ", indent, name);
    report_json_string(file, text);
    fputs(",\n", file);
}

static void json_difference(FILE *file, const ParityRunner *r)
{
    if (r->differing) {
        json_text(file, "      ", "first_case", r->first.where);
        json_text(file, "      ", "first_output", r->first.output);
        fprintf(file, "      \"first_frame\": %" PRIu64 ",\n", r->first.frame);
    }
    if (r->stage.name[0]) {
        json_text(file, "      ", "first_stage_case", r->stage.where);
        json_text(file, "      ", "first_stage", r->stage.name);
        fprintf(file,
                "      \"first_stage_frame\": %" PRIu64 ",\n      \"first_stage_scale\": %d,\n"
                "      \"first_stage_x\": %d,\n      \"first_stage_y\": %d,\n"
                "      \"first_stage_bits\": \"0x%08x\",\n"
                "      \"first_stage_reference\": \"0x%08x\",\n",
                r->stage.frame, r->stage.scale, r->stage.x, r->stage.y, r->stage.got,
                r->stage.expected);
    }
    if (r->largest_ulp == UINT64_MAX)
        fputs("      \"largest_ulp\": null,\n", file);
    else
        fprintf(file, "      \"largest_ulp\": %" PRIu64 ",\n", r->largest_ulp);
}

static void json_runner(FILE *file, const ParityRunner *r, int last)
{
    fputs("    {\n", file);
    json_text(file, "      ", "backend", r->backend);
    json_text(file, "      ", "device", r->device);
    json_text(file, "      ", "name", r->name);
    json_text(file, "      ", "driver", r->driver);
    json_text(file, "      ", "detail", r->detail);
    json_text(file, "      ", "absent", r->absent);
    json_text(file, "      ", "error", r->error);
    json_difference(file, r);
    fprintf(file,
            "      \"exact\": %s,\n      \"frames\": %" PRIu64 ",\n      \"values\": %" PRIu64
            ",\n      \"differing\": %" PRIu64 ",\n      \"stages\": %" PRIu64
            ",\n      \"stages_left_out\": %" PRIu64 "\n    }%s\n",
            r->vtable->exact ? "true" : "false", r->frames, r->values, r->differing, r->stages,
            r->stages_left_out, last ? "" : ",");
}

/* Everything that tells this run from another, and then each runner. */
static void json_gate(FILE *file, const Gate *gate)
{
    const ParityRunners *runners = gate->runners;
    const time_t now = time(NULL);
    struct tm utc;
    struct utsname here = {.sysname = "", .release = "", .machine = ""};
    char date[32], machine[256];
    strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
    uname(&here);
    snprintf(machine, sizeof machine, "%.80s, %.60s %.80s", here.machine, here.sysname,
             here.release);
    fputs("{\n", file);
    json_text(file, "  ", "version", vqx_version());
    json_text(file, "  ", "commit", VQX_COMMIT);
    json_text(file, "  ", "date", date);
    json_text(file, "  ", "machine", machine);
    json_text(file, "  ", "kind", gate->self_test ? "self-test" : "pair");
    if (runners->wrong) {
        json_text(file, "  ", "first_wrong_case", runners->wrong_where);
        json_text(file, "  ", "first_wrong_stage", runners->wrong_stage);
    }
    fprintf(file,
            "  \"cases\": %zu,\n  \"wrong_cases\": %" PRIu64 ",\n  \"equal\": %s,\n"
            "  \"runners\": [\n",
            gate->cases, runners->wrong, parity_holds(runners) ? "true" : "false");
    for (size_t i = 0; i < runners->count; i++)
        json_runner(file, &runners->runner[i], i + 1 == runners->count);
    fputs("  ]\n}\n", file);
}

int gate_write_json(const Gate *gate, ReportTarget *target, VqxError *error)
{
    FILE *file = report_target_open(target, error);
    if (!file)
        return -1;
    json_gate(file, gate);
    return report_target_close(target, 0, error);
}
