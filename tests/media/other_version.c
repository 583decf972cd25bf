/* A libav module of another version of vqx. */
#include "media/libav/module.h"

const VqxLibavModule *vqx_libav_module(void)
{
    static const VqxLibavModule module = {.abi = VQX_LIBAV_ABI + 1,
                                          .info_size = sizeof(VqxMediaInfo)};
    return &module;
}
