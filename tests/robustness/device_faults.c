/*
 * A device backend with the n-th call of its driver refused, for every n until none is: each run scores or says what is
 * wrong, and frees all that it took, on the host and on the device; a run after it in the same process scores. And with a
 * device that has little memory: smaller batches, or a sentence. Every run is a process of its own, so that what a process
 * asks its driver for only once is tried too.
 *
 *   device_faults BACKEND DEVICE|- [STEP]
 *
 * With STEP, only every STEP-th call is refused (from the first on), which takes a STEP-th of the time.
 * Linked with the backend's own sources and a stand-in for its driver (stand_in.h).
 */
#include "backend/backend.h"
#include "robustness/faults.h"
#include "robustness/small_clip.h"
#include "robustness/stand_in.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_CALLS = 5000 };

/* What a process tells of its runs. */
typedef struct Outcome {
    int finished, status, held, status_after;
    unsigned long injected;
    long live, device_live;             /* after both runs */
    long first_live, first_device_live; /* after the first */
    size_t peak;
    char message[508];
} Outcome;

typedef struct Fault {
    FaultKind kind;
    FaultMode mode;
    unsigned long n;     /* 0: no fault */
    size_t device_bytes; /* 0: plenty */
} Fault;

static const char *backend, *device;
static unsigned long step = 1;
static ClipScores expected;
static Outcome *outcome; /* shared with the processes */

VQX_API const VqxBackend *vqx_backend_module(void);
const VqxBackend *__wrap_vqx_backend_get(size_t i, const char *folder, VqxError *error);
const VqxBackend *__real_vqx_backend_get(size_t i, const char *folder, VqxError *error);

/* The backend under test is linked in, not loaded. */
const VqxBackend *__wrap_vqx_backend_get(size_t i, const char *folder, VqxError *error)
{
    return strcmp(vqx_backend_name(i), backend) ? __real_vqx_backend_get(i, folder, error)
                                                : vqx_backend_module();
}

/* A run with the fault, and one without that must put things right. */
static void run_twice(const Fault *fault)
{
    ClipScores got;
    VqxError error = {0};
    if (fault->device_bytes)
        stand_in_memory(fault->device_bytes);
    faults_arm(fault->kind, fault->n, fault->mode);
    outcome->status = small_clip_run(backend, device, &got, &error);
    outcome->injected = faults_injected();
    outcome->held = small_clip_holds(outcome->status, &error, &expected, &got);
    outcome->peak = stand_in_peak();
    memcpy(outcome->message, error.message, sizeof outcome->message);
    outcome->first_live = faults_live() - stand_in_kept();
    outcome->first_device_live = faults_device_live();
    if (outcome->held && !fault->device_bytes) {
        faults_arm(fault->kind, 0, FAULT_ONCE);
        outcome->status_after = small_clip_run(backend, device, &got, &error);
        outcome->held = small_clip_holds(outcome->status_after, &error, &expected, &got);
    }
    outcome->live = faults_live() - stand_in_kept();
    outcome->device_live = faults_device_live();
    outcome->finished = 1;
}

static void run_process(const Fault *fault)
{
    int status = 0;
    memset(outcome, 0, sizeof *outcome);
    const pid_t process = fork();
    if (process == 0) {
        run_twice(fault);
        _exit(0);
    }
    if (process < 0 || waitpid(process, &status, 0) < 0)
        perror("fork");
    if (WIFSIGNALED(status))
        snprintf(outcome->message, sizeof outcome->message, "signal %d", WTERMSIG(status));
}

/* Nothing is left but what a process that met no fault keeps. */
static int holds(const Outcome *clean)
{
    return outcome->finished && outcome->held && outcome->live <= clean->live &&
           outcome->device_live <= clean->device_live;
}

static void explain(const char *name, unsigned long n)
{
    fprintf(stderr,
            "%s, %lu: status %d, then %d, %s, %ld allocations and %ld objects of the device left: "
            "'%s'\n",
            name, n, outcome->status, outcome->status_after,
            outcome->held ? "as promised" : "not as promised", outcome->live, outcome->device_live,
            outcome->message);
}

/* Of querying, a process remembers the answer: there, what failed once may fail again. */
static int may_fail_again(FaultKind kind)
{
    return kind == FAULT_DEVICE_QUERY;
}

