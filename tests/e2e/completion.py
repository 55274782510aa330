# SPDX-License-Identifier: BSD-3-Clause
"""Bash completion of firma's command lines. The tests source the script without the package bash-completion."""

import os
import re
import shutil

from harness import Skip, check, check_equal, firma, main, run, test

FILES = ("a.csv", "a.firma", "a.json", "a.otf2", "a.pasl", "a.svg", "a.ttig", "a.txt", "input.c")
COMPLETE = """
source "$1"
COMP_WORDS=("${@:2}") COMP_CWORD=$(($# - 2))
_firma
printf '%s\\n' "${COMPREPLY[@]}"
"""


def complete(directory, line):
    """Returns the completions at the end of the line, in a directory with FILES, a trace and a directory of other files."""
    if not shutil.which("bash"):
        raise Skip("bash is not installed")
    script = os.path.join(directory, "firma.bash")
    if not os.path.exists(script):
        firma("--generate", "completion", script).expect(0)
    place = os.path.join(directory, "place")
    for folder in ("a.trace", "other"):
        os.makedirs(os.path.join(place, folder), exist_ok=True)
    for name in FILES:
        with open(os.path.join(place, name), "w", encoding="ascii"):
            pass
    words = [part for word in line.split(" ") for part in re.split("([=:])", word) if part or not word]
    result = run(["bash", "--norc", "-c", COMPLETE, "bash", script, *words], cwd=place).expect(0)
    check(not result.err, f"bash complains\n{result}")
    return sorted({offer for offer in result.out.splitlines() if offer})


def pages(*words):
    """Yields the help of all verbs and words, as JSON."""
    page = firma("help", *words, "--json").expect(0).json()
    if words:
        yield page
    for inner in page.get("verbs", page.get("words", [])):
        yield from pages(*inner["name"].split())


@test("verbs and their words are offered, and to help too")
def offers_words(directory):
    verbs = [verb["name"] for verb in firma("help", "--json").json()["verbs"]]
    check_equal(complete(directory, "firma "), sorted([*verbs, "help"]), "verbs")
    check_equal(complete(directory, "firma help "), sorted(verbs), "pages")
    check_equal(complete(directory, "firma ch"), ["check", "checkpoint"], "verbs with ch")
    for page in pages():
        words = sorted(word["name"].split()[-1] for word in page.get("words", []))
        offered = complete(directory, f"firma help {page['name']} ")
        check_equal(offered, words, f"words of help {page['name']}")
        if words:
            check(set(words) <= set(complete(directory, f"firma {page['name']} ")), f"words of {page['name']}")
    check_equal(complete(directory, "firma cost m"), ["model"], "words with m")
    check_equal(complete(directory, "firma cost --json pre"), ["predict"], "words behind an option")


@test("every option of every verb is offered, and the names that it takes and nothing else behind it")
def offers_options(directory):
    n_names = 0
    for page in pages():
        offered = complete(directory, f"firma {page['name']} -")
        for option in page["options"]:
            name = re.search("--([a-z-]+)", option["option"])[0]
            check(name in offered or name + "=" in offered, f"{page['name']}: {name} is not in {offered}")
            if "values" not in option:
                continue
            n_names += 1
            names = sorted(option["values"])
            if any(":" in name for name in names):
                continue
            for line in (f"firma {page['name']} {name} ", f"firma {page['name']} {name}="):
                check_equal(complete(directory, line), names, line)
    check(n_names > 15, "few options take names")


@test("the files offered are those that the verb or option takes")
def offers_files(directory):
    folders = ["a.trace", "other"]
    for line, files in (("firma phases ", ["a.otf2"]), ("firma show a", ["a.firma", "a.otf2"]), ("firma predict ", ["a.firma", "a.json"]),
                        ("firma predict a.firma ", ["a.firma", "a.json"]), ("firma cost check ", ["a.pasl"]),
                        ("firma cost predict -m ", ["a.json"]), ("firma cost predict --machine=", ["a.json"]),
                        ("firma map --svg ", ["a.svg"]), ("firma trace -o ", []),
                        ("firma phases --against ", ["a.otf2"]), ("firma check ", list(FILES)),
                        ("firma scale --json ", ["a.csv", "a.firma", "a.json", "a.otf2"]), ("firma comm --hosts=", list(FILES)),
                        ("firma comm --compare ", ["a.json"])):
        expected = folders + files if not line.endswith("show a") else ["a.trace", *files]
        if line.startswith("firma scale"):
            expected += ["counts", "model", "run", "runs", "trace"]
        check_equal(complete(directory, line), sorted(expected), line)


@test("no files are offered where a number, a name or nothing is expected")
def offers_no_files(directory):
    for line in ("firma doctor ", "firma phases --relevance ", "firma comm -t ", "firma measure -r ",
                 "firma help phases ", "firma map --platform ", "firma phases --order x"):
        check_equal(complete(directory, line), [], line)


@test("lists are completed behind their commas, and configurations behind their colons")
def completes_lists(directory):
    check_equal(complete(directory, "firma comm --operations barrier,all"),
                ["barrier,all", "barrier,allgather", "barrier,allgatherv", "barrier,allreduce", "barrier,alltoall",
                 "barrier,alltoallv"], "operations")
    check_equal(complete(directory, "firma comm --only openmpi,os:u"), ["unix"], "what follows the colon")
    check_equal(complete(directory, "firma comm --only pvm:direct:r"), ["raw"], "what follows two colons")


@test("behind -- a launcher's command line is completed")
def completes_launchers(directory):
    check("bash" in complete(directory, "firma trace -o x -- bas"), "commands")
    check_equal(complete(directory, "firma trace -- mpirun inp"), ["input.c"], "files")


main()
