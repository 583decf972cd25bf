#include "cli/progress.h"

#include "util/clock.h"

#include <inttypes.h>
#include <stdio.h>

static const double redraw_seconds = 0.1;

void progress_start(Progress *progress, Console *console, int64_t total)
{
    const double start = vqx_seconds();
    *progress = (Progress){console, total, start, start};
}

double progress_seconds(const Progress *progress)
{
    return vqx_seconds() - progress->start;
}

static void duration(char *text, size_t size, double seconds)
{
    const long whole = (long)(seconds + 0.5);
    if (whole >= 3600)
        snprintf(text, size, "%ld:%02ld:%02ld", whole / 3600, whole / 60 % 60, whole % 60);
    else
        snprintf(text, size, "%ld:%02ld", whole / 60, whole % 60);
}

void progress_update(Progress *progress, uint64_t done)
{
    const double time = vqx_seconds();
    if (!console_shows_progress(progress->console) || time - progress->drawn < redraw_seconds ||
        !done)
        return;
    progress->drawn = time;
    const double rate = (double)done / (time - progress->start);
    if (progress->total < 0 || (uint64_t)progress->total < done) {
        console_progress(progress->console, "%" PRIu64 " frames, %.1f fps", done, rate);
        return;
    }
    char left[32];
    duration(left, sizeof left, (double)((uint64_t)progress->total - done) / rate);
    console_progress(progress->console, "%" PRIu64 " of %" PRId64 " frames, %.1f fps, %s left",
                     done, progress->total, rate, left);
}
