#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs Meson's tests in build folders, and ends with one line: N passed, N failed[, N skipped].

Arguments: FOLDER, FOLDER:SUITE for one suite, FOLDER:-SUITE for all but one. Counted are the single tests that a program reports (TAP, cmocka, unittest); a program
that reports none counts as one, and one that fails without saying which test did, as one failure more.
"""
import json
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

TAP = re.compile(r"^(not )?ok\b(.*)$", re.MULTILINE)
CMOCKA_PASSED = re.compile(r"^\[  PASSED  \] (\d+) test", re.MULTILINE)
CMOCKA_FAILED = re.compile(r"^\[  FAILED  \] .*?(\d+) test", re.MULTILINE)
CMOCKA_SKIPPED = re.compile(r"^\[  SKIPPED \] .*?(\d+) test", re.MULTILINE)
UNITTEST = re.compile(r"^Ran (\d+) tests? in", re.MULTILINE)
UNITTEST_OTHERS = re.compile(r"\b(failures|errors|skipped)=(\d+)")


def count_tap(output):
    counts = Counter()
    for failed, rest in TAP.findall(output):
        if re.search(r"#\s*(skip|todo)", rest, re.IGNORECASE):
            counts["skipped"] += 1
        else:
            counts["failed" if failed else "passed"] += 1
    return counts


def count_cmocka(output):
    sums = {"passed": CMOCKA_PASSED, "failed": CMOCKA_FAILED, "skipped": CMOCKA_SKIPPED}
    return Counter({name: sum(map(int, pattern.findall(output))) for name, pattern in sums.items()})


def count_unittest(output):
    ran = sum(map(int, UNITTEST.findall(output)))
    counts = Counter()
    for kind, number in UNITTEST_OTHERS.findall(output):
        counts["skipped" if kind == "skipped" else "failed"] += int(number)
    counts["passed"] = ran - counts["failed"] - counts["skipped"]
    return counts


def count_program(entry):
    """What one entry of Meson's test log stands for."""
    output = (entry.get("stdout") or "") + "\n" + (entry.get("stderr") or "")
    counts = Counter()
    for count in (count_tap, count_cmocka, count_unittest):
        counts = +count(output)
        if counts:
            break
    if entry["result"] == "SKIP":
        return counts or Counter(skipped=1)
    if entry["result"] in ("OK", "EXPECTEDFAIL"):
        return counts or Counter(passed=1)
    return counts if counts["failed"] else counts + Counter(failed=1)


def run_folder(folder, suite):
    """Runs the tests of a build folder; their counts. Not even a log: one failure."""
    log = Path(folder, "meson-logs", "testlog.json")
    log.unlink(missing_ok=True)
    command = ["meson", "test", "-C", folder, "--print-errorlogs"]
    if suite:
        command += ["--no-suite", suite[1:]] if suite.startswith("-") else ["--suite", suite]
    status = subprocess.run(command, check=False).returncode
    counts = Counter()
    if log.exists():
        for line in log.read_text(encoding="utf-8", errors="replace").splitlines():
            counts += count_program(json.loads(line))
    if status != 0 and not counts["failed"]:
        print(f"{folder}: meson test ended with status {status}", file=sys.stderr)
        counts["failed"] += 1
    return counts


def build_aside(folder):
    """Builds a folder with what the tests of those before it leave of the processors: much of their time is waiting."""
    return subprocess.Popen(["nice", "-n", "19", "ninja", "-C", folder], stdout=subprocess.DEVNULL)


def main():
    counts = Counter()
    folders = [argument.partition(":") for argument in sys.argv[1:]]
    builds = {folder: build_aside(folder) for folder, _, _ in folders[1:] if folder != folders[0][0]}
    for folder, _, suite in folders:
        if folder in builds:
            builds.pop(folder).wait()
        counts += run_folder(folder, suite)  # which builds what is missing, and says why it can't
    skipped = f", {counts['skipped']} skipped" if counts["skipped"] else ""
    sys.stderr.flush()
    print(f"{counts['passed']} passed, {counts['failed']} failed{skipped}", flush=True)
    return 1 if counts["failed"] or not counts["passed"] else 0


if __name__ == "__main__":
    sys.exit(main())
