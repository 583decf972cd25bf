/* `vqx score`, and `vqx REF DIS`: scores a pair of videos. */
#include "cli/score.h"
#include "cli/command.h"
#include "cli/interrupt.h"
#include "cli/progress.h"
#include "cli/results.h"
#include "media/reader.h"
#include "util/clock.h"

#include <stdio.h>
#include <string.h>

enum {
    READ_AHEAD = 64, /* buffers at most, beyond what the threads need, */
    READ_AHEAD_BYTES = 32 << 20,
};

typedef struct Score {
    ScoreSettings settings;
    Console console;
    Interrupt interrupt;
    Progress progress;
    ReportTarget target;
    VqxContext *ctx;
    VqxMedia *media[2];
    VqxReader *reader;
    unsigned ahead;   /* buffers that the reader gets at most */
    unsigned reading; /* buffers with the reader */
    ScoreTimes times;
    int status; /* an ExitStatus: how the scoring went */
    const char *outcome;
} Score;

/* The first thing to go wrong decides the status. */
static int fail(Score *score, int status, const char *outcome, const VqxError *error)
{
    console_error(&score->console, "%s", error->message);
    if (!score->status) {
        score->status = status;
        score->outcome = outcome;
    }
    return -1;
}

/* What can be refused before any file is opened. */
static int prepare(Score *score)
{
    const ScoreSettings *settings = &score->settings;
    VqxError error = {0};
    if (settings->output && report_target_init(&score->target, settings->output, &error))
        return fail(score, EXIT_OUTPUT, "", &error);
    if (report_target_spares(&score->target, settings->path, &error))
        return fail(score, EXIT_OUTPUT, "", &error);
    VqxSettings context;
    settings_of_context(settings, &context);
    context.log = console_log;
    context.log_opaque = &score->console;
    const int status = vqx_open(&score->ctx, &context, &error);
    return status ? fail(score, command_status(status), "", &error) : 0;
}

static void note_ranges(Score *score)
{
    const VqxRange range[2] = {vqx_media_info(score->media[0])->range,
                               vqx_media_info(score->media[1])->range};
    if (range[0] == range[1] || !range[0] || !range[1])
        return;
    console_note(&score->console,
                 "%s is %s range and %s is %s range; luma is scored as coded, without conversion",
                 vqx_media_path(score->media[0]), range[0] == VQX_RANGE_FULL ? "full" : "limited",
                 vqx_media_path(score->media[1]), range[1] == VQX_RANGE_FULL ? "full" : "limited");
}

static void stop_reading(void *opaque)
{
    Score *score = opaque;
    vqx_media_interrupt(score->media[0]);
    vqx_media_interrupt(score->media[1]);
}

/* One thread a file keeps a processor busy; a GPU outruns it. */
static unsigned read_threads(const Score *score)
{
    VqxUsed used;
    if (score->settings.read_threads)
        return score->settings.read_threads;
    vqx_used(score->ctx, &used);
    return strcmp(used.backend, "cpu") ? 4 : 1;
}

/* Buffers for the reader: one that each thread fills and one that is full; of small frames more, so that threads sleep and
 * wake less often. More of large ones would only cost memory, which a device's driver takes its time to lock. */
static unsigned buffers_ahead(const Score *score, unsigned threads)
{
    uint64_t bytes = 0;
    for (int i = 0; i < 2; i++) {
        const VqxMediaInfo *info = vqx_media_info(score->media[i]);
        bytes += (uint64_t)info->width * info->height * (info->bit_depth > 8 ? 2 : 1);
    }
    const uint64_t fitting = READ_AHEAD_BYTES / bytes,
                   most = fitting < READ_AHEAD ? fitting : READ_AHEAD;
    const unsigned least = 2 * threads + 1;
    return most < least ? least : (unsigned)most;
}

