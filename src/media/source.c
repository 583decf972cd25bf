/* Bytes of a file, a pipe or standard input. A pipe is polled together with a pipe of our own, so that
 * a reader that waits can be woken. */
#include "media/source.h"

#include "util/error.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

enum {
    LOOK_AHEAD = 4096, /* read at once for a header line: what is read too much is copied later */
    ROWS_AT_ONCE = 256,
};

struct VqxSource {
    int fd;
    int owned; /* close fd */
    int seekable;
    int wake[2]; /* a byte in it: interrupted */
    atomic_int interrupted;
    int64_t size;      /* of a regular file, when it was last looked at */
    int64_t position;  /* of the byte at `first` */
    size_t first, end; /* the bytes of `buffer` that are ahead */
    unsigned char buffer[VQX_SOURCE_BUFFER];
};

static int check_kind(VqxSource *source, const char *name, VqxError *error)
{
    struct stat status;
    if (fstat(source->fd, &status))
        return vqx_fail(error, VQX_ERROR_NOT_FOUND, "%s cannot be read: %s", name, strerror(errno));
    if (S_ISDIR(status.st_mode))
        return vqx_fail(
            error, VQX_ERROR_ARGUMENT,
            "%s is a directory; a video file, a FIFO or - for standard input is accepted", name);
    const off_t start = lseek(source->fd, 0, SEEK_CUR);
    source->seekable = S_ISREG(status.st_mode) && start >= 0;
    if (source->seekable)
        source->position = start;
    return 0;
}

int vqx_source_open(VqxSource **out, const char *path, const char *name, VqxError *error)
{
    *out = NULL;
    VqxSource *source = malloc(sizeof *source);
    if (!source)
        return vqx_fail(error, VQX_ERROR_MEMORY, "out of memory");
    memset(source, 0, offsetof(VqxSource, buffer));
    source->wake[0] = source->wake[1] = -1;
    source->owned = strcmp(path, "-") != 0;
    source->fd = source->owned ? open(path, O_RDONLY | O_CLOEXEC) : STDIN_FILENO;
    int status = 0;
    if (source->fd < 0)
        status =
            vqx_fail(error, VQX_ERROR_NOT_FOUND, "%s cannot be opened: %s", name, strerror(errno));
    else if (pipe2(source->wake, O_CLOEXEC | O_NONBLOCK))
        status = vqx_fail(error, VQX_ERROR_NOT_FOUND, "%s cannot be read: no pipe: %s", name,
                          strerror(errno));
    else
        status = check_kind(source, name, error);
    if (status) {
        vqx_source_close(&source);
        return status;
    }
    *out = source;
    return 0;
}

void vqx_source_close(VqxSource **pointer)
{
    VqxSource *source = *pointer;
    *pointer = NULL;
    if (!source)
        return;
    for (int i = 0; i < 2; i++)
        if (source->wake[i] >= 0)
            close(source->wake[i]);
    if (source->owned && source->fd >= 0)
        close(source->fd);
    free(source);
}

int vqx_source_seekable(const VqxSource *source)
{
    return source->seekable;
}

int64_t vqx_source_size(const VqxSource *source)
{
    struct stat status;
    if (!source->seekable)
        return -1;
    return fstat(source->fd, &status) ? 0 : status.st_size;
}

int64_t vqx_source_position(const VqxSource *source)
{
    return source->position;
}

void vqx_source_move(VqxSource *source, int64_t position)
{
    source->position = position;
    source->first = source->end = 0;
}

void vqx_source_interrupt(VqxSource *source)
{
    atomic_store(&source->interrupted, 1);
    const ssize_t written = write(source->wake[1], "", 1);
    (void)written; /* full: it is awake already */
}

int vqx_source_interrupted(const VqxSource *source)
{
    return atomic_load(&((VqxSource *)source)->interrupted);
}

/* Waits until a pipe has bytes or has ended. */
static int await_bytes(const VqxSource *source)
{
    struct pollfd files[2] = {{.fd = source->fd, .events = POLLIN},
                              {.fd = source->wake[0], .events = POLLIN}};
    while (!source->seekable) {
        if (poll(files, 2, -1) < 0 && errno != EINTR)
            return -1;
        if (files[1].revents)
            break;
        if (files[0].revents)
            return 0;
    }
    if (!vqx_source_interrupted(source))
        return 0;
    errno = ECANCELED;
    return -1;
}

/* One read into several pieces, at an offset (of a regular file) or where a pipe stands. */
static ssize_t read_pieces(const VqxSource *source, const struct iovec *pieces, int count,
                           int64_t offset)
{
    for (;;) {
        if (await_bytes(source))
            return -1;
        const ssize_t got = source->seekable ? preadv(source->fd, pieces, count, offset)
                                             : readv(source->fd, pieces, count);
        if (got >= 0 || (errno != EINTR && errno != EAGAIN))
            return got;
    }
}

