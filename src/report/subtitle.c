/* MicroDVD subtitles as libvmaf writes them: every scored frame shows its values. */
#include "report/number.h"
#include "report/writer.h"

#include <inttypes.h>

int report_subtitle(Writer *writer)
{
    const Report *report = writer->report;
    for (size_t n = 0; n < report->frame_count; n++) {
        uint64_t index;
        const int status = report_frame(writer, n, &index);
        if (status)
            return status;
        fprintf(writer->file, "{%" PRIu64 "}{%" PRIu64 "}frame: %" PRIu64 "|", index, index + 1,
                index);
        for (size_t i = 0; i < report->value_count; i++) {
            char text[REPORT_NUMBER_SIZE];
            fprintf(writer->file, "%s: %s|", report->names[i],
                    report_number(text, writer->values[i], writer->precision));
        }
        fputc('\n', writer->file);
    }
    return 0;
}
