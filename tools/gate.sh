#!/bin/sh
# The parity gate on this machine, and its record: every case of the self-test with its stages, on every backend, device and
# form found. The record (date, commit, devices, drivers, counts) is written by the gate itself; the README's table of
# backends is made of the records in docs/parity.
#
#   tools/gate.sh BUILD NAME [vqx parity's flags]    writes docs/parity/NAME.json, or RECORDS/NAME.json
#
# It needs the built tree (its src/cli/vqx and src/modules are enough), the device's driver, and nothing else: a libjansson or
# an OpenCL loader that the machine lacks can lie in BUILD/lib, where `tools/gate.sh --pack BUILD` puts this machine's.
# RECORDS in the environment names another folder; flags restrict the run: --backend cuda, say.
set -eu

if [ "${1:-}" = --pack ]; then
    mkdir -p "$2/lib"
    ldd "$2/src/cli/vqx" | awk '/libjansson/ { print $3 }' | xargs -I{} cp -L {} "$2/lib/"
    loader=$(ldconfig -p | awk '/libOpenCL.so.1 .*x86-64/ { print $NF; exit }')
    [ -z "$loader" ] || cp -L "$loader" "$2/lib/"
    exit 0
fi
if [ $# -lt 2 ] || ! [ -x "$1/src/cli/vqx" ]; then
    echo "usage: tools/gate.sh BUILD NAME [flags], with BUILD/src/cli/vqx built" >&2
    exit 2
fi
build=$1 name=$2
shift 2
records=${RECORDS:-$(dirname "$0")/../docs/parity}
mkdir -p "$records"
if [ -d "$build/lib" ]; then
    export LD_LIBRARY_PATH="$build/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
fi
# NVIDIA's OpenCL is often installed without the file that tells the loader of it.
nvidia=$(ldconfig -p 2>/dev/null | awk '/libnvidia-opencl.so.1 / { print $NF; exit }')
if [ -n "$nvidia" ] && ! grep -qs nvidia /etc/OpenCL/vendors/*.icd; then
    export OCL_ICD_FILENAMES="${OCL_ICD_FILENAMES:+$OCL_ICD_FILENAMES:}$nvidia"
fi
exec "$build/src/cli/vqx" parity --self-test --stages --quiet --modules "$build/src/modules" --json "$records/$name.json" "$@"
