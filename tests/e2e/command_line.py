# SPDX-License-Identifier: BSD-3-Clause
"""The command line itself: help and usage errors."""

import os
import pathlib
import re
import socket

import formats
from harness import FIRMA, check, check_equal, firma, main, run, test

ROOT = pathlib.Path(__file__).parents[2]
VERBS = [verb["name"] for verb in firma("help", "--json").expect(0).json()["verbs"]]


def add_help(verb):
    @test(f"firma {verb} --help explains itself with an example")
    def has_example():
        result = firma(verb, "--help").expect(0)
        check("--json" in result.out, f"--json is not in the help\n{result}")
        check("see below" not in result.out, f"descriptions stand above options\n{result}")
        examples = [line for line in result.out.splitlines() if line.lstrip("$ ").startswith(f"firma {verb}")]
        check(len(examples) >= 2, f"no usage line and example\n{result}")


for verb in VERBS:
    add_help(verb)


def groups_of_help():
    """Returns [(question, [verb])] as `firma --help` prints them."""
    groups = []
    for line in firma("--help").expect(0).out.splitlines():
        check(len(line) <= 80, f"wider than a terminal: {line}")
        if line.endswith("?"):
            groups.append((line, []))
        elif line.startswith("  "):
            groups[-1][1].append(line.split()[0])
    return groups


@test("firma --help lists every verb once, below the question that it answers")
def lists_verbs():
    listed = [verb for _, verbs in groups_of_help() for verb in verbs]
    check_equal(listed, VERBS, "verbs in the help")
    check_equal(len(set(listed)), len(listed), "verbs, each once")
    check_equal({folder.name for folder in (ROOT / "src/verbs").iterdir() if folder.is_dir()}, set(listed), "verbs in src/verbs")
    questions = {verb["name"]: verb["question"] for verb in firma("help", "--json").json()["verbs"]}
    check_equal(questions, {verb: question for question, verbs in groups_of_help() for verb in verbs}, "questions")


@test("the README's first table has the questions of firma --help, and asks the first verb of each")
def readme_asks_the_same():
    rows = re.findall(r"^\| ([^|]+\?) \|[^|]*\| \[`firma (\w+)`\]", (ROOT / "README.md").read_text(encoding="utf-8"), re.M)
    check_equal(rows, [(question, verbs[0]) for question, verbs in groups_of_help()], "rows")


@test("a printed key that docs/FORMATS.md lacks is found")
def undocumented_keys_are_found():
    lacking = {("show", "a.trace", "--ticks", "1"): ({"ticks": [{"tick": 1, "events": [{"colour": 1}]}]}, "ticks.events.colour"),
               ("scale", "runs.csv"): ({"sizes": [{"laws": [{"parameters": {"s": {}}}], "law": 1}]}, "sizes.law"),
               ("study",): ({"phases": [{"strata": [{"weight": 1, "name": 2}]}]}, "phases.strata.name"),
               ("map", "a.ttig"): ({"error": {"kind": "input", "line": 1}}, "error.line")}
    for command, (document, key) in lacking.items():
        check_equal(formats.undocumented(command, document), key, f"what is lacking for {command}")
    check_equal(formats.undocumented(("scale", "model"), {"models": [{"growth": None}]}), None, "what is lacking")


@test("docs/FORMATS.md agrees with the field lists")
def formats_are_generated():
    page = ROOT / "docs/FORMATS.md"
    result = firma("--generate", "formats", str(page)).expect(0)
    check(result.out == page.read_text(encoding="utf-8"),
          "it differs: firma --generate formats docs/FORMATS.md > new.md, and new.md takes its place")


def add_usage_error(sentence, *words):
    @test(sentence + " is a usage error")
    def is_usage_error(directory):
        result = firma(*words, cwd=directory).expect(2)
        check(result.err.startswith("firma"), f"nothing is said\n{result}")
        check(not os.listdir(directory), f"files were made: {os.listdir(directory)}")


