#!/usr/bin/env python3
"""Peak memory of the command: bounded for 3840x2160, and growing with the frames by no more than their scores.

    memory.py VQX MODULES MAKECLIP SCRATCH
"""
import os
import subprocess
import sys

MEGABYTE = 1 << 20
# Frames of 3840x2160 in 8 bits: (threads, megabytes allowed).
LIMITS = [(1, 120), (2, 160)]
FEW, MANY = 1000, 11000
SCORES_BYTES = 15 * 8 # what a frame's scores take as doubles


def peak(command):
    """Peak resident bytes of a child that must succeed."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit("exit status %d: %s" % (process.returncode, " ".join(command)))
    return usage.ru_maxrss * 1024


def clip(makeclip, scratch, width, height, frames, raw=False):
    pair = [os.path.join(scratch, side + (".yuv" if raw else ".y4m")) for side in ("ref", "dis")]
    subprocess.run([makeclip, *(["--raw"] if raw else []), "texture", "quant:24", str(width), str(height), "8",
                    str(frames), "1", *pair], check=True)
    return pair


def main():
    vqx, modules, makeclip, scratch = sys.argv[1:]
    os.makedirs(scratch, exist_ok=True)
    command = [vqx, "--modules", modules, "--backend", "cpu", "-q", "-o", os.path.join(scratch, "report.json")]
    failed = 0
    for raw in (False, True):
        pair = clip(makeclip, scratch, 3840, 2160, 5, raw)
        size = "-w 3840 -h 2160 -p 420 -b 8".split() if raw else []
        for threads, limit in LIMITS:
            used = peak([*command, *size, "--threads", str(threads), "-r", pair[0], "-d", pair[1]]) / MEGABYTE
            failed += used > limit
            print("3840x2160 %s, %d thread(s): peak %.0f MB, allowed %d" % ("raw" if raw else "y4m", threads, used, limit))
        for path in pair:
            os.remove(path)
    pair = clip(makeclip, scratch, 32, 32, MANY)
    used = [peak([*command, "--threads", "1", "--frame_cnt", str(n), *pair]) for n in (FEW, MANY)]
    growth = (used[1] - used[0]) / (MANY - FEW)
    failed += growth > SCORES_BYTES
    print("growth: %.0f bytes a frame, allowed %d" % (growth, SCORES_BYTES))
    for path in pair:
        os.remove(path)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
