/* A frame's work: its steps, and the bands of rows each is made of. */
#include "backend/cpu/cpu.h"

ptrdiff_t cpu_plane_stride(const VifScale *scale)
{
    return (ptrdiff_t)(((size_t)scale->width * sizeof(float) + 63) & ~(size_t)63);
}

static int bands_of(int height)
{
    return (height + VIF_BAND_ROWS - 1) / VIF_BAND_ROWS;
}

static int band_end(int first, int height)
{
    return first + VIF_BAND_ROWS < height ? first + VIF_BAND_ROWS : height;
}

static const VifPlan *plan_of(const CpuFrame *frame, const VqxEngine *engine)
{
    return &engine->params.plans[frame->plan];
}

static int statistic_bands(const VifPlan *plan, int s)
{
    return s >= plan->first_scale ? bands_of(plan->scale[s].height) : 0;
}

static int count_bands(const VifPlan *plan, int step)
{
    if (step < 0)
        return 2 * bands_of(plan->scale[0].height);
    return statistic_bands(plan, step) +
           (step + 1 < VIF_SCALES ? 2 * bands_of(plan->scale[step + 1].height) : 0);
}

static void begin_step(CpuFrame *frame, const VqxEngine *engine, int step)
{
    frame->step = step;
    frame->bands = count_bands(plan_of(frame, engine), step);
    frame->taken = 0;
    frame->finished = 0;
}

void cpu_frame_begin(CpuFrame *frame, const VqxEngine *engine)
{
    frame->plan = 0;
    begin_step(frame, engine, plan_of(frame, engine)->prescaled ? -1 : 0);
}

int cpu_frame_next_step(CpuFrame *frame, const VqxEngine *engine)
{
    if (frame->step + 1 < VIF_SCALES) {
        begin_step(frame, engine, frame->step + 1);
        return 1;
    }
    if (++frame->plan == engine->params.plan_count)
        return 0;
    begin_step(frame, engine, plan_of(frame, engine)->prescaled ? -1 : 0);
    return 1;
}

static VifSource submitted_plane(const CpuFrame *frame, int i)
{
    const VqxPlane *p = &frame->job->plane[i];
    return (VifSource){p->data, p->stride, (int)p->width, (int)p->height, (int)p->bit_depth};
}

/* The plane that scale s reads. */
static VifSource scale_plane(const CpuFrame *frame, const VifPlan *plan, int s, int i)
{
    const VifScale *scale = &plan->scale[s];
    if (s == 0 && !plan->prescaled)
        return submitted_plane(frame, i);
    return (VifSource){frame->planes->scale[s][i], cpu_plane_stride(scale), scale->width,
                       scale->height, 0};
}

void cpu_frame_band(const CpuFrame *frame, const VqxEngine *engine, int band, void *scratch)
{
    const VifPlan *plan = plan_of(frame, engine);
    const int s = frame->step, statistics = s < 0 ? 0 : statistic_bands(plan, s);
    if (band < statistics) {
        const VifScale *scale = &plan->scale[s];
        const VifSource source[2] = {scale_plane(frame, plan, s, 0),
                                     scale_plane(frame, plan, s, 1)};
        const int first = band * VIF_BAND_ROWS;
        engine->rows->statistic(plan, s, source, first, band_end(first, scale->height),
                                engine->params.form,
                                frame->job->sums[frame->plan] + 2 * scale->first_row,
                                engine->kept ? &engine->kept[s] : NULL, scratch);
        return;
    }
    const VifScale *scale = &plan->scale[s + 1];
    const int i = (band - statistics) % 2, first = (band - statistics) / 2 * VIF_BAND_ROWS;
    const int end = band_end(first, scale->height);
    float *out = frame->planes->scale[s + 1][i];
    if (s < 0) {
        const VifSource source = submitted_plane(frame, i);
        engine->rows->prescale(plan, &source, first, end, out, cpu_plane_stride(scale), scratch);
    } else {
        const VifSource source = scale_plane(frame, plan, s, i);
        engine->rows->decimate(plan, s + 1, &source, first, end, out, cpu_plane_stride(scale),
                               scratch);
    }
}
