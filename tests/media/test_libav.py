#!/usr/bin/env python3
"""Files that FFmpeg opens: the shipped clips, formats and containers made by ffmpeg, damage, names."""
import hashlib
import os
import random
import re
import shutil
import subprocess
import unittest

from harness import Clip, MediaTest

CLIPS = os.environ["VQX_CLIPS"]
FFMPEG = shutil.which("ffmpeg")
PATTERN = ["-f", "lavfi", "-i", "testsrc2=s=96x70:d=1:r=12"]
NAMES = ["walk_ref.mkv", "walk_x264.mp4", "walk_vp9.webm", "walk_x265_10.mkv"]


def clip(name):
    return os.path.join(CLIPS, name)


def content(name):
    with open(clip(name), "rb") as file:
        return file.read()


class Clips(MediaTest):
    def test_luma(self):
        with open(clip("luma.md5")) as file:
            sums = dict(reversed(line.split()) for line in file)
        self.assertEqual(sorted(sums), sorted(NAMES))
        for name in NAMES:
            for source, stdin in ((clip(name), None), ("-", content(name))):
                if stdin and name.endswith(".mp4"):
                    continue  # its index is at its end
                out, lines = self.tool("luma", source, stdin=stdin)
                self.assertTrue(lines[-1].startswith("END 12 "), lines)
                self.assertIn(f"576x324 {10 if '10' in name else 8} ", lines[0])
                self.assertIn("rate=10/1", lines[0])
                self.assertEqual(hashlib.md5(out).hexdigest(), sums[name], name)

    def test_names(self):
        for name in ("a:b.mkv", "http:x", "file:x", "with space", "back\\slash", "quo'te", "%03d.png", "concat:a|b"):
            path = self.file(content("walk_ref.mkv"), name)
            _, lines = self.tool("luma", path)
            self.assertTrue(lines[-1].startswith("END 12 "), lines)

    def test_pair(self):
        rows, end = self.pair("--skip", "2,2", "--every", 3, clip("walk_ref.mkv"), clip("walk_x265_10.mkv"))
        self.assertEqual([row[0] for row in rows], [0, 3, 6, 9])
        self.assertTrue(end.startswith("BOTH pairs=10 frames=12,12 "), end)
        whole, _ = self.pair(clip("walk_ref.mkv"), clip("walk_x265_10.mkv"))
        self.assertEqual([row[1:] for row in rows], [row[1:] for row in whole[2::3]])

    def test_stop(self):
        for stop in (0, 1, 5):
            rows, _ = self.pair("--stop", stop, clip("walk_ref.mkv"), clip("walk_x264.mp4"))
            self.assertEqual(len(rows), stop)


