/* Frames stored one after another as whole planes. In a regular file `next` only computes offsets, and
 * any thread reads the luma from there; in a pipe the luma is read in its turn and the chroma after
 * it. */
#include "media/planar.h"

#include "media/samples.h"
#include "util/error.h"

#include <inttypes.h>
#include <stdlib.h>

static VqxMediaResult read_failed(const VqxMedia *media, VqxError *error)
{
    vqx_media_read_failed(media, error);
    return VQX_MEDIA_ERROR;
}

static VqxMediaResult truncated(const VqxMedia *media, uint64_t index, int64_t got, VqxError *error)
{
    const VqxPlanar *planar = media->state;
    vqx_fail(error, VQX_ERROR_ARGUMENT,
             "%s: frame %" PRIu64 " is cut off: the file ends after %" PRId64 " of its %" PRId64
             " bytes",
             media->path, index, got, planar->luma_bytes + planar->rest_bytes);
    return VQX_MEDIA_TRUNCATED;
}

/* Whether the pipe ends here, before a frame without a line of its own. */
static VqxMediaResult at_end(VqxMedia *media, VqxError *error)
{
    const unsigned char *bytes;
    const int64_t ahead = vqx_source_peek(media->source, 1, &bytes);
    if (ahead < 0)
        return read_failed(media, error);
    return ahead ? VQX_MEDIA_FRAME : VQX_MEDIA_END;
}

static VqxMediaResult planar_next(VqxMedia *media, VqxMediaFrame *frame, VqxError *error)
{
    const VqxPlanar *planar = media->state;
    const int64_t bytes = planar->luma_bytes + planar->rest_bytes;
    const VqxMediaResult found =
        planar->frame_line ? planar->frame_line(media, frame->index, error) : at_end(media, error);
    if (found != VQX_MEDIA_FRAME)
        return found;
    frame->offset = vqx_source_position(media->source);
    if (!vqx_source_seekable(media->source))
        return VQX_MEDIA_FRAME;
    const int64_t dropped = vqx_source_drop(media->source, bytes);
    return dropped < bytes ? truncated(media, frame->index, dropped, error) : VQX_MEDIA_FRAME;
}

/* Passes what follows the first `read` bytes of a frame in a pipe. */
static VqxMediaResult drop_rest(VqxMedia *media, uint64_t index, int64_t read, VqxError *error)
{
    const VqxPlanar *planar = media->state;
    const int64_t rest = planar->luma_bytes + planar->rest_bytes - read;
    const int64_t dropped = vqx_source_drop(media->source, rest);
    if (dropped < 0)
        return read_failed(media, error);
    return dropped < rest ? truncated(media, index, read + dropped, error) : VQX_MEDIA_FRAME;
}

static VqxMediaResult planar_luma(VqxMedia *media, const VqxMediaFrame *frame, const VqxBand *band,
                                  VqxError *error)
{
    const VqxPlanar *planar = media->state;
    const int seekable = vqx_source_seekable(media->source);
    const VqxRows rows = {band->data, (size_t)planar->luma_bytes / media->info.height, band->count,
                          band->stride};
    const int64_t before = (int64_t)(band->first * rows.row_bytes),
                  wanted = (int64_t)(rows.rows * rows.row_bytes);
    const int64_t got = seekable ? vqx_source_rows_at(media->source, frame->offset + before, &rows)
                                 : vqx_source_rows(media->source, &rows);
    if (got < 0)
        return read_failed(media, error);
    if (got < wanted)
        return truncated(media, frame->index, before + got, error);
    if (media->info.bit_depth > 8)
        vqx_samples_native(band->data, band->stride, media->info.width, band->count);
    return seekable || before + got < planar->luma_bytes
               ? VQX_MEDIA_FRAME
               : drop_rest(media, frame->index, before + got, error);
}

static VqxMediaResult planar_drop(VqxMedia *media, const VqxMediaFrame *frame, VqxError *error)
{
    return vqx_source_seekable(media->source) ? VQX_MEDIA_FRAME
                                              : drop_rest(media, frame->index, 0, error);
}

static void planar_close(VqxMedia *media)
{
    free(media->state);
}

VqxPlanar vqx_planar_layout(const VqxMediaInfo *info, unsigned planes, unsigned chroma_width,
                            unsigned chroma_height)
{
    const int64_t sample = info->bit_depth > 8 ? 2 : 1;
    return (VqxPlanar){.luma_bytes = sample * info->width * info->height,
                       .rest_bytes = sample * planes * chroma_width * chroma_height};
}

int vqx_planar_open(VqxMedia *media, const VqxPlanar *planar, VqxError *error)
{
    static const VqxFormat format = {1, planar_next, planar_luma, planar_drop, planar_close};
    VqxPlanar *state = malloc(sizeof *state);
    if (!state)
        return vqx_fail(error, VQX_ERROR_MEMORY, "out of memory");
    *state = *planar;
    media->state = state;
    media->format = &format;
    media->info.seekable = media->info.concurrent = vqx_source_seekable(media->source);
    return 0;
}
