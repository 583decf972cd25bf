/*
 * Runs the probe on every OpenCL device: as the device is, with the soft division, and with f64
 * where it has it.
 *
 *     probe_opencl SOURCE_ROOT [--operands N] [--seed N]
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include "arith/dialect_c.h"

#include "probe.h"

#include "probe_host.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct Device {
    cl_context context;
    cl_command_queue queue;
    cl_program program;
} Device;

static int run(void *opaque, ProbeForm form, const ProbeIn *in, ProbeOut *out, int count,
               const VifConstants *k, double nsq)
{
    Device *d = opaque;
    const size_t items = (size_t)count;
    cl_int status[9] = {0};
    cl_kernel kernel = clCreateKernel(
        d->program, form == PROBE_NATIVE ? "probe_native_kernel" : "probe_fp64_free_kernel",
        &status[0]);
    cl_mem from = clCreateBuffer(d->context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR,
                                 items * sizeof *in, (void *)(uintptr_t)in, &status[1]);
    cl_mem to =
        clCreateBuffer(d->context, CL_MEM_WRITE_ONLY, items * sizeof *out, NULL, &status[2]);
    status[3] = clSetKernelArg(kernel, 0, sizeof from, &from);
    status[4] = clSetKernelArg(kernel, 1, sizeof to, &to);
    status[5] = clSetKernelArg(kernel, 2, sizeof *k, k);
    if (form == PROBE_NATIVE)
        status[6] = clSetKernelArg(kernel, 3, sizeof nsq, &nsq);
    status[7] = clEnqueueNDRangeKernel(d->queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL);
    status[8] =
        clEnqueueReadBuffer(d->queue, to, CL_TRUE, 0, items * sizeof *out, out, 0, NULL, NULL);
    clReleaseMemObject(from);
    clReleaseMemObject(to);
    clReleaseKernel(kernel);
    for (int i = 0; i < 9; i++)
        if (status[i]) {
            printf("OpenCL call %d failed: %d\n", i, status[i]);
            return 1;
        }
    return 0;
}

static cl_program build(cl_context context, cl_device_id id, const char *root, const char *defines)
{
    const char *source = "#include \"probe.cl\"\n";
    char options[8192];
    snprintf(options, sizeof options, "-cl-std=CL1.2 %s -I %s/src -I %s/tests/arith/languages %s",
             strstr(defines, "SOFT_DIVISION") ? "" : "-cl-fp32-correctly-rounded-divide-sqrt", root,
             root, defines);
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, NULL);
    if (clBuildProgram(program, 1, &id, options, NULL, NULL)) {
        static char log[1 << 16];
        clGetProgramBuildInfo(program, id, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
        printf("%s\n%s\n", options, log);
        clReleaseProgram(program);
        return NULL;
    }
    return program;
}

static int check_device(cl_device_id id, const char *root, int argc, char **argv)
{
    char name[128] = "", title[256];
    cl_device_fp_config f32 = 0, f64 = 0;
    cl_int status;
    clGetDeviceInfo(id, CL_DEVICE_NAME, sizeof name, name, NULL);
    clGetDeviceInfo(id, CL_DEVICE_SINGLE_FP_CONFIG, sizeof f32, &f32, NULL);
    clGetDeviceInfo(id, CL_DEVICE_DOUBLE_FP_CONFIG, sizeof f64, &f64, NULL);
    const int divides = (f32 & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT) != 0;
    Device d = {.context = clCreateContext(NULL, 1, &id, NULL, NULL, &status)};
    d.queue = clCreateCommandQueue(d.context, id, 0, &status);
    int failed = 0;
    for (int soft = divides ? 0 : 1; soft < 2; soft++) {
        char defines[64];
        snprintf(defines, sizeof defines, "%s %s", f64 ? "-DVQX_USE_F64" : "",
                 soft ? "-DVQX_SOFT_DIVISION" : "");
        snprintf(title, sizeof title, "%.100s%s", name, soft ? ", soft division" : "");
        d.program = build(d.context, id, root, defines);
        failed |=
            !d.program || probe_check_device(title, f64 ? PROBE_NATIVE + 1 : PROBE_FP64_FREE + 1,
                                             run, &d, argc, argv);
        if (d.program)
            clReleaseProgram(d.program);
    }
    clReleaseCommandQueue(d.queue);
    clReleaseContext(d.context);
    return failed;
}

int main(int argc, char **argv)
{
    cl_platform_id platform[16];
    cl_uint platforms = 0, found = 0;
    int failed = 0;
    if (argc < 2) {
        fprintf(stderr, "usage: %s SOURCE_ROOT [--operands N] [--seed N]\n", argv[0]);
        return 2;
    }
    setenv("POCL_KERNEL_CACHE", "0", 1); /* it does not notice that an included file has changed */
    clGetPlatformIDs(16, platform, &platforms);
    for (cl_uint p = 0; p < platforms && p < 16; p++) {
        cl_device_id device[16];
        cl_uint devices = 0;
        if (clGetDeviceIDs(platform[p], CL_DEVICE_TYPE_ALL, 16, device, &devices))
            continue;
        for (cl_uint i = 0; i < devices && i < 16; i++, found++)
            failed |= check_device(device[i], argv[1], argc - 1, argv + 1);
    }
    if (!found) {
        puts("no OpenCL device here");
        return 77;
    }
    return failed;
}
