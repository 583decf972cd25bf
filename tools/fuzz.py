#!/usr/bin/env python3
"""Builds the fuzz targets with clang and runs each for a while.

    fuzz.py SOURCE SCRATCH [--seconds N] [TARGET...]

Inputs are kept in SCRATCH/corpus from run to run. An input that fails is kept in SCRATCH/failed: copy it to
tests/fuzz/regressions/TARGET with the fix. Exit status 77: clang or its libFuzzer is missing.
"""
import argparse
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time

TARGETS = ["y4m", "raw", "options", "settings", "compare", "plan"]
LONGEST = {"y4m": 4096, "raw": 4096, "options": 200, "settings": 600, "compare": 4096, "plan": 64}
SANITIZERS = {
    "ASAN_OPTIONS": "detect_leaks=1:allocator_may_return_null=1",
    "UBSAN_OPTIONS": "print_stacktrace=1",
}
ARGUMENTS = ["-Dfuzz=true", "-Dtests=false", "-Dbench=false", "-Ddocs=false", "-Dlibav=disabled", "-Dcuda=disabled",
             "-Dhip=disabled", "-Dopencl=disabled", "-Dmetal=disabled", "-Db_sanitize=address,undefined", "-Db_lundef=false",
             "-Doptimization=1", "-Ddebug=true",
             "-Dc_args=-fsanitize=fuzzer-no-link -fsanitize=float-cast-overflow -fno-sanitize-recover=all"]


def missing(folder):
    """Why nothing can be built, or None."""
    if not shutil.which("clang"):
        return "no clang"
    program = os.path.join(folder, "probe")
    source = "int LLVMFuzzerTestOneInput(const unsigned char *d, unsigned long n) { return d && n > 9; }"
    done = subprocess.run(["clang", "-fsanitize=fuzzer,address,undefined", "-x", "c", "-", "-o", program], input=source,
                          text=True, capture_output=True)
    return "clang has no libFuzzer (Debian: libclang-rt-14-dev): " + done.stderr.strip()[-200:] if done.returncode else None


def build(source, scratch):
    """Sets up and builds; the log is shown only where it fails."""
    again = ["--reconfigure"] if os.path.exists(os.path.join(scratch, "build.ninja")) else []
    for step in (["meson", "setup", *again, scratch, source, *ARGUMENTS], ["ninja", "-C", scratch, "fuzz-programs"]):
        done = subprocess.run(step, env={**os.environ, "CC": "clang"}, text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT)
        if done.returncode:
            sys.exit(done.stdout[-4000:])


def run(source, scratch, target, seconds):
    """Fuzzes one target; whether it held."""
    grown = os.path.join(scratch, "corpus", target)
    failed = os.path.join(scratch, "failed", target + "-")
    os.makedirs(grown, exist_ok=True)
    os.makedirs(os.path.dirname(failed), exist_ok=True)
    folder = os.path.join(source, "tests", "fuzz")
    kept = [os.path.join(folder, kind, target) for kind in ("corpus", "regressions")]
    dictionary = os.path.join(folder, target + ".dict")
    command = [os.path.join(scratch, "tests", "fuzz", "fuzz_" + target), "-max_total_time=%d" % seconds,
               "-timeout=600",  # of the clock: a busy machine is slow
               "-rss_limit_mb=2048", "-print_final_stats=1", "-reload=0", "-verbosity=1", "-artifact_prefix=" + failed,
               "-max_len=%d" % LONGEST[target], "-close_fd_mask=%d" % (3 if target == "compare" else 0)]
    command += ["-dict=" + dictionary] if os.path.exists(dictionary) else []
    start, before = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([*command, grown, *(path for path in kept if os.path.isdir(path))],
                          env={**os.environ, **SANITIZERS}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          errors="replace", text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    number = re.search(r"number_of_executed_units: (\d+)", done.stdout)
    seed = re.search(r"Seed: (\d+)", done.stdout)
    edges = re.search(r"Loaded \d+ modules\s+\((\d+) inline 8-bit counters\)", done.stdout)
    covered = re.findall(r" cov: (\d+) ft: (\d+) corp: (\d+)", done.stdout)
    if done.returncode or not number or not int(number.group(1)):
        print("\n".join(re.findall(r".*(?:does not hold|runtime error|ERROR:|^ +#\d+ ).*", done.stdout, re.M)[:30]))
        print("%s: FAILED; the input is %s*" % (target, failed))
        return False
    print("%s: %s inputs in %d s (%d s of a processor), seed %s; %s of %s edges, %s features, %s inputs kept" %
          (target, number.group(1), time.monotonic() - start, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime,
           seed.group(1), covered[-1][0], edges.group(1), *covered[-1][1:]), flush=True)
    return True


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("source")
    parser.add_argument("scratch")
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("targets", nargs="*", default=TARGETS)
    given = parser.parse_intermixed_args()
    with tempfile.TemporaryDirectory() as folder:
        reason = missing(folder)
    if reason:
        print(reason)
        return 77
    build(given.source, given.scratch)
    held = [run(given.source, given.scratch, target, given.seconds) for target in given.targets or TARGETS]
    print("%d of %d targets held" % (sum(held), len(held)))
    return 0 if all(held) else 1


if __name__ == "__main__":
    sys.exit(main())
