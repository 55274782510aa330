#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Draws the folders of src/ and their includes as a graph for Graphviz: tools/rooms.py [SRC] | dot -Tsvg > docs/rooms.svg

A box is a folder, larger the more lines it has. A frame is the room that the folder belongs to. An arrow says that a file of
one folder includes a header of the other. Most folders include base, model, report and cli, so these have no arrows. The line
on standard error names the largest folder and its share of all lines.
"""
import re
import sys
from collections import Counter, defaultdict
from pathlib import Path

SOURCE = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parents[1] / "src"
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)/[^"/]+"', re.MULTILINE)
EVERYWHERE = {"base", "model", "report", "cli"}


def read_folders():
    """Returns the lines of each folder, and the folders that it includes."""
    lines, included = Counter(), defaultdict(set)
    for path in sorted(SOURCE.rglob("*.[ch]")):
        folder = str(path.parent.relative_to(SOURCE))
        text = path.read_text(encoding="utf-8")
        lines[folder] += text.count("\n")
        included[folder] |= set(INCLUDE.findall(text))
    return lines, included


def box(folder, lines):
    side = max(0.5, (lines / 1500) ** 0.5)
    label = f"{folder.rsplit('/', 1)[-1]}\\n{lines:,}".replace(",", " ")
    return f'"{folder}" [label="{label}", width={side:.2f}, height={side * 0.6:.2f}];'


def main():
    lines, included = read_folders()
    rooms = defaultdict(list)
    for folder in lines:
        rooms[folder.split("/")[0]].append(folder)
    print('digraph rooms {\nrankdir=LR; node [shape=box, fontname="sans-serif", fontsize=10]; edge [color="#00000060"];')
    for room, folders in rooms.items():
        total = f"{sum(lines[folder] for folder in folders):,}".replace(",", " ")
        print(f'subgraph "cluster_{room}" {{ label="{room}: {total} lines"; fontname="sans-serif"; color="#888888";')
        print("\n".join(box(folder, lines[folder]) for folder in folders), "}")
    for folder, others in sorted(included.items()):
        for other in sorted(others & set(lines) - {folder} - EVERYWHERE):
            print(f'"{folder}" -> "{other}";')
    print("}")
    largest, most = lines.most_common(1)[0]
    share = 100 * most / sum(lines.values())
    print(f"{sum(lines.values())} lines; the largest folder is {largest}: {share:.1f} %", file=sys.stderr)


if __name__ == "__main__":
    main()
