/*
 * Devices: which there are, what they can do, and which are refused.
 *
 * A device is opened once a process: its OpenCL context and the programs compiled for it are kept
 * until the process ends, so that the next engine of the same shape starts at once. Nothing is
 * kept on disk: the library writes no files. (Drivers keep caches of their own.)
 */
#ifndef VQX_BACKEND_OPENCL_DEVICES_H
#define VQX_BACKEND_OPENCL_DEVICES_H

#include "backend/opencl/api.h"
#include "vqx.h"

#include <pthread.h>
#include <stddef.h>

enum { OPENCL_MAX_DEVICES = 32 };

typedef struct OpenclProgram {
    char *options; /* the key */
    cl_program program;
    struct OpenclProgram *next;
} OpenclProgram;

typedef struct OpenclDevice {
    const OpenclApi *cl;
    cl_platform_id platform;
    cl_device_id id;
    int number; /* what the device setting takes */
    char name[128], platform_name[128], driver[128];
    int is_cpu;
    int has_f64;          /* with what the native form needs */
    int fast_f64;         /* the native form is the faster one on this class of device */
    int correct_division; /* promised, and kept in the probe */
    cl_ulong memory, largest_buffer, local_memory;
    size_t largest_group;

    pthread_mutex_t check_mutex; /* guards: */
    int checked;                 /* the context is open, and the self-test passed */

    cl_context context;
    pthread_mutex_t program_mutex; /* guards: */
    OpenclProgram *programs;
} OpenclDevice;

/* Every platform's devices, in the platforms' order; NULL with the reason. The array stays. */
OpenclDevice *opencl_device_list(size_t *count, VqxError *error);

/* Opens the device's context if need be and runs the self-test, until it has passed once. 0, or the
 * reason why the device is refused. */
int opencl_device_check(OpenclDevice *device, VqxError *error);

/* What the device setting asks for. */
typedef struct OpenclChoice {
    OpenclDevice *device;
    int soft_division; /* asked for by a test */
} OpenclChoice;

/*
 * "N", or a part of the platform's or the device's name (case does not matter); either may be
 * followed by "+soft-division", which divides in software on a device that need not: a switch for
 * tests. NULL: the first device that is no CPU, else the first.
 */
int opencl_device_choose(OpenclChoice *choice, const char *setting, VqxError *error);

/* VqxBackend.devices */
size_t opencl_devices(VqxDevice *devices, size_t capacity);

#endif
