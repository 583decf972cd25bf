#!/usr/bin/env python3
"""Raw YUV, and where bytes come from: files, pipes, what is no file."""
import os
import subprocess
import threading
import time
import unittest

from harness import Clip, MediaTest, TOOL

CLIPS = os.environ["VQX_CLIPS"]


class Raw(MediaTest):
    def test_layouts(self):
        for layout in ("420", "422", "444", "400"):
            for depth in range(8, 17):
                with self.subTest(layout=layout, depth=depth):
                    clip = Clip(7, 5, layout, depth, frames=3)
                    lines = self.expect_luma(clip.raw, clip.luma, "--raw", f"7x5x{depth}x{layout}")
                    self.assertIn(f"7x5 {depth} range=0", lines[0])

    def test_count(self):
        clip = Clip(7, 5, frames=3)
        _, lines = self.tool("luma", "--raw", "7x5x8x420", self.file(clip.raw))
        self.assertIn("frames=3 rate=0/0 seekable=1 raw YUV 4:2:0, 8 bit", lines[0])

    def test_remainder(self):
        clip = Clip(8, 6, frames=3)
        for cut in range(1, 72):
            self.expect_end(clip.raw[:-cut], "TRUNCATED", 2,
                            ["frame 2 is cut off", f"after {72 - cut} of its 72 bytes"], "--raw", "8x6x8x420")
        self.expect_end(clip.raw[:-72], "END", 2, [], "--raw", "8x6x8x420")

    def test_shorter_than_a_frame(self):
        self.expect_end(b"12345", "TRUNCATED", 0, ["after 5 of its 384 bytes"], "--raw", "16x16x8x420")

    def test_media_given_as_raw(self):
        with open(os.path.join(CLIPS, "walk_x264.mp4"), "rb") as file:
            content = file.read()
        whole = len(content) // (576 * 324 * 3 // 2)
        self.assertNotEqual(len(content) % (576 * 324 * 3 // 2), 0)
        self.expect_end(content, "TRUNCATED", whole, ["is cut off"], "--raw", "576x324x8x420")
        self.expect_end(content, "ERROR", 0, ["at most 1023 is accepted"], "--raw", "64x64x10x420")

    def test_y4m_given_as_raw(self):
        self.expect_refusal(Clip(16, 16).y4m(), ["is a Y4M file"], "--raw", "16x16x8x420")

    def test_options_refused(self):
        for raw, word in (("0x16x8x420", "1 to 65535"), ("16x0x8x420", "1 to 65535"), ("65536x16x8x420", "1 to 65535"),
                          ("16x65536x8x420", "1 to 65535"), ("16x16x7x420", "8 to 16"), ("16x16x17x420", "8 to 16")):
            self.expect_refusal(bytes(384), [word], "--raw", raw)

    def test_sample_above_the_depth(self):
        clip = Clip(33, 5, "400", 12)
        bad = 2 * (33 * 5 + 33 * 4 + 32)
        content = clip.raw[:bad] + b"\xff\xff" + clip.raw[bad + 2:]
        self.expect_end(content, "ERROR", 1, ["frame 1", "x 32, y 4 is 65535; of 12 bits at most 4095 "],
                        "--raw", "33x5x12x400")


    def test_more_than_is_read_at_once(self):
        for depth in (8, 10):
            for width, height in ((700, 801), (65535, 9), (401, 1999)):
                clip = Clip(width, height, "420", depth)
                description = ("--raw", f"{width}x{height}x{depth}x420")
                with self.subTest(size=(width, height), depth=depth):
                    self.expect_luma(clip.raw, clip.luma, *description)
        frame = len(clip.frames[0])
        for kept in (1, 1 << 18, (1 << 18) + 1, frame - 401 * 200, frame - 1):
            self.expect_end(clip.raw[:frame + kept], "TRUNCATED", 1,
                            [f"frame 1 is cut off: the file ends after {kept} of its {frame} bytes"], *description)

    def test_sample_above_the_depth_further_down(self):
        clip = Clip(256, 1200, "400", 10)
        bad = 2 * (256 * 1200 + 256 * 1111 + 77)
        content = clip.raw[:bad] + b"\x00\x04" + clip.raw[bad + 2:]
        self.expect_end(content, "ERROR", 1, ["frame 1", "x 77, y 1111 is 1024; of 10 bits at most 1023 "],
                        "--raw", "256x1200x10x400")


class Sources(MediaTest):
    def test_empty(self):
        for options in ([], ["--raw", "16x16x8x420"]):
            self.expect_refusal(b"", ["is empty"], *options)

    def test_directory(self):
        _, lines = self.tool("luma", self.folder)
        self.assertIn("is a directory", lines[-1])

    def test_missing(self):
        _, lines = self.tool("luma", self.folder + "/no such file")
        self.assertIn("cannot be opened: No such file or directory", lines[-1])

    def test_long_path_leaves_room_for_the_message(self):
        name = "/".join("d" * 200 for _ in range(10))
        _, lines = self.tool("luma", self.folder + "/" + name)
        self.assertIn("...", lines[-1])
        self.assertIn("No such file or directory", lines[-1])

    def test_names(self):
        clip = Clip(16, 16)
        for name in ("a:b.y4m", "pipe:0", "http:x", "with space", "back\\slash", "quo'te", "%d", "-x", "newline\nname"):
            path = self.file(clip.y4m(), name)
            out, lines = self.tool("luma", path)
            self.assertEqual(out, clip.luma, lines)

    def test_fifo_in_small_pieces(self):
        clip = Clip(64, 48, frames=3)
        path = os.path.join(self.folder, "fifo")
        os.mkfifo(path)

        def write():
            with open(path, "wb", buffering=0) as fifo:
                content = clip.y4m()
                for first in range(0, len(content), 997):
                    fifo.write(content[first:first + 997])

        writer = threading.Thread(target=write)
        writer.start()
        out, lines = self.tool("luma", path)
        writer.join()
        self.assertEqual(out, clip.luma, lines)

    def test_standard_input_from_the_middle_of_a_file(self):
        clip = Clip(16, 16)
        with open(self.file(b"before" + clip.y4m()), "rb") as file:
            os.lseek(file.fileno(), 6, os.SEEK_SET)
            done = subprocess.run([TOOL, "luma", "-"], stdin=file, capture_output=True)
        self.assertEqual(done.stdout, clip.luma)

    def test_interrupt(self):
        """A pipe that says nothing more can be left; what came before was read."""
        clip = Clip(16, 16, frames=2)
        for content, frames in ((clip.y4m(), 2), (clip.y4m()[:-1], 1), (clip.y4m()[:-300], 1)):
            process = subprocess.Popen([TOOL, "luma", "--interrupt", "200", "-"], stdin=subprocess.PIPE,
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            process.stdin.write(content)
            process.stdin.flush()
            start = time.monotonic()
            while process.poll() is None and time.monotonic() - start < 30:
                time.sleep(0.01)
            text = process.stderr.read().decode()
            self.assertEqual(process.returncode, 0, "it hangs" if process.returncode is None else text)
            self.assertIn(f"ERROR {frames} standard input: reading was stopped", text)
            for pipe in (process.stdin, process.stdout, process.stderr):
                pipe.close()


if __name__ == "__main__":
    unittest.main()
