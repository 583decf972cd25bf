/* A gate that runs less than it should must not pass. */
#include "parity/required.h"

#include "util/error.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

static int has_run(const ParityRunners *runners, const char *backend, const char *word)
{
    const size_t length = strlen(word);
    for (size_t i = 0; i < runners->count; i++) {
        const ParityRunner *r = &runners->runner[i];
        const int begins = !strncmp(r->detail, word, length);
        const int whole = !length || r->detail[length] == ',' || !r->detail[length];
        if (!strcmp(r->backend, backend) && begins && whole && r->values && !r->error[0])
            return 1;
    }
    return 0;
}

/* The list, open, after a look at whether it can be read; NULL with the sentence. */
static FILE *open_list(const char *path, VqxError *error)
{
    FILE *file = fopen(path, "r");
    const int first = file ? fgetc(file) : EOF;
    if (first != EOF) {
        ungetc(first, file);
        return file;
    }
    vqx_fail(error, VQX_ERROR_NOT_FOUND, "%.200s: %s", path,
             file && !ferror(file) ? "the list of what must be run is empty" : strerror(errno));
    if (file)
        fclose(file);
    return NULL;
}

/* A line's backend, word of the form and machine, each empty where it is left out. */
static void take_line(char *line, char backend[16], char word[16], char machine[32])
{
    *backend = *word = *machine = '\0';
    line[strcspn(line, "#\n")] = '\0';
    sscanf(line, "%15s %15s %31s", backend, word, machine);
}

int parity_required_check(const char *path, VqxError *error)
{
    char line[256], backend[16] = "", word[16], machine[32];
    FILE *file = open_list(path, error);
    if (!file)
        return error->status;
    while (!*backend && fgets(line, sizeof line, file))
        take_line(line, backend, word, machine);
    fclose(file);
    return *backend ? 0
                    : vqx_fail(error, VQX_ERROR_NOT_FOUND,
                               "%.200s: it names no backend; a line is as 'cpu avx2 x86_64'", path);
}

int parity_required(const ParityRunners *runners, const char *path, VqxError *error)
{
    struct utsname here;
    char line[256], backend[16], word[16], machine[32];
    int status = 0;
    FILE *file = open_list(path, error);
    if (!file)
        return error->status;
    if (uname(&here))
        status = vqx_fail(error, VQX_ERROR_NOT_FOUND, "uname: %s", strerror(errno));
    while (!status && fgets(line, sizeof line, file)) {
        take_line(line, backend, word, machine);
        if (!*backend || (*machine && strcmp(machine, here.machine)))
            continue;
        if (!has_run(runners, backend, word))
            status = vqx_fail(error, VQX_ERROR_BACKEND,
                              "%s%s%s is on the list of what must be run, and was not (%.200s)",
                              backend, *word ? " " : "", word, path);
    }
    fclose(file);
    return status;
}
