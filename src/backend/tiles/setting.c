/* Takes a device setting apart. */
#include "backend/tiles/setting.h"

#include "util/error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SOFT_DIVISION_SUFFIX "+soft-division"

int tiles_setting(TilesSetting *out, const char *setting, VqxError *error)
{
    *out = (TilesSetting){0};
    snprintf(out->name, sizeof out->name, "%s", setting ? setting : "");
    char *suffix = strchr(out->name, '+');
    out->soft_division = suffix && !strcmp(suffix, SOFT_DIVISION_SUFFIX);
    if (suffix && !out->soft_division)
        return vqx_fail(error, VQX_ERROR_OPTION,
                        "'%s' is not understood after a device; " SOFT_DIVISION_SUFFIX " is",
                        suffix);
    if (suffix)
        *suffix = '\0';
    return 0;
}

int tiles_setting_number(const TilesSetting *setting, size_t *number)
{
    char *end;
    *number = strtoul(setting->name, &end, 10);
    return end != setting->name && !*end;
}