add_usage_error("no verb")
add_usage_error("an unknown verb", "tarce")
add_usage_error("an unknown option", "trace", "--no-such-option", "--", "mpirun", "true")
add_usage_error("trace without a command", "trace")
add_usage_error("trace with nothing after --", "trace", "--")
add_usage_error("trace with a launcher but without --", "trace", "mpirun", "-n", "2", "true")
add_usage_error("phases without an archive", "phases", "-o", "app.firma")
add_usage_error("show without a file", "show", "--matrix")
add_usage_error("measure without a signature", "measure", "--", "mpirun", "true")
add_usage_error("measure without a command", "measure", "app.firma")
add_usage_error("predict without times", "predict", "app.firma")
add_usage_error("study without a command", "study")
add_usage_error("check without a program", "check")
add_usage_error("diff of one trace", "diff", "one")
add_usage_error("an option without its value", "trace", "-o")
add_usage_error("an empty number", "phases", "app.trace", "--least-match", "")
add_usage_error("an empty number behind =", "phases", "app.trace", "--least-match=")
add_usage_error("an empty number of a short option", "measure", "app.firma", "-b", "", "--", "true")


@test("an output that is the input is a usage error, and the input is untouched")
def output_is_input(directory):
    signature, trace = os.path.join(directory, "app.firma"), os.path.join(directory, "app.trace")
    os.mkdir(trace)
    for path in (signature, os.path.join(trace, "traces.otf2")):
        with open(path, "w", encoding="ascii") as file:
            file.write("precious")
        words = (["measure", signature, "-o", path, "--", "mpirun", "true"] if path == signature
                 else ["phases", trace, "-o", path])
        firma(*words).expect(2)
        with open(path, encoding="ascii") as file:
            check(file.read() == "precious", f"{path} was overwritten")


@test("named pipes and devices are refused as inputs, and don't block")
def pipes_are_refused(directory):
    pipe = os.path.join(directory, "pipe.otf2")
    os.mkfifo(pipe)
    door = os.path.join(directory, "door.otf2")
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(door)
    for name, words in (("show", ("PIPE",)), ("phases", ("PIPE",)), ("graph", ("PIPE",)), ("map", ("PIPE",)),
                        ("predict", ("PIPE", "times.json")), ("measure", ("PIPE", "--", "mpirun", "./app")),
                        ("machine", ("show", "PIPE")), ("scale", ("runs", "PIPE")), ("cost", ("check", "PIPE")), ("comm", ("--hosts", "PIPE"))):
        for path, said in ((pipe, "not a regular file, but a named pipe"), ("/dev/zero", "not "), (door, "not ")):
            result = firma(name, *(word.replace("PIPE", path) for word in words), cwd=directory)
            check(f"{path}: {said}" in result.expect(3).err, f"it isn't said\n{result}")
    for name in ("pipe.c", "Pipe.java"):
        os.symlink(pipe, os.path.join(directory, name))
        result = firma("cost", "model", name, "--entry", "main", cwd=directory).expect(3)
        check(f"{name}: not a regular file" in result.err, f"it isn't said\n{result}")
    listener.close()


@test("values of options are checked before any file is opened")
def values_come_before_files(directory):
    with open(os.path.join(directory, "text"), "w", encoding="ascii") as file:
        file.write("no file of firma\n")
    for words, option in (("cost predict text -m text --workers 0", "--workers"), ("cost predict text -m text --kinds x", "--kinds"),
                          ("cost predict text -m text --set 1", "--set"), ("cost run text -m text --timeout x", "--timeout"),
                          ("scale model n/p -m text --sizes x", "--sizes"), ("scale model n/p -m text -n 0", "--processes"),
                          ("scale model n/p -m text -n 1 --set n=1", "--set"), ("scale model n/p -m text -n 1 --sequential-model (", "--sequential-model"),
                          ("scale text --predict 0", "--predict"), ("map text -m text --given 0,x", "--given"),
                          ("map text --platform 2", "--platform"), ("map text -m text --speed a=0", "--speed"),
                          ("measure text --bind 3-1", "--bind"), ("comm --hosts text --sizes x", "--sizes"), ("comm --hosts text -n 1", "--processes"),
                          ("comm --hosts text --time x", "--time"), ("machine cpu --into text --time 0", "--time"),
                          ("phases text --memory 0", "--memory"), ("show text --ticks x", "--ticks")):
        check(f": {option}" in firma(*words.split(), cwd=directory).expect(2).err, f"{words}: another error")


