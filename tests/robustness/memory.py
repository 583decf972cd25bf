#!/usr/bin/env python3
"""Peak memory of the command: bounded for 3840x2160, and growing with the frames by no more than their scores.

    memory.py VQX MODULES MAKECLIP PEAK SCRATCH
"""
import os
import subprocess
import sys

MEGABYTE = 1 << 20
# Frames of 3840x2160 in 8 bits: (threads, megabytes allowed).
LIMITS = [(1, 120), (2, 160)]
FEW, MANY = 1000, 11000
SCORES_BYTES = 15 * 8  # what a frame's scores take as doubles


def peak_of(peak, command):
    """Peak resident bytes of a command that must succeed."""
    done = subprocess.run([peak, *command], stdout=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit("exit status %d: %s" % (done.returncode, " ".join(command)))
    return int(done.stdout.split()[-1])


def clip(makeclip, scratch, width, height, frames, raw=False):
    pair = [os.path.join(scratch, side + (".yuv" if raw else ".y4m")) for side in ("ref", "dis")]
    subprocess.run([makeclip, *(["--raw"] if raw else []), "texture", "quant:24", str(width), str(height), "8",
                    str(frames), "1", *pair], check=True)
    return pair


def main():
    vqx, modules, makeclip, peak, scratch = sys.argv[1:]
    os.makedirs(scratch, exist_ok=True)
    command = [vqx, "--modules", modules, "--backend", "cpu", "-q", "-o", os.path.join(scratch, "report.json")]
    failed = 0
    for raw in (False, True):
        pair = clip(makeclip, scratch, 3840, 2160, 5, raw)
        size = "-w 3840 -h 2160 -p 420 -b 8".split() if raw else []
        for threads, limit in LIMITS:
            used = peak_of(peak, [*command, *size, "--threads", str(threads), "-r", pair[0], "-d", pair[1]]) / MEGABYTE
            failed += used > limit
            print("3840x2160 %s, %d thread(s): peak %.0f MB, allowed %d" % ("raw" if raw else "y4m", threads, used, limit))
        for path in pair:
            os.remove(path)
    pair = clip(makeclip, scratch, 32, 32, MANY)
    used = [peak_of(peak, [*command, "--threads", "1", "--frame_cnt", str(n), *pair]) for n in (FEW, MANY)]
    growth = (used[1] - used[0]) / (MANY - FEW)
    failed += growth > SCORES_BYTES
    print("from %.1f to %.1f MB" % (used[0] / MEGABYTE, used[1] / MEGABYTE))
    print("growth: %.0f bytes a frame, allowed %d" % (growth, SCORES_BYTES))
    for path in pair:
        os.remove(path)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
