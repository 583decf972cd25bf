#!/usr/bin/env python3
"""Plants faults in the strip-walking kernels and requires that the SIMT runner catches each, or that `vqx parity` names the
stage where it begins.

    planted.py SOURCE_ROOT SCRATCH_FOLDER BACKEND_TEST VQX MODULES CC CXX

The kernels without a fault must pass first. One part of the kernels is compiled anew for each fault.
"""
import os
import re
import shutil
import subprocess
import sys

# Fault: the part compiled anew, its definitions, an edit (file, find, replace), what the test's output must then hold
# (None: it must end by a signal, which is a guard page's).
FAULTS = {
    "an unclamped index": (3, [], ("decimate.h", "column[j] = vif_reflect_clamped(x + j, p.width);", "column[j] = x + j;"), None),
    "a missing warp barrier": (2, ["-DSIMT_NO_WARP_BARRIER"], None, "FAILED"),
    "a barrier that some threads pass by": (2, [], ("walk.h", "        VQX_BARRIER();\n        if (c + 1 < chunks)",
                                                   "        if (thread)\n            VQX_BARRIER();\n        if (c + 1 < chunks)"),
                                            "a barrier that not all threads of its group reach"),
    "low strips of another height": (2, [], ("kernels.h", "radius, STRIP_ROWS_LOW, type,", "radius, STRIP_ROWS_LOW - 1, type,"),
                                     "FAILED"),
}
# The same for the gate: what it must say of where the difference begins.
STAGES = {
    "a row's sum begun with another tap": (5, [], ("walk.h", "open[i % (2 * R)] = product[0];", "open[i % (2 * R)] = product[1];"),
                                           "scale 0, mu1 at"),
    "a numerator that is the denominator": (5, [], ("statistic.h", "num[i] = outside ? 0.0f : t.num;",
                                                    "num[i] = outside ? 0.0f : t.den;"), "scale 0, num term at"),
    "terms added in another order": (5, [], ("statistic.h", "sum = vqx_add(vqx_add(vqx_add(vqx_add(sum, v.x), v.y), v.z), v.w);",
                                             "sum = vqx_add(vqx_add(vqx_add(vqx_add(sum, v.w), v.z), v.y), v.x);"),
                                     "scale 0, (num|den) row sum of row"),
    "a decimation by another tap": (3, [], ("decimate.h", "const vqx_f32 term = product[mirrored<R>(k)];",
                                                    "const vqx_f32 term = product[k == R ? R - 1 : mirrored<R>(k)];"),
                                    "scale [1-3], decimated reference at"),
}


def main():
    root, scratch, test, vqx, modules, cc, cxx = sys.argv[1:]
    shutil.rmtree(scratch, ignore_errors=True)
    os.makedirs(scratch)
    common = ["-O1", "-fPIC", "-fvisibility=hidden", "-ffp-contract=off", "-w", "-D_GNU_SOURCE", "-I", root + "/include"]

    def compile_part(part, tree, defines, output):
        subprocess.run([cxx, "-std=c++17", *common, "-DSTRIP_PART=%d" % part, *defines, "-I", tree + "/src", "-I", root + "/tests",
                        "-c", root + "/tests/simt/kernels.cpp", "-o", output], check=True)

    commands = {False: [test, "--backend", "hip", "--modules", modules, "--group", "sizes", "--group", "plans", "--form",
                        "fp64-free"],
                True: [vqx, "parity", "--self-test", "--stages", "--case", "71x71", "--backend", "cpu,hip", "--modules", modules]}

    def run(objects, stages=False):
        subprocess.run([cc, "-shared", "-Wl,-soname,libamdhip64.so.7", "-o", scratch + "/libamdhip64.so.7", *objects, "-lm",
                        "-ldl"], check=True)
        return subprocess.run(commands[stages], capture_output=True, text=True, check=False,
                              env={**os.environ, "LD_LIBRARY_PATH": scratch})

    objects = {}
    for name in ("runner", "hip"):
        objects[name] = "%s/%s.o" % (scratch, name)
        subprocess.run([cc, "-std=gnu17", *common, "-I", root + "/src", "-I", root + "/tests", "-c",
                        "%s/tests/simt/%s.c" % (root, name), "-o", objects[name]], check=True)
    for part in (1, 2, 3, 4, 5):
        objects[part] = "%s/kernels_%d.o" % (scratch, part)
        compile_part(part, root, [], objects[part])
    for stages in (False, True):
        clean = run(objects.values(), stages)
        if clean.returncode:
            print("without a fault: exit %d\n%s%s" % (clean.returncode, clean.stdout, clean.stderr))
            return clean.returncode
    failed = 0
    for name, (part, defines, edit, says) in {**FAULTS, **STAGES}.items():
        tree = os.path.join(scratch, "tree")
        shutil.rmtree(tree, ignore_errors=True)
        shutil.copytree(root + "/src", tree + "/src")
        if edit:
            path = os.path.join(tree, "src/kernels/strip_walk", edit[0])
            with open(path, encoding="utf-8") as file:
                text = file.read()
            if text.count(edit[1]) != 1:
                print("%s: the text to replace is there %d times" % (name, text.count(edit[1])))
                return 1
            with open(path, "w", encoding="utf-8") as file:
                file.write(text.replace(edit[1], edit[2]))
        faulty = scratch + "/faulty.o"
        compile_part(part, tree, defines, faulty)
        got = run({**objects, part: faulty}.values(), name in STAGES)
        output = got.stdout + got.stderr
        caught = got.returncode < 0 if says is None else got.returncode > 0 and re.search(says, output)
        failed |= not caught
        print("%s: %s" % (name, "caught" if caught else "NOT CAUGHT: exit %d\n%s" % (got.returncode, output)))
    return failed


if __name__ == "__main__":
    sys.exit(main())
