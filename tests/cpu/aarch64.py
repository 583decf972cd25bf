#!/usr/bin/env python3
"""Builds the tests of this folder for 64-bit Arm and runs them under emulation: NEON against plain C.

    aarch64.py SOURCE SCRATCH PROGRAM...      e.g. "rows_test --cases 300"
"""
import os
import platform
import shutil
import subprocess
import sys

TOOLS = ["aarch64-linux-gnu-gcc", "qemu-aarch64-static"]
OPTIONS = ["-Dcommand=false", "-Dtests=false", "-Dbench=false", "-Ddocs=false", "-Dlibav=disabled", "-Dcuda=disabled",
           "-Dhip=disabled", "-Dopencl=disabled", "-Dmetal=disabled", "-Ddefault_library=static"]


def step(words):
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        print(" ".join(words) + "\n" + done.stdout[-3000:])
    return done.returncode, done.stdout


def main():
    source, scratch, programs = sys.argv[1], sys.argv[2], [text.split() for text in sys.argv[3:]]
    if platform.machine() == "aarch64":
        print("this is a 64-bit Arm: the tests run without emulation")
        return 77
    missing = [tool for tool in TOOLS if not shutil.which(tool)]
    if missing:
        print("not installed: " + ", ".join(missing))
        return 77
    again = ["--reconfigure"] if os.path.exists(os.path.join(scratch, "build.ninja")) else []
    cross = os.path.join(source, "tests", "cross", "aarch64.txt")
    targets = ["tests/cpu/" + words[0] for words in programs]
    for words in ([["meson", "setup", *again, scratch, source, "--cross-file", cross, *OPTIONS],
                   ["ninja", "-C", scratch, "-j", "2", *targets]]):
        status, _ = step(words)
        if status:
            return 1
    failed = 0
    for words in programs:
        program = os.path.join(scratch, "tests", "cpu", words[0])
        status, text = step(["qemu-aarch64-static", "-L", "/usr/aarch64-linux-gnu", program, *words[1:]])
        print(text.strip())
        if not status and "neon" not in text:
            print("FAILED: NEON was not among the instruction sets")
        failed += bool(status) or "neon" not in text
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
