#!/usr/bin/env python3
"""The README's table of backends is that of docs/parity's records, and a record that says otherwise is noticed.

    records_test.py ROOT SCRATCH
"""
import json
import pathlib
import shutil
import subprocess
import sys

root, scratch = (pathlib.Path(path) for path in sys.argv[1:])


def check(folder):
    return subprocess.run([sys.executable, root / "tools/parity_table.py", folder, "--check"], check=False).returncode


def main():
    if check(root):
        return 1
    shutil.rmtree(scratch, ignore_errors=True)
    shutil.copytree(root / "docs", scratch / "docs")
    shutil.copy(root / "README.md", scratch)
    if check(scratch):
        return 1
    path = sorted((scratch / "docs/parity").glob("*.json"))[0]
    record = json.loads(path.read_text(encoding="utf-8"))
    record["runners"][1]["differing"] = 1
    path.write_text(json.dumps(record), encoding="utf-8")
    if not check(scratch):
        print("a record that says NOT EQUAL changes nothing")
        return 1
    subprocess.run([sys.executable, root / "tools/parity_table.py", scratch], check=True)
    return 0 if "**NOT EQUAL**" in (scratch / "README.md").read_text(encoding="utf-8") and not check(scratch) else 1


if __name__ == "__main__":
    sys.exit(main())
