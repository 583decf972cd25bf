/* Compiles the embedded kernels for a device, one kernel a program, and keeps the programs. */
#include "backend/opencl/kernels.h"

#include "backend/probe.h"
#include "kernels/tiles/args.h"
#include "util/error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void write_options(char *options, size_t size, const OpenclDevice *device,
                          TilesKernel kernel, TilesForm form)
{
    TilesDefine define[TILES_MAX_DEFINES];
    const int count = tiles_defines(define, kernel, form);
    int used = snprintf(options, size, "-cl-std=CL1.2%s%s",
                        device->correct_division ? " -cl-fp32-correctly-rounded-divide-sqrt" : "",
                        form.native ? " -DVQX_USE_F64" : "");
    for (int i = 0; i < count; i++)
        used += snprintf(options + used, size - (size_t)used, " -D%s=%d", define[i].name,
                         define[i].value);
}

/* CPUs' compilers take seconds: there, only the default options' filters have kernels made for
 * them. */
TilesMadeFor opencl_made_for(const OpenclDevice *device)
{
    return (TilesMadeFor){.all_to = device->is_cpu ? 0 : 8, .wide_to = VIF_MAX_RADIUS};
}

static int report_build(OpenclDevice *device, cl_program program, cl_int code, const char *name,
                        const VqxLog *log, VqxError *error)
{
    size_t size = 0;
    device->cl->GetProgramBuildInfo(program, device->id, CL_PROGRAM_BUILD_LOG, 0, NULL, &size);
    char *text = calloc(size + 1, 1);
    if (text)
        device->cl->GetProgramBuildInfo(program, device->id, CL_PROGRAM_BUILD_LOG, size, text,
                                        NULL);
    if (log && log->write && text)
        log->write(log->opaque, VQX_LOG_ERROR, text);
    for (char *at = text; at && *at; at++) /* an error is one line */
        if (*at == '\n')
            *at = ' ';
    vqx_fail(error, VQX_ERROR_BACKEND, "kernel %s does not compile on %s: %s: %.300s", name,
             device->name, opencl_error_name(code), text ? text : "");
    free(text);
    return VQX_ERROR_BACKEND;
}

static cl_program build(OpenclDevice *device, const char *options, const char *name,
                        const VqxLog *log, VqxError *error)
{
    const char *source = (const char *)vqx_kernels_source;
    cl_int code;
    cl_program program = device->cl->CreateProgramWithSource(device->context, 1, &source,
                                                             &vqx_kernels_source_size, &code);
    if (!program) {
        vqx_fail(error, VQX_ERROR_BACKEND, "kernel %s: %s", name, opencl_error_name(code));
        return NULL;
    }
    code = device->cl->BuildProgram(program, 1, &device->id, options, NULL, NULL);
    if (!code)
        return program;
    report_build(device, program, code, name, log, error);
    device->cl->ReleaseProgram(program);
    return NULL;
}

/* From the device's list, or built and added to it. */
static cl_program find_program(OpenclDevice *device, const char *options, const char *name,
                               const VqxLog *log, VqxError *error)
{
    for (OpenclProgram *p = device->programs; p; p = p->next)
        if (!strcmp(p->options, options))
            return p->program;
    OpenclProgram *added = malloc(sizeof *added);
    char *key = strdup(options);
    if (!added || !key) {
        vqx_fail(error, VQX_ERROR_MEMORY, "out of memory");
        goto fail;
    }
    *added = (OpenclProgram){.options = key, .next = device->programs};
    added->program = build(device, options, name, log, error);
    if (!added->program)
        goto fail;
    device->programs = added;
    return added->program;
fail:
    free(added);
    free(key);
    return NULL;
}

cl_kernel opencl_kernel(OpenclDevice *device, TilesKernel kind, TilesForm form, const VqxLog *log,
                        VqxError *error)
{
    char options[256];
    cl_int code = CL_SUCCESS;
    write_options(options, sizeof options, device, kind, form);
    pthread_mutex_lock(&device->program_mutex);
    cl_program program = find_program(device, options, kind.name, log, error);
    cl_kernel kernel = program ? device->cl->CreateKernel(program, kind.name, &code) : NULL;
    pthread_mutex_unlock(&device->program_mutex);
    if (program && !kernel)
        vqx_fail(error, VQX_ERROR_BACKEND, "kernel %s on %s: %s", kind.name, device->name,
                 opencl_error_name(code));
    return kernel;
}

