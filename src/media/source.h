/*
 * Bytes of a file, a pipe or standard input, for the readers of formats: looked at ahead (detection,
 * header lines), read or dropped in order, and, of a regular file, read at any offset by any thread.
 * Only vqx_source_rows_at and vqx_source_interrupt may run beside other calls.
 */
#ifndef VQX_MEDIA_SOURCE_H
#define VQX_MEDIA_SOURCE_H

#include "vqx.h"

#include <stdint.h>

enum { VQX_SOURCE_BUFFER = 65536 }; /* the most that can be looked at ahead */

typedef struct VqxSource VqxSource;

/* Where a plane's bytes go: `rows` rows of `row_bytes`, `stride` bytes apart. */
typedef struct VqxRows {
    unsigned char *data;
    size_t row_bytes;
    size_t rows;
    ptrdiff_t stride;
} VqxRows;

/* Opens `path` ("-": standard input) for reading; a directory is refused. Errors name the file as
 * `name`. */
int vqx_source_open(VqxSource **source, const char *path, const char *name, VqxError *error);
void vqx_source_close(VqxSource **source);

int vqx_source_seekable(const VqxSource *source); /* a regular file */

/* The file's size now, at least 0; -1 of what is not a regular file. */
int64_t vqx_source_size(const VqxSource *source);

/* The offset of the next byte, from the start of the file or of the pipe. */
int64_t vqx_source_position(const VqxSource *source);

/* Regular files only: moves there; past the end is allowed. */
void vqx_source_move(VqxSource *source, int64_t position);

/* Looks ahead at `count` bytes (at most VQX_SOURCE_BUFFER) without passing them: *bytes points at
 * them, valid until the next call. Returns how many there are, at least `count` unless the file ends,
 * perhaps more; -1 on failure, errno saying why (ECANCELED: interrupted), as all of these. */
int64_t vqx_source_peek(VqxSource *source, size_t count, const unsigned char **bytes);

/* Reads up to `count` bytes, 0 only at the end. */
int64_t vqx_source_read(VqxSource *source, void *bytes, size_t count);

/* Passes over `count` bytes; returns how many there were. */
int64_t vqx_source_drop(VqxSource *source, int64_t count);

/* Reads whole rows; returns the bytes read, fewer than asked only where the file ends. */
int64_t vqx_source_rows(VqxSource *source, const VqxRows *rows);
int64_t vqx_source_rows_at(const VqxSource *source, int64_t offset, const VqxRows *rows);

/* Whatever waits for bytes, now or later, fails with ECANCELED. */
void vqx_source_interrupt(VqxSource *source);
int vqx_source_interrupted(const VqxSource *source);

#endif
