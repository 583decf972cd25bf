#include "report/report.h"

#include "report/writer.h"

#include <errno.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

const char *const report_statistic_name[REPORT_STATISTICS] = {"min", "max", "mean",
                                                              "harmonic_mean"};

double report_statistic(const ReportPooled *pooled, int statistic)
{
    const double values[REPORT_STATISTICS] = {pooled->min, pooled->max, pooled->mean,
                                              pooled->harmonic_mean};
    return values[statistic];
}

ReportFormat report_format_of(const char *path, ReportFormat otherwise)
{
    static const struct {
        const char *suffix;
        ReportFormat format;
    } known[] = {{".xml", REPORT_XML},
                 {".json", REPORT_JSON},
                 {".csv", REPORT_CSV},
                 {".sub", REPORT_SUBTITLE}};
    const char *suffix = strrchr(path, '.');
    for (size_t i = 0; suffix && i < sizeof known / sizeof *known; i++)
        if (!strcasecmp(suffix, known[i].suffix))
            return known[i].format;
    return otherwise;
}

int report_holds_notes(ReportFormat format)
{
    return format == REPORT_JSON || format == REPORT_XML;
}

int report_frame(Writer *writer, size_t n, uint64_t *index)
{
    if (ferror(writer->file))
        return -1;
    return writer->report->frame(writer->report->opaque, n, index, writer->values);
}

static int write_format(Writer *writer, ReportFormat format)
{
    switch (format) {
    case REPORT_JSON:
        return report_json(writer);
    case REPORT_CSV:
        return report_csv(writer);
    case REPORT_SUBTITLE:
        return report_subtitle(writer);
    case REPORT_XML:
    default:
        return report_xml(writer);
    }
}

int report_write(const Report *report, ReportFormat format, int precision, FILE *file)
{
    Writer writer = {file, report, precision, calloc(report->value_count + 1, sizeof(double))};
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    int status = -1;
    if (writer.values && plain) {
        const locale_t before = uselocale(plain);
        errno = 0;
        status = write_format(&writer, format);
        if (fflush(file) || ferror(file))
            status = -1;
        uselocale(before);
    }
    const int cause = errno;
    if (plain)
        freelocale(plain);
    free(writer.values);
    errno = cause;
    return status;
}
