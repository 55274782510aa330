# SPDX-License-Identifier: BSD-3-Clause
"""Executable signatures if making or measuring them fails."""

import json
import os
import re
import signal
import stat
import subprocess
import tempfile
import time

from checkpointer import needs_checkpointer, processes_that_name
from harness import (FIRMA, HANG_LIMIT_S, MPIS, Skip, check, check_equal, firma, launch, main, make_signature, run,
                     test, wait_until)

OPTIONS = ("--windows", "5", "--budget", "10")


def command_of():
    return launch("openmpi", 2, "cg", 96, 100, 200)


def prepare(directory):
    needs_checkpointer()
    return make_signature(directory, command_of()), os.path.join(directory, "states")


def start(*words, stdout=subprocess.DEVNULL, **environment):
    return subprocess.Popen([FIRMA, *map(str, words)], stdin=subprocess.DEVNULL, stdout=stdout,
                            stderr=subprocess.PIPE, text=True, start_new_session=True, env={**os.environ, **environment})


def is_whole_run(states):
    with open(os.path.join(states, "output"), encoding="utf-8") as file:
        return "checksum" in file.read()


def tree_bytes(directory):
    return int(run(["du", "-s", "--block-size=1", directory]).expect(0).out.split()[0])


def room_for_one_state(directory, signature):
    """Bytes of a disk with room for the first state and for the whole recording, but not for a second state."""
    states = os.path.join(directory, "all")
    firma("checkpoint", signature, "-o", states, *OPTIONS, "--", *command_of()).expect(0)
    first, second = (tree_bytes(os.path.join(states, number)) for number in "12")
    firma("trace", "--keep-recording", "-o", os.path.join(directory, "again"), "--", *command_of()).expect(0)
    recording = tree_bytes(os.path.join(directory, "again.recording"))
    check(recording < second, f"a recording of {recording} bytes takes more room than a state of {second}")
    return first + recording + second // 4


@test("a disk that is full leaves the program running, and the states that were saved before")
def full_disk(directory):
    if os.geteuid() != 0:
        raise Skip("making a small disk takes root")
    signature, _ = prepare(directory)
    small, output, times = (os.path.join(directory, name) for name in ("small", "output", "t.json"))
    os.mkdir(small)
    room = room_for_one_state(directory, signature)
    # The program's output goes to another disk, so its last words have room.
    command = ["sh", "-c", 'exec "$@" >"$0"', output, *command_of()]
    script = (f'mount -t tmpfs -o size={room} none "$1" && "$2" checkpoint "$3" -o "$1/states" "$4" "$5" "$6" "$7" --json '
              '-- "${@:8}" >"$1/../saved.json"; [ $? -eq 4 ] && ls "$1/states" >"$1/../left" && "$2" measure "$1/states" -o "$1/../t.json"')
    run(["unshare", "--mount", "bash", "-c", script, "bash", small, FIRMA, signature, *OPTIONS, *command]).expect(0)
    with open(os.path.join(directory, "saved.json"), encoding="utf-8") as file:
        saved = json.load(file)
    check(0 < saved["saved"] < len(saved["states"]), f"some can be saved, some can't: {saved}")
    check_equal(saved["launcher_status"], 0, "the program's status")
    for state in saved["states"]:
        check(("No space left" in state["problem"]) != state["saved"], f"{saved['states']}")
    with open(os.path.join(directory, "left"), encoding="utf-8") as file:
        numbers = [name for name in file.read().split() if name[0].isdigit()]
    check_equal(numbers, [str(state["state"]) for state in saved["states"] if state["saved"]], "what is left")
    check(is_whole_run(directory), "the program didn't come to its end")
    check(os.path.exists(times), "the others weren't measured")


@test("a program that is saved has no signal blocked that it wouldn't have otherwise")
def signals_stay(directory):
    signature, states = prepare(directory)
    seen = os.path.join(directory, "seen")
    look = ["sh", "-c", 'grep ^SigBlk /proc/self/status > "$0"; exec "$@"', seen]
    firma("checkpoint", signature, "-w", "1", "-o", states, "--", *look, *command_of()).expect(0)
    with open(seen, encoding="ascii") as file:
        check_equal(file.read().split(), ["SigBlk:", "0" * 16], "blocked signals")


