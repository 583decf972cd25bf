/*
 * Faults on demand: the calls of memory, files, threads and modules that the code linked with these makes can be counted
 * and made to fail. The linker's --wrap puts them in place (see meson.build), so what libc and other libraries call among
 * themselves is left alone.
 *
 * A program started with VQX_FAULT="KIND N MODE" in its environment is armed from the start and, where VQX_FAULT_LOG names
 * a file, writes there at its end: calls of that kind, calls failed, allocations not freed.
 */
#ifndef VQX_TESTS_FAULTS_H
#define VQX_TESTS_FAULTS_H

typedef enum FaultKind {
    FAULT_MEMORY, /* ENOMEM */
    FAULT_OPEN,   /* EMFILE: opening, pipes, looking at a file */
    FAULT_READ,   /* EIO */
    FAULT_WRITE,  /* ENOSPC: flushing and closing what was written, renaming */
    FAULT_THREAD, /* EAGAIN */
    FAULT_MODULE, /* dlopen, dlsym */

    /* Calls of a device's driver; a stand-in for the driver asks faults_device_call. */
    FAULT_DEVICE_MEMORY, /* allocations, on the device and pinned */
    FAULT_DEVICE_COPY,
    FAULT_DEVICE_LAUNCH,
    FAULT_DEVICE_MODULE, /* programs, modules, kernels, arguments */
    FAULT_DEVICE_QUEUE,  /* contexts, queues, streams, events: making, recording, waiting */
    FAULT_DEVICE_QUERY,  /* starting, counting and describing devices */
    FAULT_KINDS
} FaultKind;

typedef enum FaultMode {
    FAULT_ONCE,      /* call n fails */
    FAULT_FROM,      /* calls n, n + 1, ... fail */
    FAULT_INTERRUPT, /* reads: every n-th one is interrupted (EINTR) */
    FAULT_SHORT,     /* reads: give n bytes at most */
} FaultMode;

/* Counts calls from here on; n 0 fails none. */
void faults_arm(FaultKind kind, unsigned long n, FaultMode mode);

unsigned long faults_calls(void);    /* of the kind armed, since then */
unsigned long faults_injected(void); /* of these, how many failed */
long faults_live(void);              /* allocations not freed, since the program's start */

/* For stand-ins, which may be shared libraries: whether this call is to fail, and that an object of the device was made (1)
 * or freed (-1). */
#define FAULTS_SHARED __attribute__((visibility("default")))
FAULTS_SHARED int faults_device_call(FaultKind kind);
FAULTS_SHARED void faults_device_object(int change);
long faults_device_live(void);

#endif
