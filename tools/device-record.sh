#!/bin/sh
# The whole record of how fast a backend is on this machine, in tables for docs/backends/: what `vqx bench` measures for each
# size, depth and option that the pages list, and the command on a pair of large files in memory. It needs the built tree
# (with tests/makeclip), libjansson (a copy in LD_LIBRARY_PATH will do), the device's driver, some gigabytes of /dev/shm, and
# nothing else.
#
#   tools/device-record.sh BUILD [BACKEND]          BACKEND: cuda
#
# The environment may say: DEVICE (the backend's first), MODULES (BUILD/src/modules), SECONDS_EACH (5, for each figure),
# LARGE (3840x2160), SMALL (1920x1080), FILES (/dev/shm), FRAMES (of the files; as many as half of what is free there holds,
# 2000 at most). What the single runs printed stays in BUILD/device-record.
set -eu

build=$1
backend=${2:-cuda}
vqx=$build/src/cli/vqx
modules=${MODULES:-$build/src/modules}
seconds=${SECONDS_EACH:-5}
large=${LARGE:-3840x2160}
small=${SMALL:-1920x1080}
out=$build/device-record
if ! [ -x "$build/tests/makeclip" ]; then
    echo "$build/tests/makeclip is missing; 'ninja -C $build tests/makeclip' builds it" >&2
    exit 1
fi
version=$("$vqx" --version)
files=$(mktemp -d "${FILES:-/dev/shm}/vqx-record.XXXXXX")
trap 'rm -rf "$files"' EXIT
trap 'exit 1' INT TERM HUP
mkdir -p "$out"
runs=0

# bench FLAGS...: a run, its text in $text
bench() {
    runs=$((runs + 1))
    text=$out/$runs.txt
    "$vqx" bench --backend "$backend" --modules "$modules" ${DEVICE:+--device "$DEVICE"} "$@" --json "$out/$runs.json" >"$text"
}

# row WHAT: the run's figures as a row
row() {
    awk -v what="$1" '
        function cell(label, ms,   rest, word) {
            if (!(label in line)) return "–"
            split(line[label], word)
            rest = ms ? word[2] " ms" : word[1] " fps"
            if (!ms && word[5] != "" && word[5] != "-") return rest ", " word[5] " % of the copy"
            if (!ms && word[3] != "-") return rest ", " word[3] " % of the arithmetic"
            return rest
        }
        { for (label in known) if (index($0, label) == 1 && !(label in line)) { line[label] = substr($0, 33) } }
        BEGIN {
            known["frames on the device"]; known["frames in host memory"]
            known["one frame alone, on the device"]; known["one frame alone, in host memory"]
        }
        END {
            print "| " what " | " cell("frames on the device") " | " cell("frames in host memory") " | " \
                cell("one frame alone, in host memory", 1) " | " cell("one frame alone, on the device", 1) " |"
        }' "$text"
}

# make_files: $files/ref.y4m and dis.y4m, four frames over and over
make_files() {
    width=${large%x*} height=${large#*x}
    pair=$((width * height * 3))
    free=$(df -Pk "$files" | awk 'NR == 2 { print $4 }')
    frames=${FRAMES:-$((free * 1024 / 2 / pair))}
    [ "$frames" -le 2000 ] || frames=2000
    frames=$((frames / 4 * 4))
    if [ "$frames" -lt 4 ]; then
        echo "$files: too little room for frames of $large" >&2
        exit 1
    fi
    "$build/tests/makeclip" texture quant:24 "$width" "$height" 8 4 1 "$files/ref4" "$files/dis4"
    for name in ref dis; do
        header=$(head -n 1 "$files/${name}4" | wc -c)
        tail -c +$((header + 1)) "$files/${name}4" >"$files/body"
        head -n 1 "$files/${name}4" >"$files/$name.y4m"
        n=0
        while [ "$n" -lt "$frames" ]; do
            cat "$files/body" >>"$files/$name.y4m"
            n=$((n + 4))
        done
    done
    rm "$files/ref4" "$files/dis4" "$files/body"
}

"$vqx" devices --modules "$modules" | awk -v backend="$backend" '$1 == backend'
echo "$version, $(uname -sr), $(awk -F ': *' '/^model name/ { print $2; exit }' /proc/cpuinfo), $(nproc) processors, $(date +%F)"
echo
echo "| | kernels alone | from host memory | one frame alone | on the device |"
echo "| --- | --- | --- | --- | --- |"
for depth in 8 10 12 16; do
    bench --size "$large" --depth $depth --seconds "$seconds"
    row "$large, $depth bits"
done
for form in native fp64-free; do
    bench --size "$large" --form $form --seconds "$seconds"
    row "$large, $form"
done
bench --size "$small" --seconds "$seconds"
row "$small, 8 bits"
for option in vif_sigma_nsq=4.7 vif_kernelscale=0.5 vif_kernelscale=3.71134; do
    bench --size "$large" --feature float_vif=$option --seconds "$seconds"
    row "$large, $option"
done
sed -n 's/^peaks: /\nPeaks measured in the last run: /p' "$text"

make_files
echo
echo "| $frames frames of $large, 8 bits, 4:2:0 Y4M in memory | from the files | start |"
echo "| --- | --- | --- |"
for threads in 1 2 4 8; do
    for turn in 1 2 3; do
        bench --read_threads $threads --seconds 0.1 "$files/ref.y4m" "$files/dis.y4m"
        awk -v what="$threads reading threads a file, run $turn" '
            /^from the files/ { fps = $4 }
            / pairs from the files, started in / { start = $(NF - 1) }
            END { print "| " what " | " fps " fps | " start " ms |" }' "$text"
    done
done
