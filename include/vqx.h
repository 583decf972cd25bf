/*
 * vqx: video quality, exact.
 *
 * This library computes libvmaf's `float_vif` features (visual information fidelity, Sheikh and
 * Bovik 2006, in the floating-point arithmetic that libvmaf defines) with the same bits on every
 * device. Use it to score decoded luma planes; reading files is the `vqx` command's work, not the
 * library's.
 *
 *     VqxContext *ctx;
 *     VqxSettings settings;
 *     vqx_default_settings(&settings);
 *     if (vqx_open(&ctx, &settings, &error)) ...
 *     for each frame: vqx_submit(ctx, &reference, &distorted, index, &error);
 *     vqx_finish(ctx, &error);
 *     vqx_frame_scores(ctx, index, values, &error); vqx_pooled(ctx, output, &pooled, &error);
 *     vqx_close(&ctx);
 *
 * Errors. Every function that can fail returns 0 on success and a negative VqxStatus otherwise, and
 * writes a sentence into `error` (which may be NULL). After VQX_ERROR_BACKEND or VQX_ERROR_MEMORY
 * from a submit or a finish the context takes no more frames; scores of the frames already finished
 * stay readable.
 *
 * Threads. A context is used by one thread at a time; different contexts are independent. The
 * library starts its own threads and none of them calls back into the program, except for the log
 * callback.
 *
 * Stability. Within one major version: these functions and structs keep their meaning and binary
 * layout (growth goes into `reserved`, which must be zero: the default calls see to it), and the
 * scores never change: not by version, backend, device, thread count or compiler.
 */
#ifndef VQX_H
#define VQX_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define VQX_VERSION_MAJOR 0
#define VQX_VERSION_MINOR 1
#define VQX_VERSION_PATCH 0
#define VQX_VERSION_STRING "0.1.0"

#if defined(_WIN32)
#define VQX_API
#else
#define VQX_API __attribute__((visibility("default")))
#endif

/* The version of the library at run time, as VQX_VERSION_STRING was when it was built. */
VQX_API const char *vqx_version(void);

typedef enum VqxStatus {
    VQX_OK = 0,
    VQX_ERROR_ARGUMENT = -1, /* a NULL, an index submitted twice, a plane of another size, ... */
    VQX_ERROR_OPTION = -2,   /* an option is unknown, malformed or out of range */
    VQX_ERROR_SIZE =
        -3, /* a frame too small or too large for the options; the text says the limit */
    VQX_ERROR_MEMORY = -4, /* host memory ran out */
    VQX_ERROR_BACKEND =
        -5, /* a backend or device is absent or failed; the text says what is missing */
    VQX_ERROR_NOT_FOUND = -6, /* no such frame or output */
    VQX_ERROR_AGAIN = -7,     /* vqx_frame_acquire without waiting: every buffer is in use */
} VqxStatus;

typedef struct VqxError {
    int status;        /* a VqxStatus */
    char message[508]; /* one sentence, UTF-8, zero-terminated, no newline */
} VqxError;

/* ---- options of the metric ---- */

typedef enum VqxPrescaleMethod {
    VQX_PRESCALE_NEAREST = 0,
    VQX_PRESCALE_BILINEAR = 1,
    VQX_PRESCALE_BICUBIC = 2,
    VQX_PRESCALE_LANCZOS4 = 3,
} VqxPrescaleMethod;

/* One configuration of float_vif. The names are libvmaf's without their `vif_`. */
typedef struct VqxVifOptions {
    double
        enhn_gain_limit; /* 1..100 [100]: the gain of the distortion channel is limited to this */
    double kernelscale;  /* [1]: width of the Gaussian; within 1e-3 of one of the 21 that
                            vqx_vif_kernelscales lists */
    double prescale;     /* 0.1..4 [1]: both planes are resized by this first */
    int32_t prescale_method; /* VqxPrescaleMethod [nearest] */
    int32_t skip_scale0;     /* 0, 1 [0]: leave scale 0 out */
    double scale1_min_val;   /* 0..1 [0]: floor of vif_scale1 */
    double scale2_min_val;   /* 0..1 [0] */
    double scale3_min_val;   /* 0..1 [0] */
    double sigma_nsq;        /* 0..5 [2]: variance of the visual noise */
    int32_t debug; /* 0, 1 [0]: also output vif, vif_num, vif_den and the sums of each scale */
    int32_t reserved[15]; /* zero */
} VqxVifOptions;

/* Fills in the defaults. */
VQX_API void vqx_vif_default_options(VqxVifOptions *options);

