#!/usr/bin/env python3
"""No operator on f32 or f64 in device arithmetic: compiles src/arith and src/kernels in a dialect whose numbers have none.

Every header there must be reached by one of the sources of this folder, a dialect and a language alone excepted; so a
new one cannot stay unchecked.
"""
import glob
import os
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.normpath(os.path.join(HERE, "..", "..", ".."))
SOURCE = os.path.join(ROOT, "src")

# Source: what it is compiled with, one by one.
SOURCES = {
    "arith.cpp": [["-DSTRICT_FMA"], ["-DVQX_SOFT_DIVISION"]],
    "strip_walk.cpp": [["-DSTRICT_FMA", "-DSTRIP_PART=%d" % part] for part in (1, 2, 3, 4)],
    "tiles.cpp": [["-DVIF_SAMPLE_BITS=%d" % bits, *form] for bits in (8, 16, 32) for form in ([], ["-DVIF_NATIVE"])],
}
OPERATORS = ["+", "-", "*", "/", "+=", "-=", "*=", "/="]


def compiles(compiler, source, defines):
    """Whether it compiles, what the compiler says, and the files it read."""
    command = [compiler, "-std=c++17", "-fsyntax-only", "-w", "-MD", "-MF", "-", *defines, "-I", SOURCE, "-I", HERE,
               os.path.join(HERE, source)]
    run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    files = [os.path.normpath(word) for word in run.stdout.replace("\\\n", " ").split()[1:]]
    return run.returncode == 0, run.stderr, files


def headers():
    found = glob.glob(os.path.join(SOURCE, "arith", "*.h"))
    found += glob.glob(os.path.join(SOURCE, "kernels", "**", "*.h"), recursive=True)
    return {path for path in found if not os.path.basename(path).startswith(("dialect_", "language_"))}


def main():
    compiler = next(filter(None, map(shutil.which, ["clang++", "g++"])), None)
    if not compiler:
        print("no clang++ or g++ here")
        return 77
    failed = 0
    for operator in OPERATORS:  # the check itself
        if compiles(compiler, "arith.cpp", ["-DFORBIDDEN=" + operator])[0]:
            print("the strict dialect lets %s pass" % operator)
            failed = 1
    reached = set()
    for source, variants in SOURCES.items():
        if source == "tiles.cpp" and not os.path.isdir(os.path.join(SOURCE, "kernels", "tiles")):
            continue
        for defines in variants:
            good, says, files = compiles(compiler, source, defines)
            reached.update(files)
            if not good:
                print("%s %s:\n%s" % (source, " ".join(defines), says))
                failed = 1
    for path in sorted(headers() - reached):
        print("%s is reached by no source of %s" % (os.path.relpath(path, ROOT), os.path.relpath(HERE, ROOT)))
        failed = 1
    print("%d headers checked" % len(headers() & reached))
    return failed


if __name__ == "__main__":
    sys.exit(main())
