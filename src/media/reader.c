/*
 * Reads a pair ahead. Buffers are filled in the order they are given, so buffer number n holds pair
 * n * every, and a side's threads need to agree on nothing else: each claims the next buffer and moves
 * its file to that pair (one thread of a side at a time), then reads the samples beside the others.
 */
#include "media/reader.h"

#include "media/digest.h"
#include "util/error.h"

#include <assert.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_THREADS = 64 };

typedef struct Slot {
    VqxFrame *frame;
    int filled[2];
    uint64_t digest[2];
} Slot;

typedef struct Side {
    VqxReader *reader;
    int which; /* VQX_REF or VQX_DIS */
    VqxMedia *media;
    pthread_t threads[MOST_THREADS];
    unsigned thread_count;
    pthread_mutex_t moving; /* held while the file is moved to a pair */
    uint64_t to_skip;       /* frames at the start still to be passed; guarded by `moving` */
    /* Guarded by the reader's mutex: */
    uint64_t claimed; /* buffers */
    uint64_t skipped; /* frames passed at the start */
    uint64_t passed;  /* pairs whose frame of this side is there, whole */
    int ended;        /* no pair `end` of this side */
    uint64_t end;
    VqxMediaResult
        result; /* why not; VQX_MEDIA_FRAME: it was not looked at, being past the limit */
    VqxError error;
} Side;

struct VqxReader {
    VqxReaderSettings settings;
    Side sides[2];
    pthread_mutex_t mutex;
    pthread_cond_t claimable; /* for the sides' threads: a buffer to fill, or no more to do */
    pthread_cond_t takeable;  /* for the caller: the next pair is filled, or none will come */
    uint64_t given, taken;    /* buffers */
    int stop;
    VqxReaderEnd end;
    uint64_t digest[2]; /* of the frames taken */
    Slot slots[];       /* settings.capacity; buffer n is in slot n % capacity */
};

static Slot *slot_of(VqxReader *reader, uint64_t number)
{
    return &reader->slots[number % reader->settings.capacity];
}

static void end_side(Side *side, uint64_t end, VqxMediaResult result, const VqxError *error)
{
    pthread_mutex_lock(&side->reader->mutex);
    /* Once stopped, a file that does not seek fails of being interrupted. */
    const int counts = !side->reader->stop || vqx_media_info(side->media)->concurrent;
    if (counts && (!side->ended || end < side->end)) {
        side->ended = 1;
        side->end = end;
        side->result = result;
        if (result == VQX_MEDIA_ERROR || result == VQX_MEDIA_TRUNCATED)
            side->error = *error;
    }
    pthread_cond_broadcast(&side->reader->claimable);
    pthread_cond_signal(&side->reader->takeable);
    pthread_mutex_unlock(&side->reader->mutex);
}

/* Counts a frame that the file was moved past. The caller waits for it only where the other side has
 * ended before it. The mutex is held. */
static void count_locked(Side *side, uint64_t *counter)
{
    ++*counter;
    if (side->reader->sides[!side->which].ended)
        pthread_cond_signal(&side->reader->takeable);
}

static void count(Side *side, uint64_t *counter)
{
    pthread_mutex_lock(&side->reader->mutex);
    count_locked(side, counter);
    pthread_mutex_unlock(&side->reader->mutex);
}

static int stopped(Side *side)
{
    pthread_mutex_lock(&side->reader->mutex);
    const int stop = side->reader->stop || side->ended;
    pthread_mutex_unlock(&side->reader->mutex);
    return stop;
}

/* Waits for the next buffer to claim; 0 when there is nothing left to do. */
static int claim_buffer(Side *side, uint64_t *number)
{
    VqxReader *reader = side->reader;
    pthread_mutex_lock(&reader->mutex);
    while (side->claimed == reader->given && !reader->stop && !side->ended)
        pthread_cond_wait(&reader->claimable, &reader->mutex);
    const int claimed = !reader->stop && !side->ended;
    if (claimed)
        *number = side->claimed++;
    pthread_mutex_unlock(&reader->mutex);
    return claimed;
}

