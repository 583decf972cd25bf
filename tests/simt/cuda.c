/*
 * As much of libcuda.so.1 as the CUDA backend calls, in terms of the HIP runtime on the SIMT runner (hip.c): so that
 * backend's host code runs where no NVIDIA GPU is. A context is a number that stands for the one device.
 */
#pragma GCC visibility push(default)
#include <cuda.h>
#pragma GCC visibility pop

#include "backend/hip/api.h"
#include "robustness/faults.h"

#include <stdint.h>
#include <stdio.h>

#define SYMBOL(result, name, arguments) result name arguments;
#include "backend/hip/symbols.h"
#undef SYMBOL

#pragma weak faults_device_object

static char the_context; /* its address is the context */

static CUresult code_of(int code)
{
    return code == 0   ? CUDA_SUCCESS
           : code == 1 ? CUDA_ERROR_INVALID_VALUE
           : code == 2 ? CUDA_ERROR_OUT_OF_MEMORY
                       : CUDA_ERROR_LAUNCH_FAILED;
}

static void *pointer(CUdeviceptr address)
{
    return (void *)(uintptr_t)address;
}

/* ---- devices ---- */

CUresult cuInit(unsigned flags)
{
    return code_of(hipInit(flags));
}

CUresult cuDriverGetVersion(int *version)
{
    *version = 13000;
    return CUDA_SUCCESS;
}

CUresult cuGetErrorName(CUresult error, const char **name)
{
    *name = error == CUDA_SUCCESS               ? "CUDA_SUCCESS"
            : error == CUDA_ERROR_OUT_OF_MEMORY ? "CUDA_ERROR_OUT_OF_MEMORY"
            : error == CUDA_ERROR_LAUNCH_FAILED ? "CUDA_ERROR_LAUNCH_FAILED"
                                                : "CUDA_ERROR_INVALID_VALUE";
    return CUDA_SUCCESS;
}

CUresult cuGetErrorString(CUresult error, const char **text)
{
    return cuGetErrorName(error, text);
}

CUresult cuDeviceGet(CUdevice *device, int ordinal)
{
    *device = ordinal;
    return ordinal ? CUDA_ERROR_INVALID_DEVICE : CUDA_SUCCESS;
}

CUresult cuDeviceGetCount(int *count)
{
    return code_of(hipGetDeviceCount(count));
}

CUresult cuDeviceGetName(char *name, int size, CUdevice device)
{
    return code_of(hipDeviceGetName(name, size, device));
}

CUresult cuDeviceTotalMem(size_t *bytes, CUdevice device)
{
    return code_of(hipDeviceTotalMem(bytes, device));
}

/* Few multiprocessors: small batches, and of a small frame alone low strips. An f64 rate that decides for the fp64-free form. */
CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device)
{
    int ignored;
    *value = attribute == CU_DEVICE_ATTRIBUTE_SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO ? 32 : 3;
    return code_of(hipDeviceGetAttribute(&ignored, HIP_MULTIPROCESSOR_COUNT, device));
}

CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device)
{
    const int code = hipSetDevice(device);
    *context = code ? NULL : (CUcontext)(void *)&the_context;
    if (!code && faults_device_object)
        faults_device_object(1);
    return code_of(code);
}

CUresult cuDevicePrimaryCtxRelease(CUdevice device)
{
    if (faults_device_object)
        faults_device_object(-1);
    return device ? CUDA_ERROR_INVALID_DEVICE : CUDA_SUCCESS;
}

CUresult cuCtxSetCurrent(CUcontext context)
{
    return (void *)context == &the_context ? code_of(hipSetDevice(0)) : CUDA_ERROR_INVALID_CONTEXT;
}

/* ---- memory ---- */

CUresult cuMemGetInfo(size_t *free_bytes, size_t *total)
{
    return code_of(hipMemGetInfo(free_bytes, total));
}

