/*
 * Compiles the embedded kernels for a device, one kernel a library, and keeps the pipelines.
 *
 * From source at run time, because the kernels are made for the filters' radii, and because the
 * compiler comes with macOS while the offline one needs Xcode.
 */
#include "backend/metal/kernels.h"

#include "backend/probe.h"
#include "kernels/tiles/args.h"
#include "util/error.h"

#include <stdio.h>
#include <string.h>

/*
 * The safe math mode: no reassociation, no assumption of finite values, correctly rounded division.
 * kernels.metal forbids contraction by pragma. Before macOS 15 the same was said by
 * fastMathEnabled.
 *
 * https://developer.apple.com/documentation/metal/mtlcompileoptions/mathmode
 * https://developer.apple.com/documentation/metal/mtlcompileoptions/fastmathenabled
 */
static void set_safe_math(MTLCompileOptions *options)
{
#if defined(__MAC_OS_X_VERSION_MAX_ALLOWED) && __MAC_OS_X_VERSION_MAX_ALLOWED >= 150000
    if (@available(macOS 15.0, *)) {
        options.mathMode = MTLMathModeSafe;
        return;
    }
#endif
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdeprecated-declarations"
    options.fastMathEnabled = NO;
#pragma clang diagnostic pop
}

/* https://developer.apple.com/documentation/metal/mtlcompileoptions/preprocessormacros
 * Metal 2.3, of macOS 11, is the first with 64-bit integers on every device:
 * https://developer.apple.com/documentation/metal/mtlcompileoptions/languageversion */
static MTLCompileOptions *compile_options(TilesKernel kernel, TilesForm form)
{
    MTLCompileOptions *options = [MTLCompileOptions new];
    NSMutableDictionary *macros = [NSMutableDictionary new];
    TilesDefine define[TILES_MAX_DEFINES];
    const int count = tiles_defines(define, kernel, form);
    for (int i = 0; i < count; i++)
        [macros setObject:[NSNumber numberWithInt:define[i].value]
                   forKey:[NSString stringWithUTF8String:define[i].name]];
    options.preprocessorMacros = macros;
    options.languageVersion = MTLLanguageVersion2_3;
    set_safe_math(options);
    return options;
}

/* An error is one line. */
static void fail_with(VqxError *error, const MetalDevice *device, const char *name, NSError *from)
{
    VqxError text;
    const char *reason = from ? from.localizedDescription.UTF8String : "no reason is given";
    vqx_fail(&text, VQX_ERROR_BACKEND, "kernel %s on %s: %.300s", name, device->name, reason);
    for (char *at = text.message; *at; at++)
        if (*at == '\n')
            *at = ' ';
    vqx_fail(error, text.status, "%s", text.message);
}

/*
 * A compiler's warnings come as an error beside a library; only no library is a failure.
 *
 * https://developer.apple.com/documentation/metal/mtldevice/makelibrary(source:options:)
 * https://developer.apple.com/documentation/metal/mtllibrary/makefunction(name:)
 * https://developer.apple.com/documentation/metal/mtldevice/makecomputepipelinestate(function:)
 */
static id<MTLComputePipelineState> build(MetalDevice *device, TilesKernel kernel, TilesForm form,
                                         VqxError *error)
{
    NSError *reason = nil;
    id<MTLLibrary> library = [device->device
        newLibraryWithSource:[NSString stringWithUTF8String:(const char *)vqx_kernels_source]
                     options:compile_options(kernel, form)
                       error:&reason];
    id<MTLFunction> function =
        [library newFunctionWithName:[NSString stringWithUTF8String:kernel.name]];
    id<MTLComputePipelineState> pipeline = nil;
    if (function)
        pipeline = [device->device newComputePipelineStateWithFunction:function error:&reason];
    if (!pipeline)
        fail_with(error, device, kernel.name, reason);
    return pipeline;
}

/* Registers may leave a pipeline fewer threads than the device has:
 * https://developer.apple.com/documentation/metal/mtlcomputepipelinestate/maxtotalthreadsperthreadgroup */
