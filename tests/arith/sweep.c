/* Sweeps of many operands over threads. */
#include "sweep.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_THREADS = 256, CHUNK = 1 << 16 };

typedef struct Sweep {
    SweepFn *check;
    const void *context;
    uint64_t count, next;
    pthread_mutex_t lock;
    SweepTally total;
} Sweep;

void sweep_add(SweepTally *total, const SweepTally *part)
{
    if (!total->wrong && part->wrong)
        memcpy(total->first, part->first, sizeof total->first);
    total->operands += part->operands;
    total->replays += part->replays;
    total->wrong += part->wrong;
}

static void *worker(void *opaque)
{
    Sweep *sweep = opaque;
    SweepTally mine = {0};
    for (;;) {
        pthread_mutex_lock(&sweep->lock);
        const uint64_t first = sweep->next;
        const uint64_t left = sweep->count - first;
        sweep->next += left < CHUNK ? left : CHUNK;
        pthread_mutex_unlock(&sweep->lock);
        if (!left)
            break;
        const uint64_t end = first + (left < CHUNK ? left : CHUNK);
        sweep->check(sweep->context, first, end, &mine);
        mine.operands += end - first;
    }
    pthread_mutex_lock(&sweep->lock);
    sweep_add(&sweep->total, &mine);
    pthread_mutex_unlock(&sweep->lock);
    return NULL;
}

SweepTally sweep_run(SweepFn *check, const void *context, uint64_t count, int threads)
{
    Sweep sweep = {.check = check, .context = context, .count = count};
    pthread_t thread[MAX_THREADS];
    int started = 0;
    pthread_mutex_init(&sweep.lock, NULL);
    while (started < threads - 1 && !pthread_create(&thread[started], NULL, worker, &sweep))
        started++;
    worker(&sweep);
    while (started > 0)
        pthread_join(thread[--started], NULL);
    pthread_mutex_destroy(&sweep.lock);
    return sweep.total;
}

int sweep_report(const char *what, const SweepTally *tally)
{
    printf("%-40s %12llu operands %10llu replays %6llu wrong\n", what,
           (unsigned long long)tally->operands, (unsigned long long)tally->replays,
           (unsigned long long)tally->wrong);
    if (tally->wrong)
        printf("    first: %s\n", tally->first);
    fflush(stdout);
    return tally->wrong != 0;
}

void sweep_wrong(SweepTally *tally, const char *format, ...)
{
    if (!tally->wrong++) {
        va_list args;
        va_start(args, format);
        vsnprintf(tally->first, sizeof tally->first, format, args);
        va_end(args);
    }
}

static uint64_t number(const char *text)
{
    char *end;
    const double value = strtod(text, &end);
    if (end == text || value < 0 || value > 1e18 ||
        (*end && strcmp(end, "M") && strcmp(end, "G"))) {
        fprintf(stderr, "%s: not a number\n", text);
        exit(2);
    }
    const double unit = *end == 'M' ? 1e6 : *end == 'G' ? 1e9 : 1;
    return unit == 1 && !strpbrk(text, ".eE") ? strtoull(text, NULL, 10) : (uint64_t)(value * unit);
}

void sweep_options(SweepOptions *options, int argc, char **argv)
{
    for (int i = 1; i < argc; i += 2) {
        const char *value = i + 1 < argc ? argv[i + 1] : "";
        if (!strcmp(argv[i], "--operands"))
            options->operands = number(value);
        else if (!strcmp(argv[i], "--seed"))
            options->seed = number(value);
        else if (!strcmp(argv[i], "--threads"))
            options->threads = (int)number(value);
        else {
            fprintf(stderr, "usage: %s [--operands N] [--seed N] [--threads N]\n", argv[0]);
            exit(2);
        }
    }
    if (options->threads < 1)
        options->threads = (int)sysconf(_SC_NPROCESSORS_ONLN);
    if (options->threads > MAX_THREADS)
        options->threads = MAX_THREADS;
    printf("%s --operands %llu --seed %llu --threads %d\n", argv[0],
           (unsigned long long)options->operands, (unsigned long long)options->seed,
           options->threads);
}