@test("a directory in a file's place is named, with the file in it that was meant")
def directories_are_no_files(directory):
    os.mkdir(os.path.join(directory, "d"))
    for name in ("app.firma", "machine.json"):
        with open(os.path.join(directory, "d", name), "w", encoding="ascii") as file:
            file.write("{}")
    for words, meant in (("checkpoint d -- mpirun true", "d/app.firma"), ("predict d d", "firma predict SIGNATURE TIMES"),
                         ("machine show d", "d/machine.json"),
                         ("cost predict a.pasl -m d", "d/machine.json"), ("scale runs d", ""), ("comm --hosts d", ""), ("cost check d", "")):
        result = firma(*words.split(), cwd=directory)
        check("d: is a directory" in result.expect(3).err and meant in result.err, f"{words}\n{result}")


@test("a file of another kind is called what it seems to be")
def other_kinds_are_named(directory):
    for name, content, kind in (("program", b"\x7fELF\x02\x01", "a program or library (ELF)"), ("script", b"#!/bin/sh\n", "a script")):
        with open(os.path.join(directory, name), "wb") as file:
            file.write(content)
        result = firma("show", name, cwd=directory).expect(3)
        check(kind in result.err and "takes a trace" in result.err, f"no kind\n{result}")
        check(kind in firma("machine", "show", name, cwd=directory).expect(3).err, "no kind")


@test("--hosts without its file, and --processes without collectives, are explained")
def comm_options_are_explained(directory):
    check("--hosts takes a file" in firma("comm", "--hosts", "nohost", cwd=directory).expect(3).err, "no hint")
    check("--processes" in firma("comm", "--only", "os", "--processes", "99", cwd=directory).expect(2).err, "not refused")


@test("firma VERB help WORD is firma VERB WORD --help")
def help_may_follow_the_verb():
    for verb, word in (("scale", "run"), ("cost", "predict")):
        check_equal(firma(verb, "help", word).expect(0).out, firma(verb, word, "--help").expect(0).out, "help")


@test("a beginning that only one option has gets this option as a hint")
def beginnings_are_completed(directory):
    check("did you mean `--ranks`?" not in firma("show", "a.trace", "--r", "1", cwd=directory).expect(2).err, "several begin so")
    check("did you mean `--ticks`?" in firma("show", "a.trace", "--t", "1", cwd=directory).expect(2).err, "no hint")


@test("a number that is too small for a double isn't called negative")
def tiny_numbers_are_positive():
    firma("scale", "model", "n+1/3^100000", "-n", "1").expect(0)


@test("inputs that are nested 100 000 deep are refused at once")
def deep_inputs_are_refused(directory):
    deep = 100000
    files = {"a.json": "[" * deep, "a.pasl": "(" * deep, "a.pamela": "main = " + "(" * deep, "A.java": "class A { int f = " + "(" * deep,
             "a.c": "int f(int n) { return " + "(" * deep, "b.c": "int f(int n) {\nreturn " + "- " * deep + "n; }"}
    for name, text in files.items():
        with open(os.path.join(directory, name), "w", encoding="ascii") as file:
            file.write(text)
    for words, place in (("machine show a.json", "a.json:1:"), ("cost check a.pasl", "a.pasl:1:"), ("cost model a.pamela --entry main", "a.pamela:1:208: expressions are nested"),
                         ("cost model A.java --entry f", "A.java:1: brackets"), ("cost model a.c --entry f", "a.c:1: brackets"),
                         ("cost model b.c --entry f", "b.c:2: operators")):
        check(place in firma(*words.split(), cwd=directory).expect(3).err, f"{words}: no place")
    check("200 deep" in firma("scale", "model", "(" * deep, "-n", "1").expect(2).err, "formula")