/* Opens the pair and starts reading ahead and the backend. */
static int start(Score *score)
{
    const ScoreSettings *settings = &score->settings;
    const unsigned threads = read_threads(score);
    VqxError error = {0};
    int status = 0;
    for (int i = 0; !status && i < 2; i++)
        status = vqx_media_open(&score->media[i], settings->path[i], &settings->media, &error);
    if (status)
        return fail(score, command_input_status(status), "", &error);
    interrupt_watch(&score->interrupt, stop_reading, score);
    score->ahead = buffers_ahead(score, threads);
    const VqxReaderSettings reading = {.skip = {settings->skip[0], settings->skip[1]},
                                       .limit = settings->frame_count,
                                       .every = settings->subsample,
                                       .capacity = score->ahead,
                                       .threads = threads,
                                       .digests = settings->output &&
                                                  report_holds_notes(settings->format)};
    status = vqx_reader_open(&score->reader, score->media[0], score->media[1], &reading, &error);
    if (status)
        return fail(score, command_input_status(status), "", &error);
    const VqxMediaInfo *ref = vqx_media_info(score->media[0]),
                       *dis = vqx_media_info(score->media[1]);
    status =
        vqx_configure(score->ctx, ref->width, ref->height, ref->bit_depth, dis->bit_depth, &error);
    if (status == VQX_ERROR_SIZE) {
        console_error(&score->console, "%s: %s", vqx_media_path(score->media[0]), error.message);
        score->status = EXIT_INPUT;
        return -1;
    }
    if (status)
        return fail(score, command_status(status), "", &error);
    note_ranges(score);
    score->times.width = ref->width;
    score->times.height = ref->height;
    score->times.depth[0] = ref->bit_depth;
    score->times.depth[1] = dis->bit_depth;
    return 0;
}

/* The number of pairs that will be scored, as far as the files tell; -1: unknown. */
static int64_t pairs_expected(const Score *score)
{
    const ScoreSettings *settings = &score->settings;
    int64_t pairs = -1;
    for (int i = 0; i < 2; i++) {
        const int64_t frames = vqx_media_info(score->media[i])->frames;
        if (frames < 0)
            return -1;
        const int64_t left = frames - (int64_t)settings->skip[i];
        pairs = pairs < 0 || left < pairs ? left : pairs;
    }
    if (settings->frame_count && pairs > (int64_t)settings->frame_count)
        pairs = (int64_t)settings->frame_count;
    const int64_t every = settings->subsample ? (int64_t)settings->subsample : 1;
    return pairs < 0 ? 0 : (pairs + every - 1) / every;
}

/* Hands a free frame buffer to the reader. VQX_ERROR_AGAIN: there is none. */
static int give_frame(Score *score, int wait, VqxError *error)
{
    VqxFrame *frame;
    const int status = vqx_frame_acquire(score->ctx, &frame, wait, error);
    if (status)
        return status;
    vqx_reader_give(score->reader, frame);
    score->reading++;
    return 0;
}

/* Gives the reader free buffers, waiting for one if it would hold none. */
static int feed(Score *score, VqxError *error)
{
    int status = 0;
    while (!status && score->reading < score->ahead)
        status = give_frame(score, score->reading == 0, error);
    return status == VQX_ERROR_AGAIN ? 0 : status;
}

/* Until the pair ends. Memory is bounded by the context's buffers; nothing is allocated a frame. */
static int score_frames(Score *score)
{
    uint64_t submitted = 0;
    VqxError error = {0};
    int status = feed(score, &error);
    while (!status && !atomic_load(&score->interrupt.received)) {
        VqxFrame *frame;
        uint64_t index;
        const VqxReaderResult result = vqx_reader_take(score->reader, &frame, &index);
        if (result == VQX_READER_END)
            break;
        if (result == VQX_READER_FRAME) {
            score->reading--;
            status = vqx_frame_submit(score->ctx, frame, index, &error);
            progress_update(&score->progress, ++submitted);
        }
        status = status ? status : feed(score, &error);
    }
    status = status ? status : vqx_finish(score->ctx, &error);
    if (!status)
        return 0;
    vqx_finish(score->ctx, NULL);
    return fail(score, command_status(status), "backend failed", &error);
}

