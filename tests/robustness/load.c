/*
 * The library under load, at its public interface: many contexts, many threads, frames asked for and given in any order, a
 * source that is faster than the scoring. Memory, threads and descriptors must not grow, and the scores never change.
 *
 *   load [REPEAT]      REPEAT multiplies the counts [1]
 */
#include "vqx.h"

#include <dirent.h>
#include <locale.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SIDE = 32, FRAMES = 24, VALUES = 4, CONTEXTS = 4 };

static uint8_t samples[FRAMES + 1][SIDE * SIDE]; /* frame n is scored against frame n + 1 */
static double expected[FRAMES][VALUES];
static int repeat = 1;

static void stop(const char *what, const VqxError *error)
{
    fprintf(stderr, "%s: %s\n", what, error ? error->message : "");
    exit(1);
}

static VqxContext *begin(unsigned threads)
{
    VqxSettings settings;
    VqxError error = {0};
    VqxContext *ctx;
    vqx_default_settings(&settings);
    settings.backend = "cpu";
    settings.threads = threads;
    if (vqx_open(&ctx, &settings, &error))
        stop("open", &error);
    return ctx;
}

static void submit(VqxContext *ctx, unsigned frame)
{
    VqxPlane planes[2];
    VqxError error = {0};
    for (int i = 0; i < 2; i++)
        planes[i] = (VqxPlane){.data = samples[frame + (unsigned)i],
                               .stride = SIDE,
                               .width = SIDE,
                               .height = SIDE,
                               .bit_depth = 8};
    if (vqx_submit(ctx, &planes[0], &planes[1], frame, &error))
        stop("submit", &error);
}

static void check(VqxContext *ctx, unsigned frame)
{
    double values[VALUES];
    VqxError error = {0};
    if (vqx_frame_scores(ctx, frame, values, &error))
        stop("scores", &error);
    if (memcmp(values, expected[frame], sizeof values))
        stop("a score changed", NULL);
}

static void end(VqxContext *ctx)
{
    VqxError error = {0};
    if (vqx_finish(ctx, &error))
        stop("finish", &error);
    vqx_close(&ctx);
}

static size_t count_entries(const char *folder)
{
    DIR *entries = opendir(folder);
    size_t count = 0;
    while (entries && readdir(entries))
        count++;
    if (entries)
        closedir(entries);
    return count;
}

static long resident_kilobytes(void)
{
    long pages = 0, resident = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file || fscanf(file, "%ld %ld", &pages, &resident) != 2)
        stop("/proc/self/statm cannot be read", NULL);
    fclose(file);
    return resident * (sysconf(_SC_PAGESIZE) / 1024);
}

static void open_and_close(void)
{
    const int total = 10000 * repeat;
    long before = 0;
    const size_t files = count_entries("/proc/self/fd");
    for (int n = 0; n < total; n++) {
        VqxContext *ctx = begin(1 + (unsigned)n % 3);
        submit(ctx, 0);
        if (n % 2)
            check(ctx, 0);
        if (n % 3)
            end(ctx);
        else
            vqx_close(&ctx); /* in the middle of a frame */
        if (n == total / 10)
            before = resident_kilobytes();
    }
    const long growth = resident_kilobytes() - before;
    printf("%d contexts opened and closed: %+ld kB, %zu files, %zu threads left\n", total, growth,
           count_entries("/proc/self/fd") - files, count_entries("/proc/self/task") - 3);
    if (growth > 512 || count_entries("/proc/self/fd") != files ||
        count_entries("/proc/self/task") != 3) /* ".", ".." and this one */
        stop("something was left", NULL);
}

static void short_clips(void)
{
    const int total = 1000 * repeat;
    for (int n = 0; n < total; n++) {
        VqxContext *ctx = begin(8);
        submit(ctx, 0);
        submit(ctx, 1);
        check(ctx, 1);
        check(ctx, 0);
        end(ctx);
    }
    printf("%d clips of two frames with 8 threads\n", total);
}

static void one_behind(void)
{
    const int total = 200 * repeat;
    for (int n = 0; n < total; n++) {
        VqxContext *ctx = begin(1 + (unsigned)n % 4);
        submit(ctx, 0);
        for (unsigned frame = 1; frame < FRAMES; frame++) {
            submit(ctx, frame);
            check(ctx, frame - 1);
        }
        end(ctx);
    }
    printf("%d frames asked for right after the next was given\n", total * (FRAMES - 1));
}

