# SPDX-License-Identifier: BSD-3-Clause
"""Outputs of verbs. Nothing that exists is replaced without --force. Verbs refuse before they begin to work. A full disk leaves
the old files. Documents of --json name the files that were written."""

import json
import os
import shutil
import stat

from checkpointer import needs_checkpointer
from harness import FIRMA, Skip, check, check_equal, firma, launch, main, run, small_disk, test
from inputs import prepare

LONG = "600s"  # a verb that measures before it refuses would exceed the timeout
AT_ONCE_S = 400
PRECIOUS = "precious\n"


def contents(directory):
    """Returns everything below a directory, with the contents of files."""
    found = {}
    for above, folders, files in os.walk(directory):
        found.update({os.path.join(above, name): None for name in folders})
        for name in files:
            with open(os.path.join(above, name), "rb") as file:
                found[os.path.join(above, name)] = file.read()
    return found


def save_precious(path):
    with open(path, "w", encoding="utf-8") as file:
        file.write(PRECIOUS)


def check_refused(directory, words, status, *said):
    """Checks that a command refuses at once, says why, and changes nothing."""
    before = contents(directory)
    result = firma(*words, cwd=directory, timeout_s=AT_ONCE_S).expect(status)
    for word in said:
        check(word in result.err, f"`{word}` isn't said\n{result}")
    check(contents(directory) == before, f"files have changed: {set(contents(directory)) ^ set(before)}\n{result}")


# ---- files ----

# What `map -o OUT/a` writes.
PLACED = tuple(f"a.{kind}" for kind in ("rankfile", "hosts", "slurm-hosts", "ranks", "rank-order", "map", "tgt"))

# The verb; its options and words, where OUT stands for the folder of the results; the results.
FILES = (
    ("phases", ("app.trace", "-o", "OUT/a"), ("a",)),
    ("graph", ("graph.json", "-o", "OUT/a", "--tfg", "OUT/b", "--dot", "OUT/c", "--graphml", "OUT/d"), "abcd"),
    ("graph", ("graph.ttig", "--svg", "OUT/a"), ("a",)),
    ("show", ("app.trace", "--matrix", "--svg", "OUT/a"), ("a",)),
    ("map", ("graph.ttig", "--platform", "1x2:1us,1GB/s", "-o", "OUT/a"),
     PLACED),
    ("map", ("graph.ttig", "--platform", "1x2:1us,1GB/s", "--svg", "OUT/a", "--report", "OUT/b"), "ab"),
    ("map --run", ("graph.ttig", "--run", "--repeat", "1", "-o", "OUT/a"),
     (*PLACED, "a.log")),
    ("measure", ("app.firma", "-o", "OUT/a"), ("a", "a.log")),
    ("machine cpu", ("--languages", "c", "-o", "OUT/a"), ("a",)),
    ("machine noise", ("-o", "OUT/a"), ("a",)),
    ("cost model", ("task.c", "--entry", "count", "-o", "OUT/a"), ("a",)),
    ("scale trace", ("app.trace", "--svg", "OUT/a"), ("a",)),
    ("scale counts", ("one.trace", "app.trace", "three.trace", "--svg", "OUT/a"), ("a",)),
    ("cost predict", ("app.pasl", "-m", "cpu.json", "--no-messages", "--workers", "1", "--svg", "OUT/a"), ("a",)),
    ("cost run", ("app.pasl", "--workers", "1", "--repeat", "1", "-o", "OUT/a"), ("a",)),
    ("cost run --calibrate", ("app.pasl", "-m", "cpu.json", "--workers", "1", "--repeat", "1", "--tasks", "2",
                              "--calibrate", "-o", "OUT/a"), ("a",)),
)


def whole_command(verb, words, command, *more, out="out"):
    """Puts options before the launcher's command line."""
    behind = ("--", *plain_launcher(verb, command)) if verb in ("map --run", "measure", "trace", "study",
                                                                "checkpoint") else ()
    length = 2 if verb.startswith(("machine", "cost", "scale")) else 1
    return (*verb.split()[:length], *(word.replace("OUT", out) for word in words), *more, *behind)


def plain_launcher(verb, command):
    """Returns a launcher that doesn't place ranks, because the mapping does."""
    if verb != "map --run":
        return command
    words = list(command)
    at = words.index("--bind-to")
    return words[:at] + words[at + 2:]


