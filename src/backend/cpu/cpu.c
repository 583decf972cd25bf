/* The CPU backend: opening and closing the engine, and what it says of this machine. */
#include "backend/cpu/cpu.h"

#include "util/error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

static unsigned core_count(void)
{
    const long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n > 0 ? (unsigned)n : 1;
}

/* "AMD EPYC 7763 64-Core Processor", as the processor calls itself. */
static const char *processor_name(char name[64])
{
#if defined(__x86_64__)
    unsigned words[12];
    unsigned *w = words;
    memset(name, 0, 64);
    for (unsigned leaf = 0x80000002; leaf <= 0x80000004; leaf++, w += 4)
        if (!__get_cpuid(leaf, &w[0], &w[1], &w[2], &w[3]))
            return "x86-64";
    memcpy(name, words, sizeof words);
    for (size_t end = strlen(name); end && name[end - 1] == ' '; end--)
        name[end - 1] = '\0';
    return name + strspn(name, " ");
#else
    (void)name;
    return sizeof(void *) == 8 ? "64-bit processor" : "processor";
#endif
}

static size_t plane_bytes(const VqxEngineParams *params, int s)
{
    size_t most = 0;
    for (size_t p = 0; p < params->plan_count; p++) {
        const VifScale *scale = &params->plans[p].scale[s];
        const size_t bytes = (size_t)cpu_plane_stride(scale) * (size_t)scale->height;
        if (s == 0 && !params->plans[p].prescaled)
            continue;
        most = bytes > most ? bytes : most;
    }
    return most;
}

/* Frames in work at a time: with one thread the next frame starts when one is done; with more, threads that run out of
 * bands need a frame after it. */
static int allocate_frames(VqxEngine *engine, unsigned in_flight, VqxError *error)
{
    const unsigned useful = engine->worker_count > 1 ? engine->worker_count / 2 + 1 : 1;
    engine->planes_count = useful < in_flight ? useful : in_flight;
    engine->planes = calloc(engine->planes_count, sizeof *engine->planes);
    engine->frames = calloc(in_flight, sizeof *engine->frames);
    if (!engine->planes || !engine->frames)
        return vqx_fail(error, VQX_ERROR_MEMORY, "out of memory");
    for (unsigned i = 0; i < in_flight; i++) {
        engine->frames[i].next = engine->free_frames;
        engine->free_frames = &engine->frames[i];
    }
    for (unsigned i = 0; i < engine->planes_count; i++) {
        for (int s = 0; s < VIF_SCALES; s++) {
            const size_t bytes = plane_bytes(&engine->params, s);
            for (int k = 0; bytes && k < 2; k++)
                if (posix_memalign((void **)&engine->planes[i].scale[s][k], 64, bytes))
                    return vqx_fail(error, VQX_ERROR_MEMORY,
                                    "out of memory for a plane of %zu bytes", bytes);
        }
    }
    return 0;
}

static void cpu_close(VqxEngine *engine)
{
    if (!engine)
        return;
    cpu_pool_stop(engine);
    for (unsigned i = 0; engine->planes && i < engine->planes_count; i++)
        for (int s = 0; s < VIF_SCALES; s++)
            for (int k = 0; k < 2; k++)
                free(engine->planes[i].scale[s][k]);
    pthread_cond_destroy(&engine->work);
    pthread_cond_destroy(&engine->finished);
    pthread_mutex_destroy(&engine->mutex);
    cpu_kept_free(engine);
    free(engine->planes);
    free(engine->frames);
    free(engine);
}

static void describe(VqxEngineInfo *info, const VqxEngine *engine, unsigned in_flight)
{
    const int fp64_free = engine->params.form == VQX_FORM_FP64_FREE;
    *info = (VqxEngineInfo){.in_flight = in_flight, .stride_align = 64};
    char name[64];
    snprintf(info->device, sizeof info->device, "%s, %u thread%s", processor_name(name),
             engine->worker_count, engine->worker_count == 1 ? "" : "s");
    snprintf(info->detail, sizeof info->detail, "%s, %s", engine->rows->name,
             fp64_free ? "fp64-free" : "native f64");
}

static int cpu_open(VqxEngine **out, const VqxEngineParams *params, VqxEngineInfo *info,
                    VqxError *error)
{
    *out = NULL;
    if (params->device && strcmp(params->device, "0"))
        return vqx_fail(error, VQX_ERROR_BACKEND,
                        "there is no device '%.40s'; the processor is device 0", params->device);
    VqxEngine *engine = calloc(1, sizeof *engine);
    if (!engine)
        return vqx_fail(error, VQX_ERROR_MEMORY, "out of memory");
    engine->params = *params;
    engine->rows = vif_rows_choose(params->cpumask);
    engine->worker_count = params->threads ? params->threads : core_count();
    pthread_mutex_init(&engine->mutex, NULL);
    pthread_cond_init(&engine->work, NULL);
    pthread_cond_init(&engine->finished, NULL);
    const unsigned in_flight = params->in_flight ? params->in_flight : engine->worker_count + 1;
    int status = allocate_frames(engine, in_flight, error);
    if (!status && params->keep_stages)
        status = cpu_kept_init(engine, error);
    if (!status)
        status = cpu_pool_start(engine, error);
    if (status) {
        cpu_close(engine);
        return status;
    }
    describe(info, engine, in_flight);
    *out = engine;
    return 0;
}

static size_t cpu_devices(VqxDevice *devices, size_t capacity)
{
    if (capacity > 0) {
        char name[64];
        devices[0] = (VqxDevice){.backend = "cpu", .device = "0", .available = 1, .automatic = 1};
        snprintf(devices[0].name, sizeof devices[0].name, "%s, %u cores", processor_name(name),
                 core_count());
        snprintf(devices[0].detail, sizeof devices[0].detail, "%s, native f64",
                 vif_rows_choose(0)->name);
    }
    return 1;
}

const VqxBackend vqx_backend_cpu = {
    .abi = VQX_BACKEND_ABI,
    .name = "cpu",
    .description = "this machine's processor",
    .exact = 1,
    .devices = cpu_devices,
    .open = cpu_open,
    .submit = cpu_pool_submit,
    .wait = cpu_pool_wait,
    .close = cpu_close,
    .stage = cpu_kept_stage,
    .measure_peaks = cpu_measure_peaks,
};
