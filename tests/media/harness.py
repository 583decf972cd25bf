"""Files made for the tests of src/media, and the tool that reads them (its path: VQX_MEDIA_TOOL)."""
import os
import random
import shutil
import subprocess
import tempfile
import unittest

TOOL = os.environ["VQX_MEDIA_TOOL"]
MODULES = os.environ["VQX_MODULES"]

# name: planes beside luma, luma samples a chroma sample stands for across and down
LAYOUTS = {"420": (2, 2, 2), "411": (2, 4, 1), "422": (2, 2, 1), "444": (2, 1, 1), "444alpha": (3, 1, 1),
           "mono": (0, 1, 1), "400": (0, 1, 1)}


def samples(rng, count, depth):
    if depth == 8:
        return rng.randbytes(count)
    return b"".join(rng.randrange(1 << depth).to_bytes(2, "little") for _ in range(count))


class Clip:
    """Random frames of one size: what is stored, and the luma within."""

    def __init__(self, width, height, layout="420", depth=8, frames=2, seed=1):
        rng = random.Random(f"{width} {height} {layout} {depth} {seed}")
        planes, across, down = LAYOUTS[layout]
        chroma = planes * -(-width // across) * -(-height // down)
        self.width, self.height = width, height
        self.lumas = [samples(rng, width * height, depth) for _ in range(frames)]
        self.frames = [luma + samples(rng, chroma, depth) for luma in self.lumas]
        self.luma = b"".join(self.lumas)
        self.raw = b"".join(self.frames)

    def y4m(self, tags="C420jpeg", frame_line=b"FRAME\n", end=b"\n"):
        head = f"YUV4MPEG2 W{self.width} H{self.height} F25:1 {tags}".rstrip().encode() + end
        return head + b"".join(frame_line + frame for frame in self.frames)


class MediaTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="vqx-media-")
        self.addCleanup(shutil.rmtree, self.folder)
        self.made = 0

    def file(self, content, name=None):
        self.made += 1
        path = os.path.join(self.folder, name or f"clip{self.made}")
        with open(path, "wb") as out:
            out.write(content)
        return path

    def tool(self, mode, *arguments, stdin=None, modules=MODULES):
        """Runs the tool; its stdout, and its stderr's lines."""
        done = subprocess.run([TOOL, mode, "--modules", modules, *map(str, arguments)], input=stdin,
                              stdin=subprocess.DEVNULL if stdin is None else None, capture_output=True, timeout=120)
        text = done.stderr.decode()
        self.assertEqual(done.returncode, 0, text)
        self.assertNotIn("Sanitizer", text)
        return done.stdout, text.splitlines()

    def expect_luma(self, content, luma, *options):
        """The content gives this luma: as a file, through a pipe, and into rows with a gap between."""
        frames_and_end = None
        path = self.file(content)
        for arguments, stdin in (([path], None), (["--pad", 7 + 7 % 2, path], None), (["-"], content)):
            out, lines = self.tool("luma", *options, *arguments, stdin=stdin)
            self.assertTrue(lines[-1].startswith("END "), lines)
            self.assertEqual(out, luma)
            frames_and_end = lines
        os.unlink(path)
        return frames_and_end

    def expect_refusal(self, content, words, *options, status=None):
        """The content is refused when opened, as a file and through a pipe, with these words."""
        path = self.file(content)
        for name, stdin in ((path, None), ("-", content)):
            out, lines = self.tool("luma", *options, name, stdin=stdin)
            self.assertEqual(out, b"")
            self.assertTrue(lines[-1].startswith(f"REFUSED {status or ''}"), lines)
            for word in words:
                self.assertIn(word, lines[-1])
        os.unlink(path)

    def expect_end(self, content, kind, frames, words=(), *options):
        """Reading ends so after so many whole frames, as a file and through a pipe."""
        path = self.file(content)
        for name, stdin in ((path, None), ("-", content)):
            _, lines = self.tool("luma", *options, name, stdin=stdin)
            self.assertTrue(lines[-1].startswith(f"{kind} {frames} "), (lines, kind, frames))
            for word in words:
                self.assertIn(word, lines[-1])
        os.unlink(path)

    def pair(self, *arguments, stdin=None):
        """Reads a pair; [(index, hash, hash)], and the last line."""
        out, _ = self.tool("pair", *arguments, stdin=stdin)
        lines = out.decode().splitlines()
        rows = [line.split() for line in lines if line[0].isdigit()]
        return [(int(index), ref, dis) for index, ref, dis in rows], lines[-1] if lines else ""


def fnv(data):
    """The tool's hash of a plane."""
    value = 14695981039346656037
    for byte in data:
        value = (value ^ byte) * 1099511628211 % (1 << 64)
    return f"{value:016x}"