static id<MTLComputePipelineState> build_checked(MetalDevice *device, TilesKernel kernel,
                                                 TilesForm form, VqxError *error)
{
    id<MTLComputePipelineState> pipeline = build(device, kernel, form, error);
    if (!pipeline || pipeline.maxTotalThreadsPerThreadgroup >= VIF_GROUP)
        return pipeline;
    vqx_fail(error, VQX_ERROR_BACKEND, "kernel %s on %s runs %lu threads at once; %d are needed",
             kernel.name, device->name, (unsigned long)pipeline.maxTotalThreadsPerThreadgroup,
             VIF_GROUP);
    return nil;
}

id<MTLComputePipelineState> metal_pipeline(MetalDevice *device, TilesKernel kernel, TilesForm form,
                                           VqxError *error)
{
    char text[64];
    snprintf(text, sizeof text, "%s %d %d %d %d", kernel.name, kernel.sample_bits, kernel.radius,
             kernel.dumps, form.soft_division);
    NSString *key = [NSString stringWithUTF8String:text];
    pthread_mutex_lock(&device->pipeline_mutex);
    id<MTLComputePipelineState> pipeline = [device->pipelines objectForKey:key];
    if (!pipeline) {
        pipeline = build_checked(device, kernel, form, error);
        if (pipeline)
            [device->pipelines setObject:pipeline forKey:key];
    }
    pthread_mutex_unlock(&device->pipeline_mutex);
    return pipeline;
}

/* One case; the results are in `out` when it returns 0. The calls are explained in submit.m. */
static int probe_case(MetalDevice *device, id<MTLComputePipelineState> pipeline, int number,
                      id<MTLBuffer> in, id<MTLBuffer> out, VqxError *error)
{
    const VqxProbeCase c = vqx_probe_case(number);
    id<MTLCommandBuffer> commands = [device->queue commandBuffer];
    id<MTLComputeCommandEncoder> encoder = [commands computeCommandEncoder];
    [encoder setComputePipelineState:pipeline];
    [encoder setBuffer:in offset:0 atIndex:0];
    [encoder setBuffer:out offset:0 atIndex:1];
    [encoder setBytes:&c.constants length:sizeof c.constants atIndex:2];
    [encoder dispatchThreadgroups:MTLSizeMake(VQX_PROBE_ITEMS / VIF_GROUP, 1, 1)
            threadsPerThreadgroup:MTLSizeMake(VIF_GROUP, 1, 1)];
    [encoder endEncoding];
    [commands commit];
    [commands waitUntilCompleted];
    if (!encoder || commands.status != MTLCommandBufferStatusCompleted)
        return vqx_fail(error, VQX_ERROR_BACKEND, "the self-test does not run: %.300s",
                        commands.error ? commands.error.localizedDescription.UTF8String
                                       : "no reason is given");
    return vqx_probe_check(in.contents, number, out.contents, error);
}

int metal_probe(MetalDevice *device, TilesForm form, VqxError *error)
{
    id<MTLBuffer> in = [device->device newBufferWithLength:VQX_PROBE_OPERAND_COUNT * 4
                                                   options:MTLResourceStorageModeShared];
    id<MTLBuffer> out = [device->device newBufferWithLength:VQX_PROBE_RESULT_COUNT * 4
                                                    options:MTLResourceStorageModeShared];
    id<MTLComputePipelineState> pipeline =
        metal_pipeline(device, (TilesKernel){.name = "probe"}, form, error);
    int status = pipeline ? 0 : VQX_ERROR_BACKEND;
    if (!in || !out)
        status = vqx_fail(error, VQX_ERROR_MEMORY, "no memory for the self-test");
    if (!status)
        vqx_probe_operands(in.contents);
    for (int i = 0; !status && i < VQX_PROBE_CASES; i++)
        status = probe_case(device, pipeline, i, in, out, error);
    return status;
}
