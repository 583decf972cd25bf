#!/usr/bin/env python3
"""Builds the library with many compilers and flags, runs every vector with each, and requires all values equal.

    build_matrix.py SOURCE SCRATCH DATA

A build whose compiler is not installed is named and left out; without at least two builds the test counts as skipped.
"""
import concurrent.futures
import os
import platform
import shutil
import subprocess
import sys

OPTIONS = ["-Dcommand=false", "-Dtests=false", "-Dbench=false", "-Ddocs=false", "-Dlibav=disabled", "-Dcuda=disabled",
           "-Dhip=disabled", "-Dopencl=disabled", "-Dmetal=disabled", "-Ddefault_library=static"]


def builds(source):
    """(name, compiler that must be there, environment, meson arguments, wrapper of the program)"""
    native = platform.machine()
    for compiler in ("gcc", "clang"):
        for level in "0123":
            yield (f"{compiler} -O{level} {native}", [compiler], {"CC": compiler},
                   [f"-Doptimization={level}"], [])
        yield (f"{compiler} -O3 -march=native {native}", [compiler], {"CC": compiler},
               ["-Doptimization=3", "-Dc_args=-march=native"], [])
    if native != "aarch64":
        cross = os.path.join(source, "tests", "cross", "aarch64.txt")
        for level in "03":
            yield (f"gcc -O{level} aarch64", ["aarch64-linux-gnu-gcc", "qemu-aarch64-static"], {},
                   [f"-Doptimization={level}", "--cross-file", cross],
                   ["qemu-aarch64-static", "-L", "/usr/aarch64-linux-gnu"])


def run(build, source, scratch, data):
    name, tools, environment, arguments, wrapper = build
    missing = [tool for tool in tools if not shutil.which(tool)]
    if missing:
        return name, None, "not installed: " + ", ".join(missing)
    folder = os.path.join(scratch, name.replace(" ", "_").replace("=", ""))
    shutil.rmtree(folder, ignore_errors=True)
    program = os.path.join(folder, "tests", "vectors", "vectors_test")
    steps = [
        ["meson", "setup", folder, source, *OPTIONS, *arguments],
        ["ninja", "-C", folder, "-j", "1", "tests/vectors/vectors_test"],
        [*wrapper, program, data, "--backend", "cpu", "--threads", "1", "--form", "native"],
        [*wrapper, program, data, "--backend", "cpu", "--threads", "1", "--form", "fp64-free"],
    ]
    for step in steps:
        done = subprocess.run(step, env={**os.environ, **environment}, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True)
        if done.returncode:
            return name, False, " ".join(step) + "\n" + done.stdout[-3000:]
    shutil.rmtree(folder)
    return name, True, done.stdout.strip()


def main():
    source, scratch, data = sys.argv[1:4]
    os.makedirs(scratch, exist_ok=True)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 2) as pool:
        results = list(pool.map(lambda build: run(build, source, scratch, data), builds(source)))
    for name, equal, text in results:
        print("%-8s %s: %s" % ("left out" if equal is None else "equal" if equal else "FAILED", name, text))
    if any(equal is False for _, equal, _ in results):
        return 1
    if sum(1 for _, equal, _ in results if equal) < 2:
        print("fewer than two compilers are installed: nothing to compare")
        return 77
    return 0


if __name__ == "__main__":
    sys.exit(main())
