/* Finds devices, asks what they can do, and tells which are refused. */
#include "backend/opencl/devices.h"

#include "arith/dialect_c.h"
#include "backend/opencl/kernels.h"

#include "backend/tiles/setting.h"
#include "kernels/tiles/args.h"
#include "util/error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* cl_nv_device_attribute_query */
#ifndef CL_DEVICE_COMPUTE_CAPABILITY_MAJOR_NV
#define CL_DEVICE_COMPUTE_CAPABILITY_MAJOR_NV 0x4000
#define CL_DEVICE_COMPUTE_CAPABILITY_MINOR_NV 0x4001
#endif

/* What a process knows of its devices; filled once. */
static struct {
    OpenclDevice device[OPENCL_MAX_DEVICES];
    size_t count;
    VqxError failure;
} all;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void text_info(const OpenclDevice *device, cl_device_info what, char *text, size_t size)
{
    if (device->cl->GetDeviceInfo(device->id, what, size, text, NULL))
        snprintf(text, size, "unknown");
}

static cl_ulong number_info(const OpenclDevice *device, cl_device_info what)
{
    cl_ulong value = 0; /* smaller types fill the low bytes: the hosts are little-endian */
    return device->cl->GetDeviceInfo(device->id, what, sizeof value, &value, NULL) ? 0 : value;
}

/* Whether f64 runs at half the rate of f32. Datacentre GPUs do; others run it at 1/16 to 1/64,
 * where the fp64-free form is the faster. */
static int has_fast_f64(const OpenclDevice *device)
{
    if (device->is_cpu)
        return 1;
    if (!strstr(device->platform_name, "NVIDIA"))
        return 0;
    const cl_ulong major = number_info(device, CL_DEVICE_COMPUTE_CAPABILITY_MAJOR_NV);
    const cl_ulong minor = number_info(device, CL_DEVICE_COMPUTE_CAPABILITY_MINOR_NV);
    return minor == 0 && major >= 6 && major <= 9;
}

static void describe(OpenclDevice *device)
{
    const cl_ulong needed_f64 = CL_FP_DENORM | CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST;
    text_info(device, CL_DEVICE_NAME, device->name, sizeof device->name);
    text_info(device, CL_DRIVER_VERSION, device->driver, sizeof device->driver);
    if (device->cl->GetPlatformInfo(device->platform, CL_PLATFORM_NAME,
                                    sizeof device->platform_name, device->platform_name, NULL))
        snprintf(device->platform_name, sizeof device->platform_name, "unknown");
    device->is_cpu = (number_info(device, CL_DEVICE_TYPE) & CL_DEVICE_TYPE_CPU) != 0;
    device->has_f64 = (number_info(device, CL_DEVICE_DOUBLE_FP_CONFIG) & needed_f64) == needed_f64;
    device->fast_f64 = device->has_f64 && has_fast_f64(device);
    device->correct_division = (number_info(device, CL_DEVICE_SINGLE_FP_CONFIG) &
                                CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT) != 0;
    device->memory = number_info(device, CL_DEVICE_GLOBAL_MEM_SIZE);
    device->largest_buffer = number_info(device, CL_DEVICE_MAX_MEM_ALLOC_SIZE);
    device->local_memory = number_info(device, CL_DEVICE_LOCAL_MEM_SIZE);
    device->largest_group = number_info(device, CL_DEVICE_MAX_WORK_GROUP_SIZE);
}

static void find_platform_devices(const OpenclApi *cl, cl_platform_id platform)
{
    cl_device_id ids[OPENCL_MAX_DEVICES];
    cl_uint found = 0;
    if (cl->GetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, OPENCL_MAX_DEVICES, ids, &found))
        return; /* a platform without devices */
    for (cl_uint i = 0; i < found && i < OPENCL_MAX_DEVICES && all.count < OPENCL_MAX_DEVICES;
         i++) {
        OpenclDevice *device = &all.device[all.count];
        *device =
            (OpenclDevice){.cl = cl, .platform = platform, .id = ids[i], .number = (int)all.count};
        pthread_mutex_init(&device->check_mutex, NULL);
        pthread_mutex_init(&device->program_mutex, NULL);
        describe(device);
        all.count++;
    }
}