/* Passes frames of the file, at most `frames`; 0 when that is not to be or the file ends. */
static int pass(Side *side, uint64_t frames, uint64_t *counter)
{
    VqxError error;
    for (; frames; frames--) {
        if (stopped(side))
            return 0;
        const VqxMediaResult result = vqx_media_skip(side->media, &error);
        if (result != VQX_MEDIA_FRAME) {
            end_side(side, side->passed, result, &error);
            return 0;
        }
        count(side, counter);
    }
    return 1;
}

/* Claims a buffer and moves the file to its pair. */
static int claim(Side *side, uint64_t *number, VqxMediaFrame *frame)
{
    const VqxReaderSettings *settings = &side->reader->settings;
    if (!pass(side, side->to_skip, &side->skipped))
        return 0;
    side->to_skip = 0;
    if (!claim_buffer(side, number))
        return 0;
    const uint64_t pair = *number * settings->every;
    const int beyond = settings->limit && pair >= settings->limit;
    if (!pass(side, (beyond ? settings->limit : pair) - side->passed, &side->passed))
        return 0;
    VqxError error;
    const VqxMediaResult result =
        beyond ? VQX_MEDIA_FRAME : vqx_media_next(side->media, frame, &error);
    if (beyond || result != VQX_MEDIA_FRAME) {
        end_side(side, side->passed, result, &error);
        return 0;
    }
    if (vqx_media_info(side->media)->concurrent)
        count(side, &side->passed);
    return 1;
}

static void fill(Side *side, uint64_t number, const VqxMediaFrame *frame)
{
    VqxReader *reader = side->reader;
    VqxError error;
    Slot *slot = slot_of(reader, number);
    const VqxPlane *plane = side->which == VQX_REF ? &slot->frame->ref : &slot->frame->dis;
    const VqxMediaResult result =
        vqx_media_luma(side->media, frame, plane->data, plane->stride,
                       reader->settings.digests ? &slot->digest[side->which] : NULL, &error);
    if (result != VQX_MEDIA_FRAME) {
        end_side(side, number * reader->settings.every, result, &error);
        return;
    }
    pthread_mutex_lock(&reader->mutex);
    if (!vqx_media_info(side->media)->concurrent) /* only now is it known to be whole */
        count_locked(side, &side->passed);
    slot->filled[side->which] = 1;
    if (number == reader->taken && slot->filled[!side->which])
        pthread_cond_signal(&reader->takeable);
    pthread_mutex_unlock(&reader->mutex);
}

static void *read_side(void *opaque)
{
    Side *side = opaque;
    for (;;) {
        uint64_t number;
        VqxMediaFrame frame;
        pthread_mutex_lock(&side->moving);
        const int claimed = claim(side, &number, &frame);
        pthread_mutex_unlock(&side->moving);
        if (!claimed)
            return NULL;
        fill(side, number, &frame);
    }
}

static int check_pair(const VqxMedia *ref, const VqxMedia *dis, VqxError *error)
{
    const VqxMediaInfo *a = vqx_media_info(ref), *b = vqx_media_info(dis);
    if (a->width == b->width && a->height == b->height)
        return 0;
    return vqx_fail(
        error, VQX_ERROR_SIZE, "%s is %ux%u, %s is %ux%u; two videos of one size are accepted",
        vqx_media_path(ref), a->width, a->height, vqx_media_path(dis), b->width, b->height);
}

static int start_side(VqxReader *reader, int which, VqxError *error)
{
    Side *side = &reader->sides[which];
    unsigned wanted = vqx_media_info(side->media)->concurrent ? reader->settings.threads : 1;
    wanted = wanted < 1 ? 1 : wanted > MOST_THREADS ? MOST_THREADS : wanted;
    for (; side->thread_count < wanted; side->thread_count++)
        if (pthread_create(&side->threads[side->thread_count], NULL, read_side, side))
            break;
    return side->thread_count ? 0
                              : vqx_fail(error, VQX_ERROR_MEMORY, "no thread to read %s with",
                                         vqx_media_path(side->media));
}

