/* A video: finding out its format, and the steps that all formats share. */
#include "media/media.h"

#include "media/digest.h"
#include "media/format.h"
#include "media/samples.h"
#include "util/error.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    NAME_LENGTH = 200, /* a longer path would leave no room in a message */
    BAND_BYTES = 1 << 18,
};

static VqxMedia *make_media(const char *path)
{
    VqxMedia *media = calloc(1, sizeof *media + NAME_LENGTH + 4);
    if (!media)
        return NULL;
    const size_t length = strlen(path);
    if (!strcmp(path, "-"))
        strcpy(media->path, "standard input");
    else if (length <= NAME_LENGTH)
        strcpy(media->path, path);
    else
        snprintf(media->path, NAME_LENGTH + 4, "...%s", path + length - NAME_LENGTH);
    media->info.frames = -1;
    return media;
}

static int check_not_empty(VqxMedia *media, VqxError *error)
{
    const unsigned char *bytes;
    const int64_t ahead = vqx_source_peek(media->source, 1, &bytes);
    if (ahead < 0)
        return vqx_media_read_failed(media, error);
    return ahead ? 0
                 : vqx_fail(error, VQX_ERROR_ARGUMENT, "%s is empty; a video file is accepted",
                            media->path);
}

static int open_format(VqxMedia *media, const char *path, const VqxMediaOptions *options,
                       VqxError *error)
{
    if (options->raw)
        return vqx_raw_open(media, options, error);
    const int y4m = vqx_y4m_detect(media, error);
    if (y4m < 0)
        return VQX_ERROR_NOT_FOUND;
    return y4m ? vqx_y4m_open(media, error) : vqx_libav_open(media, path, options, error);
}

int vqx_media_open(VqxMedia **out, const char *path, const VqxMediaOptions *options,
                   VqxError *error)
{
    *out = NULL;
    VqxMedia *media = make_media(path);
    if (!media)
        return vqx_fail(error, VQX_ERROR_MEMORY, "out of memory");
    int status = vqx_source_open(&media->source, path, media->path, error);
    if (!status)
        status = check_not_empty(media, error);
    if (!status)
        status = open_format(media, path, options, error);
    if (status) {
        vqx_media_close(&media);
        return status;
    }
    *out = media;
    return 0;
}

const VqxMediaInfo *vqx_media_info(const VqxMedia *media)
{
    return &media->info;
}

const char *vqx_media_path(const VqxMedia *media)
{
    return media->path;
}

VqxMediaResult vqx_media_next(VqxMedia *media, VqxMediaFrame *frame, VqxError *error)
{
    frame->index = media->next_index;
    frame->offset = -1;
    const VqxMediaResult result = media->format->next(media, frame, error);
    if (result == VQX_MEDIA_FRAME)
        media->next_index++;
    return result;
}

/* Rows that are read, checked and digested before the next ones push them out of the cache. */
static unsigned rows_of_band(const VqxMedia *media, size_t row_bytes)
{
    const size_t rows = BAND_BYTES / row_bytes;
    if (!media->format->banded || rows >= media->info.height)
        return media->info.height;
    return rows > 1 ? (unsigned)rows : 1;
}

VqxMediaResult vqx_media_luma(VqxMedia *media, const VqxMediaFrame *frame, void *luma,
                              ptrdiff_t stride, uint64_t *digest, VqxError *error)
{
    const VqxMediaInfo *info = &media->info;
    const size_t row_bytes = info->width * (size_t)(info->bit_depth > 8 ? 2 : 1);
    const unsigned rows = rows_of_band(media, row_bytes);
    VqxDigest state;
    if (digest)
        vqx_digest_begin(&state);
    for (unsigned y = 0; y < info->height; y += rows) {
        const VqxBand band = {y, info->height - y < rows ? info->height - y : rows,
                              (char *)luma + (ptrdiff_t)y * stride, stride};
        const VqxMediaResult result = media->format->luma(media, frame, &band, error);
        if (result != VQX_MEDIA_FRAME)
            return result;
        if (info->bit_depth > 8 && vqx_samples_check(media, frame->index, &band, error))
            return VQX_MEDIA_ERROR;
        if (digest)
            vqx_digest_rows(&state, band.data, stride, row_bytes, band.count);
    }
    if (digest)
        *digest = vqx_digest_end(&state);
    return VQX_MEDIA_FRAME;
}

VqxMediaResult vqx_media_read(VqxMedia *media, void *luma, ptrdiff_t stride, VqxError *error)
{
    VqxMediaFrame frame;
    const VqxMediaResult result = vqx_media_next(media, &frame, error);
    return result == VQX_MEDIA_FRAME ? vqx_media_luma(media, &frame, luma, stride, NULL, error)
                                     : result;
}

VqxMediaResult vqx_media_skip(VqxMedia *media, VqxError *error)
{
    VqxMediaFrame frame;
    const VqxMediaResult result = vqx_media_next(media, &frame, error);
    return result == VQX_MEDIA_FRAME ? media->format->drop(media, &frame, error) : result;
}

void vqx_media_interrupt(VqxMedia *media)
{
    vqx_source_interrupt(media->source);
}

void vqx_media_close(VqxMedia **pointer)
{
    VqxMedia *media = *pointer;
    *pointer = NULL;
    if (!media)
        return;
    if (media->state)
        media->format->close(media);
    vqx_source_close(&media->source);
    free(media);
}

int vqx_media_read_failed(const VqxMedia *media, VqxError *error)
{
    if (errno == ECANCELED)
        return vqx_fail(error, VQX_ERROR_NOT_FOUND, "%s: reading was stopped", media->path);
    return vqx_fail(error, VQX_ERROR_NOT_FOUND, "%s cannot be read at byte offset %lld: %s",
                    media->path, (long long)vqx_source_position(media->source), strerror(errno));
}
