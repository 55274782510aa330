#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The width of the pages (*.md), and names of files: those that pages and comments mention exist."""
import re
import sys
import unittest
from pathlib import Path

ROOT = Path(sys.argv.pop(1) if len(sys.argv) > 1 else Path(__file__).parents[2])
FOLDERS = [ROOT / name for name in ("src", "tests", "bench", "docs", "examples", "tools")]
FILES = [path for folder in FOLDERS for path in folder.rglob("*") if path.is_file()]
FOLDER_NAMES = {path.parent.name for path in FILES} | {folder.name for folder in FOLDERS}
FILE_NAMES = {path.name for path in FILES}
PAGES = sorted([*ROOT.glob("*.md"), *(path for path in FILES if path.suffix == ".md")])
SOURCES = sorted(path for path in FILES if path.suffix in (".c", ".h"))

COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
PATH = re.compile(r"(?<![\w/.<-])((?:[\w-]+/)+[\w-]+\.(?:c|h|py|def|md|sh|gp|java|build))\b")
HEADER = re.compile(r"(?<![\w/.<-])([\w-]+\.[ch])\b(?!\()")
SEE = re.compile(r"\bSee ([\w-]+\.h)\b")
PLACEHOLDER = re.compile(r"(?:^|[/_])(?:NAME|X)(?=[/.])")
COLUMNS = 100
NOT_OURS = {"mpi.h", "mpif.h", "cmocka.h"}


def text_of(path):
    return path.read_text(encoding="utf-8")


CONSTANTS = re.compile(r"^ *static const double ([A-Z][^;]*);|^enum \{([^}]*)\}", re.M)
# Sizes and units, which change no result.
TECHNICAL = {"S_PER_NS", "POLL_MS", "BATCH", "N_ESTIMATORS", "N_LEVELS", "FINE_LEVELS", "NOISE_LEVELS", "SPREAD_LIMIT"}


def without_code(text):
    """The page with empty lines where it has blocks of code."""
    lines, fenced = [], False
    for line in text.splitlines():
        fence = line.lstrip().startswith("```")
        lines.append("" if fenced or fence or line.startswith("    ") else line)
        fenced ^= fence
    return "\n".join(lines)


def place(path, text, at):
    return f"{path.relative_to(ROOT)}:{text.count(chr(10), 0, at) + 1}"


def is_there(name, near):
    return any((folder / name).exists() for folder in (ROOT, ROOT / "src", near, near.parent))


def paths_in(text):
    """Matches of names that begin with a folder of ours; `src/verbs/NAME/NAME.c` stands for many."""
    for match in PATH.finditer(text):
        if match[1].split("/")[0] in FOLDER_NAMES and not PLACEHOLDER.search(match[1]):
            yield match


class Pages(unittest.TestCase):
    def test_lines_have_at_most_100_columns(self):
        """Rows of tables and code can't be broken."""
        wide = [
            f"{page.relative_to(ROOT)}:{number}"
            for page in PAGES
            for number, line in enumerate(without_code(text_of(page)).splitlines(), 1)
            if len(line) > COLUMNS and not line.startswith("|")
        ]
        self.assertEqual(wide, [])

    def test_method_names_the_constants_of_predictions(self):
        """Each number in predict/ and execute/, and those of strata, that was chosen or derived by hand."""
        method = text_of(ROOT / "docs/METHOD.md")
        files = [*(ROOT / "src/signature/predict").glob("*.[ch]"), *(ROOT / "src/signature/execute").glob("*.[ch]"),
                 *(ROOT / "src/signature/noise").glob("*.[ch]"),
                 *((ROOT / "src/signature/phases" / name) for name in ("strata.c", "regular.c", "milestones.c"))]
        names = {name for file in files for constants in CONSTANTS.findall(text_of(file))
                 for name in re.findall(r"([A-Z][A-Z_]+) =", " ".join(constants))}
        self.assertGreater(len(names), 20)
        self.assertEqual(sorted(name for name in names - TECHNICAL if f"`{name}`" not in method), [])

    def test_files_that_pages_name_exist(self):
        absent = [
            f"{place(page, text, match.start())}: {match[1]}"
            for page in PAGES
            if page.name != "CHANGELOG.md"
            for text in [text_of(page)]
            for match in paths_in(text)
            if not is_there(match[1], page.parent)
        ]
        self.assertEqual(absent, [])


class Comments(unittest.TestCase):
    def comments(self):
        for path in SOURCES:
            text = text_of(path)
            for comment in COMMENT.finditer(text):
                yield path, comment[0], place(path, text, comment.start())

    def test_files_that_comments_name_exist(self):
        absent = [
            f"{where}: {match[1]}"
            for path, comment, where in self.comments()
            for match in paths_in(comment)
            if not is_there(match[1], path.parent)
        ]
        self.assertEqual(absent, [])

    def test_headers_that_comments_name_exist(self):
        absent = [
            f"{where}: {match[1]}"
            for path, comment, where in self.comments()
            for match in HEADER.finditer(comment)
            if match[1] not in FILE_NAMES | NOT_OURS and not PLACEHOLDER.match(match[1])
        ]
        self.assertEqual(absent, [])

    def test_see_names_a_header_of_the_same_folder(self):
        elsewhere = [
            f"{where}: {name}"
            for path, comment, where in self.comments()
            for name in SEE.findall(comment)
            if not (path.parent / name).exists()
        ]
        self.assertEqual(elsewhere, [])


if __name__ == "__main__":
    unittest.main()
