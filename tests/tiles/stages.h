/* What the stage test needs to know of a backend's insides. */
#ifndef VQX_TESTS_TILES_STAGES_H
#define VQX_TESTS_TILES_STAGES_H

#include "backend/tiles/layout.h"

extern const int stages_has_native; /* the backend has the native form */

const TilesLayout *stages_layout(const VqxEngine *engine);

/* Floats of the first slot's buffer `which` (TILES_TERMS and so on), from `first` on. 0 or -1. */
int stages_read(VqxEngine *engine, int which, size_t first, float *values, size_t count);

#endif
