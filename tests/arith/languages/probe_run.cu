/* Runs the probe on the first CUDA or HIP device. */
#include "probe.cu"

#include "probe_host.h"

#include <stdio.h>

#ifdef __HIP__
#define gpu(name) hip##name
typedef hipDeviceProp_t DeviceProperties;
#else
#include <cuda_runtime.h>
#define gpu(name) cuda##name
typedef cudaDeviceProp DeviceProperties;
#endif

static int failed(const char *what, gpu(Error_t) status)
{
    if (status != gpu(Success))
        printf("%s: %s\n", what, gpu(GetErrorString)(status));
    return status != gpu(Success);
}

static int run(void *device, ProbeForm form, const ProbeIn *in, ProbeOut *out, int count, const VifConstants *k, double nsq)
{
    ProbeIn *from = NULL;
    ProbeOut *to = NULL;
    const int block = 128, blocks = (count + block - 1) / block;
    (void)device;
    if (failed("malloc", gpu(Malloc)((void **)&from, count * sizeof *in)) ||
        failed("malloc", gpu(Malloc)((void **)&to, count * sizeof *out)) ||
        failed("copy", gpu(Memcpy)(from, in, count * sizeof *in, gpu(MemcpyHostToDevice))))
        return 1;
#ifdef VQX_HAS_RANGED
    const VifNoise noise = {nsq, 1.0 / nsq, nsq < VIF_NSQ_VANISHES, 0};
    if (form == PROBE_RANGED)
        probe_ranged_kernel<<<blocks, block>>>(from, to, *k, noise, count);
    else
#endif
    if (form == PROBE_NATIVE)
        probe_native_kernel<<<blocks, block>>>(from, to, *k, nsq, count);
    else
        probe_fp64_free_kernel<<<blocks, block>>>(from, to, *k, count);
    const int status = failed("launch", gpu(GetLastError)()) ||
                       failed("copy", gpu(Memcpy)(out, to, count * sizeof *out, gpu(MemcpyDeviceToHost)));
    return failed("free", gpu(Free)(from)) | failed("free", gpu(Free)(to)) | status;
}

int main(int argc, char **argv)
{
    int devices = 0;
    if (gpu(GetDeviceCount)(&devices) != gpu(Success) || !devices) {
        puts("no device here");
        return 77;
    }
    DeviceProperties properties;
    if (failed("properties", gpu(GetDeviceProperties)(&properties, 0)))
        return 1;
    #ifdef VQX_HAS_RANGED
    const int forms = PROBE_FORMS;
#else
    const int forms = PROBE_NATIVE + 1;
#endif
    return probe_check_device(properties.name, forms, run, NULL, argc, argv);
}
