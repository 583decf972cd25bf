// The public header from C++: it compiles without a warning and links.
#include "vqx.h"

#include <cstdio>

int main()
{
    VqxSettings settings;
    VqxContext *ctx = nullptr;
    VqxError error;
    vqx_default_settings(&settings);
    settings.backend = "cpu";
    if (vqx_open(&ctx, &settings, &error)) {
        std::puts(error.message);
        return 1;
    }
    vqx_close(&ctx);
    return ctx ? 1 : 0;
}
