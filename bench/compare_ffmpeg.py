#!/usr/bin/env python3
"""The command against FFmpeg's `vif` filter: processor time and peak memory on the same raw frames.

    compare_ffmpeg.py VQX SCRATCH [--sizes 1920x1080,3840x2160] [--frames N] [--pairs N]

Both read the same two files of raw 8-bit luma and use one thread. They run in turn, and the ratio is the median over the
pairs of runs, so that a machine whose speed changes harms it little. User processor time of the whole process is divided by
the number of frames; what both pay for (starting, reading) is in it. The scores are not the same metric's: FFmpeg's filter
uses another logarithm and other borders. Then vqx alone with more threads.
"""
import argparse
import os
import shutil
import statistics
import subprocess
import sys
import time


def make_clips(folder, width, height, frames):
    paths = [os.path.join(folder, f"{name}_{width}x{height}_{frames}.yuv") for name in ("reference", "distorted")]
    source = f"testsrc2=s={width}x{height}:r=25,noise=alls=6:all_seed=1"
    for path, more in zip(paths, ("", ",gblur=sigma=0.8,noise=alls=8:all_seed=2")):
        if not os.path.exists(path):
            subprocess.run(["ffmpeg", "-v", "error", "-f", "lavfi", "-i", source + more, "-frames:v", str(frames),
                            "-pix_fmt", "gray", "-f", "rawvideo", "-y", path], check=True)
    return paths


def run(words):
    """(user seconds, wall seconds, peak memory in MiB)"""
    start = time.monotonic()
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    text = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        sys.exit(" ".join(words) + "\n" + text.decode(errors="replace")[-2000:])
    return usage.ru_utime, time.monotonic() - start, usage.ru_maxrss / 1024


def ffmpeg_words(clips, width, height):
    raw = ["-f", "rawvideo", "-pix_fmt", "gray", "-s", f"{width}x{height}", "-i"]
    return ["ffmpeg", "-v", "error", "-threads", "1", "-filter_threads", "1", "-filter_complex_threads", "1",
            *raw, clips[1], *raw, clips[0], "-lavfi", "[0:v][1:v]vif", "-f", "null", "-"]


def vqx_words(vqx, clips, width, height, threads, more=()):
    return [vqx, "-r", clips[0], "-d", clips[1], "-w", str(width), "-h", str(height), "-p", "400", "-b", "8",
            "--backend", "cpu", "--threads", str(threads), "-q", *more, "-o", os.devnull, "--json"]


def median(values):
    return statistics.median(values)


def compare(vqx, clips, width, height, frames, pairs):
    rows = {"best": (), "no AVX-512": ("--cpumask", "0x10"), "SSE2": ("--cpumask", "0x18")}
    for name, more in rows.items():
        ours, theirs = [], []
        for _ in range(pairs):
            ours.append(run(vqx_words(vqx, clips, width, height, 1, more)))
            theirs.append(run(ffmpeg_words(clips, width, height)))
        ratio = median([t[0] / o[0] for o, t in zip(ours, theirs)])
        print("%-9s %-11s %10.1f %10.1f %7.1f %8.0f %8.0f" % (
            f"{width}x{height}", name, 1e3 * median([o[0] for o in ours]) / frames,
            1e3 * median([t[0] for t in theirs]) / frames, ratio, max(o[2] for o in ours), max(t[2] for t in theirs)))
        sys.stdout.flush()


def scale(vqx, clips, width, height, frames, pairs, threads):
    one, many, memory = [], [], 0
    for _ in range(pairs):
        one.append(run(vqx_words(vqx, clips, width, height, 1))[1])
        _, wall, used = run(vqx_words(vqx, clips, width, height, threads))
        many.append(wall)
        memory = max(memory, used)
    print("%-9s %d threads: %.1f ms a frame, %.2f times one thread, peak %.0f MiB" % (
        f"{width}x{height}", threads, 1e3 * median(many) / frames, median([a / b for a, b in zip(one, many)]), memory))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("vqx")
    parser.add_argument("scratch")
    parser.add_argument("--sizes", default="1920x1080,3840x2160")
    parser.add_argument("--frames", type=int, default=24)
    parser.add_argument("--pairs", type=int, default=5)
    arguments = parser.parse_args()
    if not shutil.which("ffmpeg"):
        print("not installed: ffmpeg")
        return 77
    os.makedirs(arguments.scratch, exist_ok=True)
    print("size      vqx         vqx ms/f   ffmpeg ms/f  ratio  vqx MiB ffmpeg MiB   (user processor time, one thread)")
    for size in arguments.sizes.split(","):
        width, height = (int(n) for n in size.split("x"))
        clips = make_clips(arguments.scratch, width, height, arguments.frames)
        compare(arguments.vqx, clips, width, height, arguments.frames, arguments.pairs)
        for threads in range(2, min(os.cpu_count() or 1, 8) + 1):
            scale(arguments.vqx, clips, width, height, arguments.frames, arguments.pairs, threads)
    return 0


if __name__ == "__main__":
    sys.exit(main())
