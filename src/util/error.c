/* Filling in a VqxError. */
#include "util/error.h"

#include <stdarg.h>
#include <stdio.h>

int vqx_fail(VqxError *error, int status, const char *format, ...)
{
    if (error) {
        va_list args;
        va_start(args, format);
        error->status = status;
        vsnprintf(error->message, sizeof error->message, format, args);
        va_end(args);
    }
    return status;
}
