# SPDX-License-Identifier: BSD-3-Clause
"""Runs the commands of README.md and of docs/guide/*.md in the order in which they stand, and the scripts of examples/. Each
document has a folder with a copy of examples/ and nothing else.

In a ```console block, lines that begin with `$ ` are commands. The lines behind a command are its output, compared in shape
(shape.py) with standard output, or with standard output and error together. In a ```sh block, all lines are commands, and
their output isn't compared. NOT_RUN lists commands that can't run here, with the reasons."""

import collections
import functools
import os
import pathlib
import re
import shutil

import shape
from harness import FIRMA, check, check_equal, firma, main, run, test

ROOT = pathlib.Path(__file__).parents[2]
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs/guide").glob("*.md"))]
EXAMPLES = sorted(path.parent for path in (ROOT / "examples").glob("*/run.sh"))

# Pattern of a command, and the reason why it isn't run.
NOT_RUN = (
    (r"^make\b", "builds firma, or installs packages"),
    (r"--hosts\b", "needs a second host"),
)
NOT_RUN_LIMIT = 10  # over all documents
# Commands that run only where programs can be saved.
NEEDS_CHECKPOINTS = r"^firma checkpoint\b|\.states\b|\bstates\.json\b"
# Commands that may exit with another status than 0, and the error text in this case.
OTHER_STATUSES = (
    (r"^firma (?:diff|check)\b", 1, ""),  # the answer may be no
    (r"^firma machine export\b", 3, "aren't linear"),  # costs measured on a busy machine may fit no lines
)

ENVIRONMENT = {
    "PATH": f"{os.path.dirname(FIRMA)}:{os.environ['PATH']}",
    # Open MPI: root may start programs, and more processes than cores; waiting ranks yield.
    "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_rmaps_base_oversubscribe": "true", "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe",
    "OMPI_MCA_mpi_yield_when_idle": "1",
}

Command = collections.namedtuple("Command", "line text shown")  # shown: lines of output; None: not compared


def blocks_of(lines):
    """Yields (kind, [(number, line)]) of each fenced block."""
    kind, content = None, []
    for number, line in enumerate(lines, 1):
        if not line.startswith("```"):
            content.append((number, line))
        elif kind is None:
            kind, content = line[3:].strip(), []
        else:
            yield kind, content
            kind = None


def join_continued(content):
    """Joins lines that end in a backslash with the lines that continue them."""
    joined = []
    for number, line in content:
        if joined and joined[-1][1].endswith("\\"):
            joined[-1] = (joined[-1][0], joined[-1][1][:-1] + line.lstrip())
        else:
            joined.append((number, line))
    return joined


def commands_of(document):
    """Returns the commands of a document, in order."""
    commands = []
    for kind, content in blocks_of(document.read_text(encoding="utf-8").splitlines()):
        for number, line in join_continued(content):
            if kind == "sh" and line.strip() and not line.lstrip().startswith("#"):
                commands.append(Command(number, line.strip(), None))
            elif kind == "console" and line.startswith("$ "):
                commands.append(Command(number, line[2:].strip(), []))
            elif kind == "console":
                check(commands, f"{document.name}:{number}: output without a command")
                commands[-1].shown.append(line)
    return commands


@functools.cache
def can_save():
    questions = firma("doctor", "--json").expect(0, 1).json()["questions"]
    return not any("checkpoint" in missing["what"] for item in questions for missing in item["missing"])


def reason_not_to_run(command):
    for pattern, reason in NOT_RUN:
        if re.search(pattern, command.text):
            return reason
    if re.search(NEEDS_CHECKPOINTS, command.text) and not can_save():
        return "programs can't be saved here"
    return None


def check_command(document, command, directory):
    """Runs a command, and compares its output."""
    where = f"{document.relative_to(ROOT)}:{command.line}"
    result = run(["bash", "-c", command.text], cwd=directory, env=ENVIRONMENT)
    check(result.status == 0 or any(re.search(pattern, command.text) and result.status == status and words in result.err
                                    for pattern, status, words in OTHER_STATUSES), f"{where}: {result}")
    if command.shown is None:
        return
    fits = shape.matches(command.shown, result.out, result.out + result.err, result.err + result.out)
    check(fits, f"{where}: `{command.text}` prints something else\n"
                f"{shape.difference(command.shown, result.out + result.err)}\n{result}")


