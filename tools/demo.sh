#!/bin/sh
# Scores the pair of clips that ships with the project and says where the report is.
set -eu

build=$1
clips=$(dirname "$0")/../tests/data/media
report=$build/demo.json

echo "vqx $clips/walk_ref.mkv $clips/walk_x264.mp4 --output $report"
"$build/src/cli/vqx" --modules "$build/src/modules" "$clips/walk_ref.mkv" "$clips/walk_x264.mp4" --output "$report"
echo
echo "The report, a value a frame at full precision: $report"
head -c 600 "$report"
echo " ..."
