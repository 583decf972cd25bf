/* The self-test's cases: clips made on the spot that stress the metric, with the options they are scored under. */
#ifndef VQX_PARITY_CASES_H
#define VQX_PARITY_CASES_H

#include "parity/runners.h"

/* The number of cases; the name of one ("texture, quant:24, 320x180, 8 bit, snsq=1.5"). */
size_t parity_case_count(void);
void parity_case_name(char name[80], size_t number);

/* Runs one. 0 or a status with the sentence: the request's fault; a runner's fault stays with the runner. */
int parity_case_run(ParityRunners *runners, size_t number, const char *module_folder,
                    VqxError *error);

#endif
