#include "report/text.h"

#include <stdint.h>

static const char replacement[] = "\xEF\xBF\xBD"; /* U+FFFD */

/* The number of bytes of the valid UTF-8 character at text, whose code point goes to *code; 0 if
 * there is none. */
static int character(const unsigned char *text, uint32_t *code)
{
    static const uint32_t least[5] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned first = text[0];
    const int bytes = first < 0x80             ? 1
                      : (first & 0xE0) == 0xC0 ? 2
                      : (first & 0xF0) == 0xE0 ? 3
                      : (first & 0xF8) == 0xF0 ? 4
                                               : 0;
    *code = bytes == 1 ? first : first & (0x7Fu >> bytes);
    for (int i = 1; i < bytes; i++) {
        if ((text[i] & 0xC0) != 0x80)
            return 0;
        *code = *code << 6 | (text[i] & 0x3Fu);
    }
    const int surrogate = *code >= 0xD800 && *code <= 0xDFFF;
    return *code < least[bytes] || surrogate || *code > 0x10FFFF ? 0 : bytes;
}

static void json_character(FILE *file, uint32_t code, const char *bytes, int count)
{
    if (code < 0x20)
        fprintf(file, "\\u%04X", (unsigned)code);
    else if (code == '"' || code == '\\')
        fprintf(file, "\\%c", (int)code);
    else
        fwrite(bytes, 1, (size_t)count, file);
}

static void xml_character(FILE *file, uint32_t code, const char *bytes, int count)
{
    if (code == '&' || code == '<' || code == '>' || code == '"' || code == '\t' || code == '\n' ||
        code == '\r')
        fprintf(file, "&#%u;", (unsigned)code);
    else if (code < 0x20 || code == 0xFFFE || code == 0xFFFF)
        fputs(replacement, file);
    else
        fwrite(bytes, 1, (size_t)count, file);
}

static void quoted(FILE *file, const char *text,
                   void (*put)(FILE *file, uint32_t code, const char *bytes, int count))
{
    fputc('"', file);
    while (*text) {
        uint32_t code;
        const int bytes = character((const unsigned char *)text, &code);
        if (bytes)
            put(file, code, text, bytes);
        else
            fputs(replacement, file);
        text += bytes ? bytes : 1;
    }
    fputc('"', file);
}

void report_json_string(FILE *file, const char *text)
{
    quoted(file, text, json_character);
}

void report_xml_attribute(FILE *file, const char *text)
{
    quoted(file, text, xml_character);
}
