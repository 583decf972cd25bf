#!/usr/bin/env python3
"""The gate's self-test with every stage that a backend keeps: gate.py VQX MODULES BACKEND SCRATCH

Nothing may differ, and nothing be left out but the converted samples, which some kernels never write.
"""
import json
import os
import subprocess
import sys


def main():
    vqx, modules, backend, scratch = sys.argv[1:]
    os.makedirs(scratch, exist_ok=True)
    record = os.path.join(scratch, backend + ".json")
    done = subprocess.run([vqx, "parity", "--self-test", "--stages", "--backend", "cpu," + backend, "--modules", modules, "-q",
                           "--json", record], check=False)
    if done.returncode:
        return done.returncode
    with open(record, encoding="utf-8") as file:
        runners = json.load(file)["runners"]
    everything = runners[1]["stages"]
    ours = [runner for runner in runners if runner["backend"] == backend and not runner["absent"]]
    for runner in ours:
        left_out = runner["stages_left_out"]
        print("%s: %d frames, %d stages, %d left out" % (runner["detail"], runner["frames"], runner["stages"], left_out))
        if runner["stages"] + left_out != everything or left_out > 2 * runner["frames"] or runner["differing"]:
            print("of %d stages more are left out than two a frame" % everything)
            return 1
    return 0 if ours else 1


if __name__ == "__main__":
    sys.exit(main())