static void find_devices(void)
{
    cl_platform_id platforms[OPENCL_MAX_DEVICES];
    cl_uint found = 0;
    const OpenclApi *cl = opencl_api(&all.failure);
    if (!cl)
        return;
    const cl_int code = cl->GetPlatformIDs(OPENCL_MAX_DEVICES, platforms, &found);
    for (cl_uint i = 0; !code && i < found && i < OPENCL_MAX_DEVICES; i++)
        find_platform_devices(cl, platforms[i]);
    if (!all.count)
        vqx_fail(&all.failure, VQX_ERROR_BACKEND, "there is no OpenCL device: %s",
                 code ? opencl_error_name(code) : "no installed driver offers one");
}

OpenclDevice *opencl_device_list(size_t *count, VqxError *error)
{
    pthread_once(&once, find_devices);
    *count = all.count;
    if (all.count)
        return all.device;
    vqx_fail(error, all.failure.status, "%s", all.failure.message);
    return NULL;
}

/* What can be told without running anything. */
static int check_properties(const OpenclDevice *device, VqxError *error)
{
    const cl_ulong f32 = number_info(device, CL_DEVICE_SINGLE_FP_CONFIG);
    const size_t local = sizeof(cl_float) * VIF_SCALE_TILE;
    if (!number_info(device, CL_DEVICE_AVAILABLE))
        return vqx_fail(error, VQX_ERROR_BACKEND, "the device is not available");
    if (!number_info(device, CL_DEVICE_COMPILER_AVAILABLE))
        return vqx_fail(error, VQX_ERROR_BACKEND, "the driver has no compiler");
    if (!number_info(device, CL_DEVICE_ENDIAN_LITTLE))
        return vqx_fail(error, VQX_ERROR_BACKEND, "the device is big-endian");
    if (!(f32 & CL_FP_DENORM))
        return vqx_fail(error, VQX_ERROR_BACKEND,
                        "the device does not keep subnormal numbers, so scores would differ");
    if (!(f32 & CL_FP_ROUND_TO_NEAREST) || !(f32 & CL_FP_INF_NAN))
        return vqx_fail(error, VQX_ERROR_BACKEND,
                        "the device does not round to nearest or has no infinities");
    if (device->largest_group < VIF_GROUP || device->local_memory < local)
        return vqx_fail(error, VQX_ERROR_BACKEND,
                        "the device has groups of %zu work-items and %llu bytes of local memory; "
                        "%d and %zu are needed",
                        device->largest_group, (unsigned long long)device->local_memory, VIF_GROUP,
                        local);
    return 0;
}

static int open_context(OpenclDevice *device, VqxError *error)
{
    const cl_context_properties properties[] = {CL_CONTEXT_PLATFORM,
                                                (cl_context_properties)device->platform, 0};
    cl_int code;
    if (device->context)
        return 0;
    device->context = device->cl->CreateContext(properties, 1, &device->id, NULL, NULL, &code);
    if (device->context)
        return 0;
    return vqx_fail(error, VQX_ERROR_BACKEND, "OpenCL on %s cannot be started: %s", device->name,
                    opencl_error_name(code));
}

/* A division that is promised and not kept is replaced, as one not promised is. */
static int check_device(OpenclDevice *device, VqxError *error)
{
    TilesForm form = {.native = 0, .soft_division = !device->correct_division};
    int status = check_properties(device, error);
    if (!status)
        status = open_context(device, error);
    if (!status)
        status = opencl_probe(device, form, error);
    if (status && device->context && device->correct_division) {
        form.soft_division = 1;
        device->correct_division = 0;
        status = opencl_probe(device, form, NULL) ? status : 0;
    }
    if (!status && device->has_f64) {
        form.native = 1;
        if (opencl_probe(device, form, NULL))
            device->has_f64 = device->fast_f64 = 0;
    }
    return status;
}

