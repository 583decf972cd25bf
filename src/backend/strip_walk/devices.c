/* Reading `--device`: which of the devices present it names. */
#include "backend/strip_walk/engine.h"

#include "util/error.h"

#include <stdlib.h>
#include <string.h>

/* The numbers of a list such as "0,1". */
static int parse_list(int *numbers, unsigned *count, const char *text, int present, VqxError *error)
{
    const char *at = text;
    for (*count = 0; *count < STRIP_MAX_DEVICES; at++) {
        char *end;
        const long n = strtol(at, &end, 10);
        if (end == at || *at < '0' || *at > '9' || n >= present)
            break;
        numbers[(*count)++] = (int)n;
        if (*end == '\0')
            return 0;
        if (*end != ',')
            break;
        at = end;
    }
    return vqx_fail(error, VQX_ERROR_OPTION,
                    "device '%.60s': must be 'all' or numbers from 0 to %d with commas between",
                    text, present - 1);
}

int strip_device_list(int numbers[STRIP_MAX_DEVICES], unsigned *count, const char *text,
                      int present, VqxError *error)
{
    if (text && strcmp(text, "all") != 0)
        return parse_list(numbers, count, text, present, error);
    *count = !text ? 1 : present < STRIP_MAX_DEVICES ? (unsigned)present : STRIP_MAX_DEVICES;
    for (unsigned i = 0; i < *count; i++)
        numbers[i] = (int)i;
    return 0;
}
