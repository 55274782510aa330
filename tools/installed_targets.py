#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Prints the installed targets of a build folder, as arguments for ninja. Without targets, ninja would build the tests, too."""

import json
import os
import sys

folder = sys.argv[1]
with open(os.path.join(folder, "meson-info", "intro-targets.json"), encoding="utf-8") as file:
    targets = json.load(file)
for target in targets:
    if target["installed"]:
        print(*(os.path.relpath(name, folder) for name in target["filename"]))
