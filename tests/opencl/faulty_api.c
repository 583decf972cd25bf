/*
 * The OpenCL functions as the backend calls them, with faults: the linker's --wrap=opencl_api hands out this table, whose
 * entries ask faults_device_call first and count what is alive. A call that fails does nothing, but for waiting: the
 * device ends its work before the failure is told.
 */
#include "backend/opencl/api.h"
#include "robustness/faults.h"
#include "robustness/stand_in.h"

#include <stdio.h>
#include <stdlib.h>

enum { MOST_BUFFERS = 1024, KEPT_WITH_A_PROGRAM = 2 };

static const OpenclApi *real;
static struct {
    cl_mem buffer;
    size_t bytes;
} buffers[MOST_BUFFERS];
static size_t most_bytes, used_bytes, peak_bytes; /* of buffers; most 0: as the device has it */
static long programs;

void stand_in_memory(size_t bytes)
{
    most_bytes = bytes;
}

size_t stand_in_peak(void)
{
    return peak_bytes;
}

long stand_in_kept(void)
{
    return KEPT_WITH_A_PROGRAM * programs;
}

/* A call that returns a code. */
#define CALL(kind, name, parameters, arguments)                                       \
    static cl_int CL_API_CALL call_##name parameters                                  \
    {                                                                                 \
        return faults_device_call(kind) ? CL_OUT_OF_RESOURCES : real->name arguments; \
    }

CALL(FAULT_DEVICE_QUERY, GetPlatformIDs, (cl_uint room, cl_platform_id *ids, cl_uint *count),
     (room, ids, count))
CALL(FAULT_DEVICE_QUERY, GetPlatformInfo,
     (cl_platform_id id, cl_platform_info what, size_t size, void *value, size_t *used),
     (id, what, size, value, used))
CALL(FAULT_DEVICE_QUERY, GetDeviceIDs,
     (cl_platform_id id, cl_device_type type, cl_uint room, cl_device_id *ids, cl_uint *count),
     (id, type, room, ids, count))
CALL(FAULT_DEVICE_MODULE, SetKernelArg,
     (cl_kernel kernel, cl_uint at, size_t size, const void *value), (kernel, at, size, value))
CALL(FAULT_DEVICE_MODULE, BuildProgram,
     (cl_program program, cl_uint count, const cl_device_id *ids, const char *options,
      void(CL_CALLBACK *done)(cl_program, void *), void *opaque),
     (program, count, ids, options, done, opaque))
CALL(FAULT_DEVICE_MODULE, GetProgramBuildInfo,
     (cl_program program, cl_device_id id, cl_program_build_info what, size_t size, void *value,
      size_t *used),
     (program, id, what, size, value, used))
CALL(FAULT_DEVICE_COPY, EnqueueWriteBuffer,
     (cl_command_queue queue, cl_mem buffer, cl_bool wait, size_t at, size_t size, const void *from,
      cl_uint count, const cl_event *after, cl_event *done),
     (queue, buffer, wait, at, size, from, count, after, done))
CALL(FAULT_DEVICE_COPY, EnqueueWriteBufferRect,
     (cl_command_queue queue, cl_mem buffer, cl_bool wait, const size_t *at, const size_t *from_at,
      const size_t *region, size_t pitch, size_t slice, size_t from_pitch, size_t from_slice,
      const void *from, cl_uint count, const cl_event *after, cl_event *done),
     (queue, buffer, wait, at, from_at, region, pitch, slice, from_pitch, from_slice, from, count,
      after, done))
CALL(FAULT_DEVICE_MEMORY, EnqueueMigrateMemObjects,
     (cl_command_queue queue, cl_uint total, const cl_mem *buffer, cl_mem_migration_flags flags,
      cl_uint count, const cl_event *after, cl_event *done),
     (queue, total, buffer, flags, count, after, done))
