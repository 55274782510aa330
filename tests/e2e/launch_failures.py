# SPDX-License-Identifier: BSD-3-Clause
"""What verbs say when a launcher cannot start the program, or the program fails or never starts MPI: just that, with
what the launcher says; exit status 4 and 1; and nothing is left behind. On a full disk: that it is full."""

import os
import re

from checkpointer import needs_checkpointer
from harness import (MPIS, Skip, app, check, check_equal, firma, launcher, main, make_signature, run, small_disk,
                     some, test)

VERBS = ("trace", "study", "measure", "checkpoint", "scale run", "scale run --traced", "map --run")
FORBIDDEN = ("MPI_Session_init", "LD_PRELOAD", "libfirma-smpi")


def prepare(directory):
    """A signature and a graph of a small program, and programs that fail."""
    make_signature(directory, launcher("openmpi", 2) + [app("cg"), "32", "20", "10"])
    firma("graph", "app.trace", "-o", "app.ttig", cwd=directory).expect(0)
    for name, mode, text in (("plain", 0o644, "not executable"), ("failing", 0o755, "#!/bin/sh\necho no luck\nexit 3\n"),
                             ("without", 0o755, "#!/bin/sh\ntrue\n")):
        path = os.path.join(directory, name)
        with open(path, "w", encoding="ascii") as file:
            file.write(text)
        os.chmod(path, mode)


def words_of(verb, command):
    if verb == "checkpoint":
        needs_checkpointer()
    before = {"trace": ("trace", "-o", "new"), "study": ("study", "-o", "new"), "measure": ("measure", "app.firma"),
              "checkpoint": ("checkpoint", "app.firma", "-w", "1"),
              "scale run": ("scale", "run", "-n", "2", "-r", "1"),
              "scale run --traced": ("scale", "run", "-n", "2", "-r", "1", "--traced"),
              "map --run": ("map", "app.ttig", "--run", "--repeat", "1")}[verb]
    if verb.startswith("scale"):
        command = ["{processes}" if word == "2" else word for word in command]
    if verb == "map --run" and "--bind-to" in command:  # the mapping says where ranks run
        at = command.index("--bind-to")
        command = command[:at] + command[at + 2:]
    return (*before, "--", *command)


def check_says(directory, verb, command, status, *said):
    """The verb ends with the status, says all of these in one message, and nothing new is left."""
    before = sorted(os.listdir(directory))
    result = firma(*words_of(verb, command), cwd=directory).expect(status)
    message = result.err[result.err.rindex(f"firma {verb.split(' --')[0]}: "):]
    for pattern in said:
        check(re.search(pattern, message), f"`{pattern}` isn't said by {verb}\n{result}")
    for word in FORBIDDEN:
        check(word not in message, f"{verb} speaks of {word}\n{result}")
    check(len(message.split()) <= 60, f"{len(message.split())} words\n{message}")
    return sorted(set(os.listdir(directory)) - set(before))


def under(mpi, verbs):
    """For `make check`, each verb under one MPI."""
    return some([verb for i, verb in enumerate(verbs) if MPIS[i % 2] == mpi],
                [verb for i, verb in enumerate(verbs) if MPIS[i % 2] != mpi])


def add_not_started(mpi, what, said, make_command):
    @test(f"{what} is said under {mpi} by every verb that starts a launcher, and leaves nothing")
    def is_said(directory):
        prepare(directory)
        for verb in under(mpi, VERBS):
            if verb != "map --run" or "processes" not in what:  # it refuses other numbers than the graph's
                left = check_says(directory, verb, make_command(mpi), 4, *said)
                check_equal(left, [], f"what {verb} leaves")


for _mpi in MPIS:
    add_not_started(_mpi, "a program that doesn't exist", ("did not start ./nosuch: No such file or directory",),
                    lambda mpi: launcher(mpi, 2) + ["./nosuch"])
    add_not_started(_mpi, "a program that may not be executed", ("did not start ./plain: Permission denied",),
                    lambda mpi: launcher(mpi, 2) + ["./plain"])


def without_option(command, option):
    return [word for word in command if word != option]


def as_root():
    if os.geteuid() != 0 or "OMPI_ALLOW_RUN_AS_ROOT" in os.environ:
        raise Skip("Open MPI refuses root alone")
    return without_option(launcher("openmpi", 2), "--allow-run-as-root") + [app("cg"), "32", "20", "10"]


def too_many():
    command = without_option(launcher("openmpi", 2), "--oversubscribe")
    command[command.index("2")] = str(64 * os.cpu_count())
    return command + [app("cg"), "32", "20", "10"]


@test("too few slots are reported with Open MPI's own message, and a hint")
def too_few_slots(directory):
    prepare(directory)
    for verb in ("study", "measure", "checkpoint"):
        left = check_says(directory, verb, too_many(), 4, "not enough slots available in the system to satisfy the",
                          "--oversubscribe")
        check_equal(left, [], f"what {verb} leaves")
    left = check_says(directory, "trace", too_many(), 4, "ended with status 1 and started no process of", "own message above")
    check_equal(left, [], "what trace leaves")


