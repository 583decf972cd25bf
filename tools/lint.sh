#!/bin/sh
# clang-format and clang-tidy over the C sources; silent when clean.
set -eu

build=$1
git ls-files '*.[ch]' | xargs clang-format --dry-run --Werror
# Sources that this build compiles with a C compiler; modules left out of the build are left out here.
python3 - "$build" <<'P' | xargs -P "$(nproc)" -n 1 clang-tidy --quiet --extra-arg=-Wno-ignored-optimization-argument -p "$build"
import json, os, sys
build = sys.argv[1]
for entry in json.load(open(os.path.join(build, "compile_commands.json"))):
    path = os.path.normpath(os.path.join(entry["directory"], entry["file"]))
    if path.endswith(".c") and "/src/" in path:
        print(path)
P
