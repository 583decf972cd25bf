/* What a format of media implements, and what all formats share. */
#ifndef VQX_MEDIA_FORMAT_H
#define VQX_MEDIA_FORMAT_H

#include "media/media.h"
#include "media/source.h"

/* Rows of a frame's luma, one under another. */
typedef struct VqxBand {
    unsigned first, count;
    void *data; /* of row `first` */
    ptrdiff_t stride;
} VqxBand;

typedef struct VqxFormat {
    /* Whether a frame's luma is read band by band, in their order; else as one. */
    int banded;
    /* Moves to the next frame; frame->index is filled in already. */
    VqxMediaResult (*next)(VqxMedia *media, VqxMediaFrame *frame, VqxError *error);
    /* Reads a band of its luma, unchecked samples; the last one's passes the frame's chroma. */
    VqxMediaResult (*luma)(VqxMedia *media, const VqxMediaFrame *frame, const VqxBand *band,
                           VqxError *error);
    /* Passes it instead. */
    VqxMediaResult (*drop)(VqxMedia *media, const VqxMediaFrame *frame, VqxError *error);
    void (*close)(VqxMedia *media);
} VqxFormat;

struct VqxMedia {
    const VqxFormat *format;
    VqxMediaInfo info;
    VqxSource *source;
    void *state;         /* the format's own */
    uint64_t next_index; /* of the frame that `next` moves to */
    char path[];         /* as messages name it */
};

/* Each looks at the source's first bytes, fills in media->format, info and state. */
int vqx_y4m_open(VqxMedia *media, VqxError *error);
int vqx_raw_open(VqxMedia *media, const VqxMediaOptions *options, VqxError *error);
int vqx_libav_open(VqxMedia *media, const char *path, const VqxMediaOptions *options,
                   VqxError *error);

/* Whether the source starts as a Y4M file does; -1 when it cannot be read. */
int vqx_y4m_detect(VqxMedia *media, VqxError *error);

/* The sentence for errno after a failed read of the source; returns VQX_ERROR_NOT_FOUND. */
int vqx_media_read_failed(const VqxMedia *media, VqxError *error);

#endif