int vqx_reader_open(VqxReader **out, VqxMedia *ref, VqxMedia *dis,
                    const VqxReaderSettings *settings, VqxError *error)
{
    *out = NULL;
    int status = check_pair(ref, dis, error);
    if (status)
        return status;
    if (settings->capacity < 1)
        return vqx_fail(error, VQX_ERROR_ARGUMENT, "a reader needs a capacity of 1 or more");
    VqxReader *reader = calloc(1, sizeof *reader + settings->capacity * sizeof *reader->slots);
    if (!reader)
        return vqx_fail(error, VQX_ERROR_MEMORY, "out of memory");
    reader->settings = *settings;
    if (!settings->every)
        reader->settings.every = 1;
    pthread_mutex_init(&reader->mutex, NULL);
    pthread_cond_init(&reader->claimable, NULL);
    pthread_cond_init(&reader->takeable, NULL);
    for (int i = 0; i < 2; i++) {
        Side *side = &reader->sides[i];
        pthread_mutex_init(&side->moving, NULL);
        side->reader = reader;
        side->which = i;
        side->media = i == VQX_REF ? ref : dis;
        side->to_skip = settings->skip[i];
    }
    for (int i = 0; i < 2 && !status; i++)
        status = start_side(reader, i, error);
    if (status)
        vqx_reader_close(&reader);
    *out = reader;
    return status;
}

void vqx_reader_give(VqxReader *reader, VqxFrame *frame)
{
    pthread_mutex_lock(&reader->mutex);
    assert(reader->given - reader->taken < reader->settings.capacity);
    *slot_of(reader, reader->given++) = (Slot){.frame = frame};
    pthread_cond_broadcast(&reader->claimable); /* to one thread of each side */
    pthread_mutex_unlock(&reader->mutex);
}

static int weight(const Side *side)
{
    return side->result == VQX_MEDIA_ERROR ? 2 : side->result == VQX_MEDIA_TRUNCATED;
}

/* The side whose end comes first, or whose end weighs more where both come at once; NULL: neither has
 * ended. */
static Side *first_to_end(VqxReader *reader)
{
    Side *ref = &reader->sides[VQX_REF], *dis = &reader->sides[VQX_DIS];
    if (!ref->ended || !dis->ended)
        return ref->ended ? ref : dis->ended ? dis : NULL;
    if (ref->end != dis->end)
        return ref->end < dis->end ? ref : dis;
    return weight(dis) > weight(ref) ? dis : ref;
}

/* Whether no pair from `pair` on can come. Both files are read that far, so that what is said of the
 * end does not depend on which thread was faster. */
static int at_end(VqxReader *reader, uint64_t pair)
{
    const Side *first = first_to_end(reader);
    if (!first || first->end > pair)
        return 0;
    const Side *other = &reader->sides[!first->which];
    return other->ended || other->passed > first->end;
}

static void stop_threads(VqxReader *reader, int interrupt_all)
{
    pthread_mutex_lock(&reader->mutex);
    reader->stop = 1;
    pthread_cond_broadcast(&reader->claimable);
    pthread_mutex_unlock(&reader->mutex);
    for (int i = 0; i < 2; i++) {
        Side *side = &reader->sides[i];
        if (interrupt_all || !vqx_media_info(side->media)->concurrent)
            vqx_media_interrupt(side->media);
        for (; side->thread_count; side->thread_count--)
            pthread_join(side->threads[side->thread_count - 1], NULL);
    }
}

/* Counts what is left of a longer file, where that costs no reading. */
static void count_rest(Side *side)
{
    VqxError error;
    if (side->ended || !vqx_media_info(side->media)->concurrent)
        return;
    VqxMediaResult result;
    while ((result = vqx_media_skip(side->media, &error)) == VQX_MEDIA_FRAME)
        side->passed++;
    side->ended = 1;
    side->end = side->passed;
    side->result = result;
}

