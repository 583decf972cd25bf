/* The kernels of each target: code objects from kernels.hip in parts, embedded. */
#include "backend/hip/hip.h"

#include "util/error.h"

#include <stdio.h>
#include <string.h>

#define HIP_TARGET(target)                                                                    \
    extern const char vqx_hip_##target##_1[], vqx_hip_##target##_2[], vqx_hip_##target##_3[], \
        vqx_hip_##target##_4[], vqx_hip_##target##_5[];
#include "hip_targets.h"
#undef HIP_TARGET

static const struct Embedded {
    const char *target;
    const void *images[STRIP_PARTS];
} embedded[] = {
#define HIP_TARGET(target)                                                                    \
    {#target,                                                                                 \
     {vqx_hip_##target##_1, vqx_hip_##target##_2, vqx_hip_##target##_3, vqx_hip_##target##_4, \
      vqx_hip_##target##_5}},
#include "hip_targets.h"
#undef HIP_TARGET
};

int hip_images(StripDevice *device, const VqxLog *log, VqxError *error)
{
    char target[HIP_TARGET_NAME], message[160];
    hip_target(target, device->number);
    for (size_t i = 0; i < sizeof embedded / sizeof embedded[0]; i++) {
        if (!strcmp(embedded[i].target, target)) {
            memcpy(device->images, embedded[i].images, sizeof device->images);
            return 0;
        }
    }
    snprintf(message, sizeof message,
             "device %d is a %s, for which no kernels are embedded: hiprtc compiles them now",
             device->number, target);
    if (log->write)
        log->write(log->opaque, VQX_LOG_INFO, message);
    return hip_compile(device->images, target, error);
}
