/*
 * A Metal device for tests: the SIMT runner. Kernels are the source that the backend hands over,
 * compiled by clang as C++14 through the shim; buffers lie between guard pages; what is put in a
 * command buffer runs when it is committed. Calls that Apple's documentation does not allow end the
 * program.
 */
#import "compile.h"
#import "runtime.h"
#import <Metal/Metal.h>

#include "simt/runner.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { ARGUMENTS = 16, TILE_BYTES = 32 << 10 };

extern float shared[]; /* the runner's */

static void require(int condition, const char *what)
{
    if (condition)
        return;
    fprintf(stderr, "metal test: %s\n", what);
    abort();
}

/* ---- buffers ---- */

typedef struct Buffer {
    TestObject object;
    char *memory;
    size_t length;
    MTLResourceOptions options;
    int borrowed; /* memory of the caller */
} Buffer;

static void free_buffer(void *object)
{
    Buffer *buffer = object;
    if (!buffer->borrowed)
        require(!simt_free(buffer->memory), "a buffer is freed twice");
}

static id new_buffer(void *memory, size_t length, MTLResourceOptions options)
{
    Buffer *r = test_new("TestBuffer", sizeof *r, free_buffer);
    require(length > 0, "a buffer of no bytes");
    require(options == MTLResourceStorageModeShared || options == MTLResourceStorageModePrivate,
            "unknown resource options");
    r->borrowed = memory != NULL;
    r->memory = memory ? memory : simt_alloc(length);
    r->length = length;
    r->options = options;
    return (id)r;
}

@interface TestBuffer : NSObject <MTLBuffer>
@end
@implementation TestBuffer
- (void *)contents
{
    const Buffer *buffer = (Buffer *)self;
    require(buffer->options == MTLResourceStorageModeShared, "the contents of a private buffer");
    return buffer->memory;
}
@end

/* ---- kernels ---- */

typedef struct Kernel {
    TestObject object;
    TestKernel compiled;
} Kernel;

@interface TestFunction : NSObject <MTLFunction>
@end
@implementation TestFunction
@end

@interface TestPipeline : NSObject <MTLComputePipelineState>
@end
@implementation TestPipeline
- (NSUInteger)maxTotalThreadsPerThreadgroup
{
    return 1024;
}
@end

@interface TestLibrary : NSObject <MTLLibrary>
@end
@implementation TestLibrary
- (id<MTLFunction>)newFunctionWithName:(NSString *)name
{
    const Kernel *library = (Kernel *)self;
    if (strcmp(name.UTF8String, library->compiled.name))
        return nil;
    Kernel *r = test_new("TestFunction", sizeof *r, NULL);
    r->compiled = library->compiled;
    return (id)r;
}
@end

typedef struct Options {
    TestObject object;
    id macros;
    BOOL fast;
    MTLMathMode mode;
    MTLLanguageVersion version;
} Options;

static void free_options(void *object)
{
    objc_release(((Options *)object)->macros);
}

@implementation MTLCompileOptions
+ (instancetype)new
{
    Options *r = test_new("MTLCompileOptions", sizeof *r, free_options);
    r->fast = YES; /* as by default */
    r->mode = MTLMathModeFast;
    return (id)r;
}
- (void)setPreprocessorMacros:(NSDictionary *)macros
{
    ((Options *)self)->macros = objc_retain(macros);
}
- (NSDictionary *)preprocessorMacros
{
    return ((Options *)self)->macros;
}
- (void)setFastMathEnabled:(BOOL)fast
{
    ((Options *)self)->mode = fast ? MTLMathModeFast : MTLMathModeSafe;
}
- (BOOL)fastMathEnabled
{
    return ((Options *)self)->mode == MTLMathModeFast;
}
- (void)setMathMode:(MTLMathMode)mode
{
    ((Options *)self)->mode = mode;
}
- (MTLMathMode)mathMode
{
    return ((Options *)self)->mode;
}
- (void)setLanguageVersion:(MTLLanguageVersion)version
{
    ((Options *)self)->version = version;
}
- (MTLLanguageVersion)languageVersion
{
    return ((Options *)self)->version;
}
@end

static id compile(NSString *source, const Options *options, NSError **error)
{
    const TestList *macros = (TestList *)options->macros;
    TestMacro macro[ARGUMENTS];
    Kernel *r;
    char log[1024];
    require(options->mode == MTLMathModeSafe, "kernels are compiled with fast math");
    require(options->version == MTLLanguageVersion2_3, "kernels need Metal 2.3");
    require(macros->count <= ARGUMENTS, "too many macros");
    for (size_t i = 0; i < macros->count; i++)
        macro[i] = (TestMacro){[macros->key[i] UTF8String], [macros->value[i] intValue]};
    r = test_new("TestLibrary", sizeof *r, NULL);
    if (!test_compile(&r->compiled, source.UTF8String, macro, macros->count, log, sizeof log))
        return (id)r;
    objc_release((id)r);
    *error = test_error(log);
    return nil;
}

