#!/usr/bin/env python3
"""Audits the kernels as AdaptiveCpp's generic flow makes PTX of them.

    audit_ptx.py ACPP CONTRACTION_SOURCE OBJECT ...

AdaptiveCpp's llvm-to-ptx-tool translates the code in the backend's objects, without a GPU. No kernel may hold a fused
multiply-add, an f64 instruction, a private array or spill (.local) or a flush of subnormals; those with division in software
(*_soft.o) no division either. The contraction check, compiled with contraction on, must be found to fuse. Exit status 77
(skipped): the tool or code for it is not there.
"""
import os
import re
import subprocess
import sys
import tempfile

from generic_flow import LEAST_KERNELS, Translator

SKIPPED = 77
OPTIONS = ("--build-opt", "ptx-target-device=80", "--build-opt", "ptx-version=70")


def faults(ptx, soft_division):
    forbidden = {"fused multiply-adds": r"\bfma\.", "f64 instructions": r"\.f64\b", "local memory": r"\.local\b",
                 "flushes to zero": r"\.ftz\b", "inexact divisions": r"\bdiv\.(approx|full)"}
    if soft_division:
        forbidden["divisions"] = r"\bdiv\.\w+\.f32"
    counts = {what: len(re.findall(pattern, ptx)) for what, pattern in forbidden.items()}
    return ["%d %s" % (count, what) for what, count in counts.items() if count]


def main():
    acpp, contraction, objects = sys.argv[1], sys.argv[2], sys.argv[3:]
    with tempfile.TemporaryDirectory() as folder:
        translator = Translator(acpp, folder, "ptx")
        if not os.path.exists(translator.tool):
            print("skipped: %s has no llvm-to-ptx-tool" % acpp)
            return SKIPPED
        failed = 0
        for path in objects:
            ptx = translator.translate(path, *OPTIONS)
            if ptx is None:
                print("skipped: the module is not built in AdaptiveCpp's generic flow")
                return SKIPPED
            ptx = ptx.decode()
            kernels = len(re.findall(r"\.entry\b", ptx))
            found = faults(ptx, path.endswith("_soft.o"))
            if kernels < LEAST_KERNELS:
                found.append("only %d kernels" % kernels)
            print("%s: %d kernels, %s" % (os.path.basename(path), kernels, "; ".join(found) or "clean"))
            failed |= bool(found)
        fused = os.path.join(folder, "fused.o")
        subprocess.run([acpp, "-std=c++17", "-O3", "-ffp-contract=fast", "-c", contraction, "-o", fused], check=True)
        found = faults(translator.translate(fused, *OPTIONS).decode(), False)
        print("contraction on: %s" % ("; ".join(found) or "NOT FOUND"))
        return 1 if failed or not any("fused" in fault for fault in found) else 0


if __name__ == "__main__":
    sys.exit(main())