@test("a limit on the size of files is an error that names the file, and leaves nothing")
def limited_files(directory):
    signature, states = prepare(directory)
    limited = run(["prlimit", "--fsize=100000", FIRMA, "checkpoint", signature, "-o", states, "--", *command_of()])
    check("too large" in limited.expect(4).err, f"{limited}")
    check_equal(sorted(os.listdir(directory)), ["app.firma", "app.trace"], "what is left")


@test("if the processes never stand still together, the phases without a window are named")
def names_missed_phases(directory):
    signature, states = prepare(directory)
    limited = ["prlimit", "--fsize=6144000", FIRMA, "checkpoint", signature, "-o", states, "--json", *OPTIONS, "--"]
    saved = run([*limited, *command_of()]).expect(1).json()
    check(saved["saved"] >= 1 and saved["launcher_status"] == 0, f"{saved}")
    last = saved["states"][-1]["problem"]  # recordings may not grow until the run's end
    # One rank reaches the limit before the other, and firma may look in between.
    check(re.search(r"stand still before the window of phases 1, 2: .*(ranks 0, 1 aren't|rank [01] isn't) recorded any more", last), last)


def check_incomplete(directory, states, whole, planned):
    """Checks that measuring and predicting from states of which some are missing works, and says so."""
    check(0 < whole < planned, f"{whole} of {planned} states")
    with open(os.path.join(states, "states.json"), encoding="utf-8") as file:
        check_equal(json.load(file).get("complete", False), False, "complete in states.json")
    times, signature = os.path.join(directory, "t.json"), os.path.join(states, "app.firma")
    measured = firma("measure", states, "-o", times, "--json").expect(0)
    check(f"is incomplete: {whole} of {planned} planned states" in measured.err, f"{measured}")
    found = measured.json()
    check_equal((found["complete"], found["executed"], found["measured_states"], found["planned_states"]),
                (False, whole, whole, planned), "what was measured")
    predicted = firma("predict", signature, times, "--json").expect(0).json()
    check_equal((predicted["measured_states"], predicted["planned_states"]), (whole, planned), "what predict says")
    check(any(f"{whole} of {planned} planned states" in text for text in predicted["incomplete"]), f"{predicted}")
    check(f"{whole} of {planned} planned states" in firma("predict", signature, times).expect(0).out, "the text says so")


@test("if the program is killed, checkpoint ends with status 1, and all that use the states say that they are incomplete")
def killed_program(directory):
    signature, states = prepare(directory)
    process = start("checkpoint", signature, "-o", states, *OPTIONS, "--json", "--", *command_of(), stdout=subprocess.PIPE)
    wait_until(lambda: os.path.exists(os.path.join(states, "2")) or process.poll() is not None, "the second state")
    for pid in processes_that_name("=" + os.path.join(states, "recording")):
        os.kill(pid, signal.SIGKILL)
    out, said = process.communicate(timeout=HANG_LIMIT_S)
    check_equal(process.returncode, 1, f"exit status; it said {said}")
    saved = json.loads(out)
    check(f"only {saved['saved']} of {len(saved['states'])} states could be saved" in said, said)
    check_equal((saved["complete"], saved["launcher_status"]), (False, 128 + signal.SIGKILL), "what JSON says")
    check_incomplete(directory, states, saved["saved"], len(saved["states"]))


@test("when firma is killed in the middle of a save, its program ends, and the states before can be measured")
def killed(directory):
    signature, states = prepare(directory)
    # The number of states depends on the durations of phases in the traced run.
    planned = len(firma("checkpoint", signature, *OPTIONS, "--json").expect(0).json()["states"])
    process = start("checkpoint", signature, "-o", states, *OPTIONS, "--", *command_of())
    wait_until(lambda: os.path.exists(os.path.join(states, "3.part")) or process.poll() is not None, "the third save")
    process.kill()
    process.communicate()
    wait_until(lambda: not processes_that_name(states), "the program ends")
    check(not is_whole_run(states), "the program came to its end")
    with open(os.path.join(states, "states.json"), encoding="utf-8") as file:
        whole = len(json.load(file)["states"])  # one more directory may exist, of a state that isn't noted yet
    check_incomplete(directory, states, whole, planned)
    os.remove(os.path.join(states, "states.json"))
    check("states.json" in firma("measure", states).expect(3).err, "what is missing is named")


