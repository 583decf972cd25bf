/* `vqx devices`: every backend, its devices, and what is missing where there is none. */
#include "cli/command.h"

#include "cli/console.h"
#include "cli/settings.h"
#include "report/target.h"
#include "report/text.h"
#include "util/error.h"
#include "vqx.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct DevicesCommand {
    const char *modules, *json;
    int help;
    VqxDevice *devices;
    size_t count;
} DevicesCommand;

static void print_device(FILE *out, const VqxDevice *device)
{
    if (!device->available) {
        fprintf(out, "%-8s %-6s not available: %s\n", device->backend, "-", device->reason);
        return;
    }
    fprintf(out, "%-8s %-6s %s%s%s%s%s%s\n", device->backend, device->device, device->name,
            *device->driver ? ", driver " : "", device->driver, *device->detail ? ", " : "",
            device->detail, device->automatic ? "" : " (only when named)");
}

static void print_table(const DevicesCommand *command, FILE *out)
{
    fprintf(out, "%-8s %-6s %s\n", "backend", "device", "");
    for (size_t i = 0; i < command->count; i++)
        print_device(out, &command->devices[i]);
}

static void json_member(FILE *file, const char *key, const char *text)
{
    fprintf(file, ", \"%s\": ", key);
    report_json_string(file, text);
}

static void json_device(FILE *file, const VqxDevice *device)
{
    fputs("    {\"backend\": ", file);
    report_json_string(file, device->backend);
    fprintf(file, ", \"available\": %s", device->available ? "true" : "false");
    if (!device->available) {
        json_member(file, "reason", device->reason);
    } else {
        json_member(file, "device", device->device);
        json_member(file, "name", device->name);
        json_member(file, "driver", device->driver);
        json_member(file, "detail", device->detail);
        fprintf(file, ", \"automatic\": %s", device->automatic ? "true" : "false");
    }
    fputs("}", file);
}

static int write_json(const DevicesCommand *command, ReportTarget *target, VqxError *error)
{
    FILE *file = report_target_open(target, error);
    if (!file)
        return -1;
    fprintf(file, "{\n  \"version\": \"%s\",\n  \"devices\": [\n", vqx_version());
    for (size_t i = 0; i < command->count; i++) {
        json_device(file, &command->devices[i]);
        fputs(i + 1 < command->count ? ",\n" : "\n", file);
    }
    fputs("  ]\n}\n", file);
    return report_target_close(target, 0, error);
}

static int parse(DevicesCommand *command, int argc, char **argv, VqxError *error)
{
    for (int i = 1; i < argc; i++) {
        const char *const flag = argv[i];
        const char *value = "";
        if (settings_own_flag("--modules", &i, argc, argv, &value))
            command->modules = value;
        else if (settings_own_flag("--json", &i, argc, argv, &value))
            command->json = value;
        else if (!strcmp(flag, "--help"))
            command->help = 1;
        else
            return vqx_fail(error, VQX_ERROR_OPTION,
                            "devices: '%.100s' is not accepted; it takes nothing, --modules FOLDER "
                            "or --json FILE",
                            flag);
        if (!value)
            return vqx_fail(error, VQX_ERROR_OPTION, "%.100s needs a value", flag);
    }
    return 0;
}

static int list(DevicesCommand *command, VqxError *error)
{
    const size_t room = vqx_devices(NULL, 0, command->modules);
    command->devices = calloc(room + 1, sizeof *command->devices);
    if (!command->devices)
        return vqx_fail(error, VQX_ERROR_MEMORY, "out of memory");
    const size_t found = vqx_devices(command->devices, room, command->modules);
    command->count = found < room ? found : room;
    return 0;
}

/* Standard output is the table's, or the JSON's alone where that is asked for there. */
static int run(DevicesCommand *command, VqxError *error)
{
    ReportTarget target = {0};
    if (command->json && report_target_init(&target, command->json, error))
        return EXIT_OUTPUT;
    int status = list(command, error) ? EXIT_MEMORY : EXIT_DONE;
    if (!status && !(command->json && report_target_is_descriptor(&target, STDOUT_FILENO)))
        print_table(command, stdout);
    if (!status && command->json && write_json(command, &target, error))
        status = EXIT_OUTPUT;
    report_target_free(&target);
    free(command->devices);
    return status;
}

int command_devices(int argc, char **argv)
{
    DevicesCommand command = {0};
    Console console;
    VqxError error = {0};
    console_init(&console, 0);
    int status = parse(&command, argc, argv, &error) ? EXIT_USAGE : EXIT_DONE;
    if (!status && command.help)
        return command_help(0, NULL);
    if (!status)
        status = run(&command, &error);
    if (status)
        console_error(&console, "%s", error.message);
    return command_finish_output(status);
}
