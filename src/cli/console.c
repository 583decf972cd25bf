#include "cli/console.h"

#include "util/error.h"
#include "vqx.h"

#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#define ERASE_LINE "\r\033[K"

void console_init(Console *console, int quiet)
{
    *console = (Console){.quiet = quiet, .terminal = isatty(STDERR_FILENO)};
    pthread_mutex_init(&console->lock, NULL);
}

static void message(Console *console, const char *prefix, const char *format, va_list args)
{
    char text[2048];
    vsnprintf(text, sizeof text, format, args);
    vqx_make_printable(text);
    pthread_mutex_lock(&console->lock);
    fputs(console->drawn ? ERASE_LINE : "", stderr);
    fprintf(stderr, "vqx: %s%s\n", prefix, text);
    console->drawn = 0;
    pthread_mutex_unlock(&console->lock);
}

void console_error(Console *console, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    message(console, "", format, args);
    va_end(args);
}

void console_note(Console *console, const char *format, ...)
{
    if (console->quiet)
        return;
    va_list args;
    va_start(args, format);
    message(console, "note: ", format, args);
    va_end(args);
}

int console_shows_progress(const Console *console)
{
    return console->terminal && !console->quiet;
}

void console_progress(Console *console, const char *format, ...)
{
    if (!console_shows_progress(console))
        return;
    va_list args;
    va_start(args, format);
    pthread_mutex_lock(&console->lock);
    fputs(ERASE_LINE, stderr);
    vfprintf(stderr, format, args);
    fflush(stderr);
    console->drawn = 1;
    pthread_mutex_unlock(&console->lock);
    va_end(args);
}

void console_end(Console *console)
{
    pthread_mutex_lock(&console->lock);
    fputs(console->drawn ? ERASE_LINE : "", stderr);
    fflush(stderr);
    console->drawn = 0;
    pthread_mutex_unlock(&console->lock);
}

void console_log(void *console, int level, const char *text)
{
    if (level == VQX_LOG_ERROR)
        console_error(console, "%s", text);
    else if (level == VQX_LOG_WARNING)
        console_error(console, "warning: %s", text);
}
