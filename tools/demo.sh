#!/bin/sh
# Scores the pair of clips that ships with the project and says where the report is.
set -eu
cd "$(dirname "$0")/.."

build=$1
clips=tests/data/media
report=$build/demo.json
set -- "$build/src/cli/vqx" --modules "$build/src/modules" $clips/walk_ref.mkv $clips/walk_x264.mp4 --output "$report"

echo "$@"
"$@"
echo
echo "The report holds every frame at full precision:"
head -c 1000 "$report"
echo " ..."
