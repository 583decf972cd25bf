/*
 * What the strip-walking engine needs of a device's driver: CUDA's and HIP's fill this table.
 *
 * Every function returns 0 or the driver's error code, which error_text puts in words. Streams,
 * events, modules and functions are the driver's own pointers; device memory is addressed as the
 * kernels see it. All but `activate` work on the calling thread's active device.
 */
#ifndef VQX_BACKEND_STRIP_WALK_DRIVER_H
#define VQX_BACKEND_STRIP_WALK_DRIVER_H

#include <stddef.h>

typedef struct StripDriver {
    const char *name;
    void (*error_text)(int code, char *text, size_t size);

    int (*activate)(void *device); /* makes it the calling thread's */
    int (*memory_info)(size_t *free_bytes);
    int (*memory_alloc)(void **memory, size_t bytes);
    int (*memory_free)(void *memory);
    int (*pinned_alloc)(void **memory, size_t bytes); /* for every device */
    int (*pinned_free)(void *memory);

    int (*stream_create)(void **stream);
    int (*stream_destroy)(void *stream);
    int (*stream_wait)(void *stream, void *event);
    int (*event_create)(void **event);
    int (*event_destroy)(void *event);
    int (*event_record)(void *event, void *stream);
    int (*event_query)(void *event, int *done);
    int (*event_wait)(void *event);

    int (*copy_in)(void *device, const void *host, size_t bytes, void *stream);
    int (*copy_out)(void *host, const void *device, size_t bytes, void *stream);
    /* `rows` rows of `bytes`; from host or device memory to device memory. */
    int (*copy_rows)(void *to, size_t to_stride, const void *from, size_t from_stride, size_t bytes,
                     size_t rows, int from_device, void *stream);
    /* Which of the engine's devices holds this memory; `device` as for activate. */
    int (*memory_device)(void *memory, void **device);

    int (*module_load)(void **module, const void *image);
    int (*module_unload)(void *module);
    int (*function)(void **function, void *module, const char *name);
    int (*function_shared)(void *function, size_t bytes); /* allows that much shared memory */
    int (*launch)(void *function, const unsigned grid[3], unsigned threads, size_t shared,
                  void *stream, void **params);
} StripDriver;

#endif
