/*
 * The person at the terminal: messages on standard error, one line each, and a progress line that is redrawn in place
 * where standard error is a terminal. Messages may come from any thread.
 */
#ifndef VQX_CLI_CONSOLE_H
#define VQX_CLI_CONSOLE_H

#include <pthread.h>

typedef struct Console {
    pthread_mutex_t lock;
    int quiet;    /* no progress, no notes */
    int terminal; /* standard error is one */
    int drawn;    /* a progress line is on the screen */
} Console;

void console_init(Console *console, int quiet);
void console_end(Console *console); /* leaves the progress line */

void console_error(Console *console, const char *format, ...) __attribute__((format(printf, 2, 3)));
void console_note(Console *console, const char *format, ...) __attribute__((format(printf, 2, 3)));
void console_progress(Console *console, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* 1 if a progress line would be seen. */
int console_shows_progress(const Console *console);

/* The log callback of VqxSettings; `console` is a Console. */
void console_log(void *console, int level, const char *message);

#endif