CUresult cuMemAlloc(CUdeviceptr *address, size_t bytes)
{
    void *memory = NULL;
    const int code = hipMalloc(&memory, bytes);
    *address = (uintptr_t)memory;
    return code_of(code);
}

CUresult cuMemFree(CUdeviceptr address)
{
    return code_of(hipFree(pointer(address)));
}

CUresult cuMemHostAlloc(void **memory, size_t bytes, unsigned flags)
{
    return flags == CU_MEMHOSTALLOC_PORTABLE ? code_of(hipHostMalloc(memory, bytes, HIP_PORTABLE))
                                             : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemFreeHost(void *memory)
{
    return code_of(hipHostFree(memory));
}

CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void *from, size_t bytes, CUstream stream)
{
    return code_of(hipMemcpyAsync(pointer(to), from, bytes, HIP_HOST_TO_DEVICE, stream));
}

CUresult cuMemcpyDtoHAsync(void *to, CUdeviceptr from, size_t bytes, CUstream stream)
{
    return code_of(hipMemcpyAsync(to, pointer(from), bytes, HIP_DEVICE_TO_HOST, stream));
}

CUresult cuMemcpy2DAsync(const CUDA_MEMCPY2D *copy, CUstream stream)
{
    const int from_device = copy->srcMemoryType == CU_MEMORYTYPE_DEVICE;
    return code_of(hipMemcpy2DAsync(
        pointer(copy->dstDevice), copy->dstPitch,
        from_device ? pointer(copy->srcDevice) : copy->srcHost, copy->srcPitch, copy->WidthInBytes,
        copy->Height, from_device ? HIP_DEVICE_TO_DEVICE : HIP_HOST_TO_DEVICE, stream));
}

CUresult cuPointerGetAttribute(void *value, CUpointer_attribute attribute, CUdeviceptr address)
{
    HipPointer found;
    if (attribute != CU_POINTER_ATTRIBUTE_CONTEXT)
        return CUDA_ERROR_INVALID_VALUE;
    *(CUcontext *)value = (CUcontext)(void *)&the_context;
    return code_of(hipPointerGetAttributes(&found, pointer(address)));
}

/* ---- streams and events ---- */

CUresult cuStreamCreate(CUstream *stream, unsigned flags)
{
    return code_of(hipStreamCreateWithFlags((void **)stream, flags));
}

CUresult cuStreamDestroy(CUstream stream)
{
    return code_of(hipStreamDestroy(stream));
}

CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags)
{
    return code_of(hipStreamWaitEvent(stream, event, flags));
}

CUresult cuEventCreate(CUevent *event, unsigned flags)
{
    return code_of(hipEventCreateWithFlags((void **)event, flags));
}

CUresult cuEventDestroy(CUevent event)
{
    return code_of(hipEventDestroy(event));
}

CUresult cuEventRecord(CUevent event, CUstream stream)
{
    return code_of(hipEventRecord(event, stream));
}

CUresult cuEventQuery(CUevent event)
{
    return code_of(hipEventQuery(event));
}

CUresult cuEventSynchronize(CUevent event)
{
    return code_of(hipEventSynchronize(event));
}

/* ---- kernels ---- */

/* The module's own images are NVIDIA's; the kernels are in this library. */
CUresult cuModuleLoadData(CUmodule *module, const void *image)
{
    return code_of(hipModuleLoadData((void **)module, image ? "simt" : ""));
}

CUresult cuModuleUnload(CUmodule module)
{
    return code_of(hipModuleUnload(module));
}

CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name)
{
    return code_of(hipModuleGetFunction((void **)function, module, name));
}

CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value)
{
    return function && attribute == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES && value > 0
               ? CUDA_SUCCESS
               : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuLaunchKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                        unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
                        CUstream stream, void **params, void **extra)
{
    return code_of(hipModuleLaunchKernel(function, grid_x, grid_y, grid_z, block_x, block_y,
                                         block_z, shared, stream, params, extra));
}
