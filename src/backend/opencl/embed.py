#!/usr/bin/env python3
"""Puts a kernel source and the project headers it includes into one text.

embed.py ROOT SOURCE OUT.cl   the text itself, for offline compilers
embed.py ROOT SOURCE OUT.c    a C array of it, named vqx_kernels_source

Includes are resolved from ROOT, the source tree. #line directives keep a compiler's messages to the files' own lines.
"""
import pathlib
import re
import sys

INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"\s*$')


def expand(root, name):
    """The lines of a file with its includes in their place."""
    lines = [f'#line 1 "{name}"']
    for number, line in enumerate((root / name).read_text().splitlines(), 1):
        include = INCLUDE.match(line)
        if include:
            lines += expand(root, include.group(1)) + [f'#line {number + 1} "{name}"']
        else:
            lines.append(line)
    return lines


def c_array(text):
    rows = [text[i:i + 24] for i in range(0, len(text), 24)]
    body = "".join("    " + " ".join(f"{byte}," for byte in row) + "\n" for row in rows)
    return ("/* Made by embed.py. */\n#include <stddef.h>\n\nextern const unsigned char vqx_kernels_source[];\n"
            "extern const size_t vqx_kernels_source_size;\n"
            f"const unsigned char vqx_kernels_source[] = {{\n{body}    0}};\n"
            f"const size_t vqx_kernels_source_size = {len(text)};\n")


def main():
    root, source, out = map(pathlib.Path, sys.argv[1:])
    text = "\n".join(expand(root, str(source.resolve().relative_to(root.resolve())))) + "\n"
    out.write_text(text if out.suffix == ".cl" else c_array(text.encode()))


if __name__ == "__main__":
    main()
