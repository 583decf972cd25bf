/* Within the module: which decoded formats hold luma that can be used as it is. */
#ifndef VQX_MEDIA_LIBAV_LIBAV_H
#define VQX_MEDIA_LIBAV_LIBAV_H

#include "media/libav/module.h"

#include <libavutil/frame.h>
#include <libavutil/pixfmt.h>

/* How a format's luma words become samples. */
typedef struct Luma {
    unsigned bit_depth;
    unsigned shift; /* right, of words that hold the sample in their high bits */
    int swap;       /* words of the other byte order */
} Luma;

/* Fills in *luma for a planar or semi-planar YUV or grey format of 8 to 16 bits. Others are refused,
 * with the ffmpeg command line that converts the file. */
int vqx_luma_of_format(Luma *luma, enum AVPixelFormat format, const VqxLibavInput *input,
                       VqxError *error);

/* Copies a frame's luma into native samples. */
void vqx_luma_copy(const Luma *luma, const AVFrame *frame, void *data, ptrdiff_t stride);

#endif