@test("when firma is killed before the first state is whole, --force replaces what is left")
def killed_early(directory):
    signature, states = prepare(directory)
    process = start("checkpoint", signature, "-o", states, *OPTIONS, "--", *command_of())
    wait_until(lambda: os.path.exists(os.path.join(states, "1.part")) or process.poll() is not None, "the first save")
    process.kill()
    process.communicate()
    wait_until(lambda: not processes_that_name(states), "the program ends")
    check(not os.path.exists(os.path.join(states, "states.json")), "it was killed too late")
    check(not os.path.exists(os.path.join(states, "app.firma")), "nothing tells that the signature is firma's own copy")
    firma("checkpoint", signature, "-o", states, "--force", *OPTIONS, "--", *command_of()).expect(0)
    check_equal(sorted(os.listdir(directory)), ["app.firma", "app.trace", "states"], "what is left")


def interrupt(directory, process, condition, number):
    wait_until(lambda: condition() or process.poll() is not None, "the moment to interrupt it")
    check(process.poll() is None, "it has ended already")
    process.send_signal(number)
    said = process.communicate(timeout=HANG_LIMIT_S)[1]
    check_equal(process.returncode, 1, f"exit status; it said {said}")
    check("interrupted" in said, said)
    wait_until(lambda: not processes_that_name(directory), "processes end")
    return said


@test("firma checkpoint that is interrupted before the first save leaves nothing")
def interrupted_early(directory):
    signature, states = prepare(directory)
    process = start("checkpoint", signature, "-o", states, *OPTIONS, "--", *command_of())
    said = interrupt(directory, process, lambda: os.path.exists(os.path.join(states, "output")), signal.SIGHUP)
    check("before a state was saved" in said, said)
    check_equal(sorted(os.listdir(directory)), ["app.firma", "app.trace"], "what is left")


for _when, _name, _number in (("in a save", "2.part", signal.SIGINT), ("between two saves", "2", signal.SIGTERM)):
    @test(f"firma checkpoint that is interrupted {_when} keeps the states that are whole, and says how many")
    def interrupted_save(directory, name=_name, number=_number):
        signature, states = prepare(directory)
        process = start("checkpoint", signature, "-o", states, *OPTIONS, "--", *command_of())
        said = interrupt(directory, process, lambda: os.path.exists(os.path.join(states, name)), number)
        with open(os.path.join(states, "states.json"), encoding="utf-8") as file:
            manifest = json.load(file)
        kept = [str(state["state"]) for state in manifest["states"]]
        check_equal(manifest["complete"], False, "complete")
        check(kept and f"only {len(kept)} of" in said, said)
        check_equal(sorted(os.listdir(states)), sorted([*kept, "app.firma", "output", "states.json"]), "what is left")


@test("a signal while firma tries the tool that saves states leaves nothing")
def interrupted_trial(directory):
    signature = make_signature(directory, command_of())
    tool, mark = os.path.join(directory, "criu"), os.path.join(directory, "tried")
    with open(tool, "w", encoding="utf-8") as file:
        file.write(f"#!/bin/sh\ntouch {mark}\nexec sleep 60\n")
    os.chmod(tool, 0o755)
    process = start("checkpoint", signature, "-o", os.path.join(directory, "states"), "--", *command_of(), FIRMA_CRIU=tool)
    wait_until(lambda: os.path.exists(mark) or process.poll() is not None, "the trial")
    process.send_signal(signal.SIGINT)
    said = process.communicate(timeout=HANG_LIMIT_S)[1]
    check_equal(process.returncode, -signal.SIGINT, f"exit status; it said {said}")
    check_equal(sorted(os.listdir(directory)), ["app.firma", "app.trace", "criu", "tried"], "what is left")


@test("firma measure that is interrupted before anything is measured leaves nothing, so the same command works again")
def interrupted_prefix(directory):
    signature = make_signature(directory, command_of())
    times = os.path.join(directory, "t.json")
    late = ["sh", "-c", 'sleep 30; exec "$@"', "sh", *command_of()]
    process = start("measure", signature, "-o", times, "--", *late)
    interrupt(directory, process, lambda: os.path.exists(times + ".log"), signal.SIGINT)
    check_equal(sorted(os.listdir(directory)), ["app.firma", "app.trace"], "what is left")