int64_t vqx_source_peek(VqxSource *source, size_t count, const unsigned char **bytes)
{
    if (source->end - source->first < count && source->first) {
        memmove(source->buffer, source->buffer + source->first, source->end - source->first);
        source->end -= source->first;
        source->first = 0;
    }
    while (source->end - source->first < count) {
        const size_t room = VQX_SOURCE_BUFFER - source->end;
        const struct iovec piece = {source->buffer + source->end,
                                    room < LOOK_AHEAD ? room : LOOK_AHEAD};
        const ssize_t got = read_pieces(source, &piece, 1,
                                        source->position + (int64_t)(source->end - source->first));
        if (got < 0)
            return -1;
        if (got == 0)
            break;
        source->end += (size_t)got;
    }
    *bytes = source->buffer + source->first;
    return (int64_t)(source->end - source->first);
}

/* Takes up to `count` bytes that were looked at ahead; bytes NULL: drops them. */
static size_t take_ahead(VqxSource *source, void *bytes, size_t count)
{
    const size_t ahead = source->end - source->first;
    const size_t taken = count < ahead ? count : ahead;
    if (bytes)
        memcpy(bytes, source->buffer + source->first, taken);
    source->first += taken;
    source->position += (int64_t)taken;
    if (source->first == source->end)
        source->first = source->end = 0;
    return taken;
}

int64_t vqx_source_read(VqxSource *source, void *bytes, size_t count)
{
    const size_t ahead = take_ahead(source, bytes, count);
    if (ahead)
        return (int64_t)ahead;
    const struct iovec piece = {bytes, count};
    const ssize_t got = read_pieces(source, &piece, 1, source->position);
    if (got > 0)
        source->position += got;
    return got;
}

/* The bytes from the position to the end of a regular file, at most `count`. A file may be growing. */
static int64_t left_of(VqxSource *source, int64_t count)
{
    if (source->size - source->position < count)
        source->size = vqx_source_size(source);
    const int64_t left = source->size - source->position;
    return left < count ? (left > 0 ? left : 0) : count;
}

int64_t vqx_source_drop(VqxSource *source, int64_t count)
{
    if (source->seekable) {
        const int64_t dropped = left_of(source, count);
        if ((size_t)dropped <= source->end - source->first)
            take_ahead(source, NULL, (size_t)dropped);
        else
            vqx_source_move(source, source->position + dropped);
        return dropped;
    }
    int64_t dropped = (int64_t)take_ahead(source, NULL, (size_t)count);
    while (dropped < count) {
        /* Nothing is ahead: the buffer is free. */
        const int64_t left = count - dropped;
        const struct iovec piece = {source->buffer,
                                    left < VQX_SOURCE_BUFFER ? (size_t)left : VQX_SOURCE_BUFFER};
        const ssize_t got = read_pieces(source, &piece, 1, 0);
        if (got < 0)
            return -1;
        if (got == 0)
            break;
        dropped += got;
        source->position += got;
    }
    return dropped;
}

/* The pieces of the rows' bytes from byte `from` on. */
static int gather(const VqxRows *rows, size_t from, struct iovec pieces[ROWS_AT_ONCE])
{
    if (rows->stride == (ptrdiff_t)rows->row_bytes) {
        pieces[0] = (struct iovec){rows->data + from, rows->rows * rows->row_bytes - from};
        return 1;
    }
    int count = 0;
    size_t x = from % rows->row_bytes;
    for (size_t y = from / rows->row_bytes; y < rows->rows && count < ROWS_AT_ONCE; y++, x = 0)
        pieces[count++] =
            (struct iovec){rows->data + (ptrdiff_t)y * rows->stride + x, rows->row_bytes - x};
    return count;
}

int64_t vqx_source_rows_at(const VqxSource *source, int64_t offset, const VqxRows *rows)
{
    struct iovec pieces[ROWS_AT_ONCE];
    const size_t total = rows->rows * rows->row_bytes;
    size_t done = 0;
    while (done < total) {
        const int count = gather(rows, done, pieces);
        const ssize_t got = read_pieces(source, pieces, count, offset + (int64_t)done);
        if (got < 0)
            return -1;
        if (got == 0)
            break;
        done += (size_t)got;
    }
    return (int64_t)done;
}

int64_t vqx_source_rows(VqxSource *source, const VqxRows *rows)
{
    struct iovec pieces[ROWS_AT_ONCE];
    const size_t total = rows->rows * rows->row_bytes;
    size_t done = 0;
    while (done < total) {
        const int count = gather(rows, done, pieces);
        ssize_t got = 0;
        if (source->first < source->end) {
            got = (ssize_t)take_ahead(source, pieces[0].iov_base, pieces[0].iov_len);
        } else {
            got = read_pieces(source, pieces, count, source->position);
            if (got < 0)
                return -1;
            source->position += got;
        }
        if (got == 0)
            break;
        done += (size_t)got;
    }
    return (int64_t)done;
}