def quick(verb):
    return ("--time", "1s") if verb in ("machine cpu", "machine noise", "comm") else ()


def slow(verb):
    return ("--time", LONG) if verb in ("machine cpu", "machine noise", "comm") else ()


def add_files(verb, words, files):
    options = " ".join(word for word in words if word.startswith("-"))

    @test(f"{verb} {options} replaces no file without --force, and says so before it begins")
    def refuses(directory):
        command = prepare(directory)
        out = os.path.join(directory, "out")
        for name in files:
            save_precious(os.path.join(out, name))
            check_refused(directory, whole_command(verb, words, command, *slow(verb)), 2, f"out/{name}: exists already",
                          "--force")
            os.remove(os.path.join(out, name))
        check_refused(directory, whole_command(verb, words, command, *slow(verb), out="out/no"), 4, "out/no/",
                      "cannot write")
        for name in files:
            os.mkdir(os.path.join(out, name))
            check_refused(directory, whole_command(verb, words, command, *slow(verb), "--force"), 4,
                          f"out/{name}: cannot write: Is a directory")
            os.rmdir(os.path.join(out, name))

    @test(f"{verb} {options} replaces files with --force, and its document names them")
    def replaces(directory):
        command = prepare(directory)
        for name in files:
            save_precious(os.path.join(directory, "out", name))
        result = firma(*whole_command(verb, words, command, *quick(verb), "--force", "--json"), cwd=directory).expect(0)
        said = json.dumps(result.json())
        check_equal(sorted(os.listdir(os.path.join(directory, "out"))), sorted(files), "files")
        for name in files:
            with open(os.path.join(directory, "out", name), encoding="utf-8") as file:
                check(file.read() != PRECIOUS, f"{name} wasn't replaced\n{result}")
            check(f'"out/{name}"' in said, f"{name} isn't named\n{result}")


for _verb, _words, _files in FILES:
    add_files(_verb, _words, _files)


# ---- directories ----

DIRECTORIES = (
    ("trace", ("-o", "OUT/a")),
    ("study", ("-o", "OUT/a")),
    ("checkpoint", ("app.firma", "--windows", "1", "--stop", "-o", "OUT/a")),
    ("export", ("app.trace", "-o", "OUT/a")),
    ("comm", ("--only", "os:unix", "--operations", "pingpong", "--sizes", "1:8x2", "-o", "OUT/a")),
    ("machine export", ("hosts.json", "--to", "simgrid", "-o", "OUT/a")),
    ("scale runs", ("runs.csv", "-o", "OUT/a")),
    ("scale model", ("n/p + log2(p)", "--sizes", "64", "-n", "1:8x2", "-o", "OUT/a")),
)


def needs(verb):
    if verb == "checkpoint":
        needs_checkpointer()


def add_directories(verb, words):
    @test(f"{verb} -o replaces no directory without --force, and says so before it begins")
    def refuses(directory):
        needs(verb)
        command = prepare(directory)
        result = os.path.join(directory, "out", "a")
        os.mkdir(result)
        save_precious(os.path.join(result, "thesis.tex"))
        check_refused(directory, whole_command(verb, words, command, *slow(verb)), 2, "out/a: exists already", "--force")
        check_refused(directory, whole_command(verb, words, command, *slow(verb), "--force"), 2, "out/a: ", "thesis.tex")
        shutil.rmtree(result)
        save_precious(result)
        check_refused(directory, whole_command(verb, words, command, *slow(verb), "--force"), 2,
                      "out/a: exists, and isn't a directory")
        check_refused(directory, whole_command(verb, words, command, *slow(verb), out="out/no"), 4, "out/no/a: cannot write")

    @test(f"{verb} -o replaces its own directory with --force, and its document names it")
    def replaces(directory):
        needs(verb)
        command = prepare(directory)
        result = os.path.join(directory, "out", "a")
        os.mkdir(result)  # an empty directory may be filled
        firma(*whole_command(verb, words, command, *quick(verb)), cwd=directory).expect(0)
        check_refused(directory, whole_command(verb, words, command, *slow(verb)), 2, "out/a: exists already", "--force")
        before = os.stat(result).st_ino
        said = firma(*whole_command(verb, words, command, *quick(verb), "--force", "--json"), cwd=directory).expect(0)
        check(os.stat(result).st_ino != before, "the directory wasn't replaced")
        check('"out/a"' in json.dumps(said.json()), f"the directory isn't named\n{said}")
        check_equal(os.listdir(os.path.join(directory, "out")), ["a"], "what is left")


