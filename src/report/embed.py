#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Makes a C header of scripts. So the scripts are part of firma's executable, wherever it is copied to.

    embed.py HEADER SCRIPT…

src/cli/completion.bash becomes the macro CLI_COMPLETION, a string. Of a script for browsers, REPORT_SCRIPT_HASH is what a page's policy names it by."""
import base64
import hashlib
import json
import sys
from pathlib import Path

header, *scripts = map(Path, sys.argv[1:])
with header.open("w", encoding="utf-8") as file:
    print("/* Made by embed.py. */", file=file)
    for script in scripts:
        lines = [line for line in script.read_text(encoding="utf-8").splitlines() if "SPDX" not in line]
        name = f"{script.parent.name}_{script.stem}".upper()
        print("#define", name, end="", file=file)
        for line in lines:
            print(" \\\n    " + json.dumps(line + "\n", ensure_ascii=False), end="", file=file)
        print(file=file)
        if script.suffix == ".js":
            digest = hashlib.sha256("".join(line + "\n" for line in lines).encode()).digest()
            print(f'#define {name}_HASH "sha256-{base64.b64encode(digest).decode()}"', file=file)
