/* The first video stream of a file, decoded in presentation order. */
#include "media/libav/libav.h"
#include "media/libav/reports.h"

#include "util/error.h"

#include <inttypes.h>
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/pixdesc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { IO_BUFFER = 65536 };

struct VqxLibavStream {
    VqxLibavInput input;
    AVIOContext *io;
    AVFormatContext *container;
    AVCodecContext *decoder;
    AVPacket *packet;
    AVFrame *frame;
    int index;         /* of the video stream */
    int draining;      /* the decoder was told that no packet follows */
    int first_pending; /* the first frame was decoded by open */
    int width, height; /* of every frame */
    enum AVPixelFormat format;
    Luma luma;
    int64_t last_dts; /* of the packet decoded last, or AV_NOPTS_VALUE */
    Reports reports;
};

/* ---- the bytes ---- */

static int read_bytes(void *opaque, uint8_t *bytes, int count)
{
    VqxLibavStream *stream = opaque;
    const int64_t got = stream->input.read(stream->input.opaque, bytes, (size_t)count);
    stream->reports.at_file_end = got == 0;
    return got < 0 ? AVERROR(EIO) : got == 0 ? AVERROR_EOF : (int)got;
}

static int64_t seek_bytes(void *opaque, int64_t offset, int whence)
{
    VqxLibavStream *stream = opaque;
    const VqxLibavInput *input = &stream->input;
    stream->reports.at_file_end = 0;
    const int64_t size = input->size(input->opaque);
    const int from = whence & ~AVSEEK_FORCE;
    if (from == AVSEEK_SIZE)
        return size;
    const int64_t base = from == SEEK_CUR   ? input->seek(input->opaque, -1)
                         : from == SEEK_END ? size
                                            : 0;
    return base + offset < 0 ? AVERROR(EINVAL) : input->seek(input->opaque, base + offset);
}

static int interrupted(void *opaque)
{
    VqxLibavStream *stream = opaque;
    return stream->input.interrupted(stream->input.opaque);
}

/* A file that refers to others (a playlist) stays alone: only what was named is read. This, and for
 * demuxers that open others by themselves the empty list of protocols. */
static int refuse_other_file(AVFormatContext *container, AVIOContext **io, const char *url,
                             int flags, AVDictionary **options)
{
    (void)container, (void)io, (void)url, (void)flags, (void)options;
    return AVERROR(EPERM);
}

/* ---- opening ---- */

static int open_failed(const VqxLibavStream *stream, int code, VqxError *error)
{
    if (code == AVERROR(ENOMEM))
        return vqx_fail(error, VQX_ERROR_MEMORY, "out of memory");
    return vqx_fail(error, VQX_ERROR_ARGUMENT,
                    "%s is neither Y4M nor a media file FFmpeg can open (%s); raw video needs its "
                    "width, height, pixel format and bit depth as options",
                    stream->input.name, av_err2str(code));
}

/* What of a path helps detection: its ending. More would be taken for the pattern of a series. */
static void make_hint(const char *path, char *hint, size_t capacity)
{
    const char *dot = strrchr(path, '.');
    const int plain = dot && strspn(dot + 1, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                             "0123456789") == strlen(dot + 1);
    snprintf(hint, capacity, "video%s", plain ? dot : "");
}

static int open_container(VqxLibavStream *stream, VqxError *error)
{
    char hint[24];
    make_hint(stream->input.path, hint, sizeof hint);
    unsigned char *buffer = av_malloc(IO_BUFFER);
    stream->container = avformat_alloc_context();
    if (buffer)
        stream->io = avio_alloc_context(buffer, IO_BUFFER, 0, stream, read_bytes, NULL,
                                        stream->input.seek ? seek_bytes : NULL);
    if (!stream->io || !stream->container) {
        if (!stream->io)
            av_free(buffer);
        return open_failed(stream, AVERROR(ENOMEM), error);
    }
    vqx_reports_demuxer(&stream->reports, stream->container);
    stream->container->pb = stream->io;
    stream->container->io_open = refuse_other_file;
    stream->container->protocol_whitelist = av_strdup("none");
    stream->container->interrupt_callback = (AVIOInterruptCB){interrupted, stream};
    int code = avformat_open_input(&stream->container, hint, NULL, NULL);
    if (code >= 0)
        code = avformat_find_stream_info(stream->container, NULL);
    return code < 0 ? open_failed(stream, code, error) : 0;
}

