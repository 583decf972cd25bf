/* Moved: parity/clip.h. */
#include "parity/clip.h"