@test("firma measure that is interrupted, while it restores or while the program runs, leaves nothing")
def interrupted_measurement(directory):
    signature, states = prepare(directory)
    firma("checkpoint", signature, "-o", states, *OPTIONS, "--", *command_of()).expect(0)
    segments = set(os.listdir("/dev/shm"))
    recording = os.path.join(directory, "t.json.recording.1")
    temporary = os.path.join(directory, "temporary")
    os.mkdir(temporary)
    for delay_s in (0, 0.02, 0.06):
        process = start("measure", states, "-o", os.path.join(directory, "t.json"), "--repeat", "50", TMPDIR=temporary)
        wait_until(lambda: os.path.exists(recording) or process.poll() is not None, "it restores")
        time.sleep(delay_s)
        interrupt(directory, process, lambda: True, signal.SIGINT)
        check_equal(sorted(os.listdir(directory)), ["app.firma", "app.trace", "states", "temporary"], "what is left")
    check_equal(os.listdir(temporary), [], "temporary files that are left")
    left = set(os.listdir("/dev/shm")) - segments
    check(not [name for name in left if "firma" in name], f"left: {left}")


def is_marked(control):
    """True if a recording names its owner: its control file exists, and isn't blank any more."""
    try:
        with open(control, "rb") as file:
            return any(file.read(64))
    except FileNotFoundError:
        return False


@test("the remains of a killed measurement don't prevent the next one; a foreign file does")
def killed_measurement(directory):
    signature, states = prepare(directory)
    firma("checkpoint", signature, "-o", states, *OPTIONS, "--", *command_of()).expect(0)
    times = os.path.join(directory, "t.json")
    recording = times + ".recording.1"
    process = start("measure", states, "-o", times, "--repeat", "50")
    wait_until(lambda: is_marked(os.path.join(recording, "control")) or process.poll() is not None, "it restores")
    process.kill()
    process.communicate()
    wait_until(lambda: not processes_that_name(directory), "the restored processes end")
    check(os.path.exists(recording), "it was killed too late")
    firma("measure", states, "-o", times).expect(0)
    check_equal(sorted(os.listdir(directory)), ["app.firma", "app.trace", "states", "t.json"], "what is left")
    os.mkdir(recording)
    with open(os.path.join(recording, "mine"), "w", encoding="utf-8") as file:
        file.write("keep")
    check("contains `mine`" in firma("measure", states, "--force", "-o", times).expect(2).err, "what is in the way is named")
    check_equal(os.listdir(recording), ["mine"], "the user's directory")


def contents(directory):
    """Returns all files below a directory, with their contents and modification times."""
    found = {}
    for above, _, files in os.walk(directory):
        for name in files:
            path = os.path.join(above, name)
            with open(path, "rb") as file:
                found[path] = (os.stat(path).st_mtime_ns, file.read())
    return found


for _mpi in MPIS:
    @test(f"a program of {_mpi} that is restored changes none of the user's files, open, written anew or removed")
    def keeps_files(directory, mpi=_mpi):
        needs_checkpointer()
        with tempfile.TemporaryDirectory(prefix="firma-e2e-", dir="/var/tmp") as away:
            command = launch(mpi, 2, "logging", away, 3000)
            states = os.path.join(directory, "states")
            signature = make_signature(directory, command)
            firma("checkpoint", signature, "-o", states, *OPTIONS, "--", *command).expect(0)
            before = contents(away)
            check_equal(before[os.path.join(away, "newest")][1], b"3000\n", "the last step")
            check_equal(before[os.path.join(away, "log")][1].count(b"\n"), 3000, "lines of the log")
            measured = firma("measure", states, "-o", os.path.join(directory, "t.json"), "--json").expect(0).json()
            check(measured["executed"] >= 2 and not measured["failed"], f"{measured}")
            after = contents(away)
            changed = [path for path in before.keys() | after.keys() if before.get(path) != after.get(path)]
            check_equal(changed, [], "files that have changed")


@test("only the owner can read a directory of states, and the help says why")
def private(directory):
    signature, states = prepare(directory)
    os.umask(0o22)
    firma("checkpoint", signature, "-o", states, "--windows", "1", "--", *command_of()).expect(0)
    for above, folders, files in os.walk(states):
        for name, mode in [(name, 0o700) for name in folders] + [(name, 0o600) for name in files]:
            path = os.path.join(above, name)
            check_equal(oct(stat.S_IMODE(os.lstat(path).st_mode) & 0o077), "0o0", f"rights of others on {path}")
            check(stat.S_IMODE(os.lstat(path).st_mode) & ~mode == 0, f"{path} has mode {os.lstat(path).st_mode:o}")
    check("memory" in firma("checkpoint", "--help").out, "the help doesn't say what states hold")


main()
