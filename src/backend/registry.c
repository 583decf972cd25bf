/* The registry: the backends' names in order of preference, the built-in one, and modules loaded on
 * first use. */
#include "backend/backend.h"

#include "util/error.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct Entry {
    const char *name;
    const VqxBackend *backend; /* built in, or loaded; a loaded module stays loaded */
} Entry;

static Entry entries[] = {
    {"cuda", NULL},  {"hip", NULL},    {"sycl", NULL},
    {"metal", NULL}, {"opencl", NULL}, {"cpu", &vqx_backend_cpu},
};
static pthread_mutex_t entries_mutex = PTHREAD_MUTEX_INITIALIZER; /* guards every Entry's backend */

#ifdef __APPLE__
#define MODULE_SUFFIX ".dylib"
#else
#define MODULE_SUFFIX ".so"
#endif

size_t vqx_backend_count(void)
{
    return sizeof entries / sizeof entries[0];
}

const char *vqx_backend_name(size_t i)
{
    return entries[i].name;
}

static const VqxBackend *load_module(const char *name, const char *folder, VqxError *error)
{
    char path[4096];
    if ((size_t)snprintf(path, sizeof path, "%s/libvqx-%s" MODULE_SUFFIX, folder, name) >=
        sizeof path) {
        vqx_fail(error, VQX_ERROR_BACKEND, "the module folder's name is longer than 4,000 bytes");
        return NULL;
    }
    if (access(path, F_OK)) {
        vqx_fail(error, VQX_ERROR_BACKEND, "module %s is not there: %s", path, strerror(errno));
        return NULL;
    }
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
        vqx_fail(error, VQX_ERROR_BACKEND, "module cannot be loaded: %s", dlerror());
        return NULL;
    }
    const VqxBackend *(*entry)(void);
    *(void **)&entry = dlsym(handle, VQX_MODULE_ENTRY);
    const VqxBackend *backend = entry ? entry() : NULL;
    if (!backend || backend->abi != VQX_BACKEND_ABI || strcmp(backend->name, name)) {
        vqx_fail(error, VQX_ERROR_BACKEND, "module %s is of another version of vqx", path);
        dlclose(handle);
        return NULL;
    }
    return backend;
}

const VqxBackend *vqx_backend_get(size_t i, const char *module_folder, VqxError *error)
{
    pthread_mutex_lock(&entries_mutex);
    if (!entries[i].backend)
        entries[i].backend =
            load_module(entries[i].name, module_folder ? module_folder : VQX_MODULE_FOLDER, error);
    const VqxBackend *backend = entries[i].backend;
    pthread_mutex_unlock(&entries_mutex);
    return backend;
}
