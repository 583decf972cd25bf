/* What a machine must have been able to run. */
#ifndef VQX_PARITY_REQUIRED_H
#define VQX_PARITY_REQUIRED_H

#include "parity/runners.h"

/* Before the runs: VQX_ERROR_NOT_FOUND if the list cannot be read or names no backend. */
int parity_required_check(const char *path, VqxError *error);

/*
 * Reads a list, a line each: a backend, perhaps the word that its form begins with (an instruction set of the CPU), perhaps
 * the machine that this is asked of (as `uname -m` has it); '#' begins a comment. VQX_ERROR_BACKEND with the first that
 * was not run; 0: all were.
 */
int parity_required(const ParityRunners *runners, const char *path, VqxError *error);

#endif
