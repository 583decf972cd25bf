/*
 * Forwards what HIP 5.2's headers for NVIDIA's platform ask of CUDA to what CUDA 13 has: members of cudaDeviceProp that are
 * gone, changed signatures, and functions that are gone. Included before HIP's headers; tests alone use it, and none of
 * what is only made to compile.
 */
#ifndef VQX_TESTS_HIP_NVIDIA_CUDA13_H
#define VQX_TESTS_HIP_NVIDIA_CUDA13_H

#include <cuda.h>
#include <cuda_runtime_api.h>

struct Cuda12DeviceProp : cudaDeviceProp {
    int clockRate, memoryClockRate, computeMode, cooperativeMultiDeviceLaunch,
        kernelExecTimeoutEnabled;
};

static inline cudaError_t cuda12_properties(Cuda12DeviceProp *properties, int device)
{
    *properties = Cuda12DeviceProp();
    return cudaGetDeviceProperties(static_cast<cudaDeviceProp *>(properties), device);
}

static inline cudaMemLocation cuda12_location(int device)
{
    cudaMemLocation location = {};
    location.type = cudaMemLocationTypeDevice;
    location.id = device;
    return location;
}

static inline cudaError_t cuda12_unsupported(...)
{
    return cudaErrorNotSupported;
}

#define cudaDeviceProp Cuda12DeviceProp
#define cudaGetDeviceProperties(properties, device) cuda12_properties(properties, device)
#define cudaMemAdvise(memory, count, advice, device) \
    cudaMemAdvise(memory, count, advice, cuda12_location(device))
#define cudaMemPrefetchAsync(memory, count, device, stream) \
    cudaMemPrefetchAsync(memory, count, cuda12_location(device), 0, stream)
#undef cuCtxCreate
#define cuCtxCreate(context, flags, device) cuCtxCreate_v4(context, nullptr, flags, device)
#define cudaDevAttrCooperativeMultiDeviceLaunch cudaDevAttrCooperativeLaunch
#define cudaBindTexture cuda12_unsupported
#define cudaBindTexture2D cuda12_unsupported
#define cudaGetTextureAlignmentOffset cuda12_unsupported
#define cudaLaunchCooperativeKernelMultiDevice cuda12_unsupported

#endif
