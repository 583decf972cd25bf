/* Opens engines that keep their stages, and walks these in the order in which one follows from another. */
#include "parity/stages.h"

#include "parity/digest.h"
#include "util/error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A frame on its way through one engine. */
typedef struct Kept {
    const VqxBackend *backend;
    VqxEngine *engine;
    const VifPlan *plan;
    float *sums;  /* the row sums */
    void *memory; /* the planes, in memory of the backend's */
} Kept;

void parity_stage_name(char name[32], const VifPlan *plan, int scale, int stage)
{
    static const char *const names[PARITY_STAGES] = {
        "reference", "distorted", "mu1",      "mu2",         "xx",         "yy",
        "xy",        "num term",  "den term", "num row sum", "den row sum"};
    const char *made = stage > VIF_STAGE_DIS ? ""
                       : scale > 0           ? "decimated "
                       : plan->prescaled     ? "prescaled "
                                             : "converted ";
    snprintf(name, 32, "%s%s", made, names[stage]);
}

static void close_kept(Kept *kept)
{
    if (kept->memory)
        kept->backend->memory_free(kept->engine, kept->memory);
    if (kept->engine)
        kept->backend->close(kept->engine);
    free(kept->sums);
    *kept = (Kept){0};
}

/* Puts the planes where the library puts frames, as far apart: reading memory of its own is part of a backend's usual way. */
static int lend_planes(Kept *kept, const VqxEngineInfo *info, VqxPlane plane[2], VqxError *error)
{
    enum { LINE = 64 }; /* also what may be read past the last sample */
    const size_t align = info->stride_align > LINE ? info->stride_align : LINE;
    size_t row[2], stride[2], bytes[2];
    if (!kept->backend->memory_alloc)
        return 0;
    for (int i = 0; i < 2; i++) {
        row[i] = (size_t)plane[i].width * (plane[i].bit_depth > 8 ? 2 : 1);
        stride[i] = (row[i] + align - 1) / align * align;
        bytes[i] = stride[i] * plane[i].height + LINE;
    }
    kept->memory = kept->backend->memory_alloc(kept->engine, bytes[0] + bytes[1], error);
    if (!kept->memory)
        return VQX_ERROR_MEMORY;
    for (int i = 0; i < 2; i++) {
        char *lent = (char *)kept->memory + (i ? bytes[0] : 0);
        const char *from = plane[i].data;
        for (unsigned y = 0; y < plane[i].height; y++)
            memcpy(lent + y * stride[i], from + (ptrdiff_t)y * plane[i].stride, row[i]);
        plane[i].data = lent;
        plane[i].stride = (ptrdiff_t)stride[i];
    }
    return 0;
}

static int compute(Kept *kept, const ParityRunner *runner, const VifPlan *plan,
                   const VqxPlane plane[2], VqxError *error)
{
    const VqxEngineParams params = {
        .plans = plan,
        .plan_count = 1,
        .width = plan->width,
        .height = plan->height,
        .depth = {(int)plane[0].bit_depth, (int)plane[1].bit_depth},
        .device = runner->device[0] ? runner->device : NULL,
        .in_flight = 1,
        .cpumask = runner->cpumask,
        .form = runner->form,
        .keep_stages = 1,
    };
    VqxEngineInfo info;
    *kept = (Kept){.backend = runner->vtable, .plan = plan};
    kept->sums = calloc(plan->rows, 2 * sizeof *kept->sums);
    if (!kept->sums)
        return vqx_fail(error, VQX_ERROR_MEMORY, "out of memory for row sums");
    float *sums[1] = {kept->sums};
    VqxJob job = {.plane = {plane[0], plane[1]}, .sums = sums};
    int status = kept->backend->open(&kept->engine, &params, &info, error);
    if (!status)
        status = lend_planes(kept, &info, job.plane, error);
    if (!status)
        status = kept->backend->submit(kept->engine, &job, error);
    if (!status)
        status = kept->backend->wait(kept->engine, &job, error);
    if (status)
        close_kept(kept);
    return status;
}

static size_t stage_samples(const VifPlan *plan, int s, int stage)
{
    const VifScale *scale = &plan->scale[s];
    return stage < VIF_STAGES ? (size_t)scale->width * (size_t)scale->height
                              : (size_t)scale->height;
}

/* 1: written; 0: there is none; else a status. */
static int get_stage(const Kept *kept, int s, int stage, float *out, VqxError *error)
{
    const VifPlan *plan = kept->plan;
    const float *sums = kept->sums + 2 * plan->scale[s].first_row + (stage == PARITY_ROW_DEN);
    if (stage < VIF_STAGES)
        return kept->backend->stage(kept->engine, s, stage, out, error);
    if (s < plan->first_scale)
        return 0;
    for (int y = 0; y < plan->scale[s].height; y++)
        out[y] = sums[2 * y];
    return 1;
}

