/* The version, and the list of devices over all backends. */
#include "backend/backend.h"

#include <stdio.h>

const char *vqx_version(void)
{
    return VQX_VERSION_STRING;
}

static VqxDevice absent(const char *backend, const char *reason)
{
    VqxDevice device = {.available = 0};
    snprintf(device.backend, sizeof device.backend, "%s", backend);
    snprintf(device.reason, sizeof device.reason, "%.255s", reason);
    return device;
}

size_t vqx_devices(VqxDevice *devices, size_t capacity, const char *module_folder)
{
    size_t count = 0;
    for (size_t i = 0; i < vqx_backend_count(); i++) {
        VqxError reason = {0};
        const VqxBackend *backend = vqx_backend_get(i, module_folder, &reason);
        const size_t room = count < capacity ? capacity - count : 0;
        if (backend) {
            count += backend->devices(room ? devices + count : NULL, room);
        } else {
            if (room)
                devices[count] = absent(vqx_backend_name(i), reason.message);
            count++;
        }
    }
    return count;
}
