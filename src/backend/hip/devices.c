/* AMD devices: listing them, and choosing those that `--device` names. */
#include "backend/hip/api.h"
#include "backend/hip/hip.h"

#include "util/error.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

/*
 * hipDeviceProp_t has another layout in every major release of HIP. Two of its strings are needed by
 * none but the device's name, first, and the target's, which alone begins with "gfx": so that one is
 * looked for in the raw bytes.
 */
enum { PROPERTIES_SIZE = 16384, PROPERTIES_NAME = 256 };

void hip_target(char target[HIP_TARGET_NAME], int device)
{
    union {
        char bytes[PROPERTIES_SIZE];
        uint64_t align;
    } properties;
    memset(&properties, 0, sizeof properties);
    target[0] = '\0';
    if (hip_api.properties(&properties, device))
        return;
    const char *found = memmem(properties.bytes + PROPERTIES_NAME,
                               PROPERTIES_SIZE - PROPERTIES_NAME - HIP_TARGET_NAME, "gfx", 3);
    if (found) /* "gfx90a:sramecc+:xnack-": code without such features runs whatever they are */
        snprintf(target, HIP_TARGET_NAME, "%.*s", (int)strcspn(found, ":"), found);
}

static int starts(const char *text, const char *with)
{
    return !strncmp(text, with, strlen(with));
}

/* f64 at half of f32's rate or better; elsewhere a sixteenth or less, where the fp64-free form is
 * faster. */
static int fast_f64(const char *target)
{
    return starts(target, "gfx906") || starts(target, "gfx908") || starts(target, "gfx90a") ||
           starts(target, "gfx94") || starts(target, "gfx95");
}

static void driver_text(char *text, size_t size)
{
    int version = 0;
    hip_api.hipRuntimeGetVersion(&version);
    snprintf(text, size, "HIP %d.%d.%d", version / 10000000, version / 100000 % 100,
             version % 100000);
}

static int device_count(int *count, VqxError *error)
{
    const int status = hip_load(error);
    *count = 0;
    if (status)
        return status;
    if (hip_api.hipGetDeviceCount(count) || *count < 1)
        return vqx_fail(error, VQX_ERROR_BACKEND, "AMD's HIP runtime finds no device");
    return 0;
}

static void describe(VqxDevice *out, int device)
{
    char target[HIP_TARGET_NAME];
    size_t memory = 0;
    hip_target(target, device);
    *out = (VqxDevice){.backend = "hip", .available = 1, .automatic = 1};
    hip_api.hipDeviceGetName(out->name, sizeof out->name, device);
    hip_api.hipDeviceTotalMem(&memory, device);
    snprintf(out->device, sizeof out->device, "%d", device);
    driver_text(out->driver, sizeof out->driver);
    snprintf(out->detail, sizeof out->detail, "%s, %zu MiB, %s", target, memory >> 20,
             fast_f64(target) ? "native f64" : "fp64-free");
}

size_t hip_devices(VqxDevice *devices, size_t capacity)
{
    VqxError error;
    int count;
    if (device_count(&count, &error)) {
        if (capacity > 0) {
            devices[0] = (VqxDevice){.backend = "hip"};
            snprintf(devices[0].reason, sizeof devices[0].reason, "%.255s", error.message);
        }
        return 1;
    }
    for (int i = 0; i < count && (size_t)i < capacity; i++)
        describe(&devices[i], i);
    return (size_t)count;
}

int hip_choose(StripDevice *chosen, unsigned *count, const char *text, char *driver,
               size_t driver_size, VqxError *error)
{
    int numbers[STRIP_MAX_DEVICES], present;
    char target[HIP_TARGET_NAME];
    int status = device_count(&present, error);
    if (!status)
        status = strip_device_list(numbers, count, text, present, error);
    for (unsigned i = 0; !status && i < *count; i++) {
        StripDevice *device = &chosen[i];
        void *handle =
            (void *)(intptr_t)numbers[i]; /* NOLINT: the number is all that HIP asks for */
        *device = (StripDevice){.handle = handle, .number = numbers[i]};
        hip_api.hipDeviceGetName(device->name, sizeof device->name, numbers[i]);
        hip_api.hipDeviceGetAttribute(&device->multiprocessors, HIP_MULTIPROCESSOR_COUNT,
                                      numbers[i]);
        if (device->multiprocessors < 1)
            device->multiprocessors = 1;
        hip_target(target, numbers[i]);
        device->fast_f64 = fast_f64(target);
    }
    if (!status)
        driver_text(driver, driver_size);
    return status;
}
