"""`vqx bench` from outside: what it prints and writes, and what it refuses. Nothing here depends on how fast the machine is.

    bench_test.py VQX MAKECLIP FOLDER [unittest arguments]       FOLDER: where tests/unit/seam_module.c is the module for sycl
"""
import json
import os
import subprocess
import sys
import tempfile
import unittest

VQX, MAKECLIP, FOLDER = (os.path.abspath(path) for path in sys.argv[1:4])
DONE, USAGE, INPUT, INCOMPLETE, BACKEND, OUTPUT = 0, 2, 3, 4, 5, 6
TINY = ["--seconds", "0.01"]
HOST = ["frames in host memory", "one frame alone, in host memory"]
DEVICE = ["frames on the device", "one frame alone, on the device"]
BYTES, DEPTH_10 = 64 * 48, 2


class Bench(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="vqx-bench-")
        self.addCleanup(scratch.cleanup)
        self.folder = scratch.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def clip(self, width=64, height=48, bits=8, frames=6):
        pair = [self.path("ref.y4m"), self.path("dis.y4m")]
        subprocess.run([MAKECLIP, "texture", "quant:24", str(width), str(height), str(bits), str(frames), "1", *pair], check=True)
        return pair

    def bench(self, *arguments, status=DONE):
        done = subprocess.run([VQX, "bench", *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60,
                              check=False)
        self.assertEqual(done.returncode, status, done.stderr)
        return done

    def figures(self, *arguments):
        """The figures as written to a file, checked against one another."""
        path = self.path("figures.json")
        self.bench(*arguments, "--json", path)
        with open(path, encoding="utf-8") as file:
            written = json.load(file)
        for name, figure in written["figures"].items():
            self.assertGreater(figure["seconds"], 0)
            for share, amount, peak in (("arithmetic", "frame_operations", "f32"), ("copy", "frame_bytes", "copy_bytes")):
                if written["peaks"][peak] and not (share == "copy" and name.startswith("device")):
                    expected = written[amount] / figure["seconds"] / written["peaks"][peak]
                    self.assertAlmostEqual(figure[share], expected, delta=1e-4 + 1e-3 * expected)
                else:
                    self.assertEqual(figure[share], 0)
        return written

    def test_a_processor(self):
        done = self.bench("--backend", "cpu", "--threads", "2", "--size", "64x48", "--depth", "10", *TINY)
        self.assertRegex(done.stdout, r"\Acpu: (.*, )?2 threads, .*\n64x48, 10 bits, float_vif\n"
                                      r"start: backend [\d.]+ ms, stream [\d.]+ ms, 4 frame buffers of [\d.]+ MB [\d.]+ ms\n"
                                      r"peaks: [\d.]+ billion f32 multiplications and additions a second\n\n")
        for label in HOST:
            self.assertRegex(done.stdout, r"\n%s +[\d.]+ +[\d.]+ +\d+ %% +-\n" % label)
        for label in (*DEVICE, "from the files"):
            self.assertNotIn(label, done.stdout)
        self.assertEqual(done.stderr, "")

    def test_a_device_with_memory_of_its_own(self):
        given = ["--backend", "sycl", "--modules", FOLDER, "--size=64x48", *TINY]
        printed = self.bench(*given).stdout
        for label in (*HOST, *DEVICE):
            self.assertRegex(printed, r"\n%s +[\d.]+ +[\d.]+ +\d+ %% +(\d+ %%|-)\n" % label)
        self.assertIn("copies of 1000.0 GB/s", printed)
        written = self.figures(*given)
        self.assertEqual(sorted(written["figures"]), ["device", "device_alone", "host", "host_alone"])
        self.assertEqual(written["peaks"], {"f32": 1e15, "copy_bytes": 1e12})
        self.assertEqual(written["frame_bytes"], 2 * BYTES)

    def test_files(self):
        pair = self.clip(bits=10)
        written = self.figures(*pair, "--backend", "sycl", "--modules", FOLDER, "--frame_cnt", "5", *TINY)
        self.assertEqual((written["width"], written["height"], written["depth"]), (64, 48, [10, 10]))
        self.assertEqual(written["files"]["frames"], 5)
        self.assertAlmostEqual(written["figures"]["files"]["seconds"], written["files"]["scoring"] / 5, delta=1e-6)
        self.assertEqual(written["frame_bytes"], 2 * BYTES * DEPTH_10)
        printed = self.bench(*pair, "--backend", "cpu", *TINY).stdout
        self.assertRegex(printed, r"\nfrom the files +[\d.]+ +[\d.]+ ")
        self.assertRegex(printed, r"\n6 pairs from the files, started in [\d.]+ ms\n\Z")

    def test_what_a_configuration_costs(self):
        def operations(*more):
            return self.figures("--backend", "cpu", "--threads", "1", "--size", "64x48", *TINY, *more)["frame_operations"]
        default = operations()
        self.assertGreater(operations("--feature", "float_vif=vif_kernelscale=2"), default)
        self.assertLess(operations("--feature", "float_vif=vif_skip_scale0=true"), default)
        self.assertEqual(operations("--feature", "float_vif", "--feature", "float_vif=snsq=1.5"), 2 * default)

    def test_forms(self):
        for form, detail in (("native", "native f64"), ("fp64-free", "fp64-free")):
            written = self.figures("--backend", "cpu", "--size", "64x48", "--form", form, *TINY)
            self.assertIn(detail, written["detail"])

    def test_json_on_standard_output_is_alone_there(self):
        done = self.bench("--backend", "cpu", "--size", "64x48", *TINY, "--json", "-")
        self.assertIn("host", json.loads(done.stdout)["figures"])
        self.assertIn("frames in host memory", done.stderr)

    def test_refusals(self):
        pair = self.clip()
        for arguments, status, says in (
                (["--size", "64"], USAGE, "1920x1080"),
                (["--size", "0x48"], USAGE, "1920x1080"),
                (["--size", "64x48x2"], USAGE, "1920x1080"),
                (["--size", "65536x48"], USAGE, "65535"),
                (["--size", "-64x48"], USAGE, "65535"),
                (["--depth", "7"], USAGE, "from 8 to 16"),
                (["--depth", "17"], USAGE, "from 8 to 16"),
                (["--depth", "8bit"], USAGE, "from 8 to 16"),
                (["--seconds", "0"], USAGE, "from 0.001"),
                (["--seconds", "nan"], USAGE, "from 0.001"),
                (["--seconds", "1s"], USAGE, "from 0.001"),
                (["--seconds"], USAGE, "needs a value"),
                (["--form", "f32"], USAGE, "native or fp64-free"),
                (["--frames", "3"], USAGE, "--frames"),
                (["--backend", "abacus"], USAGE, "abacus"),
                (["--backend", "sycl", "--modules", self.folder], BACKEND, "sycl"),
                (["--size", "8x8"], INPUT, "8x8"),
                (["--output", "x.json"], USAGE, "--json"),
                (["-w", "64"], USAGE, "missing"),
                (["-w", "64", "-h", "48", "-p", "420", "-b", "8"], USAGE, "--size"),
                ([pair[0]], USAGE, "distorted"),
                ([*pair, "--size", "64x48"], USAGE, "leave the flags out"),
                ([*pair, "--depth", "8"], USAGE, "leave the flags out"),
                ([pair[0], self.path("none")], INPUT, "none"),
                (["--json", self.path("none/figures.json")], OUTPUT, "none")):
            with self.subTest(arguments=arguments):
                done = self.bench(*arguments, *([] if arguments[-1] == "--seconds" else TINY), status=status)
                self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
                self.assertIn(says, done.stderr)
                self.assertEqual(done.stdout, "")

    def test_the_record_of_a_device(self):
        build = os.path.join(os.path.dirname(VQX), "..", "..")
        script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tools", "device-record.sh")
        done = subprocess.run(["sh", script, build, "sycl"], capture_output=True, text=True, timeout=100, check=False, env={
            **os.environ, "SECONDS_EACH": "0.01", "LARGE": "72x64", "SMALL": "64x56", "FRAMES": "9", "MODULES": FOLDER,
            "FILES": self.folder})
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        rows = [line for line in done.stdout.splitlines() if line.startswith("| ")]
        self.assertEqual(len(rows), 2 + 10 + 2 + 12, done.stdout)
        self.assertIn("| 8 frames of 72x64, ", done.stdout)
        for row in rows[2:12]:
            self.assertRegex(row, r"\| [\d.]+ fps, \d+ % of the arithmetic \| [\d.]+ fps, \d+ % of the copy \| [\d.]+ ms \| [\d.]+ ms \|$")
        for row in rows[14:]:
            self.assertRegex(row, r"^\| \d reading threads a file, run \d \| [\d.]+ fps \| [\d.]+ ms \|$")
        self.assertRegex(done.stdout, r"\nPeaks measured in the last run: .* copies of")
        self.assertEqual(os.listdir(self.folder), [])

    def test_a_pair_that_ends_early(self):
        ref, dis = self.clip()
        with open(dis, "r+b") as file:
            file.truncate(os.path.getsize(dis) - 10)
        self.assertIn("cut off", self.bench(ref, dis, "--backend", "cpu", *TINY, status=INCOMPLETE).stderr)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[4:]])
