#!/usr/bin/env python3
"""Compiles the probe's runner with a GPU compiler and runs it.

    device.py cuda|hip OUTPUT [arguments of the runner]

Exit 77, with the reason, where there is no compiler or no device.
"""
import os
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..", "..")
INCLUDES = ["-I" + os.path.join(ROOT, path) for path in ("include", "src", "tests/arith", "tests/arith/languages")]
RUNNER = os.path.join(HERE, "probe_run.cu")
HOST = ("tests/arith/languages/probe_host.c", "tests/arith/operands.c", "tests/arith/sweep.c", "src/vif/constants.c")
COMPILERS = {
    "cuda": (["nvcc", "/usr/local/cuda/bin/nvcc"],
             ["-O2", "-arch=sm_80", "--fmad=false", "-prec-div=true", "-ftz=false", RUNNER]),
    "hip": (["hipcc"], ["-O2", "-ffp-contract=off", "-x", "hip", RUNNER, "-x", "none"]),
}


def call(*command):
    print(" ".join(command), flush=True)
    return subprocess.call(command)


def main():
    language, output, *arguments = sys.argv[1:]
    names, flags = COMPILERS[language]
    compiler = next(filter(None, map(shutil.which, names)), None)
    if not compiler:
        print("no %s here" % names[0])
        return 77
    objects = []
    for source in HOST:
        objects.append("%s_%s.o" % (output, os.path.basename(source)))
        if call("cc", "-O2", "-ffp-contract=off", "-D_GNU_SOURCE", *INCLUDES, "-c", os.path.join(ROOT, source), "-o", objects[-1]):
            return 1
    if call(compiler, *INCLUDES, *flags, *objects, "-lpthread", "-lm", "-o", output):
        return 1
    return call(output, *arguments)


if __name__ == "__main__":
    sys.exit(main())