for _verb, _words in DIRECTORIES:
    add_directories(_verb, _words)


@test("a directory appears when it is whole: killed before, firma leaves the former one, and no part of the new one")
def killed_while_filling(directory):
    words = ["scale", "model", "n/p", "--sizes", "64", "-n", "1:8x2", "-o", "scaling"]
    result = os.path.join(directory, "scaling")
    killed = {"LD_PRELOAD": os.environ["KILLER"], "KILL_AT_FILE": "/time.svg"}
    firma(*words, cwd=directory, env=killed).expect(-9)
    check(not os.path.exists(result), "a part has the name of the result")
    firma(*words, cwd=directory).expect(0)
    check_equal(sorted(os.listdir(directory)), ["scaling"], "what is left")
    whole = sorted(os.listdir(result))
    firma(*words, "--force", cwd=directory, env=killed).expect(-9)
    check_equal(sorted(os.listdir(result)), whole, "the former result")
    firma(*words, "--force", cwd=directory).expect(0)
    check_equal(sorted(os.listdir(directory)), ["scaling"], "what is left")


# ---- places that aren't files, and full disks ----

@test("results go to devices, pipes, and standard output, also where that is a file")
def devices(directory):
    prepare(directory)
    firma("graph", "graph.ttig", "-o", "/dev/null", cwd=directory).expect(0)
    check_equal(firma("graph", "graph.ttig", "-q", "-o", "/dev/stdout", cwd=directory).expect(0).json()["format"],
                "firma ttig", "what the pipe got")
    refused = firma("graph", "graph.ttig", "--json", "-o", "/dev/stdout", cwd=directory).expect(2)
    check("--json writes its document there" in refused.err, refused.err)
    script = 'echo before; "$0" graph graph.ttig -q -o /dev/stdout; "$0" graph graph.ttig -q -o /dev/fd/3; echo behind'
    run(["sh", "-c", f"({script}) >together 3>other", FIRMA], cwd=directory).expect(0)
    with open(os.path.join(directory, "together"), encoding="utf-8") as file:
        lines = file.read().splitlines()
    check_equal([lines[0], lines[-1]], ["before", "behind"], "what stands around the graph")
    check_equal(json.loads("\n".join(lines[1:-1]))["format"], "firma ttig", "what stands between")
    with open(os.path.join(directory, "other"), encoding="utf-8") as file:
        check_equal(json.load(file)["format"], "firma ttig", "what the third file got")


@test("a file keeps its permissions when it is replaced")
def permissions(directory):
    prepare(directory)
    path = os.path.join(directory, "out", "a")
    save_precious(path)
    os.chmod(path, 0o600)
    firma("graph", "graph.ttig", "-o", path, "--force", cwd=directory).expect(0)
    check_equal(oct(os.stat(path).st_mode & 0o777), "0o600", "permissions")


def fill(disk):
    with open(os.path.join(disk, "filler"), "wb", buffering=0) as file:
        try:
            while file.write(b"x" * 4096) == 4096:
                continue
        except OSError:
            return


@test("a full disk leaves the former files, and no part of the new ones")
def full_disk(directory):
    prepare(directory)
    with small_disk(directory, "4m") as disk:
        writing = [("phases", "app.trace", "-o", f"{disk}/a"), ("map", "graph.ttig", "-o", f"{disk}/b"),
                   ("export", "app.trace", "-o", f"{disk}/archive"),
                   ("export", "app.trace", "--to", "ti", "-o", f"{disk}/ti"),
                   *(("export", "app.trace", "--to", name, "-o", f"{disk}/{name}") for name in ("goal", "perfetto", "extrap")),
                   ("machine", "export", "hosts.json", "--to", "simgrid", "-o", f"{disk}/simgrid"),
                   ("scale", "runs", "runs.csv", "-o", f"{disk}/scaling")]
        for words in writing:
            firma(*words, cwd=directory).expect(0)
        fill(disk)
        before = contents(disk)
        for words in writing:
            result = firma(*words, "--force", cwd=directory).expect(4)
            check("No space left" in result.err, f"the reason isn't said\n{result}")
            check(words[0] != "export" or ".part" not in result.err, f"it names a file that the user doesn't know\n{result}")
            check(contents(disk) == before, f"files have changed: {set(contents(disk)) ^ set(before)}\n{result}")
        result = firma("scale", "run", "-n", "1", "-o", f"{disk}/new.csv", "--", "echo", "{processes}", cwd=directory).expect(4)
        check("No space left" in result.err or "no space left" in result.err, f"the reason isn't said\n{result}")
        check(contents(disk) == before, f"files have changed: {set(contents(disk)) ^ set(before)}\n{result}")


