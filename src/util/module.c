/* Loading of modules. */
#include "util/module.h"

#include "util/error.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#ifdef __APPLE__
#define MODULE_SUFFIX ".dylib"
#else
#define MODULE_SUFFIX ".so"
#endif

void *vqx_module_entry(const char *name, const char *folder, const char *entry, const char *needs,
                       VqxError *error)
{
    char path[4096];
    if ((size_t)snprintf(path, sizeof path, "%s/libvqx-%s" MODULE_SUFFIX,
                         folder ? folder : VQX_MODULE_FOLDER, name) >= sizeof path) {
        vqx_fail(error, VQX_ERROR_BACKEND, "the module folder's name is longer than 4,000 bytes");
        return NULL;
    }
    if (access(path, F_OK)) {
        vqx_fail(error, VQX_ERROR_BACKEND, "module %s is not there (%s); building it takes %s",
                 path, strerror(errno), needs);
        return NULL;
    }
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
        vqx_fail(error, VQX_ERROR_BACKEND, "module cannot be loaded: %s", dlerror());
        return NULL;
    }
    void *address = dlsym(handle, entry);
    if (!address) {
        vqx_fail(error, VQX_ERROR_BACKEND, "module %s is of another version of vqx", path);
        dlclose(handle);
    }
    return address;
}
