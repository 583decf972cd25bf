#!/bin/sh
# get-cuda-tools.sh BUILD: cuobjdump and nvdisasm, which audit the CUDA kernels' machine code, into BUILD/cuda-tools, from
# PyPI at the versions and hashes of tests/cuda/tools.txt. Does nothing where the kernels are not built or the tools are
# there. Without them the audit is skipped, and says why: never a failure here.
set -u
cd "$(dirname "$0")/.." || exit

build=$1
folder=$build/cuda-tools
grep -qs kernels_1.fatbin "$build/build.ninja" || exit 0
if command -v cuobjdump >/dev/null && command -v nvdisasm >/dev/null; then
    exit 0
fi
cmp -s tests/cuda/tools.txt "$folder/installed.txt" && exit 0

echo "Getting cuobjdump and nvdisasm into $folder"
rm -rf "$folder"
mkdir -p "$folder"
python3 -m pip install --quiet --disable-pip-version-check --timeout 15 --retries 1 --no-deps --only-binary :all: \
    --require-hashes --target "$folder" -r tests/cuda/tools.txt >"$folder/pip.log" 2>&1 &&
    cp tests/cuda/tools.txt "$folder/installed.txt"
exit 0
