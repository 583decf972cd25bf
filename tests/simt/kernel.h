/* A kernel with its parameters, as simt_launch hands it to simt_call in every thread. */
#ifndef VQX_TESTS_SIMT_KERNEL_H
#define VQX_TESTS_SIMT_KERNEL_H

typedef struct SimtCall {
    const char *name;
    void *kernel, *const *params;
} SimtCall;

#ifdef __cplusplus
extern "C"
#endif
    void
    simt_call(void *call);

#endif
