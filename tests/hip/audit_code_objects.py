#!/usr/bin/env python3
"""Audits AMD code objects of the strip-walking kernels, which were compiled with line tables.

    audit_code_objects.py LLVM_FOLDER FILE.co ...

Of every kernel: no scratch memory, no spilled register, no dynamic stack, no call; subnormals kept and rounding to nearest in
f32 and f64, from start to end. Every fused multiply-add on floats is, by its line, of a division or of the named helper
vqx_fma in one of the functions that may use it; a contracted product and sum would be of vqx_add or vqx_sub. Prints what it
counted; exit 77 without the tools.
"""
import collections
import json
import os
import re
import subprocess
import sys

FUSED = re.compile(r"\bv_(?:pk_|dual_)?(?:fma|fmac|fmaak|fmamk|mad|mac|madak|madmk|dot2c?|dot2acc)(?:_legacy)?_(?:mix\w*_)?f\d\d\w*")
MODE = re.compile(r"\bs_(?:denorm_mode|round_mode|setreg)\w*.*")
CALL = re.compile(r"\b(?:s_swappc_b64|s_call_b64|scratch_(?:load|store)\w*|buffer_(?:load|store)\w*.*\boffen\b.*\bs\[0:3\])")
# The innermost function of a fused operation, and of vqx_fma the one around it.
DIVISIONS = {"vqx_div", "vqx_div64"}
FMA_USERS = {"operator()", "vqx_residual"}  # SampleConvert's and error_free.h's
# An instruction of two operations (RDNA 3 and later) has one line for both, of a function around the two. So a fused one among
# them is counted instead: a division in f32 has five fused operations and ends in one v_div_fixup_f32.
PAIR = re.compile(r" :: .*v_dual_|v_dual_\w+.* :: ")
FUSED_IN_A_DIVISION = 5
CLEAN = {"private_segment_fixed_size": "0", "sgpr_spill_count": "0", "vgpr_spill_count": "0"}
KEPT_NEAREST = 0xf0  # float_mode: f32 and f64 round to nearest even, subnormals of both kept


def run(tool, *arguments, text=None):
    return subprocess.run([tool, *arguments], input=text, capture_output=True, text=True, check=True).stdout


def kernels_of(notes):
    """Name and metadata of each kernel."""
    for part in re.split(r"\n  - (?=\.a)", notes)[1:]:
        pairs = dict(re.findall(r"^ {4}\.(\w+): +'?([^'\n]+)'?$", "\n    " + part, re.M))
        yield pairs["symbol"].replace(".kd", ""), pairs


def float_modes(path, tools):
    """FLOAT_MODE of each kernel, from its descriptor: bits 12..19 of compute_pgm_rsrc1."""
    table = run(tools + "/llvm-readelf", "-W", "--symbols", path)
    sections = run(tools + "/llvm-readelf", "-W", "--sections", path)
    rodata = re.search(r"\.rodata +PROGBITS +([0-9a-f]+) +([0-9a-f]+)", sections)
    start, offset = (int(word, 16) for word in rodata.groups())
    with open(path, "rb") as file:
        content = file.read()
    for address, name in set(re.findall(r": ([0-9a-f]+) .* (\w+)\.kd$", table, re.M)):
        at = offset + int(address, 16) - start + 48
        yield name, int.from_bytes(content[at:at + 4], "little") >> 12 & 0xff


def owners(path, tools, addresses):
    """The chain of functions, innermost first, that each address is of."""
    lines = run(tools + "/llvm-symbolizer", "--obj=" + path, "--inlines", "--no-demangle", "--output-style=JSON",
                text="\n".join(addresses) + "\n")
    for line in lines.splitlines():
        yield [frame["FunctionName"] for frame in json.loads(line)["Symbol"]]


def allowed(chain):
    return chain[0] in DIVISIONS or (chain[0] == "vqx_fma" and chain[1] in FMA_USERS)


def audit(path, tools):
    """What is wrong with a code object, and what was counted."""
    wrong, counts = [], collections.Counter()
    for name, values in kernels_of(run(tools + "/llvm-readelf", "--notes", path)):
        counts["kernels"] += 1
        wrong += ["%s: %s is %s" % (name, key, values.get(key)) for key, value in CLEAN.items() if values.get(key) != value]
        if values.get("uses_dynamic_stack", "false") != "false":
            wrong.append("%s: a dynamic stack" % name)
    for name, mode in float_modes(path, tools):
        counts["modes"] += 1
        if mode != KEPT_NEAREST:
            wrong.append("%s: float mode %#x" % (name, mode))
    code = run(tools + "/llvm-objdump", "-d", path).splitlines()
    wrong += ["changes the float mode: " + line.strip() for line in code if MODE.search(line)]
    wrong += ["calls or uses scratch memory: " + line.strip() for line in code if CALL.search(line)]
    counts["instructions"] = sum("//" in line for line in code)
    fused = [line for line in code if FUSED.search(line)]
    addresses = ["0x" + re.search(r"// ([0-9A-F]+):", line)[1] for line in fused]
    paired = []
    for line, chain in zip(fused, owners(path, tools, addresses) if fused else [], strict=True):
        if not allowed(chain):
            text = "fused in %s: %s" % (" in ".join(chain[:3]), FUSED.search(line)[0])
            (paired if PAIR.search(line) else wrong).append(text)
            continue
        counts[" in ".join(chain[:2] if chain[0] == "vqx_fma" else chain[:1])] += 1
    divisions = sum("v_div_fixup_f32" in line for line in code)
    if paired and counts["vqx_div"] + len(paired) == FUSED_IN_A_DIVISION * divisions:
        counts["vqx_div"] += len(paired)
    else:
        wrong += paired
    if not counts["kernels"] or counts["modes"] != counts["kernels"]:
        wrong.append("%d kernels, %d descriptors" % (counts["kernels"], counts["modes"]))
    return wrong, counts


def main():
    tools, *paths = sys.argv[1:]
    missing = [tool for tool in ("llvm-readelf", "llvm-objdump", "llvm-symbolizer")
               if not os.access(os.path.join(tools, tool), os.X_OK)]
    if missing:
        print("no %s in %s: code objects not audited" % (", ".join(missing), tools))
        return 77
    failed = 0
    for path in paths:
        wrong, counts = audit(path, tools)
        failed |= bool(wrong)
        for text, times in collections.Counter(wrong).items():
            print("%s: %s%s" % (os.path.basename(path), text, " (%d times)" % times if times > 1 else ""))
        print("%s: %s" % (os.path.basename(path), ", ".join("%d %s" % (n, what) for what, n in counts.items())))
    return failed


if __name__ == "__main__":
    sys.exit(main())
