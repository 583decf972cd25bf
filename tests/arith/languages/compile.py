#!/usr/bin/env python3
"""Compiles the probe, which calls everything in src/arith, as one language; any warning fails.

    compile.py LANGUAGE        exit 0: compiled; 77: no compiler for it here
    compile.py --list
"""
import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.join(HERE, "..", "..", "..", "src")
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Werror", "-ffp-contract=off", "-O2"]
OPENCL = ["-x", "cl", "-cl-std=CL1.2", "-target", "spir64", "-Xclang", "-finclude-default-header", "-emit-llvm",
          "-Wall", "-Wextra", "-Werror"]
METAL = ["-x", "c++", "-std=c++14", "-I", os.path.join(HERE, "metal_shim"), *WARNINGS, "-Wno-unknown-attributes",
         "-Wno-unknown-pragmas"]
HIP = ["-x", "hip", "--cuda-device-only", "-O2", "-ffp-contract=off", "-Wall", "-Wextra", "-Werror"]
CUDA = ["--fmad=false", "-prec-div=true", "-ftz=false", "-Werror", "all-warnings"]
NO_F64 = ["-DVQX_NO_F64", "-DVQX_SOFT_DIVISION", "-DVQX_USE_FMA"]

# Language: the compilers that will do, the source, and the sets of arguments it must compile with.
LANGUAGES = {
    "C17 by gcc": (["gcc"], "probe.c", [["-std=c17"], ["-std=c17", "-DVQX_SOFT_DIVISION"]], WARNINGS),
    "C17 by clang": (["clang"], "probe.c", [["-std=c17"], ["-std=c17", "-DVQX_SOFT_DIVISION"]], WARNINGS),
    "C++17 by g++": (["g++"], "probe.c", [["-x", "c++", "-std=c++17"]], WARNINGS),
    "C++17 by clang++": (["clang++"], "probe.c", [["-x", "c++", "-std=c++17"]], WARNINGS),
    "SYCL's C++17": (["clang++", "g++"], "probe.c",
                     [["-x", "c++", "-std=c++17", "-DPROBE_SYCL"], ["-x", "c++", "-std=c++17", "-DPROBE_SYCL", *NO_F64]],
                     WARNINGS),
    "SYCL by AdaptiveCpp": (["acpp"], "probe.c", [["-x", "c++", "-std=c++17", "-DPROBE_SYCL"]], WARNINGS),
    "OpenCL C 1.2": (["clang"], "probe.cl", [[], ["-DVQX_USE_F64"], ["-DVQX_SOFT_DIVISION"], ["-DFP_FAST_FMAF"]], OPENCL),
    "Metal's C++14": (["clang++"], "probe.metal", [[], ["-DVQX_SOFT_DIVISION"]], METAL),
    "CUDA": (["nvcc", "/usr/local/cuda/bin/nvcc"], "probe.cu", [["-arch=sm_80"], ["-arch=sm_90"]], CUDA),
    "HIP": (["hipcc"], "probe.cu", [["--offload-arch=gfx1036"], ["--offload-arch=gfx90a"]], HIP),
}


def main():
    if sys.argv[1:] == ["--list"]:
        print("\n".join(LANGUAGES))
        return 0
    compilers, source, variants, common = LANGUAGES[sys.argv[1]]
    compiler = next(filter(None, map(shutil.which, compilers)), None)
    if not compiler:
        print("no %s here: %s not compiled" % (" or ".join(compilers), sys.argv[1]))
        return 77
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for variant in variants:
            command = [compiler, *common, *variant, "-I", SOURCE, "-I", HERE, "-c", os.path.join(HERE, source),
                       "-o", os.path.join(folder, "probe.o")]
            print(" ".join(command), flush=True)
            failed |= subprocess.call(command, stderr=subprocess.STDOUT) != 0
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
