/* The registry: the backends' names in order of preference, the built-in one, and modules loaded on
 * first use. */
#include "backend/backend.h"

#include "util/error.h"
#include "util/module.h"

#include <pthread.h>
#include <string.h>

typedef struct Entry {
    const char *name;
    const char *needs;         /* to be built */
    const VqxBackend *backend; /* built in, or loaded; a loaded module stays loaded */
} Entry;

static Entry entries[] = {
    {"cuda", "NVIDIA's compiler nvcc", NULL},
    {"hip", "clang 19 or later with lld", NULL},
    {"sycl", "a SYCL compiler, AdaptiveCpp's acpp or DPC++'s icpx", NULL},
    {"metal", "a Mac", NULL},
    {"opencl", "the OpenCL headers", NULL},
    {"cpu", NULL, &vqx_backend_cpu},
};
static pthread_mutex_t entries_mutex = PTHREAD_MUTEX_INITIALIZER; /* guards every Entry's backend */

size_t vqx_backend_count(void)
{
    return sizeof entries / sizeof entries[0];
}

const char *vqx_backend_name(size_t i)
{
    return entries[i].name;
}

static const VqxBackend *load_module(const Entry *module, const char *folder, VqxError *error)
{
    const VqxBackend *(*entry)(void);
    *(void **)&entry =
        vqx_module_entry(module->name, folder, VQX_MODULE_ENTRY, module->needs, error);
    if (!entry)
        return NULL;
    const VqxBackend *backend = entry();
    if (!backend || backend->abi != VQX_BACKEND_ABI || strcmp(backend->name, module->name)) {
        vqx_fail(error, VQX_ERROR_BACKEND, "module %s is of another version of vqx", module->name);
        return NULL;
    }
    return backend;
}

const VqxBackend *vqx_backend_get(size_t i, const char *module_folder, VqxError *error)
{
    pthread_mutex_lock(&entries_mutex);
    if (!entries[i].backend)
        entries[i].backend = load_module(&entries[i], module_folder, error);
    const VqxBackend *backend = entries[i].backend;
    pthread_mutex_unlock(&entries_mutex);
    return backend;
}
