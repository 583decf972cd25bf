/*
 * Reports: named values of frames and their statistics, written as JSON, XML, CSV or subtitles in
 * the layouts that readers of libvmaf's reports expect. A report takes named values and knows no
 * metric.
 */
#ifndef VQX_REPORT_REPORT_H
#define VQX_REPORT_REPORT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef enum ReportFormat {
    REPORT_XML,
    REPORT_JSON,
    REPORT_CSV,
    REPORT_SUBTITLE,
} ReportFormat;

/* How many significant digits a value is printed with: 1..17, of which 17 gives every double back,
 * or REPORT_PRECISION_LEGACY for libvmaf's six decimals. */
enum { REPORT_PRECISION_LEGACY = 0, REPORT_PRECISION_MAX = 17 };

typedef struct ReportPooled {
    double min, max, mean, harmonic_mean;
} ReportPooled;

/* A line of provenance. The name is an XML name; the text is anything, also invalid UTF-8. */
typedef struct ReportNote {
    const char *name, *text;
} ReportNote;

typedef struct Report {
    const char *version;
    unsigned width, height;
    double fps;
    const ReportNote *notes;
    size_t note_count;
    const char *const *names; /* of the values; XML names */
    const ReportPooled *pooled;
    size_t value_count;
    size_t frame_count;
    /* Gives the index and the values of the n-th frame, in ascending order of index; not 0: failed.
     * Called once a frame in order, so that a report of any length needs the memory of one frame.
     */
    int (*frame)(void *opaque, size_t n, uint64_t *index, double *values);
    void *opaque;
} Report;

/* The format that a file name's suffix asks for (.json, .xml, .csv, .sub); `otherwise` for any
 * other. */
ReportFormat report_format_of(const char *path, ReportFormat otherwise);

/* Whether notes stand in reports of this format. */
int report_holds_notes(ReportFormat format);

/* Writes and flushes. 0, or -1 with errno set when the file took not everything, or the callback's
 * failure. The locale changes nothing. */
int report_write(const Report *report, ReportFormat format, int precision, FILE *file);

#endif