static void describe_difference(VqxReader *reader, const Side *first)
{
    VqxReaderEnd *end = &reader->end;
    const int a = first->which, b = !a;
    const Side *other = &reader->sides[b];
    const uint64_t *skip = reader->settings.skip;
    char skipped[80] = "";
    if (skip[a] || skip[b])
        snprintf(skipped, sizeof skipped, " (of which %" PRIu64 " and %" PRIu64 " were skipped)",
                 skip[a], skip[b]);
    if (first->skipped < skip[a])
        vqx_fail(&end->error, VQX_ERROR_ARGUMENT,
                 "%s has %" PRIu64 " frames, fewer than the %" PRIu64 " to be skipped at its start",
                 vqx_media_path(first->media), end->frames[a], skip[a]);
    else
        vqx_fail(&end->error, VQX_ERROR_ARGUMENT,
                 "the frame counts differ: %s has %" PRIu64 ", %s has %s%" PRIu64 "%s; %" PRIu64
                 " pairs were read",
                 vqx_media_path(first->media), end->frames[a], vqx_media_path(other->media),
                 end->exact[b] ? "" : "at least ", end->frames[b], skipped, end->pairs);
}

/* Fills in reader->end once at_end holds. */
static void finish(VqxReader *reader)
{
    stop_threads(reader, 0);
    const Side *first = first_to_end(reader);
    Side *other = &reader->sides[!first->which];
    VqxReaderEnd *end = &reader->end;
    const int limited = first->result == VQX_MEDIA_FRAME;
    end->pairs = first->end;
    end->side = first->which;
    if (first->result == VQX_MEDIA_END)
        count_rest(other);
    for (int i = 0; i < 2; i++) {
        const Side *side = &reader->sides[i];
        end->frames[i] = side->skipped + (side->ended ? side->end : side->passed);
        end->exact[i] = side->ended && side->result == VQX_MEDIA_END;
    }
    if (first->result == VQX_MEDIA_ERROR || first->result == VQX_MEDIA_TRUNCATED) {
        end->kind = first->result == VQX_MEDIA_ERROR ? VQX_READER_FAILED : VQX_READER_TRUNCATED;
        end->error = first->error;
    } else if (!limited && (!other->ended || other->end > first->end ||
                            first->skipped < reader->settings.skip[first->which] ||
                            other->skipped < reader->settings.skip[other->which])) {
        end->kind = VQX_READER_COUNTS_DIFFER;
        describe_difference(reader, first);
    }
}

VqxReaderResult vqx_reader_take(VqxReader *reader, VqxFrame **frame, uint64_t *index)
{
    const Slot *slot = slot_of(reader, reader->taken);
    VqxReaderResult result = VQX_READER_END;
    pthread_mutex_lock(&reader->mutex);
    *index = reader->taken * reader->settings.every;
    for (;;) {
        if (reader->stop || at_end(reader, *index))
            break;
        if (reader->taken == reader->given) {
            result = VQX_READER_EMPTY;
            break;
        }
        if (slot->filled[VQX_REF] && slot->filled[VQX_DIS]) {
            result = VQX_READER_FRAME;
            *frame = slot->frame;
            for (int i = 0; reader->settings.digests && i < 2; i++)
                reader->digest[i] = vqx_digest_next(reader->digest[i], slot->digest[i]);
            reader->taken++;
            break;
        }
        pthread_cond_wait(&reader->takeable, &reader->mutex);
    }
    const int first_time = result == VQX_READER_END && !reader->stop;
    pthread_mutex_unlock(&reader->mutex);
    if (first_time)
        finish(reader);
    return result;
}

const VqxReaderEnd *vqx_reader_end(const VqxReader *reader)
{
    return &reader->end;
}

uint64_t vqx_reader_digest(const VqxReader *reader, int side)
{
    return reader->digest[side];
}

VqxFrame *vqx_reader_reclaim(VqxReader *reader)
{
    return reader->taken < reader->given ? slot_of(reader, reader->taken++)->frame : NULL;
}

void vqx_reader_close(VqxReader **pointer)
{
    VqxReader *reader = *pointer;
    *pointer = NULL;
    if (!reader)
        return;
    stop_threads(reader, 1);
    for (int i = 0; i < 2; i++)
        pthread_mutex_destroy(&reader->sides[i].moving);
    pthread_cond_destroy(&reader->claimable);
    pthread_cond_destroy(&reader->takeable);
    pthread_mutex_destroy(&reader->mutex);
    free(reader);
}
