/*
 * What the fuzz targets share. A target is LLVMFuzzerTestOneInput in a file of its own; libFuzzer runs it on inputs it
 * invents, replay.c on files.
 */
#ifndef VQX_TESTS_FUZZ_H
#define VQX_TESTS_FUZZ_H

#include "media/media.h"
#include "vqx.h"

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv);

/* An input, taken apart from its start; zeros follow its end. */
typedef struct Input {
    const uint8_t *data;
    size_t size;
} Input;

uint8_t input_byte(Input *input);
uint16_t input_word(Input *input);
double input_double(Input *input); /* any bits */

/* What the library promises; a promise broken ends the process. */
#define FUZZ_CHECK(condition) fuzz_check(condition, #condition, __FILE__, __LINE__)
void fuzz_check(int holds, const char *condition, const char *file, int line);

/* A failure's status and sentence are as vqx.h promises: UTF-8, no control character, not empty. */
void fuzz_check_error(int status, const VqxError *error);

enum { FUZZ_PATH = 64 };

/* A name under which the bytes can be opened and read, as a regular file or as a pipe. Returns a descriptor to close
 * afterwards. */
int fuzz_file(char path[FUZZ_PATH], const uint8_t *bytes, size_t size);
int fuzz_pipe(char path[FUZZ_PATH], const uint8_t *bytes, size_t size);

/* media.c: reads the bytes as a file and as a pipe; both must give the same frames and the same end. */
void fuzz_media(const VqxMediaOptions *options, const uint8_t *bytes, size_t size);

#endif
