#!/usr/bin/env python3
"""Y4M: every tag, size, header and defect."""
import unittest

from harness import Clip, MediaTest

TAGS = [("420jpeg", "420", 8), ("420mpeg2", "420", 8), ("420paldv", "420", 8), ("420", "420", 8), ("411", "411", 8),
        ("422", "422", 8), ("444", "444", 8), ("444alpha", "444alpha", 8), ("mono", "mono", 8)]
TAGS += [(f"{name}p{depth}", name, depth) for name in ("420", "422", "444") for depth in range(9, 17)]
TAGS += [(f"mono{p}{depth}", "mono", depth) for p in ("", "p") for depth in range(9, 17)]


class Tags(MediaTest):
    def test_chroma_tags(self):
        for tag, layout, depth in TAGS:
            with self.subTest(tag):
                clip = Clip(7, 5, layout, depth)
                lines = self.expect_luma(clip.y4m("C" + tag), clip.luma)
                self.assertIn(f"7x5 {depth} ", lines[0])
                self.assertIn(tag, lines[0])

    def test_no_chroma_tag(self):
        clip = Clip(7, 5)
        self.expect_luma(clip.y4m(""), clip.luma)

    def test_older_writers_chroma(self):
        for value, layout, depth in (("420JPEG", "420", 8), ("420MPEG2", "420", 8), ("422P10", "422", 10),
                                     ("444", "444", 8), ("MONO", "mono", 8)):
            with self.subTest(value):
                clip = Clip(7, 5, layout, depth)
                self.expect_luma(clip.y4m("XYSCSS=" + value), clip.luma)
        clip = Clip(7, 5, "422")
        self.expect_luma(clip.y4m("XYSCSS=444 C422"), clip.luma)

    def test_other_parameters(self):
        clip = Clip(16, 16)
        for tags in ("Ip A1:1", "It", "Ib A128:117", "Im C420jpeg", "I?", "A0:0", "Xa=b Xc", "XCOLORRANGE=", "Qunknown",
                     "  Ip   C420jpeg ", "F0:0", "F30000:1001", "F:", "F-1:5", "\tIp"):
            with self.subTest(tags):
                self.expect_luma(clip.y4m(tags), clip.luma)

    def test_info(self):
        clip = Clip(16, 16, frames=3)
        path = self.file(clip.y4m("F30000:1001 XCOLORRANGE=FULL"))
        self.assertIn("16x16 8 range=2 frames=3 rate=30000/1001 seekable=1 Y4M 420, 8 bit",
                      self.tool("luma", path)[1][0])
        _, lines = self.tool("luma", "-", stdin=clip.y4m("XCOLORRANGE=LIMITED"))
        self.assertIn("range=1 frames=-1 rate=25/1 seekable=0", lines[0])

    def test_line_ends_and_frame_parameters(self):
        clip = Clip(16, 16, frames=3)
        for line in (b"FRAME\r\n", b"FRAME Ip Xa=b\n", b"FRAME Ip Xa=b\r\n", b"FRAME " + b"X" * 4000 + b"\n"):
            with self.subTest(line[:20]):
                self.expect_luma(clip.y4m("", frame_line=line, end=b"\r\n"), clip.luma)

    def test_frame_lines_of_several_lengths(self):
        clip = Clip(16, 16, frames=4)
        content = clip.y4m("")[:-4 * (384 + 6)]
        for i, frame in enumerate(clip.frames):
            content += b"FRAME" + b" Xa=b" * (i % 3) + b"\n" + frame
        self.expect_luma(content, clip.luma)

    def test_a_newline_first_in_the_luma(self):
        clip = Clip(16, 16)
        clip.frames = [b"\nFRAME\n" + frame[7:] for frame in clip.frames]
        self.expect_luma(clip.y4m(""), b"".join(frame[:256] for frame in clip.frames))


