/* The device setting of the tile kernels' backends. */
#ifndef VQX_BACKEND_TILES_SETTING_H
#define VQX_BACKEND_TILES_SETTING_H

#include "vqx.h"

#include <stddef.h>

/* "NAME" or "NAME+soft-division", which divides in software on a device that need not: a switch for
 * tests. */
typedef struct TilesSetting {
    char name[128]; /* empty: any device */
    int soft_division;
} TilesSetting;

/* `setting` may be NULL. 0, or VQX_ERROR_OPTION. */
int tiles_setting(TilesSetting *out, const char *setting, VqxError *error);

/* If the name is a number, it alone decides: *number is set and 1 returned. */
int tiles_setting_number(const TilesSetting *setting, size_t *number);

#endif