def add_document(document):
    @test(f"{document.relative_to(ROOT)}: commands run and print what it shows")
    def runs(directory):
        shutil.copytree(ROOT / "examples", os.path.join(directory, "examples"))
        commands = commands_of(document)
        check(commands, "it has no command")
        for command in commands:
            reason = reason_not_to_run(command)
            if reason:
                print(f"# not run: {command.text}: {reason}")
            else:
                check_command(document, command, directory)


def add_example(folder):
    @test(f"examples/{folder.name}/run.sh prints what expected.txt shows")
    def runs(directory):
        result = run(["sh", str(folder / "run.sh"), os.path.join(directory, "results")], cwd=directory,
                     env={**ENVIRONMENT, "FIRMA": FIRMA}).expect(0)
        shown = (folder / "expected.txt").read_text(encoding="utf-8").splitlines()
        check(shape.matches(shown, result.out), f"it prints something else\n{shape.difference(shown, result.out)}")
        check_equal(os.listdir(directory), ["results"], "files outside of the results")


for one in DOCUMENTS:
    add_document(one)
for one in EXAMPLES:
    add_example(one)


@test("few commands of documents aren't run")
def few_are_left_out():
    left_out = [command.text for document in DOCUMENTS for command in commands_of(document)
                if any(re.search(pattern, command.text) for pattern, _ in NOT_RUN)]
    check(len(left_out) <= NOT_RUN_LIMIT, f"{len(left_out)} aren't: {left_out}")
    unused = [pattern for pattern, _ in NOT_RUN if not any(re.search(pattern, text) for text in left_out)]
    check(not unused, f"rules that no command needs: {unused}")


@test("no command of a document hides in an indented block")
def all_are_fenced():
    for document in DOCUMENTS:
        for number, line in enumerate(document.read_text(encoding="utf-8").splitlines(), 1):
            check(not re.match(r" {4,}(?:\$ )?(?:firma|make|mpirun|mpicc) ", line),
                  f"{document.name}:{number}: in no ```sh or ```console block")


@test("links between documents lead somewhere")
def links_resolve():
    for document in [*DOCUMENTS, *sorted((ROOT / "docs").glob("*.md")), ROOT / "CONTRIBUTING.md"]:
        text = re.sub(r"`[^`]*`", "", document.read_text(encoding="utf-8"))
        for target in re.findall(r"\]\(([^)\s]+)\)", text):
            path, _, anchor = target.partition("#")
            if "://" in target:
                continue
            file = document.parent / path if path else document
            check(file.exists(), f"{document.name}: there is no {target}")
            if anchor and file.suffix == ".md":
                anchors = {re.sub(r"[^\w\- ]", "", line.lstrip("# ").lower()).replace(" ", "-")
                           for line in file.read_text(encoding="utf-8").splitlines() if line.startswith("#")}
                check(anchor in anchors, f"{document.name}: {path or 'the page itself'} has no #{anchor}")


@test("each section of docs/RESULTS.md says by which command, when, where and of which commit it was measured")
def results_say_their_origin():
    sections = (ROOT / "docs/RESULTS.md").read_text(encoding="utf-8").split("\n## ")[1:]
    for section in sections:
        title, origin = section.split("\n", 1)[0], " ".join(section.split("\n\n")[1].split())
        for what, pattern in (("command", r"\*Command:\* `[^`]+`"), ("date", r"\*Measured:\* 2\d{3}-\d\d-\d\d"),
                              ("commit", r"\bcommit [0-9a-f]{7}\b"), ("machine", r"\bcores of ")):
            check(re.search(pattern, origin), f"{title}: it doesn't say its {what}: {origin}")


@test("README.md is one page: at most 150 lines of at most 100 columns")
def is_one_page():
    lines = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()
    check(len(lines) <= 150, f"{len(lines)} lines")
    wide = [number for number, line in enumerate(lines, 1) if len(line) > 100]
    check(not wide, f"wider than 100 columns: lines {wide}")


main()
