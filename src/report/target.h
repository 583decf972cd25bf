/*
 * Where a report goes. A regular file is written under a temporary name in its folder and renamed
 * at the end: nobody reads half a report, and an older one survives a failure. Anything else
 * (standard output, a FIFO, a device) is written directly.
 */
#ifndef VQX_REPORT_TARGET_H
#define VQX_REPORT_TARGET_H

#include "vqx.h"

#include <stdio.h>

typedef struct ReportTarget {
    const char *name; /* as the user gave it, for messages; the caller's */
    char *path;       /* free of symbolic links; NULL for a descriptor */
    char *temporary;  /* what is renamed to path; NULL: written directly */
    int descriptor;   /* already open, e.g. 1 for "-"; -1: path */
    FILE *file;
} ReportTarget;

/* Says with a sentence (and -1) what would keep a report from being written to `name`; opens and
 * changes nothing. "-" and /dev/stdout are standard output. */
int report_target_init(ReportTarget *target, const char *name, VqxError *error);

/* Opens for writing; NULL on failure. */
FILE *report_target_open(ReportTarget *target, VqxError *error);

/* Closes a written file and puts it in its place; with `failed` not 0 the temporary file is removed
 * instead. */
int report_target_close(ReportTarget *target, int failed, VqxError *error);

void report_target_free(ReportTarget *target);

/* 1 if the target is the file that is open as `descriptor`, e.g. 1: the report goes to standard
 * output. */
int report_target_is_descriptor(const ReportTarget *target, int descriptor);

/* -1 with a sentence if the target is a regular file and one of the two inputs (NULL: none; "-" is standard input) is the
 * same one: writing would destroy it. */
int report_target_spares(const ReportTarget *target, const char *const input[2], VqxError *error);

#endif
