/*
 * Digests of what was read, so that two reports tell whether they are of the same samples: XXH3 with
 * 64 bits, which runs at the memory's speed. A frame's is of its luma samples row after row, without
 * what lies between rows. A video's is made frame by frame, from 0: the XXH3 of sixteen bytes, the
 * digest so far and then the frame's, each with its lowest byte first. So frames may be read by any
 * thread, and the digest is known whenever the reading ends.
 */
#ifndef VQX_MEDIA_DIGEST_H
#define VQX_MEDIA_DIGEST_H

#include "vqx.h"

uint64_t vqx_digest_plane(const VqxPlane *plane);
uint64_t vqx_digest_next(uint64_t before, uint64_t frame);

#endif
