#!/usr/bin/env python3
"""Plants faults in the kernels or in how they are compiled, and requires that the audit names each.

    planted_code_objects.py SOURCE_ROOT SCRATCH_FOLDER LLVM_FOLDER TARGET COMPILER ARGUMENT...

The fault-free kernels must pass first. One part of one target is compiled each time.
"""
import os
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
FUSED = {"-ffp-contract=off": "-ffp-contract=fast"}
# What is wrong: arguments replaced or added, an edit (file, find, replace), and what the audit must say.
FAULTS = {
    "nothing": ({}, None, None),
    "contraction": (FUSED, None, "fused in vqx_"),
    "subnormals flushed": ({"": "-fgpu-flush-denormals-to-zero"}, None, "float mode"),
    "a private array indexed at run time": (
        {}, ("statistic.h", "    return sum;\n",
             "    vqx_f32 kept[33];\n    for (int i = 0; i < 33; i++)\n        kept[i] = row[i];\n"
             "    return vqx_add(sum, kept[(int)vqx_bits(sum) & 31]);\n"), "private_segment_fixed_size is"),
}


def main():
    root, scratch, tools, target, compiler, *arguments = sys.argv[1:]
    failed = 0
    for name, (changed, edit, says) in FAULTS.items():
        shutil.rmtree(scratch, ignore_errors=True)
        shutil.copytree(os.path.join(root, "src"), os.path.join(scratch, "src"))
        if edit:
            path = os.path.join(scratch, "src/kernels/strip_walk", edit[0])
            with open(path, encoding="utf-8") as file:
                text = file.read()
            if text.count(edit[1]) != 1:
                print("%s: the text to replace is there %d times" % (name, text.count(edit[1])))
                return 1
            with open(path, "w", encoding="utf-8") as file:
                file.write(text.replace(edit[1], edit[2]))
        code = os.path.join(scratch, "kernels.co")
        subprocess.run([compiler, *[changed.get(word, word) for word in arguments], *filter(None, [changed.get("")]),
                        "--offload-arch=" + target, "-DSTRIP_PART=2", "-I", os.path.join(scratch, "src"), "-o", code,
                        os.path.join(scratch, "src/backend/hip/kernels.hip")], check=True)
        audit = subprocess.run([os.path.join(HERE, "audit_code_objects.py"), tools, code], capture_output=True, text=True,
                               check=False)
        if audit.returncode == 77:
            print(audit.stdout.strip())
            return 77
        caught = (audit.returncode == 0) if says is None else (audit.returncode == 1 and says in audit.stdout)
        failed |= not caught
        print("%s: %s" % (name, "as it must be" if caught else "NOT CAUGHT\n" + audit.stdout + audit.stderr))
    return failed


if __name__ == "__main__":
    sys.exit(main())
