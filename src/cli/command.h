/* What the commands of vqx share: their table and their exit statuses. */
#ifndef VQX_CLI_COMMAND_H
#define VQX_CLI_COMMAND_H

/* One table for every command; docs/vmaf-differences.md and the man page print it. */
typedef enum ExitStatus {
    EXIT_DONE = 0,
    EXIT_DIFFERENT = 1,  /* a command that compares found a difference */
    EXIT_USAGE = 2,      /* a flag, an option's value, a feature */
    EXIT_INPUT = 3,      /* a file cannot be read or is not acceptable; nothing was scored */
    EXIT_INCOMPLETE = 4, /* an input ended early; the frames before were scored and reported */
    EXIT_BACKEND = 5,    /* a backend or device is absent or failed; frames before were reported */
    EXIT_OUTPUT = 6,     /* a report or standard output could not be written */
    EXIT_MEMORY = 7,     /* memory ran out; frames before were reported */
    EXIT_INTERRUPTED = 128 /* plus the signal's number; frames before were reported */
} ExitStatus;

/* The status of a failed library call (a VqxStatus); the media's errors have input_status. */
int command_status(int vqx_status);
int command_input_status(int vqx_status);

typedef struct Command {
    const char *name, *arguments, *summary;
    int (*run)(int argc, char **argv); /* argv[0] is the command's name; returns an ExitStatus */
} Command;

extern const Command command_table[];
extern const int command_count;

/* `vqx help`: everything the command knows, on standard output. */
int command_help(int argc, char **argv);
int command_score(int argc, char **argv);
int command_parity(int argc, char **argv);
int command_compare(int argc, char **argv);
int command_devices(int argc, char **argv);
int command_bench(int argc, char **argv);

/* Flushes standard output; EXIT_OUTPUT with a message if not all of it was taken, else `status`. */
int command_finish_output(int status);

#endif
