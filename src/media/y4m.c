/* Y4M: a header line, then a FRAME line before each frame's planes. */
#include "media/planar.h"

#include "util/error.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define MAGIC "YUV4MPEG2"

enum {
    MAGIC_LENGTH = sizeof MAGIC - 1,
    MOST_LINE = 32768, /* of a header or FRAME line */
    MOST_SIDE = 65535,
    SHOWN = 60, /* of a bad parameter, in a message */
};

/* How a tag's chroma planes are laid out. A tag is `name` alone for 8 bits, or with its depth: p10,
 * or, where there is no chroma, 10. */
typedef struct Layout {
    const char *name;
    unsigned planes;            /* beside luma */
    unsigned across, down;      /* luma samples a chroma sample stands for */
    const char *const *endings; /* what tells chroma siting: no matter here */
} Layout;

static const char *const siting[] = {"jpeg", "mpeg2", "paldv", NULL};
static const char *const alpha[] = {"alpha", NULL};

static const Layout layouts[] = {
    {"444alpha", 3, 1, 1, NULL}, {"420", 2, 2, 2, siting}, {"411", 2, 4, 1, NULL},
    {"422", 2, 2, 1, NULL},      {"444", 2, 1, 1, alpha},  {"mono", 0, 1, 1, NULL},
};

typedef struct Header {
    unsigned width, height;
    char colour[SHOWN];       /* of C */
    char other_colour[SHOWN]; /* of XYSCSS, which older writers have instead */
    VqxRange range;
    unsigned rate_num, rate_den;
} Header;

/* A decimal number and nothing else; 0 for anything else or for one above `most`. */
static unsigned parse_number(const char *text, unsigned most)
{
    unsigned long number = 0;
    for (; *text >= '0' && *text <= '9' && number <= most; text++)
        number = number * 10 + (unsigned long)(*text - '0');
    return *text || number > most ? 0 : (unsigned)number;
}

/* The bit depth that the rest of a tag says, 0 if it says none. */
static unsigned parse_depth(const Layout *layout, const char *rest)
{
    if (!*rest)
        return 8;
    for (const char *const *ending = layout->endings; ending && *ending; ending++)
        if (!strcasecmp(rest, *ending))
            return 8;
    if (*rest == 'p' || *rest == 'P')
        rest++;
    else if (layout->planes)
        return 0;
    const unsigned depth = parse_number(rest, 16);
    return depth >= 8 ? depth : 0;
}

static const Layout *parse_colour(const char *tag, unsigned *depth)
{
    for (size_t i = 0; i < sizeof layouts / sizeof layouts[0]; i++) {
        const size_t length = strlen(layouts[i].name);
        if (strncasecmp(tag, layouts[i].name, length))
            continue;
        *depth = parse_depth(&layouts[i], tag + length);
        if (*depth)
            return &layouts[i];
    }
    return NULL;
}

static void parse_rate(const char *text, Header *header)
{
    unsigned num, den;
    if (!text[strspn(text, "0123456789:")] && sscanf(text, "%u:%u", &num, &den) == 2 && num &&
        den) {
        header->rate_num = num;
        header->rate_den = den;
    }
}

static void parse_extension(const char *text, Header *header)
{
    if (!strncmp(text, "YSCSS=", 6))
        snprintf(header->other_colour, sizeof header->other_colour, "%s", text + 6);
    else if (!strcmp(text, "COLORRANGE=FULL"))
        header->range = VQX_RANGE_FULL;
    else if (!strcmp(text, "COLORRANGE=LIMITED"))
        header->range = VQX_RANGE_LIMITED;
}

static int parse_side(const VqxMedia *media, const char *name, const char *text, unsigned *side,
                      VqxError *error)
{
    *side = parse_number(text, MOST_SIDE);
    if (*side)
        return 0;
    return vqx_fail(error, VQX_ERROR_SIZE,
                    "%s: the Y4M header says %s \"%.*s\"; 1 to %d is accepted", media->path, name,
                    SHOWN, text, MOST_SIDE);
}

/* Takes the header's parameters in turn; `line` is cut up. Unknown ones are passed over, as the
 * format asks; interlaced material is scored as the frames it is stored in. */
static int parse_header(const VqxMedia *media, char *line, Header *header, VqxError *error)
{
    char *rest = NULL;
    int status = 0;
    for (char *word = strtok_r(line, " \t", &rest); word && !status;
         word = strtok_r(NULL, " \t", &rest)) {
        switch (word[0]) {
        case 'W':
            status = parse_side(media, "width", word + 1, &header->width, error);
            break;
        case 'H':
            status = parse_side(media, "height", word + 1, &header->height, error);
            break;
        case 'C':
            snprintf(header->colour, sizeof header->colour, "%s", word + 1);
            break;
        case 'F':
            parse_rate(word + 1, header);
            break;
        case 'X':
            parse_extension(word + 1, header);
            break;
        }
    }
    if (!status && (!header->width || !header->height))
        status = vqx_fail(error, VQX_ERROR_ARGUMENT,
                          "%s: the Y4M header lacks the %s parameter; both W and H are needed",
                          media->path, header->width ? "H" : "W");
    return status;
}

/* Looks ahead at a line. Returns its bytes with the newline, 0 at the end of the file, -1 on failure
 * (errno), -2 when the file ends inside it, -3 when it is too long. */
