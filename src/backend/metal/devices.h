/*
 * Devices: which there are, what they can do, and which are refused.
 *
 * A device is opened once a process, and the pipelines compiled for it are kept until the process
 * ends. macOS keeps a cache of compiled kernels of its own.
 */
#ifndef VQX_BACKEND_METAL_DEVICES_H
#define VQX_BACKEND_METAL_DEVICES_H

#import <Foundation/Foundation.h>
#import <Metal/Metal.h>

#include "vqx.h"

#include <pthread.h>

enum { METAL_MAX_DEVICES = 16 };

typedef struct MetalDevice {
    __strong id<MTLDevice> device;
    __strong id<MTLCommandQueue> queue;
    int number; /* what the device setting takes */
    char name[128], driver[128];
    int correct_division; /* kept in the probe */
    uint64_t memory, largest_buffer;

    pthread_mutex_t check_mutex; /* guards: */
    int checked;                 /* the refusal is decided, and the queue opened */
    VqxError refusal;            /* status 0: the device may be used */

    pthread_mutex_t pipeline_mutex; /* guards: */
    __strong NSMutableDictionary *pipelines;
} MetalDevice;

/* Every device, in Metal's order; NULL with the reason. The array stays. */
MetalDevice *metal_device_list(size_t *count, VqxError *error);

/* What the device setting asks for. */
typedef struct MetalChoice {
    MetalDevice *device;
    int soft_division; /* asked for by a test */
} MetalChoice;

/* "N", or a part of the device's name (case does not matter), either with "+soft-division" (see
 * tiles/setting.h). NULL: the first that is not refused. The device is opened and has passed the
 * self-test. */
int metal_device_choose(MetalChoice *choice, const char *setting, VqxError *error);

/* VqxBackend.devices */
size_t metal_devices(VqxDevice *devices, size_t capacity);

#endif
