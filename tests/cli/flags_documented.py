"""Every flag that the command takes is in its help, its man page, its completion, and (those of vqx alone) in the page of
differences.

    flags_documented.py SOURCE_ROOT
"""
import os
import re
import sys

PAGES = ["src/cli/help.c", "docs/vqx.1", "src/cli/completion/vqx.bash"]
NOT_OURS = {"model", "aom_ctc", "nflx_ctc"}  # known only to be refused


def read(root, path):
    with open(os.path.join(root, path), encoding="utf-8") as file:
        return file.read().replace("\\-", "-")


def main():
    root = sys.argv[1]
    table = read(root, "src/cli/settings.c").split("long_flags[] = {")[1].split("};")[0]
    flags = re.findall(r'\{"(\w+)",', table)
    missing = ["%s: --%s is missing" % (page, flag) for page in PAGES for flag in flags
               if flag not in NOT_OURS and not re.search(r"--%s\b" % flag, read(root, page))]
    bench = re.findall(r'\{"--(\w+)", take_', read(root, "src/cli/bench.c"))
    missing += ["%s: --%s of bench is missing" % (page, flag) for page in PAGES for flag in bench
                if not re.search(r"--%s\b" % flag, read(root, page))]
    differences = read(root, "docs/vmaf-differences.md")
    own = flags[flags.index("nflx_ctc") + 1:]
    missing += ["docs/vmaf-differences.md: --%s is missing" % flag for flag in own if "`--%s" % flag not in differences]
    print("\n".join(missing) or "%d flags, each documented" % (len(flags) + len(bench)))
    return 1 if missing or len(flags) < 25 or len(bench) < 5 or not own else 0


if __name__ == "__main__":
    sys.exit(main())
