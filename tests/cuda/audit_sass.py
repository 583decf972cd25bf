#!/usr/bin/env python3
"""Audits the machine code of the CUDA kernels: nothing is fused but what the sources spell out.

    audit_sass.py TOOLS audit FATBIN...            the kernels as built, every architecture in them
    audit_sass.py TOOLS plant NVCC SOURCE WORK     faults planted in scratch copies must be found

Multiply-adds (FFMA, DFMA) of each kernel are counted and compared with what src/arith and src/kernels account for:
conversions of samples, the quotients of arith/ranged.h and the residuals of arith/error_free.h. A filter, a step of
log2a or a line of the statistic that is contracted adds to them, once for each of its unrolled copies.

TOOLS is where tools/get-cuda-tools.sh puts NVIDIA's cuobjdump and nvdisasm. Exit 77, with the reason, where one is
missing.
"""
import collections
import glob
import os
import re
import shutil
import subprocess
import sys

FLAGS = ["-O3", "-std=c++17", "--fmad=false", "--prec-div=true", "--ftz=false"]
PIXELS = 4  # of a turn of the statistic's loop

# What is planted, in which file and part, and a kernel that must be found guilty.
PLANTS = [
    ("a contracted filter", "src/kernels/strip_walk/walk.h", "1", "vqx_walk_8_u8_native",
     "sum[o] = vqx_add(sum[o], product[mirrored<R>(k)])", "sum[o] = vqx_fma(tap[mirrored<R>(k)], v[j], sum[o])"),
    ("a contracted line of the statistic", "src/arith/statistic.h", "1", "vqx_walk_8_u8_native",
     "vqx_sub(s2, vqx_mul(g, s12))", "vqx_fma(-g, s12, s2)"),
    ("a contracted step of log2a", "src/arith/log2a.h", "2", "vqx_walk_8_u8_pair",
     "vqx_add(vqx_mul(v, t), 1.442694803896991f)", "vqx_fma(v, t, 1.442694803896991f)"),
    ("a contracted decimation", "src/kernels/strip_walk/decimate.h", "3", "vqx_decimate_2_f32",
     "vqx_add(sum, vqx_mul(tap[mirrored<R>(k)], window[k]))", "vqx_fma(tap[mirrored<R>(k)], window[k], sum)"),
]


def find_tool(folder, name):
    """In the PATH, in CUDA's folder, or in what was got for the tests."""
    candidates = [shutil.which(name), "/usr/local/cuda/bin/" + name, *glob.glob(os.path.join(folder, "nvidia", "*", "bin", name))]
    return next((c for c in candidates if c and os.access(c, os.X_OK)), None)


def missing(folder, name):
    """Why a tool is missing: what getting it ended with, or how to get it."""
    try:
        with open(os.path.join(folder, "pip.log"), encoding="utf-8", errors="replace") as log:
            errors = [line.strip() for line in log if line.startswith("ERROR")]
        return "%s is not here, and could not be got: %s" % (name, errors[0] if errors else "pip failed")
    except OSError:
        return "%s is not here: it comes with CUDA, or tools/get-cuda-tools.sh BUILD gets it" % name


def disassemble(tools, binary):
    """The instructions of each architecture's functions: (architecture, name) -> [text]."""
    path = os.path.dirname(tools["nvdisasm"]) + os.pathsep + os.environ.get("PATH", "")
    text = subprocess.run([tools["cuobjdump"], "-sass", binary], check=True, capture_output=True, text=True,
                          env=dict(os.environ, PATH=path)).stdout
    functions, arch, key = {}, None, None
    for line in text.splitlines():
        target = re.search(r"code for (sm_\w+)", line)
        head = re.search(r"Function : (\S+)", line)
        code = re.match(r"\s+/\*[0-9a-f]{4,5}\*/\s+(.*?);", line)
        if target:
            arch = target.group(1)
        elif head:
            key = (arch, head.group(1))
            functions[key] = []
        elif code and key:
            functions[key].append(code.group(1))
    return functions


def operation(instruction):
    return re.sub(r"^@\S+\s+", "", instruction).split()[0].split(".")[0]


