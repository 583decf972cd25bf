/* A module of another build: its ABI number is the next one. Nothing of it may be called. */
#include "backend/backend.h"

#include <stdlib.h>

static size_t never(VqxDevice *devices, size_t capacity)
{
    (void)devices;
    (void)capacity;
    abort();
}

VQX_API const VqxBackend *vqx_backend_module(void);

const VqxBackend *vqx_backend_module(void)
{
    static const VqxBackend backend = {
        .abi = VQX_BACKEND_ABI + 1, .name = "sycl", .description = "another", .devices = never};
    return &backend;
}
