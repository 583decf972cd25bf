#!/usr/bin/env python3
"""Writes an assembly file that holds a binary file's bytes under a symbol: embed.py BINARY SYMBOL OUTPUT"""
import os
import sys

binary, symbol, output = sys.argv[1:]
with open(output, "w") as out:
    out.write(f"""    .section .rodata
    .balign 64
    .global {symbol}
    .hidden {symbol}
{symbol}:
    .incbin "{os.path.abspath(binary)}"
    .section .note.GNU-stack, "", %progbits
""")
