#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs Meson's tests in build folders. At the end, prints the tests that were skipped with the reason, those that passed at
their second try only, those that failed, and a line of counts: N passed, N failed[, N skipped].

Arguments: FOLDER, or FOLDER:SUITES with names separated by commas: one suite, -SUITE for all but one. The folders run at the same time, because many
tests of the first folder wait more than they compute. The output of the others is printed when they are done.

Counts are of single tests, as a program reports them (TAP, cmocka, unittest). A program that reports none counts as one
test. A program that fails without naming a failed test counts as one more failure."""

import json
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

TAP = re.compile(r"^(not )?ok\b(?: (?:\d+ )?(?:- )?(.*))?((?:\n#.*)*)$", re.MULTILINE)
TAP_SKIPPED = re.compile(r"\s*#\s*(?:skip|todo)\b[: ]*(.*)", re.IGNORECASE)
CMOCKA = {"passed": re.compile(r"^\[  PASSED  \] (\d+) test", re.MULTILINE),
          "failed": re.compile(r"^\[  FAILED  \] .*?(\d+) test", re.MULTILINE),
          "skipped": re.compile(r"^\[  SKIPPED \] .*?(\d+) test", re.MULTILINE)}
UNITTEST = re.compile(r"^Ran (\d+) tests? in", re.MULTILINE)
UNITTEST_OTHERS = re.compile(r"\b(failures|errors|skipped)=(\d+)")
COMMENTS_SHOWN = 3000  # characters of what a failed test says
SECOND_TRY = "this was the second try"  # tests/e2e/harness.py prints it
PATIENCE = "10"  # factor on Meson's time limits, which are for a quiet machine


class Tally:
    """Numbers of tests by outcome, and lines about those that failed or were skipped."""

    def __init__(self, name=""):
        self.name, self.counts, self.lines = name, Counter(), {"skipped": [], "passed at the second try": [], "failed": []}

    def add(self, outcome, number=1, what=""):
        self.counts[outcome] += number
        if outcome in self.lines and number:
            self.lines[outcome].append(f"{self.name}: {what}" if what else self.name)

    def take(self, other):
        self.counts += other.counts
        for outcome, lines in other.lines.items():
            self.lines[outcome] += lines


def count_tap(output, tally):
    for failed, what, comments in TAP.findall(output):
        skipped = TAP_SKIPPED.search(what)
        if skipped:
            reason = skipped.group(1) or "no reason is given"
            tally.add("skipped", what=f"{what[:skipped.start()]}: {reason}")
        else:
            what += comments.replace("\n#", "\n    ")[:COMMENTS_SHOWN]
            tally.add("failed" if failed else "passed", what=what)
            if not failed and SECOND_TRY in comments:
                tally.add("passed at the second try", what=what)


def count_cmocka(output, tally):
    for outcome, pattern in CMOCKA.items():
        tally.add(outcome, sum(map(int, pattern.findall(output))))


def count_unittest(output, tally):
    ran = sum(map(int, UNITTEST.findall(output)))
    for kind, number in UNITTEST_OTHERS.findall(output):
        tally.add("skipped" if kind == "skipped" else "failed", int(number))
    tally.add("passed", ran - tally.counts["failed"] - tally.counts["skipped"])


def count_program(entry):
    """Returns the counts of one entry of Meson's test log."""
    output = (entry.get("stdout") or "") + "\n" + (entry.get("stderr") or "")
    for count in (count_tap, count_cmocka, count_unittest):
        tally = Tally(entry["name"])
        count(output, tally)
        if sum(tally.counts.values()):
            break
    found = sum(tally.counts.values())
    if entry["result"] == "SKIP" and not found:
        tally.add("skipped", what=output.strip() or "no reason is given")
    elif entry["result"] in ("OK", "EXPECTEDFAIL") and not found:
        tally.add("passed")
    elif entry["result"] not in ("OK", "EXPECTEDFAIL", "SKIP") and not tally.counts["failed"]:
        tally.add("failed", what=f"{entry['result'].lower()} (exit status {entry.get('returncode')})")
    return tally


class Run:
    """A run of the tests in a build folder. The tests are built first."""

    def __init__(self, folder, suites, output, before=()):
        self.folder, self.output = folder, output
        self.log = Path(folder, "meson-logs", "testlog.json")
        self.log.unlink(missing_ok=True)
        command = [*before, "meson", "test", "-C", folder, "--print-errorlogs", "--timeout-multiplier", PATIENCE,
                   "--num-processes", str(2 * (os.cpu_count() or 1))]
        for name in filter(None, suites.split(",")):
            command += ["--no-suite", name[1:]] if name.startswith("-") else ["--suite", name]
        self.process = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT if output else None,
                                        env=os.environ | {"FIRMA_SECOND_TRY": "1"})

    def finish(self):
        """Returns the tests' tally. Without a log, this is one failure."""
        status = self.process.wait()
        if self.output:
            self.output.seek(0)
            sys.stdout.write(self.output.read().decode(errors="replace"))
        tally = Tally(self.folder)
        if self.log.exists():
            for line in self.log.read_text(encoding="utf-8", errors="replace").splitlines():
                tally.take(count_program(json.loads(line)))
        if status != 0 and not tally.counts["failed"]:
            tally.add("failed", what=f"meson test ended with status {status}")
        return tally


def main():
    runs = []
    for number, argument in enumerate(sys.argv[1:]):
        folder, _, suites = argument.partition(":")
        runs.append(Run(folder, suites, tempfile.TemporaryFile(), ["nice"]) if number else Run(folder, suites, None))
    tally = Tally()
    for run in runs:
        tally.take(run.finish())
    for outcome, lines in tally.lines.items():  # failures last: the end of a long output is what one sees first
        if lines:
            print(f"\n{outcome}:", *lines, sep="\n  ")
    counts = tally.counts
    skipped = f", {counts['skipped']} skipped" if counts["skipped"] else ""
    print(f"\n{counts['passed']} passed, {counts['failed']} failed{skipped}", flush=True)
    return 1 if counts["failed"] or not counts["passed"] else 0


if __name__ == "__main__":
    sys.exit(main())
