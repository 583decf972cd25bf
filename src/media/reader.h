/*
 * Reads a pair of videos ahead, on threads of its own, into frame buffers that the caller gives: the
 * queue is as long as the caller has buffers to give, and nothing is allocated a frame.
 *
 *     vqx_reader_open(&reader, ref, dis, &settings, &error);
 *     for (;;) {
 *         while (vqx_frame_acquire(ctx, &frame, 0, &error) == 0)
 *             vqx_reader_give(reader, frame);
 *         switch (vqx_reader_take(reader, &frame, &index)) {
 *         case VQX_READER_FRAME: vqx_frame_submit(ctx, frame, index, &error); continue;
 *         case VQX_READER_EMPTY: vqx_frame_acquire(ctx, &frame, 1, &error) and give it; continue;
 *         case VQX_READER_END: break out;
 *         }
 *     }
 *     const VqxReaderEnd *end = vqx_reader_end(reader);
 *     while ((frame = vqx_reader_reclaim(reader)))
 *         vqx_frame_release(ctx, frame);
 *     vqx_reader_close(&reader);
 *
 * All calls come from one thread.
 */
#ifndef VQX_MEDIA_READER_H
#define VQX_MEDIA_READER_H

#include "media/media.h"

typedef struct VqxReader VqxReader;

enum { VQX_REF = 0, VQX_DIS = 1 }; /* index of a side in the arrays of two below */

typedef struct VqxReaderSettings {
    uint64_t skip[2];  /* frames passed over at the start of each file [0] */
    uint64_t limit;    /* pairs looked at, whether subsampled away or not; 0: all [0] */
    uint64_t every;    /* only pairs 0, every, 2 every, ... are read; 0 is 1 [0] */
    unsigned capacity; /* the most buffers given and not yet taken at a time; 1 or more */
    unsigned threads;  /* reading each file, where it allows several (info.concurrent); 0: 1 [0] */
    int digests;       /* whether vqx_reader_digest is wanted, which takes the threads time [0] */
} VqxReaderSettings;

/* Starts reading ahead. The media stay the caller's: to be closed after the reader, used by nothing
 * else before. The two must be of one size (checked: VQX_ERROR_SIZE); they may differ in bit depth. */
int vqx_reader_open(VqxReader **reader, VqxMedia *ref, VqxMedia *dis,
                    const VqxReaderSettings *settings, VqxError *error);

/* Gives a buffer to be filled: its planes are of the media's size and bit depths, in host memory. At
 * most settings.capacity may be with the reader. */
void vqx_reader_give(VqxReader *reader, VqxFrame *frame);

typedef enum VqxReaderResult {
    VQX_READER_FRAME = 1,
    VQX_READER_EMPTY = 2, /* the reader holds no buffer: give one */
    VQX_READER_END = 0,   /* no more pairs; vqx_reader_end says why */
} VqxReaderResult;

/* Waits for the next filled pair, in order. *index is its number: 0 for the first pair after the
 * frames skipped at the start, counting also the pairs that `every` leaves out. */
VqxReaderResult vqx_reader_take(VqxReader *reader, VqxFrame **frame, uint64_t *index);

typedef enum VqxReaderEndKind {
    VQX_READER_BOTH_ENDED = 0, /* together, or the limit was reached */
    VQX_READER_COUNTS_DIFFER,  /* one file ended before the other */
    VQX_READER_TRUNCATED, /* a file ends inside a frame; whole pairs before it were delivered */
    VQX_READER_FAILED,    /* a file could not be read on */
} VqxReaderEndKind;

typedef struct VqxReaderEnd {
    VqxReaderEndKind kind;
    uint64_t pairs;     /* whole pairs passed, including those that `every` left out */
    uint64_t frames[2]; /* whole frames seen of each file, including those skipped at the start */
    int exact[2];       /* frames[i] is all that the file has; else it may have more */
    int side;           /* whose end, truncation or failure ended the pairs; VQX_REF or VQX_DIS */
    VqxError error;     /* the sentence for every kind but VQX_READER_BOTH_ENDED (status 0) */
} VqxReaderEnd;

/* After VQX_READER_END; valid until close. */
const VqxReaderEnd *vqx_reader_end(const VqxReader *reader);

/* With settings.digests, what was read: a digest (media/digest.h) of a side's frames taken so far, in
 * their order. */
uint64_t vqx_reader_digest(const VqxReader *reader, int side);

/* After VQX_READER_END: the buffers given and not delivered, one a call, then NULL. */
VqxFrame *vqx_reader_reclaim(VqxReader *reader);

/* Stops reading, also in the middle and when a file is a pipe that says nothing. Buffers not taken
 * are the caller's again. NULL is allowed; *reader becomes NULL. The media can then only be closed. */
void vqx_reader_close(VqxReader **reader);

#endif
