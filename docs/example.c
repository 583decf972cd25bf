/* Scores two frames of 64x48 made on the spot; see api.md. */
#include <stdio.h>
#include <vqx.h>

static uint8_t reference[48][64], distorted[48][64];

int main(void)
{
    VqxContext *ctx;
    VqxError error;
    double values[4];
    VqxPlane ref = {.data = reference, .stride = 64, .width = 64, .height = 48, .bit_depth = 8};
    VqxPlane dis = {.data = distorted, .stride = 64, .width = 64, .height = 48, .bit_depth = 8};

    if (vqx_open(&ctx, NULL, &error)) /* NULL: default settings */
        goto fail;
    for (uint64_t index = 0; index < 2; index++) {
        for (int y = 0; y < 48; y++)
            for (int x = 0; x < 64; x++) {
                reference[y][x] = (uint8_t)(x * x + y * (int)index * 3);
                distorted[y][x] = reference[y][x] & 0xf0;
            }
        if (vqx_submit(ctx, &ref, &dis, index, &error)) /* copies the planes */
            goto fail;
    }
    if (vqx_finish(ctx, &error) || vqx_frame_scores(ctx, 1, values, &error))
        goto fail;
    for (size_t i = 0; i < vqx_output_count(ctx); i++)
        printf("%s of frame 1: %.17g\n", vqx_output_name(ctx, i), values[i]);
    vqx_close(&ctx);
    return 0;
fail:
    fprintf(stderr, "%s\n", error.message);
    return 1;
}
