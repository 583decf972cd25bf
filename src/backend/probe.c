/* The host's side of the arithmetic's self-test. */
#include "backend/probe.h"

#include "arith/log2a.h"
#include "arith/reflect.h"
#include "arith/statistic.h"

#include "arith/fp64_free.h"

#include "kernels/tiles/language_host.h"

#define VIF_NATIVE
#include "kernels/tiles/probe.h"
#include "util/error.h"
#include "vif/constants.h"

#include <math.h>

_Static_assert(VQX_PROBE_OPERAND_COUNT == VQX_PROBE_ITEMS * VQX_PROBE_OPERANDS, "as in probe.h");
_Static_assert(VQX_PROBE_RESULT_COUNT == VQX_PROBE_ITEMS * VQX_PROBE_RESULTS, "as in probe.h");

VqxProbeCase vqx_probe_case(int i)
{
    static const double nsq[VQX_PROBE_CASES] = {2.0, 0.0, 1.3};
    VqxProbeCase r;
    vif_constants_init(&r.constants, nsq[i], 100.0);
    memcpy(&r.nsq_bits, &nsq[i], sizeof r.nsq_bits);
    return r;
}

static uint32_t next(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*state >> 33);
}

/* A number of either sign with an exponent from least to most. */
static float number(uint64_t *state, int least, int most)
{
    const float significand = 1.0f + (float)(next(state) & 0x7fffffu) * 0x1p-23f;
    const int exponent = least + (int)(next(state) % (uint32_t)(most - least + 1));
    return ldexpf(next(state) & 1 ? significand : -significand, exponent);
}

/* Filtered values as a picture gives them: means, variances of any size, a gain between them. */
static void fill_filtered(float *out, uint64_t *state)
{
    const float mu1 = number(state, -8, 6), mu2 = number(state, -8, 6);
    const float s1 = fabsf(number(state, -24, 13)), gain = number(state, -6, 1);
    const float noise = fabsf(number(state, -24, 12));
    const int plain = next(state) % 8 == 0; /* no mean: tiny variances stay as they are */
    out[0] = plain ? 0.0f : mu1;
    out[1] = plain ? 0.0f : mu2;
    out[2] = out[0] * out[0] + s1;
    out[3] = out[1] * out[1] + (gain * gain * s1 + noise);
    out[4] = out[0] * out[1] + gain * s1;
}

void vqx_probe_operands(uint32_t *operands)
{
    uint64_t state = 1;
    for (int i = 0; i < VQX_PROBE_ITEMS; i++) {
        const int far = i % 4 == 0; /* a quotient below the normal numbers */
        float in[VQX_PROBE_OPERANDS];
        in[0] = number(&state, far ? -60 : -4, far ? -50 : 4);
        in[1] = number(&state, far ? 80 : -4, far ? 90 : 4);
        in[2] = number(&state, -6, 6);
        fill_filtered(in + 3, &state);
        memcpy(operands + i * VQX_PROBE_OPERANDS, in, sizeof in);
    }
}

int vqx_probe_check(const uint32_t *operands, int probe_case, const uint32_t *results,
                    VqxError *error)
{
    static const char *const fault[VQX_PROBE_RESULTS] = {
        "a product and a sum are not rounded one after the other (contraction)",
        "division is not correctly rounded", "subnormal numbers are not kept",
        "the statistic's numerator differs", "the statistic's denominator differs"};
    const VqxProbeCase c = vqx_probe_case(probe_case);
    for (int i = 0; i < VQX_PROBE_ITEMS; i++) {
        uint32_t expected[VQX_PROBE_RESULTS];
        vqx_probe(operands + i * VQX_PROBE_OPERANDS, expected, c.constants, c.nsq_bits, 0);
        for (int r = 0; r < VQX_PROBE_RESULTS; r++) {
            const uint32_t got = results[i * VQX_PROBE_RESULTS + r];
            if (got != expected[r])
                return vqx_fail(error, VQX_ERROR_BACKEND,
                                "the device fails the self-test: %s (sample %d: 0x%08x, expected "
                                "0x%08x)",
                                fault[r], i, got, expected[r]);
        }
    }
    return 0;
}
