# SPDX-License-Identifier: BSD-3-Clause
"""Names that aren't UTF-8: folders, programs, arguments and outputs keep each byte, in files and in JSON."""

import json
import os
import re
import shutil

from harness import app, check_equal, firma, launcher, main, test

FOLDER, PROGRAM, ARGUMENT = b"fol\xffder", b"sten\xfecil", b"a\xff\\b caf\xc3\xa9 \\xff"
TRACE, SIGNATURE, TIMES, STUDY = b"app\xff.trace", b"app\xff.firma", b"times\xff.json", b"\xff\\.study"


def text(name):
    """A name in the form in which Python passes it to programs."""
    return os.fsdecode(name)


def decoded(string):
    """The bytes that a string of firma's JSON stands for."""
    return re.sub(rb"\\(\\|x[89a-f][0-9a-f])", lambda match: b"\\" if match[1] == b"\\" else bytes([int(match[1][1:], 16)]),
                  string.encode())


def prepare(directory):
    """Makes a folder with the program. Returns the command that runs the program."""
    folder = os.path.join(os.fsencode(directory), FOLDER)
    os.mkdir(folder)
    shutil.copy(app("stencil"), os.path.join(folder, PROGRAM))
    return folder, [*launcher("openmpi", 2), text(b"./" + PROGRAM), text(ARGUMENT)]


@test("a folder, a program and an argument that aren't UTF-8 survive trace, phases, measure and predict")
def survive_pipeline(directory):
    folder, command = prepare(directory)
    where = {"cwd": folder}
    traced = firma("trace", "--json", "-o", text(TRACE), "--", *command, **where).expect(0).json()
    check_equal(decoded(traced["trace"]), TRACE, "the trace")
    shown = firma("show", "--json", text(TRACE), **where).expect(0).json()
    found = firma("phases", "--json", text(TRACE), "-o", text(SIGNATURE), **where).expect(0).json()
    check_equal(decoded(found["signature"]), SIGNATURE, "the signature")
    with open(os.path.join(folder, SIGNATURE), encoding="utf-8") as file:
        application = json.load(file)["application"]
    for document in (shown, application):
        check_equal(decoded(document["executable"]), os.path.join(folder, PROGRAM), "the program")
        check_equal([decoded(argument) for argument in document["arguments"]], [ARGUMENT], "its arguments")
    measured = firma("measure", "--json", text(SIGNATURE), "-o", text(TIMES), "--", *command, **where).expect(0).json()
    check_equal((decoded(measured["times"]), measured["difference"]), (TIMES, ""), "the times, what differs")
    firma("predict", "--json", text(SIGNATURE), text(TIMES), **where).expect(0).json()
    left = set(os.listdir(folder)) - {TIMES + b".log"}
    check_equal(left, {PROGRAM, TRACE, SIGNATURE, TIMES}, "files")


@test("names of study's outputs keep each byte, on disk and in its output")
def survive_study(directory):
    folder, command = prepare(directory)
    document = firma("study", "--json", "-o", text(STUDY), "--", *command, cwd=folder).expect(0).json()
    check_equal(decoded(document["study"]), STUDY, "the study")
    check_equal(set(os.listdir(folder)), {PROGRAM, STUDY}, "files")


@test("an error's document has all bytes of a file's name that isn't UTF-8")
def survive_errors(directory):
    missing = b"no\xff\\such.firma"
    error = firma("predict", "--json", text(missing), "times.json", cwd=directory).expect(3).json()["error"]
    check_equal(decoded(error["message"]).split(b":")[0], missing, "the file")


main()
