/* libvmaf's XML layout, with the provenance in one more element, <vqx>. */
#include "report/number.h"
#include "report/text.h"
#include "report/writer.h"

#include <inttypes.h>

static void print_text(const Writer *writer, const char *name, const char *text)
{
    fprintf(writer->file, " %s=", name);
    report_xml_attribute(writer->file, text);
}

static void print_value(const Writer *writer, const char *name, double x)
{
    char text[REPORT_NUMBER_SIZE];
    fprintf(writer->file, " %s=\"%s\"", name, report_number(text, x, writer->precision));
}

static void print_head(const Writer *writer)
{
    const Report *report = writer->report;
    fputs("<VMAF", writer->file);
    print_text(writer, "version", report->version);
    fprintf(writer->file, ">\n  <params qualityWidth=\"%u\" qualityHeight=\"%u\" />\n",
            report->width, report->height);
    fprintf(writer->file, "  <fyi fps=\"%.2f\" />\n  <vqx", report->fps);
    for (size_t i = 0; i < report->note_count; i++)
        print_text(writer, report->notes[i].name, report->notes[i].text);
    fputs(" />\n", writer->file);
}

static int print_frames(Writer *writer)
{
    const Report *report = writer->report;
    fputs("  <frames>\n", writer->file);
    for (size_t n = 0; n < report->frame_count; n++) {
        uint64_t index;
        const int status = report_frame(writer, n, &index);
        if (status)
            return status;
        fprintf(writer->file, "    <frame frameNum=\"%" PRIu64 "\"", index);
        for (size_t i = 0; i < report->value_count; i++)
            print_value(writer, report->names[i], writer->values[i]);
        fputs(" />\n", writer->file);
    }
    fputs("  </frames>\n", writer->file);
    return 0;
}

static void print_pooled(const Writer *writer)
{
    const Report *report = writer->report;
    fputs("  <pooled_metrics>\n", writer->file);
    for (size_t i = 0; i < report->value_count; i++) {
        fputs("    <metric", writer->file);
        print_text(writer, "name", report->names[i]);
        for (int s = 0; s < REPORT_STATISTICS; s++)
            print_value(writer, report_statistic_name[s], report_statistic(&report->pooled[i], s));
        fputs(" />\n", writer->file);
    }
    fputs("  </pooled_metrics>\n", writer->file);
}

int report_xml(Writer *writer)
{
    print_head(writer);
    const int status = print_frames(writer);
    if (status)
        return status;
    print_pooled(writer);
    fputs("  <aggregate_metrics />\n</VMAF>\n", writer->file);
    return 0;
}
