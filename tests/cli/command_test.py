"""The command from outside: flags, reports, exit statuses, what is kept when something goes wrong.

    command_test.py VQX MODULES MAKECLIP [unittest arguments]
"""
import csv
import json
import os
import pty
import resource
import select
import signal
import stat
import subprocess
import sys
import tempfile
import time
import unittest
import xml.etree.ElementTree as ElementTree

VQX, MODULES, MAKECLIP = (os.path.abspath(path) for path in sys.argv[1:4])
DONE, USAGE, INPUT, INCOMPLETE, BACKEND, OUTPUT, INTERRUPTED = 0, 2, 3, 4, 5, 6, 130
WIDTH, HEIGHT, FRAMES = 64, 48, 6
NAMES = ["vif_scale%d" % scale for scale in range(4)]
STATISTICS = ["min", "max", "mean", "harmonic_mean"]


def refuse_constant(name):
    raise ValueError("%s is not JSON" % name)


def strict_json(text):
    return json.loads(text, parse_constant=refuse_constant)


class CommandTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="vqx-cli-")
        self.addCleanup(scratch.cleanup)
        self.folder = scratch.name
        self.ref, self.dis = self.clip("ref.y4m", "dis.y4m")
        self.report = self.path("report.json")

    def path(self, name):
        return os.path.join(self.folder, name)

    def clip(self, ref, dis, content="texture", distortion="quant:24", width=WIDTH, height=HEIGHT, bits=8, frames=FRAMES,
             raw=False):
        pair = [self.path(ref), self.path(dis)]
        subprocess.run([MAKECLIP, *(["--raw"] if raw else []), content, distortion, str(width), str(height), str(bits),
                        str(frames), "1", *pair], check=True)
        return pair

    def vqx(self, *arguments, status=DONE, env=None, **options):
        """Runs `vqx` with modules as in the build tree; checks the exit status."""
        done = subprocess.run([VQX, *arguments, "--modules", MODULES], stdin=subprocess.DEVNULL, capture_output=True,
                              timeout=300, env=env, **options)
        self.assertEqual(done.returncode, status, done.stderr.decode(errors="replace"))
        return done

    def refused(self, *arguments, status, says):
        """The command fails with one line on standard error that holds `says`, and nothing on standard output."""
        done = self.vqx(*arguments, status=status)
        message = done.stderr.decode()
        self.assertEqual(message.count("\n"), 1, message)
        self.assertTrue(message.startswith("vqx: "), message)
        self.assertIn(says, message)
        self.assertEqual(done.stdout, b"")

    def scores(self, *arguments, status=DONE):
        """The JSON report of a run."""
        self.vqx(*arguments, "-o", self.report, "--json", "-q", status=status)
        with open(self.report, encoding="utf-8") as file:
            return strict_json(file.read())

    def frame_numbers(self, report):
        return [frame["frameNum"] for frame in report["frames"]]