static uint32_t bits_of(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* Zeros of either sign are equal: where a sum begins differs, and no output shows it. */
static int same(float a, float b)
{
    return bits_of(a) == bits_of(b) || (a == 0 && b == 0) || (a != a && b != b);
}

/* 1: the runner parts from the reference here. */
static int compare_stage(ParityRunner *runner, const VifPlan *plan, int s, int stage,
                         const float *expected, const float *got)
{
    const size_t count = stage_samples(plan, s, stage);
    const size_t width = stage < VIF_STAGES ? (size_t)plan->scale[s].width : 1;
    runner->stages++;
    for (size_t i = 0; i < count; i++) {
        if (same(expected[i], got[i]))
            continue;
        ParityStage *first = &runner->stage;
        parity_stage_name(first->name, plan, s, stage);
        first->scale = s;
        first->x = (int)(i % width);
        first->y = (int)(i / width);
        first->has_x = stage < VIF_STAGES;
        first->expected = bits_of(expected[i]);
        first->got = bits_of(got[i]);
        return 1;
    }
    return 0;
}

/* Stages in order up to the first that differs. Where only one side has a stage there is nothing to compare. */
static int compare_runner(ParityRunner *runner, const Kept *reference, const Kept *kept,
                          float *expected, float *got, VqxError *error)
{
    for (int s = 0; s < VIF_SCALES; s++) {
        for (int stage = 0; stage < PARITY_STAGES; stage++) {
            const int given = get_stage(reference, s, stage, expected, error);
            if (given < 0)
                return given;
            const int had = given ? get_stage(kept, s, stage, got, error) : 0;
            if (had < 0)
                return had;
            runner->stages_left_out += given && !had;
            if (had && compare_stage(runner, reference->plan, s, stage, expected, got))
                return 0;
        }
    }
    return 0;
}

static int digest_reference(uint32_t (*digests)[PARITY_STAGES], const Kept *reference,
                            float *expected, VqxError *error)
{
    for (int s = 0; s < VIF_SCALES; s++) {
        for (int stage = 0; stage < PARITY_STAGES; stage++) {
            const int given = get_stage(reference, s, stage, expected, error);
            if (given < 0)
                return given;
            if (given)
                digests[s][stage] = digest_floats(digests[s][stage], expected,
                                                  stage_samples(reference->plan, s, stage));
        }
    }
    return 0;
}

/* A runner whose backend keeps nothing, that failed or that parted earlier is passed by. */
static void run_one(ParityRunner *runner, const Kept *reference, const VqxPlane plane[2],
                    uint64_t frame, const char *where, float *expected, float *got)
{
    VqxError error = {0};
    Kept kept;
    if (runner->absent[0] || runner->error[0] || runner->stage.name[0] || !runner->vtable->stage)
        return;
    int status = compute(&kept, runner, reference->plan, plane, &error);
    if (!status)
        status = compare_runner(runner, reference, &kept, expected, got, &error);
    if (status)
        snprintf(runner->error, sizeof runner->error, "%s", error.message);
    if (runner->stage.name[0]) {
        runner->stage.frame = frame;
        snprintf(runner->stage.where, sizeof runner->stage.where, "%s", where);
    }
    close_kept(&kept);
}

static int run_plan(ParityRunners *runners, const VifPlan *plan, const VqxPlane plane[2],
                    uint64_t frame, const char *where, uint32_t (*digests)[PARITY_STAGES],
                    VqxError *error)
{
    const size_t samples = stage_samples(plan, 0, 0);
    float *expected = malloc(2 * samples * sizeof *expected);
    Kept reference;
    if (!expected)
        return vqx_fail(error, VQX_ERROR_MEMORY, "out of memory for stages");
    float *got = expected + samples;
    int status = compute(&reference, &runners->runner[0], plan, plane, error);
    if (!status && digests)
        status = digest_reference(digests, &reference, expected, error);
    for (size_t i = 1; !status && i < runners->count; i++)
        run_one(&runners->runner[i], &reference, plane, frame, where, expected, got);
    close_kept(&reference);
    free(expected);
    return status;
}

int parity_stages_frame(ParityRunners *runners, const VqxVifOptions *options, size_t option_count,
                        const VqxPlane plane[2], uint64_t frame, const char *where,
                        uint32_t (*digests)[PARITY_STAGES], VqxError *error)
{
    int status = 0;
    for (size_t p = 0; !status && p < option_count; p++) {
        VifPlan plan;
        status =
            vif_plan_init(&plan, &options[p], (int)plane[0].width, (int)plane[0].height, error);
        if (status)
            return status;
        status = run_plan(runners, &plan, plane, frame, where, p ? NULL : digests, error);
        vif_plan_free(&plan);
    }
    return status;
}
