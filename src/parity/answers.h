/*
 * What the self-test's cases give: digests, so that a machine or a compiler that computes the same wrong numbers everywhere
 * is found out too. tests/parity/answers.c prints answers.inc anew, from the plain C that tests/vectors holds to
 * libvmaf's own outputs; only a change of the cases changes it.
 */
#ifndef VQX_PARITY_ANSWERS_H
#define VQX_PARITY_ANSWERS_H

#include "parity/stages.h"

typedef struct ParityAnswer {
    uint64_t values;                           /* of every frame's values */
    uint32_t stage[VIF_SCALES][PARITY_STAGES]; /* of every frame's, 0 where the plain C has none */
} ParityAnswer;

#endif
