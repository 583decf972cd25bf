#include "cli/interrupt.h"

#include "cli/command.h"

#include <unistd.h>

static void *wait_for_signals(void *opaque)
{
    Interrupt *interrupt = opaque;
    for (;;) {
        int number;
        if (sigwait(&interrupt->signals, &number))
            continue;
        if (atomic_load(&interrupt->ended))
            return NULL;
        pthread_mutex_lock(&interrupt->lock);
        if (!interrupt->stop || atomic_load(&interrupt->received))
            _exit(EXIT_INTERRUPTED + number);
        atomic_store(&interrupt->received, number);
        interrupt->stop(interrupt->opaque);
        pthread_mutex_unlock(&interrupt->lock);
    }
}

static void add_unless_ignored(sigset_t *set, int number)
{
    struct sigaction action;
    if (!sigaction(number, NULL, &action) && action.sa_handler != SIG_IGN)
        sigaddset(set, number);
}

int interrupt_start(Interrupt *interrupt)
{
    *interrupt = (Interrupt){.stop = NULL};
    pthread_mutex_init(&interrupt->lock, NULL);
    sigemptyset(&interrupt->signals);
    add_unless_ignored(&interrupt->signals, SIGINT);
    add_unless_ignored(&interrupt->signals, SIGTERM);
    add_unless_ignored(&interrupt->signals, SIGHUP);
    sigaddset(&interrupt->signals, SIGRTMIN); /* what interrupt_end sends */
    pthread_sigmask(SIG_BLOCK, &interrupt->signals, &interrupt->before);
    return pthread_create(&interrupt->thread, NULL, wait_for_signals, interrupt);
}

void interrupt_watch(Interrupt *interrupt, void (*stop)(void *opaque), void *opaque)
{
    pthread_mutex_lock(&interrupt->lock);
    interrupt->stop = stop;
    interrupt->opaque = opaque;
    pthread_mutex_unlock(&interrupt->lock);
}

void interrupt_end(Interrupt *interrupt)
{
    atomic_store(&interrupt->ended, 1); /* pthread_cancel would have to load a library now */
    pthread_kill(interrupt->thread, SIGRTMIN);
    pthread_join(interrupt->thread, NULL);
    pthread_mutex_destroy(&interrupt->lock);
}

void interrupt_unblock(const Interrupt *interrupt)
{
    pthread_sigmask(SIG_SETMASK, &interrupt->before, NULL);
}
