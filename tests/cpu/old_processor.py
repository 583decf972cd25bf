#!/usr/bin/env python3
"""Runs tests on an emulated x86-64 processor of 2006, which has no AVX: nothing may be an illegal instruction there.

    old_processor.py PROBE PROGRAM...      each PROGRAM with its arguments is one word

PROBE uses AVX2: the emulator has to kill it, or it would prove nothing.
"""
import shutil
import signal
import subprocess
import sys

QEMU = "qemu-x86_64-static"


def run(words):
    done = subprocess.run([QEMU, "-cpu", "core2duo", *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return done.returncode, done.stdout


def main():
    probe, programs = sys.argv[1], sys.argv[2:]
    if not shutil.which(QEMU):
        print("not installed: " + QEMU)
        return 77
    status, _ = run([probe])
    if status != -signal.SIGILL:
        print("the emulated processor ran AVX2 (status %d): it is not an old one" % status)
        return 1
    failed = 0
    for program in programs:
        status, text = run(program.split())
        print(text.strip())
        if status or "sse2" not in text or "avx" in text:
            print("FAILED (status %d): %s" % (status, program))
            failed += 1
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
