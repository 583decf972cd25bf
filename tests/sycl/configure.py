#!/usr/bin/env python3
"""The build takes a SYCL compiler that keeps products and sums apart, and refuses one that fuses them.

    configure.py SOURCE_ROOT SCRATCH_FOLDER CLANGXX CC

The compilers are clang++ with the tests' SYCL (shim/): one that does as it is told, one that contracts all the same, one
that compiles nothing.
"""
import os
import shutil
import subprocess
import sys

SKIPPED = 77
OPTIONS = ["-Dsycl=enabled", "-Dtests=false", "-Dbench=false", "-Dcommand=false", "-Ddocs=false", "-Dlibav=disabled",
           "-Dcuda=disabled", "-Dhip=disabled", "-Dopencl=disabled", "-Dmetal=disabled"]
# Compiler, what the device of the tests lacks, whether the build is set up, what that says.
CASES = [
    ("honest", "", True, "4096 products and sums rounded twice on SIMT runner"),
    ("honest", "no-device", True, "no SYCL device is here"),
    ("honest", "no-runtime", False, "contraction check .* fails"),
    ("contracting", "", False, "fuses products and sums .* refused"),
    ("broken", "", False, "does not compile the contraction check"),
]


def make_compiler(folder, name, command):
    path = os.path.join(folder, name, "acpp")
    os.makedirs(os.path.dirname(path))
    with open(path, "w", encoding="utf-8") as file:
        file.write("#!/bin/sh\n%s\n" % command)
    os.chmod(path, 0o755)


def has_fma():
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            return any(word in ("fma", "asimd") for line in file if line.startswith(("flags", "Features")) for word in line.split())
    except OSError:
        return False


def main():
    root, scratch, clangxx, cc = sys.argv[1:]
    if not has_fma():
        print("this processor fuses no multiply-add, so that no compiler's contraction shows")
        return SKIPPED
    shutil.rmtree(scratch, ignore_errors=True)
    os.makedirs(scratch)
    tests = os.path.join(root, "tests")
    runner = os.path.join(scratch, "runner.o")
    subprocess.run([cc, "-std=gnu17", "-D_GNU_SOURCE", "-O1", "-fPIC", "-I", tests, "-c", tests + "/simt/runner.c", "-o", runner],
                   check=True)
    honest = 'exec "%s" -I "%s" -I "%s" "$@" "%s"' % (clangxx, tests, tests + "/sycl/shim", runner)
    make_compiler(scratch, "honest", honest)
    make_compiler(scratch, "contracting", honest + " -ffp-contract=fast")
    make_compiler(scratch, "broken", "echo no; exit 1")
    failed = 0
    for name, faults, good, says in CASES:
        build = os.path.join(scratch, "build")
        shutil.rmtree(build, ignore_errors=True)
        done = subprocess.run(["meson", "setup", build, root, "-Dsycl_compiler=%s/%s/acpp" % (scratch, name), *OPTIONS],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
                              env={**os.environ, "VQX_SYCL_SHIM": faults})
        if (done.returncode == 0) == good and all(part in done.stdout for part in says.split(" .* ")):
            print("%s %s: as it should be" % (name, faults))
        else:
            print("%s %s: exit %d, expected %s and '%s':\n%s" % (name, faults, done.returncode, "0" if good else "a refusal", says,
                                                                done.stdout[-3000:]))
            failed = 1
    return failed


if __name__ == "__main__":
    sys.exit(main())