/* How the reading ended. */
static void judge_end(Score *score)
{
    const int signal = atomic_load(&score->interrupt.received);
    if (signal) {
        console_error(&score->console, "interrupted; %zu frames were scored",
                      vqx_frame_count(score->ctx));
        score->status = EXIT_INTERRUPTED + signal;
        score->outcome = "interrupted";
        return;
    }
    const VqxReaderEnd *end = vqx_reader_end(score->reader);
    const int scored = vqx_frame_count(score->ctx) > 0;
    static const char *const outcome[] = {[VQX_READER_BOTH_ENDED] = "complete",
                                          [VQX_READER_COUNTS_DIFFER] = "frame counts differ",
                                          [VQX_READER_TRUNCATED] = "an input is truncated",
                                          [VQX_READER_FAILED] = "an input could not be read on"};
    if (end->kind == VQX_READER_BOTH_ENDED && !scored) {
        console_error(&score->console, "%s: there is no frame to score in this pair",
                      score->settings.path[0]);
        score->status = EXIT_INPUT;
    } else if (end->kind == VQX_READER_COUNTS_DIFFER && score->settings.shortest && scored) {
        console_note(&score->console, "%s", end->error.message);
        score->outcome = outcome[end->kind];
    } else if (end->kind != VQX_READER_BOTH_ENDED) {
        fail(score, scored ? EXIT_INCOMPLETE : command_input_status(end->error.status),
             outcome[end->kind], &end->error);
    } else {
        score->outcome = outcome[end->kind];
    }
}

/* Report and summary of what was scored. */
static void deliver(Score *score)
{
    if (!vqx_frame_count(score->ctx))
        return;
    const ScoreSettings *settings = &score->settings;
    const Run run = {.ctx = score->ctx,
                     .settings = settings,
                     .media = {score->media[0], score->media[1]},
                     .times = score->times,
                     .digest = {vqx_reader_digest(score->reader, VQX_REF),
                                vqx_reader_digest(score->reader, VQX_DIS)},
                     .outcome = score->outcome};
    VqxError error = {0};
    const int status = results_write(&run, settings->output ? &score->target : NULL, &error);
    console_end(&score->console);
    if (status) {
        console_error(&score->console, "%s", error.message);
        score->status = status;
    }
}

static void clean_up(Score *score)
{
    console_end(&score->console);
    interrupt_end(&score->interrupt);
    vqx_reader_close(&score->reader);
    vqx_media_close(&score->media[0]);
    vqx_media_close(&score->media[1]);
    vqx_close(&score->ctx);
    report_target_free(&score->target);
}

/* All but the delivery; -1: nothing was scored. */
static int run(Score *score)
{
    const double before = vqx_seconds();
    if (prepare(score) || start(score))
        return -1;
    score->times.start = vqx_seconds() - before;
    progress_start(&score->progress, &score->console, pairs_expected(score));
    if (!score_frames(score))
        judge_end(score);
    score->times.scoring = progress_seconds(&score->progress);
    score->times.frames = vqx_frame_count(score->ctx);
    return 0;
}

int score_timed(const ScoreSettings *settings, ScoreTimes *times)
{
    Score score = {.settings = *settings, .status = EXIT_DONE};
    console_init(&score.console, 1);
    if (interrupt_start(&score.interrupt)) {
        console_error(&score.console, "no thread could be started");
        return EXIT_MEMORY;
    }
    run(&score);
    clean_up(&score);
    interrupt_unblock(&score.interrupt);
    *times = score.times;
    return score.status;
}

int command_score(int argc, char **argv)
{
    Score score = {.status = EXIT_DONE, .outcome = "complete"};
    VqxError error = {0};
    const int refused = settings_parse(&score.settings, argc, argv, 0, &error);
    console_init(&score.console, score.settings.quiet);
    if (refused) {
        console_error(&score.console, "%s", error.message);
        return command_status(error.status);
    }
    if (score.settings.answered)
        return command_finish_output(EXIT_DONE);
    if (interrupt_start(&score.interrupt)) {
        console_error(&score.console, "no thread could be started");
        settings_free(&score.settings);
        return EXIT_MEMORY;
    }
    if (!run(&score))
        deliver(&score);
    clean_up(&score);
    settings_free(&score.settings);
    return command_finish_output(score.status);
}
