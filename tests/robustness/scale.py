#!/usr/bin/env python3
"""Large frames, long streams and large files.

    scale.py VQX MODULES MAKECLIP PEAK SCRATCH [stream=FRAMES@WIDTHxHEIGHT] [offsets] [long-row] [large-frame]
        [huge-plane=GIGABYTES]

What needs more memory or room on the disk than there is, is left out with a line that says so.
"""
import json
import math
import os
import re
import resource
import shutil
import subprocess
import sys
import threading
import time

MEGABYTE = 1 << 20
SCORES_BYTES = 15 * 8  # what a frame's scores take as doubles
ALLOCATOR_BYTES = MEGABYTE // 2  # by which the peak of equal runs varies: threads' heaps, chunks of the allocator


class Scale:
    def __init__(self, vqx, modules, makeclip, peak, scratch):
        self.vqx, self.makeclip, self.peak = vqx, makeclip, peak
        self.common = ["--modules", modules, "--backend", "cpu", "-q"]
        self.scratch = scratch
        shutil.rmtree(scratch, ignore_errors=True)
        os.makedirs(scratch)

    def path(self, name):
        return os.path.join(self.scratch, name)

    def score(self, report, *arguments, **more):
        """Runs the command; returns (peak bytes, the report's frames)."""
        done = subprocess.run([self.peak, self.vqx, *self.common, *arguments, "-o", self.path(report)],
                              stdout=subprocess.PIPE, text=True, **more)
        if done.returncode:
            sys.exit("status %d: %s" % (done.returncode, " ".join(arguments)))
        with open(self.path(report), encoding="utf-8") as file:
            return int(done.stdout.split()[-1]), json.load(file)["frames"]

    def lacks(self, memory, disk):
        """Why a test cannot run here, or None."""
        with open("/proc/meminfo", encoding="ascii") as file:
            free = next(int(line.split()[1]) << 10 for line in file if line.startswith("MemAvailable"))
        if free < memory:
            return "left out: needs %d MB of memory, %d MB are free" % (memory / MEGABYTE, free / MEGABYTE)
        if shutil.disk_usage(self.scratch).free < disk:
            return "left out: needs %d MB on the disk" % (disk / MEGABYTE)
        return None

    # ---- a stream of many frames ----

    @staticmethod
    def feed(fifo, header, frame, count):
        with open(fifo, "wb") as pipe:
            pipe.write(header)
            for _ in range(count):
                pipe.write(frame)

    def stream(self, count, width, height):
        """Time linear and memory flat: the processor time and the peak of all frames against a quarter of them.

        Four times the frames take 4 times as long when time is linear and 16 times when it is quadratic. A loaded
        machine inflates single runs, so that the least of up to five runs of each is what counts.
        """
        peaks, seconds = [0, 0], [math.inf, math.inf]
        frame = b"FRAME\n" + bytes((i * 7919 >> 3) & 255 for i in range(width * height))
        header = b"YUV4MPEG2 W%d H%d F25:1 Cmono\n" % (width, height)
        fifos = [self.path("ref.fifo"), self.path("dis.fifo")]
        for run in range(1, 6):
            for i, frames in enumerate((count // 4, count)):
                used, spent = self.stream_once(frames, header, frame, fifos)
                peaks[i] = max(peaks[i], used)
                seconds[i] = min(seconds[i], spent)
            factor = seconds[1] / seconds[0]
            if factor < 8:
                break
        growth = max(0, peaks[1] - peaks[0] - ALLOCATOR_BYTES) / (count - count // 4)
        print("%d frames of %dx%d through two FIFOs: peak %.1f MB, %.0f bytes a frame (allowed %d), %.1f s of the processor, "
              "%.1f times what a quarter of them took (allowed 8; runs of each: %d)" %
              (count, width, height, peaks[1] / MEGABYTE, growth, SCORES_BYTES, seconds[1], factor, run), flush=True)
        return growth <= SCORES_BYTES and factor < 8

    def stream_once(self, frames, header, frame, fifos):
        """Peak bytes and processor seconds of one comparison of frames that come through two FIFOs."""
        for fifo in fifos:
            os.mkfifo(fifo)
        writers = [threading.Thread(target=self.feed, args=(fifo, header, frame, frames)) for fifo in fifos]
        for writer in writers:
            writer.start()
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        used, scored = self.score("stream.json", *fifos, "--threads", "2")
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        for writer in writers:
            writer.join()
        for fifo in fifos:
            os.remove(fifo)
        if len(scored) != frames or any(f["metrics"] != scored[0]["metrics"] for f in scored):
            sys.exit("%d of %d frames, or other scores" % (len(scored), frames))
        return used, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    # ---- offsets beyond 2^31 and 2^32 in a sparse file ----

    def offsets(self):
        width, height, frames = 320, 180, 3
        frame = width * height * 3 // 2
        subprocess.run([self.makeclip, "--raw", "texture", "blur", str(width), str(height), "8", str(frames), "1",
                        self.path("ref.yuv"), self.path("dis.yuv")], check=True)
        raw = ["-w", str(width), "-h", str(height), "-p", "420", "-b", "8"]
        _, expected = self.score("small.json", *raw, "-r", self.path("ref.yuv"), "-d", self.path("dis.yuv"))
        held = True
        for power in (31, 32, 33):
            skipped = (1 << power) // frame  # the frame that crosses it is the first one scored
            with open(self.path("ref.yuv"), "rb") as source, open(self.path("sparse.yuv"), "wb") as file:
                file.seek(skipped * frame)
                file.write(source.read())
            _, scored = self.score("large.json", *raw, "-r", self.path("sparse.yuv"), "-d", self.path("dis.yuv"),
                                   "--frame_skip_ref", str(skipped))
            equal = [f["metrics"] for f in scored] == [f["metrics"] for f in expected]
            held &= equal
            print("frames at byte offset 2^%d of a file: %s" % (power, "the same scores" if equal else "OTHER SCORES"))
            os.remove(self.path("sparse.yuv"))
        return held

    # ---- large frames, the fastest instruction set against plain C ----

    def pair(self, width, height, bits):
        """Mostly zeros, which take no room on the disk, with noise at the start, in the middle and at the very end."""
        size = width * height * (bits // 8)
        for name, factor in (("ref.yuv", 7919), ("dis.yuv", 7907)):
            noise = bytes((i * factor >> 3) & 255 for i in range(min(1 << 20, size // 8)))
            with open(self.path(name), "wb") as file:
                for at in (0, size // 2 - len(noise) // 2 & ~1, size - len(noise)):
                    file.seek(at)
                    file.write(noise)
        return ["-w", str(width), "-h", str(height), "-p", "400", "-b", str(bits), "-r", self.path("ref.yuv"), "-d",
                self.path("dis.yuv"), "--feature", "float_vif=debug=true"]

    def large(self, width, height, bits, memory):
        name = "%dx%d, %d bits" % (width, height, bits)
        reason = self.lacks(memory, 64 * MEGABYTE)
        if reason:
            print("%s: %s" % (name, reason))
            return True
        arguments = self.pair(width, height, bits)
        start = time.monotonic()
        used, fast = self.score("fast.json", *arguments)
        middle = time.monotonic()
        _, plain = self.score("plain.json", *arguments, "--cpumask", "-1")
        equal = fast == plain and 0 < fast[0]["metrics"]["vif_scale0"] < 1
        print("%s: a plane of %d bytes, peak %d MB (allowed %d), %.1f s, plain C %.1f s: %s" % (name, width * height * bits // 8,
              used / MEGABYTE, memory / MEGABYTE, middle - start, time.monotonic() - middle,
              "the same bits" if equal else "OTHER BITS"), flush=True)
        return equal and used <= memory


def main():
    scale = Scale(*map(os.path.abspath, sys.argv[1:6]))
    held = True
    for test in sys.argv[6:]:
        name, _, number = test.partition("=")
        if name == "stream":
            held &= scale.stream(*map(int, re.split("[@x]", number)))
        elif name == "offsets":
            held &= scale.offsets()
        elif name == "long-row":
            held &= scale.large(65535, 16, 8, 100 * MEGABYTE) & scale.large(16, 65535, 8, 100 * MEGABYTE)
            held &= scale.large(65535, 16, 16, 100 * MEGABYTE) & scale.large(16, 65535, 16, 100 * MEGABYTE)
        elif name == "large-frame":
            held &= scale.large(16384, 8640, 8, 1200 * MEGABYTE)
        elif name == "huge-plane":  # its bytes pass 2^31, or 2^32
            held &= scale.large(65535, 16400 * (int(number) // 2), 16, int(number) * 4096 * MEGABYTE)
        else:
            sys.exit("unknown: " + test)
    shutil.rmtree(scale.scratch)
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main())
