# SPDX-License-Identifier: BSD-3-Clause
"""Tests docs/CONVENTIONS.md on every verb and word that firma lists: help, usage errors, missing inputs, --json, -q."""

import os
import pathlib
import re

from harness import APPS, check, check_equal, firma, main, test
from inputs import prepare

ROOT = pathlib.Path(__file__).parents[2]

# Words with which each verb succeeds. INPUT:name is a file or directory that the verb reads. RUN
# stands for the launcher's command line of a program that prints nothing.
LINES = {
    "study": ["RUN"],
    "trace": ["RUN"],
    "phases": ["INPUT:app.trace"],
    "checkpoint": ["INPUT:app.firma", "--windows", "1"],
    "measure": ["INPUT:app.firma", "RUN"],
    "predict": ["INPUT:app.firma", "INPUT:app.times"],
    "simulate": ["INPUT:app.trace", "--platform", "2x1:1us,1GB/s"],
    "report": ["INPUT:app.trace"],
    "show": ["INPUT:app.trace"],
    "diff": ["INPUT:app.trace", "INPUT:app.trace"],
    "check": ["INPUT:program"],
    "export": ["INPUT:app.trace", "-o", "out/a"],
    "comm": ["--only", "os:unix", "--operations", "pingpong", "--sizes", "1:8x2", "--time", "1s"],
    "machine show": ["INPUT:hosts.json"],
    "machine export": ["INPUT:hosts.json", "--to", "simgrid", "-o", "out/a"],
    "machine cpu": ["--languages", "c", "--time", "1s"],
    "machine noise": ["--time", "1s"],
    "map": ["INPUT:graph.ttig", "--platform", "1x2:1us,1GB/s"],
    "graph": ["INPUT:graph.json"],
    "cost check": ["INPUT:app.pasl"],
    "cost model": ["INPUT:app.pasl"],
    "cost predict": ["INPUT:app.pasl", "-m", "INPUT:cpu.json", "--no-messages", "--workers", "1"],
    "cost run": ["INPUT:app.pasl", "--workers", "1", "--repeat", "1"],
    "scale runs": ["INPUT:runs.csv"],
    "scale counts": ["INPUT:one.trace", "INPUT:app.trace", "INPUT:three.trace"],
    "scale trace": ["INPUT:app.trace"],
    "scale model": ["n/p + log2(p)", "--sizes", "64", "-n", "1:8x2"],
    "scale run": ["-n", "1,2", "--repeat", "1", "-o", "new.csv", "--", "true", "{processes}"],
    "doctor": [],
}
WITHOUT_CRIU = {"FIRMA_CRIU": "/nowhere"}  # doctor's trial of CRIU takes seconds


def pages(*words):
    """Yields the help of all verbs and of their words, as JSON."""
    page = firma("help", *words, "--json").expect(0).json()
    if words:
        yield page
    for inner in page.get("verbs", page.get("words", [])):
        yield from pages(*inner["name"].split())


PAGES = {page["name"]: page for page in pages()}
RUNNING = [name for name, page in PAGES.items() if "words" not in page]  # the others consist of words


def enter(directory):
    """Fills the directory with inputs. Returns the launcher's command line."""
    command = prepare(directory)
    os.symlink(command[program_at(command)], os.path.join(directory, "program"))
    with open(os.path.join(directory, "quiet.sh"), "w", encoding="utf-8") as file:
        file.write('#!/bin/sh\nexec "$@" >/dev/null\n')
    firma("measure", "app.firma", "-o", "app.times", "--", *command, cwd=directory).expect(0)
    return command


def program_at(command):
    return next(i for i, word in enumerate(command) if os.path.dirname(word) == APPS)


def line(verb, command, *options, missing=None):
    """Returns the command line of a verb, with options. The input with the number `missing` doesn't exist."""
    words, n_inputs = [*verb.split(), *options], 0
    for word in LINES[verb]:
        if word == "RUN":
            words += ["--", *command]
        elif word.startswith("INPUT:"):
            words.append("no-such-" + word[6:] if n_inputs == missing else word[6:])
            n_inputs += 1
        else:
            words.append(word)
    return words


