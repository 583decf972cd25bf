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

/* Reads the command line. 0 or, after VqxError got a sentence, -1. Strings stay argv's. With `pair_optional` both paths may
 * be missing, never one. */
int settings_parse(ScoreSettings *settings, int argc, char **argv, int pair_optional,
                   VqxError *error);
void settings_free(ScoreSettings *settings);

/* A flag that only the command at hand has, at argv[*i], as "--flag VALUE" or "--flag=VALUE": 1, and *value is the value or,
 * where there is none, NULL; *i is its last word. 0: argv[*i] is something else. */
int settings_own_flag(const char *flag, int *i, int argc, char **argv, const char **value);

/* What the settings say to a context, but for the log. */
void settings_of_context(const ScoreSettings *settings, VqxSettings *context);

#endif