@test("operators between quoted texts aren't taken for nested ones")
def quoted_texts_are_operands(directory):
    with open(os.path.join(directory, "a.c"), "w", encoding="ascii") as file:
        file.write("int f(int n) { return n" + " + 'a' /* + */" * 1500 + "; }")
    firma("cost", "model", "a.c", "--entry", "f", cwd=directory).expect(0)


@test("a C source that libclang can't parse within its limits is refused, and firma goes on")
def endless_sources_are_refused(directory):
    for name, nested, limit, said in (("time.c", "(int)", "--cpu=2", "limit of 60 s of CPU time"),
                                      ("stack.c", "sizeof ", "--stack=8388608:8388608", "nested too deep")):
        with open(os.path.join(directory, name), "w", encoding="ascii") as file:
            file.write("int f(int n) { return " + nested * 100000 + "n; }")
        result = run(["prlimit", limit, FIRMA, "cost", "model", name, "--entry", "f"], cwd=directory).expect(3)
        check(f"{name}: libclang" in result.err and said in result.err, f"{name}: not explained\n{result}")


@test("a mistyped verb gets the right one as a hint")
def suggests_verb():
    result = firma("pahses").expect(2)
    check("phases" in result.err, f"no hint\n{result}")


@test("a mistyped word or option gets the right one as a hint")
def suggests_words_and_options(directory):
    for words, hint in ((["scale", "modle"], "did you mean `firma scale model`?"),
                        (["cost", "--json", "predcit"], "did you mean `firma cost predict`?"),
                        (["phases", "a.trace", "--simularity", "block"], "did you mean `--similarity`?"),
                        (["phases", "a.trace", "--simil=block"], "did you mean `--similarity`?"),
                        (["trace", "--otuput", "x", "--", "mpirun", "true"], "did you mean `--output`?")):
        check(hint in firma(*words, cwd=directory).expect(2).err, f"{words}: no hint")
    with open(os.path.join(directory, "modle"), "w", encoding="ascii") as file:
        file.write("p,time\n1,2\n2,1\n")
    firma("scale", "modle", cwd=directory).expect(0)
    check("no-such" in firma("scale", "no-such.csv", cwd=directory).expect(3).err, "the file isn't named")


@test("help of an unknown verb is a usage error, like running it")
def help_of_nothing():
    for words, said in ((["bogus"], "there is no verb `bogus`"), (["pahses"], "did you mean `firma phases`?"),
                        (["cost", "bogus"], "there is no `cost bogus`"),
                        (["cost", "chek"], "did you mean `firma cost check`?"),
                        (["trace", "predict"], "`trace` has no word `predict`"),
                        (["scale", "runs", "extra"], "`scale runs` has no word `extra`")):
        result = firma("help", *words).expect(2)
        check(said in result.err and not result.out, f"`{said}` isn't said\n{result}")
        check("error" in firma("help", *words, "--json").expect(2).json(), f"{words}: no error in the document")
    check_equal(firma("help", "help").expect(0).out, firma("help").out, "help of help")
    firma("help", "scale", "runs").expect(0)


@test("a value of a fixed set that isn't one of them gets the right one, or all, as a hint")
def refused_names(directory):
    for words, hint in ((["phases", "a.trace", "--order", "lamprot"], "did you mean `lamport`?"),
                        (["map", "a.ttig", "--mapper=magic"], "choose from block, round-robin,"),
                        (["comm", "--operations", "barrier,reduse"], "did you mean `reduce`?"),
                        (["comm", "--only", "pvm:direct:rw"], "did you mean `pvm:direct:raw`?"),
                        (["predict", "a", "b", "--estimator", "slow"], "did you mean `slowest`?"),
                        (["measure", "a", "--mode", "prefx"], "did you mean `prefix`?"),
                        (["checkpoint", "a", "--back-end", "crui"], "did you mean `criu`?"),
                        (["machine", "export", "a", "--to", "simgird"], "did you mean `simgrid`?"),
                        (["machine", "cpu", "--languages", "c,jaav"], "did you mean `java`?"),
                        (["trace", "--mpi", "mpihc", "--", "true"], "did you mean `mpich`?"),
                        (["graph", "a.trace", "--collectives", "leftout"], "did you mean `left-out`?")):
        result = firma(*words, cwd=directory).expect(2)
        check(hint in result.err and "there is no `" in result.err, f"`{hint}` isn't said\n{result}")


