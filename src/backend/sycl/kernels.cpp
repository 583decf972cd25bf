/*
 * The SYCL kernels of one kind of sample with one division: the build compiles this file for every
 * VIF_SAMPLE_BITS (8, 16, 32), without and with VQX_SOFT_DIVISION. The bodies are those of
 * kernels/tiles, in the fp64-free form: no f64 stands in this code, for one f64 instruction keeps a
 * whole program from an Intel Arc.
 */
#define VQX_NO_F64
#include "arith/dialect_sycl.h"

#include "arith/constants.h"
#include "arith/log2a.h"
#include "arith/reflect.h"
#include "arith/statistic.h"

#include "arith/fp64_free.h"

#include "kernels/tiles/language_sycl.h"

#include "kernels/tiles/args.h"

#include "kernels/tiles/sample.h"

#include "backend/sycl/kernels.hpp"

#include <cstring>

#define PASTE(a, b) PASTE_(a, b)
#define PASTE_(a, b) a##b
#ifdef VQX_SOFT_DIVISION
#define KERNELS PASTE(PASTE(sycl_kernels_, VIF_SAMPLE_BITS), _soft)
#else
#define KERNELS PASTE(sycl_kernels_, VIF_SAMPLE_BITS)
#endif

/* A kernel's name is its functor's, so a set's functors lie in a namespace of their own. */
namespace PASTE(KERNELS, _set)
{
    template <typename T> T value(const void *from)
    {
        T r;
        std::memcpy(&r, from, sizeof r);
        return r;
    }

    sycl::nd_range<3> range(const SyclArguments &a, std::size_t group)
    {
        return {{a.groups[2], a.groups[1], a.groups[0] * group}, {1, 1, group}};
    }

    typedef sycl::local_accessor<vqx_f32, 1> Tile;

#if VIF_SAMPLE_BITS == 32
#include "kernels/tiles/row_sums.h"
    struct RowSums {
        const vqx_f32 *terms;
        const VifRowSumArgs *scales;
        vqx_f32 *sums;
        void operator()(sycl::nd_item<3> at) const
        {
            vif_row_sums(terms, scales, sums, vqx_item(at));
        }
    };

    void row_sums(sycl::handler & handler, const SyclArguments &a)
    {
        handler.parallel_for(range(a, VIF_ROW_GROUP),
                             RowSums{static_cast<const vqx_f32 *>(a.buffer[0]),
                                     static_cast<const VifRowSumArgs *>(a.buffer[1]),
                                     static_cast<vqx_f32 *>(a.buffer[2])});
    }

#include "kernels/tiles/probe.h"
    struct Probe {
        const vqx_u32 *operands;
        vqx_u32 *results;
        VifConstants constants;
        void operator()(sycl::nd_item<3> at) const
        {
            const VqxItem item = vqx_item(at);
            vqx_probe(operands, results, constants, 0, item.group_x * VIF_GROUP + item.index);
        }
    };

    void probe(sycl::handler & handler, const SyclArguments &a)
    {
        handler.parallel_for(range(a, VIF_GROUP), Probe{static_cast<const vqx_u32 *>(a.buffer[0]),
                                                        static_cast<vqx_u32 *>(a.buffer[1]),
                                                        value<VifConstants>(a.constants)});
    }
#else
#include "kernels/tiles/prescale.h"
    struct Prescale {
        const VifSample *samples;
        const vqx_i32 *x_index;
        const vqx_f32 *x_weight;
        const vqx_i32 *y_index;
        const vqx_f32 *y_weight;
        vqx_f32 *out;
        VifPrescaleArgs args;
        void operator()(sycl::nd_item<3> at) const
        {
            vif_prescale(samples, x_index, x_weight, y_index, y_weight, out, args, vqx_item(at));
        }
    };

    void prescale(sycl::handler & handler, const SyclArguments &a)
    {
        handler.parallel_for(range(a, VIF_GROUP),
                             Prescale{static_cast<const VifSample *>(a.buffer[0]),
                                      static_cast<const vqx_i32 *>(a.buffer[1]),
                                      static_cast<const vqx_f32 *>(a.buffer[2]),
                                      static_cast<const vqx_i32 *>(a.buffer[3]),
                                      static_cast<const vqx_f32 *>(a.buffer[4]),
                                      static_cast<vqx_f32 *>(a.buffer[5]),
                                      value<VifPrescaleArgs>(a.args)});
    }
#endif

    namespace any_filter
    {
#include "backend/sycl/filters.hpp"
    }
#define VIF_RADIUS 1
    namespace radius_1
    {
#include "backend/sycl/filters.hpp"
    }
#define VIF_RADIUS 2
    namespace radius_2
    {
#include "backend/sycl/filters.hpp"
    }
#define VIF_RADIUS 4
    namespace radius_4
    {
#include "backend/sycl/filters.hpp"
    }
#if VIF_SAMPLE_BITS == 8
#define VIF_RADIUS 8
    namespace radius_8
    {
#include "backend/sycl/filters.hpp"
    }
#endif

    struct Entry {
        const char *name;
        int radius;
        SyclKernel kernel;
        SyclKernel kept; /* that keeps its stages */
    };

    const Entry entries[] = {
#if VIF_SAMPLE_BITS == 32
        {"row_sums", 0, row_sums, nullptr},
        {"probe", 0, probe, nullptr},
#else
        {"prescale", 0, prescale, nullptr},
#endif
        {"decimate", 0, any_filter::decimate, nullptr},
        {"scale", 0, any_filter::scale, any_filter::kept_scale},
        {"decimate", 1, radius_1::decimate, nullptr},
        {"scale", 1, radius_1::scale, radius_1::kept_scale},
        {"decimate", 2, radius_2::decimate, nullptr},
        {"scale", 2, radius_2::scale, radius_2::kept_scale},
        {"decimate", 4, radius_4::decimate, nullptr},
        {"scale", 4, radius_4::scale, radius_4::kept_scale},
#if VIF_SAMPLE_BITS == 8
        {"decimate", 8, radius_8::decimate, nullptr},
        {"scale", 8, radius_8::scale, radius_8::kept_scale},
#endif
    };
} // namespace )

SyclKernel KERNELS(const char *name, int radius, bool keeps_stages)
{
    for (const auto &entry : PASTE(KERNELS, _set)::entries)
        if (!std::strcmp(entry.name, name) && entry.radius == radius)
            return keeps_stages ? entry.kept : entry.kernel;
    return nullptr;
}
