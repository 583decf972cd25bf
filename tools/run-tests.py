#!/usr/bin/env python3
"""Runs the tests through meson, prints why a test was skipped or failed, and ends with 'N passed, N failed, N skipped'.

    run-tests.py BUILD [--show] [arguments of `meson test`]

With --show also what each test that passed printed at its end: its counts.
"""
import json
import os
import subprocess
import sys

SHOWN = 30  # lines of a test
PASSED = {"OK", "EXPECTEDFAIL"}


def last_lines(result, count):
    text = (result.get("stdout") or "") + (result.get("stderr") or "")
    return [line for line in text.splitlines() if line.strip()][-count:]


def main():
    build, arguments = sys.argv[1], [argument for argument in sys.argv[2:] if argument != "--show"]
    log = os.path.join(build, "meson-logs", "testlog.json")
    if os.path.exists(log):
        os.remove(log)
    jobs = str(os.cpu_count() or 2)
    # A test that hangs must end, but a slow or busy machine must not fail one.
    status = subprocess.call(["meson", "test", "-C", build, "--no-rebuild", "--num-processes", jobs,
                              "--timeout-multiplier", "4", *arguments])
    if not os.path.exists(log):
        print("0 passed, 1 failed")
        return status or 1
    with open(log, encoding="utf-8") as file:
        results = [json.loads(line) for line in file if line.strip()]
    passed = [r for r in results if r["result"] in PASSED]
    skipped = [r for r in results if r["result"] == "SKIP"]
    failed = [r for r in results if r not in passed and r not in skipped]
    for result in passed if "--show" in sys.argv else []:
        print("%s:\n%s" % (result["name"], "\n".join("    " + line for line in last_lines(result, SHOWN))))
    for result in skipped:
        print("skipped: %s: %s" % (result["name"], " ".join(last_lines(result, 1)) or "no reason was given"))
    for result in failed:
        print("FAILED: %s (%s)" % (result["name"], result["result"]))
        print("\n".join("    " + line for line in last_lines(result, 40)))
    print("%d passed, %d failed, %d skipped" % (len(passed), len(failed), len(skipped)))
    return 1 if failed or status else 0


if __name__ == "__main__":
    sys.exit(main())
