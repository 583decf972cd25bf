/* Loads the OpenCL ICD loader. */
#include "backend/opencl/api.h"

#include "util/error.h"

#include <dlfcn.h>
#include <pthread.h>

#ifdef __APPLE__
#define LOADER "/System/Library/Frameworks/OpenCL.framework/OpenCL"
#else
#define LOADER "libOpenCL.so.1"
#endif

static OpenclApi functions;
static VqxError failure; /* status 0: the functions are there */
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void)
{
    void *loader = dlopen(LOADER, RTLD_NOW | RTLD_LOCAL);
    if (!loader) {
        vqx_fail(&failure, VQX_ERROR_BACKEND,
                 "the OpenCL loader cannot be loaded (on Debian it is the package "
                 "ocl-icd-libopencl1): %s",
                 dlerror());
        return;
    }
#define FIND(name)                                                           \
    *(void **)&functions.name = dlsym(loader, "cl" #name);                   \
    if (!functions.name) {                                                   \
        vqx_fail(&failure, VQX_ERROR_BACKEND, "%s has no cl" #name, LOADER); \
        return;                                                              \
    }
    OPENCL_FUNCTIONS(FIND)
#undef FIND
}

const OpenclApi *opencl_api(VqxError *error)
{
    pthread_once(&once, load);
    if (!failure.status)
        return &functions;
    vqx_fail(error, failure.status, "%s", failure.message);
    return NULL;
}

const char *opencl_error_name(cl_int code)
{
    static const struct {
        cl_int code;
        const char *name;
    } names[] = {
#define NAME(code) {code, #code}
        NAME(CL_DEVICE_NOT_FOUND),
        NAME(CL_DEVICE_NOT_AVAILABLE),
        NAME(CL_COMPILER_NOT_AVAILABLE),
        NAME(CL_MEM_OBJECT_ALLOCATION_FAILURE),
        NAME(CL_OUT_OF_RESOURCES),
        NAME(CL_OUT_OF_HOST_MEMORY),
        NAME(CL_BUILD_PROGRAM_FAILURE),
        NAME(CL_MAP_FAILURE),
        NAME(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST),
        NAME(CL_INVALID_VALUE),
        NAME(CL_INVALID_DEVICE),
        NAME(CL_INVALID_CONTEXT),
        NAME(CL_INVALID_COMMAND_QUEUE),
        NAME(CL_INVALID_MEM_OBJECT),
        NAME(CL_INVALID_BUILD_OPTIONS),
        NAME(CL_INVALID_KERNEL_NAME),
        NAME(CL_INVALID_ARG_INDEX),
        NAME(CL_INVALID_ARG_VALUE),
        NAME(CL_INVALID_ARG_SIZE),
        NAME(CL_INVALID_KERNEL_ARGS),
        NAME(CL_INVALID_WORK_GROUP_SIZE),
        NAME(CL_INVALID_GLOBAL_WORK_SIZE),
        NAME(CL_INVALID_BUFFER_SIZE),
        {-1001, "no OpenCL driver is installed (CL_PLATFORM_NOT_FOUND_KHR)"},
        {-9999, "an access outside a buffer (NVIDIA's -9999)"},
#undef NAME
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (names[i].code == code)
            return names[i].name;
    return "an unnamed OpenCL error";
}
