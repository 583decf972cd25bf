/* Frames done, their rate, and the time left where the number of frames is known. */
#ifndef VQX_CLI_PROGRESS_H
#define VQX_CLI_PROGRESS_H

#include "cli/console.h"

#include <stdint.h>

typedef struct Progress {
    Console *console;
    int64_t total; /* frames to come in all; -1: unknown */
    double start, drawn;
} Progress;

void progress_start(Progress *progress, Console *console, int64_t total);

/* `done` frames of `total` are through. Draws a few times a second at most. */
void progress_update(Progress *progress, uint64_t done);

/* Seconds since the start. */
double progress_seconds(const Progress *progress);

#endif
