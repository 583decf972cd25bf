#!/usr/bin/env python3
"""Several commands at once on one device: each must give the CPU's scores.

    side_by_side.py BACKEND DEVICE VQX MODULES MAKECLIP SCRATCH [ROUNDS]

The first round starts with no compiled kernels kept by the driver (POCL_CACHE_DIR), so the processes compile at a time.
"""
import json
import os
import shutil
import subprocess
import sys

SIZES = [(96, 80, 8), (320, 180, 10)]  # one a process, so that their memory differs
PROCESSES = 2


def frames(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)["frames"]


def main():
    backend, device, vqx, modules, makeclip, scratch, *rounds = sys.argv[1:]
    shutil.rmtree(scratch, ignore_errors=True)
    os.makedirs(scratch)
    path = lambda name: os.path.join(scratch, name)
    environment = {**os.environ, "POCL_CACHE_DIR": path("cache")}
    common = [vqx, "--modules", modules, "-q", "--feature", "float_vif=debug=true"]
    clips, expected = [], []
    for width, height, bits in SIZES:
        pair = [path("%s%d.y4m" % (side, width)) for side in ("ref", "dis")]
        subprocess.run([makeclip, "texture", "blur", str(width), str(height), str(bits), "6", "1", *pair], check=True)
        subprocess.run([*common, "--backend", "cpu", *pair, "-o", path("cpu.json")], check=True)
        clips.append(pair)
        expected.append(frames(path("cpu.json")))
    failed = runs = 0
    for _ in range(int(rounds[0]) if rounds else 1):
        processes = [subprocess.Popen([*common, "--backend", backend, "--device", device, *clips[i % len(clips)], "-o",
                                       path("%d.json" % i)], env=environment, stderr=subprocess.PIPE)
                     for i in range(PROCESSES)]
        for i, process in enumerate(processes):
            message = process.communicate()[1].decode()
            runs += 1
            if process.returncode or frames(path("%d.json" % i)) != expected[i % len(clips)]:
                failed += 1
                print("status %d or other scores: %s" % (process.returncode, message))
    print("%d runs, %d at a time, on %s: %d failed" % (runs, PROCESSES, backend, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
