/* Frames stored one after another as whole planes, luma first: what Y4M and raw YUV have in common. */
#ifndef VQX_MEDIA_PLANAR_H
#define VQX_MEDIA_PLANAR_H

#include "media/format.h"

typedef struct VqxPlanar {
    /* Y4M: passes the line before the planes. NULL: there is none. */
    VqxMediaResult (*frame_line)(VqxMedia *media, uint64_t index, VqxError *error);
    int64_t luma_bytes;
    int64_t rest_bytes; /* all other planes */
} VqxPlanar;

/* The layout's bytes of the other planes, each chroma plane `chroma_width` x `chroma_height`. */
VqxPlanar vqx_planar_layout(const VqxMediaInfo *info, unsigned planes, unsigned chroma_width,
                            unsigned chroma_height);

/* Makes `media` a planar one. info's size and depth are filled in; seekable and concurrent are set
 * here. */
int vqx_planar_open(VqxMedia *media, const VqxPlanar *planar, VqxError *error);

#endif
