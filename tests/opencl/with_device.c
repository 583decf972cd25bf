/*
 * Runs a test where an OpenCL device is there, and skips it with the reason where it is not.
 *
 *   with_device NAME MODULES COMMAND...
 *
 * NAME is part of a platform's name. Drivers keep caches of compiled kernels under $HOME; PoCL's goes where
 * POCL_CACHE_DIR says, which the tests set.
 */
#include "backend/backend.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { SKIPPED = 77, MOST_DEVICES = 16 };

static const VqxBackend *find_backend(const char *modules, VqxError *error)
{
    for (size_t i = 0; i < vqx_backend_count(); i++)
        if (!strcmp(vqx_backend_name(i), "opencl"))
            return vqx_backend_get(i, modules, error);
    return NULL;
}

int main(int argc, char **argv)
{
    VqxDevice devices[MOST_DEVICES];
    VqxError error;
    if (argc < 4) {
        fprintf(stderr, "usage: with_device NAME MODULES COMMAND...\n");
        return 2;
    }
    const VqxBackend *backend = find_backend(argv[2], &error);
    if (!backend) {
        printf("skipped: the OpenCL module: %s\n", error.message);
        return SKIPPED;
    }
    const size_t found = backend->devices(devices, MOST_DEVICES);
    for (size_t i = 0; i < found && i < MOST_DEVICES; i++) {
        if (!strstr(devices[i].detail, argv[1]))
            continue;
        execv(argv[3], argv + 3);
        fprintf(stderr, "%s cannot be run\n", argv[3]);
        return 2;
    }
    printf("skipped: no OpenCL device of %s is here%s%s\n", argv[1],
           devices[0].reason[0] ? ": " : "", devices[0].reason);
    return SKIPPED;
}
