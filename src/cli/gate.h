/* What `vqx parity` found, as a table and as a record. */
#ifndef VQX_CLI_GATE_H
#define VQX_CLI_GATE_H

#include "parity/runners.h"
#include "report/target.h"

#include <stdio.h>

typedef struct Gate {
    const ParityRunners *runners;
    size_t cases;
    int self_test, stages;
} Gate;

void gate_print(FILE *out, const Gate *gate);

/* 0, or -1 with the sentence. */
int gate_write_json(const Gate *gate, ReportTarget *target, VqxError *error);

#endif