/* Applies `text` ("name=value:name=value", names or aliases as libvmaf spells them: "vif_sigma_nsq"
 * or "snsq") to *options. A number in text is first rounded to six significant digits, as libvmaf
 * does, so that equal names mean equal values. *options is unchanged on failure. */
VQX_API int vqx_vif_parse_options(VqxVifOptions *options, const char *text, VqxError *error);

/* The accepted kernel scales; *count is set to 21. The array is static. */
VQX_API const double *vqx_vif_kernelscales(size_t *count);

/* The least width and height (before prescaling both must be at least this) that `options` can
 * score, or a VqxStatus if the options themselves are refused. */
VQX_API int vqx_vif_least_size(const VqxVifOptions *options, unsigned *least, VqxError *error);

/* ---- settings of a context ---- */

typedef enum VqxLogLevel { VQX_LOG_ERROR = 0, VQX_LOG_WARNING = 1, VQX_LOG_INFO = 2 } VqxLogLevel;

/* Which form of the metric's two f64 expressions a backend uses. Both give the same bits; this is a
 * switch for tests and measurements. */
typedef enum VqxForm {
    VQX_FORM_AUTO = 0,     /* the faster on the device */
    VQX_FORM_NATIVE = 1,   /* f64 instructions */
    VQX_FORM_FP64_FREE = 2 /* f32 pairs and 64-bit integers */
} VqxForm;

typedef struct VqxSettings {
    const VqxVifOptions *vif; /* `vif_count` configurations, copied [NULL: one, the defaults] */
    size_t vif_count;
    const char *backend; /* "auto", "cpu", "cuda", ... [NULL: auto: the first that has a device,
                            with a logged warning where a preferred one is broken]. A named backend
                            that is absent is an error */
    const char *device;  /* in the backend's own words: "0", "0,1", "all" [NULL: its first] */
    const char
        *module_folder; /* where backend modules are [NULL: where this build installs them] */
    unsigned threads;   /* of the CPU backend; 0: as many as cores [0] */
    unsigned
        frames_in_flight; /* frame buffers kept by the context; 0: what the backend prefers [0] */
    uint64_t cpumask;     /* instruction sets left unused, bits as in libvmaf's --cpumask [0] */
    int32_t form;         /* VqxForm [auto] */
    void (*log)(void *opaque, int level,
                const char *message); /* may be called from any thread; level is
                                         a VqxLogLevel [NULL: silent] */
    void *log_opaque;
    uint64_t reserved[8]; /* zero */
} VqxSettings;

VQX_API void vqx_default_settings(VqxSettings *settings);

/* ---- planes ---- */

typedef enum VqxMemory {
    VQX_MEMORY_HOST = 0,
    /* Memory of the backend's device (CUDA: of its primary context). cuda and hip take it, the others
     * refuse it with VQX_ERROR_ARGUMENT. */
    VQX_MEMORY_DEVICE = 1,
} VqxMemory;

/* A luma plane. Samples are unsigned: bytes for bit_depth 8, else native-endian 16-bit words
 * holding bit_depth low bits (higher bits must be zero). */
typedef struct VqxPlane {
    void *data;       /* sample (0, 0); read only, except in a plane that vqx_frame_acquire gave */
    ptrdiff_t stride; /* bytes from a row to the next; at least the row's bytes, or negative for a
                         plane stored bottom up (host memory only) */
    unsigned width;   /* in samples, 1..65535 */
    unsigned height;  /* in samples, 1..65535 */
    unsigned
        bit_depth;  /* 8..16. 9, 11, 13, 14, 15 extend libvmaf's rule: sample / 2^(depth-8) - 128 */
    int32_t memory; /* VqxMemory */
    void *stream;   /* device memory: the backend's stream (CUstream) on which the plane is ready in
                       order, or NULL   when it is ready already */
    uint64_t reserved[4]; /* zero */
} VqxPlane;

/* ---- a context ---- */

typedef struct VqxContext VqxContext;

/* Opens a context. Options and the backend's presence are checked here; the frame size is fixed by
 * vqx_configure or the first submit. On failure *ctx is NULL. */
VQX_API int vqx_open(VqxContext **ctx, const VqxSettings *settings, VqxError *error);

/* Fixes width, height and the two bit depths and starts the backend. Optional: the first submit
 * does it. Frames that the options cannot score are refused with VQX_ERROR_SIZE. */
VQX_API int vqx_configure(VqxContext *ctx, unsigned width, unsigned height, unsigned ref_depth,
                          unsigned dis_depth, VqxError *error);

