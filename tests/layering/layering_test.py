#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Checks every #include in src/ against the table in docs/ARCHITECTURE.md, so that both stay consistent.

A file belongs to the deepest folder of the table that contains it. Generated headers (config.h) belong to no folder.
"""
import re
import sys
import unittest
from pathlib import Path

ROOT = Path(sys.argv.pop(1) if len(sys.argv) > 1 else Path(__file__).parents[2])
ROW = re.compile(r"^\| `([a-z_/]+)` \|([^|]*)\|", re.MULTILINE)
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)


def read_table():
    """Returns {folder: the folders that it may include}."""
    page = (ROOT / "docs" / "ARCHITECTURE.md").read_text(encoding="utf-8")
    return {folder: set(re.findall(r"`([a-z_/]+)`", allowed)) for folder, allowed in ROW.findall(page)}


def expand(row, allowed, table):
    """Returns the folders that a row allows: those it names, and all below them. Of rooms that contain the row itself, only
    the room's own files."""
    return {
        folder
        for folder in table
        for name in allowed
        if folder == name or (folder.startswith(name + "/") and not row.startswith(name + "/"))
    }


def folder_of(path, table):
    """Returns the deepest folder of the table that contains the file, or None."""
    holders = [folder for folder in table if path.startswith(folder + "/")]
    return max(holders, key=len, default=None)


def sources():
    """Returns the files of src/, as paths from there."""
    source = ROOT / "src"
    return sorted(str(path.relative_to(source)) for path in source.rglob("*.[ch]"))


class Layering(unittest.TestCase):
    def setUp(self):
        rows = read_table()
        self.table = {folder: expand(folder, allowed, rows) - {folder} for folder, allowed in rows.items()}

    def test_the_table_is_there(self):
        self.assertIn("base", self.table)
        self.assertIn("cli", self.table)

    def test_every_source_folder_stands_in_the_table(self):
        homeless = [path for path in sources() if not folder_of(path, self.table)]
        self.assertEqual(homeless, [])

    def test_every_folder_of_the_table_exists(self):
        absent = [folder for folder in self.table if not (ROOT / "src" / folder).is_dir()]
        self.assertEqual(absent, [])

    def test_rows_allow_only_rooms_that_exist(self):
        rooms = {name for allowed in read_table().values() for name in allowed}
        self.assertEqual([room for room in rooms if not (ROOT / "src" / room).is_dir()], [])

    def test_no_folder_includes_what_the_table_does_not_allow(self):
        wrong = []
        for path in sources():
            folder = folder_of(path, self.table)
            for included in INCLUDE.findall((ROOT / "src" / path).read_text(encoding="utf-8")):
                target = folder_of(included, self.table)
                if target and target != folder and target not in self.table[folder]:
                    wrong.append(f"{path} includes {included}")
        self.assertEqual(wrong, [])

    def test_includes_name_their_folder(self):
        """`#include "x.h"` would hide the folder of x.h. Generated headers, and files directly in src/, have no folder."""
        source = ROOT / "src"
        hidden = [
            f"{path} includes {included}"
            for path in sources()
            for included in INCLUDE.findall((source / path).read_text(encoding="utf-8"))
            if "/" not in included and (source / path).parent.joinpath(included).exists()
        ]
        self.assertEqual(hidden, [])

    def test_no_folder_includes_in_a_circle(self):
        done = set()

        def visit(folder, trail):
            self.assertNotIn(folder, trail, f"circle: {trail}")
            if folder not in done:
                for below in self.table[folder]:
                    visit(below, trail + [folder])
                done.add(folder)

        for folder in self.table:
            visit(folder, [])


if __name__ == "__main__":
    unittest.main()
