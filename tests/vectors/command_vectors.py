#!/usr/bin/env python3
"""Every case of vectors.csv through the command, as Y4M and as raw YUV, and every row of media/scores.csv: each value
equal as a double.

    command_vectors.py vectors|media VQX MODULES DATA SCRATCH [MAKECLIP]
"""
import csv
import json
import math
import os
import subprocess
import sys

OUTPUTS = ("vif_scale0 vif_scale1 vif_scale2 vif_scale3 vif vif_num vif_den vif_num_scale0 vif_den_scale0 vif_num_scale1 "
           "vif_den_scale1 vif_num_scale2 vif_den_scale2 vif_num_scale3 vif_den_scale3").split()


def read_rows(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def score(command, report):
    done = subprocess.run([*command, "--json", "-o", report, "-q"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True)
    if done.returncode:
        raise AssertionError("exit status %d: %s" % (done.returncode, done.stdout.strip()))
    with open(report, encoding="utf-8") as file:
        return json.load(file)["frames"]


def compare(frames, rows):
    """The differences, as text."""
    if len(frames) != len(rows):
        return ["%d frames were scored, expected %d" % (len(frames), len(rows))]
    differences = []
    for frame, row in zip(frames, rows):
        values = list(frame["metrics"].values())
        if len(values) != len(OUTPUTS) or frame["frameNum"] != int(row["frame"]):
            return ["frame %s has %d values" % (frame["frameNum"], len(values))]
        for name, value in zip(OUTPUTS, values):
            expected = float(row[name])
            equal = value is None if not math.isfinite(expected) else value == expected
            if not equal:
                differences.append("frame %s %s: %r, expected %r" % (row["frame"], name, value, expected))
    return differences


def run_vectors(vqx, data, scratch, makeclip):
    scores = {}
    for row in read_rows(os.path.join(data, "vector_scores.csv")):
        scores.setdefault(row["id"], []).append(row)
    for case in read_rows(os.path.join(data, "vectors.csv")):
        feature = ":".join(filter(None, ["float_vif=debug=true", case["options"]]))
        for raw in (False, True):
            pair = [os.path.join(scratch, side + (".yuv" if raw else ".y4m")) for side in ("ref", "dis")]
            subprocess.run([makeclip, *(["--raw"] if raw else []), case["content"], case["distortion"], case["width"],
                            case["height"], case["bits"], case["frames"], case["seed"], *pair], check=True)
            size = ["-w", case["width"], "-h", case["height"], "-p", "420", "-b", case["bits"]] if raw else []
            command = [*vqx, "-r", pair[0], "-d", pair[1], *size, "--feature", feature]
            yield case["id"] + (" raw" if raw else " y4m"), command, scores[case["id"]]


def run_media(vqx, data):
    pairs = {}
    for row in read_rows(os.path.join(data, "media", "scores.csv")):
        pairs.setdefault((row["ref"], row["dis"], row["bits"]), []).append(row)
    for (ref, dis, _), rows in pairs.items():
        paths = [os.path.join(data, "media", name) for name in (ref, dis)]
        yield dis, [*vqx, *paths, "--feature", "float_vif=debug=true"], rows


def main():
    kind, vqx, modules, data, scratch, *makeclip = sys.argv[1:]
    os.makedirs(scratch, exist_ok=True)
    command = [vqx, "--modules", modules, "--backend", "cpu"]
    report = os.path.join(scratch, "report.json")
    cases = run_vectors(command, data, scratch, makeclip[0]) if kind == "vectors" else run_media(command, data)
    count = failed = 0
    for name, line, rows in cases:
        count += 1
        try:
            differences = compare(score(line, report), rows)
        except AssertionError as error:
            differences = [str(error)]
        failed += bool(differences)
        for difference in differences[:5]:
            print("%s: %s" % (name, difference))
    print("%d runs of the command, %d failed" % (count, failed))
    return 1 if failed or not count else 0


if __name__ == "__main__":
    sys.exit(main())
