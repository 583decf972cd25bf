/* The CUDA backend's files to one another. */
#ifndef VQX_BACKEND_CUDA_CUDA_H
#define VQX_BACKEND_CUDA_CUDA_H

#include "backend/strip_walk/engine.h"

/* driver.c: loads libcuda.so.1 and starts it, once; what is missing is said in *error. */
int cuda_load(VqxError *error);
extern const StripDriver cuda_driver;

/* devices.c: how many there are, and each one's properties for the list. */
int cuda_device_count(int *count, VqxError *error);
size_t cuda_devices(VqxDevice *devices, size_t capacity);

/* devices.c: fills in the devices that `text` names ("0", "0,1", "all"; NULL: the first), each with
 * its context held. A device may be named more than once. */
int cuda_choose(StripDevice *chosen, unsigned *count, const char *text, char *driver,
                size_t driver_size, VqxError *error);
void cuda_release(StripDevice *chosen, unsigned count);

#endif
