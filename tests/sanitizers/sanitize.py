#!/usr/bin/env python3
"""Builds the tree with a sanitizer and runs test suites under it.

    sanitize.py SOURCE SCRATCH SANITIZERS SUITE...        e.g. address,undefined unit cli

By gcc, but for `memory`, which clang alone has: of clang 15 or later, as older ones take what stat() fills in for
uninitialised. The libraries of others are not instrumented, so that libav is left out then. Exit status 77: there is no such compiler.

The nested run prints its own summary; any report of a sanitizer fails the test it comes from.
"""
import os
import shutil
import subprocess
import sys

OPTIONS = {
    "ASAN_OPTIONS": "detect_leaks=1:abort_on_error=0:exitcode=99",
    "UBSAN_OPTIONS": "halt_on_error=1:print_stacktrace=1:exitcode=99",
    "TSAN_OPTIONS": "halt_on_error=1:exitcode=99",
    "MSAN_OPTIONS": "halt_on_error=1:exitcode=99",
}


def find_clang():
    """A clang whose memory sanitizer can be used, or None."""
    for name in ("clang-21", "clang-20", "clang-19", "clang-18", "clang-17", "clang-16", "clang-15"):
        if shutil.which(name) and subprocess.run([name, "-fsanitize=memory", "-x", "c", "-", "-o", "/dev/null"], text=True,
                                                 input="int main(void) { return 0; }", capture_output=True).returncode == 0:
            return name
    return None


def main():
    source, scratch, sanitizers, *suites = sys.argv[1:]
    compiler = find_clang() if sanitizers == "memory" else "gcc"
    if not compiler:
        print("no clang from 15 on with its run-time libraries (Debian: clang-19 libclang-rt-19-dev)")
        return 77
    environment = {**os.environ, **OPTIONS, "CC": compiler,
                   "CXX": compiler.replace("clang", "clang++").replace("gcc", "g++")}
    arguments = ["-Db_sanitize=" + sanitizers, "-Db_lundef=false", "-Dbuildtype=debugoptimized", "-Dbench=false",
                 "-Dcuda=disabled", "-Dhip=disabled", "-Dopencl=disabled", "-Dmetal=disabled"]
    if "undefined" in sanitizers:
        arguments.append("-Dc_args=-fsanitize=float-cast-overflow -fno-sanitize-recover=all")
    if sanitizers == "memory":
        arguments.append("-Dlibav=disabled")
    if os.path.exists(os.path.join(scratch, "build.ninja")):
        arguments.insert(0, "--reconfigure")
    steps = [["meson", "setup", scratch, source, *arguments],
             ["ninja", "-C", scratch],
             ["meson", "test", "-C", scratch, "--no-rebuild", "--print-errorlogs", "--timeout-multiplier", "10",
              *(word for suite in suites for word in ("--suite", suite))]]
    for step in steps:
        done = subprocess.run(step, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        print(done.stdout[-4000:])
        if done.returncode:
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