CALL(FAULT_DEVICE_LAUNCH, EnqueueNDRangeKernel,
     (cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t *offset,
      const size_t *global, const size_t *local, cl_uint count, const cl_event *after,
      cl_event *done),
     (queue, kernel, dimensions, offset, global, local, count, after, done))
CALL(FAULT_DEVICE_QUEUE, Flush, (cl_command_queue queue), (queue))

static cl_int CL_API_CALL call_GetDeviceInfo(cl_device_id id, cl_device_info what, size_t size,
                                             void *value, size_t *used)
{
    if (faults_device_call(FAULT_DEVICE_QUERY))
        return CL_OUT_OF_RESOURCES;
    const cl_int code = real->GetDeviceInfo(id, what, size, value, used);
    if (!code && most_bytes &&
        (what == CL_DEVICE_GLOBAL_MEM_SIZE || what == CL_DEVICE_MAX_MEM_ALLOC_SIZE))
        *(cl_ulong *)value = most_bytes;
    return code;
}

static cl_int CL_API_CALL call_EnqueueReadBuffer(cl_command_queue queue, cl_mem buffer,
                                                 cl_bool wait, size_t at, size_t size, void *to,
                                                 cl_uint count, const cl_event *after,
                                                 cl_event *done)
{
    if (faults_device_call(FAULT_DEVICE_COPY))
        return CL_OUT_OF_RESOURCES;
    const cl_int code =
        real->EnqueueReadBuffer(queue, buffer, wait, at, size, to, count, after, done);
    if (!code && done)
        faults_device_object(1);
    return code;
}

static cl_int CL_API_CALL call_Finish(cl_command_queue queue)
{
    const cl_int code = real->Finish(queue);
    return faults_device_call(FAULT_DEVICE_QUEUE) ? CL_OUT_OF_RESOURCES : code;
}

static cl_int CL_API_CALL call_WaitForEvents(cl_uint count, const cl_event *event)
{
    const cl_int code = real->WaitForEvents(count, event);
    return faults_device_call(FAULT_DEVICE_QUEUE) ? CL_OUT_OF_RESOURCES : code;
}

/* A call that makes an object: NULL with a code where it fails. */
#define MAKE(type, kind, name, parameters, arguments) \
    static type CL_API_CALL call_##name parameters    \
    {                                                 \
        type made = NULL;                             \
        if (faults_device_call(kind))                 \
            *code = CL_OUT_OF_RESOURCES;              \
        else                                          \
            made = real->name arguments;              \
        faults_device_object(made ? 1 : 0);           \
        return made;                                  \
    }

MAKE(cl_context, FAULT_DEVICE_QUEUE, CreateContext,
     (const cl_context_properties *properties, cl_uint count, const cl_device_id *ids,
      void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *), void *opaque,
      cl_int *code),
     (properties, count, ids, notify, opaque, code))
MAKE(cl_command_queue, FAULT_DEVICE_QUEUE, CreateCommandQueue,
     (cl_context context, cl_device_id id, cl_command_queue_properties properties, cl_int *code),
     (context, id, properties, code))
MAKE(cl_kernel, FAULT_DEVICE_MODULE, CreateKernel,
     (cl_program program, const char *name, cl_int *code), (program, name, code))

static cl_program CL_API_CALL call_CreateProgramWithSource(cl_context context, cl_uint count,
                                                           const char **text, const size_t *size,
                                                           cl_int *code)
{
    cl_program made = NULL;
    if (faults_device_call(FAULT_DEVICE_MODULE))
        *code = CL_OUT_OF_RESOURCES;
    else
        made = real->CreateProgramWithSource(context, count, text, size, code);
    programs += made ? 1 : 0;
    return made;
}

/* The entry of a buffer; NULL: a free one. */
static size_t find(cl_mem buffer)
{
    for (size_t i = 0; i < MOST_BUFFERS; i++)
        if (buffers[i].buffer == buffer)
            return i;
    fprintf(stderr, "no such buffer, or too many\n");
    abort();
}