def check_document(result, verb):
    """Checks that stdout is one JSON object that names the verb; returns the object."""
    document = result.json()
    check_equal(list(document)[:2], ["firma", "verb"], f"first keys of `{verb}`")
    check_equal(document["verb"], verb.split()[0], "verb")
    check_equal("error" in document, result.status != 0, f"error of `{verb}`")
    return document


def check_usage_error(verb, words, *said, **options):
    """Checks for an error on stderr with a hint, and with --json also on stdout."""
    result = firma(*words, **options).expect(2)
    check_equal(result.out, "", f"stdout of {words}")
    check(result.err.startswith(f"firma {verb}: ") or result.err.startswith("firma "), f"who says it?\n{result}")
    for text in said:
        check(text in result.err, f"`{text}` isn't said\n{result}")
    at = words.index("--") if "--" in words else len(words)
    again = firma(*words[:at], "--json", *words[at:], **options).expect(2)
    error = check_document(again, verb)["error"]
    check_equal((error["kind"], error["exit_status"]), ("usage", 2), "the error")
    check_equal(again.err, result.err, "stderr with --json")


@test("every verb that the program lists has a command line here")
def complete():
    check_equal(sorted(LINES), sorted(RUNNING), "verbs")
    check(len(PAGES) > 25, "few pages")


def rows_of(text, heading):
    """Returns {first cell: second cell} of the table below a heading of the page."""
    section = text.split(f"\n## {heading}\n", 1)[1].split("\n## ", 1)[0]
    return dict(re.findall(r"^\| `?([^`|]+?)`? \| (.+?) \|$", section, re.M))


@test("the page has the exit statuses and variables of firma(1), and these are the variables that firma reads")
def page_and_manual(directory):
    page = (ROOT / "docs/CONVENTIONS.md").read_text(encoding="utf-8")
    firma("--generate", "man", directory).expect(0)
    with open(os.path.join(directory, "firma.1"), encoding="utf-8") as file:
        sections = dict(re.findall(r"^\.SH ([A-Z ]+)\n(.*?)(?=^\.SH |\Z)", file.read(), re.M | re.S))
    statuses = dict(re.findall(r"^\.B (\d+)\n(.*)$", sections["EXIT STATUS"], re.M))
    check_equal({status: meaning for status, meaning in rows_of(page, "Exit status").items() if status.isdigit()}, statuses,
                "exit statuses")
    named = set(re.findall(r"^\.B (\w+)$", sections["ENVIRONMENT"], re.M))
    check_equal({name for name in rows_of(page, "Environment") if name.isupper()}, named, "variables")
    read = {name for path in (ROOT / "src").rglob("*.c") for name in re.findall(r'getenv\("(\w+)"\)', path.read_text(encoding="utf-8"))}
    others = re.compile(r"(OMPI|UCX|SLURM|PVM)_|HOME$|PATH$|LD_PRELOAD$")  # variables of launchers, and of every program
    check_equal({name for name in read if not others.match(name)}, named, "variables that are read")
    for option in ("json", "quiet", "help"):
        check(f"\\-\\-{option}" in sections["OPTIONS"], f"--{option} isn't in firma(1)")


@test("--help prints on stdout, as text and as one document")
def prints_help():
    for name in PAGES:
        for words in ([*name.split(), "--help"], [*name.split(), "-h"], ["help", *name.split()]):
            result = firma(*words).expect(0)
            check(result.out.startswith(f"Usage: firma {name} ") and not result.err, f"help of {name}\n{result}")
        document = firma(*name.split(), "--help", "--json").expect(0).json()
        check_equal((list(document)[:1], document["name"]), (["firma"], name), "its document")


@test("an unknown option is a usage error that suggests an option, once")
def unknown_option():
    for name in RUNNING:
        check_usage_error(name, [*name.split(), "--quite"], "--quite: unknown option", "did you mean `--quiet`?")
        check_usage_error(name, [*name.split(), "--no-such-option=x"], "--no-such-option", "hint: ")


