/*
 * The seam between the command and the module libvqx-libav, which alone is linked with FFmpeg's
 * libraries: the command gives the file's bytes, the module gives luma planes. So paths are never
 * parsed as URLs, nothing but the named file is read, and pipes can be woken.
 */
#ifndef VQX_MEDIA_LIBAV_MODULE_H
#define VQX_MEDIA_LIBAV_MODULE_H

#include "media/media.h"

#define VQX_LIBAV_ABI 1
#define VQX_LIBAV_ENTRY "vqx_libav_module"

typedef struct VqxLibavInput {
    const char *path; /* as given to the command: its ending helps detection, advice quotes it */
    const char *name; /* as messages name the file */
    unsigned threads; /* of the decoder; 0: as many as cores */
    void *opaque;
    /* Bytes read, 0 at the end, -1 on failure or interruption. */
    int64_t (*read)(void *opaque, void *bytes, size_t count);
    int64_t (*size)(void *opaque);
    /* The stream's position, moved when `to` is not negative; NULL for pipes. */
    int64_t (*seek)(void *opaque, int64_t to);
    int (*interrupted)(void *opaque);
} VqxLibavInput;

typedef struct VqxLibavStream VqxLibavStream;

typedef struct VqxLibavModule {
    uint32_t abi;       /* VQX_LIBAV_ABI */
    uint32_t info_size; /* sizeof(VqxMediaInfo) */
    /* Opens the first video stream and decodes its first frame. `input` is copied; its strings stay. */
    int (*open)(VqxLibavStream **stream, const VqxLibavInput *input, VqxMediaInfo *info,
                VqxError *error);
    /* Decodes frame `index`, the one after the last. */
    VqxMediaResult (*next)(VqxLibavStream *stream, uint64_t index, VqxError *error);
    /* Copies the luma of the frame decoded last. */
    void (*luma)(const VqxLibavStream *stream, void *luma, ptrdiff_t stride);
    void (*close)(VqxLibavStream **stream);
} VqxLibavModule;

/* The module's entry; the address is static. */
VQX_API const VqxLibavModule *vqx_libav_module(void);

#endif
