#!/usr/bin/env python3
"""docs/api.md shows docs/example.c as it is."""
import pathlib
import sys

docs = pathlib.Path(sys.argv[1])
if (docs / "example.c").read_text() not in (docs / "api.md").read_text():
    sys.exit("docs/api.md does not contain docs/example.c word for word; paste it again")