@test("a name that is far from all names gets no other name as a hint")
def far_names(directory):
    for words in (["list"], ["map", "a.ttig", "--mapper", "best"]):
        check("did you mean" not in firma(*words, cwd=directory).expect(2).err, f"{words}: a far name is offered")


@test("who asks for the version in another way is told how")
def asks_version():
    for word in ("version", "-v", "-V"):
        check("`firma --version`" in firma(word).expect(2).err, f"{word}: no hint")


@test("an empty argument is refused as what it is")
def empty_argument():
    check("argument 1 is empty" in firma("show", "").expect(2).err, "not said")


@test("an option that would change nothing is refused")
def refused_options(directory):
    for words, said in ((["cost", "run", "a.pasl", "--tasks", "3"], "--tasks goes with --calibrate"),
                        (["map", "a.ttig", "--repeat", "3"], "--repeat goes with --run")):
        check(said in firma(*words, cwd=directory).expect(2).err, f"`{said}` isn't said")


@test("a number that is none is refused with its option")
def refused_numbers(directory):
    for words, said in ((["phases", "a.trace", "--relevance", "abc"], "--relevance: `abc` is not a number"),
                        (["phases", "a.trace", "--relevance=1x"], "--relevance: `1x` is not a number"),
                        (["phases", "a.trace", "--relevance", "nan"], "--relevance: `nan` is not a number"),
                        (["measure", "a.firma", "-b1e999"], "-b: `1e999` is not a finite number"),
                        (["measure", "a.states", "-qr", "99999999999"], "-r: 99999999999 is too large"),
                        (["measure", "a.states", "-r", "0"], "-r: 0 is less than 1"),
                        (["map", "a.ttig", "--slots", "0"], "--slots: 0 is less than 1"),
                        (["map", "a.ttig", "--cores=-1"], "--cores: -1 is less than 1"),
                        (["map", "a.ttig", "--seed", "-1"], "--seed: -1 is less than 0"),
                        (["comm", "--repeat", "0"], "--repeat: 0 is less than 1"),
                        (["predict", "a", "b", "--actual", "-1"], "--actual: -1 is not above 0,"),
                        (["scale", "a.csv", "--sequential", "0"], "--sequential: 0 is not above 0,"),
                        (["checkpoint", "a.firma", "-w", "0"], "-w: 0 is less than 1"),
                        (["measure", "a.states", "-r", "1.5"], "-r: `1.5` is not a whole number"),
                        (["phases", "-o", "--relevance", "a.trace", "--relevance", ""], "--relevance: the number is empty")):
        result = firma(*words, cwd=directory).expect(2)
        check(said in result.err, f"`{said}` isn't said\n{result}")


@test("firma(1) names the variables that firma reads, and the help of words")
def manual_names_variables(directory):
    firma("--generate", "man", directory).expect(0)
    with open(os.path.join(directory, "firma.1"), encoding="utf-8") as file:
        page = file.read()
    for name in ("FIRMA_LIBDIR", "FIRMA_CRIU", "FIRMA_DMTCP", "TMPDIR", "NO_COLOR", "WORD"):
        check(name in page, f"{name} is missing\n{page}")
    check("firma help VERB WORD" in firma("help").expect(0).out, "help doesn't lead to words")


@test("a directory without states isn't taken for states, if a command is given")
def _(directory):
    result = firma("measure", directory, "--", "true").expect(3)
    check(f"{directory}: is a directory; expected a signature" in result.err, result.err)


