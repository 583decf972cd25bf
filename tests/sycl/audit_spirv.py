#!/usr/bin/env python3
"""Audits the kernels as AdaptiveCpp's generic flow makes SPIR-V of them, and as Intel's offline compiler makes that for Arc.

    audit_spirv.py SOURCE_ROOT ACPP CONTRACTION_SOURCE OBJECT ...

AdaptiveCpp's llvm-to-spirv-tool translates the code in the backend's objects, without a GPU. Every kernel must forbid
contraction; none may hold a fused multiply-add, an f64 type or a private array; those with division in software (*_soft.o)
no division but reciprocals either, which it begins with. Where ocloc is, no kernel may need scratch or private memory on
Arc. The contraction check, compiled with contraction on, must be found not to forbid it, and a kernel with a private array
and f64 to have them. Exit status 77 (skipped): the tool or code for it is not there.
"""
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile

from generic_flow import LEAST_KERNELS, Translator

SKIPPED = 77
PLANTED = """
#include <sycl/sycl.hpp>
int main()
{
    sycl::queue queue;
    float *memory = sycl::malloc_device<float>(4096, queue);
    queue.parallel_for(sycl::range<1>(64), [=](sycl::id<1> i) {
        float kept[64];
        for (int k = 0; k < 64; k++)
            kept[k] = memory[64 * k + i];
        NUMBER sum = kept[(int)memory[i] & 63];
        for (int k = 0; k < 64; k++)
            sum += kept[(k * (int)memory[i]) & 63];
        memory[i] = (float)(sum / 3);
    });
}
"""
# Instructions and what their operands mean, from the SPIR-V specification.
EXT_INST, ENTRY_POINT, EXECUTION_MODE, TYPE_FLOAT, CONSTANT, VARIABLE, F_DIV = 12, 15, 16, 22, 43, 59, 136
CONTRACTION_OFF, FUNCTION_STORAGE = 31, 7
FUSED = (26, 42)  # of OpenCL.std: fma, mad
ONE = 0x3F800000  # the bits of 1.0f


def instructions(code):
    words = struct.unpack("<%dI" % (len(code) // 4), code)
    if words[0] != 0x07230203:
        raise RuntimeError("this is no SPIR-V")
    at = 5
    while at < len(words):
        count = words[at] >> 16
        yield words[at] & 0xFFFF, words[at + 1:at + count]
        at += count


def faults(code, soft_division):
    """(kernels, what is wrong)"""
    entries, contraction_off, ones, counts = set(), set(), set(), {}

    def count(what):
        counts[what] = counts.get(what, 0) + 1

    for op, operands in instructions(code):
        if op == ENTRY_POINT:
            entries.add(operands[1])
        elif op == EXECUTION_MODE and operands[1] == CONTRACTION_OFF:
            contraction_off.add(operands[0])
        elif op == EXT_INST and operands[3] in FUSED:
            count("fused multiply-adds")
        elif op == TYPE_FLOAT and operands[1] == 64:
            count("f64 types")
        elif op == VARIABLE and operands[2] == FUNCTION_STORAGE:
            count("private variables")
        elif op == CONSTANT and operands[2:] == (ONE,):
            ones.add(operands[1])
        elif op == F_DIV and soft_division and operands[2] not in ones:  # a reciprocal is an estimate
            count("divisions")
    found = ["%d %s" % (n, what) for what, n in counts.items()]
    if entries - contraction_off:
        found.append("%d kernels that may be contracted" % len(entries - contraction_off))
    return len(entries), found


class Arc:
    """Intel's offline compiler, as the OpenCL kernels' audit runs it; whether it is there: `there`."""

    def __init__(self, root, folder):
        sys.path.insert(0, os.path.join(root, "tests/opencl"))
        import audit_ocloc
        self.audit = audit_ocloc
        self.folder = pathlib.Path(folder) / "arc"
        self.folder.mkdir()
        self.there = shutil.which("ocloc") is not None
        self.ocloc = audit_ocloc.Ocloc(self.folder)

    def faults(self, code):
        if not self.there:
            return []
        source, out = self.folder / "k.spv", self.folder / "out"
        source.write_bytes(code)
        shutil.rmtree(out, ignore_errors=True)
        done = self.ocloc.run("compile", "-spirv_input", "-file", str(source), "-device", self.audit.DEVICE, "-options",
                              self.audit.CORRECT_DIVISION, "-internal_options", "-cl-intel-allow-zebin", "-out_dir", str(out),
                              "-output", "k")
        binaries = list(out.glob("*.bin")) if out.exists() else []
        if done.returncode or not binaries:
            return ["ocloc fails: " + done.stdout[-1000:]]
        information = self.audit.elf_section(binaries[0].read_bytes(), b".ze_info")
        return sorted({fault for kernel in information.split("\n  - name:")[1:] for fault in self.audit.memory_faults(kernel)})


def main():
    root, acpp, contraction, objects = sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4:]
    with tempfile.TemporaryDirectory() as folder:
        translator = Translator(acpp, folder, "spirv")
        if not os.path.exists(translator.tool):
            print("skipped: %s has no llvm-to-spirv-tool" % acpp)
            return SKIPPED
        arc = Arc(root, folder)
        if not arc.there:
            print("not compiled for Arc: ocloc is missing (Debian: intel-opencl-icd)")
        failed = 0
        for path in objects:
            code = translator.translate(path)
            if code is None:
                print("skipped: the module is not built in AdaptiveCpp's generic flow")
                return SKIPPED
            kernels, found = faults(code, path.endswith("_soft.o"))
            found += arc.faults(code)
            if kernels < LEAST_KERNELS:
                found.append("only %d kernels" % kernels)
            print("%s: %d kernels, %s" % (os.path.basename(path), kernels, "; ".join(found) or "clean"), flush=True)
            failed |= bool(found)
        fused = os.path.join(folder, "fused.o")
        subprocess.run([acpp, "-std=c++17", "-O3", "-ffp-contract=fast", "-c", contraction, "-o", fused], check=True)
        _, found = faults(translator.translate(fused), False)
        print("contraction on: %s" % ("; ".join(found) or "NOT FOUND"))
        failed |= not any("contracted" in fault or "fused" in fault for fault in found)
        planted = os.path.join(folder, "planted.cpp")
        with open(planted, "w", encoding="utf-8") as file:
            file.write(PLANTED)
        for number, wanted in (("float", ["private"] + ["memory per thread"] * arc.there), ("double", ["f64"])):
            subprocess.run([acpp, "-std=c++17", "-O3", "-ffp-contract=off", "-DNUMBER=" + number, "-c", planted, "-o", fused],
                           check=True)
            code = translator.translate(fused)
            text = "; ".join(faults(code, True)[1] + (arc.faults(code) if number == "float" else []))
            print("a private array of %s: %s" % (number, text or "NOT FOUND"))
            failed |= not all(word in text for word in wanted)
        return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
