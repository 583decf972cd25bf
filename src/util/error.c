/* Filling in a VqxError. What a message quotes (names of files, values) may hold any bytes; the message holds one line of
 * UTF-8, so that it can be shown on a terminal and kept in a log. */
#include "util/error.h"

#include <stdarg.h>
#include <stdio.h>

/* Two bytes: the least after each first byte that would leave room for a longer form than is needed (E0, F0) or for a C1
 * control (C2), and the most before surrogates (ED) and the end of Unicode (F4). */
static int second_fits(unsigned first, unsigned second)
{
    const unsigned least = first == 0xE0 || first == 0xC2 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
    const unsigned most = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
    return second >= least && second <= most;
}

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
    if (length > 1 && !second_fits(first, text[1]))
        return 0;
    for (size_t i = 2; i < length; i++)
        if ((text[i] & 0xC0) != 0x80)
            return 0;
    return length;
}

void vqx_make_printable(char *text)
{
    for (unsigned char *at = (unsigned char *)text; *at;) {
        const size_t length = sequence_length(at);
        if (!length)
            *at = '?';
        at += length ? length : 1;
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
        vqx_make_printable(error->message);
    }
    return status;
}