/* ---- commands ---- */

typedef struct Command {
    TestKernel kernel;
    void *argument[ARGUMENTS]; /* buffers where they lie; bytes and borrowed memory copied */
    int owned[ARGUMENTS];
    size_t bytes[ARGUMENTS]; /* of what is owned */
    NSUInteger tile;
    MTLSize groups, threads;
} Command;

typedef struct Commands {
    TestObject object;
    Command *command;
    size_t count;
    Command next; /* as the encoder has set it */
    id held[512]; /* what the commands use */
    size_t held_count;
    int ended;
    MTLCommandBufferStatus status;
} Commands;

static void free_commands(void *object)
{
    Commands *c = object;
    for (size_t i = 0; i < c->held_count; i++)
        objc_release(c->held[i]);
    free(c->command);
}

static void hold(Commands *c, id object)
{
    require(c->held_count < sizeof c->held / sizeof c->held[0], "too many objects in a frame");
    c->held[c->held_count++] = objc_retain(object);
}

/* Memory that is the encoder's: another buffer object, so that it ends with the commands. */
static void set_copy(Commands *c, NSUInteger index, const void *bytes, size_t length)
{
    id copy = new_buffer(NULL, length, MTLResourceStorageModeShared);
    memcpy(((Buffer *)copy)->memory, bytes, length);
    hold(c, copy);
    objc_release(copy);
    c->next.argument[index] = ((Buffer *)copy)->memory;
}

typedef struct Encoder {
    TestObject object;
    Commands *commands;
} Encoder;

static Commands *open_commands(id encoder)
{
    Commands *c = ((Encoder *)encoder)->commands;
    require(!c->ended, "an encoder is used after its end");
    return c;
}

@interface TestEncoder : NSObject <MTLComputeCommandEncoder>
@end
@implementation TestEncoder
- (void)setComputePipelineState:(id<MTLComputePipelineState>)state
{
    Commands *c = open_commands(self);
    hold(c, state);
    c->next.kernel = ((Kernel *)state)->compiled;
}
- (void)setBytes:(const void *)bytes length:(NSUInteger)length atIndex:(NSUInteger)index
{
    require(length > 0 && length < 4096, "setBytes takes less than 4 KiB");
    require(index < ARGUMENTS, "an argument's index is too large");
    set_copy(open_commands(self), index, bytes, length);
}
- (void)setBuffer:(id<MTLBuffer>)buffer offset:(NSUInteger)offset atIndex:(NSUInteger)index
{
    Commands *c = open_commands(self);
    Buffer *b = (Buffer *)buffer;
    require(b && offset < b->length && offset % 256 == 0, "a buffer's offset");
    require(index < ARGUMENTS, "an argument's index is too large");
    hold(c, buffer);
    if (b->borrowed)
        set_copy(c, index, b->memory + offset, b->length - offset); /* for its guard pages */
    else
        c->next.argument[index] = b->memory + offset;
}
- (void)setThreadgroupMemoryLength:(NSUInteger)length atIndex:(NSUInteger)index
{
    require(length % 16 == 0 && length <= TILE_BYTES && index == 0, "threadgroup memory");
    open_commands(self)->next.tile = length;
}
- (void)dispatchThreadgroups:(MTLSize)groups threadsPerThreadgroup:(MTLSize)threads
{
    Commands *c = open_commands(self);
    require(c->next.kernel.call != NULL, "a dispatch without a pipeline");
    require(groups.width && groups.height && groups.depth, "a dispatch of no groups");
    require(threads.width <= 1024 && threads.height == 1 && threads.depth == 1, "a group's shape");
    c->next.groups = groups;
    c->next.threads = threads;
    c->command = realloc(c->command, (c->count + 1) * sizeof *c->command);
    c->command[c->count++] = c->next;
}
- (void)endEncoding
{
    open_commands(self)->ended = 1;
}
@end

static void run_thread(void *argument)
{
    const Command *command = argument;
    ShimCall call = {command->argument,
                     command->tile ? shared : NULL,
                     threadIdx.x,
                     {blockIdx.x, blockIdx.y, blockIdx.z}};
    command->kernel.call(&call);
}

