/* What `vqx score` is asked to do, from its command line. */
#ifndef VQX_CLI_SETTINGS_H
#define VQX_CLI_SETTINGS_H

#include "media/media.h"
#include "report/report.h"
#include "vqx.h"

typedef struct ScoreSettings {
    const char *path[2]; /* reference, distorted */
    VqxMediaOptions media;
    const char *output; /* NULL: no report */
    ReportFormat format;
    int precision;
    VqxVifOptions *features;   /* one at least */
    const char **feature_text; /* as they were asked for */
    size_t feature_count;
    const char *backend, *device;
    unsigned threads;
    unsigned read_threads; /* for each file; 0: what suits the backend */
    uint64_t cpumask;
    uint64_t frame_count, skip[2], subsample; /* 0: all, none, every */
    int shortest, quiet;
    int answered; /* --help or --version was printed: nothing else is to be done */
} ScoreSettings;

/* Reads the command line. 0 or, after VqxError got a sentence, -1. Strings stay argv's. */
int settings_parse(ScoreSettings *settings, int argc, char **argv, VqxError *error);
void settings_free(ScoreSettings *settings);

#endif
