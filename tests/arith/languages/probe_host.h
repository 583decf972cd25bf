/*
 * The host's side of the probe: makes operands, has a device run them, checks every result against
 * this processor's f64. Included after probe.h, in whatever dialect the runner speaks.
 */
#ifndef VQX_TESTS_ARITH_PROBE_HOST_H
#define VQX_TESTS_ARITH_PROBE_HOST_H

#ifdef __cplusplus
extern "C" {
#endif

typedef enum ProbeForm { PROBE_FP64_FREE, PROBE_NATIVE, PROBE_RANGED, PROBE_FORMS } ProbeForm;

/* Runs one kernel over `count` operands; 0, or nonzero after printing what failed. */
typedef int ProbeRun(void *device, ProbeForm form, const ProbeIn *in, ProbeOut *out, int count,
                     const VifConstants *k, double nsq);

/* Runs the first `forms` of the forms for every noise variance; 0 when all results are right. `name` is
 * printed. Takes --operands and --seed from the command line. */
int probe_check_device(const char *name, int forms, ProbeRun *run, void *device, int argc,
                       char **argv);

#ifdef __cplusplus
}
#endif
#endif
