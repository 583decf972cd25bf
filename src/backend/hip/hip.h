/* The HIP backend's files to one another. */
#ifndef VQX_BACKEND_HIP_HIP_H
#define VQX_BACKEND_HIP_HIP_H

#include "backend/strip_walk/engine.h"

enum { HIP_TARGET_NAME = 32 };

/* driver.c: loads HIP's library and starts it, once; what is missing is said in *error. */
int hip_load(VqxError *error);
extern const StripDriver hip_driver;
void *hip_library(void); /* what dlsym finds its functions in */

/* devices.c */
size_t hip_devices(VqxDevice *devices, size_t capacity);
/* The devices that `text` names ("0", "0,1", "all"; NULL: the first), all but their images. */
int hip_choose(StripDevice *chosen, unsigned *count, const char *text, char *driver,
               size_t driver_size, VqxError *error);
/* What a device's code is compiled for: "gfx90a". */
void hip_target(char target[HIP_TARGET_NAME], int device);

/* images.c: a device's kernels, embedded or compiled now (see compile.c). */
int hip_images(StripDevice *device, const VqxLog *log, VqxError *error);

/* compile.c: the kernels for a target that none are embedded for, by hiprtc; they are kept until
 * the process ends. */
int hip_compile(const void *images[STRIP_PARTS], const char *target, VqxError *error);

#endif
