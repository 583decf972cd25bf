/* Deterministic clips that stress the metric: integer arithmetic only, so every machine makes the same samples. */
#ifndef VQX_PARITY_CLIP_H
#define VQX_PARITY_CLIP_H

#include <stdint.h>

/*
 * A pattern is NAME or NAME:NUMBER.
 * Content:    flat:V (V/256 of full scale) noise dark bright checker:N ramp texture boxes
 * Distortion: same shift:N quant:N (levels) blur noise:N (of 256) gain:N (N/16 about mid) invert
 * mid (flat mid grey)
 */

/* Fills w * h samples of 16 bits with frame `frame` of a content. -1 for an unknown name. */
int clip_content(uint16_t *out, int w, int h, int frame, const char *pattern, uint64_t seed);

/* Makes the distorted frame from the reference's samples. -1 for an unknown name. */
int clip_distort(const uint16_t *ref, uint16_t *out, int w, int h, int frame, const char *pattern,
                 uint64_t seed);

/* Reduces n samples of 16 bits to `bits`: bytes for 8, 16-bit words above. */
void clip_pack(const uint16_t *samples, void *out, int n, int bits);

#endif
