/*
 * Every row of tests/data/media/scores.csv through the library: real clips, read by the media station and submitted by
 * vqx_submit, each value equal as a double.
 *
 *   media_test DATA_FOLDER MODULES_FOLDER [BACKEND DEVICE]
 */
#include "media/media.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OUTPUTS = 15, LINE = 2048, FIELDS = 4 }; /* ref, dis, bits, frame come before the values */

typedef struct Pair {
    const char *backend, *device;
    char name[2][64];
    VqxMedia *media[2];
    void *luma[2];
    VqxContext *ctx;
} Pair;

static void close_pair(Pair *pair)
{
    vqx_close(&pair->ctx);
    for (int i = 0; i < 2; i++) {
        vqx_media_close(&pair->media[i]);
        free(pair->luma[i]);
        pair->luma[i] = NULL;
    }
}

static int open_pair(Pair *pair, const char *folder, const char *modules, VqxError *error)
{
    VqxVifOptions options;
    VqxSettings settings;
    const VqxMediaOptions reading = {.module_folder = modules};
    vqx_vif_default_options(&options);
    options.debug = 1;
    vqx_default_settings(&settings);
    settings.vif = &options;
    settings.vif_count = 1;
    settings.backend = pair->backend;
    settings.device = pair->device;
    settings.module_folder = modules;
    for (int i = 0; i < 2; i++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/media/%s", folder, pair->name[i]);
        if (vqx_media_open(&pair->media[i], path, &reading, error))
            return -1;
        const VqxMediaInfo *info = vqx_media_info(pair->media[i]);
        pair->luma[i] = malloc((size_t)info->width * info->height * 2);
        if (!pair->luma[i])
            return -1;
    }
    return vqx_open(&pair->ctx, &settings, error);
}

/* Reads and submits the next frame of both. */
static int submit_next(Pair *pair, uint64_t index, VqxError *error)
{
    VqxPlane plane[2];
    for (int i = 0; i < 2; i++) {
        const VqxMediaInfo *info = vqx_media_info(pair->media[i]);
        plane[i] = (VqxPlane){.data = pair->luma[i],
                              .stride = (ptrdiff_t)info->width * (info->bit_depth > 8 ? 2 : 1),
                              .width = info->width,
                              .height = info->height,
                              .bit_depth = info->bit_depth};
        if (vqx_media_read(pair->media[i], pair->luma[i], plane[i].stride, error) !=
            VQX_MEDIA_FRAME)
            return -1;
    }
    return vqx_submit(pair->ctx, &plane[0], &plane[1], index, error);
}

/* One row of the file: -1 with a message where the frame's values are not these. */
static int check_row(Pair *pair, uint64_t index, char *values, VqxError *error)
{
    double got[OUTPUTS];
    int different = 0;
    if (submit_next(pair, index, error) || vqx_frame_scores(pair->ctx, index, got, error)) {
        fprintf(stderr, "%s: frame %llu: %s\n", pair->name[1], (unsigned long long)index,
                error->message);
        return -1;
    }
    for (int i = 0; i < OUTPUTS; i++) {
        const double expected = strtod(values + (i > 0), &values);
        if (got[i] == expected)
            continue;
        fprintf(stderr, "%s: frame %llu %s: %.17g, expected %.17g\n", pair->name[1],
                (unsigned long long)index, vqx_output_name(pair->ctx, (size_t)i), got[i], expected);
        different = -1;
    }
    return different;
}

int main(int argc, char **argv)
{
    char path[4096], line[LINE];
    Pair pair = {.backend = "cpu"};
    VqxError error = {0};
    int rows = 0, failed = 0;
    if (argc != 3 && argc != 5) {
        fprintf(stderr, "usage: media_test DATA_FOLDER MODULES_FOLDER [BACKEND DEVICE]\n");
        return 2;
    }
    if (argc == 5) {
        pair.backend = argv[3];
        pair.device = argv[4];
    }
    snprintf(path, sizeof path, "%s/media/scores.csv", argv[1]);
    FILE *file = fopen(path, "r");
    if (!file || !fgets(line, sizeof line, file)) {
        fprintf(stderr, "%s cannot be read\n", path);
        return 2;
    }
    while (fgets(line, sizeof line, file)) {
        char *rest = line, *field[FIELDS];
        for (int i = 0; i < FIELDS; i++)
            field[i] = strsep(&rest, ",");
        if (strcmp(field[0], pair.name[0]) || strcmp(field[1], pair.name[1])) {
            close_pair(&pair);
            snprintf(pair.name[0], sizeof pair.name[0], "%s", field[0]);
            snprintf(pair.name[1], sizeof pair.name[1], "%s", field[1]);
            if (open_pair(&pair, argv[1], argv[2], &error)) {
                fprintf(stderr, "%s\n", error.message);
                return 1;
            }
        }
        rows++;
        failed += check_row(&pair, strtoull(field[3], NULL, 10), rest, &error) != 0;
    }
    close_pair(&pair);
    fclose(file);
    printf("%d frames, %d failed\n", rows, failed);
    return failed || rows != 36 ? 1 : 0;
}