/* What a probe holds while it runs. */
typedef struct Probe {
    uint32_t *operands, *results;
    cl_command_queue queue;
    cl_kernel kernel;
    cl_mem in, out;
} Probe;

static cl_int probe_start(OpenclDevice *device, Probe *p)
{
    const OpenclApi *cl = device->cl;
    cl_int code = CL_SUCCESS;
    vqx_probe_operands(p->operands);
    p->queue = cl->CreateCommandQueue(device->context, device->id, 0, &code);
    if (!code)
        p->in = cl->CreateBuffer(device->context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR,
                                 VQX_PROBE_OPERAND_COUNT * sizeof(uint32_t), p->operands, &code);
    if (!code)
        p->out = cl->CreateBuffer(device->context, CL_MEM_WRITE_ONLY,
                                  VQX_PROBE_RESULT_COUNT * sizeof(uint32_t), NULL, &code);
    return code;
}

static cl_int probe_run(OpenclDevice *device, Probe *p, VqxProbeCase c)
{
    const OpenclApi *cl = device->cl;
    const size_t items = VQX_PROBE_ITEMS, group = VIF_GROUP;
    const cl_ulong nsq_bits = c.nsq_bits;
    cl_int code = cl->SetKernelArg(p->kernel, 0, sizeof(cl_mem), &p->in);
    if (!code)
        code = cl->SetKernelArg(p->kernel, 1, sizeof(cl_mem), &p->out);
    if (!code)
        code = cl->SetKernelArg(p->kernel, 2, sizeof c.constants, &c.constants);
    if (!code)
        code = cl->SetKernelArg(p->kernel, 3, sizeof nsq_bits, &nsq_bits);
    if (!code)
        code =
            cl->EnqueueNDRangeKernel(p->queue, p->kernel, 1, NULL, &items, &group, 0, NULL, NULL);
    if (!code)
        code = cl->EnqueueReadBuffer(p->queue, p->out, CL_TRUE, 0,
                                     VQX_PROBE_RESULT_COUNT * sizeof(uint32_t), p->results, 0, NULL,
                                     NULL);
    return code;
}

static void probe_free(const OpenclApi *cl, Probe *p)
{
    if (p->kernel)
        cl->ReleaseKernel(p->kernel);
    if (p->in)
        cl->ReleaseMemObject(p->in);
    if (p->out)
        cl->ReleaseMemObject(p->out);
    if (p->queue)
        cl->ReleaseCommandQueue(p->queue);
    free(p->operands);
    free(p->results);
}

int opencl_probe(OpenclDevice *device, TilesForm form, VqxError *error)
{
    Probe p = {.operands = malloc(VQX_PROBE_OPERAND_COUNT * sizeof(uint32_t)),
               .results = malloc(VQX_PROBE_RESULT_COUNT * sizeof(uint32_t))};
    int status = 0;
    cl_int code = CL_SUCCESS;
    if (!p.operands || !p.results)
        status = vqx_fail(error, VQX_ERROR_MEMORY, "out of memory");
    if (!status) {
        p.kernel = opencl_kernel(device, (TilesKernel){.name = "probe"}, form, NULL, error);
        status = p.kernel ? 0 : VQX_ERROR_BACKEND;
    }
    if (!status)
        code = probe_start(device, &p);
    for (int i = 0; !status && !code && i < VQX_PROBE_CASES; i++) {
        code = probe_run(device, &p, vqx_probe_case(i));
        if (!code)
            status = vqx_probe_check(p.operands, i, p.results, error);
    }
    if (code)
        status = vqx_fail(error, VQX_ERROR_BACKEND, "the self-test cannot run on %s: %s",
                          device->name, opencl_error_name(code));
    probe_free(device->cl, &p);
    return status;
}
