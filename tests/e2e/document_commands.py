# SPDX-License-Identifier: BSD-3-Clause
"""Runs the commands of README.md or of a guide in docs/guide/ in the order in which they stand, or a script of examples/. A
document has a folder with a copy of examples/ and nothing else.

In a ```console block, lines that begin with `$ ` are commands. The lines behind a command are its output, compared in shape
(shape.py) with standard output, or with standard output and error together. In a ```sh block, all lines are commands, and
their output isn't compared. NOT_RUN lists commands that can't run here, with the reasons. Commands that measure run for less
time here (SHORTER), because only the shape of their output is compared.

  document_commands.py TOPIC

The topic is the name of a document or of a folder in examples/. Meson has a test for each topic, so that they run side by
side."""

import collections
import functools
import os
import pathlib
import re
import shutil
import sys

import own_network
import shape
from harness import FIRMA, SHORT_OF_TIME, Skip, check, check_equal, firma, main, run, serve_first, test

ROOT = pathlib.Path(__file__).parents[2]
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs/guide").glob("*.md"))]
EXAMPLES = sorted(path.parent for path in (ROOT / "examples").glob("*/run.sh"))

# Pattern of a command, and the reason why it isn't run.
NOT_RUN = (
    (r"^make\b", "builds firma, or installs packages"),
    (r"--hosts\b", "needs a second host"),
)
# Commands that run only where programs can be saved.
NEEDS_CHECKPOINTS = r"^firma checkpoint\b|\.states\b|\bstates\.json\b"
# Commands that run only where PVM is installed, and the examples that do.
NEEDS_PVM = r"-lpvm3\b|\bring\b|\bmapped\.trace\b"
PVM_EXAMPLES = {"pvm"}
# Commands that may exit with another status than 0, and the error text in this case.
OTHER_STATUSES = (
    (r"^firma (?:diff|check|comm --compare)\b", 1, ""),  # the answer may be no
    # On a busy machine, not all configurations may have been measured, or nothing.
    (r"^firma comm\b", 4, "late in all"),
    (r"^firma machine export\b", 2, "has no configuration"),
)
# Runs that are shorter in this test: pattern, and what stands for it. It has four digits, too, because shape.py takes
# `1000 800` for one number.
SHORTER = (
    (r"(?<=\./jacobi )1000 (?:3000|4000|10000)\b", "500 1200"),
    (r"(--set N=(?:\d\*)?)10\^8\b", r"\g<1>10^6"),
    (r"\bmachine cpu (?!.* -t )", "machine cpu -t 10s "),
)
DURATION = re.compile(r"(?<= -t )(\d+)s\b")  # how long a command measures
DURATION_SHARES = (1 / 4, 1, 3)  # of it in this test, one after the other until the output is as shown

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


def has_pvm():
    return all(shutil.which(name) for name in ("pvm", "pvmd")) and os.path.exists("/usr/include/pvm3.h")


def reason_not_to_run(command):
    for pattern, reason in NOT_RUN:
        if re.search(pattern, command.text):
            return reason
    if re.search(NEEDS_CHECKPOINTS, command.text) and not can_save():
        return "programs can't be saved here"
    if re.search(NEEDS_PVM, command.text) and not has_pvm():
        return "PVM isn't installed"
    return None


def run_shorter(text, run_text, is_enough):
    """Calls run_text with commands that take less time. Repeats it with more time if that isn't enough, as firma says, too."""
    for pattern, replacement in SHORTER:
        text = re.sub(pattern, replacement, text)
    for share in DURATION_SHARES:
        result = run_text(DURATION.sub(lambda found: f"{max(1, round(int(found[1]) * share))}s", text))
        said = SHORT_OF_TIME.search(result.out + result.err)
        if not DURATION.search(text) or not said or is_enough(result):
            break
        print(f"# `{said[0]}`: the machine is busy, or that is a mistake")
    return result


def may_exit(command, result):
    return result.status == 0 or any(re.search(pattern, command.text) and result.status == status and words in result.err
                                     for pattern, status, words in OTHER_STATUSES)


def fits(command, result):
    return command.shown is None or shape.matches(command.shown, result.out, result.out + result.err, result.err + result.out)


def check_command(document, command, directory):
    """Runs a command, and compares its output. If it is repeated with more time, it replaces what it wrote."""
    where = f"{document.relative_to(ROOT)}:{command.line}"
    attempts = []

    def run_text(text):
        attempts.append(text)
        if len(attempts) > 1:
            text = DURATION.sub(r"\g<0> --force", text)
        return run(["bash", "-c", text], cwd=directory, env=ENVIRONMENT)

    def is_enough(result):
        is_used_later = command.shown is None and re.search(r" (?:-o|--into) ", command.text)
        return may_exit(command, result) and fits(command, result) and not is_used_later

    result = run_shorter(command.text, run_text, is_enough)
    check(may_exit(command, result), f"{where}: {result}")
    check(fits(command, result), f"{where}: `{command.text}` prints something else\n"
          f"{shape.difference(command.shown or [], result.out + result.err)}\n{result}")


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
        if folder.name in PVM_EXAMPLES and not has_pvm():
            raise Skip("PVM isn't installed")
        copied = os.path.join(directory, "examples")
        shutil.copytree(ROOT / "examples", copied)
        script = os.path.join(copied, folder.name, "run.sh")
        results = os.path.join(directory, "results")

        def run_script(text):
            shutil.rmtree(results, ignore_errors=True)
            with open(script, "w", encoding="utf-8") as file:
                file.write(text)
            return run(["sh", script, results], cwd=directory, env={**ENVIRONMENT, "FIRMA": FIRMA})

        shown = (folder / "expected.txt").read_text(encoding="utf-8").splitlines()
        result = run_shorter((folder / "run.sh").read_text(encoding="utf-8"), run_script,
                             lambda result: result.status == 0 and shape.matches(shown, result.out)).expect(0)
        check(shape.matches(shown, result.out), f"it prints something else\n{shape.difference(shown, result.out)}")
        check_equal(sorted(os.listdir(directory)), ["examples", "results"], "files outside of the results")
        check_equal(sorted(os.listdir(os.path.join(copied, folder.name))), sorted(os.listdir(folder)), "files beside the script")


def add_topic(topic):
    for document in DOCUMENTS:
        if document.stem == topic:
            add_document(document)
    for folder in EXAMPLES:
        if folder.name == topic:
            add_example(folder)


if __name__ == "__main__":
    own_network.enter()
    serve_first()
    add_topic(sys.argv[1])
    main()