static void run_command(Command *command)
{
    const unsigned grid[3] = {(unsigned)command->groups.width, (unsigned)command->groups.height,
                              (unsigned)command->groups.depth};
    simt_launch(run_thread, command, grid, (unsigned)command->threads.width,
                (unsigned)command->tile);
}

@interface TestCommands : NSObject <MTLCommandBuffer>
@end
@implementation TestCommands
- (id<MTLComputeCommandEncoder>)computeCommandEncoder
{
    Encoder *r = test_new("TestEncoder", sizeof *r, NULL);
    r->commands = (Commands *)self;
    return objc_autorelease((id)r);
}
- (void)commit
{
    Commands *c = (Commands *)self;
    require(c->ended && c->status == MTLCommandBufferStatusNotEnqueued, "a wrong commit");
    for (size_t i = 0; i < c->count; i++)
        run_command(&c->command[i]);
    c->status = MTLCommandBufferStatusCompleted;
}
- (void)waitUntilCompleted
{
    require(((Commands *)self)->status == MTLCommandBufferStatusCompleted,
            "a wait for commands that were not committed");
}
- (MTLCommandBufferStatus)status
{
    return ((Commands *)self)->status;
}
- (NSError *)error
{
    return nil;
}
@end

@interface TestQueue : NSObject <MTLCommandQueue>
@end
@implementation TestQueue
- (id<MTLCommandBuffer>)commandBuffer
{
    return objc_autorelease((id)test_new("TestCommands", sizeof(Commands), free_commands));
}
@end

/* ---- the device ---- */

@interface TestDevice : NSObject <MTLDevice>
@end
@implementation TestDevice
- (NSString *)name
{
    return [NSString stringWithUTF8String:"SIMT runner"];
}
- (MTLSize)maxThreadsPerThreadgroup
{
    return MTLSizeMake(1024, 1024, 1024);
}
- (BOOL)hasUnifiedMemory
{
    return YES;
}
- (uint64_t)recommendedMaxWorkingSetSize
{
    return (uint64_t)1 << 30;
}
- (NSUInteger)maxThreadgroupMemoryLength
{
    return TILE_BYTES;
}
- (NSUInteger)maxBufferLength
{
    return (NSUInteger)1 << 30;
}
- (id<MTLCommandQueue>)newCommandQueue
{
    return (id)test_new("TestQueue", sizeof(TestObject), NULL);
}
- (id<MTLBuffer>)newBufferWithLength:(NSUInteger)length options:(MTLResourceOptions)options
{
    return new_buffer(NULL, length, options);
}
- (id<MTLBuffer>)newBufferWithBytes:(const void *)pointer
                             length:(NSUInteger)length
                            options:(MTLResourceOptions)options
{
    id r = new_buffer(NULL, length, options);
    memcpy(((Buffer *)r)->memory, pointer, length);
    return r;
}
- (id<MTLBuffer>)newBufferWithBytesNoCopy:(void *)pointer
                                   length:(NSUInteger)length
                                  options:(MTLResourceOptions)options
                              deallocator:(void (^)(void *pointer, NSUInteger length))deallocator
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    require((uintptr_t)pointer % page == 0 && length % page == 0, "memory that is not whole pages");
    require(!deallocator && options == MTLResourceStorageModeShared, "a buffer without copy");
    return new_buffer(pointer, length, options);
}
- (id<MTLLibrary>)newLibraryWithSource:(NSString *)source
                               options:(MTLCompileOptions *)options
                                 error:(NSError **)error
{
    return compile(source, (Options *)options, error);
}
- (id<MTLComputePipelineState>)newComputePipelineStateWithFunction:(id<MTLFunction>)function
                                                             error:(NSError **)error
{
    Kernel *r = test_new("TestPipeline", sizeof *r, NULL);
    (void)error;
    r->compiled = ((Kernel *)function)->compiled;
    return (id)r;
}
@end

/* Says what a guard page caught; the access is then made again and ends the program. */
static void say_outside(int number)
{
    static const char text[] = "metal test: a kernel reads or writes outside its buffers\n";
    (void)number;
    if (write(STDERR_FILENO, text, sizeof text - 1) < 0)
        abort();
}

NSArray<id<MTLDevice>> *MTLCopyAllDevices(void)
{
    struct sigaction action = {.sa_handler = say_outside, .sa_flags = (int)SA_RESETHAND};
    require(!sigaction(SIGSEGV, &action, NULL), "no signal handler");
    id list = test_list("NSArray");
    id device = (id)test_new("TestDevice", sizeof(TestObject), NULL);
    test_list_add(list, nil, device);
    objc_release(device);
    return list;
}
