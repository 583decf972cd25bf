/* vqx_digest_rows, compiled for each instruction set: xxHash's headers take what the compiler is allowed. */
#ifndef VQX_MEDIA_DIGEST_ROWS_H
#define VQX_MEDIA_DIGEST_ROWS_H

#include "media/digest.h"

typedef void VqxDigestRows(VqxDigest *digest, const void *rows, ptrdiff_t stride, size_t row_bytes,
                           size_t count);

VqxDigestRows vqx_digest_rows_base;
VqxDigestRows vqx_digest_rows_avx2;

#endif