class Flags(CommandTest):
    def test_positional_and_flags_mean_the_same(self):
        expected = self.scores(self.ref, self.dis)["frames"]
        self.assertEqual(self.scores("-r", self.ref, "-d", self.dis)["frames"], expected)
        self.assertEqual(self.scores("--reference", self.ref, "--distorted=" + self.dis)["frames"], expected)
        self.assertEqual(self.scores("score", self.ref, self.dis)["frames"], expected)
        self.assertEqual(self.scores("-d", self.dis, self.ref)["frames"], expected)

    def test_a_line_written_for_vmaf(self):
        report = self.scores("-r", self.ref, "-d", self.dis, "-n", "--feature", "float_vif=debug=true", "--threads", "2",
                             "--cpumask", "0xff", "--gpumask", "1", "--subsample", "1")
        self.assertEqual(len(report["frames"][0]["metrics"]), 15)
        self.assertEqual(report["vqx"]["backend"], "cpu")

    def test_raw_is_the_same_as_y4m(self):
        for bits in (8, 10):
            pair = self.clip("r.y4m", "d.y4m", bits=bits)
            raw = self.clip("r.yuv", "d.yuv", bits=bits, raw=True)
            size = ["-w", str(WIDTH), "-h", str(HEIGHT), "-p", "420", "-b", str(bits)]
            self.assertEqual(self.scores(*raw, *size)["frames"], self.scores(*pair)["frames"])

    def test_frame_cnt_and_skips(self):
        everything = self.scores(self.ref, self.dis)["frames"]
        self.assertEqual(self.scores(self.ref, self.dis, "--frame_cnt", "2")["frames"], everything[:2])
        skipped = self.scores(self.ref, self.dis, "--frame_skip_ref", "2", "--frame_skip_dist", "2")["frames"]
        self.assertEqual([f["metrics"] for f in skipped], [f["metrics"] for f in everything[2:]])
        self.assertEqual([f["frameNum"] for f in skipped], list(range(FRAMES - 2)))

    def test_subsample_pools_the_frames_scored(self):
        everything = self.scores(self.ref, self.dis)["frames"]
        report = self.scores(self.ref, self.dis, "--subsample", "3")
        self.assertEqual(report["frames"], everything[::3])
        values = [frame["metrics"]["vif_scale0"] for frame in everything[::3]]
        self.assertEqual(report["pooled_metrics"]["vif_scale0"]["mean"], sum(values) / len(values))

    def test_two_configurations_in_one_run(self):
        both = self.scores(self.ref, self.dis, "--feature", "float_vif", "--feature", "float_vif=egl=1.2:snsq=1.5")
        names = NAMES + [name + "_egl_1.2_snsq_1.5" for name in NAMES]
        self.assertEqual(list(both["frames"][0]["metrics"]), names)
        alone = self.scores(self.ref, self.dis, "--feature", "float_vif=vif_sigma_nsq=1.5:vif_enhn_gain_limit=1.2")
        for frame, single in zip(both["frames"], alone["frames"]):
            self.assertEqual({n: frame["metrics"][n] for n in names[4:]}, single["metrics"])

    def test_one_configuration_given_twice_is_scored_once(self):
        report = self.scores(self.ref, self.dis, "--feature", "float_vif", "--feature", "float_vif=snsq=2")
        self.assertEqual(list(report["frames"][0]["metrics"]), NAMES)

    def test_help_version_devices(self):
        for arguments in (["help"], ["--help"], ["score", "--help"]):
            done = subprocess.run([VQX, *arguments], capture_output=True, check=True)
            self.assertIn(b"--frame_skip_dist", done.stdout)
        for flag in ("-v", "--version"):
            self.assertRegex(subprocess.run([VQX, flag], capture_output=True, check=True).stdout, rb"^vqx \d+\.\d+\.\d+\n$")
        self.assertRegex(self.vqx("devices").stdout, rb"\ncpu +0 ")

    def test_devices_as_json(self):
        table = self.vqx("devices").stdout.decode()
        path = os.path.join(self.folder, "devices.json")
        self.assertEqual(self.vqx("devices", "--json", path).stdout.decode(), table)
        with open(path, encoding="utf-8") as file:
            listed = json.load(file)
        self.assertEqual(json.loads(self.vqx("devices", "--json=-").stdout), listed)
        rows = [line.split(None, 2) for line in table.splitlines()[1:]]
        self.assertEqual([(d["backend"], d["device"] if d["available"] else "-") for d in listed["devices"]],
                         [(row[0], row[1]) for row in rows])
        for device, row in zip(listed["devices"], rows):
            self.assertIn(device["name"] if device["available"] else device["reason"], row[2])
            self.assertEqual("automatic" in device and not device["automatic"], "only when named" in row[2])
        empty = os.path.join(self.folder, "no modules")
        os.mkdir(empty)
        bare = subprocess.run([VQX, "devices", "--modules", empty, "--json", "-"], capture_output=True, check=True).stdout
        devices = json.loads(bare)["devices"]
        self.assertEqual([d["backend"] for d in devices if d["available"]], ["cpu"])
        self.assertTrue(all(empty in d["reason"] for d in devices if not d["available"]), bare)
        for arguments, says, status in ((["--what"], "it takes nothing, --modules FOLDER or --json FILE", USAGE),
                                        (["--json="], "name is empty", OUTPUT), (["--json", empty], "is a folder", OUTPUT)):
            self.refused("devices", *arguments, status=status, says=says)
        for arguments, says, status in ((["--json"], b"--json needs a value", USAGE), (["--json", "/dev/full"], b"/dev/full", OUTPUT)):
            done = subprocess.run([VQX, "devices", *arguments], capture_output=True)
            self.assertEqual(done.returncode, status, done.stderr)
            self.assertIn(says, done.stderr)

    def test_a_video_is_named_once(self):
        for arguments in ([self.ref, self.dis, "-d", self.ref], [self.ref, self.dis, "-r", self.ref], ["-r", self.ref, "-r", self.dis, self.ref]):
            self.refused(*arguments, status=USAGE, says="give one")
        self.refused("", self.dis, status=USAGE, says="the reference video's name is empty")
        self.refused(self.ref, "", status=USAGE, says="the distorted video's name is empty")

    def test_one_pipe_is_not_two_videos(self):
        raw = ["-w", "64", "-h", "48", "-p", "400", "-b", "8"]
        for second in ("-", "/dev/stdin", "/dev/fd/0"):
            done = subprocess.run([VQX, *raw, "-", second], input=bytes(4 * 64 * 48), capture_output=True)
            self.assertEqual((done.returncode, done.stdout), (USAGE, b""), done.stderr)
            self.assertIn(b"one pipe", done.stderr)

    def test_a_letter_in_a_group_is_named(self):
        self.refused("--json", "-zq", self.ref, self.dis, status=USAGE, says="-z is no flag")
        self.refused("--json=x", self.ref, self.dis, status=USAGE, says="--json=x: this flag takes no value")

    def test_refusals_say_what_is_accepted(self):
        pair = [self.ref, self.dis]
        for arguments, says in (
                ([*pair, "--feature", "psnr"], "float_vif"),
                ([*pair, "--feature", "float_vifs"], "float_vif"),
                ([*pair, "--feature", "float_vif=snsq=6"], "from 0 to 5"),
                ([*pair, "--feature", "float_vif=nonsense=1"], "nonsense"),
                ([*pair, "--feature", "float_vif", "--feature", "float_vif=debug=true"], "same outputs"),
                ([*pair, "-m", "version=vmaf_v0.6.1"], "predicts no VMAF"),
                ([*pair, "--aom_ctc", "v1.0"], "predicts no VMAF"),
                ([*pair, "--threads", "many"], "whole number"),
                ([*pair, "--threads", "-1"], "whole number"),
                ([*pair, "--subsample", "1x"], "whole number"),
                ([*pair, "--json", "--csv"], "--json and --csv are two formats"),
                ([*pair, "--precision", "18"], "1 to 17"),
                ([*pair, "--precision", "0"], "1 to 17"),
                ([*pair, "--nonsense"], "--nonsense"),
                ([*pair, "-z"], "-z"),
                ([*pair, self.ref], "third"),
                ([*pair, "-w", "64", "-b", "8"], "--height --pixel_format"),
                ([*pair, "-p", "411"], "422"),
                ([*pair, "-b", "7"], "8 to 16"),
                (["-", "-"], "standard input"),
                ([self.ref], "distorted video is missing"),
                ([*pair, "--backend", "nonsense"], "auto"),
                ([*pair, "--backend", "cuda", "--gpumask", "1"], "--gpumask"),
        ):
            with self.subTest(arguments=arguments):
                self.refused(*arguments, status=USAGE, says=says)
        done = subprocess.run([VQX], capture_output=True, check=False)
        self.assertEqual((done.returncode, done.stderr.count(b"\n")), (USAGE, 1))

    def test_last_flag_needs_its_value(self):
        done = subprocess.run([VQX, self.ref, self.dis, "-o"], capture_output=True, check=False)
        self.assertEqual(done.returncode, USAGE)
        self.assertIn(b"-o needs a value", done.stderr)

    def test_a_named_backend_that_is_absent_is_an_error(self):
        empty = self.path("modules")
        os.mkdir(empty)
        done = subprocess.run([VQX, self.ref, self.dis, "--backend", "cuda", "--modules", empty, "-o", self.report],
                              capture_output=True, check=False)
        self.assertEqual(done.returncode, BACKEND)
        self.assertIn(b"cuda", done.stderr)
        self.assertFalse(os.path.exists(self.report))

    def test_posixly_correct_changes_nothing(self):
        self.vqx(self.ref, self.dis, "-o", self.report, env={**os.environ, "POSIXLY_CORRECT": "1"})
        self.assertTrue(os.path.exists(self.report))


