#!/usr/bin/env python3
"""Plants faults, one at a time, in a copy of the sources, and requires that the named test catches each.

    planted.py SOURCE_ROOT SCRATCH_FOLDER [name of a fault ...]

A fault is a file in faults/, in TOML (README.md there). The copy is built once and must pass all the named tests; then each
fault is applied, what its test needs is rebuilt (which must succeed), and the test must fail for the reason the fault
states. A test that is skipped here, for want of a compiler or a device, leaves its faults untried: that is printed.
"""
import json
import os
import re
import shutil
import subprocess
import sys
import time
import tomllib

HERE = os.path.dirname(os.path.abspath(__file__))
SKIPPED = 77


class Failure(Exception):
    pass


def load_faults(names):
    faults = []
    folder = os.path.join(HERE, "faults")
    for file in sorted(os.listdir(folder)):
        name, extension = os.path.splitext(file)
        if extension == ".toml" and (not names or name in names):
            with open(os.path.join(folder, file), "rb") as text:
                faults.append({"name": name, "arguments": [], "gate": ["--case", "quant:24"], **tomllib.load(text)})
    if not faults or (names and len(faults) != len(names)):
        raise Failure("no such fault among %s" % " ".join(names))
    return faults


def sources(root):
    """Paths of all files below root, build folders and the like left out."""
    found = []
    for folder, folders, files in os.walk(root):
        folders[:] = [f for f in folders if f not in (".git", "__pycache__")
                      and not os.path.exists(os.path.join(folder, f, "meson-private"))]
        found += [os.path.relpath(os.path.join(folder, file), root) for file in files]
    return set(found)


def read(path):
    with open(path, "rb") as file:
        return file.read()


def mirror(root, tree):
    """Makes tree a copy of root. Only what differs is written, and dated now: a second run builds little, and never keeps an
    object that was made from a fault."""
    wanted = sources(root)
    for path in sources(tree) - wanted:
        os.remove(os.path.join(tree, path))
    for path in sorted(wanted):
        source, copy = os.path.join(root, path), os.path.join(tree, path)
        if not os.path.exists(copy) or read(source) != read(copy):
            os.makedirs(os.path.dirname(copy), exist_ok=True)
            shutil.copyfile(source, copy)
            shutil.copymode(source, copy)


def run(command, limit=900, **options):
    """Exit status and output; a test that outlasts its limit has not failed for any reason a fault states."""
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                              timeout=limit, check=False, **options)
    except subprocess.TimeoutExpired:
        return -1, "took longer than %d s" % limit
    return done.returncode, done.stdout


class Scratch:
    """The copy and its build folder."""

    def __init__(self, root, folder):
        self.tree, self.build = os.path.join(folder, "tree"), os.path.join(folder, "build")
        os.makedirs(folder, exist_ok=True)
        mirror(root, self.tree)
        if not os.path.exists(os.path.join(self.build, "build.ninja")):
            self.must("meson", "setup", self.build, self.tree)
        self.must("ninja", "-C", self.build, "build.ninja")
        self.tests = {test["name"]: test for test in self.introspect("--tests")}
        self.outputs = {target["id"]: target["filename"] for target in self.introspect("--targets")}

    def must(self, *command):
        status, output = run(command)
        if status:
            raise Failure("%s\n%s" % (" ".join(command), output))

    def introspect(self, what):
        return json.loads(subprocess.check_output(["meson", "introspect", self.build, what]))

    def make(self, test):
        outputs = [name for target in test["depends"] for name in self.outputs[target]]
        if outputs:
            self.must("ninja", "-j2", "-C", self.build, *[os.path.relpath(name, self.build) for name in outputs])

    def test_of(self, fault):
        if fault["test"] not in self.tests:
            raise Failure("there is no test named %s" % fault["test"])
        return self.tests[fault["test"]]

    def try_test(self, fault):
        """Builds what the fault's test needs and runs it."""
        test = self.test_of(fault)
        self.make(test)
        return run(test["cmd"] + fault["arguments"], limit=test["timeout"] or None, cwd=test["workdir"] or self.build,
                   env={**os.environ, **test["env"]})

    def plant(self, edits):
        """Applies the edits and returns what the files were."""
        before = {}
        for edit in edits:
            path = os.path.join(self.tree, edit["file"])
            with open(path, encoding="utf-8") as file:
                text = file.read()
            before.setdefault(path, text)
            if text.count(edit["find"]) != 1:
                self.restore(before)
                raise Failure("%s: the text to replace is there %d times" % (edit["file"], text.count(edit["find"])))
            write(path, text.replace(edit["find"], edit["replace"]))
        return before

    def restore(self, before):
        for path, text in before.items():
            write(path, text)


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def sound(scratch, faults):
    """The faults whose tests run here and pass without a fault."""
    outcome, able = {}, []
    for fault in faults:
        key = (fault["test"], tuple(fault["arguments"]))
        if key not in outcome:
            outcome[key] = scratch.try_test(fault)
        status, output = outcome[key]
        if status == SKIPPED:
            print("untried: %s: %s" % (fault["name"], (output.strip().splitlines() or ["no reason given"])[-1]))
        elif status:
            raise Failure("without any fault, %s fails:\n%s" % (fault["test"], output[-4000:]))
        else:
            able.append(fault)
    return able


def check_gate(scratch, fault):
    """The gate that users run must fail, and name the stage where the fault begins."""
    targets = ["src/cli/vqx"] + (["src/modules/libvqx-opencl.so"] if "opencl" in fault["gate"] else [])
    scratch.must("ninja", "-j2", "-C", scratch.build, *targets)
    backend = [] if "--backend" in fault["gate"] else ["--backend", "cpu"]
    modules = os.path.join(scratch.build, fault.get("modules", "src/modules"))
    status, output = run([os.path.join(scratch.build, "src/cli/vqx"), "parity", "--self-test", "--stages", "-q", "--modules",
                          modules, *backend, *fault["gate"]],
                         env={**os.environ, "POCL_CACHE_DIR": os.path.join(scratch.build, "pocl-cache")})
    if status != 1 or not re.search(fault["stage"], output):
        raise Failure("vqx parity ends with %d and does not name \"%s\":\n%s" % (status, fault["stage"], output[-4000:]))


def caught(scratch, fault):
    before = scratch.plant(fault["edit"])
    try:
        status, output = scratch.try_test(fault)
        if "stage" in fault:
            check_gate(scratch, fault)
    finally:
        scratch.restore(before)
    if status == 0:
        raise Failure("%s still passes" % fault["test"])
    if not re.search(fault["says"], output):
        raise Failure("%s fails (%d) without saying \"%s\":\n%s" % (fault["test"], status, fault["says"], output[-4000:]))


def main():
    if len(sys.argv) < 3:
        print(__doc__)
        return 2
    try:
        faults = load_faults(sys.argv[3:])
        scratch = Scratch(os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]))
        able = sound(scratch, faults)
    except Failure as failure:
        print(failure)
        return 1
    missed = 0
    for fault in able:
        start = time.monotonic()
        try:
            caught(scratch, fault)
            print("caught: %s, by %s (%.0f s)" % (fault["name"], fault["test"], time.monotonic() - start), flush=True)
        except Failure as failure:
            print("NOT CAUGHT: %s: %s" % (fault["name"], failure), flush=True)
            missed += 1
    print("%d caught, %d not caught, %d untried" % (len(able) - missed, missed, len(faults) - len(able)))
    return 1 if missed or not able else 0


if __name__ == "__main__":
    sys.exit(main())