static int test_kind(const char *name, FaultKind kind, FaultMode mode, const Outcome *clean,
                     unsigned long *total)
{
    unsigned long n = 1, tried = 0, survived = 0, failed = 0;
    for (; n < MOST_CALLS; n += step, tried++) {
        run_process(&(Fault){.kind = kind, .mode = mode, .n = n});
        const int recovered = !outcome->status_after || may_fail_again(kind);
        if (!holds(clean) || !recovered) {
            explain(name, n);
            failed++;
        }
        if (outcome->finished && !outcome->injected)
            break;
        survived += !outcome->status;
    }
    printf("%-8s %-14s %-8s %5lu faults, %lu of them without an effect, %lu not as promised\n",
           backend, name, mode == FAULT_ONCE ? "one" : "from one", tried, survived, failed);
    fflush(stdout);
    *total += tried;
    return failed || !tried || n >= MOST_CALLS;
}

static void expect_scores(unsigned width, unsigned height)
{
    VqxError error = {0};
    small_clip_size(width, height);
    if (!small_clip_run("cpu", NULL, &expected, &error))
        return;
    fprintf(stderr, "%s\n", error.message);
    exit(2);
}

/* Runs without a fault, to measure others against; the second may leave nothing that the first did not. */
static Outcome run_clean(void)
{
    run_process(&(Fault){.kind = FAULT_DEVICE_LAUNCH});
    if (!outcome->finished || outcome->status || outcome->status_after || !outcome->held ||
        outcome->live != outcome->first_live ||
        outcome->device_live != outcome->first_device_live) {
        explain("without a fault", 0);
        exit(1);
    }
    return *outcome;
}

/* From too little to plenty. What a run takes without a limit is more than it needs. */
static int test_memory(void)
{
    expect_scores(96, 80);
    const Outcome clean = run_clean();
    const size_t full = clean.peak, more = full / 16 + 1;
    unsigned refused = 0, smaller = 0, whole = 0, failed = 0;
    for (size_t bytes = more; bytes < 4 * full; bytes += bytes < full ? more : 8 * more) {
        run_process(&(Fault){.kind = FAULT_DEVICE_MEMORY, .device_bytes = bytes});
        if (!holds(&clean) || outcome->peak > bytes) {
            explain("memory of the device", bytes);
            failed++;
        }
        refused += outcome->status != 0;
        smaller += !outcome->status && outcome->peak < full;
        whole += !outcome->status && outcome->peak >= full;
    }
    printf(
        "%-8s a device of %zu to %zu bytes: %u refused, %u scored with less than the usual %zu, %u "
        "with these, %u not as promised\n",
        backend, more, 4 * full, refused, smaller, full, whole, failed);
    return failed || !refused || !smaller || !whole;
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        FaultKind kind;
    } kinds[] = {{"host memory", FAULT_MEMORY},
                 {"device memory", FAULT_DEVICE_MEMORY},
                 {"copy", FAULT_DEVICE_COPY},
                 {"launch", FAULT_DEVICE_LAUNCH},
                 {"module, kernel", FAULT_DEVICE_MODULE},
                 {"queue, event", FAULT_DEVICE_QUEUE},
                 {"query", FAULT_DEVICE_QUERY}};
    unsigned long total = 0;
    int failed = 0;
    if (argc < 3) {
        fprintf(stderr, "usage: device_faults BACKEND DEVICE|- [STEP]\n");
        return 2;
    }
    backend = argv[1];
    device = strcmp(argv[2], "-") ? argv[2] : NULL;
    step = argc > 3 ? strtoul(argv[3], NULL, 10) : 1;
    outcome =
        mmap(NULL, sizeof *outcome, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (outcome == MAP_FAILED) {
        perror("mmap");
        return 2;
    }
    failed += test_memory();
    expect_scores(22, 18);
    const Outcome clean = run_clean();
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        failed += test_kind(kinds[i].name, kinds[i].kind, FAULT_ONCE, &clean, &total);
        failed += test_kind(kinds[i].name, kinds[i].kind, FAULT_FROM, &clean, &total);
    }
    printf("%lu faults injected into %s\n", total, backend);
    return failed ? 1 : 0;
}
