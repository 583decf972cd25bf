/* Every way this machine has to compute the metric, compared bit by bit. */
#include "parity/runners.h"

#include "parity/digest.h"
#include "parity/ulp.h"
#include "util/error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Masks that leave the CPU one more instruction set each (libvmaf's bits: SSE2, AVX2, AVX-512; Arm's NEON is the first). */
static const uint64_t cpu_masks[] = {UINT64_MAX, UINT64_MAX << 3, UINT64_MAX << 4, 0};

static int add(ParityRunners *runners, const VqxBackend *vtable, const char *device, uint64_t mask,
               int form)
{
    if (runners->count == runners->room) {
        const size_t room = runners->room * 2 + 16;
        ParityRunner *grown = realloc(runners->runner, room * sizeof *grown);
        if (!grown)
            return -1;
        runners->runner = grown;
        runners->room = room;
    }
    ParityRunner *runner = &runners->runner[runners->count++];
    *runner = (ParityRunner){.vtable = vtable, .cpumask = mask, .form = form};
    if (!vtable->exact)
        snprintf(runner->error, sizeof runner->error, "the backend does not declare itself exact");
    snprintf(runner->backend, sizeof runner->backend, "%s", vtable->name);
    snprintf(runner->device, sizeof runner->device, "%s", device);
    return 0;
}

static int open_context(VqxContext **ctx, const ParityRunner *runner, const VqxVifOptions *options,
                        size_t option_count, const char *module_folder, VqxError *error)
{
    VqxSettings settings;
    vqx_default_settings(&settings);
    settings.backend = runner->backend;
    settings.device = runner->device[0] ? runner->device : NULL;
    settings.cpumask = runner->cpumask;
    settings.form = runner->form;
    settings.module_folder = module_folder;
    settings.vif = options;
    settings.vif_count = option_count;
    return vqx_open(ctx, &settings, error);
}

static void remember_used(ParityRunner *runner)
{
    VqxUsed used;
    vqx_used(runner->ctx, &used);
    snprintf(runner->name, sizeof runner->name, "%s", used.device);
    snprintf(runner->driver, sizeof runner->driver, "%s", used.driver);
    snprintf(runner->detail, sizeof runner->detail, "%s", used.detail);
}

/* Opens it for a small frame, so that what it uses is known. */
static int try_runner(ParityRunner *runner, const char *module_folder, VqxError *error)
{
    int status = open_context(&runner->ctx, runner, NULL, 0, module_folder, error);
    if (!status)
        status = vqx_configure(runner->ctx, 64, 64, 8, 8, error);
    if (!status)
        remember_used(runner);
    vqx_close(&runner->ctx);
    return status;
}

/* Two masks may leave the same instruction set on this processor: tries each and keeps what is new. */
static int add_cpu(ParityRunners *runners, VqxError *error)
{
    for (size_t i = 0; i < sizeof cpu_masks / sizeof cpu_masks[0]; i++) {
        for (int form = VQX_FORM_NATIVE; form <= VQX_FORM_FP64_FREE; form++) {
            if (add(runners, &vqx_backend_cpu, "", cpu_masks[i], form))
                return vqx_fail(error, VQX_ERROR_MEMORY, "out of memory");
            ParityRunner *runner = &runners->runner[runners->count - 1];
            const int status = try_runner(runner, NULL, error);
            if (status)
                return status;
            for (size_t k = 0; k + 1 < runners->count; k++) {
                if (strcmp(runners->runner[k].detail, runner->detail))
                    continue;
                runners->count--;
                break;
            }
        }
    }
    return 0;
}

