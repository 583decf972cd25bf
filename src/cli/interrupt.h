/*
 * SIGINT, SIGTERM and SIGHUP end a run early but in order: a thread waits for them and calls `stop`. Before `watch` and on
 * the second signal the process ends at once. Signals that were ignored at the start (nohup) stay ignored.
 */
#ifndef VQX_CLI_INTERRUPT_H
#define VQX_CLI_INTERRUPT_H

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

typedef struct Interrupt {
    pthread_t thread;
    pthread_mutex_t lock;
    sigset_t signals, before;
    atomic_int received; /* the signal's number, or 0 */
    atomic_int ended;
    void (*stop)(void *opaque);
    void *opaque;
} Interrupt;

/* Before any other thread starts: they inherit the mask. Not 0: no thread could be made. */
int interrupt_start(Interrupt *interrupt);

/* From here on the first signal calls `stop`, from another thread; NULL: ends the process again. */
void interrupt_watch(Interrupt *interrupt, void (*stop)(void *opaque), void *opaque);

void interrupt_end(Interrupt *interrupt);

/* After interrupt_end, where the process goes on to something else: signals end it at once, as before the start. */
void interrupt_unblock(const Interrupt *interrupt);

#endif
