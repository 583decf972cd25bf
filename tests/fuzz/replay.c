/* Runs a target on files, for compilers without libFuzzer:  replay FOLDER-OR-FILE... */
#include "fuzz/fuzz.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int run_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END)) {
        perror(path);
        return -1;
    }
    const long size = ftell(file);
    uint8_t *bytes = malloc(size > 0 ? (size_t)size : 1);
    rewind(file);
    const int whole = size >= 0 && bytes && fread(bytes, 1, (size_t)size, file) == (size_t)size;
    fclose(file);
    if (whole)
        LLVMFuzzerTestOneInput(bytes, (size_t)size);
    else
        perror(path);
    free(bytes);
    return whole ? 1 : -1;
}

/* The number of files run, or -1. */
static int run_path(const char *path)
{
    DIR *folder = opendir(path);
    int count = 0;
    if (!folder)
        return errno == ENOTDIR ? run_file(path) : 0; /* no regression yet: no folder */
    for (const struct dirent *entry; count >= 0 && (entry = readdir(folder));) {
        char name[PATH_MAX];
        if (entry->d_name[0] == '.')
            continue;
        snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
        count = run_file(name) < 0 ? -1 : count + 1;
    }
    closedir(folder);
    return count;
}

int main(int argc, char **argv)
{
    int total = 0;
    LLVMFuzzerInitialize(&argc, &argv);
    for (int i = 1; i < argc; i++) {
        const int count = run_path(argv[i]);
        if (count < 0)
            return 1;
        total += count;
    }
    fprintf(stderr, "%d inputs\n", total);
    return total ? 0 : 1;
}