def fused(instruction):
    """The name of a multiply-add; None where an operand is the register of zero and nothing is fused."""
    op = operation(instruction)
    if op not in ("FFMA", "FFMA2", "DFMA", "HFMA2", "FFMA32I"):
        return None
    operands = [o.strip().lstrip("-|") for o in instruction.split(op, 1)[1].split(",")]
    return None if any(re.match(r"U?RZ\b", o) for o in operands[1:]) else op


def tally(instructions):
    found = collections.Counter(filter(None, map(fused, instructions)))
    found["local"] = sum(operation(i) in ("LDL", "STL") for i in instructions)
    return found


def accounted(name):
    """The most FFMA and DFMA that this kernel's sources account for."""
    f32 = "_f32" in name
    if name.startswith("vqx_walk"):
        # 32 samples of a chunk, and one in the loop at the edges before the walk and in it.
        conversions = 0 if f32 else 32 + 2
        if name.endswith("native"):  # the statistic for a noise variance that is a power of two, and for any other
            return conversions + 2 * PIXELS * 6, PIXELS * 7 + PIXELS * (7 + 2)
        return conversions + PIXELS * (6 + 2), 0
    if name.startswith("vqx_decimate_any"):
        return 0 if f32 else 16 + 1 + 2 * 4, 0  # the first 16 samples, and the loop's two, unrolled
    if name.startswith("vqx_decimate"):
        rows = 31 + 2 * int(name.split("_")[2])
        return 0 if f32 else 2 * 4 * rows, 0  # four columns, inside and at an edge
    if name.startswith("vqx_resize"):
        return 22 + 8, 0  # samples (14 where the loop is unrolled less), and the compiler's division by the sum of the weights
    return 0, 0


def audit(functions, report):
    """Names of the kernels with more than is accounted for."""
    guilty = []
    for (arch, name), instructions in sorted(functions.items()):
        if not name.startswith("vqx_"):
            continue
        found, (ffma, dfma) = tally(instructions), accounted(name)
        fault = found["FFMA"] > ffma or found["DFMA"] > dfma or found["HFMA2"] or found["FFMA2"] or found["FFMA32I"]
        if fault:
            guilty.append(name)
        if report:
            print("%-6s %-26s %5d instructions, FFMA %3d of %3d, DFMA %2d of %2d, local memory %d%s" % (
                arch, name, len(instructions), found["FFMA"], ffma, found["DFMA"], dfma, found["local"],
                "  FAULT" if fault else ""))
    return guilty


def plant(tools, nvcc, source, work):
    missed = 0
    for what, path, part, kernel, old, new in PLANTS:
        scratch = os.path.join(work, "audit_plant")
        shutil.rmtree(scratch, ignore_errors=True)
        shutil.copytree(os.path.join(source, "src"), os.path.join(scratch, "src"))
        target = os.path.join(scratch, path)
        text = open(target).read()
        if old not in text:
            print("%s cannot be planted: %s has no '%s'" % (what, path, old))
            return 1
        open(target, "w").write(text.replace(old, new, 1))
        cubin = os.path.join(scratch, "planted.cubin")
        subprocess.run([nvcc, "-cubin", "-arch=sm_90", *FLAGS, "-DSTRIP_PART=" + part, "-I", os.path.join(scratch, "src"),
                        "-o", cubin, os.path.join(scratch, "src/backend/cuda/kernels.cu")], check=True)
        caught = kernel in audit(disassemble(tools, cubin), report=False)
        print("%s: %s" % (what, "caught" if caught else "MISSED"))
        missed += not caught
        shutil.rmtree(scratch)
    return 1 if missed else 0


def main():
    folder, mode, *arguments = sys.argv[1:]
    tools = {name: find_tool(folder, name) for name in ("cuobjdump", "nvdisasm")}
    for name, path in tools.items():
        if not path:
            print(missing(folder, name))
            return 77
    if mode == "plant":
        return plant(tools, *arguments)
    guilty, kernels = [], 0
    for binary in arguments:
        functions = disassemble(tools, binary)
        kernels += len(functions)
        guilty += audit(functions, report=True)
    print("%d kernels, %d with more multiply-adds than are accounted for" % (kernels, len(guilty)))
    return 1 if guilty or not kernels else 0


if __name__ == "__main__":
    sys.exit(main())
