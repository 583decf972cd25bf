/* libcuda's functions, found at run time: cuda_api.cuInit(0). Valid after cuda_load. */
#ifndef VQX_BACKEND_CUDA_API_H
#define VQX_BACKEND_CUDA_API_H

#include <cuda.h>

typedef struct CudaApi {
#define SYMBOL(name) __typeof__(name) *name;
#include "backend/cuda/symbols.h"
#undef SYMBOL
} CudaApi;

extern CudaApi cuda_api;

#endif