class Reports(CommandTest):
    def test_json_as_readers_of_libvmaf_take_it(self):
        report = self.scores(self.ref, self.dis)
        self.assertEqual(self.frame_numbers(report), list(range(FRAMES)))
        for frame in report["frames"]:
            self.assertEqual(list(frame["metrics"]), NAMES)
        self.assertEqual(list(report["pooled_metrics"]), NAMES)
        self.assertEqual(report["aggregate_metrics"], {})
        self.assertIsInstance(report["fps"], float)
        self.assertIsInstance(report["version"], str)
        for name in NAMES:
            values = [frame["metrics"][name] for frame in report["frames"]]
            inverse = 0.0
            for value in values:
                inverse += 1 / (value + 1)
            self.assertEqual(report["pooled_metrics"][name],
                             {"min": min(values), "max": max(values), "mean": sum(values) / len(values),
                              "harmonic_mean": len(values) / inverse - 1})

    def read_xml(self, path):
        root = ElementTree.parse(path).getroot()
        frames = [{**frame.attrib} for frame in root.find("frames")]
        pooled = {metric.get("name"): {s: metric.get(s) for s in STATISTICS} for metric in root.find("pooled_metrics")}
        return root, frames, pooled

    def test_xml_holds_what_json_holds(self):
        expected = self.scores(self.ref, self.dis)
        self.vqx(self.ref, self.dis, "-o", self.path("r.xml"))
        root, frames, pooled = self.read_xml(self.path("r.xml"))
        self.assertEqual((root.tag, [child.tag for child in root]),
                         ("VMAF", ["params", "fyi", "vqx", "frames", "pooled_metrics", "aggregate_metrics"]))
        self.assertEqual(root.find("params").attrib, {"qualityWidth": str(WIDTH), "qualityHeight": str(HEIGHT)})
        for frame, other in zip(frames, expected["frames"], strict=True):
            self.assertEqual(int(frame.pop("frameNum")), other["frameNum"])
            self.assertEqual({n: float(v) for n, v in frame.items()}, other["metrics"])
        self.assertEqual({n: {s: float(v) for s, v in p.items()} for n, p in pooled.items()}, expected["pooled_metrics"])

    def test_csv_holds_what_json_holds(self):
        expected = self.scores(self.ref, self.dis)["frames"]
        self.vqx(self.ref, self.dis, "-o", self.path("r.csv"))
        with open(self.path("r.csv"), newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual([{"frameNum": int(row.pop("Frame")), "metrics": {n: float(v) for n, v in row.items()}}
                          for row in rows], expected)

    def test_subtitles(self):
        self.vqx(self.ref, self.dis, "-o", self.path("r.sub"), "--precision", "legacy")
        with open(self.path("r.sub"), encoding="utf-8") as file:
            lines = file.read().splitlines()
        self.assertEqual(len(lines), FRAMES)
        number = r"\d\.\d{6}\|"
        self.assertRegex(lines[1], r"^\{1\}\{2\}frame: 1\|" + "".join(n + ": " + number for n in NAMES) + "$")

    def test_format_follows_the_suffix_unless_a_flag_says(self):
        begins = {"json": "{", "xml": "<", "csv": "F", "sub": "{0}"}
        for suffix in begins:
            for flag in [None, *begins]:
                path = self.path("report." + suffix)
                self.vqx(self.ref, self.dis, "-o", path, *(["--" + flag] if flag else []))
                with open(path, encoding="utf-8") as file:
                    text = file.read()
                self.assertTrue(text.startswith(begins[flag or suffix]), (suffix, flag))
        self.vqx(self.ref, self.dis, "-o", self.path("report"))
        self.read_xml(self.path("report"))

    def test_precision(self):
        exact = self.scores(self.ref, self.dis)
        for digits in (1, 5, 17):
            for frame, other in zip(self.scores(self.ref, self.dis, "--precision", str(digits))["frames"], exact["frames"]):
                self.assertEqual(frame["metrics"], {n: float("%.*g" % (digits, v)) for n, v in other["metrics"].items()})
        self.assertEqual(self.scores(self.ref, self.dis, "--precision", "max")["frames"], exact["frames"])
        self.vqx(self.ref, self.dis, "--precision", "legacy", "-o", self.report)
        with open(self.report, encoding="utf-8") as file:
            text = file.read()
        self.assertIn('"vif_scale0": %.6f' % exact["frames"][0]["metrics"]["vif_scale0"], text)

    def test_flat_against_noise_is_strict_json(self):
        flat, _ = self.clip("flat.y4m", "flat2.y4m", content="flat:100", distortion="same")
        noise, _ = self.clip("noise.y4m", "noise2.y4m", content="noise", distortion="same")
        for pair in ((flat, noise), (noise, flat), (flat, flat)):
            for options in ("debug=true", "debug=true:snsq=0"):
                report = self.scores(*pair, "--feature", "float_vif=" + options)
                self.assertEqual(len(report["frames"][0]["metrics"]), 15)

    def test_one_frame_has_a_finite_rate(self):
        pair = self.clip("r.y4m", "d.y4m", width=16, height=16, frames=1)
        self.assertGreater(self.scores(*pair)["fps"], 0)

    def test_any_file_name_stands_in_a_report(self):
        for name in (b"a b", b"a\\b", b'a"b', b"a<b>&'c", b"a:b", b"a\nb\tc", b"\x01\x7f", b"\xc3\xa9", b"\xff\xfe",
                     b"\xed\xa0\x80", b"\xc0\xaf", b"\xf0\x9f\x98\x80", b"\xef\xbf\xbf", b"\xe2\x82"):
            ref = os.fsencode(self.folder) + b"/" + name
            os.link(self.ref, ref)
            json_path, xml_path = os.fsencode(self.report), os.fsencode(self.path("r.xml"))
            with self.subTest(name=name):
                self.vqx(ref, self.dis, "-o", json_path)
                self.vqx(ref, self.dis, "-o", xml_path)
                with open(json_path, encoding="utf-8") as file:
                    told = strict_json(file.read())["vqx"]["reference"]
                inside = ElementTree.parse(xml_path).getroot().find("vqx").get("reference")
                try:
                    expected = name.decode()
                except UnicodeDecodeError:
                    expected = name.decode(errors="replace")
                    self.assertEqual(set(told.split("/")[-1]) - set("\ufffd"), set(expected) - set("\ufffd"))
                else:
                    self.assertEqual(told.split("/")[-1], expected)
                    if all(c >= " " or c in "\t\n" for c in expected) and "\uffff" not in expected:
                        self.assertEqual(inside.split("/")[-1], expected)

    def test_locales_change_nothing(self):
        plain = self.vqx(self.ref, self.dis, "-o", "-", "--csv", env={**os.environ, "LC_ALL": "C"}).stdout
        names = subprocess.run(["locale", "-a"], capture_output=True, text=True, check=False).stdout.split()
        for name in [*names, "de_DE.UTF-8", "tr_TR.UTF-8", "nonsense"]:
            env = {**os.environ, "LC_ALL": name, "LANG": name}
            done = self.vqx(self.ref, self.dis, "-o", "-", "--csv", "--feature", "float_vif", env=env)
            self.assertEqual(done.stdout, plain)


class Destinations(CommandTest):
    def test_standard_output(self):
        for name in ("-", "/dev/stdout", "/dev/fd/1"):
            done = self.vqx(self.ref, self.dis, "--json", "-o", name)
            self.assertEqual(len(strict_json(done.stdout)["frames"]), FRAMES)
            self.assertIn(b"vif_scale0", done.stderr)  # the summary gives way
        self.assertEqual(self.vqx(self.ref, self.dis, "-o", "-", "-q").stderr, b"")

    def test_redirected_standard_output_is_appended_to(self):
        path = self.path("log")
        with open(path, "w", encoding="utf-8") as file:
            file.write("before\n")
        with open(path, "a", encoding="utf-8") as file:
            subprocess.run([VQX, self.ref, self.dis, "--csv", "-o", "/dev/stdout", "-q"], stdout=file, check=True)
        with open(path, encoding="utf-8") as file:
            self.assertEqual(file.readline(), "before\n")
            self.assertEqual(len(file.readlines()), FRAMES + 1)

    def test_the_summary_says_where_the_report_is(self):
        done = self.vqx(self.ref, self.dis, "-o", self.report)
        self.assertIn(("report: " + self.report).encode(), done.stdout)
        self.assertEqual(done.stderr, b"")
        self.assertEqual(self.vqx(self.ref, self.dis, "-o", self.report, "-q").stdout, b"")
        self.assertIn(b"vif_scale3", self.vqx(self.ref, self.dis, "-q").stdout)

    def test_a_report_replaces_the_old_one_whole_and_has_the_usual_mode_where_it_is_new(self):
        with open(self.report, "w", encoding="utf-8") as file:
            file.write("x" * 100000)
        self.vqx(self.ref, self.dis, "-o", self.report, preexec_fn=lambda: os.umask(0o027))
        with open(self.report, encoding="utf-8") as file:
            strict_json(file.read())
        self.assertEqual(sorted(os.listdir(self.folder)), ["dis.y4m", "ref.y4m", "report.json"])
        os.remove(self.report)
        self.vqx(self.ref, self.dis, "-o", self.report, preexec_fn=lambda: os.umask(0o027))
        self.assertEqual(stat.S_IMODE(os.stat(self.report).st_mode), 0o640)

    def test_a_symbolic_link_stays_one(self):
        os.symlink("real.json", self.path("link.json"))
        with open(self.path("real.json"), "w", encoding="utf-8"):
            pass
        self.vqx(self.ref, self.dis, "-o", self.path("link.json"))
        self.assertTrue(os.path.islink(self.path("link.json")))
        with open(self.path("real.json"), encoding="utf-8") as file:
            strict_json(file.read())

    def test_a_dangling_link_is_followed(self):
        os.mkdir(self.path("folder"))
        os.symlink("folder/second.json", self.path("first.json"))
        os.symlink("../real.json", self.path("folder/second.json"))
        for _ in range(2):  # made, then replaced
            self.vqx(self.ref, self.dis, "-o", self.path("first.json"))
            self.assertEqual(os.readlink(self.path("first.json")), "folder/second.json")
            self.assertEqual(os.readlink(self.path("folder/second.json")), "../real.json")
            self.assertTrue(stat.S_ISREG(os.lstat(self.path("real.json")).st_mode))
        with open(self.path("real.json"), encoding="utf-8") as file:
            strict_json(file.read())
        os.symlink(self.path("absolute.json"), self.path("link.json"))
        self.vqx(self.ref, self.dis, "-o", "link.json", cwd=self.folder)
        self.assertTrue(os.path.islink(self.path("link.json")) and os.path.exists(self.path("absolute.json")))
        os.symlink("no/such.json", self.path("lost.json"))
        self.refused(self.ref, self.dis, "-o", self.path("lost.json"), status=OUTPUT, says="does not exist; make it first")
        os.symlink("circle.json", self.path("circle.json"))
        self.refused(self.ref, self.dis, "-o", self.path("circle.json"), status=OUTPUT, says="levels of symbolic links")
        self.assertTrue(os.path.islink(self.path("circle.json")))

    def test_a_fifo_takes_a_report(self):
        os.mkfifo(self.path("fifo"))
        with subprocess.Popen(["cat", self.path("fifo")], stdout=subprocess.PIPE) as cat:
            self.vqx(self.ref, self.dis, "--json", "-o", self.path("fifo"))
            self.assertEqual(len(strict_json(cat.stdout.read())["frames"]), FRAMES)

    def test_what_cannot_be_written_is_refused_before_scoring(self):
        missing = self.path("none.y4m")  # an input error would show that the files were opened first
        self.refused(missing, missing, "-o", self.path("no/such/report.json"), status=OUTPUT, says="does not exist")
        self.refused(missing, missing, "-o", self.folder, status=OUTPUT, says="is a folder")
        self.refused(missing, missing, "-o", "", status=OUTPUT, says="empty")
        self.refused(self.ref, self.dis, "-o", self.dis, status=OUTPUT, says="overwrite")
        with open(self.ref, "rb") as file:
            before = file.read()
        for arguments in ([self.ref, self.dis, "-o", self.ref], ["-", self.dis, "-o", self.ref],
                          ["parity", self.ref, self.dis, "--json", self.ref], ["bench", self.ref, self.dis, "--json", self.ref],
                          ["parity", "-", self.dis, "--json", self.ref]):
            with open(self.ref, "rb") as file:
                done = subprocess.run([VQX, *arguments], stdin=file, capture_output=True)
            self.assertEqual(done.returncode, OUTPUT, done.stderr)
            self.assertIn(b"overwrite", done.stderr)
            with open(self.ref, "rb") as file:
                self.assertEqual(file.read(), before)

    def test_a_report_keeps_its_files_mode_and_may_have_the_longest_name(self):
        report = os.path.join(self.folder, "r" * 250 + ".json")
        for mode in (0o600, 0o640, 0o664):
            with open(report, "w", encoding="ascii"):
                os.chmod(report, mode)
            self.vqx(self.ref, self.dis, "-q", "-o", report)
            self.assertEqual(os.stat(report).st_mode & 0o777, mode)
        with open(report, encoding="utf-8") as file:
            self.assertTrue(json.load(file)["frames"])
        self.assertEqual([name for name in os.listdir(self.folder) if name.endswith(".part")], [])

    def test_what_is_quoted_is_printable(self):
        for name in ("a\nvqx: all is well", "\x1b[31mred", "\u009b31m"):
            for arguments in (["compare", name, name], [name, self.dis], ["-q", self.ref, self.dis, "-o", "no/" + name]):
                done = subprocess.run([VQX, *arguments], capture_output=True)
                self.assertEqual(done.stderr.count(b"\n"), 1, done.stderr)
                self.assertTrue(done.stderr.strip().decode().isprintable(), done.stderr)
        report = os.path.join(self.folder, "forged.json")
        other = os.path.join(self.folder, "other.json")
        for path, value in ((report, 1), (other, 2)):
            with open(path, "w", encoding="utf-8") as file:
                json.dump({"frames": [{"frameNum": 0, "metrics": {"a\nequal: 1 values\x1b[31m": value}}],
                           "vqx": {"options": "\n%d" % value}}, file)
        done = subprocess.run([VQX, "compare", report, other], capture_output=True)
        self.assertEqual(done.returncode, 1)
        self.assertNotIn(b"\nequal", done.stdout)
        self.assertTrue(all(line.isprintable() for line in done.stdout.decode().splitlines()), done.stdout)

    def test_compare_needs_values_and_tells_zeros_apart(self):
        paths = [os.path.join(self.folder, name) for name in ("a.json", "b.json")]
        for metrics, status, says in (({}, INPUT, b"neither report holds a value"), ({"x": None}, DONE, b"equal: 1")):
            for path in paths:
                with open(path, "w", encoding="utf-8") as file:
                    json.dump({"frames": [{"frameNum": 0, "metrics": metrics}]}, file)
            done = subprocess.run([VQX, "compare", *paths], capture_output=True)
            self.assertEqual(done.returncode, status)
            self.assertIn(says, done.stdout + done.stderr)
        for path, zero in zip(paths, (0.0, -0.0)):
            with open(path, "w", encoding="utf-8") as file:
                json.dump({"frames": [{"frameNum": 0, "metrics": {"x": zero}}]}, file)
        done = subprocess.run([VQX, "compare", *paths], capture_output=True)
        self.assertEqual(done.returncode, 1)
        self.assertIn(b"1 ulp", done.stdout)

    def test_bench_ends_at_a_signal_after_its_files(self):
        bench = subprocess.Popen([VQX, "bench", self.ref, self.dis, "--seconds", "600"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        time.sleep(1)
        bench.terminate()
        self.assertEqual(bench.wait(timeout=60), -signal.SIGTERM)
        bench.communicate()
        self.refused(self.ref, self.dis, "-o", self.path("ref.y4m/x"), status=OUTPUT, says="Not a directory")
        self.assertEqual(os.path.getsize(self.ref), os.path.getsize(self.dis))

    def test_protected_files_and_folders(self):
        # Root may write everywhere, so the command runs as nobody then.
        other = {"user": 65534, "group": 65534} if os.geteuid() == 0 else {}
        os.chmod(self.folder, 0o755)
        os.mkdir(self.path("closed"), 0o500)
        with open(self.report, "w", encoding="utf-8") as file:
            file.write("kept")
        os.chmod(self.report, 0o400)
        try:
            subprocess.run([VQX, "--version"], stdout=subprocess.DEVNULL, check=True, **other)
        except (OSError, subprocess.CalledProcessError) as error:
            self.skipTest("the command cannot be run as another user: %s" % error)
        for target in (self.path("closed/r.json"), self.report):
            done = self.vqx(self.ref, self.dis, "-o", target, status=OUTPUT, **other)
            self.assertIn(target.encode(), done.stderr)
            self.assertEqual(done.stdout, b"")
        os.chmod(self.path("closed"), 0o700)

    def test_a_writable_file_in_a_protected_folder(self):
        if os.geteuid() != 0:
            self.skipTest("needs root, to make files of another user")
        os.chmod(self.folder, 0o755)
        with open(self.report, "w", encoding="utf-8"):
            pass
        os.chmod(self.report, 0o666)
        try:
            self.vqx(self.ref, self.dis, "-o", self.report, user=65534, group=65534)
        except PermissionError as error:
            self.skipTest("the command cannot be run as another user: %s" % error)
        with open(self.report, encoding="utf-8") as file:
            strict_json(file.read())

    def test_a_full_device_is_an_error(self):
        done = self.vqx(self.ref, self.dis, "-o", "/dev/full", status=OUTPUT)
        self.assertIn(b"No space left", done.stderr)
        with open("/dev/full", "w", encoding="utf-8") as full:
            done = subprocess.run([VQX, self.ref, self.dis], stdout=full, stderr=subprocess.PIPE, check=False)
        self.assertEqual(done.returncode, OUTPUT)

    def test_a_full_disk_leaves_the_old_report_and_nothing_else(self):
        self.vqx(self.ref, self.dis, "-o", self.report)
        with open(self.report, "rb") as file:
            old = file.read()
        limit = lambda: (signal.signal(signal.SIGXFSZ, signal.SIG_IGN),
                         resource.setrlimit(resource.RLIMIT_FSIZE, (500, 500)))
        self.vqx(self.ref, self.dis, "-o", self.report, status=OUTPUT, preexec_fn=limit)
        with open(self.report, "rb") as file:
            self.assertEqual(file.read(), old)
        self.assertEqual(len(os.listdir(self.folder)), 3)

    def test_a_closed_standard_output_is_an_error(self):
        command = '"$0" "$@" >&-'
        for extra in ([], ["-o", "-"], ["-o", "/dev/stdout", "-q"]):
            done = subprocess.run(["sh", "-c", command, VQX, self.ref, self.dis, *extra], capture_output=True, check=False)
            self.assertEqual(done.returncode, OUTPUT, done.stderr)
        done = subprocess.run(["sh", "-c", command, VQX, self.ref, self.dis, "-q", "-o", self.report], check=False)
        self.assertEqual(done.returncode, DONE)
        with open(self.report, encoding="utf-8") as file:
            strict_json(file.read())

    def test_a_reader_that_left_is_an_error(self):
        reading, writing = os.pipe()
        os.close(reading)
        done = subprocess.run([VQX, self.ref, self.dis, "-o", self.report], stdout=writing, stderr=subprocess.PIPE,
                              check=False)
        os.close(writing)
        self.assertEqual(done.returncode, OUTPUT)
        self.assertTrue(os.path.exists(self.report))


class Inputs(CommandTest):
    def test_frame_counts_that_differ(self):
        _, short = self.clip("other.y4m", "short.y4m", frames=4)
        for pair in ((self.ref, short), (short, self.ref)):
            report = self.scores(*pair, status=INCOMPLETE)
            self.assertEqual(self.frame_numbers(report), [0, 1, 2, 3])
            self.assertEqual(report["vqx"]["outcome"], "frame counts differ")
            self.assertEqual(self.frame_numbers(self.scores(*pair, "--shortest")), [0, 1, 2, 3])
            self.scores(*pair, "--frame_cnt", "4")
        done = self.vqx(self.ref, short, status=INCOMPLETE)
        self.assertIn(short.encode(), done.stderr)

    def test_a_truncated_frame_keeps_those_before(self):
        size = os.path.getsize(self.dis)
        os.truncate(self.dis, size - 1)
        report = self.scores(self.ref, self.dis, status=INCOMPLETE)
        self.assertEqual(len(report["frames"]), FRAMES - 1)
        self.scores(self.ref, self.dis, "--shortest", status=INCOMPLETE)
        os.truncate(self.dis, size // FRAMES // 2)
        self.refused(self.ref, self.dis, status=INPUT, says=self.dis)

    def test_what_cannot_be_scored(self):
        other, small = self.clip("other.y4m", "other2.y4m", width=80), self.clip("s.y4m", "s2.y4m", width=12, height=12)
        with open(self.path("text"), "w", encoding="utf-8") as file:
            file.write("neither")
        with open(self.path("empty"), "wb"):
            pass
        for pair, says in (((self.ref, other[1]), "80x48"), (small, "16"), ((self.ref, self.path("none")), "No such file"),
                           ((self.ref, self.path("text")), self.path("text")), ((self.path("empty"), self.dis), "empty"),
                           ((self.folder, self.dis), self.folder)):
            with self.subTest(pair=pair):
                self.refused(*pair, "-o", self.report, status=INPUT, says=says)
                self.assertFalse(os.path.exists(self.report))
        self.refused(self.ref, self.dis, "--frame_skip_ref", "99", "--frame_skip_dist", "99", status=INPUT, says=self.ref)

    def test_standard_input_and_fifos(self):
        expected = self.scores(self.ref, self.dis)["frames"]
        with open(self.ref, "rb") as file:
            subprocess.run([VQX, "-", self.dis, "-q", "-o", self.report], stdin=file, check=True)
        with open(self.report, encoding="utf-8") as file:
            self.assertEqual(strict_json(file.read())["frames"], expected)
        fifo = self.path("fifo")
        os.mkfifo(fifo)
        with subprocess.Popen(["sh", "-c", 'exec cat "$0" > "$1"', self.dis, fifo]):
            self.assertEqual(self.scores(self.ref, fifo)["frames"], expected)


class Interruption(CommandTest):
    def start(self, fifo, *arguments):
        return subprocess.Popen([VQX, self.ref, fifo, "-o", self.report, "--modules", MODULES, *arguments],
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def interrupt(self, number, frames):
        """Interrupts a run whose second video is a pipe that says nothing after `frames` frames."""
        fifo = self.path("fifo")
        os.mkfifo(fifo)
        process = self.start(fifo)
        with open(self.dis, "rb") as file:
            head = file.readline()
            body = file.read((len("FRAME\n") + WIDTH * HEIGHT * 3 // 2) * frames)
        with open(fifo, "wb", buffering=0) as pipe:
            pipe.write(head + body)
            time.sleep(1)
            process.send_signal(number)
            out, err = process.communicate(timeout=120)
        return process.returncode, out, err

    def test_the_frames_scored_are_reported(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            status, _, message = self.interrupt(number, 3)
            self.assertEqual(status, 128 + number)
            self.assertIn(b"interrupted", message)
            with open(self.report, encoding="utf-8") as file:
                report = strict_json(file.read())
            self.assertEqual(self.frame_numbers(report), [0, 1, 2])
            self.assertEqual(report["vqx"]["outcome"], "interrupted")
            os.remove(self.path("fifo"))

    def test_before_the_first_frame(self):
        status, _, _ = self.interrupt(signal.SIGINT, 0)
        self.assertEqual(status, INTERRUPTED)
        self.assertFalse(os.path.exists(self.report))

    def test_while_a_fifo_waits_for_its_writer(self):
        fifo = self.path("fifo")
        os.mkfifo(fifo)
        process = self.start(fifo)
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=120)
        self.assertEqual(process.returncode, INTERRUPTED)


class Progress(CommandTest):
    def on_a_terminal(self, *arguments, feed=None):
        """What a run writes to a terminal; `feed` is called once it runs."""
        try:
            master, slave = pty.openpty()
        except OSError as error:
            self.skipTest("no terminal can be made here: %s" % error)
        with subprocess.Popen([VQX, *arguments, "-o", self.report, "--modules", MODULES], stdout=subprocess.DEVNULL,
                              stderr=slave) as process:
            os.close(slave)
            if feed:
                feed()
            shown = b""
            while select.select([master], [], [], 120)[0]:
                try:
                    part = os.read(master, 65536)
                except OSError:
                    break
                if not part:
                    break
                shown += part
        os.close(master)
        self.assertEqual(process.returncode, DONE)
        return shown

    def slow_pair(self):
        """A pair that takes the plain C a second or two: many redraws even on a machine ten times as fast."""
        return [*self.clip("r.y4m", "d.y4m", width=320, height=240, frames=80), "--threads", "1", "--cpumask", "-1"]

    def test_frames_rate_and_time_left(self):
        self.assertRegex(self.on_a_terminal(*self.slow_pair()), rb"\d+ of 80 frames, [0-9.]+ fps, 0:\d\d left")

    def test_length_of_a_pipe_is_unknown(self):
        fifo = self.path("fifo")
        os.mkfifo(fifo)

        def feed():
            with open(self.dis, "rb") as file, open(fifo, "wb", buffering=0) as pipe:
                pipe.write(file.readline())
                for _ in range(FRAMES):
                    time.sleep(0.2)
                    pipe.write(file.read(len("FRAME\n") + WIDTH * HEIGHT * 3 // 2))
        shown = self.on_a_terminal(self.ref, fifo, feed=feed)
        self.assertRegex(shown, rb"\d+ frames, [0-9.]+ fps")
        self.assertNotIn(b" of ", shown)

    def test_for_terminals_alone_and_not_when_quiet(self):
        self.assertEqual(self.on_a_terminal(*self.slow_pair(), "-q"), b"")
        self.assertEqual(self.vqx(*self.slow_pair()).stderr, b"")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[4:]])
