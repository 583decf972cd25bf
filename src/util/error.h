/* Filling in a VqxError. */
#ifndef VQX_UTIL_ERROR_H
#define VQX_UTIL_ERROR_H

#include "vqx.h"

/* Writes status and the formatted sentence (cut to fit) into *error, if error is not NULL; returns
 * status. */
int vqx_fail(VqxError *error, int status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Makes one line of UTF-8 without control characters of any bytes, in place: whatever is not of that becomes '?'. */
void vqx_make_printable(char *text);

#endif