@test("a verb or word without its required words is a usage error with a hint")
def missing_argument(directory):
    for name in PAGES:
        if name not in ("comm", "machine cpu", "machine noise", "doctor"):
            check_usage_error(name, name.split(), "hint: ", cwd=directory)
    check_equal(os.listdir(directory), [], "files")


@test("a word too many is a usage error that names it")
def superfluous_argument(directory):
    for name in ("comm", "machine cpu", "machine noise", "doctor", "study", "trace", "scale run"):
        check_usage_error(name, [*name.split(), "superfluous"], "superfluous", cwd=directory)
    check_equal(os.listdir(directory), [], "files")


BAD_NUMBERS = ("", "x", "-1", "nan", "1x", "1e400")
NUMBERS = {**dict.fromkeys(("PERCENT", "SHARE", "SECONDS", "MS"), BAD_NUMBERS),
           **dict.fromkeys(("N", "RANK", "A:B", "DURATION", "SIZE"), (*BAD_NUMBERS, "9" * 20)),
           "LIST": (*BAD_NUMBERS, "1,", "9" * 20)}


def without(words, names):
    """The words without an option and its value."""
    return [word for i, word in enumerate(words) if word not in names and (i == 0 or words[i - 1] not in names)]


@test("a number that is none, or out of range, is refused with its option and itself")
def wrong_numbers(directory):
    command, n_options = enter(directory), 0
    for name in RUNNING:
        for option in PAGES[name]["options"]:
            shown = re.fullmatch("(?:(-.), )?(--[a-z-]+)=(.+)", option["option"])
            if not shown or shown[3] not in NUMBERS or "values" in option or (shown[2] == "--nodes"):
                continue
            n_options += 1
            for value in NUMBERS[shown[3]]:
                words = without(line(name, command, f"{shown[2]}={value}"), shown.groups()[:2])
                result = firma(*words, cwd=directory).expect(2)
                check(shown[2] in result.err and (value in result.err or " goes with " in result.err),
                      f"option or value isn't named\n{result}")
    check(n_options > 40, "few options take numbers")


@test("a missing input is named, with status 3")
def missing_input(directory):
    command = enter(directory)
    for name, words in LINES.items():
        for i in range(sum(word.startswith("INPUT:") for word in words)):
            result = firma(*line(name, command, missing=i), cwd=directory).expect(3)
            check("no-such-" in result.err and not result.out, f"{name}: the input isn't named\n{result}")
            again = firma(*line(name, command, "--json", missing=i), cwd=directory).expect(3)
            error = check_document(again, name)["error"]
            check_equal((error["kind"], error["exit_status"]), ("input", 3), f"the error of {name}")
            check(error["message"] in again.err, f"{name}: stderr says something else\n{again}")


@test("COLUMNS folds tables and sentences, and without it a row is one line")
def columns(directory):
    command = enter(directory)
    for name in ("show", "diff", "machine show", "map", "graph", "cost predict", "scale runs", "scale trace", "scale counts"):
        narrow = firma(*line(name, command), cwd=directory, env={"COLUMNS": "70"}).expect(0).out
        wide = firma(*line(name, command), cwd=directory, env={"COLUMNS": "1000"}).expect(0).out
        check_equal([row for row in narrow.splitlines() if len(row) > 70], [], f"lines of {name} that are too long")
        check_equal(set(wide.split()) ^ set(narrow.split()), set(), f"words of {name} in one alone")


def add_run(name):
    @test(f"{name} --json prints one document, and {name} -q nothing, on stdout")
    def prints(directory):
        command = enter(directory)
        if name == "trace":  # stdout belongs to the program
            at = program_at(command)
            command = [*command[:at], "sh", "quiet.sh", *command[at:]]
        document = firma(*line(name, command, "--json"), cwd=directory, env=WITHOUT_CRIU).expect(0)
        check_document(document, name)
        force = ["--force"] if any("--force" in option["option"] for option in PAGES[name]["options"]) else []
        quiet = firma(*line(name, command, "-q", *force), cwd=directory, env=WITHOUT_CRIU).expect(0)
        check_equal((quiet.out, quiet.err), ("", ""), "stdout and stderr")


for _name in RUNNING:
    add_run(_name)

main()
