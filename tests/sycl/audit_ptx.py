#!/usr/bin/env python3
"""Audits the kernels as AdaptiveCpp's generic flow makes PTX of them.

    audit_ptx.py ACPP CONTRACTION_SOURCE OBJECT ...

The intermediate code lies in the backend's objects; AdaptiveCpp's llvm-to-ptx-tool translates it, without a GPU. No kernel
may hold a fused multiply-add, an f64 instruction, a private array or spill (.local) or a flush of subnormals; those with
division in software (*_soft.o) no division either. The contraction check, compiled with contraction on, must be found to
fuse. Exit status 77 (skipped): the tool or code for it is not there.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77
LEAST_KERNELS = 11  # of a set: two filters for each of five radii, and one more
APPENDIX = b"__acpp_hcf_binary_appendix"


def embedded_code(path):
    """The container of intermediate code that an object holds, or None: text, then what the text measures."""
    with open(path, "rb") as file:
        data = file.read()
    start = data.find(b"object-id=")
    end = data.find(APPENDIX, start)
    if start < 0 or end < 0:
        return None
    parts = re.findall(rb"start=(\d+)\nsize=(\d+)", data[start:end])
    return data[start:end + len(APPENDIX) + max(int(first) + int(size) for first, size in parts)]


class Translator:
    def __init__(self, acpp, folder):
        prefix = os.path.dirname(os.path.dirname(os.path.realpath(acpp)))
        tool = os.path.join(prefix, "lib/hipSYCL/llvm-to-backend/llvm-to-ptx-tool")
        self.folder = folder
        self.tool = os.path.join(folder, "bin/llvm-to-ptx-tool")
        if os.path.exists(tool):  # it looks for its files beside itself, which is not where it is installed
            os.mkdir(os.path.join(folder, "bin"))
            os.symlink(os.path.join(prefix, "lib"), os.path.join(folder, "lib"))
            shutil.copy(tool, self.tool)
        self.environment = {**os.environ, "ACPP_DEBUG_LEVEL": "0", "LD_LIBRARY_PATH": ":".join(
            (prefix + "/lib", prefix + "/lib/hipSYCL/llvm-to-backend"))}

    def ptx(self, path):
        code = embedded_code(path)
        if code is None:
            return None
        source, result = os.path.join(self.folder, "code.hcf"), os.path.join(self.folder, "code.ptx")
        with open(source, "wb") as file:
            file.write(code)
        subprocess.run([self.tool, "--build-opt", "ptx-target-device=80", "--build-opt", "ptx-version=70", source, result,
                        "llvm-ir.global"], check=True, env=self.environment)
        with open(result, encoding="utf-8") as file:
            return file.read()


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
        translator = Translator(acpp, folder)
        if not os.path.exists(translator.tool):
            print("skipped: %s has no llvm-to-ptx-tool" % acpp)
            return SKIPPED
        failed = 0
        for path in objects:
            ptx = translator.ptx(path)
            if ptx is None:
                print("skipped: the module is not built in AdaptiveCpp's generic flow")
                return SKIPPED
            kernels = len(re.findall(r"\.entry\b", ptx))
            found = faults(ptx, path.endswith("_soft.o"))
            if kernels < LEAST_KERNELS:
                found.append("only %d kernels" % kernels)
            print("%s: %d kernels, %s" % (os.path.basename(path), kernels, "; ".join(found) or "clean"))
            failed |= bool(found)
        fused = os.path.join(folder, "fused.o")
        subprocess.run([acpp, "-std=c++17", "-O3", "-ffp-contract=fast", "-c", contraction, "-o", fused], check=True)
        found = faults(translator.ptx(fused), False)
        print("contraction on: %s" % ("; ".join(found) or "NOT FOUND"))
        return 1 if failed or not any("fused" in fault for fault in found) else 0


if __name__ == "__main__":
    sys.exit(main())
