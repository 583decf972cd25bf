/* The command line of `vqx score`: the input is its arguments, each ended by a newline or a zero. */
#include "cli/settings.h"
#include "fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_ARGUMENTS = 40 };

/* Cuts `text` up; each argument gets an allocation of its own, so that reading past its end is noticed. */
static int split(char *arguments[MOST_ARGUMENTS + 2], const uint8_t *data, size_t size)
{
    int count = 0;
    arguments[count++] = strdup("score");
    while (size && count <= MOST_ARGUMENTS) {
        size_t length = 0;
        while (length < size && data[length] != '\n' && data[length])
            length++;
        arguments[count++] = strndup((const char *)data, length);
        const size_t passed = length < size ? length + 1 : length;
        data += passed;
        size -= passed;
    }
    arguments[count] = NULL;
    return count;
}

static void check_accepted(const ScoreSettings *settings, int arguments)
{
    FUZZ_CHECK(settings->path[0] && settings->path[1]);
    FUZZ_CHECK(settings->feature_count >= 1 && settings->feature_count <= (size_t)arguments);
    FUZZ_CHECK(settings->format >= REPORT_XML && settings->format <= REPORT_SUBTITLE);
    const VqxMediaOptions *media = &settings->media;
    FUZZ_CHECK(!media->raw || (media->width && media->height && media->bit_depth >= 8 &&
                               media->bit_depth <= 16 && media->width <= 65535 &&
                               media->height <= 65535 && media->chroma <= VQX_CHROMA_400));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *arguments[MOST_ARGUMENTS + 2], *given[MOST_ARGUMENTS + 2];
    ScoreSettings settings;
    VqxError error = {0};
    const int count = split(arguments, data, size);
    memcpy(given, arguments, sizeof given); /* getopt_long may change their order */
    if (settings_parse(&settings, count, arguments, 0, &error))
        fuzz_check_error(error.status, &error);
    else if (!settings.answered)
        check_accepted(&settings, count);
    settings_free(&settings);
    for (int i = 0; i < count; i++)
        free(given[i]);
    return 0;
}
