/* Compiles a kernel's Metal source for the host. */
#ifndef VQX_TESTS_METAL_COMPILE_H
#define VQX_TESTS_METAL_COMPILE_H

#include <stddef.h>

typedef struct TestMacro {
    const char *name;
    int value;
} TestMacro;

/* As in shim/call.hpp. */
typedef struct ShimCall {
    void *const *buffer;
    void *threadgroup_memory;
    unsigned index;
    struct {
        unsigned x, y, z;
    } group;
} ShimCall;

typedef struct TestKernel {
    char name[32];
    void (*call)(void *call);
} TestKernel;

/* 0, or -1 with what the compiler says. */
int test_compile(TestKernel *kernel, const char *source, const TestMacro *macro, size_t count,
                 char *log, size_t log_size);

#endif
