/* `vqx compare`: the input is two reports with a zero between; without one, a report and itself. */
#include "cli/command.h"
#include "fuzz/fuzz.h"

#include <string.h>
#include <unistd.h>

static int compare(char *a, char *b)
{
    char name[] = "compare";
    char *arguments[] = {name, a, b, NULL};
    return command_compare(3, arguments);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[2][FUZZ_PATH];
    const uint8_t *zero = memchr(data, 0, size);
    const size_t first = zero ? (size_t)(zero - data) : size;
    const int a = fuzz_file(path[0], data, first);
    const int b =
        zero ? fuzz_file(path[1], zero + 1, size - first - 1) : fuzz_file(path[1], data, size);
    const int status = compare(path[0], path[1]);
    FUZZ_CHECK(status == EXIT_DONE || status == EXIT_DIFFERENT || status == EXIT_INPUT);
    FUZZ_CHECK(status == compare(path[1], path[0]));
    const int itself = compare(path[0], path[0]);
    FUZZ_CHECK(itself == EXIT_DONE || itself == EXIT_INPUT);
    FUZZ_CHECK(itself == EXIT_DONE || status == EXIT_INPUT);
    close(a);
    close(b);
    return 0;
}
