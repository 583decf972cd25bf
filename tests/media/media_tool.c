/*
 * What the tests of src/media drive.
 *
 *     media_tool luma [OPTIONS] FILE...    writes every frame's luma to stdout
 *     media_tool pair [OPTIONS] REF DIS    reads a pair ahead; a line a frame: INDEX HASH HASH
 *
 * A last line on stderr (luma, for each file) or stdout (pair) says how it ended. Exit status 0 whenever
 * the library gave an answer, also a refusal; 2 for wrong usage.
 *
 *     --raw WxHxDEPTHxCHROMA   CHROMA 420 422 444 400
 *     --modules FOLDER
 *     --skip A,B  --limit N  --every N  --capacity N  --threads N
 *     --pad N                  bytes between rows, checked to stay as they were
 *     --stop N                 close the reader after N pairs
 *     --interrupt MS           interrupt the medium after so long
 */
#include "media/reader.h"

#include <getopt.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { GUARD = 0xA5 };

typedef struct Arguments {
    VqxMediaOptions media;
    VqxReaderSettings reader;
    size_t pad;
    long stop, interrupt;
} Arguments;

static int parse_raw(const char *text, VqxMediaOptions *options)
{
    static const char *const names[] = {"420", "422", "444", "400"};
    char chroma[8];
    options->raw = 1;
    if (sscanf(text, "%ux%ux%ux%7s", &options->width, &options->height, &options->bit_depth,
               chroma) != 4)
        return -1;
    for (int i = 0; i < 4; i++) {
        if (!strcmp(chroma, names[i])) {
            options->chroma = (VqxChroma)i;
            return 0;
        }
    }
    return -1;
}

