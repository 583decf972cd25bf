/*
 * The self-test of a device's arithmetic that GPU backends run when they open a device: the probe
 * kernel (kernels/tiles/probe.h) on these operands must give the bits that the host computes. A
 * device that fails is refused with the reason.
 */
#ifndef VQX_BACKEND_PROBE_H
#define VQX_BACKEND_PROBE_H

#include "vif/plan.h"

enum {
    VQX_PROBE_ITEMS = 4096,
    VQX_PROBE_CASES = 3, /* noise variances: a power of two, none, neither */
    VQX_PROBE_OPERAND_COUNT = VQX_PROBE_ITEMS * 8,
    VQX_PROBE_RESULT_COUNT = VQX_PROBE_ITEMS * 5
};

typedef struct VqxProbeCase {
    VifConstants constants;
    uint64_t nsq_bits;
} VqxProbeCase;

VqxProbeCase vqx_probe_case(int i);

/* Fills VQX_PROBE_OPERAND_COUNT patterns, the same every time. */
void vqx_probe_operands(uint32_t *operands);

/* Compares VQX_PROBE_RESULT_COUNT patterns with the host's. 0, or VQX_ERROR_BACKEND with what the
 * device does wrong. */
int vqx_probe_check(const uint32_t *operands, int probe_case, const uint32_t *results,
                    VqxError *error);

#endif
