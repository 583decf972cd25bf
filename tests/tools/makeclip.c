/*
 * makeclip: writes a deterministic pair of clips as two Y4M files (4:2:0, flat chroma), or with
 * --raw as headerless 4:2:0 (16-bit little-endian above 8 bits). clip.h lists the patterns.
 */
#include "parity/clip.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Request {
    const char *content, *distortion;
    int width, height, bits, frames, raw;
    uint64_t seed;
} Request;

static void write_samples(FILE *file, const uint16_t *samples, size_t n, int bits)
{
    for (size_t i = 0; i < n; i++) {
        const unsigned v = samples[i] >> (16 - bits);
        fputc((int)(v & 255), file);
        if (bits > 8)
            fputc((int)(v >> 8), file);
    }
}

static void write_header(FILE *file, const Request *r)
{
    if (r->bits == 8)
        fprintf(file, "YUV4MPEG2 W%d H%d F25:1 Ip A1:1 C420jpeg\n", r->width, r->height);
    else
        fprintf(file, "YUV4MPEG2 W%d H%d F25:1 Ip A1:1 C420p%d XYSCSS=420P%d\n", r->width,
                r->height, r->bits, r->bits);
}

static int write_pair(const Request *r, FILE *const file[2])
{
    const size_t luma = (size_t)r->width * (size_t)r->height;
    const size_t chroma = (size_t)((r->width + 1) / 2) * (size_t)((r->height + 1) / 2) * 2;
    uint16_t *plane[2] = {malloc(luma * 2), malloc(luma * 2)}, *flat = malloc(chroma * 2);
    int status = plane[0] && plane[1] && flat ? 0 : -1;
    for (size_t i = 0; !status && i < chroma; i++)
        flat[i] = 32768;
    for (int i = 0; !status && i < 2 && !r->raw; i++)
        write_header(file[i], r);
    for (int f = 0; !status && f < r->frames; f++) {
        status = clip_content(plane[0], r->width, r->height, f, r->content, r->seed) ||
                 clip_distort(plane[0], plane[1], r->width, r->height, f, r->distortion, r->seed);
        for (int i = 0; !status && i < 2; i++) {
            if (!r->raw)
                fputs("FRAME\n", file[i]);
            write_samples(file[i], plane[i], luma, r->bits);
            write_samples(file[i], flat, chroma, r->bits);
        }
    }
    free(plane[0]);
    free(plane[1]);
    free(flat);
    return status;
}

int main(int argc, char **argv)
{
    const int raw = argc > 1 && !strcmp(argv[1], "--raw");
    if (argc - raw != 10) {
        fprintf(
            stderr,
            "usage: makeclip [--raw] CONTENT DISTORTION WIDTH HEIGHT BITS FRAMES SEED REF DIS\n");
        return 2;
    }
    char **a = argv + raw;
    const Request request = {a[1],       a[2],       atoi(a[3]), atoi(a[4]),
                             atoi(a[5]), atoi(a[6]), raw,        strtoull(a[7], NULL, 10)};
    FILE *file[2] = {fopen(a[8], "wb"), fopen(a[9], "wb")};
    if (!file[0] || !file[1]) {
        perror("makeclip");
        return 1;
    }
    int bad = write_pair(&request, file);
    if (bad)
        fprintf(stderr, "makeclip: unknown content '%s' or distortion '%s', or no memory\n", a[1],
                a[2]);
    bad |= fclose(file[0]) | fclose(file[1]);
    return bad ? 1 : 0;
}
