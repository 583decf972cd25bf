#!/usr/bin/env python3
"""Makes the README's table of backends from the records in docs/parity that the gate wrote.

    parity_table.py ROOT            rewrites the table in ROOT/README.md
    parity_table.py ROOT --check    1 if the README's is another
"""
import json
import pathlib
import sys

BEGIN, END = "<!-- made by tools/parity_table.py from docs/parity -->\n", "<!-- end -->\n"
BACKENDS = ("cpu", "cuda", "hip", "sycl", "opencl", "metal")


def records(root):
    for path in sorted((root / "docs/parity").glob("*.json")):
        yield path, json.loads(path.read_text(encoding="utf-8"))


def result(record, runners):
    """What is claimed of a device: only what its record says."""
    if any(runner["error"] or runner["differing"] or "first_stage" in runner or not runner["exact"] for runner in runners):
        return "**NOT EQUAL**"
    return "equal" if record["equal"] else "equal; another of the record is not"


def rows(root, backend):
    for path, record in records(root):
        devices = {}
        for runner in record["runners"]:
            if runner["backend"] == backend and (runner["values"] or runner["error"]):
                devices.setdefault((runner["name"], runner["driver"]), []).append(runner)
        for (name, driver), runners in devices.items():
            if backend == "hip" and name.startswith("NVIDIA"):
                name += " by HIP's NVIDIA platform, no AMD hardware"
            yield "| %s | %s | %s | %d values, %d stages | %s | [%s](docs/parity/%s), commit %s |\n" % (
                label(root, backend), name + (", driver " + driver if driver else ""),
                "; ".join(",".join(runner["detail"].split(",")[:2]) if backend == "cpu" else runner["detail"].split(",")[0]
                          for runner in runners),
                sum(runner["values"] for runner in runners), sum(runner["stages"] for runner in runners),
                result(record, runners), record["date"][:10], path.name, record["commit"])


def label(root, backend):
    page = "docs/backends/%s.md" % backend
    return "[%s](%s)" % (backend, page) if (root / page).exists() else backend


def table(root):
    lines = ["| backend | device | forms | compared | result | the gate's record |\n", "|---|---|---|---|---|---|\n"]
    for backend in BACKENDS:
        found = list(rows(root, backend))
        lines += found or ["| %s | no record of the gate yet | | | | |\n" % label(root, backend)]
    return "".join(lines)


def main():
    root = pathlib.Path(sys.argv[1])
    readme = root / "README.md"
    text = readme.read_text(encoding="utf-8")
    if text.count(BEGIN) != 1 or END not in text.split(BEGIN)[1]:
        print("README.md has no place for the table (%s)" % BEGIN.strip())
        return 1
    before, rest = text.split(BEGIN)
    after = rest.split(END, 1)[1]
    made = before + BEGIN + table(root) + END + after
    if "--check" not in sys.argv:
        readme.write_text(made, encoding="utf-8")
    elif made != text:
        print("README.md's table is not that of docs/parity; tools/parity_table.py %s makes it anew" % root)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
