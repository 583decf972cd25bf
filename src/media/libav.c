/* Any file FFmpeg opens: the command's side, which loads the module and gives it the file's bytes. */
#include "media/format.h"
#include "media/libav/module.h"
#include "util/error.h"
#include "util/module.h"

#include <stdlib.h>

typedef struct Libav {
    const VqxLibavModule *module;
    VqxLibavStream *stream;
} Libav;

static int64_t give_bytes(void *opaque, void *bytes, size_t count)
{
    return vqx_source_read(opaque, bytes, count);
}

static int64_t tell_size(void *opaque)
{
    return vqx_source_size(opaque);
}

static int64_t seek(void *opaque, int64_t to)
{
    if (to >= 0)
        vqx_source_move(opaque, to);
    return vqx_source_position(opaque);
}

static int interrupted(void *opaque)
{
    return vqx_source_interrupted(opaque);
}

static const VqxLibavModule *load_module(const VqxMedia *media, const char *folder, VqxError *error)
{
    VqxError reason;
    const VqxLibavModule *(*entry)(void);
    *(void **)&entry =
        vqx_module_entry("libav", folder, VQX_LIBAV_ENTRY, "FFmpeg's libraries", &reason);
    if (!entry) {
        vqx_fail(error, VQX_ERROR_BACKEND,
                 "%s is not a Y4M file, and other files are read by the libav module, which is "
                 "missing: %s",
                 media->path, reason.message);
        return NULL;
    }
    const VqxLibavModule *module = entry();
    if (module->abi != VQX_LIBAV_ABI || module->info_size != sizeof(VqxMediaInfo)) {
        vqx_fail(error, VQX_ERROR_BACKEND, "%s: the libav module is of another version of vqx",
                 media->path);
        return NULL;
    }
    return module;
}

static VqxMediaResult libav_next(VqxMedia *media, VqxMediaFrame *frame, VqxError *error)
{
    Libav *libav = media->state;
    return libav->module->next(libav->stream, frame->index, error);
}

static VqxMediaResult libav_luma(VqxMedia *media, const VqxMediaFrame *frame, const VqxBand *band,
                                 VqxError *error)
{
    const Libav *libav = media->state;
    (void)frame, (void)error;
    libav->module->luma(libav->stream, band->data, band->stride);
    return VQX_MEDIA_FRAME;
}

static VqxMediaResult libav_drop(VqxMedia *media, const VqxMediaFrame *frame, VqxError *error)
{
    (void)media, (void)frame, (void)error;
    return VQX_MEDIA_FRAME;
}

static void libav_close(VqxMedia *media)
{
    Libav *libav = media->state;
    libav->module->close(&libav->stream);
    free(libav);
}

int vqx_libav_open(VqxMedia *media, const char *path, const VqxMediaOptions *options,
                   VqxError *error)
{
    static const VqxFormat format = {0, libav_next, libav_luma, libav_drop, libav_close};
    const VqxLibavModule *module = load_module(media, options->module_folder, error);
    if (!module)
        return VQX_ERROR_BACKEND;
    const int seekable = vqx_source_seekable(media->source);
    const VqxLibavInput input = {path,       media->path, options->decoder_threads, media->source,
                                 give_bytes, tell_size,   seekable ? seek : NULL,   interrupted};
    Libav *libav = malloc(sizeof *libav);
    if (!libav)
        return vqx_fail(error, VQX_ERROR_MEMORY, "out of memory");
    const int status = module->open(&libav->stream, &input, &media->info, error);
    if (status) {
        free(libav);
        return status;
    }
    libav->module = module;
    media->state = libav;
    media->format = &format;
    media->info.seekable = seekable;
    return 0;
}
