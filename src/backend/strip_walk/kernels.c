/*
 * Kernels: which of them a plan runs with which parameters, decided once; and the launches of a
 * batch.
 */
#include "backend/strip_walk/engine.h"

#include "util/error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *type_name(int depth)
{
    return depth == 0 ? "f32" : depth == 8 ? "u8" : "u16";
}

/* Bytes of shared memory of an any-radius walk; AnyShape of walk_any.h says the same. */
static size_t any_shared(int radius)
{
    const int r = (radius + 1) / 2 * 2, rows = STRIP_ROWS_ANY + 2 * r;
    const int tile_pitch = rows / 4 % 2 ? rows : rows + 4;
    const int ring = (2 * r <= STRIP_COLUMNS ? 3 : 4) * STRIP_COLUMNS;
    const int planes = 5 * STRIP_ROWS_ANY * (ring + 4);
    return sizeof(float) *
           (size_t)(2 * STRIP_MAX_RADIUS + 8 + 2 * STRIP_COLUMNS * tile_pitch + planes);
}

static int native(const StripLane *lane)
{
    return lane->engine->form == VQX_FORM_NATIVE;
}

static int keeps(const StripLane *lane)
{
    return lane->engine->params.keep_stages;
}

static const char *form_name(const StripLane *lane)
{
    if (keeps(lane))
        return native(lane) ? "kept_native" : "kept_pair";
    return native(lane) ? "native" : "pair";
}

static int has_walk(const StripLane *lane, int radius, int depth)
{
    if (lane->engine->params.cpumask & STRIP_MASK_FIXED)
        return 0;
    return radius == 8 || ((radius == 4 || radius == 2 || radius == 1) && depth == 0);
}

static int has_decimate(const StripLane *lane, int radius, int depth)
{
    if (lane->engine->params.cpumask & STRIP_MASK_FIXED)
        return 0;
    return radius == 4 || ((radius == 2 || radius == 1) && depth == 0);
}

static unsigned ceiling(int n, int unit)
{
    return (unsigned)((n + unit - 1) / unit);
}

int strip_kernels_find(StripLane *lane, StripLaunch *launch, int part, const char *name,
                       VqxError *error)
{
    const StripDriver *driver = lane->engine->driver;
    void **module = &lane->modules[part - 1];
    int code = 0;
    if (!*module)
        code = driver->module_load(module, lane->device.images[part - 1]);
    if (!code)
        code = driver->function(&launch->function, *module, name);
    if (!code && launch->shared > 48 << 10)
        code = driver->function_shared(launch->function, launch->shared);
    return strip_check(lane, code, "load the kernels", error);
}

static int find_walk_any(StripLane *lane, StripLaunch *launch, const VifScale *scale, int depth,
                         VqxError *error)
{
    char name[64];
    launch->threads = STRIP_THREADS_ANY;
    launch->grid[0] = ceiling(scale->height, STRIP_ROWS_ANY);
    launch->shared = any_shared(scale->radius);
    snprintf(name, sizeof name, "vqx_walk_any_%s_%s", type_name(depth), form_name(lane));
    return strip_kernels_find(lane, launch, keeps(lane) ? STRIP_PART_KEPT : STRIP_PART_ANY, name,
                              error);
}

static int find_walk(StripLane *lane, StripLaunch *launch, const VifScale *scale, int depth,
                     VqxError *error)
{
    char name[64];
    if (!has_walk(lane, scale->radius, depth))
        return find_walk_any(lane, launch, scale, depth, error);
    launch->threads = STRIP_THREADS;
    launch->grid[0] = ceiling(scale->height, STRIP_ROWS);
    snprintf(name, sizeof name, "vqx_walk_%d_%s_%s", scale->radius, type_name(depth),
             form_name(lane));
    const int part = keeps(lane)    ? STRIP_PART_KEPT
                     : native(lane) ? STRIP_PART_NATIVE
                                    : STRIP_PART_PAIR;
    return strip_kernels_find(lane, launch, part, name, error);
}

