/* libvmaf's JSON layout, with the provenance under one more key, "vqx". */
#include "report/number.h"
#include "report/text.h"
#include "report/writer.h"

#include <inttypes.h>
#include <math.h>

static void print_value(const Writer *writer, double x)
{
    char text[REPORT_NUMBER_SIZE];
    fputs(isfinite(x) ? report_number(text, x, writer->precision) : "null", writer->file);
}

/* Opens a member of an object: a comma but for the first, a new line, the name. */
static void print_name(const Writer *writer, int first, const char *indent, const char *name)
{
    fprintf(writer->file, "%s\n%s", first ? "" : ",", indent);
    report_json_string(writer->file, name);
    fputs(": ", writer->file);
}

static void print_notes(const Writer *writer)
{
    const Report *report = writer->report;
    fputs("  \"vqx\": {", writer->file);
    for (size_t i = 0; i < report->note_count; i++) {
        print_name(writer, i == 0, "    ", report->notes[i].name);
        report_json_string(writer->file, report->notes[i].text);
    }
    fputs("\n  },\n", writer->file);
}

static int print_frames(Writer *writer)
{
    const Report *report = writer->report;
    fputs("  \"frames\": [", writer->file);
    for (size_t n = 0; n < report->frame_count; n++) {
        uint64_t index;
        const int status = report_frame(writer, n, &index);
        if (status)
            return status;
        fprintf(writer->file, "%s\n    {\n      \"frameNum\": %" PRIu64 ",\n      \"metrics\": {",
                n ? "," : "", index);
        for (size_t i = 0; i < report->value_count; i++) {
            print_name(writer, i == 0, "        ", report->names[i]);
            print_value(writer, writer->values[i]);
        }
        fputs("\n      }\n    }", writer->file);
    }
    fputs("\n  ],\n", writer->file);
    return 0;
}

static void print_pooled(const Writer *writer)
{
    const Report *report = writer->report;
    fputs("  \"pooled_metrics\": {", writer->file);
    for (size_t i = 0; i < report->value_count; i++) {
        print_name(writer, i == 0, "    ", report->names[i]);
        fputc('{', writer->file);
        for (int s = 0; s < REPORT_STATISTICS; s++) {
            print_name(writer, s == 0, "      ", report_statistic_name[s]);
            print_value(writer, report_statistic(&report->pooled[i], s));
        }
        fputs("\n    }", writer->file);
    }
    fputs("\n  },\n", writer->file);
}

int report_json(Writer *writer)
{
    const Report *report = writer->report;
    fputs("{\n  \"version\": ", writer->file);
    report_json_string(writer->file, report->version);
    fprintf(writer->file, ",\n  \"fps\": %.2f,\n", report->fps);
    print_notes(writer);
    const int status = print_frames(writer);
    if (status)
        return status;
    print_pooled(writer);
    fputs("  \"aggregate_metrics\": {\n  }\n}\n", writer->file);
    return 0;
}
