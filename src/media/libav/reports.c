/* What FFmpeg logs as errors, told apart by the `opaque` of our contexts. */
#include "media/libav/reports.h"

#include <stdio.h>
#include <string.h>

/* The packet that a decoder's context works on, and the one that a frame comes from. FFmpeg 7 has
 * nothing that leads from a context to its packet: there damage counts for whatever comes next. */
#if LIBAVCODEC_VERSION_MAJOR < 61
#define PACKET_OF(thing) ((thing)->reordered_opaque)
#else
#define PACKET_OF(thing) ((void)(thing), INT64_C(0))
#endif

static void write_report(char report[120], const char *format, va_list arguments)
{
    vsnprintf(report, 120, format, arguments);
    report[strcspn(report, "\n")] = '\0';
}

static void note_demuxer(Reports *reports, const char *format, va_list arguments)
{
    if (*reports->demuxer)
        return;
    write_report(reports->demuxer, format, arguments);
    reports->demuxer_at_end = reports->at_file_end;
}

static void note_decoder(Reports *reports, const AVCodecContext *decoder, const char *format,
                         va_list arguments)
{
    pthread_mutex_lock(&reports->mutex);
    if (PACKET_OF(decoder) < reports->damaged) {
        reports->damaged = PACKET_OF(decoder);
        write_report(reports->decoder, format, arguments);
    }
    pthread_mutex_unlock(&reports->mutex);
}

static void note(void *about, int level, const char *format, va_list arguments)
{
    if (level > AV_LOG_ERROR || !about)
        return;
    const AVClass *class = *(const AVClass **)about;
    if (class == avformat_get_class() && ((AVFormatContext *)about)->opaque)
        note_demuxer(((AVFormatContext *)about)->opaque, format, arguments);
    else if (class == avcodec_get_class() && ((AVCodecContext *)about)->opaque)
        note_decoder(((AVCodecContext *)about)->opaque, about, format, arguments);
}

void vqx_reports_listen(void)
{
    av_log_set_callback(note);
}

void vqx_reports_init(Reports *reports)
{
    reports->damaged = INT64_MAX;
    pthread_mutex_init(&reports->mutex, NULL);
}

void vqx_reports_destroy(Reports *reports)
{
    pthread_mutex_destroy(&reports->mutex);
}

void vqx_reports_demuxer(Reports *reports, AVFormatContext *demuxer)
{
    demuxer->opaque = reports;
}

void vqx_reports_decoder(Reports *reports, AVCodecContext *decoder)
{
    decoder->opaque = reports;
}

void vqx_reports_packet(Reports *reports, AVCodecContext *decoder)
{
#if LIBAVCODEC_VERSION_MAJOR < 61
    decoder->reordered_opaque = reports->packets++;
#else
    (void)reports, (void)decoder;
#endif
}

const char *vqx_reports_damage(Reports *reports, const AVFrame *frame)
{
    const int64_t packet = frame ? PACKET_OF(frame) : INT64_MAX - 1;
    pthread_mutex_lock(&reports->mutex);
    const int found = reports->damaged <= packet;
    pthread_mutex_unlock(&reports->mutex);
    return found ? reports->decoder : NULL;
}
