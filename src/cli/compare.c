/* `vqx compare`: two JSON reports, value by value. */
#include "cli/command.h"

#include "parity/ulp.h"
#include "util/error.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { SHOWN = 20 }; /* differences printed one by one */

typedef struct Comparison {
    const char *path[2];
    json_t *report[2], *frames[2];
    uint64_t values, differing, missing;
    uint64_t largest_ulp; /* UINT64_MAX: one side is not a number */
} Comparison;

/* A line of the result. Names and texts come from the reports, which may hold anything. */
static void say(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void say(const char *format, ...)
{
    char line[2048];
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    vqx_make_printable(line);
    puts(line);
}

static int refuse(const char *path, const char *what)
{
    VqxError error;
    vqx_fail(&error, VQX_ERROR_ARGUMENT,
             "%.200s: %.200s; `vqx compare` takes two JSON reports of vqx or vmaf", path, what);
    fprintf(stderr, "vqx: %s\n", error.message);
    return EXIT_INPUT;
}

/* What is wrong with an entry of "frames", or NULL. *previous is the number of the frame before it. */
static const char *entry_fault(const json_t *frame, int64_t *previous)
{
    const json_t *number = json_object_get(frame, "frameNum");
    json_t *metrics = json_object_get(frame, "metrics"), *value;
    const char *metric;
    if (!json_is_integer(number) || !json_is_object(metrics))
        return "has no \"frameNum\" and \"metrics\"";
    if (json_integer_value(number) <= *previous || json_integer_value(number) == INT64_MAX)
        return "has a \"frameNum\" that does not follow the one before";
    json_object_foreach(metrics, metric, value)
    {
        if (!json_is_number(value) && !json_is_null(value))
            return "has a metric that is neither a number nor null";
    }
    *previous = json_integer_value(number);
    return NULL;
}

static int load(Comparison *c, int i)
{
    json_error_t error;
    char what[JSON_ERROR_TEXT_LENGTH + 64];
    FILE *file = fopen(c->path[i], "r");
    struct stat status;
    if (!file || fstat(fileno(file), &status) || S_ISDIR(status.st_mode)) {
        const char *reason = file ? "it is a directory" : strerror(errno);
        if (file)
            fclose(file);
        return refuse(c->path[i], reason);
    }
    c->report[i] = json_loadf(file, JSON_REJECT_DUPLICATES, &error);
    fclose(file);
    if (!c->report[i] && json_error_code(&error) == json_error_out_of_memory) {
        fputs("vqx: out of memory\n", stderr);
        return EXIT_MEMORY;
    }
    if (!c->report[i]) {
        snprintf(what, sizeof what, "line %d, column %d: %s", error.line, error.column, error.text);
        return refuse(c->path[i], what);
    }
    c->frames[i] = json_object_get(c->report[i], "frames");
    if (json_array_size(c->frames[i]) == 0) /* also where it is no array */
        return refuse(c->path[i], "it has no \"frames\"");
    int64_t previous = -1;
    for (size_t n = 0; n < json_array_size(c->frames[i]); n++) {
        const char *fault = entry_fault(json_array_get(c->frames[i], n), &previous);
        if (fault) {
            snprintf(what, sizeof what, "entry %zu of \"frames\" %s", n, fault);
            return refuse(c->path[i], what);
        }
    }
    return EXIT_DONE;
}

static int64_t frame_number(const Comparison *c, int i, size_t n)
{
    return json_integer_value(json_object_get(json_array_get(c->frames[i], n), "frameNum"));
}

static void note_missing(Comparison *c, int i, int64_t frame, const char *metric)
{
    if (c->missing++ < SHOWN)
        say("frame %" PRId64 "%s%.200s: not in %.200s", frame, metric ? " " : "",
            metric ? metric : "", c->path[i]);
}

/* A null stands for a value that is no finite number; nothing more is known of it. */
static void compare_value(Comparison *c, int64_t frame, const char *metric, const json_t *a,
                          const json_t *b)
{
    c->values++;
    if (json_is_null(a) && json_is_null(b))
        return;
    const double x = json_number_value(a), y = json_number_value(b);
    const int numbers = json_is_number(a) && json_is_number(b);
    const uint64_t ulp = numbers ? ulp_between(x, y) : UINT64_MAX;
    if (ulp == 0)
        return;
    c->largest_ulp = ulp > c->largest_ulp ? ulp : c->largest_ulp;
    if (c->differing++ >= SHOWN)
        return;
    if (numbers)
        say("frame %" PRId64 " %.200s: %.17g and %.17g, %" PRIu64 " ulp", frame, metric, x, y, ulp);
    else
        say("frame %" PRId64 " %.200s: only one of the two is a number", frame, metric);
}

static void compare_frame(Comparison *c, int64_t frame, json_t *a, json_t *b)
{
    const char *metric;
    json_t *value;
    json_object_foreach(a, metric, value)
    {
        const json_t *other = json_object_get(b, metric);
        if (other)
            compare_value(c, frame, metric, value, other);
        else
            note_missing(c, 1, frame, metric);
    }
    json_object_foreach(b, metric, value)
    {
        if (!json_object_get(a, metric))
            note_missing(c, 0, frame, metric);
    }
}

/* Both lists are in ascending order of frame. */
static void compare_frames(Comparison *c)
{
    const size_t count[2] = {json_array_size(c->frames[0]), json_array_size(c->frames[1])};
    size_t at[2] = {0, 0};
    while (at[0] < count[0] || at[1] < count[1]) {
        const int64_t a = at[0] < count[0] ? frame_number(c, 0, at[0]) : INT64_MAX;
        const int64_t b = at[1] < count[1] ? frame_number(c, 1, at[1]) : INT64_MAX;
        if (a == b)
            compare_frame(c, a, json_object_get(json_array_get(c->frames[0], at[0]), "metrics"),
                          json_object_get(json_array_get(c->frames[1], at[1]), "metrics"));
        else
            note_missing(c, a < b ? 1 : 0, a < b ? a : b, NULL);
        at[0] += a <= b;
        at[1] += b <= a;
    }
}

/* A line of provenance that both reports have and that is not the same. */
static void note_provenance(const Comparison *c, const char *name, const char *what)
{
    const char *text[2];
    for (int i = 0; i < 2; i++)
        text[i] = json_string_value(json_object_get(json_object_get(c->report[i], "vqx"), name));
    if (text[0] && text[1] && strcmp(text[0], text[1]))
        say("note: %s differ: '%.400s' and '%.400s'", what, text[0], text[1]);
}

/* What makes two reports ones of different things; who computed them may differ. */
static void compare_provenance(const Comparison *c)
{
    note_provenance(c, "reference_digest", "the reference's samples");
    note_provenance(c, "distorted_digest", "the distorted video's samples");
    note_provenance(c, "options", "the options");
    note_provenance(c, "frame_skip_ref", "the frames skipped of the reference");
    note_provenance(c, "frame_skip_dist", "the frames skipped of the distorted video");
    note_provenance(c, "subsample", "the subsampling steps");
    note_provenance(c, "outcome", "how the runs ended");
}

static void conclude(const Comparison *c)
{
    if (c->differing > SHOWN || c->missing > SHOWN)
        printf("...\n");
    if (!c->differing && !c->missing) {
        printf("equal: %" PRIu64 " values of %zu frames\n", c->values,
               json_array_size(c->frames[0]));
        return;
    }
    printf("NOT EQUAL: %" PRIu64 " of %" PRIu64 " values differ", c->differing, c->values);
    if (c->differing && c->largest_ulp != UINT64_MAX)
        printf(", by %" PRIu64 " ulp at most", c->largest_ulp);
    if (c->missing)
        printf("; %" PRIu64 " frames or values are in one report only", c->missing);
    printf("\n");
}

int command_compare(int argc, char **argv)
{
    if (argc == 2 && !strcmp(argv[1], "--help"))
        return command_help(0, NULL);
    if (argc != 3 || argv[1][0] == '-') {
        fputs("vqx: compare takes two JSON reports: vqx compare A.json B.json\n", stderr);
        return EXIT_USAGE;
    }
    Comparison c = {.path = {argv[1], argv[2]}};
    int status = load(&c, 0);
    if (!status)
        status = load(&c, 1);
    if (!status) {
        compare_provenance(&c);
        compare_frames(&c);
        if (!c.values && !c.missing)
            status = refuse(c.path[0], "neither report holds a value");
    }
    if (!status) {
        conclude(&c);
        status = command_finish_output(c.differing || c.missing ? EXIT_DIFFERENT : EXIT_DONE);
    }
    json_decref(c.report[0]);
    json_decref(c.report[1]);
    return status;
}
