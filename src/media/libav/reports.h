/*
 * What FFmpeg logs as errors while one file is read. Damage is passed over: demuxers log an error,
 * find the next sound place and go on, frames short; decoders mend the picture, and of many that log
 * is all that tells.
 */
#ifndef VQX_MEDIA_LIBAV_REPORTS_H
#define VQX_MEDIA_LIBAV_REPORTS_H

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <pthread.h>
#include <stdint.h>

typedef struct Reports {
    int at_file_end;       /* kept by who reads the bytes: the last read found none */
    char demuxer[120];     /* the demuxer's first error, empty: none */
    int demuxer_at_end;    /* it came at the file's end: the file is cut off */
    pthread_mutex_t mutex; /* guards the two below, which the decoder's threads write */
    int64_t damaged;       /* the first packet of which the decoder logged an error, or INT64_MAX */
    char decoder[120];     /* that error */
    int64_t packets;       /* given to the decoder so far */
} Reports;

/* Silences FFmpeg and makes it report, for the whole process. */
void vqx_reports_listen(void);

void vqx_reports_init(Reports *reports);
void vqx_reports_destroy(Reports *reports);

/* What the two contexts log goes to `reports` from now on. */
void vqx_reports_demuxer(Reports *reports, AVFormatContext *demuxer);
void vqx_reports_decoder(Reports *reports, AVCodecContext *decoder);

/* The decoder is about to be given a packet. */
void vqx_reports_packet(Reports *reports, AVCodecContext *decoder);

/* The decoder's error about the packet that `frame` comes from or one before it, or NULL. Frames leave
 * the decoder only after the packets before theirs were decoded, so this does not depend on its
 * threads. frame NULL: about any packet. */
const char *vqx_reports_damage(Reports *reports, const AVFrame *frame);

#endif
