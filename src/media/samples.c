/* Samples of 16-bit words. */
#include "media/samples.h"

#include "util/error.h"

#include <inttypes.h>

static const uint16_t *row_at(const void *luma, ptrdiff_t stride, unsigned y)
{
    return (const uint16_t *)((const char *)luma + (ptrdiff_t)y * stride);
}

void vqx_samples_native(void *luma, ptrdiff_t stride, unsigned width, unsigned height)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    for (unsigned y = 0; y < height; y++) {
        uint16_t *row = (uint16_t *)row_at(luma, stride, y);
        for (unsigned x = 0; x < width; x++)
            row[x] = __builtin_bswap16(row[x]);
    }
#else
    (void)luma, (void)stride, (void)width, (void)height;
#endif
}

int vqx_samples_check(const VqxMedia *media, uint64_t index, const VqxBand *band, VqxError *error)
{
    const VqxMediaInfo *info = vqx_media_info(media);
    const unsigned most = (1u << info->bit_depth) - 1;
    if (info->bit_depth == 16)
        return 0;
    for (unsigned y = 0; y < band->count; y++) {
        const uint16_t *row = row_at(band->data, band->stride, y);
        uint16_t any = 0;
        for (unsigned x = 0; x < info->width; x++)
            any |= row[x];
        if (any <= most)
            continue;
        unsigned x = 0;
        while (row[x] <= most)
            x++;
        return vqx_fail(error, VQX_ERROR_ARGUMENT,
                        "%s: frame %" PRIu64 ": the luma sample at x %u, y %u is %u; of %u bits at "
                        "most %u is accepted (is the bit depth right?)",
                        vqx_media_path(media), index, x, band->first + y, row[x], info->bit_depth,
                        most);
    }
    return 0;
}
