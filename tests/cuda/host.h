/* The CPU's side of arith_device.cu: what the device computed, checked in plain C. */
#ifndef VQX_TESTS_CUDA_HOST_H
#define VQX_TESTS_CUDA_HOST_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How many of x[0..count-1] are not the bits of log2a(first + i), over `threads` threads. */
uint64_t host_check_log2a(const float *x, uint32_t first, size_t count, int threads);

/* The same of f32(1 + gs / (sv + nsq)) and f32(1 + s1 / nsq). */
uint64_t host_check_num(const float *x, const float *gs, const float *sv, size_t count, double nsq);
uint64_t host_check_den(const float *x, const float *s1, size_t count, double nsq);

#ifdef __cplusplus
}
#endif
#endif
