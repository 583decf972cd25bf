/* Opening, configuring and closing a context. */
#include "core/context.h"

#include "util/error.h"
#include "vif/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void vqx_default_settings(VqxSettings *settings)
{
    memset(settings, 0, sizeof *settings);
}

static void log_message(const VqxContext *ctx, int level, const char *backend, const char *message)
{
    char text[640];
    if (!ctx->log.write)
        return;
    snprintf(text, sizeof text, "backend %s: %s", backend, message);
    ctx->log.write(ctx->log.opaque, level, text);
}

static int copy_text(char **to, const char *from)
{
    *to = from ? strdup(from) : NULL;
    return from && !*to ? -1 : 0;
}

static int copy_settings(VqxContext *ctx, const VqxSettings *settings, VqxError *error)
{
    const int given = settings->vif && settings->vif_count > 0;
    ctx->plan_count = given ? settings->vif_count : 1;
    ctx->options = calloc(ctx->plan_count, sizeof *ctx->options);
    if (!ctx->options || copy_text(&ctx->backend_name, settings->backend) ||
        copy_text(&ctx->device, settings->device) ||
        copy_text(&ctx->module_folder, settings->module_folder))
        return vqx_fail(error, VQX_ERROR_MEMORY, "out of memory");
    if (given)
        memcpy(ctx->options, settings->vif, ctx->plan_count * sizeof *ctx->options);
    else
        vqx_vif_default_options(ctx->options);
    if (settings->form < VQX_FORM_AUTO || settings->form > VQX_FORM_FP64_FREE)
        return vqx_fail(error, VQX_ERROR_ARGUMENT, "form %d is none of VqxForm",
                        (int)settings->form);
    ctx->threads = settings->threads;
    ctx->frames_in_flight = settings->frames_in_flight;
    ctx->cpumask = settings->cpumask;
    ctx->form = settings->form;
    ctx->log = (VqxLog){settings->log, settings->log_opaque};
    for (size_t p = 0; p < ctx->plan_count; p++) {
        const int status = vif_options_check(&ctx->options[p], error);
        if (status)
            return status;
    }
    return 0;
}

/* Names of all outputs; two of the same name could not stand in one report. */
static int name_outputs(VqxContext *ctx, VqxError *error)
{
    for (size_t p = 0; p < ctx->plan_count; p++)
        ctx->output_count += (size_t)vif_output_count(&ctx->options[p]);
    ctx->output_names = calloc(ctx->output_count, sizeof *ctx->output_names);
    if (!ctx->output_names)
        return vqx_fail(error, VQX_ERROR_MEMORY, "out of memory");
    size_t n = 0;
    for (size_t p = 0; p < ctx->plan_count; p++) {
        const size_t before = n;
        for (int i = 0; i < vif_output_count(&ctx->options[p]); i++, n++)
            vif_output_name(ctx->output_names[n], &ctx->options[p], i);
        for (size_t i = 0; i < before; i++)
            if (!strcmp(ctx->output_names[i], ctx->output_names[before]))
                return vqx_fail(
                    error, VQX_ERROR_OPTION,
                    "two configurations of float_vif have the same outputs (%s); give each once",
                    ctx->output_names[i]);
    }
    return 0;
}

/* The backend has a device that may be used, as chosen by hand or by `auto`. */
static int check_backend(const VqxBackend *backend, int automatic, VqxError *error)
{
    VqxDevice devices[16];
    const size_t found = backend->devices(devices, 16), count = found < 16 ? found : 16;
    for (size_t i = 0; i < count; i++)
        if (devices[i].available && (!automatic || devices[i].automatic))
            return 0;
    return vqx_fail(error, VQX_ERROR_BACKEND, "%s",
                    count && devices[0].reason[0] ? devices[0].reason : "there is no device");
}

static int choose_named(VqxContext *ctx, VqxError *error)
{
    char names[128];
    size_t used = 0;
    for (size_t i = 0; i < vqx_backend_count(); i++) {
        VqxError reason = {0};
        if (!strcmp(vqx_backend_name(i), ctx->backend_name)) {
            ctx->backend = vqx_backend_get(i, ctx->module_folder, &reason);
            if (ctx->backend && !check_backend(ctx->backend, 0, &reason))
                return 0;
            return vqx_fail(error, VQX_ERROR_BACKEND, "backend %s: %.440s", ctx->backend_name,
                            reason.message);
        }
        used += (size_t)snprintf(names + used, sizeof names - used, ", %s", vqx_backend_name(i));
    }
    return vqx_fail(error, VQX_ERROR_OPTION, "there is no backend '%.40s'; there are auto%s",
                    ctx->backend_name, names);
}

/* The first backend from `from` on that has a device. */
static int choose_automatic(VqxContext *ctx, size_t from, VqxError *error)
{
    VqxError reason = {0};
    for (size_t i = from; i < vqx_backend_count(); i++) {
        ctx->backend = vqx_backend_get(i, ctx->module_folder, &reason);
        if (ctx->backend && !check_backend(ctx->backend, 1, &reason))
            return 0;
        log_message(ctx, VQX_LOG_INFO, vqx_backend_name(i), reason.message);
    }
    return vqx_fail(error, VQX_ERROR_BACKEND, "no backend has a device: %.400s", reason.message);
}