@test("Open MPI's refusal of root is reported, with a hint")
def refuses_root(directory):
    command = as_root()
    prepare(directory)
    for verb in VERBS:
        said = ("started no process of",) if verb == "trace" else ("an attempt to run as root", "--allow-run-as-root")
        check_equal(check_says(directory, verb, command, 4, *said), [], f"what {verb} leaves")


@test("a launcher that doesn't exist is reported, even if its MPI isn't known")
def no_launcher(directory):
    prepare(directory)
    for verb in VERBS:
        status, said = (2, "no word of the command is an installed launcher") if verb == "map --run" else (4, "nosuchrun: cannot be started")
        check_equal(check_says(directory, verb, ["nosuchrun", "-n", "2", "./nosuch"], status, said), [], f"what {verb} leaves")


def add_failing(mpi):
    @test(f"a program that fails before MPI_Init under {mpi} is an answer, exit status 1, with its last words")
    def fails(directory):
        prepare(directory)
        for verb in under(mpi, VERBS):
            said = ["failing failed with status 3"] if not verb.startswith("scale") else ["1 run failed; none succeeded"]
            if verb in ("study", "measure", "checkpoint", "map --run"):
                said.append("its last words: no luck")
            left = check_says(directory, verb, launcher(mpi, 2) + ["./failing"], 1, *said)
            check(not [name for name in left if "recording" in name], f"{verb} leaves {left}")
            for name in left:  # outputs of the program, and what else was asked for
                run(["rm", "-r", os.path.join(directory, name)]).expect(0)

    @test(f"a program that never starts MPI under {mpi} is said")
    def never_starts(directory):
        prepare(directory)
        for verb in under(mpi, ("trace", "study", "measure", "checkpoint", "scale run --traced")):
            for program, why in (("./without", "without starting an MPI program"),
                                 ("true", "it is not linked with an MPI library")):
                left = check_says(directory, verb, launcher(mpi, 2) + [program], 4, f"{program} made no MPI calls: .*{why}",
                                  "firma predicts message-passing programs")
                check_equal(left, [], f"what {verb} leaves of {program}")


for _mpi in MPIS:
    add_failing(_mpi)


@test("a serial program without a launcher is reported to make no MPI calls")
def serial(directory):
    prepare(directory)
    for verb in ("trace", "study", "measure"):
        left = check_says(directory, verb, ["true"], 4, "true makes no MPI calls: it is not linked with an MPI library",
                          "firma predicts message-passing programs")
        check_equal(left, [], f"what {verb} leaves")


@test("cost run reports why its launcher didn't start its workers")
def cost_run(directory):
    with open(os.path.join(directory, "task.c"), "w", encoding="ascii") as file:
        file.write("int task(int n) { return n; }\n")
    with open(os.path.join(directory, "app.pasl"), "w", encoding="ascii") as file:
        file.write("application app\nbatch b { source task.c entry task tasks 2 argument n = 1 }\n")
    for words, said in ((("mpirun.mpich", "--nosuch"), "did not start .*: unrecognized argument nosuch"),
                        (("mpirun.openmpi", "--allow-run-as-root", "--nosuch"), "did not start .*: .*unknown option \"--nosuch\"")):
        launcher(words[0].split(".")[1], 2)  # or a skip
        result = firma("cost", "run", "app.pasl", "--workers", "1", "--repeat", "1", "--", *words, cwd=directory).expect(4)
        check(re.search(said, result.err), f"`{said}` isn't said\n{result}")


def add_full_disk(mpi, size, said, left):
    @test(f"a disk that is full after {size} is said to be full under {mpi}, and what is left is named")
    def is_full(directory):
        command = launcher(mpi, 2) + [app("stencil", mpi), "16", "20000"]
        with small_disk(directory, size) as disk:
            for verb in ("trace", "study"):
                result = firma(verb, "-o", os.path.join(disk, "new"), "--", *command).expect(4)
                message = result.err[result.err.rindex(f"firma {verb}: "):]
                check("No space left on device" in message and re.search(said, message), f"{verb} doesn't say it\n{result}")
                check("LD_PRELOAD" not in message, f"{verb} speaks of LD_PRELOAD\n{result}")
                kept = [name for name in (os.path.join(disk, "new.recording"), os.path.join(disk, "new", "app.trace.recording"))
                        if os.path.exists(name)]
                check_equal(len(kept), left, f"recordings that {verb} keeps")
                check(all(name in message for name in kept), f"{verb} doesn't name {kept}\n{result}")
                run(["sh", "-c", 'rm -rf "$0"/*', disk]).expect(0)


for _mpi in MPIS:
    add_full_disk(_mpi, "4k", "nothing could be recorded", 0)
    add_full_disk(_mpi, "2m", "the recording is kept: when the cause is gone, `firma trace --convert", 1)


@test("a recording that can't be read after the run is said to be unreadable, not empty")
def unreadable(directory):
    spoil = ["sh", "-c", 'rm -rf app.trace.recording; : > app.trace.recording; exec "$@"', "sh"]
    result = firma("trace", "-o", "app.trace", "--", *spoil, *launcher("mpich", 2), app("cg", "mpich"), cwd=directory).expect(4)
    check("app.trace.recording: cannot read the recording: Not a directory" in result.err, f"another reason is given\n{result}")

main()