@test("a signature that isn't there is a missing input, and firma says what writes one")
def absent_signature(directory):
    result = firma("measure", os.path.join(directory, "app.firma"), "--", "mpirun", "-n", "2", "./app").expect(3)
    check("app.firma: No such file" in result.err and "firma phases" in result.err, result.err)


@test("states that aren't there are a missing input")
def absent_states(directory):
    result = firma("measure", os.path.join(directory, "app.states")).expect(3)
    check("app.states: No such file" in result.err, f"the states aren't named\n{result}")


@test("an archive is no recording to be converted")
def convert_archive(directory):
    archive = os.path.join(directory, "app.trace")
    os.mkdir(archive)
    with open(os.path.join(archive, "traces.otf2"), "w", encoding="ascii") as file:
        file.write("precious")
    result = firma("trace", "--convert", archive).expect(3)
    check("not a recording" in result.err, f"doesn't say what it is\n{result}")
    check_equal(os.listdir(directory), ["app.trace"], "what is there afterwards")


@test("a file of another kind and an empty directory can't be converted")
def convert_others(directory):
    path, empty = os.path.join(directory, "notes"), os.path.join(directory, "empty")
    os.mkdir(empty)
    with open(path, "w", encoding="ascii") as file:
        file.write("precious")
    for name, said in ((path, "neither a Paraver trace (.prv) nor a time-independent one"), (empty, "is empty; expected a recording")):
        result = firma("trace", "--convert", name).expect(3)
        check(f"{name}: " in result.err and said in result.err, f"doesn't say what it is\n{result}")
        check("is kept" not in result.err, f"claims a recording\n{result}")
    check_equal(sorted(os.listdir(directory)), ["empty", "notes"], "what is there afterwards")


@test("a picture isn't named like another kind of picture")
def pictures():
    names = [name for name in ("graph", "simulate", "map", "show", "cost predict", "scale trace", "scale counts") if "--svg" in firma(
        *name.split(), "--help").expect(0).out]
    check_equal(len(names), 7, "verbs that draw")
    for name in names:
        for file in ("a.pdf", "b.PNG"):
            result = firma(*name.split(), "x", "--svg", file).expect(2)
            check(f"--svg: {file}: firma draws SVG" in result.err and f"name it {file[0]}.svg" in result.err, f"{result}")


@test("an option without its value is an error that doesn't suggest the same option")
def option_without_value():
    for words in (("show", "a.trace", "--ticks"), ("phases", "a.trace", "-o")):
        result = firma(*words).expect(2)
        check(f"{words[-1]}: its value is missing" in result.err and "did you mean" not in result.err, f"unclear\n{result}")


@test("an unknown estimator is a usage error that names it, or its file")
def unknown_estimator(directory):
    result = firma("predict", "--estimator", "guess", os.path.join(directory, "a"), os.path.join(directory, "b"))
    result.expect(2, 3)
    check("guess" in result.err or directory in result.err, f"nothing is named\n{result}")


@test("--json gives errors as JSON too, or keeps stdout clean")
def json_error(directory):
    result = firma("phases", "--json", os.path.join(directory, "nothing"), "-o", os.path.join(directory, "a")).expect(3)
    check(not result.out or result.json(), "unreadable")


def add_one_document(sentence, status, *words):
    @test(f"{sentence} with --json is one document on stdout")
    def is_one_document():
        check(isinstance(firma(*words).expect(status).json(), dict), "not an object")


add_one_document("an unknown verb", 2, "nosuch", "--json")
add_one_document("no verb", 2, "--json")
add_one_document("help", 0, "help", "--json")
add_one_document("help of a verb", 0, "help", "trace", "--json")
add_one_document("a verb's --help", 0, "trace", "--help", "--json")
add_one_document("the version", 0, "--version", "--json")
add_usage_error("a run time of nothing", "predict", "app.firma", "times.json", "--actual", "0")


@test("a recording is not converted into itself")
def convert_into_itself(directory):
    recording = os.path.join(directory, "app.recording")
    os.mkdir(recording)
    firma("trace", "--convert", recording, "-o", recording, "--force").expect(2)
    check_equal(os.listdir(recording), [], "what was written there")


main()
