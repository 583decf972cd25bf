/* Digests of rows, in pieces and with bytes between them, by every instruction set this machine has:
 * XXH3 of the rows put together. */
#include "cmocka_vqx.h"
#include "media/digest_rows.h"

#include <stdlib.h>
#include <string.h>

enum { CASES = 400, MOST_WIDTH = 3000, MOST_ROWS = 40, MOST_PAD = 70 };

static unsigned seed = 1;

static unsigned below(unsigned most)
{
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) % most;
}

static uint64_t in_pieces(VqxDigestRows *add, const unsigned char *rows, ptrdiff_t stride,
                          size_t width, size_t count)
{
    VqxDigest digest;
    vqx_digest_begin(&digest);
    for (size_t y = 0, piece; y < count; y += piece) {
        piece = 1 + below((unsigned)(count - y));
        add(&digest, rows + (ptrdiff_t)y * stride, stride, width, piece);
    }
    return vqx_digest_end(&digest);
}

static void check(VqxDigestRows *add)
{
    static unsigned char packed[MOST_WIDTH * MOST_ROWS],
        spread[(MOST_WIDTH + MOST_PAD) * MOST_ROWS];
    for (int n = 0; n < CASES; n++) {
        const size_t width = 1 + below(MOST_WIDTH), rows = 1 + below(MOST_ROWS),
                     pitch = width + below(MOST_PAD);
        const int upwards = below(3) == 0;
        for (size_t i = 0; i < pitch * rows; i++)
            spread[i] = (unsigned char)below(256);
        for (size_t y = 0; y < rows; y++)
            memcpy(packed + y * width, spread + (upwards ? rows - 1 - y : y) * pitch, width);
        const ptrdiff_t stride = upwards ? -(ptrdiff_t)pitch : (ptrdiff_t)pitch;
        const uint64_t got =
            in_pieces(add, upwards ? spread + (rows - 1) * pitch : spread, stride, width, rows);
        assert_int_equal(got, XXH3_64bits(packed, width * rows));
    }
}

static void base(void **state)
{
    (void)state;
    check(vqx_digest_rows_base);
}

static void avx2(void **state)
{
    (void)state;
#ifdef VQX_DIGEST_AVX2
    if (__builtin_cpu_supports("avx2")) {
        check(vqx_digest_rows_avx2);
        return;
    }
#endif
    print_message("skipped: this machine has no AVX2\n");
    skip();
}

static void chosen(void **state)
{
    (void)state;
    check(vqx_digest_rows);
}

/* Of the algorithm's own documentation: XXH3 of nothing; and a video's digest, worked out by hand from its description. */
static void known(void **state)
{
    (void)state;
    VqxDigest digest;
    vqx_digest_begin(&digest);
    assert_int_equal(vqx_digest_end(&digest), 0x2d06800538d394c2u);
    const unsigned char bytes[16] = {8,    7,    6,    5,    4,    3,    2,    1,
                                     0x18, 0x17, 0x16, 0x15, 0x14, 0x13, 0x12, 0x11};
    assert_int_equal(vqx_digest_next(0x0102030405060708u, 0x1112131415161718u),
                     XXH3_64bits(bytes, sizeof bytes));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(base), cmocka_unit_test(avx2),
                                       cmocka_unit_test(chosen), cmocka_unit_test(known)};
    return cmocka_run_group_tests_name("digests", tests, NULL, NULL);
}