static int named(const char *list, const char *name)
{
    const size_t length = strlen(name);
    for (const char *at = list; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
        if (!strncmp(at, name, length) && (at[length] == ',' || at[length] == '\0'))
            return 1;
    return 0;
}

static const VqxBackend *find_backend(const char *name, const char *module_folder)
{
    for (size_t i = 0; i < vqx_backend_count(); i++)
        if (!strcmp(vqx_backend_name(i), name))
            return vqx_backend_get(i, module_folder, NULL);
    return NULL;
}

/* Both forms of a device. One that fails where the other works is a form that the device has not. */
static int add_forms(ParityRunners *runners, const VqxBackend *vtable, const char *device,
                     const char *module_folder, VqxError *error)
{
    VqxError reason[2];
    int status[2];
    for (int i = 0; i < 2; i++) {
        if (add(runners, vtable, device, 0, i ? VQX_FORM_FP64_FREE : VQX_FORM_NATIVE))
            return vqx_fail(error, VQX_ERROR_MEMORY, "out of memory");
        status[i] = try_runner(&runners->runner[runners->count - 1], module_folder, &reason[i]);
    }
    if (status[0] && !status[1]) {
        ParityRunner *native = &runners->runner[runners->count - 2];
        snprintf(native->absent, sizeof native->absent, "%.255s", reason[0].message);
        snprintf(native->detail, sizeof native->detail, "native f64");
    }
    return 0;
}

/* The devices of the backends wanted. `device` may say more than which one, behind a '+'. */
static int add_devices(ParityRunners *runners, const VqxDevice *devices, size_t count,
                       const char *backends, const char *device, const char *module_folder,
                       VqxError *error)
{
    for (size_t i = 0; i < count; i++) {
        const VqxDevice *d = &devices[i];
        if (!strcmp(d->backend, "cpu") || (backends && !named(backends, d->backend)) ||
            !d->available)
            continue;
        const size_t length = device ? strcspn(device, "+") : 0;
        if (device && (strlen(d->device) != length || strncmp(device, d->device, length)))
            continue;
        const int status = add_forms(runners, find_backend(d->backend, module_folder),
                                     device ? device : d->device, module_folder, error);
        if (status)
            return status;
    }
    return 0;
}

/* Every backend named must have given a runner. */
static int check_named(const ParityRunners *runners, const VqxDevice *devices, size_t count,
                       const char *backends, VqxError *error)
{
    char name[32];
    for (const char *at = backends; at && *at;) {
        const size_t length = strcspn(at, ",");
        int found = length == 3 && !strncmp(at, "cpu", 3);
        const char *reason = "there is no such backend; 'vqx devices' lists them";
        snprintf(name, sizeof name, "%.*s", (int)length, at);
        for (size_t i = 0; i < runners->count; i++)
            found = found || !strcmp(runners->runner[i].backend, name);
        for (size_t i = 0; i < count; i++)
            if (!strcmp(devices[i].backend, name))
                reason = devices[i].available ? "it has no such device" : devices[i].reason;
        if (!found)
            return vqx_fail(error, VQX_ERROR_BACKEND, "backend %s: %.400s", name, reason);
        at += length + (at[length] == ',');
    }
    return 0;
}

/* A device named must be one of some backend wanted; the processor is device 0. */
static int check_device(const ParityRunners *runners, const char *backends, const char *device,
                        VqxError *error)
{
    int found = !device || (!strcmp(device, "0") && (!backends || named(backends, "cpu")));
    for (size_t i = 0; i < runners->count; i++)
        found = found || strcmp(runners->runner[i].backend, "cpu");
    return found ? 0
                 : vqx_fail(error, VQX_ERROR_BACKEND,
                            "there is no device '%.100s' of any backend to be run; 'vqx devices' "
                            "lists them",
                            device);
}

int parity_list(ParityRunners *runners, const char *backends, const char *device,
                const char *module_folder, VqxError *error)
{
    *runners = (ParityRunners){0};
    if (backends && !*backends)
        return vqx_fail(error, VQX_ERROR_OPTION,
                        "the list of backends is empty; 'vqx devices' lists them");
    if (backends && !strcmp(backends, "all"))
        backends = NULL;
    const size_t room = vqx_devices(NULL, 0, module_folder);
    VqxDevice *devices = calloc(room + 1, sizeof *devices);
    if (!devices)
        return vqx_fail(error, VQX_ERROR_MEMORY, "out of memory");
    size_t count = vqx_devices(devices, room, module_folder);
    count = count < room ? count : room;
    int status = add_cpu(runners, error); /* plain C is the reference: it always runs */
    if (!status)
        status = add_devices(runners, devices, count, backends, device, module_folder, error);
    if (!status)
        status = check_named(runners, devices, count, backends, error);
    if (!status)
        status = check_device(runners, backends, device, error);
    if (!status && backends && !named(backends, "cpu"))
        for (size_t i = 1; i < runners->count;) { /* the reference alone of the CPU's */
            if (strcmp(runners->runner[i].backend, "cpu")) {
                i++;
                continue;
            }
            memmove(&runners->runner[i], &runners->runner[i + 1],
                    (runners->count - i - 1) * sizeof *runners->runner);
            runners->count--;
        }
    free(devices);
    if (status)
        parity_free(runners);
    return status;
}

void parity_free(ParityRunners *runners)
{
    for (size_t i = 0; i < runners->count; i++)
        vqx_close(&runners->runner[i].ctx);
    free(runners->runner);
    *runners = (ParityRunners){0};
}

static void give_up(ParityRunner *runner, const VqxError *error)
{
    if (!runner->error[0])
        snprintf(runner->error, sizeof runner->error, "%s", error->message);
    vqx_close(&runner->ctx);
}

int parity_begin(ParityRunners *runners, const VqxVifOptions *options, size_t option_count,
                 const char *module_folder, VqxError *error)
{
    for (size_t i = 0; i < runners->count; i++) {
        ParityRunner *runner = &runners->runner[i];
        if (runner->absent[0])
            continue;
        const int status =
            open_context(&runner->ctx, runner, options, option_count, module_folder, error);
        if (status && i == 0)
            return status; /* the request is at fault, not the runner */
        if (status)
            give_up(runner, error);
    }
    return 0;
}

void parity_submit(ParityRunners *runners, const VqxPlane *ref, const VqxPlane *dis, uint64_t index)
{
    for (size_t i = 0; i < runners->count; i++) {
        ParityRunner *runner = &runners->runner[i];
        VqxError error;
        if (runner->ctx && vqx_submit(runner->ctx, ref, dis, index, &error))
            give_up(runner, &error);
    }
}

static void compare_values(ParityRunner *runner, const double *expected, const double *got,
                           uint64_t frame, const char *where)
{
    const size_t count = vqx_output_count(runner->ctx);
    runner->frames++;
    for (size_t i = 0; i < count; i++) {
        runner->values++;
        const uint64_t ulp = ulp_between(expected[i], got[i]);
        if (!ulp || (expected[i] != expected[i] && got[i] != got[i]))
            continue;
        if (!runner->differing++) {
            ParityDifference *d = &runner->first;
            *d = (ParityDifference){
                .frame = frame, .expected = expected[i], .got = got[i], .ulp = ulp};
            snprintf(d->where, sizeof d->where, "%s", where);
            snprintf(d->output, sizeof d->output, "%s", vqx_output_name(runner->ctx, i));
        }
        runner->largest_ulp = ulp > runner->largest_ulp ? ulp : runner->largest_ulp;
    }
}

static void compare_runner(ParityRunner *runner, VqxContext *reference, const char *where,
                           uint64_t *digest)
{
    VqxError error = {0};
    const size_t count = vqx_output_count(runner->ctx);
    double *values = malloc(2 * count * sizeof *values);
    if (!values) {
        vqx_fail(&error, VQX_ERROR_MEMORY, "out of memory");
        give_up(runner, &error);
        return;
    }
    int status = vqx_finish(runner->ctx, &error);
    for (size_t n = 0; !status && n < vqx_frame_count(reference); n++) {
        uint64_t index;
        status = vqx_frame_index(reference, n, &index, &error);
        if (!status)
            status = vqx_frame_scores(reference, index, values, &error);
        if (!status)
            status = vqx_frame_scores(runner->ctx, index, values + count, &error);
        if (!status)
            compare_values(runner, values, values + count, index, where);
        if (!status && runner->ctx == reference)
            *digest = digest_doubles(*digest, values, count);
    }
    free(values);
    remember_used(runner);
    if (status)
        give_up(runner, &error);
}

void parity_end(ParityRunners *runners, const char *where)
{
    VqxContext *reference = runners->runner[0].ctx;
    runners->digest = 0;
    for (size_t i = 0; i < runners->count; i++)
        if (reference && runners->runner[i].ctx)
            compare_runner(&runners->runner[i], reference, where, &runners->digest);
    for (size_t i = 0; i < runners->count; i++)
        vqx_close(&runners->runner[i].ctx);
}

int parity_holds(const ParityRunners *runners)
{
    size_t ran = 0;
    for (size_t i = 0; i < runners->count; i++) {
        const ParityRunner *runner = &runners->runner[i];
        if (runner->absent[0])
            continue;
        if (runner->error[0] || runner->differing || runner->stage.name[0] || !runner->values)
            return 0;
        ran++;
    }
    return ran >= 2 && !runners->wrong;
}
