/*
 * A video as the command reads it: a row of luma planes, whatever the file. Y4M, raw YUV and, through
 * the module libvqx-libav, any file FFmpeg opens. Chroma is passed over unread where the file can
 * seek; nothing here holds more than a megabyte of a file (the decoders of libav excepted).
 *
 *     VqxMediaOptions options = {.module_folder = folder};
 *     if (vqx_media_open(&media, "clip.y4m", &options, &error)) ...
 *     const VqxMediaInfo *info = vqx_media_info(media);
 *     while ((result = vqx_media_read(media, luma, stride, &error)) == VQX_MEDIA_FRAME) ...
 *     vqx_media_close(&media);
 *
 * The command reads pairs through media/reader.h, which calls these from its threads.
 *
 * Errors are sentences that name the file, the frame (counted from 0 in the file) and what would be
 * accepted. Their statuses: VQX_ERROR_NOT_FOUND a file that cannot be opened or read,
 * VQX_ERROR_ARGUMENT contents that are not accepted, VQX_ERROR_SIZE a frame size out of range,
 * VQX_ERROR_BACKEND the libav module or its libraries are missing, VQX_ERROR_MEMORY.
 */
#ifndef VQX_MEDIA_MEDIA_H
#define VQX_MEDIA_MEDIA_H

#include "vqx.h"

typedef struct VqxMedia VqxMedia;

typedef enum VqxChroma {
    VQX_CHROMA_420 = 0, /* odd sizes: the chroma planes round up */
    VQX_CHROMA_422 = 1,
    VQX_CHROMA_444 = 2,
    VQX_CHROMA_400 = 3, /* luma only */
} VqxChroma;

typedef enum VqxRange {
    VQX_RANGE_UNKNOWN = 0,
    VQX_RANGE_LIMITED = 1,
    VQX_RANGE_FULL = 2,
} VqxRange;

/* All zero but module_folder is a fine default: the file says what it is. */
typedef struct VqxMediaOptions {
    int raw; /* 1: raw planar YUV, described by the next four; 0: they are not looked at [0] */
    unsigned width, height; /* 1..65535 */
    unsigned bit_depth;     /* 8..16; above 8 samples are little-endian 16-bit words */
    VqxChroma chroma;
    const char *module_folder; /* where libvqx-libav is [NULL: as installed] */
    unsigned decoder_threads;  /* of libav; 0: as many as cores [0] */
} VqxMediaOptions;

typedef struct VqxMediaInfo {
    unsigned width, height, bit_depth;
    VqxRange range;
    int64_t frames; /* as far as the file tells without reading it through; -1: unknown */
    unsigned rate_num, rate_den; /* frames a second; 0/0: unknown */
    int seekable;                /* a regular file, not a pipe */
    int concurrent;              /* vqx_media_luma may be called from several threads at once */
    char description[96];        /* "Y4M 420jpeg, 8 bit"; "h264, yuv420p, 8 bit" */
} VqxMediaInfo;

typedef enum VqxMediaResult {
    VQX_MEDIA_ERROR = -1, /* VqxError says why; no more can be read */
    VQX_MEDIA_END = 0,    /* the file ends after the frames read so far */
    VQX_MEDIA_FRAME = 1,
    VQX_MEDIA_TRUNCATED = 2, /* the file ends inside this frame; VqxError says where */
} VqxMediaResult;

/* A frame that vqx_media_next moved to. */
typedef struct VqxMediaFrame {
    uint64_t index; /* counted from 0 in the file */
    int64_t offset; /* of its luma in the file, where that is known */
} VqxMediaFrame;

/* Opens `path` ("-": standard input; FIFOs work) and reads its header, for which it may wait. */
int vqx_media_open(VqxMedia **media, const char *path, const VqxMediaOptions *options,
                   VqxError *error);

/* The media's own, constant from open to close. */
const VqxMediaInfo *vqx_media_info(const VqxMedia *media);
const char *vqx_media_path(const VqxMedia *media); /* "standard input" for "-" */

/* Reads the next frame's luma: native-endian samples as in VqxPlane, rows `stride` bytes apart (which
 * may be negative). Every sample is checked to fit the bit depth. */
VqxMediaResult vqx_media_read(VqxMedia *media, void *luma, ptrdiff_t stride, VqxError *error);

/* Passes over the next frame. */
VqxMediaResult vqx_media_skip(VqxMedia *media, VqxError *error);

/* vqx_media_read in two steps. `next` moves to the next frame, one thread at a time; `luma` then reads
 * its samples. With info.concurrent `luma` may run in any thread beside `next` and other `luma`s;
 * else it must be called before the following `next` or `skip`. `luma` never returns VQX_MEDIA_END.
 * Of a whole frame *digest becomes its digest (media/digest.h); NULL: none is made. */
VqxMediaResult vqx_media_next(VqxMedia *media, VqxMediaFrame *frame, VqxError *error);
VqxMediaResult vqx_media_luma(VqxMedia *media, const VqxMediaFrame *frame, void *luma,
                              ptrdiff_t stride, uint64_t *digest, VqxError *error);

/* From any thread: what waits for data, now or later, returns VQX_MEDIA_ERROR at once. For good. */
void vqx_media_interrupt(VqxMedia *media);

/* No other call may be running. NULL is allowed; *media becomes NULL. */
void vqx_media_close(VqxMedia **media);

#endif
