#!/usr/bin/env python3
"""`vqx parity` and `vqx compare`: the gate holds, runs what required.txt lists, and can fail.

    parity_test.py VQX MODULES DATA SCRATCH ANSWERS MAKECLIP [unittest's arguments]
"""
import json
import math
import os
import subprocess
import sys
import unittest

VQX, MODULES, DATA, SCRATCH, ANSWERS, MAKECLIP = (os.path.realpath(path) for path in sys.argv[1:7])
HERE = os.path.dirname(os.path.abspath(__file__))
REQUIRED = os.path.join(HERE, "required.txt")
PAIR = [os.path.join(DATA, "media", name) for name in ("walk_ref.mkv", "walk_x264.mp4")]


def vqx(*arguments):
    return subprocess.run([VQX, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)


def scratch(name):
    return os.path.join(SCRATCH, name)


def report(name, *arguments, pair=None, backend="cpu"):
    path = scratch(name)
    done = vqx("--modules", MODULES, "-q", "--backend", backend, "-o", path, *arguments, *(pair or PAIR))
    assert done.returncode == 0, done.stderr
    return path


def makeclip(name, width, height, frames, *arguments):
    """A pair of 8 bits."""
    pair = [scratch(name + end) for end in ("_ref", "_dis")]
    subprocess.run([MAKECLIP, *arguments, "texture", "quant:20", str(width), str(height), "8", str(frames), "1", *pair], check=True)
    return pair


def provenance(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)["vqx"]


def changed(path, name, change):
    """A copy of a report after `change` was applied to what it holds."""
    with open(path, encoding="utf-8") as file:
        content = json.load(file)
    change(content)
    with open(scratch(name), "w", encoding="utf-8") as file:
        json.dump(content, file)
    return scratch(name)


class Parity(unittest.TestCase):
    def ends(self, status, says, *arguments):
        done = vqx("parity", "--backend", "cpu", *arguments)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        self.assertIn(says, done.stderr)
        return done.stdout

    def test_a_pair_that_ends_otherwise_than_together(self):
        long, short = makeclip("six", 64, 48, 6), makeclip("four", 64, 48, 4)
        for pair in ((long[0], short[1]), (short[0], long[1])):
            self.assertIn("equal: ", self.ends(4, "it ends after 4 frames", *pair))
            self.assertIn("equal: ", self.ends(0, "it ends after 4 frames", "--shortest", *pair))
            self.ends(0, "", "--frame_cnt", "4", *pair)
        with open(long[0], "rb") as whole, open(scratch("cut"), "wb") as cut:
            cut.write(whole.read()[:-100])
        for pair in ((scratch("cut"), long[1]), (long[0], scratch("cut"))):
            self.assertIn("equal: ", self.ends(4, "cut off", *pair))
        self.ends(3, "to skip", "--frame_skip_ref", "9", *long)
        self.ends(3, "two videos of one size", long[0], makeclip("other", 32, 32, 2)[1])

    def test_what_is_named_must_be_there(self):
        pair = makeclip("named", 64, 48, 2)
        for arguments in (pair, ["--self-test", "--case", "16x16"]):
            self.ends(5, "no device '9'", "--device", "9", *arguments)
            self.ends(0, "", "--device", "0", *arguments)
            self.ends(3, SCRATCH, "--require", SCRATCH, *arguments)
            self.ends(3, "none", "--require", scratch("none"), *arguments)
            for content in ("", "# cpu\n\n"):
                with open(scratch("empty"), "w", encoding="ascii") as file:
                    file.write(content)
                self.ends(3, "empty", "--require", scratch("empty"), *arguments)
        self.ends(2, "leave out --output", "-o", scratch("report"), *pair)

    def test_json_has_standard_output_for_itself(self):
        record = json.loads(self.ends(0, "equal: ", "--json", "-", *makeclip("alone", 64, 48, 2)))
        self.assertTrue(record["equal"])
        self.assertEqual(vqx("parity", "--self-test", "--help").returncode, 0)

    def test_self_test_holds_on_every_backend_here(self):
        record = scratch("self-test.json")
        done = vqx("parity", "--self-test", "-q", "--modules", MODULES, "--json", record, "--require", REQUIRED)
        print(done.stdout)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        with open(record, encoding="utf-8") as file:
            content = json.load(file)
        self.assertIs(content["equal"], True)
        self.assertGreaterEqual(content["cases"], 74)
        values = {runner["values"] for runner in content["runners"] if not runner["absent"]}
        self.assertEqual(len(values), 1, "a runner left values out")
        for runner in content["runners"]:
            self.assertIs(runner["exact"], True, "%s does not declare itself exact" % runner["backend"])

    def test_what_is_required_and_was_not_run_fails(self):
        fast = ["parity", "--self-test", "-q", "--case", "96x64", "--modules", MODULES]
        for line, named in (("cpu c\ncuda\n", "cuda"), ("cpu abacus # an instruction set\n", "cpu abacus"),
                            ("opencl\n", "opencl")):
            path = scratch("required.txt")
            with open(path, "w", encoding="utf-8") as file:
                file.write(line)
            done = vqx(*fast, "--backend", "cpu", "--require", path)
            self.assertEqual(done.returncode, 5, done.stdout + done.stderr)
            self.assertIn(named + " is on the list", done.stderr)
        with open(scratch("required.txt"), "w", encoding="utf-8") as file:
            file.write("# nothing but what is here, or asked of other machines\ncpu c\ncpu abacus pdp11\n")
        self.assertEqual(vqx(*fast, "--backend", "cpu", "--require", scratch("required.txt")).returncode, 0)
        self.assertEqual(vqx(*fast, "--backend", "cpu", "--require", scratch("nowhere.txt")).returncode, 3)

    def stages(self, *arguments):
        """The runners of a self-test that walks the stages, all equal."""
        record = scratch("stages.json")
        done = vqx("parity", "--self-test", "--stages", "-q", "--modules", MODULES, "--json", record, *arguments)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        with open(record, encoding="utf-8") as file:
            return json.load(file)["runners"]

    def test_stages_of_the_cpu(self):
        runners = self.stages("--backend", "cpu")
        for runner in runners[1:]:
            # 74 frames of 44 stages, 33 and the planes where scale 0 is left out, two planes more that nothing keeps
            self.assertEqual((runner["stages"], runner["stages_left_out"]), (runners[1]["stages"], 0), runner["detail"])
            self.assertGreater(runner["stages"], 3000)

    def test_stages_of_opencl(self):
        for case in ("322x181", "ps=0.71", "ssclz"):
            for runner in self.stages("--backend", "opencl", "--case", case)[1:]:
                self.assertGreater(runner["stages"], 30, runner["detail"])
                self.assertEqual(runner["stages_left_out"], 0, runner["detail"])

    def test_answers_are_those_of_the_cases(self):
        made = subprocess.run([ANSWERS], stdout=subprocess.PIPE, text=True, check=True).stdout
        with open(os.path.join(HERE, "..", "..", "src", "parity", "answers.inc"), encoding="utf-8") as file:
            self.assertEqual(file.read(), made)

    def test_pair(self):
        done = vqx("parity", *PAIR, "-q", "--modules", MODULES, "--frame_cnt", "3", "--feature", "float_vif=snsq=1.5")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn(" 45 ", done.stdout)  # three frames of fifteen values

    def test_stages_of_a_pair(self):
        done = vqx("parity", *PAIR, "-q", "--modules", MODULES, "--frame_cnt", "1", "--backend", "cpu", "--stages")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn(" 44 ", done.stdout)  # nine stages and two row sums of each scale

    def test_absent_backend_is_an_error(self):
        done = vqx("parity", "--self-test", "--backend", "cpu,metal", "--modules", SCRATCH)
        self.assertEqual(done.returncode, 5)
        self.assertIn("metal", done.stderr)
        self.assertEqual(vqx("parity", "--self-test", "--backend", "abacus").returncode, 5)

    def test_bad_requests(self):
        self.assertEqual(vqx("parity").returncode, 2)
        self.assertEqual(vqx("parity", "--self-test", PAIR[0]).returncode, 2)
        self.assertEqual(vqx("parity", "--self-test", "--backend").returncode, 2)
        self.assertEqual(vqx("parity", "--self-test", "--backend", "").returncode, 2)
        self.assertEqual(vqx("parity", "--self-test", "--backend", "cpu", "--case", "no such case").returncode, 2)
        self.assertEqual(vqx("parity", "--self-test", "--json").returncode, 2)
        self.assertEqual(vqx("parity", PAIR[0], scratch("missing.y4m"), "--modules", MODULES).returncode, 3)
        self.assertEqual(vqx("parity", *PAIR, "--modules", MODULES, "--feature", "float_vif=snsq=9").returncode, 2)


class Compare(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.base = report("base.json")

    def check(self, other, status, *parts):
        done = vqx("compare", self.base, other)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        for part in parts:
            self.assertIn(part, done.stdout + done.stderr)

    def test_other_instruction_set_and_threads_are_equal(self):
        self.check(report("plain.json", "--cpumask", "-1", "--threads", "1"), 0, "equal: 48 values of 12 frames")

    def test_long_clip_on_two_backends(self):
        pair = makeclip("long.y4m", 96, 64, 1500)
        done = vqx("compare", report("long_cpu.json", pair=pair), report("long_opencl.json", pair=pair, backend="opencl"))
        self.assertEqual((done.returncode, done.stdout), (0, "equal: 6000 values of 1500 frames\n"))

    def test_provenance_is_noted_where_it_differs(self):
        other = report("other.json", "--feature", "float_vif=snsq=2:egl=50", "--subsample", "2", pair=PAIR[::-1])
        self.check(other, 1, "note: the reference's samples differ: 'xxh3:", "note: the distorted video's samples differ",
                   "note: the options differ: 'float_vif' and 'float_vif=vif_enhn_gain_limit=50'",
                   "note: the subsampling steps differ: '1' and '2'")
        same = vqx("compare", self.base, report("again.json", "--feature", "float_vif=vif_sigma_nsq=2"))
        self.assertNotIn("note", same.stdout)  # said in another way, the same options

    def test_digests_are_of_the_samples(self):
        y4m, raw = makeclip("clip.y4m", 66, 50, 5), makeclip("clip.yuv", 66, 50, 5, "--raw")
        describe = ["-w", "66", "-h", "50", "-p", "420", "-b", "8"]
        digests = [[provenance(path)[side + "_digest"] for side in ("reference", "distorted")] for path in (
            report("y4m.json", pair=y4m), report("raw.json", *describe, pair=raw),
            report("threads.json", "--read_threads", "7", "--threads", "2", pair=y4m))]
        self.assertEqual(digests[0], digests[1])
        self.assertEqual(digests[0], digests[2])
        with open(raw[1], "r+b") as file:  # one sample of the last frame
            file.seek(4 * 66 * 50 * 3 // 2 + 66 * 50 - 1)
            before = file.read(1)[0]
            file.seek(-1, os.SEEK_CUR)
            file.write(bytes([before ^ 1]))
        changed_digests = provenance(report("changed.json", *describe, pair=raw))
        self.assertEqual(changed_digests["reference_digest"], digests[0][0])
        self.assertNotEqual(changed_digests["distorted_digest"], digests[0][1])

    def test_one_ulp_is_found(self):
        def nudge(content):
            metrics = content["frames"][7]["metrics"]
            metrics["vif_scale2"] = math.nextafter(metrics["vif_scale2"], 2)
        self.check(changed(self.base, "nudged.json", nudge), 1, "frame 7 vif_scale2", "1 ulp", "NOT EQUAL: 1 of 48")

    def test_null_against_a_number(self):
        def clear(content):
            content["frames"][0]["metrics"]["vif_scale0"] = None
        self.check(changed(self.base, "null.json", clear), 1, "only one of the two is a number")

    def test_missing_frame_and_value(self):
        self.check(changed(self.base, "fewer.json", lambda c: c["frames"].pop(3)), 1, "frame 3: not in")
        self.check(changed(self.base, "less.json", lambda c: c["frames"][1]["metrics"].pop("vif_scale1")), 1,
                   "frame 1 vif_scale1: not in")

    def test_other_files(self):
        for name, text in (("text.json", "{"), ("list.json", "[]"), ("bare.json", '{"frames": [{}]}'), ("empty.json", ""),
                           ("none.json", '{"frames": []}')):
            with open(scratch(name), "w", encoding="utf-8") as file:
                file.write(text)
            self.check(scratch(name), 3, name)
        self.check(scratch("missing.json"), 3, "missing.json: No such file")
        self.check(SCRATCH, 3, "it is a directory")
        self.assertEqual(vqx("compare", self.base).returncode, 2)


if __name__ == "__main__":
    os.makedirs(SCRATCH, exist_ok=True)
    unittest.main(argv=sys.argv[:1] + sys.argv[7:])
