#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Draws the README's picture of predicted against actual run times, with the palette of firma's own pictures:
tools/accuracy.py docs/accuracy.csv > docs/accuracy.svg. bench/accuracy.py --csv wrote the numbers."""
import csv
import re
import sys
from pathlib import Path

WIDTH, HEIGHT, LEFT, TOP, RIGHT, BELOW = 760, 430, 60, 40, 740, 380
CONFIGURATIONS = {"one rank a core": ("green", "one rank a core, as in the traced run"), "two ranks a core": ("pink", "two ranks a core")}
STEP = 5  # seconds between lines

palette = (Path(__file__).parent.parent / "src/report/palette.css").read_text(encoding="utf-8")
light, dark = (dict(re.findall(r"--(\w+): (#\w+)", part)) for part in palette.split("@media", 1))


def style(colours):
    return (f".paper {{ fill: {colours['paper']}; }} text {{ fill: {colours['ink']}; }} .line {{ stroke: {colours['line']}; }} "
            f".equal {{ stroke: {colours['dim']}; stroke-dasharray: 6 4; }} "
            + " ".join(f".{name} {{ fill: {colours[name]}; stroke: {colours[name]}; }}" for name, _ in CONFIGURATIONS.values()))


with open(sys.argv[1], encoding="utf-8", newline="") as file:
    rows = list(csv.DictReader(file))
seconds = [[float(row[key]) for key in ("actual_s", "predicted_s", "low_s", "high_s")] for row in rows]
most_x, most_y = (STEP * (1 + max(column) // STEP) for column in (next(zip(*seconds)), [row[3] for row in seconds]))


def x(time_s):
    return LEFT + (RIGHT - LEFT) * time_s / most_x


def y(time_s):
    return BELOW - (BELOW - TOP) * time_s / most_y


print(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" role="img" '
      'aria-label="predicted against actual run times, with 95 % intervals">\n'
      f'<style>text {{ font: 13px system-ui, sans-serif; stroke: none; }} .m {{ text-anchor: middle; }} .e {{ text-anchor: end; }}\n{style(light)}\n'
      f'@media (prefers-color-scheme: dark) {{ {style(light | dark)} }}</style>\n<rect class="paper" width="{WIDTH}" height="{HEIGHT}" />')
for value in range(0, int(most_x) + 1, STEP):
    print(f'<path class="line" d="M{x(value):.1f} {BELOW}V{TOP}" /><text class="m" x="{x(value):.1f}" y="{BELOW + 18}">{value}</text>')
for value in range(0, int(most_y) + 1, STEP):
    print(f'<path class="line" d="M{LEFT} {y(value):.1f}H{RIGHT}" /><text class="e" x="{LEFT - 6}" y="{y(value) + 4:.1f}">{value}</text>')
print(f'<path class="equal" d="M{x(0)} {y(0)}L{x(min(most_x, most_y)):.1f} {y(min(most_x, most_y)):.1f}" />\n'
      f'<text class="m" x="{(LEFT + RIGHT) / 2}" y="{BELOW + 40}">actual run time, in seconds</text>\n'
      f'<text x="8" y="{TOP - 16}">predicted run time, in seconds, with its 95 % interval</text>')
for row, (actual, predicted, low, high) in zip(rows, seconds):
    colour, _ = CONFIGURATIONS[row["configuration"]]
    print(f'<path class="{colour}" stroke-width="1.4" d="M{x(actual):.1f} {y(low):.1f}V{y(high):.1f}" /><circle class="{colour}" '
          f'cx="{x(actual):.1f}" cy="{y(predicted):.1f}" r="3.5"><title>{row["program"]}, {row["configuration"]}: {predicted:g} s, '
          f'actual {actual:g} s</title></circle>')
for i, (colour, name) in enumerate(CONFIGURATIONS.values()):
    print(f'<circle class="{colour}" cx="{LEFT + 18}" cy="{TOP + 18 + 20 * i}" r="4" /><text x="{LEFT + 30}" y="{TOP + 22 + 20 * i}">{name}</text>')
print(f'<path class="equal" d="M{LEFT + 10} {TOP + 58}h16" /><text x="{LEFT + 30}" y="{TOP + 62}">predicted = actual</text>\n</svg>')
