/* NVIDIA devices: listing them, and choosing those that `--device` names. */
#include "backend/cuda/api.h"
#include "backend/cuda/cuda.h"

#include "util/error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* f64 at an eighth of f32's rate or better: below that the fp64-free form is faster. */
enum { SLOW_F64_RATIO = 16 };

static int attribute(int device, CUdevice_attribute which)
{
    int value = 0;
    cuda_api.cuDeviceGetAttribute(&value, which, device);
    return value;
}

/* "580.159.04, CUDA 13.0": the first part as the kernel module says, where it does. */
static void driver_text(char *text, size_t size)
{
    char module[64] = "";
    int version = 0;
    FILE *file = fopen("/sys/module/nvidia/version", "r");
    if (file) {
        if (fgets(module, sizeof module - 2, file)) {
            module[strcspn(module, "\n")] = '\0';
            strcat(module, ", ");
        }
        fclose(file);
    }
    cuda_api.cuDriverGetVersion(&version);
    snprintf(text, size, "%sCUDA %d.%d", module, version / 1000, version % 1000 / 10);
}

static int fast_f64(int device)
{
    return attribute(device, CU_DEVICE_ATTRIBUTE_SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO) <
           SLOW_F64_RATIO;
}

int cuda_device_count(int *count, VqxError *error)
{
    const int status = cuda_load(error);
    *count = 0;
    if (status)
        return status;
    if (cuda_api.cuDeviceGetCount(count) != CUDA_SUCCESS || *count < 1)
        return vqx_fail(error, VQX_ERROR_BACKEND, "the NVIDIA driver finds no device");
    return 0;
}

static void describe(VqxDevice *out, int device)
{
    size_t memory = 0;
    *out = (VqxDevice){.backend = "cuda", .available = 1, .automatic = 1};
    cuda_api.cuDeviceGetName(out->name, sizeof out->name, device);
    cuda_api.cuDeviceTotalMem(&memory, device);
    snprintf(out->device, sizeof out->device, "%d", device);
    driver_text(out->driver, sizeof out->driver);
    snprintf(out->detail, sizeof out->detail, "compute capability %d.%d, %zu MiB, %s",
             attribute(device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR),
             attribute(device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR), memory >> 20,
             fast_f64(device) ? "native f64" : "fp64-free");
}

size_t cuda_devices(VqxDevice *devices, size_t capacity)
{
    VqxError error;
    int count;
    if (cuda_device_count(&count, &error)) {
        if (capacity > 0) {
            devices[0] = (VqxDevice){.backend = "cuda"};
            snprintf(devices[0].reason, sizeof devices[0].reason, "%.255s", error.message);
        }
        return 1;
    }
    for (int i = 0; i < count && (size_t)i < capacity; i++)
        describe(&devices[i], i);
    return (size_t)count;
}

static int hold(StripDevice *device, int number, VqxError *error)
{
    char text[200];
    CUcontext context = NULL;
    *device = (StripDevice){.number = number};
    const CUresult code = cuda_api.cuDevicePrimaryCtxRetain(&context, number);
    if (code != CUDA_SUCCESS) {
        cuda_driver.error_text((int)code, text, sizeof text);
        return vqx_fail(error, VQX_ERROR_BACKEND, "device %d cannot be used: %s", number, text);
    }
    cuda_api.cuDeviceGetName(device->name, sizeof device->name, number);
    device->handle = context;
    device->multiprocessors = attribute(number, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
    device->fast_f64 = fast_f64(number);
    return 0;
}

int cuda_choose(StripDevice *chosen, unsigned *count, const char *text, char *driver,
                size_t driver_size, VqxError *error)
{
    int numbers[STRIP_MAX_DEVICES], present;
    unsigned wanted = 0;
    *count = 0;
    int status = cuda_device_count(&present, error);
    if (!status)
        status = strip_device_list(numbers, &wanted, text, present, error);
    while (!status && *count < wanted) {
        status = hold(&chosen[*count], numbers[*count], error);
        *count += status ? 0 : 1;
    }
    if (status)
        cuda_release(chosen, *count);
    else
        driver_text(driver, driver_size);
    return status;
}

void cuda_release(StripDevice *chosen, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        cuda_api.cuDevicePrimaryCtxRelease(chosen[i].number);
}
