/* The strip-walking kernels for the runner; compiled once for each STRIP_PART. */
#include "simt/language_simt.h"

#include "kernels/strip_walk/kernels.h"

/* How the runner calls them: by the kinds of their parameters. */
#if STRIP_PART == 1
#include "simt/kernel.h"

typedef void (*WalkKernel)(StripPlanes, StripWalk);
typedef void (*DecimateKernel)(StripPlanes, StripPlanes, StripDecimate);
typedef void (*ResizeKernel)(StripPlanes, StripPlanes, StripResize);

extern "C" void simt_call(void *launch)
{
    const SimtCall *call = static_cast<const SimtCall *>(launch);
    void *const *p = call->params;
    if (!strncmp(call->name, "vqx_walk", 8))
        reinterpret_cast<WalkKernel>(call->kernel)(*(StripPlanes *)p[0], *(StripWalk *)p[1]);
    else if (!strncmp(call->name, "vqx_decimate", 12))
        reinterpret_cast<DecimateKernel>(call->kernel)(*(StripPlanes *)p[0], *(StripPlanes *)p[1],
                                                       *(StripDecimate *)p[2]);
    else
        reinterpret_cast<ResizeKernel>(call->kernel)(*(StripPlanes *)p[0], *(StripPlanes *)p[1],
                                                     *(StripResize *)p[2]);
}
#endif
