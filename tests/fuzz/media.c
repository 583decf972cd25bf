/* Reading of files, for the targets of each format. */
#include "fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_PLANE = 1 << 20, MOST_BYTES = 60000 };

/* What reading a file came to. */
typedef struct Outcome {
    int status; /* of the open */
    unsigned width, height, depth;
    uint64_t frames, checksum;
    VqxMediaResult end;
} Outcome;

static uint64_t add_bytes(uint64_t sum, const unsigned char *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        sum = (sum ^ bytes[i]) * 0x100000001B3u;
    return sum;
}

/* Reads and passes frames in turn, rows bottom up every fourth time; planes that are too large are all passed. */
static void read_frames(VqxMedia *media, Outcome *outcome)
{
    const VqxMediaInfo *info = vqx_media_info(media);
    const size_t row = info->width * (info->bit_depth > 8 ? 2u : 1u), plane = row * info->height;
    unsigned char *luma = malloc(plane <= MOST_PLANE ? plane : 1);
    VqxError error;
    outcome->end = VQX_MEDIA_FRAME;
    while (outcome->end == VQX_MEDIA_FRAME) {
        memset(&error, 0, sizeof error);
        const int upward = outcome->frames % 4 == 2;
        const ptrdiff_t stride = upward ? -(ptrdiff_t)row : (ptrdiff_t)row;
        if (plane > MOST_PLANE || outcome->frames % 3 == 1) {
            outcome->end = vqx_media_skip(media, &error);
        } else {
            outcome->end = vqx_media_read(media, luma + (upward ? plane - row : 0), stride, &error);
            if (outcome->end == VQX_MEDIA_FRAME)
                outcome->checksum = add_bytes(outcome->checksum, luma, plane);
        }
        outcome->frames += outcome->end == VQX_MEDIA_FRAME;
    }
    if (outcome->end != VQX_MEDIA_END)
        fuzz_check_error(error.status, &error);
    free(luma);
}

static Outcome read_path(const char *path, const VqxMediaOptions *options)
{
    VqxMedia *media;
    VqxError error = {0};
    Outcome outcome = {.status = vqx_media_open(&media, path, options, &error)};
    if (outcome.status) {
        fuzz_check_error(outcome.status, &error);
        FUZZ_CHECK(media == NULL);
        return outcome;
    }
    const VqxMediaInfo *info = vqx_media_info(media);
    FUZZ_CHECK(info->width >= 1 && info->width <= 65535 && info->height >= 1 &&
               info->height <= 65535 && info->bit_depth >= 8 && info->bit_depth <= 16);
    outcome.width = info->width;
    outcome.height = info->height;
    outcome.depth = info->bit_depth;
    const int64_t expected = info->frames;
    read_frames(media, &outcome);
    FUZZ_CHECK(expected < 0 || outcome.end != VQX_MEDIA_END ||
               (uint64_t)expected == outcome.frames || !options->raw);
    vqx_media_close(&media);
    return outcome;
}

void fuzz_media(const VqxMediaOptions *options, const uint8_t *bytes, size_t size)
{
    char path[FUZZ_PATH];
    size = size < MOST_BYTES ? size : MOST_BYTES;
    const int file = fuzz_file(path, bytes, size);
    const Outcome of_file = read_path(path, options);
    close(file);
    const int pipe = fuzz_pipe(path, bytes, size);
    const Outcome of_pipe = read_path(path, options);
    close(pipe);
    FUZZ_CHECK(of_file.status == of_pipe.status);
    FUZZ_CHECK(of_file.width == of_pipe.width && of_file.height == of_pipe.height &&
               of_file.depth == of_pipe.depth);
    FUZZ_CHECK(of_file.frames == of_pipe.frames && of_file.end == of_pipe.end);
    FUZZ_CHECK(of_file.checksum == of_pipe.checksum);
}
