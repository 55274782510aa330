# SPDX-License-Identifier: BSD-3-Clause
"""Names that try to command a terminal, to forge a line or to hide something: programs, arguments, hosts, tasks, regions, files.
No verb prints such a character, as text or as JSON, on either stream. Values of JSON keep all bytes."""

import json
import os
import shutil
import unicodedata

from harness import FIRMA, app, check, check_equal, launcher, main, run, test

# Escape sequences (C0, C1), lines of their own, marks of direction, invisible characters, a byte that isn't UTF-8.
EVIL = "\x1b]0;title\x07\x1b[2J\x9b31m\nFORGED\rFORGED\x1f|\x7f\u202etxt\u2066\u200b\ufeff\xad\u2028\U000e0041\udcff"
IN_JSON = EVIL.replace("\udcff", "\\xff")  # firma's form of a byte that isn't UTF-8
PROGRAM = "cg" + EVIL
TEXTS = {"executable", "mpi_library", "build_id", "name", "host", "command", "processor", "system", "library", "message",
         "source", "date", "launcher"}


def check_clean(result):
    for stream, text in (("stdout", result.out), ("stderr", result.err)):
        bad = {character for character in text if character not in "\n\t" and
               (unicodedata.category(character) in ("Cc", "Cf", "Zl", "Zp", "Cs") or character == "\ufffd")}
        check(not bad, f"{stream} holds {sorted(map(ascii, bad))}\n{ascii(str(result))}")
        check(not any(line.lstrip().startswith("FORGED") for line in text.split("\n")),
              f"{stream} holds a forged line\n{ascii(str(result))}")
    return result


def verb(directory, *words, statuses=(0,), json_too=True):
    """Runs a verb, as text and with --json. Returns the document."""
    result = check_clean(run([FIRMA, *words], cwd=directory, env={"FIRMA_CRIU": "/nowhere"})).expect(*statuses)
    if not json_too:
        return result
    at = words.index("--") if "--" in words else len(words)
    forced = ["--force"] if "-o" in words else []
    result = check_clean(run([FIRMA, *words[:at], "--json", *forced, *words[at:]], cwd=directory,
                             env={"FIRMA_CRIU": "/nowhere"}))
    result.expect(*statuses)
    return result.json()


def corrupt(value, key=""):
    """A JSON document with EVIL at the end of all its free texts."""
    if isinstance(value, dict):
        return {name: corrupt(item, name) for name, item in value.items()}
    if isinstance(value, list):
        return [corrupt(item, key) for item in value]
    return value + IN_JSON if isinstance(value, str) and (key in TEXTS or key in ("arguments", "hosts")) else value


def corrupt_file(directory, name):
    with open(os.path.join(directory, name), encoding="utf-8") as file:
        document = corrupt(json.load(file))
    with open(os.path.join(directory, name), "w", encoding="utf-8") as file:
        json.dump(document, file)


def command_in(directory):
    shutil.copy(app("cg"), os.path.join(directory, PROGRAM))
    return [*launcher("openmpi", 2), "./" + PROGRAM, "32", "20", "10", EVIL]


