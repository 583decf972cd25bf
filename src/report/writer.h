/* What the formats share: a report on its way into a file. */
#ifndef VQX_REPORT_WRITER_H
#define VQX_REPORT_WRITER_H

#include "report/report.h"

typedef struct Writer {
    FILE *file;
    const Report *report;
    int precision;
    double *values; /* of the frame at hand */
} Writer;

/* Each writes a whole report; 0 or the failure of the report's callback. Write errors stay in the
 * FILE. */
int report_json(Writer *writer);
int report_xml(Writer *writer);
int report_csv(Writer *writer);
int report_subtitle(Writer *writer);

/* The n-th frame into writer->values; not 0: stop, the callback or the file failed. */
int report_frame(Writer *writer, size_t n, uint64_t *index);

/* The statistics in the order reports list them: min, max, mean, harmonic_mean. */
enum { REPORT_STATISTICS = 4 };
extern const char *const report_statistic_name[REPORT_STATISTICS];
double report_statistic(const ReportPooled *pooled, int statistic);

#endif
