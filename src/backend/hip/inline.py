#!/usr/bin/env python3
"""Puts a kernel source and the project headers it includes into one text: inline.py ROOT SOURCE OUTPUT DEPFILE

The text ends with a zero, so that it is a string where it is embedded.
"""
import pathlib
import re
import sys

INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"\s*$')


def expand(root, path, read):
    """The lines of a file with its includes in their place; #line keeps messages to the files' own lines."""
    read.append(path)
    name = path.relative_to(root)
    lines = [f'#line 1 "{name}"']
    for number, line in enumerate(path.read_text().splitlines(), 1):
        include = INCLUDE.match(line)
        if include:
            lines += expand(root, root / include.group(1), read) + [f'#line {number + 1} "{name}"']
        else:
            lines.append(line)
    return lines


def main():
    root, source, output, depfile = map(pathlib.Path, sys.argv[1:])
    read = []
    lines = expand(root.resolve(), source.resolve(), read)
    output.write_bytes("\n".join(lines).encode() + b"\n\0")
    depfile.write_text(f"{output}: {' '.join(map(str, read))}\n")


if __name__ == "__main__":
    main()
