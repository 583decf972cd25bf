/* Which decoded formats hold luma that can be used as it is, and what to do about the others. */
#include "media/libav/libav.h"

#include "util/error.h"

#include <libavcodec/avcodec.h>
#include <libavutil/pixdesc.h>
#include <stdio.h>
#include <string.h>

/* Planar formats that a conversion may go to, and that FFV1 stores. */
static const enum AVPixelFormat targets[] = {
    AV_PIX_FMT_GRAY8,     AV_PIX_FMT_GRAY10,    AV_PIX_FMT_GRAY12,    AV_PIX_FMT_GRAY16,
    AV_PIX_FMT_YUV420P,   AV_PIX_FMT_YUV422P,   AV_PIX_FMT_YUV444P,   AV_PIX_FMT_YUV420P10,
    AV_PIX_FMT_YUV422P10, AV_PIX_FMT_YUV444P10, AV_PIX_FMT_YUV422P12, AV_PIX_FMT_YUV444P12,
    AV_PIX_FMT_YUV422P16, AV_PIX_FMT_YUV444P16, AV_PIX_FMT_NONE,
};

/* Quotes a path for a shell, as one argument that ffmpeg takes for a local file. */
static void quote(const char *path, char *out, size_t capacity)
{
    const int plain = strcmp(path, "-") == 0;
    size_t used = (size_t)snprintf(out, capacity, "'%s", plain || *path == '/' ? "" : "file:");
    for (; *path && used + 6 < capacity; path++) {
        if (*path == '\'')
            used += (size_t)snprintf(out + used, capacity - used, "'\\''");
        else
            out[used++] = *path;
    }
    snprintf(out + used, capacity - used, "'");
}

static int refuse(enum AVPixelFormat format, const char *why, const VqxLibavInput *input,
                  VqxError *error)
{
    char path[300];
    const int hidden = (int)(av_pix_fmt_desc_get(format)->flags & AV_PIX_FMT_FLAG_HWACCEL);
    const enum AVPixelFormat target =
        hidden ? AV_PIX_FMT_YUV420P : avcodec_find_best_pix_fmt_of_list(targets, format, 0, NULL);
    quote(input->path, path, sizeof path);
    return vqx_fail(error, VQX_ERROR_ARGUMENT,
                    "%s is decoded as %s, which is %s; planar YUV or grey of 8 to 16 bits is "
                    "accepted. To convert: ffmpeg -i %s -pix_fmt %s -c:v ffv1 converted.mkv",
                    input->name, av_get_pix_fmt_name(format), why, path,
                    av_get_pix_fmt_name(target));
}

int vqx_luma_of_format(Luma *luma, enum AVPixelFormat format, const VqxLibavInput *input,
                       VqxError *error)
{
    const AVPixFmtDescriptor *about = av_pix_fmt_desc_get(format);
    if (!about)
        return vqx_fail(error, VQX_ERROR_ARGUMENT, "%s is decoded to no known pixel format",
                        input->name);
    const AVComponentDescriptor *first = &about->comp[0];
    if (about->flags & AV_PIX_FMT_FLAG_HWACCEL)
        return refuse(format, "in a device's memory", input, error);
    if (about->flags & AV_PIX_FMT_FLAG_PAL)
        return refuse(format, "a palette", input, error);
    if (about->flags & (AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_BAYER))
        return refuse(format, "RGB", input, error);
    if (first->depth < 8 || first->depth > 16 ||
        (about->flags & (AV_PIX_FMT_FLAG_FLOAT | AV_PIX_FMT_FLAG_BITSTREAM)))
        return refuse(format, "not of 8 to 16 bits", input, error);
    if (first->plane || first->offset || first->step != (first->depth > 8 ? 2 : 1))
        return refuse(format, "packed", input, error);
    const int big = !!(about->flags & AV_PIX_FMT_FLAG_BE);
    luma->bit_depth = (unsigned)first->depth;
    luma->shift = (unsigned)first->shift;
    luma->swap = first->depth > 8 && big != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
    return 0;
}

static void copy_words(const Luma *luma, const uint16_t *from, uint16_t *to, int count)
{
    for (int x = 0; x < count; x++) {
        const uint16_t word = luma->swap ? __builtin_bswap16(from[x]) : from[x];
        to[x] = (uint16_t)(word >> luma->shift);
    }
}

void vqx_luma_copy(const Luma *luma, const AVFrame *frame, void *data, ptrdiff_t stride)
{
    const size_t row_bytes = (size_t)frame->width * (luma->bit_depth > 8 ? 2 : 1);
    for (int y = 0; y < frame->height; y++) {
        const uint8_t *from = frame->data[0] + (ptrdiff_t)y * frame->linesize[0];
        uint8_t *to = (uint8_t *)data + y * stride;
        if (luma->swap || luma->shift)
            copy_words(luma, (const uint16_t *)from, (uint16_t *)to, frame->width);
        else
            memcpy(to, from, row_bytes);
    }
}
