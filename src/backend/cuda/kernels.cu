/* The strip-walking kernels in CUDA C++; compiled once for each STRIP_PART. */
#include "kernels/strip_walk/language_cuda.h"

#include "kernels/strip_walk/kernels.h"
