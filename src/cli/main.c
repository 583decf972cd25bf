/* The command vqx: finds the command that is meant and runs it. */
#include "cli/command.h"

#include "vqx.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

const Command command_table[] = {
    {"score", "[flags] REFERENCE DISTORTED", "score a pair of videos", command_score},
    {"parity", "REF DIS | --self-test", "compare every backend and device, bit by bit",
     command_parity},
    {"compare", "A.json B.json", "compare two JSON reports, value by value", command_compare},
    {"devices", "[--json FILE]", "list backends, devices, and what is missing", command_devices},
    {"bench", "[flags] [REFERENCE DISTORTED]", "measure how fast a device scores", command_bench},
    {"help", "", "print this", command_help},
};
const int command_count = sizeof command_table / sizeof *command_table;

int command_status(int vqx_status)
{
    switch (vqx_status) {
    case VQX_OK:
        return EXIT_DONE;
    case VQX_ERROR_SIZE:
        return EXIT_INPUT;
    case VQX_ERROR_MEMORY:
        return EXIT_MEMORY;
    case VQX_ERROR_BACKEND:
        return EXIT_BACKEND;
    default:
        return EXIT_USAGE;
    }
}

int command_input_status(int vqx_status)
{
    return vqx_status == VQX_ERROR_MEMORY ? EXIT_MEMORY : EXIT_INPUT;
}

int command_finish_output(int status)
{
    if (!fflush(stdout) && !ferror(stdout))
        return status;
    fprintf(stderr, "vqx: standard output: could not be written (%s); redirect it to a file\n",
            strerror(errno));
    return EXIT_OUTPUT;
}

/* A file opened while one of the three standard descriptors is closed would become that one. What is opened in the place
 * of a closed output refuses writes, so that they are noticed. */
static void fill_standard_descriptors(void)
{
    for (int descriptor = 0; descriptor < 3; descriptor++)
        if (fcntl(descriptor, F_GETFD) < 0)
            (void)!open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

int main(int argc, char **argv)
{
    fill_standard_descriptors();
    signal(SIGPIPE, SIG_IGN); /* a reader that left is a write error, reported as one; */
    signal(SIGXFSZ, SIG_IGN); /* so is a file that may not grow */
    if (argc < 2) {
        fputs("vqx: nothing to score; 'vqx REFERENCE DISTORTED' scores a pair, 'vqx help' tells "
              "more\n",
              stderr);
        return EXIT_USAGE;
    }
    for (int i = 0; i < command_count; i++)
        if (!strcmp(argv[1], command_table[i].name))
            return command_table[i].run(argc - 1, argv + 1);
    return command_score(argc, argv);
}
