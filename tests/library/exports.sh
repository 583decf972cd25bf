#!/bin/sh
# The shared library exports the functions of vqx.h and nothing else.
#   exports.sh LIBRARY HEADER SCRATCH_PREFIX
set -eu
nm -D --defined-only "$1" | awk '{print $3}' | sed 's/@.*//' | sort >"$3.exported"
grep -oE 'VQX_API [^;]*\(' "$2" | grep -oE 'vqx_[a-z0-9_]+\(' | tr -d '(' | sort -u >"$3.declared"
if ! diff "$3.declared" "$3.exported"; then
    echo "'<' is declared in vqx.h only, '>' exported only"
    exit 1
fi
echo "$(wc -l <"$3.exported") functions, all of vqx.h"