int vqx_open(VqxContext **out, const VqxSettings *settings, VqxError *error)
{
    VqxSettings standard;
    if (!out)
        return vqx_fail(error, VQX_ERROR_ARGUMENT, "ctx must not be NULL");
    *out = NULL;
    if (!settings) {
        vqx_default_settings(&standard);
        settings = &standard;
    }
    VqxContext *ctx = calloc(1, sizeof *ctx);
    if (!ctx)
        return vqx_fail(error, VQX_ERROR_MEMORY, "out of memory");
    int status = copy_settings(ctx, settings, error);
    if (!status)
        status = name_outputs(ctx, error);
    if (!status) {
        ctx->automatic = !ctx->backend_name || !strcmp(ctx->backend_name, "auto");
        status = ctx->automatic ? choose_automatic(ctx, 0, error) : choose_named(ctx, error);
    }
    if (status)
        vqx_close(&ctx);
    *out = ctx;
    return status;
}

static int open_engine(VqxContext *ctx, VqxError *error)
{
    const VqxEngineParams params = {
        .plans = ctx->plans,
        .plan_count = ctx->plan_count,
        .width = (int)ctx->width,
        .height = (int)ctx->height,
        .depth = {(int)ctx->depth[0], (int)ctx->depth[1]},
        .device = ctx->device,
        .threads = ctx->threads,
        .in_flight = ctx->frames_in_flight,
        .cpumask = ctx->cpumask,
        .form = ctx->form,
        .log = ctx->log,
    };
    return ctx->backend->open(&ctx->engine, &params, &ctx->info, error);
}

/* With `auto`, a backend that fails to start gives way to the next, with a warning. */
static int start_engine(VqxContext *ctx, VqxError *error)
{
    VqxError reason = {0};
    int status = open_engine(ctx, &reason);
    for (size_t i = 0; status && ctx->automatic && i + 1 < vqx_backend_count(); i++) {
        if (strcmp(vqx_backend_name(i), ctx->backend->name))
            continue;
        log_message(ctx, VQX_LOG_WARNING, ctx->backend->name, reason.message);
        status = choose_automatic(ctx, i + 1, &reason);
        if (!status)
            status = open_engine(ctx, &reason);
    }
    return status ? vqx_fail(error, status, "backend %s: %.440s",
                             ctx->backend ? ctx->backend->name : "auto", reason.message)
                  : 0;
}

static int make_plans(VqxContext *ctx, VqxError *error)
{
    ctx->plans = calloc(ctx->plan_count, sizeof *ctx->plans);
    if (!ctx->plans)
        return vqx_fail(error, VQX_ERROR_MEMORY, "out of memory");
    for (; ctx->plans_ready < ctx->plan_count; ctx->plans_ready++) {
        const size_t p = ctx->plans_ready;
        const int status = vif_plan_init(&ctx->plans[p], &ctx->options[p], (int)ctx->width,
                                         (int)ctx->height, error);
        if (status)
            return status;
    }
    return 0;
}

/* Back to before vqx_configure. */
static void unconfigure(VqxContext *ctx)
{
    vqx_slots_free(ctx);
    if (ctx->engine)
        ctx->backend->close(ctx->engine);
    ctx->engine = NULL;
    for (size_t p = 0; p < ctx->plans_ready; p++)
        vif_plan_free(&ctx->plans[p]);
    free(ctx->plans);
    ctx->plans = NULL;
    ctx->plans_ready = 0;
    ctx->configured = 0;
}

int vqx_configure(VqxContext *ctx, unsigned width, unsigned height, unsigned ref_depth,
                  unsigned dis_depth, VqxError *error)
{
    if (!ctx)
        return vqx_fail(error, VQX_ERROR_ARGUMENT, "ctx must not be NULL");
    if (ctx->configured) {
        if (width == ctx->width && height == ctx->height && ref_depth == ctx->depth[0] &&
            dis_depth == ctx->depth[1])
            return 0;
        return vqx_fail(error, VQX_ERROR_ARGUMENT,
                        "a frame of %ux%u, %u and %u bits in a stream of %ux%u, %u and %u bits",
                        width, height, ref_depth, dis_depth, ctx->width, ctx->height, ctx->depth[0],
                        ctx->depth[1]);
    }
    if (ref_depth < 8 || ref_depth > 16 || dis_depth < 8 || dis_depth > 16)
        return vqx_fail(error, VQX_ERROR_ARGUMENT, "bit depths %u and %u: must be from 8 to 16",
                        ref_depth, dis_depth);
    if (width < 1 || height < 1 || width > VIF_MAX_DIMENSION || height > VIF_MAX_DIMENSION)
        return vqx_fail(error, VQX_ERROR_SIZE, "%ux%u: width and height must be from 1 to %d",
                        width, height, VIF_MAX_DIMENSION);
    ctx->width = width;
    ctx->height = height;
    ctx->depth[0] = ref_depth;
    ctx->depth[1] = dis_depth;
    int status = make_plans(ctx, error);
    if (!status)
        status = start_engine(ctx, error);
    if (!status)
        status = vqx_slots_init(ctx, error);
    if (status)
        unconfigure(ctx);
    else
        ctx->configured = 1;
    return status;
}

void vqx_used(const VqxContext *ctx, VqxUsed *used)
{
    *used =
        (VqxUsed){ctx->backend->name, ctx->info.device, ctx->info.driver, ctx->info.detail, {NULL}};
}

void vqx_close(VqxContext **context)
{
    VqxContext *ctx = context ? *context : NULL;
    if (!ctx)
        return;
    if (ctx->configured)
        vqx_collect_all(ctx, NULL);
    unconfigure(ctx);
    free(ctx->records);
    free(ctx->sums);
    free(ctx->output_names);
    free(ctx->options);
    free(ctx->backend_name);
    free(ctx->device);
    free(ctx->module_folder);
    free(ctx);
    *context = NULL;
}
