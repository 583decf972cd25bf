/* Filling in a VqxError. What a message quotes (names of files, values) may hold any bytes; the message holds one line of
 * UTF-8, so that it can be shown on a terminal and kept in a log. */
#include "util/error.h"

#include <stdarg.h>
#include <stdio.h>

/* The length of the UTF-8 sequence at `text`; 0: it is none, or a control character. */
static size_t sequence_length(const unsigned char *text)
{
    const unsigned first = text[0];
    const int ascii = first >= 0x20 && first < 0x7F;
    const size_t length = ascii                            ? 1
                          : first >= 0xC2 && first <= 0xDF ? 2
                          : first >= 0xE0 && first <= 0xEF ? 3
                          : first >= 0xF0 && first <= 0xF4 ? 4
                                                           : 0;
    for (size_t i = 1; i < length; i++)
        if ((text[i] & 0xC0) != 0x80)
            return 0;
    return length;
}

static void make_printable(char *message)
{
    for (unsigned char *text = (unsigned char *)message; *text;) {
        const size_t length = sequence_length(text);
        if (!length)
            *text = '?';
        text += length ? length : 1;
    }
}

int vqx_fail(VqxError *error, int status, const char *format, ...)
{
    if (error) {
        va_list args;
        va_start(args, format);
        error->status = status;
        vsnprintf(error->message, sizeof error->message, format, args);
        va_end(args);
        make_printable(error->message);
    }
    return status;
}
