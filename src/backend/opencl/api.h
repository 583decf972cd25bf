/*
 * The OpenCL functions in use, found at run time in the ICD loader: the module then loads on every
 * machine and can say that the loader is missing.
 */
#ifndef VQX_BACKEND_OPENCL_API_H
#define VQX_BACKEND_OPENCL_API_H

#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>

#include "vqx.h"

#define OPENCL_FUNCTIONS(X)     \
    X(GetPlatformIDs)           \
    X(GetPlatformInfo)          \
    X(GetDeviceIDs)             \
    X(GetDeviceInfo)            \
    X(CreateContext)            \
    X(ReleaseContext)           \
    X(CreateCommandQueue)       \
    X(ReleaseCommandQueue)      \
    X(CreateProgramWithSource)  \
    X(BuildProgram)             \
    X(GetProgramBuildInfo)      \
    X(ReleaseProgram)           \
    X(CreateKernel)             \
    X(SetKernelArg)             \
    X(ReleaseKernel)            \
    X(CreateBuffer)             \
    X(ReleaseMemObject)         \
    X(EnqueueWriteBuffer)       \
    X(EnqueueWriteBufferRect)   \
    X(EnqueueReadBuffer)        \
    X(EnqueueMapBuffer)         \
    X(EnqueueUnmapMemObject)    \
    X(EnqueueMigrateMemObjects) \
    X(EnqueueNDRangeKernel)     \
    X(Flush)                    \
    X(Finish)                   \
    X(WaitForEvents)            \
    X(GetEventInfo)             \
    X(GetEventProfilingInfo)    \
    X(ReleaseEvent)

typedef struct OpenclApi {
#define DECLARE(name) __typeof__(&cl##name) name;
    OPENCL_FUNCTIONS(DECLARE)
#undef DECLARE
} OpenclApi;

/* The loader's functions, loaded once a process; NULL with the reason in *error. */
const OpenclApi *opencl_api(VqxError *error);

/* "CL_OUT_OF_RESOURCES" and the like. */
const char *opencl_error_name(cl_int code);

#endif
