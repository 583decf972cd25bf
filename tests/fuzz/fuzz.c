#include "fuzz/fuzz.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PIPE_BYTES = 65536 }; /* what a pipe holds before its writer waits */

/* Standard output is the command's: what it prints there is not looked at. */
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    return freopen("/dev/null", "w", stdout) ? 0 : 1;
}

uint8_t input_byte(Input *input)
{
    if (!input->size)
        return 0;
    input->size--;
    return *input->data++;
}

uint16_t input_word(Input *input)
{
    const unsigned low = input_byte(input);
    return (uint16_t)(low | (unsigned)input_byte(input) << 8);
}

double input_double(Input *input)
{
    uint64_t bits = 0;
    double value;
    for (int i = 0; i < 4; i++)
        bits |= (uint64_t)input_word(input) << (16 * i);
    memcpy(&value, &bits, sizeof value);
    return value;
}

void fuzz_check(int holds, const char *condition, const char *file, int line)
{
    if (holds)
        return;
    fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, condition);
    abort();
}

/* The length of the UTF-8 sequence at `text`, 0 if there is none; a control character is none. */
static size_t sequence_length(const unsigned char *text)
{
    const unsigned first = *text;
    const size_t length = first < 0x80                    ? 1
                          : first >= 0xC2 && first < 0xE0 ? 2
                          : first >= 0xE0 && first < 0xF0 ? 3
                          : first >= 0xF0 && first < 0xF5 ? 4
                                                          : 0;
    if (first < 0x20 || first == 0x7F)
        return 0;
    for (size_t i = 1; i < length; i++)
        if ((text[i] & 0xC0) != 0x80)
            return 0;
    return length;
}

void fuzz_check_error(int status, const VqxError *error)
{
    FUZZ_CHECK(status < 0 && status >= VQX_ERROR_AGAIN && status == error->status);
    FUZZ_CHECK(memchr(error->message, 0, sizeof error->message) != NULL && error->message[0]);
    const unsigned char *text = (const unsigned char *)error->message;
    while (*text) {
        const size_t length = sequence_length(text);
        FUZZ_CHECK(length > 0);
        text += length;
    }
}

static void write_all(int descriptor, const uint8_t *bytes, size_t size)
{
    while (size) {
        const ssize_t written = write(descriptor, bytes, size);
        if (written <= 0) {
            perror("write");
            exit(2);
        }
        bytes += written;
        size -= (size_t)written;
    }
}

static void name_descriptor(char path[FUZZ_PATH], int descriptor)
{
    if (descriptor < 0) {
        perror("no descriptor");
        exit(2);
    }
    snprintf(path, FUZZ_PATH, "/proc/self/fd/%d", descriptor);
}

int fuzz_file(char path[FUZZ_PATH], const uint8_t *bytes, size_t size)
{
    const int descriptor = memfd_create("fuzz", MFD_CLOEXEC);
    name_descriptor(path, descriptor);
    write_all(descriptor, bytes, size);
    return descriptor;
}

int fuzz_pipe(char path[FUZZ_PATH], const uint8_t *bytes, size_t size)
{
    int ends[2] = {-1, -1};
    if (pipe2(ends, O_CLOEXEC))
        perror("pipe");
    name_descriptor(path, ends[0]);
    write_all(ends[1], bytes, size < PIPE_BYTES ? size : PIPE_BYTES);
    close(ends[1]);
    return ends[0];
}
