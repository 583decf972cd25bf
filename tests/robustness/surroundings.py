#!/usr/bin/env python3
"""The command where its surroundings fail or interfere: a full file system, limits, closed descriptors, signals at any
moment, pipes that end early or stutter.

    surroundings.py VQX MODULES MAKECLIP SCRATCH [--rounds N] [--seed N]
"""
import argparse
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import threading
import time

DONE, INCOMPLETE, OUTPUT = 0, 4, 6
OLD = "the report of an earlier run\n"


class Failure(Exception):
    pass


def expect(holds, what):
    if not holds:
        raise Failure(what)


class Surroundings:
    def __init__(self, given):
        self.scratch = os.path.abspath(given.scratch)
        shutil.rmtree(self.scratch, ignore_errors=True)
        os.makedirs(self.scratch)
        self.rounds, self.seed = given.rounds, given.seed
        self.ref, self.dis, self.report = (self.path(name) for name in ("ref.y4m", "dis.y4m", "report.json"))
        self.command = [os.path.abspath(given.vqx), "--modules", os.path.abspath(given.modules), "--backend", "cpu",
                        "--threads", "2", "-q"]
        subprocess.run([os.path.abspath(given.makeclip), "texture", "blur", "320", "180", "8", "40", "1", self.ref,
                        self.dis], check=True)
        self.scores = self.frames(self.run(self.ref, self.dis, "-o", self.report))

    def path(self, name):
        return os.path.join(self.scratch, name)

    def run(self, *arguments, status=DONE, **more):
        done = subprocess.run([*self.command, *arguments], stderr=subprocess.PIPE, text=True, timeout=120, **more)
        expect(done.returncode == status, "status %d, not %d: %s" % (done.returncode, status, done.stderr))
        return done

    def frames(self, _=None):
        with open(self.report, encoding="utf-8") as file:
            return json.load(file)["frames"]

    def no_leftovers(self, folder=None):
        left = [name for name in os.listdir(folder or self.scratch) if name.endswith(".part")]
        expect(not left, "%s left" % left)

    def write_old(self):
        with open(self.report, "w", encoding="ascii") as file:
            file.write(OLD)

    def expect_old(self):
        with open(self.report, encoding="utf-8") as file:
            expect(file.read() == OLD, "the old report was touched")

    # ---- each of these is a test; it returns what it tried ----

    def test_files_may_not_grow(self):
        """ulimit -f, whose signal ends a program that does not look."""
        self.write_old()
        sizes = [0, 1, 100, 4096, 5000, 9000]
        for size in sizes:
            limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
            self.run(self.ref, self.dis, "-o", self.report, status=OUTPUT, preexec_fn=limit)
            self.expect_old()
            self.no_leftovers()
        return "%d limits" % len(sizes)

    def test_file_system_full(self):
        folder = self.path("small")
        os.makedirs(folder)
        mount = ["mount", "-t", "tmpfs", "-o", "size=8k", "none", folder]
        if subprocess.run(mount, check=False, capture_output=True).returncode:
            return "left out: a small file system cannot be mounted here"
        try:
            self.run(self.ref, self.dis, "-o", os.path.join(folder, "report.json"), status=OUTPUT)
            expect(not os.listdir(folder), "something was left on the full file system")
        finally:
            subprocess.run(["umount", folder], check=True)
        return "tmpfs of 8 kB"

    def test_few_descriptors(self):
        tried = 0
        for most in range(3, 24):
            limit = lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
            done = subprocess.run([*self.command, self.ref, self.dis, "-o", self.report], stderr=subprocess.PIPE,
                                  preexec_fn=limit, text=True, check=False)
            expect(done.returncode in (0, 3, 5, 6, 7) or done.returncode == 127,
                   "%d descriptors: status %d %s" % (most, done.returncode, done.stderr))
            self.no_leftovers()
            tried += 1
        expect(done.returncode == 0, "23 descriptors are not enough: " + done.stderr)
        return "%d limits" % tried

    def test_little_memory(self):
        """ulimit -v from too little to enough: a message, never a signal once the program runs."""
        statuses = {}
        for megabytes in range(6, 260, 6):
            size = megabytes << 20
            limit = lambda: resource.setrlimit(resource.RLIMIT_AS, (size, size))
            done = subprocess.run([*self.command, self.ref, self.dis, "-o", self.report], stderr=subprocess.PIPE,
                                  preexec_fn=limit, text=True, check=False)
            expect(done.returncode in (0, 3, 5, 6, 7, 127), "%d MB: status %d %s" % (megabytes, done.returncode, done.stderr))
            statuses[done.returncode] = statuses.get(done.returncode, 0) + 1
            self.no_leftovers()
        expect(statuses.get(0) and len(statuses) > 1, "only statuses %s" % statuses)
        return "statuses " + ", ".join("%d: %d" % pair for pair in sorted(statuses.items()))

    def test_closed_descriptors(self):
        tried = ["0<&-", "1>&-", "2>&-", "0<&- 1>&-", "0<&- 2>&-", "1>&- 2>&-", "0<&- 1>&- 2>&-"]
        for closed in tried:
            os.remove(self.report)
            done = subprocess.run(["sh", "-c", 'exec "$0" "$@" ' + closed, *self.command, self.ref, self.dis, "-o",
                                   self.report], check=False, timeout=60)
            expect(done.returncode == 0 and self.frames() == self.scores, "%s: %d" % (closed, done.returncode))
        return "%d ways" % len(tried)

    def signal_at(self, delay, signals):
        process = subprocess.Popen([*self.command, self.ref, self.dis, "-o", self.report], stderr=subprocess.PIPE)
        time.sleep(delay)
        for number in signals:
            process.send_signal(number)
        process.communicate(timeout=60)
        return process.returncode

    def test_interrupted_at_any_moment(self):
        """The report is the old one, or whole with the frames scored; the status says which signal."""
        rng, ends = random.Random(self.seed), {}
        for _ in range(self.rounds):
            self.write_old()
            number = rng.choice((signal.SIGINT, signal.SIGTERM, signal.SIGHUP))
            status = self.signal_at(rng.uniform(0, 0.3), [number])
            with open(self.report, encoding="utf-8") as file:
                text = file.read()
            report = None if text == OLD else json.loads(text)
            expect(status in (0, 128 + number, -number), "status %d after signal %d" % (status, number))
            if report:
                outcome = report["vqx"]["outcome"]
                expect(outcome == ("complete" if status == 0 else "interrupted") or
                       (outcome == "complete" and status == 128 + number), "outcome %s, status %d" % (outcome, status))
                expect(report["frames"] == self.scores[:len(report["frames"])], "other scores")
            expect(report or status, "status 0 without a report")
            kind = "complete" if status == 0 else "partial" if report else "before the first frame"
            ends[kind] = ends.get(kind, 0) + 1
            self.no_leftovers()
        return "%d signals: %s" % (self.rounds, ends)

    def test_stopped_and_continued(self):
        """SIGSTOP and SIGCONT interrupt system calls that wait."""
        fifo = self.path("fifo.y4m")
        os.mkfifo(fifo)
        process = subprocess.Popen([*self.command, fifo, self.dis, "-o", self.report], stderr=subprocess.PIPE)
        writer = threading.Thread(target=self.stutter, args=(fifo,))
        writer.start()
        count = 0
        while process.poll() is None and count < 400:
            process.send_signal(signal.SIGSTOP)
            process.send_signal(signal.SIGCONT)
            count += 1
            time.sleep(0.002)
        process.communicate(timeout=60)
        writer.join()
        expect(process.returncode == 0 and self.frames() == self.scores, "status %d" % process.returncode)
        return "%d times" % count

    def stutter(self, fifo):
        """Writes the reference in pieces of odd sizes."""
        rng = random.Random(self.seed)
        with open(self.ref, "rb") as source, open(fifo, "wb", buffering=0) as pipe:
            while piece := source.read(rng.choice((1, 7, 4095, 65537, 300001))):
                pipe.write(piece)

    def test_a_pipe_that_ends_early(self):
        with open(self.ref, "rb") as source:
            data = source.read()
        rng = random.Random(self.seed)
        cuts = [rng.randrange(len(data)) for _ in range(12)]
        frame = 6 + 320 * 180 * 3 // 2
        for cut in cuts:
            whole = max(0, (cut - (len(data) - 40 * frame)) // frame)
            self.write_old()
            done = subprocess.run([*self.command, "-", self.dis, "-o", self.report], input=data[:cut],
                                  stderr=subprocess.PIPE, check=False, timeout=60)
            if whole:
                expect(done.returncode == INCOMPLETE and self.frames() == self.scores[:whole], "cut at %d" % cut)
            else:
                expect(done.returncode == 3, "cut at %d: status %d" % (cut, done.returncode))
                self.expect_old()
        return "%d cuts" % len(cuts)


def main():
    parser = argparse.ArgumentParser()
    for name in ("vqx", "modules", "makeclip", "scratch"):
        parser.add_argument(name)
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    given = parser.parse_args()
    print("seed %d" % given.seed)
    surroundings, failed = Surroundings(given), 0
    for name in sorted(name for name in dir(surroundings) if name.startswith("test_")):
        start = time.monotonic()
        try:
            result = getattr(surroundings, name)()
        except Failure as failure:
            failed += 1
            result = "FAILED: %s" % failure
        print("%s: %s (%.1f s)" % (name[5:].replace("_", " "), result, time.monotonic() - start), flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
