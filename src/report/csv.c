/* A header line and a row a frame. Names are XML names and so need no quotes. */
#include "report/number.h"
#include "report/writer.h"

#include <inttypes.h>

int report_csv(Writer *writer)
{
    const Report *report = writer->report;
    fputs("Frame", writer->file);
    for (size_t i = 0; i < report->value_count; i++)
        fprintf(writer->file, ",%s", report->names[i]);
    fputc('\n', writer->file);
    for (size_t n = 0; n < report->frame_count; n++) {
        uint64_t index;
        const int status = report_frame(writer, n, &index);
        if (status)
            return status;
        fprintf(writer->file, "%" PRIu64, index);
        for (size_t i = 0; i < report->value_count; i++) {
            char text[REPORT_NUMBER_SIZE];
            fprintf(writer->file, ",%s", report_number(text, writer->values[i], writer->precision));
        }
        fputc('\n', writer->file);
    }
    return 0;
}
