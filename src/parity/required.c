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

int parity_required(const ParityRunners *runners, const char *path, VqxError *error)
{
    struct utsname here;
    char line[256];
    int status = 0;
    FILE *file = fopen(path, "r");
    if (!file || uname(&here)) {
        if (file)
            fclose(file);
        return vqx_fail(error, VQX_ERROR_NOT_FOUND, "%s: %s", path, strerror(errno));
    }
    while (!status && fgets(line, sizeof line, file)) {
        char backend[16] = "", word[16] = "", machine[32] = "";
        line[strcspn(line, "#\n")] = '\0';
        sscanf(line, "%15s %15s %31s", backend, word, machine);
        if (!backend[0] || (machine[0] && strcmp(machine, here.machine)))
            continue;
        if (!has_run(runners, backend, word))
            status = vqx_fail(error, VQX_ERROR_BACKEND,
                              "%s%s%s is on the list of what must be run, and was not (%s)",
                              backend, word[0] ? " " : "", word, path);
    }
    fclose(file);
    return status;
}
