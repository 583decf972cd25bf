/*
 * Digests of what was read, so that two reports tell whether they are of the same samples: XXH3 with
 * 64 bits. A frame's is of its luma samples row after row, without what lies between rows. A video's
 * is made frame by frame, from 0: the XXH3 of sixteen bytes, the digest so far and then the frame's,
 * each with its lowest byte first. So frames may be read by any thread, and the digest is known
 * whenever the reading ends.
 */
#ifndef VQX_MEDIA_DIGEST_H
#define VQX_MEDIA_DIGEST_H

#include <stddef.h>
#include <stdint.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

typedef XXH3_state_t VqxDigest;

/* A frame's: begun, its rows added in their order, any number at a time, and ended. */
void vqx_digest_begin(VqxDigest *digest);
void vqx_digest_rows(VqxDigest *digest, const void *rows, ptrdiff_t stride, size_t row_bytes,
                     size_t count);
uint64_t vqx_digest_end(const VqxDigest *digest);

/* A video's, one frame further. */
uint64_t vqx_digest_next(uint64_t before, uint64_t frame);

#endif