/* Pooling runs in frame order, so it is the same too. */
static void any_order(void)
{
    const int total = 200 * repeat;
    unsigned random = 1;
    VqxPooled first = {0}, pooled;
    VqxError error = {0};
    for (int n = 0; n < total; n++) {
        unsigned order[FRAMES];
        VqxContext *ctx = begin(1 + (unsigned)n % 4);
        for (unsigned i = 0; i < FRAMES; i++) {
            random = random * 1664525u + 1013904223u;
            const unsigned at = n ? (random >> 16) % (i + 1) : i;
            order[i] = order[at];
            order[at] = i;
        }
        for (unsigned i = 0; i < FRAMES; i++)
            submit(ctx, order[i]);
        for (unsigned i = 0; i < FRAMES; i++)
            check(ctx, order[FRAMES - 1 - i]);
        if (vqx_pooled(ctx, 0, n ? &pooled : &first, &error))
            stop("pooled", &error);
        if (n && memcmp(&pooled, &first, sizeof first))
            stop("the order changed what was pooled", NULL);
        end(ctx);
    }
    printf("%d clips in random order\n", total);
}

static void *use_context(void *opaque)
{
    (void)opaque;
    for (int n = 0; n < 100 * repeat; n++) {
        VqxContext *ctx = begin(2);
        for (unsigned frame = 0; frame < FRAMES; frame++)
            submit(ctx, frame);
        for (unsigned frame = 0; frame < FRAMES; frame++)
            check(ctx, frame);
        end(ctx);
    }
    return NULL;
}

static void side_by_side(void)
{
    pthread_t threads[CONTEXTS];
    for (int i = 0; i < CONTEXTS; i++)
        if (pthread_create(&threads[i], NULL, use_context, NULL))
            stop("no thread", NULL);
    for (int i = 0; i < CONTEXTS; i++)
        pthread_join(threads[i], NULL);
    printf("%d clips in %d threads at a time\n", CONTEXTS * 100 * repeat, CONTEXTS);
}

/* A source that gives frames as fast as they are taken must wait, not fill the memory. */
static void fast_source(void)
{
    enum { LARGE = 1024 };
    const int total = 150 * repeat;
    static uint8_t plane[LARGE * LARGE];
    VqxContext *ctx = begin(1);
    const VqxPlane large = {
        .data = plane, .stride = LARGE, .width = LARGE, .height = LARGE, .bit_depth = 8};
    VqxError error = {0};
    long before = 0;
    for (int n = 0; n < total; n++) {
        if (vqx_submit(ctx, &large, &large, (uint64_t)n, &error))
            stop("submit", &error);
        if (n == 10)
            before = resident_kilobytes();
    }
    const long growth = resident_kilobytes() - before;
    end(ctx);
    printf("%d large frames given without asking for scores: %+ld kB after the tenth\n", total,
           growth);
    if (growth > 2 * LARGE * LARGE / 1024)
        stop("frames were kept", NULL);
}

static void other_locale(void)
{
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "xx_comma"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (!setlocale(LC_ALL, names[i]) || *localeconv()->decimal_point == '.')
            continue;
        VqxVifOptions options;
        VqxError error = {0};
        vqx_vif_default_options(&options);
        if (vqx_vif_parse_options(&options, "snsq=1.5", &error) || options.sigma_nsq != 1.5)
            stop("options in another locale", &error);
        one_behind();
        setlocale(LC_ALL, "C");
        printf("the same in locale %s\n", names[i]);
        return;
    }
    printf("no locale with a decimal comma on this machine: that was not tried\n");
}

int main(int argc, char **argv)
{
    repeat = argc > 1 ? atoi(argv[1]) : 1;
    for (unsigned frame = 0; frame <= FRAMES; frame++)
        for (unsigned i = 0; i < SIDE * SIDE; i++)
            samples[frame][i] = (uint8_t)((i * 2654435761u >> 20) / (frame % 5 + 1) + frame * i);
    VqxContext *ctx = begin(1);
    VqxError error = {0};
    for (unsigned frame = 0; frame < FRAMES; frame++) {
        submit(ctx, frame);
        if (vqx_frame_scores(ctx, frame, expected[frame], &error))
            stop("scores", &error);
    }
    end(ctx);
    open_and_close();
    short_clips();
    one_behind();
    any_order();
    side_by_side();
    fast_source();
    other_locale();
    return 0;
}
