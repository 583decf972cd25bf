/*
 * HIP's runtime library for NVIDIA's platform: every function that the HIP backend looks up, by HIP's own headers, which
 * put it in terms of CUDA. As libamdhip64.so.7 it lets the HIP module run, host code and kernels, on an NVIDIA GPU.
 *
 * In place of hiprtc it hands over the kernels that nvcc compiled from the module's own kernels.hip, for the platform
 * __HIP_PLATFORM_NVIDIA__: fat binaries in the folder that VQX_HIP_KERNELS names.
 */
#include "hip/nvidia/cuda13.h"

#include <hip/hip_runtime_api.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

extern "C" {
#include "backend/hip/api.h"
}

/* HIP's headers define these names as inline functions: what the backend finds is a twin whose symbol has the name. */
#define EXPORT(result, name, arguments)                                                          \
    extern "C" __attribute__((visibility("default"))) result export_##name arguments asm(#name); \
    result export_##name arguments

EXPORT(int, hipInit, (unsigned flags))
{
    return hipInit(flags);
}
EXPORT(const char *, hipGetErrorName, (int code))
{
    return hipGetErrorName(static_cast<hipError_t>(code));
}
EXPORT(const char *, hipGetErrorString, (int code))
{
    return hipGetErrorString(static_cast<hipError_t>(code));
}
EXPORT(int, hipRuntimeGetVersion, (int *version))
{
    *version = 50200000; /* of the headers */
    return 0;
}
EXPORT(int, hipGetDeviceCount, (int *count))
{
    return hipGetDeviceCount(count);
}
EXPORT(int, hipDeviceGetName, (char *name, int size, int device))
{
    return hipDeviceGetName(name, size, device);
}
EXPORT(int, hipDeviceTotalMem, (size_t * bytes, int device))
{
    return hipDeviceTotalMem(bytes, device);
}
EXPORT(int, hipDeviceGetAttribute, (int *value, int attribute, int device))
{
    return hipDeviceGetAttribute(value, static_cast<hipDeviceAttribute_t>(attribute), device);
}
/* HIP leaves gcnArchName to AMD; a name like its lets the backend choose. */
EXPORT(int, hipGetDevicePropertiesR0600, (void *properties, int device))
{
    hipDeviceProp_t own = {};
    const int code = hipGetDeviceProperties(&own, device);
    std::memcpy(properties, own.name, sizeof own.name);
    std::strcpy(static_cast<char *>(properties) + 1160, "gfx94-nvidia"); /* native f64 */
    return code;
}
EXPORT(int, hipSetDevice, (int device))
{
    return hipSetDevice(device);
}
EXPORT(int, hipMemGetInfo, (size_t * free_bytes, size_t *total))
{
    return hipMemGetInfo(free_bytes, total);
}
EXPORT(int, hipMalloc, (void **memory, size_t bytes))
{
    return hipMalloc(memory, bytes);
}
EXPORT(int, hipFree, (void *memory))
{
    return hipFree(memory);
}
EXPORT(int, hipHostMalloc, (void **memory, size_t bytes, unsigned flags))
{
    return hipHostMalloc(memory, bytes, flags);
}
EXPORT(int, hipHostFree, (void *memory))
{
    return hipHostFree(memory);
}
EXPORT(int, hipPointerGetAttributes, (HipPointer * pointer, const void *memory))
{
    hipPointerAttribute_t own = {};
    const int code = hipPointerGetAttributes(&own, memory);
    pointer->device = own.device;
    return code;
}
EXPORT(int, hipMemcpyAsync, (void *to, const void *from, size_t bytes, int kind, void *stream))
{
    return hipMemcpyAsync(to, from, bytes, static_cast<hipMemcpyKind>(kind),
                          static_cast<hipStream_t>(stream));
}
EXPORT(int, hipMemcpy2DAsync,
       (void *to, size_t to_stride, const void *from, size_t from_stride, size_t bytes, size_t rows,
        int kind, void *stream))
{
    return hipMemcpy2DAsync(to, to_stride, from, from_stride, bytes, rows,
                            static_cast<hipMemcpyKind>(kind), static_cast<hipStream_t>(stream));
}
EXPORT(int, hipStreamCreateWithFlags, (void **stream, unsigned flags))
{
    return hipStreamCreateWithFlags(reinterpret_cast<hipStream_t *>(stream), flags);
}
EXPORT(int, hipStreamDestroy, (void *stream))
{
    return hipStreamDestroy(static_cast<hipStream_t>(stream));
}
EXPORT(int, hipStreamWaitEvent, (void *stream, void *event, unsigned flags))
{
    return hipStreamWaitEvent(static_cast<hipStream_t>(stream), static_cast<hipEvent_t>(event),
                              flags);
}
EXPORT(int, hipEventCreateWithFlags, (void **event, unsigned flags))
{
    return hipEventCreateWithFlags(reinterpret_cast<hipEvent_t *>(event), flags);
}
EXPORT(int, hipEventDestroy, (void *event))
{
    return hipEventDestroy(static_cast<hipEvent_t>(event));
}
EXPORT(int, hipEventRecord, (void *event, void *stream))
{
    return hipEventRecord(static_cast<hipEvent_t>(event), static_cast<hipStream_t>(stream));
}
EXPORT(int, hipEventQuery, (void *event))
{
    return hipEventQuery(static_cast<hipEvent_t>(event));
}
EXPORT(int, hipEventSynchronize, (void *event))
{
    return hipEventSynchronize(static_cast<hipEvent_t>(event));
}
EXPORT(int, hipModuleLoadData, (void **module, const void *image))
{
    return hipModuleLoadData(reinterpret_cast<hipModule_t *>(module), image);
}
EXPORT(int, hipModuleUnload, (void *module))
{
    return hipModuleUnload(static_cast<hipModule_t>(module));
}
/* A block's shared memory beyond 48 KiB has to be asked for on NVIDIA's devices alone, so the backend does not. */
EXPORT(int, hipModuleGetFunction, (void **function, void *module, const char *name))
{
    const int code = hipModuleGetFunction(reinterpret_cast<hipFunction_t *>(function),
                                          static_cast<hipModule_t>(module), name);
    if (code == hipSuccess && !std::strncmp(name, "vqx_walk_any", 12))
        cuFuncSetAttribute(static_cast<CUfunction>(*function),
                           CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 64 << 10);
    return code;
}
EXPORT(int, hipModuleLaunchKernel,
       (void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
        unsigned block_y, unsigned block_z, unsigned shared, void *stream, void **params,
        void **extra))
{
    return hipModuleLaunchKernel(static_cast<hipFunction_t>(function), grid_x, grid_y, grid_z,
                                 block_x, block_y, block_z, shared,
                                 static_cast<hipStream_t>(stream), params, extra);
}

