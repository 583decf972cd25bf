#!/usr/bin/env python3
"""Damaged video files through the command: bits flipped, bytes overwritten, pieces cut, moved, doubled, zeroed, ends cut
off. Seeded. Each run ends with a documented status, a message where it is not 0, and no half report.

    damage.py VQX MODULES CLIPS MAKECLIP SCRATCH [--rounds N] [--seed N]

Rounds are per file. A sanitizer's report ends the command with another status and so fails.
"""
import argparse
import json
import os
import random
import subprocess
import sys

CLIPS = ["walk_x264.mp4", "walk_ref.mkv", "walk_vp9.webm", "walk_x265_10.mkv"]
DOCUMENTED = {0, 3, 4, 7}
MOST_SECONDS = 60


def damage(data, rng):
    """A damaged copy, and in words how. Half of all damage is in the first 4,096 bytes, where the structure is."""
    bad = bytearray(data)
    near = rng.random() < 0.5
    at = lambda: rng.randrange(min(len(bad), 4096) if near else len(bad))
    kind = rng.choice(("flip", "overwrite", "cut", "move", "double", "zero", "end", "insert"))
    for _ in range(rng.choice((1, 1, 3, 20))):
        first, length = at(), rng.choice((1, 4, 100, 5000))
        piece = bytes(bad[first:first + length])
        if kind == "flip":
            bad[first] ^= 1 << rng.randrange(8)
        elif kind == "overwrite":
            bad[first:first + len(piece)] = rng.randbytes(len(piece))
        elif kind == "zero":
            bad[first:first + len(piece)] = bytes(len(piece))
        elif kind == "insert":
            bad[first:first] = rng.randbytes(length)
        elif kind == "double":
            bad[first:first] = piece
        elif kind in ("cut", "move"):
            del bad[first:first + length]
            if kind == "move" and bad:
                to = at()
                bad[to:to] = piece
        if kind == "end":
            del bad[max(1, first):]
        if len(bad) < 2:
            break
    return bytes(bad), kind


def check(command, path, report, whole, stream):
    """What is wrong with how the command took the file, or None; and its status."""
    if os.path.exists(report):
        os.remove(report)
    if stream:
        with open(path, "rb") as file:
            done = subprocess.run([*command, "-", whole, "-o", report], stdin=file, stderr=subprocess.PIPE, check=False,
                                  timeout=MOST_SECONDS)
    else:
        done = subprocess.run([*command, path, whole, "-o", report], stderr=subprocess.PIPE, check=False,
                              timeout=MOST_SECONDS)
    message = done.stderr.decode(errors="replace")
    if done.returncode not in DOCUMENTED or "Sanitizer" in message or "runtime error" in message:
        return "status %d: %s" % (done.returncode, message[-3000:]), done.returncode
    if done.returncode and "vqx: " not in message:
        return "status %d without a message" % done.returncode, done.returncode
    if done.returncode in (0, 4):
        with open(report, encoding="utf-8") as file:
            if not json.load(file)["frames"]:
                return "a report without frames", done.returncode
    elif os.path.exists(report):
        return "status %d with a report" % done.returncode, done.returncode
    return None, done.returncode


def main():
    parser = argparse.ArgumentParser()
    for name in ("vqx", "modules", "clips", "makeclip", "scratch"):
        parser.add_argument(name)
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    given = parser.parse_args()
    os.makedirs(given.scratch, exist_ok=True)
    y4m = [os.path.join(given.scratch, side + ".y4m") for side in ("ref", "dis")]
    subprocess.run([given.makeclip, "texture", "blur", "64", "48", "10", "6", "1", *y4m], check=True)
    files = [(y4m[0], y4m[1])]
    if os.path.exists(os.path.join(given.modules, "libvqx-libav.so")):
        files += [(os.path.join(given.clips, name),) * 2 for name in CLIPS]
    else:
        print("no libav module: only Y4M is damaged")
    command = [given.vqx, "--modules", given.modules, "--backend", "cpu", "--threads", "1", "-q", "--shortest"]
    report = os.path.join(given.scratch, "report.json")
    failed = 0
    for path, whole in files:
        rng = random.Random("%d %s" % (given.seed, os.path.basename(path)))
        with open(path, "rb") as file:
            data = file.read()
        bad = os.path.join(given.scratch, "bad")
        statuses = {}
        for n in range(given.rounds):
            content, kind = damage(data, rng)
            with open(bad, "wb") as file:
                file.write(content)
            try:
                wrong, status = check(command, bad, report, whole, n % 4 == 3)
            except subprocess.TimeoutExpired:
                wrong, status = "not done after %d s" % MOST_SECONDS, "none"
            statuses[status] = statuses.get(status, 0) + 1
            if wrong:
                failed += 1
                kept = "%s-%d-%d" % (os.path.basename(path), given.seed, n)
                os.replace(bad, os.path.join(given.scratch, kept))
                print("%s (%s), kept as %s: %s" % (path, kind, kept, wrong))
        print("%s: %d damaged files; statuses %s" % (os.path.basename(path), given.rounds,
              ", ".join("%s: %d" % pair for pair in sorted(statuses.items(), key=str))), flush=True)
    print("seed %d, %d failed" % (given.seed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
