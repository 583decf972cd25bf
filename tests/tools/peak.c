/*
 * peak COMMAND...: runs a command and prints its peak resident memory in bytes; exits as it does.
 *
 * A program of its own because a process starts with the peak of whoever forked it, and a script interpreter's is larger
 * than what is measured.
 */
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int status;
    struct rusage usage;
    const pid_t child = argc > 1 ? fork() : -1;
    if (child < 0)
        return 127;
    if (child == 0) {
        execvp(argv[1], argv + 1);
        _exit(127);
    }
    if (wait4(child, &status, 0, &usage) != child)
        return 127;
    printf("%ld\n", usage.ru_maxrss * 1024);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 126;
}