@test("no verb that runs a program prints control characters of its name, of its arguments and of outputs")
def running(directory):
    command = command_in(directory)
    traced = verb(directory, "trace", "-o", "t" + EVIL, "--", *command)
    check_equal(traced["trace"], "t" + IN_JSON, "the trace")
    verb(directory, "phases", "t" + EVIL, "-o", "s" + EVIL, json_too=False)
    verb(directory, "measure", "s" + EVIL, "-o", "n", "--", *command[:-1], "other" + EVIL, statuses=(3,), json_too=False)
    verb(directory, "checkpoint", "s" + EVIL, json_too=False)
    verb(directory, "check", PROGRAM, json_too=False)
    shown = verb(directory, "show", "t" + EVIL)
    check_equal(shown["arguments"], ["32", "20", "10", IN_JSON], "the arguments")
    verb(directory, "show", "s" + EVIL, "--phase", "1", json_too=False)
    verb(directory, "diff", "t" + EVIL, "t" + EVIL, json_too=False)
    verb(directory, "export", "t" + EVIL, "-o", "e" + EVIL, json_too=False)
    verb(directory, "scale", "trace", "t" + EVIL, json_too=False)
    verb(directory, "graph", "t" + EVIL, "-o", "g" + EVIL, json_too=False)
    verb(directory, "map", "g" + EVIL, "--platform", "1x2:1us,1GB/s", "--mapper", "block", "-o", "p" + EVIL, json_too=False)
    verb(directory, "scale", "run", "-n", "1", "--repeat", "1", "-o", "r" + EVIL, "--", "true", "{processes}", EVIL,
         json_too=False)
    verb(directory, "scale", "run", "-n", "2", "--repeat", "1", "-o", "r" + EVIL, "--", "false", "{processes}", EVIL,
         statuses=(1, 3, 4), json_too=False)


@test("no verb that reads documents prints control characters of their names")
def reading(directory):
    from inputs import prepare
    prepare(directory)
    for words in (["trace", "-q", "-o", "app.trace", "--force"], ["measure", "-q", "app.firma", "-o", "times.json"]):
        run([FIRMA, *words, "--", *launcher("openmpi", 2), app("cg"), "32", "20", "10"], cwd=directory).expect(0)
    os.rename(os.path.join(directory, "task.c"), os.path.join(directory, "task" + EVIL + ".c"))
    for name in ("app.firma", "times.json", "hosts.json", "cpu.json"):
        corrupt_file(directory, name)
    verb(directory, "show", "app.firma")
    verb(directory, "show", "app.firma", "--phase", "1")
    verb(directory, "predict", "app.firma", "times.json")
    verb(directory, "measure", "app.firma", "-o", "times2.json", "--", *launcher("openmpi", 2), app("cg"), "32", "20", "10",
         statuses=(3,))
    verb(directory, "machine", "show", "hosts.json", statuses=(0, 3))
    verb(directory, "machine", "show", "cpu.json", statuses=(0, 3))
    verb(directory, "machine", "export", "hosts.json", "--to", "simgrid", "-o", "platform", statuses=(0, 3))
    verb(directory, "cost", "check", "task" + EVIL + ".c", statuses=(2, 3))
    verb(directory, "cost", "model", "task" + EVIL + ".c", "--entry", "count", statuses=(0, 3))
    for name, text in (("graph.ttig", json.dumps({"format": "firma ttig", "version": 1, "source": IN_JSON, "nodes": [
            {"seconds": 1, "name": IN_JSON}, 1], "edges": []})),
                       ("runs.csv", f'p,size,time\n1,"{EVIL}",4\n2,"x{EVIL}",2\n'),
                       ("app.pasl", f"application app\nbatch b {{ source task{EVIL}.c entry count tasks 4 argument n = 1 }}\n")):
        with open(os.path.join(directory, name), "w", encoding="utf-8", errors="surrogateescape") as file:
            file.write(text)
    verb(directory, "graph", "graph.ttig", statuses=(0, 3))
    verb(directory, "map", "graph.ttig", "--platform", "1x2:1us,1GB/s", statuses=(0, 3))
    verb(directory, "scale", "runs", "runs.csv", statuses=(0, 3))
    verb(directory, "cost", "check", "app.pasl", statuses=(0, 3))


@test("usage errors show words of the command line without control characters")
def usage(directory):
    for words in ([EVIL], ["trace", EVIL], ["map", "x", "--platform", EVIL], ["show", "--" + EVIL], ["comm", "--only", EVIL],
                  ["scale", "model", EVIL], ["comm", "--hosts", EVIL], ["help", EVIL], ["predict", EVIL, EVIL],
                  ["cost", "predict", EVIL, "-m", EVIL], ["machine", "cpu", "--kind", EVIL], ["diff", EVIL, EVIL]):
        verb(directory, *words, statuses=(2, 3))


main()