static int parse(int argc, char **argv, Arguments *arguments)
{
    static const struct option options[] = {{"raw", 1, 0, 'r'},
                                            {"modules", 1, 0, 'm'},
                                            {"skip", 1, 0, 's'},
                                            {"limit", 1, 0, 'l'},
                                            {"every", 1, 0, 'e'},
                                            {"capacity", 1, 0, 'c'},
                                            {"threads", 1, 0, 't'},
                                            {"pad", 1, 0, 'p'},
                                            {"stop", 1, 0, 'x'},
                                            {"interrupt", 1, 0, 'i'},
                                            {0}};
    *arguments = (Arguments){.reader.capacity = 3, .stop = -1, .interrupt = -1};
    for (int option; (option = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        const unsigned long number = optarg ? strtoul(optarg, NULL, 10) : 0;
        switch (option) {
        case 'r':
            if (parse_raw(optarg, &arguments->media))
                return -1;
            break;
        case 'm':
            arguments->media.module_folder = optarg;
            break;
        case 's':
            if (sscanf(optarg, "%" SCNu64 ",%" SCNu64, &arguments->reader.skip[0],
                       &arguments->reader.skip[1]) != 2)
                return -1;
            break;
        case 'l':
            arguments->reader.limit = number;
            break;
        case 'e':
            arguments->reader.every = number;
            break;
        case 'c':
            arguments->reader.capacity = (unsigned)number;
            break;
        case 't':
            arguments->reader.threads = (unsigned)number;
            break;
        case 'p':
            arguments->pad = number;
            break;
        case 'x':
            arguments->stop = (long)number;
            break;
        case 'i':
            arguments->interrupt = (long)number;
            break;
        default:
            return -1;
        }
    }
    return 0;
}

static size_t row_bytes(const VqxMediaInfo *info)
{
    return (size_t)info->width * (info->bit_depth > 8 ? 2 : 1);
}

static VqxPlane make_plane(const VqxMediaInfo *info, size_t pad)
{
    VqxPlane plane = {.stride = (ptrdiff_t)(row_bytes(info) + pad),
                      .width = info->width,
                      .height = info->height,
                      .bit_depth = info->bit_depth};
    const size_t bytes = (size_t)plane.stride * info->height + 1;
    plane.data = malloc(bytes);
    if (!plane.data)
        abort();
    memset(plane.data, GUARD, bytes);
    return plane;
}

static void check_guard(const VqxPlane *plane)
{
    const unsigned char *bytes = plane->data;
    const size_t used = plane->width * (plane->bit_depth > 8 ? 2u : 1u);
    for (unsigned y = 0; y < plane->height; y++)
        for (size_t x = used; x < (size_t)plane->stride; x++)
            if (bytes[y * (size_t)plane->stride + x] != GUARD)
                abort();
    if (bytes[plane->height * (size_t)plane->stride] != GUARD)
        abort();
}

static uint64_t hash(const VqxPlane *plane)
{
    uint64_t value = 14695981039346656037u;
    const size_t used = plane->width * (plane->bit_depth > 8 ? 2u : 1u);
    for (unsigned y = 0; y < plane->height; y++)
        for (size_t x = 0; x < used; x++)
            value = (value ^ ((unsigned char *)plane->data)[y * (size_t)plane->stride + x]) *
                    1099511628211u;
    return value;
}

typedef struct Alarm {
    VqxMedia *media;
    long milliseconds;
} Alarm;

static void *interrupt_later(void *opaque)
{
    const Alarm *alarm = opaque;
    usleep((unsigned)alarm->milliseconds * 1000);
    vqx_media_interrupt(alarm->media);
    return NULL;
}

static void show_luma(const Arguments *arguments, const char *path)
{
    VqxError error = {0};
    VqxMedia *media;
    if (vqx_media_open(&media, path, &arguments->media, &error)) {
        fprintf(stderr, "REFUSED %d %s\n", error.status, error.message);
        return;
    }
    const VqxMediaInfo *info = vqx_media_info(media);
    fprintf(stderr, "INFO %ux%u %u range=%d frames=%" PRId64 " rate=%u/%u seekable=%d %s\n",
            info->width, info->height, info->bit_depth, info->range, info->frames, info->rate_num,
            info->rate_den, info->seekable, info->description);
    pthread_t thread;
    Alarm alarm = {media, arguments->interrupt};
    if (arguments->interrupt >= 0)
        pthread_create(&thread, NULL, interrupt_later, &alarm);
    VqxPlane plane = make_plane(info, arguments->pad);
    VqxMediaResult result;
    unsigned frames = 0;
    while ((result = vqx_media_read(media, plane.data, plane.stride, &error)) == VQX_MEDIA_FRAME) {
        check_guard(&plane);
        for (unsigned y = 0; y < info->height; y++)
            fwrite((char *)plane.data + (ptrdiff_t)y * plane.stride, 1, row_bytes(info), stdout);
        frames++;
    }
    static const char *const names[] = {"ERROR", "END", "FRAME", "TRUNCATED"};
    fprintf(stderr, "%s %u %s\n", names[result + 1], frames, result ? error.message : "");
    if (arguments->interrupt >= 0)
        pthread_join(thread, NULL);
    free(plane.data);
    vqx_media_close(&media);
}

static void show_end(const VqxReaderEnd *end)
{
    static const char *const names[] = {"BOTH", "DIFFER", "TRUNCATED", "FAILED"};
    printf("%s pairs=%" PRIu64 " frames=%" PRIu64 "%s,%" PRIu64 "%s side=%d %s\n", names[end->kind],
           end->pairs, end->frames[0], end->exact[0] ? "" : "+", end->frames[1],
           end->exact[1] ? "" : "+", end->side, end->error.message);
}

/* As the command's loop: every free buffer is given, filled ones are used and become free. */
static void read_pairs(VqxReader *reader, VqxFrame *frames, const Arguments *arguments)
{
    VqxFrame *frame;
    uint64_t index;
    unsigned given = 0;
    long taken = 0;
    for (; given < arguments->reader.capacity; given++)
        vqx_reader_give(reader, &frames[given]);
    while (taken != arguments->stop &&
           vqx_reader_take(reader, &frame, &index) == VQX_READER_FRAME) {
        check_guard(&frame->ref);
        check_guard(&frame->dis);
        printf("%" PRIu64 " %016" PRIx64 " %016" PRIx64 "\n", index, hash(&frame->ref),
               hash(&frame->dis));
        vqx_reader_give(reader, frame);
        taken++;
    }
    if (taken == arguments->stop)
        return;
    unsigned reclaimed = 0;
    while (vqx_reader_reclaim(reader))
        reclaimed++;
    if (reclaimed != given)
        abort();
    show_end(vqx_reader_end(reader));
}

static void show_pair(const Arguments *arguments, char **paths)
{
    VqxError error = {0};
    VqxMedia *media[2] = {NULL, NULL};
    VqxReader *reader = NULL;
    if (vqx_media_open(&media[0], paths[0], &arguments->media, &error) ||
        vqx_media_open(&media[1], paths[1], &arguments->media, &error) ||
        vqx_reader_open(&reader, media[0], media[1], &arguments->reader, &error)) {
        printf("REFUSED %d %s\n", error.status, error.message);
        vqx_media_close(&media[0]);
        vqx_media_close(&media[1]);
        return;
    }
    const unsigned count = arguments->reader.capacity;
    VqxFrame *frames = calloc(count, sizeof *frames);
    for (unsigned i = 0; i < count; i++) {
        frames[i].ref = make_plane(vqx_media_info(media[0]), arguments->pad);
        frames[i].dis = make_plane(vqx_media_info(media[1]), arguments->pad);
    }
    read_pairs(reader, frames, arguments);
    vqx_reader_close(&reader);
    vqx_media_close(&media[0]);
    vqx_media_close(&media[1]);
    for (unsigned i = 0; i < count; i++) {
        free(frames[i].ref.data);
        free(frames[i].dis.data);
    }
    free(frames);
}

int main(int argc, char **argv)
{
    Arguments arguments;
    const char *mode = argc > 1 ? argv[1] : "";
    if (argc < 3 || parse(argc - 1, argv + 1, &arguments))
        return 2;
    char **paths = argv + 1 + optind;
    const int count = argc - 1 - optind;
    if (!strcmp(mode, "luma"))
        for (int i = 0; i < count; i++)
            show_luma(&arguments, paths[i]);
    else if (!strcmp(mode, "pair") && count == 2)
        show_pair(&arguments, paths);
    else
        return 2;
    return 0;
}
