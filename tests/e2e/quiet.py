# SPDX-License-Identifier: BSD-3-Clause
"""-q: no verb prints results or notes. Output files are written, and errors are printed."""

import os
import pathlib

from harness import app, check, check_equal, firma, launch, main, make_signature, test, trace

EXAMPLE = pathlib.Path(__file__).parents[2] / "examples/cost/pi.pasl"


def check_silent(*words, directory):
    result = firma(*words, "-q", cwd=directory).expect(0)
    check_equal((result.out, result.err), ("", ""), f"what firma {words[0]} -q prints")


def add_silent(verb, sentence, *command_lines):
    @test(f"{verb} -q prints nothing: {sentence}")
    def is_silent(directory):
        for words in command_lines:
            check_silent(*words, directory=directory)


@test("trace -q prints the program's output, and nothing else")
def traces(directory):
    result, _ = trace(directory, launch("openmpi", 2, "heat", 32, 20), "-q")
    result.expect(0)
    check_equal(result.err, "", "standard error")
    check_equal([line for line in result.out.splitlines() if "firma" in line], [], "firma's lines")


@test("verbs that read traces and signatures print nothing with -q")
def readers(directory):
    command = launch("openmpi", 2, "cg", 200, 25, 80)
    make_signature(directory, command)
    for words in (("phases", "app.trace"), ("phases", "app.trace", "--compare"), ("show", "app.trace"),
                  ("show", "app.trace", "--ticks", ":9"), ("show", "app.firma"), ("diff", "app.trace", "app.trace"),
                  ("export", "app.trace", "-o", "phases.trace"), ("graph", "app.trace", "-o", "app.ttig"),
                  ("map", "app.ttig", "--platform", "1x2:1us,1GB/s", "-o", "app"), ("checkpoint", "app.firma"),
                  ("scale", "trace", "app.trace"), ("check", app("cg"))):
        check_silent(*words, directory=directory)
    firma("measure", "app.firma", "-o", "times.json", "-q", "--", *command, cwd=directory).expect(0)
    check_silent("predict", "app.firma", "times.json", directory=directory)
    alone = firma("predict", "app.firma", "times.json", "--seconds", cwd=directory).expect(0).out
    document = firma("predict", "app.firma", "times.json", "--json", cwd=directory).expect(0).json()
    check_equal(alone, f"{document['predicted_s']:.9g}\n", "what --seconds prints")
    firma("predict", "app.firma", "times.json", "--json", "--seconds", cwd=directory).expect(2)
    check_equal(sorted(set(os.listdir(directory)) & {"phases.trace", "app.ttig", "times.json"}),
                ["app.ttig", "phases.trace", "times.json"], "files that were asked for")


@test("measure -q and study -q print nothing")
def executors(directory):
    command = launch("openmpi", 2, "cg", 200, 25, 80)
    make_signature(directory, command)
    for words in (("measure", "app.firma"), ("study",)):
        result = firma(*words, "-q", "--", *command, cwd=directory).expect(0)
        check_equal((result.out, result.err), ("", ""), f"what firma {words[0]} -q prints")


add_silent("machine", "cpu, show, and cost with its model",
           ("machine", "cpu", "--languages", "c", "--time", "1", "--kind", "here", "-o", "machine.json"),
           ("machine", "show", "machine.json"), ("cost", "check", EXAMPLE), ("cost", "model", EXAMPLE),
           ("cost", "predict", EXAMPLE, "-m", "machine.json", "--no-messages"),
           ("cost", "predict", EXAMPLE, "-m", "machine.json", "--no-messages", "--model"),
           ("cost", "run", EXAMPLE, "--set", "N=1000", "--repeat", "1"))
add_silent("doctor", "this machine", ("doctor",))
add_silent("scale model", "a formula", ("scale", "model", "n/p", "--sizes", "8", "-n", "1:4x2"))
add_silent("comm", "one operation", ("comm", "--only", "os:unix", "--operations", "pingpong", "--sizes", "1", "--time", "2s",
                                     "-o", "here"))


@test("scale run -q and scale runs -q print nothing")
def scales(directory):
    result = firma("scale", "run", "-n", "1,2", "-r", "2", "-q", "--", "sh", "-c", "true {processes}", cwd=directory).expect(0)
    check_equal((result.out, result.err), ("", ""), "what firma scale run -q prints")
    check_silent("scale", "runs", "runs.csv", directory=directory)


@test("an error is printed with -q, too")
def errors(directory):
    result = firma("scale", "runs", os.path.join(directory, "absent.csv"), "-q").expect(3)
    check("absent.csv" in result.err and not result.out, f"nothing is said\n{result}")


main()