/* Submits a pair of planes as frame `index`. Host planes are copied before it returns; device
 * planes must stay as they are until the frame's scores were read or vqx_finish returned. Frames
 * may come in any order of index, each index once; indexes may have gaps, which mean only that
 * those frames are not scored. May wait for an earlier frame when all buffers are in use. */
VQX_API int vqx_submit(VqxContext *ctx, const VqxPlane *ref, const VqxPlane *dis, uint64_t index,
                       VqxError *error);

/* A pair of planes owned by the context, in memory that its device reads fastest. */
typedef struct VqxFrame {
    VqxPlane ref, dis; /* fill in the samples; change nothing else */
    void *opaque;      /* free for the caller; the library does not look at it */
} VqxFrame;

/* Hands out a free frame buffer of a configured context, to be filled (by any thread) and given to
 * vqx_frame_submit or vqx_frame_release. With `wait` 0 returns VQX_ERROR_AGAIN when none is free;
 * else waits for the oldest submitted frame; when none is submitted either (the caller holds them
 * all) that is VQX_ERROR_ARGUMENT. */
VQX_API int vqx_frame_acquire(VqxContext *ctx, VqxFrame **frame, int wait, VqxError *error);

/* As vqx_submit, without a copy: the frame goes back to the context, also on failure. */
VQX_API int vqx_frame_submit(VqxContext *ctx, VqxFrame *frame, uint64_t index, VqxError *error);

/* Gives a frame back unscored. */
VQX_API void vqx_frame_release(VqxContext *ctx, VqxFrame *frame);

/* Ends the stream: waits for every submitted frame. No submit may follow. Frames of which some
 * failed: the first failure is returned, the others' scores are readable. */
VQX_API int vqx_finish(VqxContext *ctx, VqxError *error);

/* ---- results ---- */

/* The number of values a frame has, over all configurations in their order. */
VQX_API size_t vqx_output_count(const VqxContext *ctx);

/* The name of one, e.g. "vif_scale0" or "vif_scale2_egl_1.2_snsq_1.5"; owned by the context. NULL
 * past the end. */
VQX_API const char *vqx_output_name(const VqxContext *ctx, size_t output);

/* The values of frame `index`, vqx_output_count of them. Waits for that frame if it is still in
 * work. */
VQX_API int vqx_frame_scores(VqxContext *ctx, uint64_t index, double *values, VqxError *error);

/* The number of frames submitted and not failed so far. */
VQX_API size_t vqx_frame_count(const VqxContext *ctx);

/* The index of the n-th frame (n from 0) in ascending order of index. */
VQX_API int vqx_frame_index(VqxContext *ctx, size_t n, uint64_t *index, VqxError *error);

/* Statistics over the frames, in frame order, f64. harmonic_mean is n / sum(1 / (x + 1)) - 1, as
 * libvmaf has it. */
typedef struct VqxPooled {
    double min, max, mean, harmonic_mean;
    double reserved[4];
} VqxPooled;

/* Pools one output over all frames scored; waits for frames in work. VQX_ERROR_NOT_FOUND when there
 * is none. */
VQX_API int vqx_pooled(VqxContext *ctx, size_t output, VqxPooled *pooled, VqxError *error);

/* What computes: e.g. "cpu", and in its words the device, its driver and the form or instruction
 * set in use. Before vqx_configure `detail` may still be empty. The strings are the context's. */
typedef struct VqxUsed {
    const char *backend, *device, *driver, *detail;
    const void *reserved[4];
} VqxUsed;
VQX_API void vqx_used(const VqxContext *ctx, VqxUsed *used);

/* Closes a context and sets *ctx to NULL; frames in work are waited for, their scores lost. NULL is
 * allowed. */
VQX_API void vqx_close(VqxContext **ctx);

/* ---- devices ---- */

/* A device, or a backend that has none: then `available` is 0 and `reason` says what is missing. */
typedef struct VqxDevice {
    char backend[16];
    char device[16];  /* what `--device` takes */
    char name[128];   /* "NVIDIA H200" */
    char driver[128]; /* "580.159" */
    char detail[256]; /* instruction set, form, memory, ... */
    char reason[256];
    int32_t available;
    int32_t automatic; /* 1: `auto` may choose it */
    int32_t reserved[14];
} VqxDevice;

/* Lists every backend's devices, in the order `auto` tries them, into `devices` (room for
 * `capacity`); returns how many there are, which may be more than fitted. `module_folder` as in
 * VqxSettings. */
VQX_API size_t vqx_devices(VqxDevice *devices, size_t capacity, const char *module_folder);

#ifdef __cplusplus
}
#endif
#endif
