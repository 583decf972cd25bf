/* The strip-walking kernels in HIP; compiled once for each STRIP_PART. */
#include "kernels/strip_walk/language_hip.h"

#include "kernels/strip_walk/kernels.h"
