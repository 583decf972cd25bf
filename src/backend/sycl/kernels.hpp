/*
 * The kernels, as the host side sees them: functions that put one of them into a command group.
 *
 * They are compiled ahead, by the SYCL compiler, one set for each kind of sample with each
 * division (kernels.cpp). That file is in the arithmetic's SYCL dialect and the host side in C's,
 * so nothing here is of either.
 */
#ifndef VQX_BACKEND_SYCL_KERNELS_HPP
#define VQX_BACKEND_SYCL_KERNELS_HPP

#include <cstddef>
#include <sycl/sycl.hpp>

/* What a kernel is called with. */
struct SyclArguments {
    void *buffer[6];       /* on the device, in the order of the launch */
    const float *taps;     /* on the host: a filter that a kernel is made for travels by value */
    const void *args;      /* the kernel's struct of kernels/tiles/args.h */
    const void *constants; /* VifConstants */
    std::size_t groups[3];
};

typedef void (*SyclKernel)(sycl::handler &handler, const SyclArguments &arguments);

/* The kernels of a set, by name and radius (0: of any filter, or of none); NULL: none such. The set
 * of f32 samples has those that read no samples too. A scale kernel that keeps its stages has one
 * more buffer, for these. */
SyclKernel sycl_kernels_8(const char *name, int radius, bool keeps_stages);
SyclKernel sycl_kernels_16(const char *name, int radius, bool keeps_stages);
SyclKernel sycl_kernels_32(const char *name, int radius, bool keeps_stages);
SyclKernel sycl_kernels_8_soft(const char *name, int radius,
                               bool keeps_stages); /* division in software */
SyclKernel sycl_kernels_16_soft(const char *name, int radius, bool keeps_stages);
SyclKernel sycl_kernels_32_soft(const char *name, int radius, bool keeps_stages);

#endif
