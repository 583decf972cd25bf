/* Raw planar YUV: nothing but samples; size, depth and chroma come from the options. */
#include "media/planar.h"

#include "util/error.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char *const chroma_names[] = {"4:2:0", "4:2:2", "4:4:4", "4:0:0"};

static int check_options(const VqxMedia *media, const VqxMediaOptions *options, VqxError *error)
{
    if (options->width < 1 || options->width > 65535 || options->height < 1 ||
        options->height > 65535)
        return vqx_fail(error, VQX_ERROR_SIZE,
                        "%s: raw video of %ux%u; width and height from 1 to 65535 are accepted",
                        media->path, options->width, options->height);
    if (options->bit_depth < 8 || options->bit_depth > 16)
        return vqx_fail(error, VQX_ERROR_ARGUMENT, "%s: raw video of %u bits; 8 to 16 are accepted",
                        media->path, options->bit_depth);
    if ((unsigned)options->chroma > VQX_CHROMA_400)
        return vqx_fail(error, VQX_ERROR_ARGUMENT,
                        "%s: unknown chroma layout; 4:2:0, 4:2:2, 4:4:4 and 4:0:0 are accepted",
                        media->path);
    return 0;
}

int vqx_raw_open(VqxMedia *media, const VqxMediaOptions *options, VqxError *error)
{
    int status = check_options(media, options, error);
    if (status)
        return status;
    /* Raw bytes may be anything, but nobody's picture starts with Y4M's magic. */
    const int y4m = vqx_y4m_detect(media, error);
    if (y4m < 0)
        return VQX_ERROR_NOT_FOUND;
    if (y4m)
        return vqx_fail(
            error, VQX_ERROR_ARGUMENT,
            "%s is a Y4M file; leave out the options of raw video: its header says them",
            media->path);
    VqxMediaInfo *info = &media->info;
    info->width = options->width;
    info->height = options->height;
    info->bit_depth = options->bit_depth;
    const VqxChroma chroma = options->chroma;
    const unsigned chroma_width =
        chroma == VQX_CHROMA_444 ? info->width : info->width / 2 + info->width % 2;
    const unsigned chroma_height =
        chroma == VQX_CHROMA_420 ? info->height / 2 + info->height % 2 : info->height;
    const VqxPlanar planar =
        vqx_planar_layout(info, chroma == VQX_CHROMA_400 ? 0 : 2, chroma_width, chroma_height);
    const int64_t start = vqx_source_position(media->source);
    const int64_t size = vqx_source_size(media->source);
    info->frames = size < 0 ? -1 : (size - start) / (planar.luma_bytes + planar.rest_bytes);
    snprintf(info->description, sizeof info->description, "raw YUV %s, %u bit",
             chroma_names[chroma], info->bit_depth);
    return vqx_planar_open(media, &planar, error);
}
