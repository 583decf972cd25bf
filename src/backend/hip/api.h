/* HIP's functions, found at run time: hip_api.hipInit(0). Valid after hip_load. */
#ifndef VQX_BACKEND_HIP_API_H
#define VQX_BACKEND_HIP_API_H

#include <stddef.h>

/* hipPointerAttribute_t, up to the member that is read; the rest of it is room. */
typedef struct HipPointer {
    int type, device;
    void *room[8];
} HipPointer;

/* Values of HIP's enumerations and flags, the same in every release. */
enum {
    HIP_NOT_READY = 600,
    HIP_HOST_TO_DEVICE = 1,
    HIP_DEVICE_TO_HOST = 2,
    HIP_DEVICE_TO_DEVICE = 3,
    HIP_MULTIPROCESSOR_COUNT = 63,
    HIP_PORTABLE = 1,
    HIP_NON_BLOCKING = 1,
    HIP_DISABLE_TIMING = 2
};

typedef struct HipApi {
#define SYMBOL(result, name, arguments) result(*name) arguments;
#include "backend/hip/symbols.h"
#undef SYMBOL
    /* hipGetDevicePropertiesR0600, or hipGetDeviceProperties before HIP 6. */
    int (*properties)(void *properties, int device);
} HipApi;

extern HipApi hip_api;

#endif
