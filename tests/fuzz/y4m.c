/* Reading of Y4M: the input is the file. */
#include "fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const VqxMediaOptions options = {.module_folder = "/no such folder"};
    fuzz_media(&options, data, size);
    return 0;
}
