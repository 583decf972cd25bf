/* A finished run as a report and as a summary for a person. */
#ifndef VQX_CLI_RESULTS_H
#define VQX_CLI_RESULTS_H

#include "cli/score.h"
#include "report/target.h"

typedef struct Run {
    VqxContext *ctx;
    const ScoreSettings *settings;
    VqxMedia *media[2];
    ScoreTimes times;
    uint64_t digest[2];  /* of the frames read */
    const char *outcome; /* "complete", or what cut it short */
} Run;

/* Writes the report to `target` (NULL: none) and then the summary: to standard output, or to standard error where the
 * report took that. An ExitStatus: EXIT_DONE, or why the report could not be written. */
int results_write(const Run *run, ReportTarget *target, VqxError *error);

#endif
