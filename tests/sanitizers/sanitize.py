#!/usr/bin/env python3
"""Builds the tree with a sanitizer and runs test suites under it.

    sanitize.py SOURCE SCRATCH SANITIZERS SUITE...        e.g. address,undefined unit cli

The nested run prints its own summary; any report of a sanitizer fails the test it comes from.
"""
import os
import subprocess
import sys

OPTIONS = {
    "ASAN_OPTIONS": "detect_leaks=1:abort_on_error=0:exitcode=99",
    "UBSAN_OPTIONS": "halt_on_error=1:print_stacktrace=1:exitcode=99",
    "TSAN_OPTIONS": "halt_on_error=1:exitcode=99",
}


def main():
    source, scratch, sanitizers, *suites = sys.argv[1:]
    environment = {**os.environ, **OPTIONS, "CC": "gcc"}
    arguments = ["-Db_sanitize=" + sanitizers, "-Db_lundef=false", "-Dbuildtype=debugoptimized", "-Dbench=false",
                 "-Dcuda=disabled", "-Dhip=disabled", "-Dopencl=disabled", "-Dmetal=disabled"]
    if "undefined" in sanitizers:
        arguments.append("-Dc_args=-fsanitize=float-cast-overflow -fno-sanitize-recover=all")
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
