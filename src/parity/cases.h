/* The self-test's cases: clips made on the spot that stress the metric, with the options they are scored under. */
#ifndef VQX_PARITY_CASES_H
#define VQX_PARITY_CASES_H

#include "parity/answers.h"

/* The number of cases; the name of one ("texture, quant:24, 320x180, 8 bit, snsq=1.5"). */
size_t parity_case_count(void);
void parity_case_name(char name[80], size_t number);

/*
 * Runs one, with its stages if `stages` is not 0. *answer gets what the reference computed; where that is not what is
 * known, runners->wrong says so. 0 or a status with the sentence: the request's fault; a runner's fault stays with the
 * runner.
 */
int parity_case_run(ParityRunners *runners, size_t number, int stages, const char *module_folder,
                    ParityAnswer *answer, VqxError *error);

#endif
