#!/bin/sh
# Builds what runs the HIP module on an NVIDIA GPU: build.sh FOLDER [ARCHITECTURE]. See docs/backends/hip.md.
set -eu
folder=$1 architecture=${2:-90}
root=$(cd "$(dirname "$0")/../../.." && pwd)
cuda=$(dirname "$(dirname "$(readlink -f "$(command -v nvcc)")")")
mkdir -p "$folder"
for part in 1 2 3 4 5; do
    nvcc -fatbin -x cu -O3 -std=c++17 --fmad=false --prec-div=true --ftz=false -arch=sm_"$architecture" \
        -D__HIP_PLATFORM_NVIDIA__ -DSTRIP_PART=$part -I"$root/src" "$root/src/backend/hip/kernels.hip" \
        -o "$folder/kernels_$part.fatbin"
done
c++ -std=c++17 -O2 -fPIC -shared -fvisibility=hidden -Wl,-soname,libamdhip64.so.7 -isystem "$cuda/include" -I"$root/tests" \
    -I"$root/src" -D__HIP_PLATFORM_NVIDIA__ "$root/tests/hip/nvidia/runtime.cpp" -o "$folder/libamdhip64.so.7" \
    -L"$cuda/lib64" -L"$cuda/lib64/stubs" -lcudart_static -lcuda -lpthread -ldl -lrt
