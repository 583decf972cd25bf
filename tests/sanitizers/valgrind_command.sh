#!/bin/sh
# The command under valgrind, on a small pair as Y4M, as raw YUV and on a pair that ends inside a frame.
#   valgrind_command.sh VALGRIND VQX MAKECLIP SCRATCH
set -eu
valgrind=$1 vqx=$(realpath "$2") makeclip=$(realpath "$3") scratch=$4
mkdir -p "$scratch"
cd "$scratch"

check() { # the status expected, then the command's arguments
    expected=$1
    shift
    status=0
    "$valgrind" --quiet --error-exitcode=99 --leak-check=full "$vqx" --modules . --backend cpu "$@" >log 2>&1 || status=$?
    if [ "$status" != "$expected" ]; then
        cat log
        echo "exit status $status, expected $expected: vqx $*"
        exit 1
    fi
}

"$makeclip" texture blur 72 56 10 3 1 ref.y4m dis.y4m
"$makeclip" --raw texture blur 72 56 8 3 1 ref.yuv dis.yuv
head -c 15000 dis.y4m >cut.y4m
check 0 ref.y4m dis.y4m -o report.json --feature float_vif=debug=true --feature float_vif=ps=0.71:pm=lanczos4
check 0 ref.y4m dis.y4m -o report.xml --threads 3 --subsample 2
check 0 -r ref.yuv -d dis.yuv -w 72 -h 56 -p 420 -b 8 --csv -o report.csv
check 4 ref.y4m cut.y4m -o report.json
check 3 ref.y4m missing.y4m
check 2 ref.y4m dis.y4m --feature float_vif=snsq=9
