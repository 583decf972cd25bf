#include "media/digest_rows.h"

static VqxDigestRows *best_rows(void)
{
#ifdef VQX_DIGEST_AVX2
    if (__builtin_cpu_supports("avx2"))
        return vqx_digest_rows_avx2;
#endif
    return vqx_digest_rows_base;
}

void vqx_digest_begin(VqxDigest *digest)
{
    XXH3_INITSTATE(digest);
    XXH3_64bits_reset(digest);
}

void vqx_digest_rows(VqxDigest *digest, const void *rows, ptrdiff_t stride, size_t row_bytes,
                     size_t count)
{
    best_rows()(digest, rows, stride, row_bytes, count);
}

uint64_t vqx_digest_end(const VqxDigest *digest)
{
    return XXH3_64bits_digest(digest);
}

uint64_t vqx_digest_next(uint64_t before, uint64_t frame)
{
    unsigned char bytes[16];
    for (int i = 0; i < 8; i++) {
        bytes[i] = (unsigned char)(before >> (8 * i));
        bytes[8 + i] = (unsigned char)(frame >> (8 * i));
    }
    return XXH3_64bits(bytes, sizeof bytes);
}