static cl_mem CL_API_CALL call_CreateBuffer(cl_context context, cl_mem_flags flags, size_t bytes,
                                            void *content, cl_int *code)
{
    cl_mem made = NULL;
    if (faults_device_call(FAULT_DEVICE_MEMORY) || (most_bytes && used_bytes + bytes > most_bytes))
        *code = CL_MEM_OBJECT_ALLOCATION_FAILURE;
    else
        made = real->CreateBuffer(context, flags, bytes, content, code);
    if (!made)
        return NULL;
    const size_t i = find(NULL);
    buffers[i].buffer = made;
    buffers[i].bytes = bytes;
    used_bytes += bytes;
    peak_bytes = used_bytes > peak_bytes ? used_bytes : peak_bytes;
    faults_device_object(1);
    return made;
}

static void *CL_API_CALL call_EnqueueMapBuffer(cl_command_queue queue, cl_mem buffer, cl_bool wait,
                                               cl_map_flags flags, size_t at, size_t size,
                                               cl_uint count, const cl_event *after, cl_event *done,
                                               cl_int *code)
{
    if (!faults_device_call(FAULT_DEVICE_MEMORY))
        return real->EnqueueMapBuffer(queue, buffer, wait, flags, at, size, count, after, done,
                                      code);
    *code = CL_MAP_FAILURE;
    return NULL;
}

/* Nothing that lets go of an object fails. */
#define RELEASE(name, type)                            \
    static cl_int CL_API_CALL call_##name(type object) \
    {                                                  \
        faults_device_object(-1);                      \
        return real->name(object);                     \
    }
RELEASE(ReleaseContext, cl_context)
RELEASE(ReleaseCommandQueue, cl_command_queue)
RELEASE(ReleaseKernel, cl_kernel)
RELEASE(ReleaseEvent, cl_event)

static cl_int CL_API_CALL call_ReleaseMemObject(cl_mem buffer)
{
    const size_t i = find(buffer);
    buffers[i].buffer = NULL;
    used_bytes -= buffers[i].bytes;
    faults_device_object(-1);
    return real->ReleaseMemObject(buffer);
}

static cl_int CL_API_CALL call_ReleaseProgram(cl_program program)
{
    programs--;
    return real->ReleaseProgram(program);
}

const OpenclApi *__real_opencl_api(VqxError *error);
const OpenclApi *__wrap_opencl_api(VqxError *error);

const OpenclApi *__wrap_opencl_api(VqxError *error)
{
    static OpenclApi table;
    real = __real_opencl_api(error);
    if (!real)
        return NULL;
    table = *real; /* what is not listed below cannot fail: unmapping, asking an event */
#define ENTRY(name) table.name = call_##name
    ENTRY(GetPlatformIDs);
    ENTRY(GetPlatformInfo);
    ENTRY(GetDeviceIDs);
    ENTRY(GetDeviceInfo);
    ENTRY(CreateContext);
    ENTRY(ReleaseContext);
    ENTRY(CreateCommandQueue);
    ENTRY(ReleaseCommandQueue);
    ENTRY(CreateProgramWithSource);
    ENTRY(BuildProgram);
    ENTRY(GetProgramBuildInfo);
    ENTRY(ReleaseProgram);
    ENTRY(CreateKernel);
    ENTRY(SetKernelArg);
    ENTRY(ReleaseKernel);
    ENTRY(CreateBuffer);
    ENTRY(ReleaseMemObject);
    ENTRY(EnqueueWriteBuffer);
    ENTRY(EnqueueWriteBufferRect);
    ENTRY(EnqueueReadBuffer);
    ENTRY(EnqueueMapBuffer);
    ENTRY(EnqueueMigrateMemObjects);
    ENTRY(EnqueueNDRangeKernel);
    ENTRY(Flush);
    ENTRY(Finish);
    ENTRY(WaitForEvents);
    ENTRY(ReleaseEvent);
#undef ENTRY
    return &table;
}
