/* Finds devices, asks what they can do, and tells which are refused. */
#include "backend/metal/devices.h"

#include "backend/metal/kernels.h"
#include "backend/tiles/setting.h"
#include "kernels/tiles/args.h"
#include "util/error.h"

#include <stdio.h>
#include <string.h>

/* What a process knows of its devices; filled once. */
static struct {
    MetalDevice device[METAL_MAX_DEVICES];
    size_t count;
} all;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/*
 * https://developer.apple.com/documentation/metal/mtldevice/name
 * https://developer.apple.com/documentation/metal/mtldevice/recommendedmaxworkingsetsize
 * https://developer.apple.com/documentation/metal/mtldevice/maxbufferlength
 * https://developer.apple.com/documentation/foundation/processinfo/operatingsystemversionstring
 */
static void describe(MetalDevice *device, id<MTLDevice> from, int number)
{
    NSString *system = [[NSProcessInfo processInfo] operatingSystemVersionString];
    device->device = from;
    device->number = number;
    device->correct_division = 1; /* until the probe says otherwise */
    device->memory = from.recommendedMaxWorkingSetSize;
    device->largest_buffer = from.maxBufferLength;
    device->pipelines = [NSMutableDictionary new];
    snprintf(device->name, sizeof device->name, "%s", from.name.UTF8String);
    snprintf(device->driver, sizeof device->driver, "macOS %.100s", system.UTF8String);
    pthread_mutex_init(&device->check_mutex, NULL);
    pthread_mutex_init(&device->pipeline_mutex, NULL);
}

/* https://developer.apple.com/documentation/metal/mtlcopyalldevices() */
static void find_devices(void)
{
    @autoreleasepool {
        NSArray<id<MTLDevice>> *found = MTLCopyAllDevices();
        for (NSUInteger i = 0; i < found.count && i < METAL_MAX_DEVICES; i++)
            describe(&all.device[all.count++], [found objectAtIndex:i], (int)i);
    }
}

MetalDevice *metal_device_list(size_t *count, VqxError *error)
{
    pthread_once(&once, find_devices);
    *count = all.count;
    if (all.count)
        return all.device;
    vqx_fail(error, VQX_ERROR_BACKEND, "there is no Metal device");
    return NULL;
}

/*
 * What can be told without running anything. Memory that the processor and the GPU do not share
 * (Macs with Intel processors) has never been thought through here.
 *
 * https://developer.apple.com/documentation/metal/mtldevice/hasunifiedmemory
 * https://developer.apple.com/documentation/metal/mtldevice/maxthreadgroupmemorylength
 * https://developer.apple.com/documentation/metal/mtldevice/maxthreadsperthreadgroup
 */
static int check_properties(const MetalDevice *device, VqxError *error)
{
    const size_t local = sizeof(float) * VIF_SCALE_TILE;
    const NSUInteger has_local = device->device.maxThreadgroupMemoryLength;
    const NSUInteger threads = device->device.maxThreadsPerThreadgroup.width;
    if (!device->device.hasUnifiedMemory)
        return vqx_fail(error, VQX_ERROR_BACKEND,
                        "the device does not share the processor's memory; Apple's own do");
    if (threads < VIF_GROUP || has_local < local)
        return vqx_fail(error, VQX_ERROR_BACKEND,
                        "the device has groups of %lu threads and %lu bytes of threadgroup "
                        "memory; %d and %zu are needed",
                        (unsigned long)threads, (unsigned long)has_local, VIF_GROUP, local);
    return 0;
}

/* Division is replaced where the self-test finds it wrong; everything else it finds refuses the
 * device. */
static int check_device(MetalDevice *device, VqxError *error)
{
    TilesForm form = {.native = 0, .soft_division = 0};
    int status = check_properties(device, error);
    if (status)
        return status;
    /* https://developer.apple.com/documentation/metal/mtldevice/makecommandqueue() */
    device->queue = [device->device newCommandQueue];
    if (!device->queue)
        return vqx_fail(error, VQX_ERROR_BACKEND, "the device gives no command queue");
    status = metal_probe(device, form, error);
    if (status) {
        form.soft_division = 1;
        device->correct_division = 0;
        status = metal_probe(device, form, NULL) ? status : 0;
    }
    return status;
}

static int device_check(MetalDevice *device, VqxError *error)
{
    pthread_mutex_lock(&device->check_mutex);
    if (!device->checked) {
        @autoreleasepool {
            check_device(device, &device->refusal);
        }
    }
    device->checked = 1;
    pthread_mutex_unlock(&device->check_mutex);
    if (!device->refusal.status)
        return 0;
    return vqx_fail(error, device->refusal.status, "%s", device->refusal.message);
}

static MetalDevice *find_named(MetalDevice *devices, size_t count, const TilesSetting *setting)
{
    size_t number;
    if (tiles_setting_number(setting, &number))
        return number < count ? &devices[number] : NULL;
    for (size_t i = 0; i < count; i++)
        if (strcasestr(devices[i].name, setting->name))
            return &devices[i];
    return NULL;
}

static MetalDevice *find_preferred(MetalDevice *devices, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!device_check(&devices[i], NULL))
            return &devices[i];
    return &devices[0];
}

int metal_device_choose(MetalChoice *choice, const char *setting, VqxError *error)
{
    size_t count;
    MetalDevice *devices = metal_device_list(&count, error);
    TilesSetting wanted;
    VqxError reason;
    *choice = (MetalChoice){0};
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
                        "there is no Metal device '%s'; a number from 0 to %zu is taken, or a part "
                        "of a device's name",
                        wanted.name, count - 1);
    if (device_check(choice->device, &reason))
        return vqx_fail(error, reason.status, "%s: %s", choice->device->name, reason.message);
    return 0;
}

static void list_device(VqxDevice *out, MetalDevice *device)
{
    VqxError reason;
    *out = (VqxDevice){.backend = "metal"};
    out->available = out->automatic = !device_check(device, &reason);
    snprintf(out->device, sizeof out->device, "%d", device->number);
    snprintf(out->name, sizeof out->name, "%s", device->name);
    snprintf(out->driver, sizeof out->driver, "%s", device->driver);
    snprintf(out->detail, sizeof out->detail, "%llu MiB, no f64, %s",
             (unsigned long long)(device->memory >> 20),
             device->correct_division ? "correctly rounded division" : "division in software");
    if (!out->available)
        snprintf(out->reason, sizeof out->reason, "%.*s", (int)sizeof out->reason - 1,
                 reason.message);
}

size_t metal_devices(VqxDevice *devices, size_t capacity)
{
    size_t count;
    VqxError reason;
    MetalDevice *found = metal_device_list(&count, &reason);
    if (!found) {
        if (capacity) {
            devices[0] = (VqxDevice){.backend = "metal"};
            snprintf(devices[0].reason, sizeof devices[0].reason, "%.*s",
                     (int)sizeof devices[0].reason - 1, reason.message);
        }
        return 1;
    }
    for (size_t i = 0; i < count && i < capacity; i++)
        list_device(&devices[i], &found[i]);
    return count;
}
