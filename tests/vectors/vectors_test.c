/*
 * Every case of tests/data/vectors.csv through the library, each value equal as a double.
 *
 *   vectors_test DATA_FOLDER [--backend NAME] [--device NAME] [--form native|fp64-free] [--cpumask
 * MASK]
 *                [--threads N] [--modules FOLDER]
 */
#include "vqx.h"

#include "parity/clip.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OUTPUTS = 15, LINE = 2048 };

typedef struct Case {
    char id[32], content[32], distortion[32], options[200];
    int width, height, bits, frames;
    uint64_t seed;
} Case;

static int parse_case(Case *c, char *line)
{
    char *field[9];
    int n = 0;
    line[strcspn(line, "\r\n")] = '\0';
    for (char *rest = line; rest && n < 9; n++)
        field[n] = strsep(&rest, ",");
    if (n != 9)
        return -1;
    *c = (Case){.width = atoi(field[3]),
                .height = atoi(field[4]),
                .bits = atoi(field[5]),
                .frames = atoi(field[6]),
                .seed = strtoull(field[7], NULL, 10)};
    snprintf(c->id, sizeof c->id, "%s", field[0]);
    snprintf(c->content, sizeof c->content, "%s", field[1]);
    snprintf(c->distortion, sizeof c->distortion, "%s", field[2]);
    snprintf(c->options, sizeof c->options, "%s", field[8]);
    return 0;
}

static int submit_frame(VqxContext *ctx, const Case *c, int frame, VqxError *error)
{
    const int n = c->width * c->height;
    uint16_t *samples[2] = {malloc((size_t)n * 2), malloc((size_t)n * 2)};
    void *packed[2] = {malloc((size_t)n * 2), malloc((size_t)n * 2)};
    VqxPlane plane[2];
    clip_content(samples[0], c->width, c->height, frame, c->content, c->seed);
    clip_distort(samples[0], samples[1], c->width, c->height, frame, c->distortion, c->seed);
    for (int i = 0; i < 2; i++) {
        clip_pack(samples[i], packed[i], n, c->bits);
        plane[i] = (VqxPlane){.data = packed[i],
                              .stride = c->width * (c->bits > 8 ? 2 : 1),
                              .width = (unsigned)c->width,
                              .height = (unsigned)c->height,
                              .bit_depth = (unsigned)c->bits};
    }
    const int status = vqx_submit(ctx, &plane[0], &plane[1], (uint64_t)frame, error);
    for (int i = 0; i < 2; i++) {
        free(samples[i]);
        free(packed[i]);
    }
    return status;
}

/* The file's values of that case and frame. */
static int read_expected(FILE *file, const char *id, int frame, double *values)
{
    char line[LINE], key[64];
    const int length = snprintf(key, sizeof key, "%s,%d,", id, frame);
    rewind(file);
    while (fgets(line, sizeof line, file)) {
        if (strncmp(line, key, (size_t)length))
            continue;
        char *at = line + length;
        for (int i = 0; i < OUTPUTS; i++)
            values[i] = strtod(at + (i > 0), &at);
        return 0;
    }
    return -1;
}

static int compare_frame(VqxContext *ctx, const Case *c, int frame, FILE *scores)
{
    double got[OUTPUTS], expected[OUTPUTS];
    VqxError error;
    if (read_expected(scores, c->id, frame, expected)) {
        fprintf(stderr, "%s: frame %d is not in the scores\n", c->id, frame);
        return -1;
    }
    if (vqx_frame_scores(ctx, (uint64_t)frame, got, &error)) {
        fprintf(stderr, "%s: frame %d: %s\n", c->id, frame, error.message);
        return -1;
    }
    int different = 0;
    for (int i = 0; i < OUTPUTS; i++) {
        if (got[i] == expected[i] || (got[i] != got[i] && expected[i] != expected[i]))
            continue;
        fprintf(stderr, "%s: frame %d %s: %.17g, expected %.17g\n", c->id, frame,
                vqx_output_name(ctx, (size_t)i), got[i], expected[i]);
        different = -1;
    }
    return different;
}

static int run_case(const Case *c, VqxSettings settings, FILE *scores)
{
    VqxVifOptions options;
    VqxContext *ctx = NULL;
    VqxError error;
    vqx_vif_default_options(&options);
    options.debug = 1;
    settings.vif = &options;
    settings.vif_count = 1;
    int status =
        vqx_vif_parse_options(&options, c->options, &error) || vqx_open(&ctx, &settings, &error);
    for (int f = 0; !status && f < c->frames; f++)
        status = submit_frame(ctx, c, f, &error);
    if (!status)
        status = vqx_finish(ctx, &error);
    if (status)
        fprintf(stderr, "%s: %s\n", c->id, error.message);
    for (int f = 0; !status && f < c->frames; f++)
        status = compare_frame(ctx, c, f, scores);
    vqx_close(&ctx);
    return status;
}

static int parse_settings(VqxSettings *settings, const char **only, int argc, char **argv)
{
    vqx_default_settings(settings);
    for (int i = 2; i + 1 < argc; i += 2) {
        const char *value = argv[i + 1];
        if (!strcmp(argv[i], "--case"))
            *only = value;
        else if (!strcmp(argv[i], "--backend"))
            settings->backend = value;
        else if (!strcmp(argv[i], "--device"))
            settings->device = value;
        else if (!strcmp(argv[i], "--modules"))
            settings->module_folder = value;
        else if (!strcmp(argv[i], "--threads"))
            settings->threads = (unsigned)atoi(value);
        else if (!strcmp(argv[i], "--cpumask"))
            settings->cpumask = strtoull(value, NULL, 0);
        else if (!strcmp(argv[i], "--form"))
            settings->form = !strcmp(value, "native") ? VQX_FORM_NATIVE : VQX_FORM_FP64_FREE;
        else
            return -1;
    }
    return argc % 2 ? -1 : 0;
}

int main(int argc, char **argv)
{
    VqxSettings settings;
    char path[4096], line[LINE];
    const char *only = NULL;
    if (argc < 2 || parse_settings(&settings, &only, argc, argv)) {
        fprintf(
            stderr,
            "usage: vectors_test DATA_FOLDER [--backend NAME] [--device NAME] [--form "
            "native|fp64-free]\n"
            "                    [--cpumask MASK] [--threads N] [--modules FOLDER] [--case ID]\n");
        return 2;
    }
    snprintf(path, sizeof path, "%s/vectors.csv", argv[1]);
    FILE *cases = fopen(path, "r");
    snprintf(path, sizeof path, "%s/vector_scores.csv", argv[1]);
    FILE *scores = fopen(path, "r");
    if (!cases || !scores || !fgets(line, sizeof line, cases)) {
        fprintf(stderr, "vectors.csv or vector_scores.csv cannot be read in %s\n", argv[1]);
        return 2;
    }
    int run = 0, failed = 0;
    while (fgets(line, sizeof line, cases)) {
        Case c;
        if (only && (strncmp(line, only, strlen(only)) || line[strlen(only)] != ','))
            continue;
        run++;
        if (parse_case(&c, line)) {
            fprintf(stderr, "vectors.csv line %d is malformed\n", run + 1);
            failed++;
        } else if (run_case(&c, settings, scores)) {
            failed++;
        }
    }
    fclose(cases);
    fclose(scores);
    printf("%d cases, %d failed\n", run, failed);
    return failed || run != (only ? 1 : 82) ? 1 : 0;
}
