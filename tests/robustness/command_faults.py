#!/usr/bin/env python3
"""The command with the n-th call of a kind refused, for every n until none is: memory, opening, reading, writing, threads,
modules. It must end with a documented status and a message, leave no report that is half written, and free all it took.

    command_faults.py VQX_FAULTS MODULES MAKECLIP CLIPS SCRATCH
"""
import json
import os
import re
import subprocess
import sys

KINDS = ["memory", "open", "read", "write", "thread", "module"]
DOCUMENTED = {0, 1, 2, 3, 4, 5, 6, 7}
OLD = "the report of an earlier run\n"
MOST = 5000  # calls of a kind: more means that the count does not end


class Scenario:
    def __init__(self, name, arguments, report, kinds):
        self.name, self.arguments, self.report, self.kinds = name, arguments, report, kinds


class Faults:
    def __init__(self, program, scratch):
        self.program, self.scratch, self.log = program, scratch, os.path.join(scratch, "faults.log")
        self.failures = []
        self.odd_reads = 0

    def run(self, scenario, fault):
        """Runs with VQX_FAULT=fault; returns (status, output, calls, injected, live)."""
        if scenario.report:
            with open(scenario.report, "w", encoding="utf-8") as file:
                file.write(OLD)
        if os.path.exists(self.log):
            os.remove(self.log)
        environment = {**os.environ, "VQX_FAULT": fault, "VQX_FAULT_LOG": self.log}
        done = subprocess.run([self.program, *scenario.arguments], env=environment, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, timeout=120)
        calls = injected = live = -1
        if os.path.exists(self.log):
            with open(self.log, encoding="ascii") as file:
                calls, injected, live = map(int, file.read().split())
        return done, calls, injected, live

    def check(self, scenario, fault, done, injected, live, expected):
        """Every way in which the run did not end as it may."""
        message = done.stderr.decode(errors="replace")
        said = [line for line in message.splitlines() if line.startswith("vqx: ")]
        wrong = []
        if done.returncode not in DOCUMENTED:
            wrong.append("status %d" % done.returncode)
        if live != 0:
            wrong.append("%d allocations not freed" % live)
        if done.returncode and not said:
            wrong.append("no message")
        if not done.returncode and self.result(scenario, done) != expected:
            wrong.append("status 0 with another result")
        if scenario.report:
            wrong += self.check_report(scenario, done, message)
        if wrong:
            self.failures.append("%s, %s: %s\n%s" % (scenario.name, fault, "; ".join(wrong), message[-1500:]))
        return injected

    def check_report(self, scenario, done, message):
        wrong = []
        parts = [name for name in os.listdir(self.scratch) if name.endswith(".part")]
        for name in parts:
            if name not in message:
                wrong.append(name + " was left")
            os.remove(os.path.join(self.scratch, name))
        with open(scenario.report, encoding="utf-8") as file:
            text = file.read()
        if text != OLD:
            try:
                outcome = json.loads(text)["vqx"]["outcome"] if scenario.report.endswith(".json") else ""
                if (outcome == "complete") != (done.returncode in (0, 6)) and outcome:
                    wrong.append("outcome '%s' with status %d" % (outcome, done.returncode))
            except (ValueError, KeyError) as error:
                wrong.append("half a report: %s" % error)
        elif not done.returncode:
            wrong.append("status 0 and no report")
        return wrong

    @staticmethod
    def result(scenario, done):
        """The scores, whatever the speed."""
        if scenario.report:
            with open(scenario.report, encoding="utf-8") as file:
                text = file.read()
        else:
            text = done.stdout.decode()
        return re.sub(r'"fps": [^,]*|fps="[^"]*"|in [0-9.]+ s \([0-9.]+ fps\)', "", text)

    def test(self, scenario):
        done, _, _, live = self.run(scenario, "memory 0 once")
        if done.returncode or live:
            sys.exit("%s without a fault: status %d, %d not freed\n%s" % (scenario.name, done.returncode, live, done.stderr))
        expected = self.result(scenario, done)
        total = 0
        for kind in scenario.kinds:
            for mode in ("once", "from"):
                total += self.test_kind(scenario, kind, mode, expected)
        for fault in ("read 2 interrupt", "read 3 interrupt", "read 1 short", "read 7 short"):
            if "read" not in scenario.kinds:
                continue
            done, _, injected, live = self.run(scenario, fault)
            if done.returncode or injected < 1:
                self.failures.append("%s, %s: status %d, %d injected" % (scenario.name, fault, done.returncode, injected))
            self.check(scenario, fault, done, injected, live, expected)
            self.odd_reads += injected
        return total

    def test_kind(self, scenario, kind, mode, expected):
        effects = {}
        for n in range(1, MOST):
            fault = "%s %d %s" % (kind, n, mode)
            done, _, injected, live = self.run(scenario, fault)
            self.check(scenario, fault, done, injected, live, expected)
            if injected < 1:
                break
            effects[done.returncode] = effects.get(done.returncode, 0) + 1
        if n == 1 or n == MOST - 1:
            self.failures.append("%s, %s %s: %d calls failed" % (scenario.name, kind, mode, n - 1))
        print("%-10s %-7s %-5s %4d faults; statuses %s" % (scenario.name, kind, mode, n - 1,
              ", ".join("%d: %d" % pair for pair in sorted(effects.items()))), flush=True)
        return n - 1


def main():
    program, modules, makeclip, clips, scratch = sys.argv[1:]
    os.makedirs(scratch, exist_ok=True)
    for name in os.listdir(scratch):
        os.remove(os.path.join(scratch, name))
    path = lambda name: os.path.join(scratch, name)
    clip = ["texture", "blur", "40", "36", "10", "3", "1"]
    subprocess.run([makeclip, *clip, path("ref.y4m"), path("dis.y4m")], check=True)
    subprocess.run([makeclip, "--raw", *clip, path("ref.yuv"), path("dis.yuv")], check=True)
    common = ["--modules", modules, "--backend", "cpu", "--threads", "2"]
    scenarios = [
        Scenario("y4m", [*common, path("ref.y4m"), path("dis.y4m"), "-o", path("report.json"), "--feature",
                         "float_vif=ps=1.3:pm=lanczos4"], path("report.json"), KINDS[:5]),
        Scenario("raw", [*common, "-r", path("ref.yuv"), "-d", path("dis.yuv"), "-w40", "-h36", "-p420", "-b10", "-o", "-",
                         "--xml", "-q"], None, KINDS[:5]),
        Scenario("devices", ["devices", "--modules", modules], None, ["memory", "write"]),
    ]
    if os.path.exists(os.path.join(modules, "libvqx-libav.so")):
        webm = os.path.join(clips, "walk_vp9.webm")
        scenarios.append(Scenario("webm", [*common, webm, webm, "-o", path("report.csv"), "--frame_cnt", "2"],
                                  path("report.csv"), ["memory", "open", "read", "module"]))
    else:
        print("no libav module: its reading is left out")
    faults = Faults(program, scratch)
    total = sum(faults.test(scenario) for scenario in scenarios)
    print("\n".join(faults.failures[:20]))
    print("%d faults injected, %d reads cut short or interrupted; %d runs did not end as they may" %
          (total, faults.odd_reads, len(faults.failures)))
    return 1 if faults.failures else 0


if __name__ == "__main__":
    sys.exit(main())