/* The first video stream that is not the cover of an album. */
static int find_stream(VqxLibavStream *stream, VqxError *error)
{
    AVFormatContext *container = stream->container;
    stream->index = -1;
    for (unsigned i = 0; i < container->nb_streams; i++) {
        AVStream *candidate = container->streams[i];
        const int video = candidate->codecpar->codec_type == AVMEDIA_TYPE_VIDEO &&
                          !(candidate->disposition & AV_DISPOSITION_ATTACHED_PIC);
        if (video && stream->index < 0)
            stream->index = (int)i;
        else
            candidate->discard = AVDISCARD_ALL;
    }
    if (stream->index >= 0)
        return 0;
    return vqx_fail(
        error, VQX_ERROR_ARGUMENT,
        "%s holds no video stream (FFmpeg takes it for %s); a file with one is accepted",
        stream->input.name, container->iformat->long_name);
}

static int open_decoder(VqxLibavStream *stream, VqxError *error)
{
    const AVCodecParameters *parameters = stream->container->streams[stream->index]->codecpar;
    const AVCodec *codec = avcodec_find_decoder(parameters->codec_id);
    if (!codec)
        return vqx_fail(error, VQX_ERROR_ARGUMENT,
                        "%s: the FFmpeg libraries here have no decoder for %s", stream->input.name,
                        avcodec_get_name(parameters->codec_id));
    stream->decoder = avcodec_alloc_context3(codec);
    stream->packet = av_packet_alloc();
    stream->frame = av_frame_alloc();
    if (!stream->decoder || !stream->packet || !stream->frame)
        return vqx_fail(error, VQX_ERROR_MEMORY, "out of memory");
    int code = avcodec_parameters_to_context(stream->decoder, parameters);
    stream->decoder->thread_count = (int)stream->input.threads;
    vqx_reports_decoder(&stream->reports, stream->decoder);
    stream->decoder->pkt_timebase = stream->container->streams[stream->index]->time_base;
    /* What is damaged is refused, so the decoder must neither leave it out nor mend it in silence. */
    stream->decoder->flags |= AV_CODEC_FLAG_OUTPUT_CORRUPT;
    stream->decoder->err_recognition |= AV_EF_CRCCHECK | AV_EF_EXPLODE;
    if (code >= 0)
        code = avcodec_open2(stream->decoder, codec, NULL);
    if (code >= 0)
        return 0;
    return vqx_fail(error, VQX_ERROR_ARGUMENT, "%s: the %s decoder cannot start: %s",
                    stream->input.name, codec->name, av_err2str(code));
}

/* ---- decoding ---- */

static VqxMediaResult damaged(const VqxLibavStream *stream, uint64_t index, const char *why,
                              VqxError *error)
{
    vqx_fail(error, VQX_ERROR_ARGUMENT,
             "%s: frame %" PRIu64 " cannot be decoded: %s; an undamaged stream is accepted",
             stream->input.name, index, why);
    return VQX_MEDIA_ERROR;
}

/* Tells the decoder that no packet follows: it gives what it holds. */
static int drain(VqxLibavStream *stream)
{
    stream->draining = 1;
    return avcodec_send_packet(stream->decoder, NULL);
}

/* As when the file ended, though in the middle of a packet: the frames before it are whole. */
static int drain_cut_off(VqxLibavStream *stream)
{
    if (!*stream->reports.demuxer)
        snprintf(stream->reports.demuxer, sizeof stream->reports.demuxer, "incomplete packet");
    stream->reports.demuxer_at_end = 1;
    return drain(stream);
}

