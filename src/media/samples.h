/* Samples of 16-bit words as a file stores them: made native, checked against the bit depth. */
#ifndef VQX_MEDIA_SAMPLES_H
#define VQX_MEDIA_SAMPLES_H

#include "media/format.h"

/* Rows of little-endian words become native ones. */
void vqx_samples_native(void *luma, ptrdiff_t stride, unsigned width, unsigned height);

/* Refuses a band in which a sample has bits above the depth; the sentence names the first. */
int vqx_samples_check(const VqxMedia *media, uint64_t index, const VqxBand *band, VqxError *error);

#endif
