/*
 * The library with the n-th allocation or thread refused, for every n until nothing is refused any more: each call
 * succeeds or says what is wrong, nothing leaks, and a later run computes what the first did.
 */
#include "robustness/faults.h"
#include "robustness/small_clip.h"

#include <stdio.h>
#include <string.h>

static int holds(int status, const VqxError *error, const ClipScores *expected,
                 const ClipScores *got)
{
    if (faults_live())
        fprintf(stderr, "  %ld allocations were not freed\n", faults_live());
    return !faults_live() && small_clip_holds(status, error, expected, got);
}

static int test_kind(const char *name, FaultKind kind, FaultMode mode)
{
    ClipScores expected, got;
    unsigned long n = 0, survived = 0, failed = 0;
    int status;
    VqxError error = {0};
    faults_arm(kind, 0, mode);
    if (small_clip_run("cpu", NULL, &expected, &error) || faults_live()) {
        fprintf(stderr, "without a fault: %s, %ld not freed\n", error.message, faults_live());
        return 1;
    }
    do {
        memset(&error, 0, sizeof error);
        faults_arm(kind, ++n, mode);
        status = small_clip_run("cpu", NULL, &got, &error);
        if (!holds(status, &error, &expected, &got)) {
            fprintf(stderr, "%s, call %lu: status %d, '%s'\n", name, n, status, error.message);
            failed++;
        }
        survived += faults_injected() && !status;
    } while (faults_injected());
    printf("%-32s %4lu faults, %lu of them without an effect\n", name, n - 1, survived);
    return failed || n < 2; /* a kind that is never reached tests nothing */
}

int main(void)
{
    int failed = test_kind("memory, one call", FAULT_MEMORY, FAULT_ONCE);
    failed += test_kind("memory, from a call on", FAULT_MEMORY, FAULT_FROM);
    failed += test_kind("threads, one", FAULT_THREAD, FAULT_ONCE);
    failed += test_kind("threads, from one on", FAULT_THREAD, FAULT_FROM);
    return failed ? 1 : 0;
}