/* Gives the decoder the stream's next packet. */
static int feed(VqxLibavStream *stream)
{
    int code;
    do {
        av_packet_unref(stream->packet);
        code = av_read_frame(stream->container, stream->packet);
    } while (code >= 0 && stream->packet->stream_index != stream->index);
    if (stream->io->error)
        return stream->io->error;
    if (code == AVERROR_EOF)
        return drain(stream);
    if (code >= 0 && stream->packet->flags & AV_PKT_FLAG_CORRUPT)
        code = AVERROR_INVALIDDATA;
    if (code < 0)
        return stream->reports.at_file_end ? drain_cut_off(stream) : code;
    stream->last_dts = stream->packet->dts;
    vqx_reports_packet(&stream->reports, stream->decoder);
    return avcodec_send_packet(stream->decoder, stream->packet);
}

static VqxMediaResult end_of_stream(VqxLibavStream *stream, uint64_t index, VqxError *error)
{
    const char *damage = vqx_reports_damage(&stream->reports, NULL);
    if (damage)
        return damaged(stream, index, damage, error);
    if (!*stream->reports.demuxer)
        return VQX_MEDIA_END;
    vqx_fail(error, VQX_ERROR_ARGUMENT,
             "%s is cut off: its first %" PRIu64 " frames are whole, then FFmpeg reports: %s",
             stream->input.name, index, stream->reports.demuxer);
    return VQX_MEDIA_TRUNCATED;
}

/* Whether a frame that the decoder held when the file was cut off surely follows the frame before it.
 * What was lost is decoded, so also shown, after the last packet was decoded. */
static int follows(const VqxLibavStream *stream)
{
    const int64_t shown = stream->frame->best_effort_timestamp;
    return shown != AV_NOPTS_VALUE && stream->last_dts != AV_NOPTS_VALUE &&
           shown <= stream->last_dts;
}

/* Takes the decoder's next frame, feeding it as it asks. */
static VqxMediaResult receive(VqxLibavStream *stream, uint64_t index, VqxError *error)
{
    av_frame_unref(stream->frame);
    for (;;) {
        int code = avcodec_receive_frame(stream->decoder, stream->frame);
        if (code >= 0)
            return VQX_MEDIA_FRAME;
        if (code == AVERROR_EOF)
            return end_of_stream(stream, index, error);
        if (code == AVERROR(EAGAIN) && !stream->draining)
            code = feed(stream);
        if (*stream->reports.demuxer && !stream->reports.demuxer_at_end)
            return damaged(stream, index, stream->reports.demuxer, error);
        if (code < 0) {
            const char *damage = vqx_reports_damage(&stream->reports, NULL);
            return damaged(stream, index, damage ? damage : av_err2str(code), error);
        }
    }
}

static VqxMediaResult decode(VqxLibavStream *stream, uint64_t index, VqxError *error)
{
    const VqxMediaResult result = receive(stream, index, error);
    if (result != VQX_MEDIA_FRAME)
        return result;
    const AVFrame *frame = stream->frame;
    const char *damage = vqx_reports_damage(&stream->reports, frame);
    if (!damage && (frame->decode_error_flags || (frame->flags & AV_FRAME_FLAG_CORRUPT)))
        damage = "its data is damaged or refers to frames that are missing";
    if (damage)
        return damaged(stream, index, damage, error);
    if (stream->draining && *stream->reports.demuxer && !follows(stream))
        return end_of_stream(stream, index, error);
    return VQX_MEDIA_FRAME;
}

static VqxMediaResult stream_next(VqxLibavStream *stream, uint64_t index, VqxError *error)
{
    if (stream->first_pending) {
        stream->first_pending = 0;
        return VQX_MEDIA_FRAME;
    }
    const VqxMediaResult result = decode(stream, index, error);
    const AVFrame *frame = stream->frame;
    if (result != VQX_MEDIA_FRAME ||
        (frame->width == stream->width && frame->height == stream->height &&
         frame->format == stream->format))
        return result;
    vqx_fail(
        error, VQX_ERROR_ARGUMENT,
        "%s: frame %" PRIu64 " is %dx%d %s, the frames before it are %dx%d %s; a stream of one "
        "size and format is accepted",
        stream->input.name, index, frame->width, frame->height, av_get_pix_fmt_name(frame->format),
        stream->width, stream->height, av_get_pix_fmt_name(stream->format));
    return VQX_MEDIA_ERROR;
}

