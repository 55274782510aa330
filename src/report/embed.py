#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Makes a C header of scripts. So the scripts are part of firma's executable, wherever it is copied to.

    embed.py HEADER SCRIPT…

src/verbs/comm/messages.gp becomes the macro PLOT_COMM_MESSAGES, a string; src/cli/completion.bash becomes
CLI_COMPLETION."""
import json
import sys
from pathlib import Path

header, *scripts = map(Path, sys.argv[1:])
with header.open("w", encoding="utf-8") as file:
    print("/* Made by embed.py. */", file=file)
    for script in scripts:
        lines = [line for line in script.read_text(encoding="utf-8").splitlines() if "SPDX" not in line]
        prefix = "PLOT_" if script.suffix == ".gp" else ""
        print("#define", f"{prefix}{script.parent.name}_{script.stem}".upper(), end="", file=file)
        for line in lines:
            print(" \\\n    " + json.dumps(line + "\n", ensure_ascii=False), end="", file=file)
        print(file=file)
