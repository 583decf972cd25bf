/* Loading of modules: shared objects libvqx-NAME in one folder, each with one entry function. */
#ifndef VQX_UTIL_MODULE_H
#define VQX_UTIL_MODULE_H

#include "vqx.h"

/* Loads module `name` from `folder` (NULL: as installed) and returns the address of its function
 * `entry`, or NULL, *error naming what is missing; of a module that is not there, what building it
 * takes (`needs`). A module stays loaded. */
void *vqx_module_entry(const char *name, const char *folder, const char *entry, const char *needs,
                       VqxError *error);

#endif