static void stream_luma(const VqxLibavStream *stream, void *luma, ptrdiff_t stride)
{
    vqx_luma_copy(&stream->luma, stream->frame, luma, stride);
}

static VqxRange range_of(const AVFrame *frame)
{
    switch (frame->format) {
    case AV_PIX_FMT_YUVJ420P:
    case AV_PIX_FMT_YUVJ422P:
    case AV_PIX_FMT_YUVJ444P:
    case AV_PIX_FMT_YUVJ440P:
    case AV_PIX_FMT_YUVJ411P:
        return VQX_RANGE_FULL;
    }
    return frame->color_range == AVCOL_RANGE_JPEG   ? VQX_RANGE_FULL
           : frame->color_range == AVCOL_RANGE_MPEG ? VQX_RANGE_LIMITED
                                                    : VQX_RANGE_UNKNOWN;
}

/* Decodes the first frame, which alone tells surely what the stream is. */
static int read_info(VqxLibavStream *stream, VqxMediaInfo *info, VqxError *error)
{
    const VqxMediaResult result = decode(stream, 0, error);
    if (result == VQX_MEDIA_END)
        return vqx_fail(error, VQX_ERROR_ARGUMENT, "%s: the video stream holds no frame",
                        stream->input.name);
    if (result != VQX_MEDIA_FRAME)
        return VQX_ERROR_ARGUMENT;
    const AVFrame *frame = stream->frame;
    const int status = vqx_luma_of_format(&stream->luma, frame->format, &stream->input, error);
    if (status)
        return status;
    if (frame->width > 65535 || frame->height > 65535)
        return vqx_fail(error, VQX_ERROR_SIZE, "%s is %dx%d; up to 65535 is accepted",
                        stream->input.name, frame->width, frame->height);
    stream->first_pending = 1;
    stream->width = frame->width;
    stream->height = frame->height;
    stream->format = frame->format;
    AVStream *about = stream->container->streams[stream->index];
    const AVRational rate = av_guess_frame_rate(stream->container, about, NULL);
    info->width = (unsigned)frame->width;
    info->height = (unsigned)frame->height;
    info->bit_depth = stream->luma.bit_depth;
    info->range = range_of(frame);
    info->frames = about->nb_frames > 0 ? about->nb_frames : -1;
    if (rate.num > 0 && rate.den > 0) {
        info->rate_num = (unsigned)rate.num;
        info->rate_den = (unsigned)rate.den;
    }
    snprintf(info->description, sizeof info->description, "%s, %s, %u bit",
             avcodec_get_name(stream->decoder->codec_id), av_get_pix_fmt_name(frame->format),
             info->bit_depth);
    return 0;
}

static void stream_close(VqxLibavStream **pointer)
{
    VqxLibavStream *stream = *pointer;
    *pointer = NULL;
    if (!stream)
        return;
    av_frame_free(&stream->frame);
    av_packet_free(&stream->packet);
    avcodec_free_context(&stream->decoder);
    avformat_close_input(&stream->container);
    if (stream->io)
        av_freep(&stream->io->buffer);
    avio_context_free(&stream->io);
    vqx_reports_destroy(&stream->reports);
    free(stream);
}

static int stream_open(VqxLibavStream **out, const VqxLibavInput *input, VqxMediaInfo *info,
                       VqxError *error)
{
    *out = NULL;
    VqxLibavStream *stream = calloc(1, sizeof *stream);
    if (!stream)
        return vqx_fail(error, VQX_ERROR_MEMORY, "out of memory");
    stream->input = *input;
    vqx_reports_init(&stream->reports);
    int status = open_container(stream, error);
    if (!status)
        status = find_stream(stream, error);
    if (!status)
        status = open_decoder(stream, error);
    if (!status)
        status = read_info(stream, info, error);
    if (status)
        stream_close(&stream);
    *out = stream;
    return status;
}

const VqxLibavModule *vqx_libav_module(void)
{
    static const VqxLibavModule module = {VQX_LIBAV_ABI, sizeof(VqxMediaInfo), stream_open,
                                          stream_next,   stream_luma,          stream_close};
    vqx_reports_listen();
    return &module;
}