/* In lower strips: the any-radius kernel's are, too. */
static int find_low_walk(StripLane *lane, StripLaunch *launch, const VifScale *scale, int depth,
                         VqxError *error)
{
    char name[64];
    if (keeps(lane) || !has_walk(lane, scale->radius, depth))
        return find_walk_any(lane, launch, scale, depth, error);
    launch->threads = STRIP_THREADS;
    launch->grid[0] = ceiling(scale->height, STRIP_ROWS_LOW);
    snprintf(name, sizeof name, "vqx_walk_low_%d_%s_%s", scale->radius, type_name(depth),
             form_name(lane));
    return strip_kernels_find(lane, launch, native(lane) ? STRIP_PART_NATIVE : STRIP_PART_PAIR,
                              name, error);
}

static int find_decimate(StripLane *lane, StripLaunch *launch, const VifScale *scale, int depth,
                         VqxError *error)
{
    char name[64];
    launch->threads = DECIMATE_THREADS;
    launch->grid[0] = ceiling(scale->width, DECIMATE_COLUMNS);
    launch->grid[1] = ceiling(scale->height, DECIMATE_ROWS);
    snprintf(name, sizeof name, "vqx_decimate_%d_%s", scale->radius, type_name(depth));
    if (!has_decimate(lane, scale->radius, depth)) {
        launch->threads = DECIMATE_THREADS_ANY;
        launch->grid[0] = ceiling(scale->width, DECIMATE_COLUMNS_ANY);
        snprintf(name, sizeof name, "vqx_decimate_any_%s", type_name(depth));
    }
    return strip_kernels_find(lane, launch, STRIP_PART_PLANES, name, error);
}

/* Section 1 of the specification as one fused operation on 2^23 + sample. */
static StripConvert convert_of(const int depth[2])
{
    StripConvert c = {{0}, {0}};
    for (int i = 0; i < 2; i++) {
        c.factor[i] = 1.0f / (float)(1 << (depth[i] - 8));
        c.bias[i] = -(8388608.0f * c.factor[i] + 128.0f);
    }
    return c;
}

static StripTaps taps_of(const VifScale *scale)
{
    StripTaps t = {.radius = scale->radius};
    memcpy(t.tap, scale->tap, (size_t)scale->taps * sizeof *t.tap);
    return t;
}

static VifNoise noise_of(double nsq)
{
    return (VifNoise){.nsq = nsq, .reciprocal = 1.0 / nsq, .vanishes = nsq < VIF_NSQ_VANISHES};
}

/* The prescale's tables in one piece of device memory. */
static int copy_tables(StripLane *lane, StripPlan *p, VqxError *error)
{
    const StripDriver *driver = lane->engine->driver;
    const VifAxis *axes[2] = {&p->plan->x, &p->plan->y};
    size_t count[2], total;
    for (int i = 0; i < 2; i++)
        count[i] = (size_t)axes[i]->size * (size_t)axes[i]->taps;
    total = 2 * (count[0] + count[1]) * sizeof(float);
    char *host = calloc(1, total), *at = host;
    if (!host)
        return vqx_fail(error, VQX_ERROR_MEMORY, "out of memory");
    for (int i = 0; i < 2; i++) {
        memcpy(at, axes[i]->index, count[i] * sizeof(int32_t));
        at += count[i] * sizeof(int32_t);
        if (axes[i]->weight)
            memcpy(at, axes[i]->weight, count[i] * sizeof(float));
        at += count[i] * sizeof(float);
    }
    int code = driver->memory_alloc(&p->tables, total);
    if (!code)
        code = driver->copy_in(p->tables, host, total, lane->copies);
    if (!code)
        code = driver->event_record(lane->mark, lane->copies);
    if (!code)
        code = driver->event_wait(lane->mark);
    free(host);
    const float *device = p->tables;
    StripResize *r = &p->resize_params;
    const int weighted = axes[0]->weight != NULL;
    r->x_index = (const int *)device;
    r->x_weight = weighted ? device + count[0] : NULL;
    r->y_index = (const int *)(device + 2 * count[0]);
    r->y_weight = weighted ? device + 2 * count[0] + count[1] : NULL;
    r->taps = p->plan->x.taps;
    r->normalized = p->plan->normalized;
    return strip_check(lane, code, "copy the tables of the prescale", error);
}

