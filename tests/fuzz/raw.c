/* Reading of raw YUV: seven bytes say the options, legal or not; the rest is the file. */
#include "fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Input input = {data, size};
    const uint8_t kind = input_byte(&input);
    const uint16_t width = input_word(&input), height = input_word(&input);
    const VqxMediaOptions options = {
        .raw = 1,
        .width = kind & 1 ? width : width % 40u,
        .height = kind & 2 ? height : height % 40u,
        .bit_depth = input_byte(&input) % 20u,
        .chroma = (VqxChroma)(input_byte(&input) % 5),
    };
    fuzz_media(&options, input.data, input.size);
    return 0;
}
