/* Scoring a pair of videos, for whoever wants only to know how long it takes. */
#ifndef VQX_CLI_SCORE_H
#define VQX_CLI_SCORE_H

#include "cli/settings.h"

typedef struct ScoreTimes {
    double start;   /* seconds until files and device were open */
    double scoring; /* seconds from there to the last frame's scores */
    size_t frames;
    unsigned width, height, depth[2]; /* of the pair */
} ScoreTimes;

/* What `vqx score` does, but for report and summary. An ExitStatus; what went wrong is on standard error. */
int score_timed(const ScoreSettings *settings, ScoreTimes *times);

#endif