@test("with --force, a directory that this user may not change is refused before the program runs")
def of_another_user(directory):
    if os.geteuid() != 0 or run(["setpriv", "--reuid=65534", "--clear-groups", "test", "-x", FIRMA]).status != 0:
        raise Skip("takes root, and a firma that other users may run")
    firma("trace", "-q", "-o", "app.trace", "--", *launch("openmpi", 2, "cg", 32, 10, 10), cwd=directory).expect(0)
    for where, _, _ in os.walk(directory):
        os.chmod(where, 0o755)
    os.chmod(directory, 0o777)
    before = contents(directory)
    result = run(["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", FIRMA, "trace", "--force", "-o", "app.trace", "--",
                  *launch("openmpi", 2, "cg", 32, 10, 10)], cwd=directory).expect(4)
    check("app.trace: cannot replace this directory: Permission denied" in result.err and not result.out, result)
    check(contents(directory) == before, "files have changed")


@test("only the owner may read what holds a program's arguments or output; the program and pictures keep the user's umask")
def private(directory):
    def mode(*path):
        return oct(stat.S_IMODE(os.stat(os.path.join(directory, *path)).st_mode))

    os.umask(0o022)
    script = 'echo hello; touch "$1"; mkdir -p "$1.d"'
    program = ["sh", "-c", script, "sh", os.path.join(directory, "own")]
    firma("study", "-q", "-o", os.path.join(directory, "s"), "--", *launch("openmpi", 2, "cg", "60", "50")).expect(0)
    firma("show", os.path.join(directory, "s/app.trace"), "--svg", os.path.join(directory, "picture.svg")).expect(0)
    firma("scale", "run", "-n", "1", "-r", "1", "-o", "runs.csv", "--", *program, "{processes}", cwd=directory).expect(0)
    private_files = [("s", "app.firma"), ("s", "times.json"), ("s", "app.trace.log"), ("s", "app.trace", "traces.otf2"),
                     ("s", "app.trace", "traces.def"), ("runs.csv",), ("runs.csv.log",)]
    check_equal([path for path in private_files if mode(*path) != "0o600"], [], "files that others may read")
    check_equal([mode("s"), mode("s", "app.trace")], ["0o700", "0o700"], "directories")
    check_equal([mode("own"), mode("own.d"), mode("picture.svg")], ["0o644", "0o755", "0o644"], "files of the user")


@test("with --hide-arguments, no file holds an argument, and a signature recognises the same arguments")
def hidden_arguments(directory):
    study = os.path.join(directory, "s")
    mpirun = launch("openmpi", 2, "cg", "60", "50", "40", "secret-7f3a")
    firma("study", "--hide-arguments", "-q", "-o", study, "--", *mpirun).expect(0)
    times = os.path.join(directory, "t.json")
    firma("measure", "-q", os.path.join(study, "app.firma"), "-o", times, "--", *mpirun).expect(0)
    files = [path for path, text in contents(directory).items() if text and b"secret-7f3a" in text]
    check_equal(files, [], "files with an argument")
    firma("predict", "-q", os.path.join(study, "app.firma"), times).expect(0)
    check("cg-openmpi … … … …" in firma("show", os.path.join(study, "app.trace")).expect(0).out, "arguments aren't shown as hidden")
    mpirun[-1] = "secret-7f3b"
    result = firma("measure", os.path.join(study, "app.firma"), "-o", times + "2", "--", *mpirun).expect(3)
    check("other arguments, which are hidden" in result.err and "secret" not in result.err, result.err)
    firma("trace", "--hide-arguments", "--keep-recording", "-o", times + "3", "--", *mpirun).expect(2)


main()