class Headers(MediaTest):
    def test_lengths(self):
        """Header lines of 79 to 4096 bytes, each."""
        clip = Clip(4, 2, frames=1)
        plain = len(clip.y4m("", end=b" X\n")) - 12 - 6
        paths = []
        for length in range(79, 4097):
            content = clip.y4m("", end=b" X" + b"y" * (length - plain) + b"\n")
            self.assertEqual(content.index(b"\n") + 1, length)
            paths.append(self.file(content))
        for first in range(0, len(paths), 500):
            some = paths[first:first + 500]
            out, lines = self.tool("luma", *some)
            self.assertEqual(out, clip.luma * len(some))
            self.assertEqual([line for line in lines if line.startswith("END")], ["END 1 "] * len(some))

    def test_longest(self):
        clip = Clip(4, 2)
        plain = len(clip.y4m("", end=b" X\n")) - 2 * (12 + 6)
        self.expect_luma(clip.y4m("", end=b" X" + b"y" * (32768 - plain) + b"\n"), clip.luma)
        for more in (1, 2, 4096, 200000):
            self.expect_refusal(clip.y4m("", end=b" X" + b"y" * (32768 - plain + more) + b"\n"), ["32768 bytes"])

    def test_sizes_refused(self):
        for size in ("W-16 H16", "W0 H16", "W16 H-1", "W65536 H16", "W16 H99999999999999999999", "W H16", "W16x H16",
                     "W16 H1e3", "W+16 H16"):
            with self.subTest(size):
                self.expect_refusal(f"YUV4MPEG2 {size} C420\nFRAME\n".encode() + bytes(384), ["1 to 65535"])
        self.expect_refusal(b"YUV4MPEG2 W16 C420\nFRAME\n" + bytes(384), ["lacks the H"])
        self.expect_refusal(b"YUV4MPEG2\nFRAME\n" + bytes(384), ["lacks the W"])

    def test_largest_side(self):
        for width, height in ((65535, 1), (1, 65535)):
            clip = Clip(width, height, "mono")
            self.expect_luma(clip.y4m("Cmono"), clip.luma)

    def test_chroma_refused(self):
        for tag in ("420p17", "420p7", "421", "4200", "420p", "420p10x", "rgb", "mono0", "42010", "444alph", "x" * 3000):
            with self.subTest(tag[:20]):
                self.expect_refusal(Clip(16, 16).y4m("C" + tag), ["unknown Y4M chroma tag", "420p10"])

    def test_header_cut_off(self):
        self.expect_refusal(b"YUV4MPEG2 W16 H16", ["ends inside its Y4M header"])


class Frames(MediaTest):
    def test_sizes(self):
        sizes = [(width, height) for width in range(1, 21) for height in range(1, 21)] + [(3, 64), (63, 47)]
        paths, luma = [], b""
        for width, height in sizes:
            clip = Clip(width, height)
            paths.append(self.file(clip.y4m()))
            luma += clip.luma
        out, lines = self.tool("luma", *paths)
        self.assertEqual([line for line in lines if line.startswith("END")], ["END 2 "] * len(sizes))
        self.assertEqual(out, luma)

    def test_widths(self):
        for depth, tag in ((8, "C420jpeg"), (10, "C420p10")):
            clips = [Clip(width, 18, depth=depth) for width in range(16, 81)]
            paths = [self.file(clip.y4m(tag)) for clip in clips]
            for pad in (0, 10):
                out, lines = self.tool("luma", "--pad", pad, *paths)
                self.assertEqual(out, b"".join(clip.luma for clip in clips))

    def test_many_rows(self):
        """More rows than one system call takes pieces."""
        clip = Clip(3, 1500)
        self.expect_luma(clip.y4m(), clip.luma)

    def test_header_alone(self):
        self.expect_end(b"YUV4MPEG2 W16 H16\n", "END", 0)

    def test_cut_at_every_byte_of_the_last_frame(self):
        for tag, layout, depth in (("C420jpeg", "420", 8), ("C444p10", "444", 10), ("Cmono", "mono", 8)):
            clip = Clip(8, 6, layout, depth, frames=3)
            content = clip.y4m(tag)
            last = 6 + len(clip.frames[2])
            paths = [self.file(content[:len(content) - cut]) for cut in range(last + 1)]
            out, lines = self.tool("luma", *paths)
            ends = [line for line in lines if not line.startswith("INFO")]
            self.assertEqual(len(ends), last + 1)
            self.assertEqual(ends[0], "END 3 ")
            self.assertEqual(ends[-1], "END 2 ")
            for end in ends[1:-1]:
                self.assertTrue(end.startswith("TRUNCATED 2 ") and "frame 2 is cut off" in end, end)
            self.assertEqual(len(out), (last + 1) * 2 * len(clip.lumas[0]) + len(clip.lumas[0]))
            for cut in range(0, last, 7):
                kind, frames = ("TRUNCATED", 2) if cut else ("END", 3)
                _, lines = self.tool("luma", "-", stdin=content[:len(content) - cut])
                self.assertTrue(lines[-1].startswith(f"{kind} {frames} "), (cut, lines))

    def test_no_frame_line(self):
        clip = Clip(16, 16, frames=3)
        content = clip.y4m()
        second = content.index(b"FRAME") + 2 * 390
        self.expect_end(content[:second] + b"FRAMF" + content[second + 5:], "ERROR", 2,
                        [f"frame 2: at byte offset {second} "])
        self.expect_end(content[:second] + b"FRAMES\n" + content[second + 6:], "ERROR", 2, ["starts with FRAME"])
        self.expect_end(content[:second] + b"FRAME " + b"x" * 40000 + b"\n", "ERROR", 2, ["at most 32768 bytes"])
        self.expect_end(content + b"\n", "ERROR", 3, ["frame 3"])

    def test_sample_above_the_depth(self):
        for depth in range(9, 16):
            clip = Clip(33, 5, "mono", depth)
            bad = 2 * (33 * 3 + 21)
            clip.frames[1] = clip.frames[1][:bad] + (1 << depth).to_bytes(2, "little") + clip.frames[1][bad + 2:]
            self.expect_end(clip.y4m(f"Cmono{depth}"), "ERROR", 1,
                            ["frame 1", f"x 21, y 3 is {1 << depth};", f"at most {(1 << depth) - 1} "])


if __name__ == "__main__":
    unittest.main()
