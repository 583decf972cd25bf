#include "media/digest_rows.h"

#ifdef __AVX2__
#define DIGEST_ROWS vqx_digest_rows_avx2
#else
#define DIGEST_ROWS vqx_digest_rows_base
#endif

void DIGEST_ROWS(VqxDigest *digest, const void *rows, ptrdiff_t stride, size_t row_bytes,
                 size_t count)
{
    if (stride == (ptrdiff_t)row_bytes) {
        XXH3_64bits_update(digest, rows, count * row_bytes);
        return;
    }
    for (ptrdiff_t y = 0; y < (ptrdiff_t)count; y++)
        XXH3_64bits_update(digest, (const char *)rows + y * stride, row_bytes);
}
