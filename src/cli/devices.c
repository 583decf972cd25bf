/* `vqx devices`: every backend, its devices, and what is missing where there is none. */
#include "cli/command.h"

#include "vqx.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_device(const VqxDevice *device)
{
    if (!device->available) {
        printf("%-8s %-6s not available: %s\n", device->backend, "-", device->reason);
        return;
    }
    printf("%-8s %-6s %s%s%s%s%s%s\n", device->backend, device->device, device->name,
           *device->driver ? ", driver " : "", device->driver, *device->detail ? ", " : "",
           device->detail, device->automatic ? "" : " (only when named)");
}

int command_devices(int argc, char **argv)
{
    const char *modules = NULL;
    if (argc == 3 && !strcmp(argv[1], "--modules")) {
        modules = argv[2];
    } else if (argc == 2 && !strcmp(argv[1], "--help")) {
        return command_help(0, NULL);
    } else if (argc != 1) {
        fprintf(stderr,
                "vqx: devices: '%s' is not accepted; it takes nothing, or --modules FOLDER\n",
                argv[1]);
        return EXIT_USAGE;
    }
    const size_t room = vqx_devices(NULL, 0, modules);
    VqxDevice *devices = calloc(room + 1, sizeof *devices);
    if (!devices) {
        fputs("vqx: out of memory\n", stderr);
        return EXIT_MEMORY;
    }
    const size_t found = vqx_devices(devices, room, modules);
    printf("%-8s %-6s %s\n", "backend", "device", "");
    for (size_t i = 0; i < found && i < room; i++)
        print_device(&devices[i]);
    free(devices);
    return command_finish_output(EXIT_DONE);
}
