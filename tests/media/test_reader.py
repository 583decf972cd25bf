#!/usr/bin/env python3
"""A pair read ahead: order, skipping, every way to end, stopping."""
import os
import subprocess
import time
import unittest

from harness import Clip, MediaTest, TOOL, fnv


class Reader(MediaTest):
    def setUp(self):
        super().setUp()
        self.ref = Clip(16, 12, frames=20, seed=1)
        self.dis = Clip(16, 12, "444", 10, frames=20, seed=2)
        self.ref_path = self.file(self.ref.y4m())
        self.dis_path = self.file(self.dis.y4m("C444p10"))

    def rows(self, indexes, ref_skip=0, dis_skip=0):
        return [(i, fnv(self.ref.lumas[ref_skip + i]), fnv(self.dis.lumas[dis_skip + i])) for i in indexes]

    def clips(self, ref_frames, dis_frames):
        """Paths of a pair cut to so many frames; a fraction leaves a part of a frame."""
        def cut(clip, tags, frames):
            head = clip.y4m(tags)
            frame = 6 + len(clip.frames[0])
            start = len(head) - 20 * frame
            return self.file(head[:start + int(frames * frame)])
        return cut(self.ref, "C420", ref_frames), cut(self.dis, "C444p10", dis_frames)

    def test_both(self):
        for capacity in (1, 2, 7, 40):
            for threads in (0, 1, 4, 64):
                rows, end = self.pair("--capacity", capacity, "--threads", threads, self.ref_path, self.dis_path)
                self.assertEqual(rows, self.rows(range(20)))
                self.assertTrue(end.startswith("BOTH pairs=20 frames=20,20 "), end)

    def test_pipe(self):
        with open(self.dis_path, "rb") as file:
            rows, end = self.pair("--threads", 4, self.ref_path, "-", stdin=file.read())
        self.assertEqual(rows, self.rows(range(20)))
        self.assertTrue(end.startswith("BOTH pairs=20"), end)

    def test_skip_limit_every(self):
        for threads in (1, 3):
            for ref_skip, dis_skip, limit, every in ((3, 3, 0, 1), (2, 5, 15, 1), (0, 0, 7, 3), (0, 0, 6, 3), (1, 1, 0, 10),
                                                     (0, 0, 0, 100), (0, 0, 20, 1), (0, 0, 1, 1)):
                count = limit or 20 - ref_skip
                with self.subTest(skip=(ref_skip, dis_skip), limit=limit, every=every):
                    rows, end = self.pair("--threads", threads, "--skip", f"{ref_skip},{dis_skip}", "--limit", limit,
                                          "--every", every, self.ref_path, self.dis_path)
                    self.assertEqual(rows, self.rows(range(0, count, every), ref_skip, dis_skip))
                    self.assertTrue(end.startswith(f"BOTH pairs={count} "), end)

    def test_counts_differ(self):
        for ref, dis, every in ((20, 13, 1), (13, 20, 1), (0, 20, 1), (20, 0, 1), (12, 13, 1), (20, 13, 6), (13, 12, 6),
                                (20, 12, 6), (11, 20, 100)):
            for threads in (1, 4):
                with self.subTest(ref=ref, dis=dis, every=every, threads=threads):
                    least, side = min(ref, dis), int(dis < ref)
                    paths = self.clips(ref, dis)
                    rows, end = self.pair("--threads", threads, "--every", every, *paths)
                    self.assertEqual(rows, self.rows(range(0, least, every)))
                    self.assertTrue(end.startswith(f"DIFFER pairs={least} frames={ref},{dis} side={side} "), end)
                    self.assertIn(f"{paths[side]} has {least}, {paths[not side]} has {max(ref, dis)};", end)

    def test_longer_pipe(self):
        """What a pipe holds beyond is not read to be counted."""
        ref, dis = self.clips(5, 20)
        with open(dis, "rb") as file:
            rows, end = self.pair(ref, "-", stdin=file.read())
        self.assertEqual(rows, self.rows(range(5)))
        self.assertIn("DIFFER pairs=5 frames=5,", end)
        self.assertIn("standard input has at least ", end)

    def test_skip_beyond_the_end(self):
        rows, end = self.pair("--skip", "21,0", self.ref_path, self.dis_path)
        self.assertEqual(rows, [])
        self.assertIn("has 20 frames, fewer than the 21 to be skipped", end)

    def test_skipped_to_different_counts(self):
        rows, end = self.pair("--skip", "0,4", self.ref_path, self.dis_path)
        self.assertEqual(rows, self.rows(range(16), 0, 4))
        self.assertTrue(end.startswith("DIFFER pairs=16 frames=20,20 side=1"), end)
        self.assertIn("(of which 4 and 0 were skipped)", end)

    def test_truncated(self):
        for ref, dis, pairs, side in ((20, 7.5, 7, 1), (7.5, 20, 7, 0), (7.5, 7, 7, 0), (7, 7.5, 7, 1), (7.99, 7.5, 7, 0),
                                      (0.5, 20, 0, 0)):
            for threads in (1, 4):
                for every in (1, 2, 5):
                    with self.subTest(ref=ref, dis=dis, threads=threads, every=every):
                        paths = self.clips(ref, dis)
                        rows, end = self.pair("--threads", threads, "--every", every, *paths)
                        self.assertEqual(rows, self.rows(range(0, pairs, every)))
                        self.assertTrue(end.startswith(f"TRUNCATED pairs={pairs} "), end)
                        self.assertIn(f"side={side} {paths[side]}: frame {pairs} is cut off", end)

    def test_truncated_pipe(self):
        ref, dis = self.clips(7, 7.9)
        for _ in range(10):
            with open(dis, "rb") as file:
                rows, end = self.pair(ref, "-", stdin=file.read())
            self.assertEqual(rows, self.rows(range(7)))
            self.assertTrue(end.startswith("TRUNCATED pairs=7 "), end)

    def test_failed(self):
        """A bad sample in frame 9: the pairs before it come, whatever was read ahead."""
        clip = Clip(16, 12, "444", 10, frames=20, seed=2)
        clip.frames[9] = b"\xff\xff" + clip.frames[9][2:]
        path = self.file(clip.y4m("C444p10"))
        for threads in (1, 8):
            for _ in range(10):
                rows, end = self.pair("--threads", threads, "--capacity", 16, self.ref_path, path)
                self.assertEqual(rows, self.rows(range(9)))
                self.assertTrue(end.startswith("FAILED pairs=9 "), end)
                self.assertIn("frame 9: the luma sample at x 0, y 0 is 65535", end)
        _, end = self.pair("--limit", 9, self.ref_path, path)
        self.assertTrue(end.startswith("BOTH pairs=9 "), end)

    def test_sizes_differ(self):
        _, end = self.pair(self.ref_path, self.file(Clip(16, 14).y4m()))
        self.assertTrue(end.startswith("REFUSED -3 "), end)
        self.assertIn("16x12", end)
        self.assertIn("16x14", end)

    def test_stop(self):
        for stop in (0, 1, 5):
            rows, _ = self.pair("--stop", stop, "--threads", 4, self.ref_path, self.dis_path)
            self.assertEqual(rows, self.rows(range(stop)))

    def test_stop_while_a_pipe_says_nothing(self):
        """Closed in the middle, and at the other file's end: neither waits for the pipe."""
        whole = self.ref.y4m()
        frame = 6 + len(self.ref.frames[0])
        five = len(whole) - 15 * frame
        ended = self.clips(20, 3.5)[1]
        for arguments, lines in ((["--stop", "3", "-", self.dis_path], 3), (["-", ended], 4)):
            process = subprocess.Popen([TOOL, "pair", *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                       stderr=subprocess.PIPE)
            process.stdin.write(whole[:five + 20])
            process.stdin.flush()
            start = time.monotonic()
            while process.poll() is None and time.monotonic() - start < 30:
                time.sleep(0.01)
            if process.returncode is None:
                process.kill()
                self.fail("it hangs")
            self.assertEqual(process.returncode, 0, process.stderr.read())
            self.assertEqual(len(process.stdout.read().splitlines()), lines)
            for pipe in (process.stdin, process.stdout, process.stderr):
                pipe.close()


if __name__ == "__main__":
    unittest.main()
