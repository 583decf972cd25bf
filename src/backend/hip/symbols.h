/*
 * The functions that are looked up in HIP's libraries; the reader defines SYMBOL(result, name, arguments), and with
 * VQX_HIPRTC_SYMBOLS gets the run-time compiler's.
 *
 * Signatures are what HIP 5, 6 and 7 share, with enumerations as int and opaque handles as void *: so neither ROCm's
 * headers nor its libraries are needed to build, and one module serves every release.
 */
#ifndef VQX_HIPRTC_SYMBOLS
SYMBOL(int, hipInit, (unsigned flags))
SYMBOL(const char *, hipGetErrorName, (int code))
SYMBOL(const char *, hipGetErrorString, (int code))
SYMBOL(int, hipRuntimeGetVersion, (int *version))
SYMBOL(int, hipGetDeviceCount, (int *count))
SYMBOL(int, hipDeviceGetName, (char *name, int size, int device))
SYMBOL(int, hipDeviceTotalMem, (size_t * bytes, int device))
SYMBOL(int, hipDeviceGetAttribute, (int *value, int attribute, int device))
SYMBOL(int, hipSetDevice, (int device))
SYMBOL(int, hipMemGetInfo, (size_t * free_bytes, size_t *total))
SYMBOL(int, hipMalloc, (void **memory, size_t bytes))
SYMBOL(int, hipFree, (void *memory))
SYMBOL(int, hipHostMalloc, (void **memory, size_t bytes, unsigned flags))
SYMBOL(int, hipHostFree, (void *memory))
SYMBOL(int, hipPointerGetAttributes, (HipPointer * pointer, const void *memory))
SYMBOL(int, hipMemcpyAsync, (void *to, const void *from, size_t bytes, int kind, void *stream))
SYMBOL(int, hipMemcpy2DAsync,
       (void *to, size_t to_stride, const void *from, size_t from_stride, size_t bytes, size_t rows,
        int kind, void *stream))
SYMBOL(int, hipStreamCreateWithFlags, (void **stream, unsigned flags))
SYMBOL(int, hipStreamDestroy, (void *stream))
SYMBOL(int, hipStreamWaitEvent, (void *stream, void *event, unsigned flags))
SYMBOL(int, hipEventCreateWithFlags, (void **event, unsigned flags))
SYMBOL(int, hipEventDestroy, (void *event))
SYMBOL(int, hipEventRecord, (void *event, void *stream))
SYMBOL(int, hipEventQuery, (void *event))
SYMBOL(int, hipEventSynchronize, (void *event))
SYMBOL(int, hipModuleLoadData, (void **module, const void *image))
SYMBOL(int, hipModuleUnload, (void *module))
SYMBOL(int, hipModuleGetFunction, (void **function, void *module, const char *name))
SYMBOL(int, hipModuleLaunchKernel,
       (void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
        unsigned block_y, unsigned block_z, unsigned shared, void *stream, void **params,
        void **extra))
#else
SYMBOL(const char *, hiprtcGetErrorString, (int code))
SYMBOL(int, hiprtcCreateProgram,
       (void **program, const char *source, const char *name, int headers,
        const char **header_texts, const char **header_names))
SYMBOL(int, hiprtcCompileProgram, (void *program, int options, const char **option))
SYMBOL(int, hiprtcGetProgramLogSize, (void *program, size_t *size))
SYMBOL(int, hiprtcGetProgramLog, (void *program, char *log))
SYMBOL(int, hiprtcGetCodeSize, (void *program, size_t *size))
SYMBOL(int, hiprtcGetCode, (void *program, char *code))
SYMBOL(int, hiprtcDestroyProgram, (void **program))
#endif