/* ---- in place of hiprtc ---- */

EXPORT(const char *, hiprtcGetErrorString, (int))
{
    return "the folder that VQX_HIP_KERNELS names lacks a fat binary";
}
EXPORT(int, hiprtcCreateProgram,
       (void **program, const char *, const char *, int, const char **, const char **))
{
    *program = new std::string;
    return 0;
}
EXPORT(int, hiprtcCompileProgram, (void *program, int options, const char **option))
{
    static const char part[] = "-DSTRIP_PART=";
    std::string path;
    for (int i = 0; i < options; i++)
        if (!std::strncmp(option[i], part, sizeof part - 1))
            path = std::string(std::getenv("VQX_HIP_KERNELS")) + "/kernels_" +
                   (option[i] + sizeof part - 1) + ".fatbin";
    std::FILE *file = std::fopen(path.c_str(), "rb");
    char buffer[65536];
    size_t got;
    if (!file)
        return 1;
    while ((got = std::fread(buffer, 1, sizeof buffer, file)) > 0)
        static_cast<std::string *>(program)->append(buffer, got);
    std::fclose(file);
    return 0;
}
EXPORT(int, hiprtcGetProgramLogSize, (void *, size_t *size))
{
    *size = 0;
    return 0;
}
EXPORT(int, hiprtcGetProgramLog, (void *, char *))
{
    return 0;
}
EXPORT(int, hiprtcGetCodeSize, (void *program, size_t *size))
{
    *size = static_cast<std::string *>(program)->size();
    return 0;
}
EXPORT(int, hiprtcGetCode, (void *program, char *code))
{
    const std::string *text = static_cast<std::string *>(program);
    std::memcpy(code, text->data(), text->size());
    return 0;
}
EXPORT(int, hiprtcDestroyProgram, (void **program))
{
    delete static_cast<std::string *>(*program);
    return 0;
}