int opencl_device_check(OpenclDevice *device, VqxError *error)
{
    pthread_mutex_lock(&device->check_mutex);
    int status = device->checked ? 0 : check_device(device, error);
    device->checked = !status; /* a refusal may be want of memory, so the next call asks again */
    pthread_mutex_unlock(&device->check_mutex);
    return status;
}

static OpenclDevice *find_named(OpenclDevice *devices, size_t count, const TilesSetting *setting)
{
    size_t number;
    if (tiles_setting_number(setting, &number))
        return number < count ? &devices[number] : NULL;
    for (size_t i = 0; i < count; i++)
        if (strcasestr(devices[i].name, setting->name) ||
            strcasestr(devices[i].platform_name, setting->name))
            return &devices[i];
    return NULL;
}

static OpenclDevice *find_preferred(OpenclDevice *devices, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!devices[i].is_cpu && !opencl_device_check(&devices[i], NULL))
            return &devices[i];
    return &devices[0];
}

int opencl_device_choose(OpenclChoice *choice, const char *setting, VqxError *error)
{
    size_t count;
    OpenclDevice *devices = opencl_device_list(&count, error);
    TilesSetting wanted;
    *choice = (OpenclChoice){0};
    if (!devices)
        return VQX_ERROR_BACKEND;
    const int status = tiles_setting(&wanted, setting, error);
    if (status)
        return status;
    choice->soft_division = wanted.soft_division;
    choice->device =
        *wanted.name ? find_named(devices, count, &wanted) : find_preferred(devices, count);
    if (!choice->device)
        return vqx_fail(error, VQX_ERROR_BACKEND,
                        "there is no OpenCL device '%s'; a number from 0 to %zu is taken, or a "
                        "part of a platform's or device's name",
                        wanted.name, count - 1);
    VqxError reason;
    if (opencl_device_check(choice->device, &reason))
        return vqx_fail(error, reason.status, "%s: %s", choice->device->name, reason.message);
    return 0;
}

static void list_device(VqxDevice *out, OpenclDevice *device)
{
    VqxError reason;
    *out = (VqxDevice){.backend = "opencl"};
    /* A CPU is never chosen by `auto`, so its self-test can wait until it is opened: `auto` asks
     * for this list at every start. */
    out->available = !(device->is_cpu ? check_properties(device, &reason)
                                      : opencl_device_check(device, &reason));
    out->automatic = out->available && !device->is_cpu;
    snprintf(out->device, sizeof out->device, "%d", device->number);
    snprintf(out->name, sizeof out->name, "%s", device->name);
    snprintf(out->driver, sizeof out->driver, "%s", device->driver);
    snprintf(out->detail, sizeof out->detail, "%s, %llu MiB, %s, %s", device->platform_name,
             (unsigned long long)(device->memory >> 20),
             !device->has_f64   ? "no f64"
             : device->fast_f64 ? "f64"
                                : "f64 (slow: fp64-free form)",
             device->correct_division ? "correctly rounded division" : "division in software");
    if (!out->available)
        snprintf(out->reason, sizeof out->reason, "%.*s", (int)sizeof out->reason - 1,
                 reason.message);
}

size_t opencl_devices(VqxDevice *devices, size_t capacity)
{
    size_t count;
    VqxError reason;
    OpenclDevice *found = opencl_device_list(&count, &reason);
    if (!found) {
        if (capacity) {
            devices[0] = (VqxDevice){.backend = "opencl"};
            snprintf(devices[0].reason, sizeof devices[0].reason, "%.*s",
                     (int)sizeof devices[0].reason - 1, reason.message);
        }
        return 1;
    }
    for (size_t i = 0; i < count && i < capacity; i++)
        list_device(&devices[i], &found[i]);
    return count;
}