static int init_resize(StripLane *lane, StripPlan *p, StripConvert convert, VqxError *error)
{
    const VifScale *scale = &p->plan->scale[0];
    int status = 0;
    p->resize_params =
        (StripResize){.width = scale->width, .height = scale->height, .convert = convert};
    for (int i = 0; !status && i < 2; i++) {
        char name[64];
        p->resize[i] =
            (StripLaunch){.threads = RESIZE_THREADS,
                          .grid = {(unsigned)scale->height, ceiling(scale->width, RESIZE_THREADS)}};
        snprintf(name, sizeof name, "vqx_resize_%s", type_name(lane->engine->params.depth[i]));
        status = strip_kernels_find(lane, &p->resize[i], STRIP_PART_PLANES, name, error);
    }
    return !status && p->plan->prescaled ? copy_tables(lane, p, error) : status;
}

static int init_plan(StripLane *lane, StripPlan *p, VqxError *error)
{
    const int *depth = lane->engine->params.depth;
    const VifPlan *plan = p->plan;
    const StripConvert convert = convert_of(depth);
    const int mixed = (depth[0] > 8) != (depth[1] > 8);
    int type = depth[0] > 8 ? 16 : 8; /* of the plane a kernel reads */
    int status = 0;
    p->from_f32 = plan->prescaled || mixed;
    if (p->from_f32)
        status = init_resize(lane, p, convert, error);
    type = p->from_f32 ? 0 : type;
    for (int s = 0; !status && s < VIF_SCALES; s++) {
        const VifScale *scale = &plan->scale[s], *before = s > 0 ? scale - 1 : scale;
        const StripKept kept = strip_memory_kept(lane, s);
        p->walk_params[s] = (StripWalk){.width = scale->width,
                                        .height = scale->height,
                                        .convert = convert,
                                        .taps = taps_of(scale),
                                        .constants = plan->constants,
                                        .noise = noise_of(plan->nsq),
                                        .frame_sums = (long long)lane->sizes.frame_floats,
                                        .kept = kept.first,
                                        .kept_pitch = (long long)kept.pitch,
                                        .kept_plane = (long long)kept.plane};
        p->decimate_params[s] =
            (StripDecimate){before->width, before->height, convert, taps_of(scale)};
        if (s > 0) {
            status = find_decimate(lane, &p->decimate[s], scale, type, error);
            type = 0;
        }
        if (!status)
            status = find_walk(lane, &p->walk[s], scale, type, error);
        if (!status)
            status = find_low_walk(lane, &p->low[s], scale, type, error);
    }
    return status;
}

int strip_kernels_init(StripLane *lane, VqxError *error)
{
    const VqxEngineParams *params = &lane->engine->params;
    size_t floats = 0;
    int status = 0;
    lane->plans = calloc(params->plan_count, sizeof *lane->plans);
    if (!lane->plans)
        return vqx_fail(error, VQX_ERROR_MEMORY, "out of memory");
    for (size_t i = 0; !status && i < params->plan_count; i++) {
        lane->plans[i].plan = &params->plans[i];
        lane->plans[i].first_float = floats;
        floats += 2 * params->plans[i].rows;
        status = init_plan(lane, &lane->plans[i], error);
    }
    return status;
}

void strip_kernels_free(StripLane *lane)
{
    const StripDriver *driver = lane->engine->driver;
    for (size_t i = 0; lane->plans && i < lane->engine->params.plan_count; i++)
        if (lane->plans[i].tables)
            driver->memory_free(lane->plans[i].tables);
    for (int m = 0; m < STRIP_PARTS; m++)
        if (lane->modules[m])
            driver->module_unload(lane->modules[m]);
    free(lane->plans);
}

/* ---- a batch's launches ---- */

