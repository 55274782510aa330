# SPDX-License-Identifier: BSD-3-Clause
"""firma doctor: which of the README's questions can be answered here, and what is missing for the others."""

import os
import pathlib
import re
import shutil

from harness import FIRMA, check, check_equal, firma, main, test

WITHOUT_CRIU = {"FIRMA_CRIU": "/nowhere"}  # a trial of CRIU takes seconds
README = pathlib.Path(__file__).parents[2] / "README.md"


def path_without(directory, *names):
    """Makes a PATH without some programs: links to all others."""
    folder = os.path.join(directory, "bin")
    os.mkdir(folder)
    for place in os.environ["PATH"].split(":"):
        for name in os.listdir(place) if os.path.isdir(place) else []:
            link = os.path.join(folder, name)
            if name not in names and not os.path.lexists(link):
                os.symlink(os.path.join(place, name), link)
    return folder


def find(items, key, value):
    found = [item for item in items if item[key] == value]
    check_equal(len(found), 1, f"how many have {key} {value}")
    return found[0]


@test("doctor finds this machine fit, and prints versions")
def finds_fit():
    result = firma("doctor").expect(0)
    check(re.search(r"^ok +firma +\d", result.out, re.M), f"firma's version isn't there\n{result}")
    check(re.search(r"^ok +tracing under ", result.out, re.M), f"no tracing\n{result}")
    check(re.search(r"^yes +How long will|^partly +How long will", result.out, re.M), f"{result}")


@test("doctor --json answers the questions of the README's table")
def answers_questions():
    document = firma("doctor", "--json", env=WITHOUT_CRIU).expect(0).json()
    rows = re.findall(r"^\| ([^|]+?) \| [^|]+ \| \[`(firma \w+)`\]", README.read_text(encoding="utf-8"), re.M)
    check_equal([(item["question"], item["verb"]) for item in document["questions"]],
                [row for row in rows if row[1] != "firma doctor"], "questions")
    for item in document["questions"]:
        check_equal(item["answer"] != "yes", bool(item["missing"]), f"something is missing of {item}")
        check(all(missing["advice"] for missing in item["missing"]), f"no advice: {item}")
    check(document["works"] is True, "tracing works")


@test("doctor names a missing tool, the question that needs it, and its package")
def names_missing_tool(directory):
    path = path_without(directory, "ssh", "javac")
    result = firma("doctor", env={**WITHOUT_CRIU, "PATH": path}).expect(0)
    for line in (r"^partly +What do messages cost", r"^ +- without messages to other hosts +→ apt-get install openssh-client$",
                 r"^ +- without reading Java sources +→ apt-get install openjdk-17-jdk-headless$", r"^absent +ssh "):
        check(re.search(line, result.out, re.M), f"{line} isn't said\n{result}")


@test("without any MPI, doctor's answer is no, and its status 1")
def without_mpi(directory):
    launchers = [name for place in os.environ["PATH"].split(":") if os.path.isdir(place) for name in os.listdir(place)
                 if name.startswith(("mpirun", "mpiexec"))]
    env = {**WITHOUT_CRIU, "PATH": path_without(directory, *launchers)}
    document = firma("doctor", "--json", env=env).expect(1).json()
    first = document["questions"][0]
    check_equal((first["answer"], first["missing"][0]),
                ("no", {"what": "tracing MPI programs", "advice": "apt-get install openmpi-bin libopenmpi-dev"}),
                "of how long a run takes")
    check_equal(find(document["questions"], "verb", "firma comm")["answer"], "partly", "of messages, without MPI")
    check_equal(document["works"], False, "tracing works")
    check("no program can be traced here" in firma("doctor", "-q", env=env).expect(1).err, "the reason isn't said")


def add_old_java(version, text, is_fine):
    @test(f"doctor {'takes' if is_fine else 'refuses'} a Java compiler that calls itself {text}")
    def old_java(directory):
        folder = path_without(directory, "javac")
        script = os.path.join(folder, "javac")
        with open(script, "w", encoding="ascii") as file:
            file.write(f"#!/bin/sh\necho '{text}'\n")
        os.chmod(script, 0o755)
        compiler = find(firma("doctor", "--json", env={**WITHOUT_CRIU, "PATH": folder}).expect(0).json()["checks"], "check", "javac")
        check_equal((compiler["version"], compiler["finding"] == "ok"), (version, is_fine), "version, fit")
        check_equal("advice" in compiler, not is_fine, "advice")


add_old_java("1.8.0", "javac 1.8.0_292", False)
add_old_java("11.0.2", "javac 11.0.2", False)
add_old_java("22", "javac 22", True)


@test("doctor names a blank in the recorder's path")
def names_blank(directory):
    blank = os.path.join(directory, "a b")
    shutil.copytree(os.path.join(os.path.dirname(FIRMA), "..", "trace", "recorder"), blank,
                    ignore=lambda _, names: [name for name in names if not name.endswith(".so")])
    result = firma("doctor", env={"FIRMA_LIBDIR": blank}).expect(1)
    check("a blank or colon" in result.out, f"the blank is not named\n{result}")


main()