class Damage(MediaTest):
    def read(self, data):
        path = self.file(data)
        out, lines = self.tool("luma", path)
        os.unlink(path)
        return out, lines[-1]

    def test_damage_never_crashes(self):
        for name in NAMES:
            data = content(name)
            for seed in range(6):
                rng = random.Random(seed)
                bad = bytearray(data)
                for _ in range(rng.choice((1, 10, 1000))):
                    bad[rng.randrange(len(bad))] = rng.randrange(256)
                _, end = self.read(bad)
                self.assertRegex(end, "^(END|ERROR|TRUNCATED|REFUSED) ")

    def test_frames_overwritten(self):
        """Damage is named where it is met; what came before is right."""
        for name in ("walk_ref.mkv", "walk_x264.mp4"):
            good, _ = self.tool("luma", clip(name))
            data = bytearray(content(name))
            for part in (3, 5, 7):
                first = len(data) * part // 10
                bad = bytearray(data)
                bad[first:first + 3000] = bytes(3000)
                out, end = self.read(bad)
                frame = re.search(r"frame (\d+) cannot be decoded", end)
                self.assertTrue(frame and end.startswith(("ERROR ", "REFUSED ")), (name, end))
                self.assertEqual(len(out), int(frame[1]) * len(good) // 12)
                self.assertEqual(out, good[:len(out)])

    def test_cut_off(self):
        for name, cuts in (("walk_ref.mkv", (0.5, 0.9, 0.99)), ("walk_vp9.webm", (0.9, 0.99)), ("walk_x265_10.mkv", (0.99,))):
            good, _ = self.tool("luma", clip(name))
            data = content(name)
            for cut in cuts:
                part = data[:int(len(data) * cut)]
                path = self.file(part)
                for source, stdin in ((path, None), ("-", part)):
                    out, lines = self.tool("luma", source, stdin=stdin)
                    self.assertRegex(lines[-1], r"^TRUNCATED \d+ .* is cut off: its first \d+ frames are whole")
                    self.assertTrue(0 < len(out) < len(good))
                    self.assertEqual(out, good[:len(out)])
        _, end = self.read(content("walk_x264.mp4")[:9000])
        self.assertIn("neither Y4M nor a media file FFmpeg can open", end)

    def test_no_media(self):
        for data in (b"hello", bytes(100000), random.Random(1).randbytes(100000), b"YUV4MPEG W16 H16\n",
                     b"ffconcat version 1.0\nfile " + clip("walk_ref.mkv").encode() + b"\n",
                     b"#EXTM3U\n#EXTINF:1,\n" + clip("walk_ref.mkv").encode() + b"\n#EXT-X-ENDLIST\n"):
            self.expect_refusal(data, ["neither Y4M nor a media file FFmpeg can open", "raw video needs"], status=-1)


class Modules(MediaTest):
    def refusal(self, modules):
        _, lines = self.tool("luma", clip("walk_ref.mkv"), modules=modules)
        self.assertTrue(lines[-1].startswith("REFUSED -5 "), lines)
        return lines[-1]

    def test_missing(self):
        end = self.refusal(self.folder)
        self.assertIn("is not a Y4M file", end)
        self.assertIn(f"{self.folder}/libvqx-libav.so is not there", end)

    def test_broken(self):
        """As when a library that it needs is missing, the loader's words are passed on."""
        self.file(b"no module", "libvqx-libav.so")
        self.assertIn("libvqx-libav.so: file too short", self.refusal(self.folder))

    def test_other_version(self):
        self.assertIn("of another version", self.refusal(os.environ["VQX_OTHER_MODULES"]))


@unittest.skipUnless(FFMPEG, "no ffmpeg here to make files with")
class Formats(MediaTest):
    def make(self, name, *options):
        path = os.path.join(self.folder, name)
        done = subprocess.run([FFMPEG, "-v", "error", "-y", *PATTERN, *options, path], capture_output=True, text=True)
        if done.returncode:
            self.skipTest(f"ffmpeg cannot make {name}: {done.stderr.strip()[:100]}")
        return path

    def expect_as_ffmpeg(self, path, *conversion):
        out, lines = self.tool("luma", path)
        done = subprocess.run([FFMPEG, "-v", "error", "-i", path, "-map", "0:v:0", "-vf", "extractplanes=y", *conversion,
                               "-vsync", "passthrough", "-f", "rawvideo", "-"], capture_output=True, check=True)
        self.assertTrue(lines[-1].startswith("END "), lines)
        self.assertTrue(done.stdout)
        self.assertEqual(out, done.stdout, path)
        return lines[0]

    def test_codecs(self):
        for name, *options in (("mpeg2.ts", "-c:v", "mpeg2video", "-bf", "2", "-g", "6"), ("mpeg4.avi", "-c:v", "mpeg4"),
                               ("open.mkv", "-c:v", "libx264", "-x264-params", "open-gop=1:keyint=6:bframes=3"),
                               ("jpeg.avi", "-c:v", "mjpeg", "-pix_fmt", "yuvj420p"), ("prores.mov", "-c:v", "prores_ks"),
                               ("vp8.webm", "-c:v", "libvpx"), ("av1.mkv", "-c:v", "libaom-av1", "-cpu-used", "8"),
                               ("grey.mkv", "-c:v", "ffv1", "-pix_fmt", "gray16le"), ("elementary.h264", "-c:v", "libx264")):
            with self.subTest(name):
                self.expect_as_ffmpeg(self.make(name, *options))

    def test_stored_formats(self):
        for name in ("yuv420p", "yuv410p", "yuv440p", "yuva444p", "nv12", "nv21", "gray", "gray10le", "gray12le", "yuv420p9le",
                     "yuv422p10le", "yuv420p12le", "yuv420p14le", "yuv444p16le"):
            with self.subTest(name):
                info = self.expect_as_ffmpeg(self.make(f"{name}.nut", "-pix_fmt", name, "-vframes", "3", "-c:v", "rawvideo"))
                self.assertIn(name, info)
        path = self.make("big.nut", "-pix_fmt", "yuv420p16be", "-vframes", "3", "-c:v", "rawvideo")
        self.expect_as_ffmpeg(path, "-pix_fmt", "gray16le")

    def test_range(self):
        for value, number in (("tv", 1), ("pc", 2)):
            path = self.make(f"{value}.mkv", "-c:v", "libx264", "-color_range", value)
            self.assertIn(f"range={number}", self.expect_as_ffmpeg(path))

    def test_several_streams(self):
        """The first video stream, whatever else the file holds."""
        path = self.make("several.mkv", "-f", "lavfi", "-i", "sine=d=1", "-f", "lavfi", "-i", "color=s=32x32:d=1", "-map", "1",
                         "-map", "0", "-map", "2", "-c:v", "libx264", "-c:a", "flac")
        self.assertIn("96x70", self.expect_as_ffmpeg(path))

    def test_no_video(self):
        path = self.make("sound.wav", "-f", "lavfi", "-i", "sine=d=1", "-map", "1")
        self.assertIn("holds no video stream", self.tool("luma", path)[1][-1])

    def test_refused_and_converted(self):
        """The command that a refusal gives makes a file that is accepted."""
        for name, word in (("rgb24", "RGB"), ("pal8", "a palette"), ("yuyv422", "packed"), ("gbrp10le", "RGB"), ("ya8", "packed")):
            with self.subTest(name):
                path = self.make(f"it's {name}.nut", "-pix_fmt", name, "-vframes", "2", "-c:v", "rawvideo")
                end = self.tool("luma", path)[1][-1]
                self.assertTrue(end.startswith("REFUSED -1"), end)
                self.assertIn(f"is decoded as {name}, which is {word}", end)
                command = end.split("To convert: ")[1].replace("ffmpeg", "ffmpeg -v error -y", 1)
                subprocess.run(["sh", "-c", command], cwd=self.folder, check=True, stdin=subprocess.DEVNULL)
                self.assertEqual(self.tool("luma", self.folder + "/converted.mkv")[1][-1], "END 2 ")

    def test_change_of_size_or_format(self):
        first = self.make("first.h264", "-vframes", "4", "-c:v", "libx264", "-pix_fmt", "yuv420p")
        for name, options, word in (("size.h264", ["-s", "64x64", "-pix_fmt", "yuv420p"], "frame 4 is 64x64 yuv420p"),
                                    ("format.h264", ["-pix_fmt", "yuv444p"], "frame 4 is 96x70 yuv444p")):
            second = self.make(name, "-vframes", "4", "-c:v", "libx264", *options)
            with open(first, "rb") as a, open(second, "rb") as b:
                path = self.file(a.read() + b.read())
            end = self.tool("luma", path)[1][-1]
            self.assertTrue(end.startswith("ERROR 4 "), end)
            self.assertIn(word, end)

    def test_checksums(self):
        """FFV1's slices carry checksums: no damage passes unnoticed."""
        path = self.make("sums.avi", "-c:v", "ffv1", "-level", "3", "-slicecrc", "1", "-pix_fmt", "yuv420p")
        good, _ = self.tool("luma", path)
        with open(path, "rb") as file:
            data = file.read()
        for part in range(2, 9):
            bad = bytearray(data)
            bad[len(data) * part // 10] ^= 1
            out, lines = self.tool("luma", self.file(bad))
            self.assertRegex(lines[-1], r"^(ERROR|REFUSED) .* frame \d+ cannot be decoded")
            self.assertEqual(out, good[:len(out)])

    def test_mp4_cut_off(self):
        path = self.make("clip.mp4", "-c:v", "libx264", "-bf", "0", "-movflags", "faststart")
        good, _ = self.tool("luma", path)
        with open(path, "rb") as file:
            data = file.read()
        out, lines = self.tool("luma", self.file(data[:-50]))
        self.assertTrue(lines[-1].startswith("TRUNCATED 11 "), lines)
        self.assertEqual(out, good[:len(out)])

    def test_y4m_by_ffmpeg(self):
        for name in ("yuv420p", "yuv411p", "yuv422p", "yuv444p", "gray", "yuv420p10le", "yuv422p12le", "yuv444p16le", "gray12le"):
            path = self.make(f"{name}.y4m", "-pix_fmt", name, "-strict", "-1", "-vframes", "2")
            self.assertIn("Y4M", self.expect_as_ffmpeg(path))


if __name__ == "__main__":
    unittest.main()
