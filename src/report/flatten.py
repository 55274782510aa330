#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Makes a C header of the style of pictures: with the palette as variables for pages, and without variables for SVG files,
since not all programs that show these know variables.

    flatten.py HEADER palette.css pictures.css"""
import json
import re
import sys
from pathlib import Path


def read(path):
    return "".join(line + "\n" for line in Path(path).read_text(encoding="utf-8").splitlines() if "SPDX" not in line)


header, palette, pictures = sys.argv[1], read(sys.argv[2]), read(sys.argv[3])
light, dark = (dict(re.findall(r"--(\w+): (#\w+)", part)) for part in palette.split("@media", 1))


def flat(colours):
    return re.sub(r"var\(--(\w+)\)", lambda match: colours[match[1]], pictures)


styles = {"SVG_PAGE_STYLE": palette + pictures,
          "SVG_FILE_STYLE": f"{flat(light)}@media (prefers-color-scheme: dark) {{\n{flat(light | dark)}}}\n"}
with open(header, "w", encoding="utf-8") as file:
    print("/* Made by flatten.py. */", file=file)
    for name, style in styles.items():
        print(f"#define {name} " + " \\\n    ".join(json.dumps(line) for line in style.splitlines(keepends=True)), file=file)