static void submitted_planes(StripPlanes *planes, const StripBatch *batch)
{
    for (unsigned f = 0; f < batch->count; f++) {
        for (int i = 0; i < 2; i++) {
            planes->data[i][f] = batch->frame[f]->data[i];
            planes->stride[i][f] = batch->frame[f]->stride[i];
        }
    }
}

static void scale_planes(StripPlanes *planes, const StripLane *lane, const StripBatch *batch, int s)
{
    for (unsigned f = 0; f < batch->count; f++) {
        for (int i = 0; i < 2; i++) {
            planes->data[i][f] = (char *)batch->plane[s][i] + f * lane->sizes.plane_bytes[s];
            planes->stride[i][f] = (long long)lane->sizes.plane_stride[s];
        }
    }
}

static int launch(const StripDriver *driver, const StripLaunch *l, unsigned frames, void *stream,
                  void **params)
{
    const unsigned flat[3] = {l->grid[0], frames, 1}, deep[3] = {l->grid[0], l->grid[1], frames};
    return driver->launch(l->function, l->grid[1] ? deep : flat, l->threads, l->shared, stream,
                          params);
}

/* Both images of a plan's scale 0 as f32 planes. */
static int launch_resize(const StripDriver *driver, StripPlan *p, const StripBatch *batch,
                         StripPlanes *from, StripPlanes *to)
{
    int code = 0;
    for (int i = 0; !code && i < 2; i++) {
        p->resize_params.image = i;
        void *params[] = {from, to, &p->resize_params};
        code = launch(driver, &p->resize[i], batch->count, batch->stream, params);
    }
    return code;
}

/* A frame alone has fewer strips than the device has multiprocessors: lower ones end sooner. */
static int launch_walk(const StripLane *lane, StripPlan *p, int s, const StripBatch *batch,
                       void *stream, StripPlanes *planes)
{
    const unsigned strips = p->walk[s].grid[0] * batch->count;
    const int few = strips < (unsigned)lane->device.multiprocessors &&
                    !(lane->engine->params.cpumask & STRIP_MASK_LOW);
    void *params[] = {planes, &p->walk_params[s]};
    if (s < p->plan->first_scale)
        return 0;
    p->walk_params[s].sums = batch->sums + p->first_float + 2 * p->plan->scale[s].first_row;
    return launch(lane->engine->driver, few ? &p->low[s] : &p->walk[s], batch->count, stream,
                  params);
}

/* Scale 0 on the batch's stream; beside it the smaller planes and their statistics. */
static int launch_plan(const StripLane *lane, StripPlan *p, const StripBatch *batch)
{
    const StripDriver *driver = lane->engine->driver;
    StripPlanes planes[VIF_SCALES], submitted;
    int code = 0;
    for (int s = 0; s < VIF_SCALES; s++)
        if (s > 0 || p->from_f32)
            scale_planes(&planes[s], lane, batch, s);
    submitted_planes(p->from_f32 ? &submitted : &planes[0], batch);
    if (p->from_f32)
        code = launch_resize(driver, p, batch, &submitted, &planes[0]);
    if (!code)
        code = driver->event_record(batch->fork, batch->stream);
    if (!code)
        code = driver->stream_wait(batch->side, batch->fork);
    for (int s = 1; !code && s < VIF_SCALES; s++) {
        void *params[] = {&planes[s - 1], &planes[s], &p->decimate_params[s]};
        code = launch(driver, &p->decimate[s], 2 * batch->count, batch->side, params);
    }
    for (int s = 0; !code && s < VIF_SCALES; s++)
        code = launch_walk(lane, p, s, batch, s > 0 ? batch->side : batch->stream, &planes[s]);
    if (!code)
        code = driver->event_record(batch->join, batch->side);
    if (!code)
        code = driver->stream_wait(batch->stream, batch->join);
    return code;
}

int strip_kernels_launch(StripLane *lane, StripBatch *batch, VqxError *error)
{
    int code = 0;
    for (size_t i = 0; !code && i < lane->engine->params.plan_count; i++)
        code = launch_plan(lane, &lane->plans[i], batch);
    return strip_check(lane, code, "launch the kernels", error);
}