static int64_t look_at_line(VqxSource *source, const unsigned char **bytes)
{
    int64_t seen = 0;
    for (size_t wanted = 1;; wanted = (size_t)seen + 1) {
        const int64_t ahead = vqx_source_peek(source, wanted, bytes);
        if (ahead < 0)
            return -1;
        const unsigned char *newline = memchr(*bytes + seen, '\n', (size_t)(ahead - seen));
        if (newline && newline - *bytes < MOST_LINE)
            return newline - *bytes + 1;
        if (newline || ahead >= MOST_LINE)
            return -3;
        if (ahead < (int64_t)wanted)
            return ahead ? -2 : 0;
        seen = ahead;
    }
}

/* Whether `bytes` start with `word` as a word of its own. */
static int starts_with(const unsigned char *bytes, int64_t length, const char *word)
{
    const int64_t word_length = (int64_t)strlen(word);
    return length > word_length && !memcmp(bytes, word, (size_t)word_length) &&
           strchr(" \t\r\n", bytes[word_length]) && bytes[word_length];
}

static VqxMediaResult frame_line(VqxMedia *media, uint64_t index, VqxError *error)
{
    const unsigned char *bytes;
    const int64_t offset = vqx_source_position(media->source);
    const int64_t length = look_at_line(media->source, &bytes);
    if (length == 0)
        return VQX_MEDIA_END;
    if (length == -1) {
        vqx_media_read_failed(media, error);
        return VQX_MEDIA_ERROR;
    }
    if (length == -2) {
        vqx_fail(error, VQX_ERROR_ARGUMENT,
                 "%s: frame %" PRIu64 " is cut off: the file ends inside its FRAME line, which "
                 "starts at byte offset %" PRId64,
                 media->path, index, offset);
        return VQX_MEDIA_TRUNCATED;
    }
    if (length < 0 || !starts_with(bytes, length, "FRAME")) {
        vqx_fail(error, VQX_ERROR_ARGUMENT,
                 "%s: frame %" PRIu64 ": at byte offset %" PRId64
                 " a line of at most %d bytes that starts with FRAME is expected",
                 media->path, index, offset, MOST_LINE);
        return VQX_MEDIA_ERROR;
    }
    vqx_source_drop(media->source, length);
    return VQX_MEDIA_FRAME;
}

int vqx_y4m_detect(VqxMedia *media, VqxError *error)
{
    const unsigned char *bytes;
    const int64_t ahead = vqx_source_peek(media->source, MAGIC_LENGTH + 1, &bytes);
    if (ahead < 0) {
        vqx_media_read_failed(media, error);
        return -1;
    }
    return starts_with(bytes, ahead, MAGIC);
}

static int read_header(VqxMedia *media, Header *header, VqxError *error)
{
    const unsigned char *bytes;
    const int64_t length = look_at_line(media->source, &bytes);
    if (length == -1)
        return vqx_media_read_failed(media, error);
    if (length == -3)
        return vqx_fail(error, VQX_ERROR_ARGUMENT,
                        "%s: the Y4M header line is longer than the %d bytes that are accepted",
                        media->path, MOST_LINE);
    if (length < 0)
        return vqx_fail(error, VQX_ERROR_ARGUMENT, "%s: the file ends inside its Y4M header line",
                        media->path);
    char *line = strndup((const char *)bytes + MAGIC_LENGTH, (size_t)length - MAGIC_LENGTH);
    if (!line)
        return vqx_fail(error, VQX_ERROR_MEMORY, "out of memory");
    line[strcspn(line, "\r\n")] = '\0';
    const int status = parse_header(media, line, header, error);
    free(line);
    vqx_source_drop(media->source, length);
    return status;
}

/* How many frames a regular file holds, if its FRAME lines are all as the first one. */
static int64_t count_frames(VqxMedia *media, const VqxPlanar *planar)
{
    const unsigned char *bytes;
    const int64_t size = vqx_source_size(media->source);
    if (size < 0)
        return -1;
    const int64_t left = size - vqx_source_position(media->source);
    const int64_t line = look_at_line(media->source, &bytes);
    const int64_t frame = line + planar->luma_bytes + planar->rest_bytes;
    return line >= 0 && left % frame == 0 ? left / frame : -1;
}

int vqx_y4m_open(VqxMedia *media, VqxError *error)
{
    Header header = {0};
    const int status = read_header(media, &header, error);
    if (status)
        return status;
    VqxMediaInfo *info = &media->info;
    const char *tag = *header.colour         ? header.colour
                      : *header.other_colour ? header.other_colour
                                             : "420";
    const Layout *layout = parse_colour(tag, &info->bit_depth);
    if (!layout)
        return vqx_fail(
            error, VQX_ERROR_ARGUMENT,
            "%s: unknown Y4M chroma tag \"%s\"; 420, 420jpeg, 420mpeg2, 420paldv, 411, "
            "422, 444, 444alpha, mono and their forms with a bit depth (420p10, mono16; "
            "9 to 16) are accepted",
            media->path, tag);
    info->width = header.width;
    info->height = header.height;
    info->range = header.range;
    info->rate_num = header.rate_num;
    info->rate_den = header.rate_den;
    snprintf(info->description, sizeof info->description, "Y4M %s, %u bit", tag, info->bit_depth);
    VqxPlanar planar =
        vqx_planar_layout(info, layout->planes, (info->width + layout->across - 1) / layout->across,
                          (info->height + layout->down - 1) / layout->down);
    planar.frame_line = frame_line;
    info->frames = count_frames(media, &planar);
    return vqx_planar_open(media, &planar, error);
}
