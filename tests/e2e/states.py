# SPDX-License-Identifier: BSD-3-Clause
"""Executable signatures: states of a real program, saved before windows of its run, restored and measured."""

import json
import os
import shutil
import signal
import subprocess

from checkpointer import needs_checkpointer, processes_that_name
from harness import (FIRMA, HANG_LIMIT_S, MPIS, Skip, app, check, check_equal, firma, launch, launcher, main,
                     make_signature, plain_launcher, run, some, test, wait_until)


def command_of(mpi, ranks=2):
    return launch(mpi, ranks, "cg", 96, 60, 25)


def checksum(text):
    return [line for line in text.splitlines() if "checksum" in line]


def saved_states(directory, mpi, ranks=2, *options, back_end="criu"):
    needs_checkpointer(back_end)
    command = command_of(mpi, ranks)
    signature = make_signature(directory, command)
    states = os.path.join(directory, "states")
    # DMTCP doesn't save a job over TCP several times. The tests' own choice of transports, which has TCP, would be kept.
    result = firma("checkpoint", signature, "-o", states, "--json", "--back-end", back_end, *options, "--", *command,
                   env={"OMPI_MCA_btl": "self,vader"} if back_end == "dmtcp" else None).expect(0)
    check_equal(result.json()["back_end"], back_end, "back end")
    check_equal("transports" in result.err, back_end == "dmtcp", f"what is said of transports: {result.err}")
    return states, result.json(), command


def add_whole_way(mpi, ranks, back_end="criu"):
    @test(f"states of {ranks} ranks of {mpi} are saved by {back_end}, restored again and again, measured and predicted from")
    def whole_way(directory):
        states, saved, command = saved_states(directory, mpi, ranks, back_end=back_end)
        check(saved["saved"] >= 1, f"states: {saved}")
        check_equal(saved["saved"], len(saved["states"]), "saved states")
        check_equal(saved["launcher_status"], 0, "the run's status")
        with open(os.path.join(states, "output"), encoding="utf-8") as file:
            check_equal(checksum(file.read()), checksum(run(command).expect(0).out), "the program's result")
        times = os.path.join(directory, "times.json")
        for _ in range(2):
            measured = firma("measure", states, "-o", times, "--force", "--json").expect(0).json()
            check_equal((measured["failed"], measured["executed"]), (0, saved["saved"]), "restarts")
            check(measured["agreement"] > 0.95 and measured["phases"], f"measured: {measured}")
        predicted = firma("predict", os.path.join(states, "app.firma"), times, "--json").expect(0).json()
        check(predicted["predicted_s"] > 0, f"prediction {predicted['predicted_s']}")
        check_equal(sorted(os.listdir(directory)), ["app.firma", "app.trace", "states", "times.json"], "what is left")


for mpi in MPIS:
    add_whole_way(mpi, 2, "dmtcp")
for mpi, ranks in some([("openmpi", 4), ("mpich", 2)], [("openmpi", 2)]):
    add_whole_way(mpi, ranks)


def await_nobody(directory):
    """Waits until no process of the directory is left. Killed processes need a moment to end."""
    wait_until(lambda: not processes_that_name(directory), "processes end", 0.05)


def interrupt(words, is_time, directory):
    """Starts firma, sends it SIGINT when is_time() is true, and waits until none of its processes is left."""
    process = subprocess.Popen([FIRMA, *words], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE, text=True)
    wait_until(lambda: is_time() or process.poll() is not None, "the moment to interrupt it", 0.001)
    check(process.poll() is None, f"ended before it was time: {process.poll()}")
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=HANG_LIMIT_S)
    check(process.returncode >= 0, f"ended by signal {-process.returncode}: {errors}")
    await_nobody(directory)


def add_interruption(back_end):
    @test(f"Ctrl-C while {back_end} saves or restores leaves no process and no half state behind")
    def interrupted(directory):
        states, _, command = saved_states(directory, "openmpi", 2, "--windows", "1", "--stop", back_end=back_end)
        others, signature = os.path.join(directory, "others"), os.path.join(directory, "app.firma")
        saving = ["checkpoint", signature, "-o", others, "--back-end", back_end, "--", *command]
        interrupt(saving, lambda: os.path.isdir(others) and any(name.endswith(".part") for name in os.listdir(others)),
                  directory)
        check(not os.path.exists(others) or os.path.exists(os.path.join(others, "states.json")), "states without a manifest")
        shutil.rmtree(others, ignore_errors=True)
        await_nobody(directory)
        times = os.path.join(directory, "times.json")
        measuring = ["measure", states, "--repeat", "20", "-o", times]
        # A restored process has the recording's path on its command line, or the path of images in
        # the folder `running`.
        interrupt(measuring, lambda: processes_that_name(os.path.join(states, "r")), directory)
        check_equal(sorted(os.listdir(directory)), ["app.firma", "app.trace", "states"], "what is left")
        check("running" not in os.listdir(states), "what the back end needed while the job ran")


for _back_end in ("criu", "dmtcp"):
    add_interruption(_back_end)


@test("without a command, checkpoint prints the windows that it would take, and saves nothing")
def plan_only(directory):
    signature = make_signature(directory, command_of("openmpi"))
    plan = firma("checkpoint", signature, "--json", "--windows", "3").expect(0).json()
    check_equal([state["state"] for state in plan["states"]], list(range(1, len(plan["states"]) + 1)), "states")
    check(all(state["window_s"] > 0 for state in plan["states"]) and plan["coverage"] > 0.9, f"plan: {plan}")
    check("nothing saved" in firma("checkpoint", signature).expect(0).out, "the text says so")
    check_equal(sorted(os.listdir(directory)), ["app.firma", "app.trace"], "files")


@test("only their owner may read states")
def are_private(directory):
    states, _, _ = saved_states(directory, "openmpi", 2, "--windows", "1", "--stop")
    check_equal(os.stat(states).st_mode & 0o77, 0, "mode of the directory")


@test("states that others may read or change are not run")
def not_private(directory):
    states = os.path.join(directory, "states")
    os.mkdir(states)
    with open(os.path.join(states, "states.json"), "w", encoding="ascii") as file:
        file.write("{}")
    for mode in (0o750, 0o705, 0o722):
        os.chmod(states, mode)
        result = firma("measure", states, "-o", "times.json", cwd=directory).expect(4)
        check("other users can read or change these saved states" in result.err, result)
        check(f"chmod 700 {states}" in result.err, result)


@test("a damaged state, and a directory that wasn't finished, are refused")
def refuses_damage(directory):
    states, _, _ = saved_states(directory, "openmpi", 2, "--windows", "1", "--stop")
    with open(os.path.join(states, "states.json"), encoding="utf-8") as file:
        number = json.load(file)["states"][0]["state"]
    images = os.path.join(states, str(number), "images")
    largest = max((os.path.join(images, name) for name in os.listdir(images)), key=os.path.getsize)
    with open(largest, "r+b") as file:
        file.seek(os.path.getsize(largest) // 2)
        byte = file.read(1)
        file.seek(-1, os.SEEK_CUR)
        file.write(bytes([byte[0] ^ 1]))
    refused = firma("measure", states, "-o", os.path.join(directory, "t.json")).expect(3)
    check("checksum" in refused.err, f"{refused}")
    os.remove(os.path.join(states, "states.json"))
    check("states.json" in firma("measure", states).expect(3).err, "what is missing is named")


@test("a signature of another program is refused, and nothing of the attempt is left")
def refuses_others(directory):
    needs_checkpointer()
    signature = make_signature(directory, command_of("openmpi"))
    states = os.path.join(directory, "states")
    firma("checkpoint", signature, "-o", states, "--", *launch("openmpi", 2, "heat", 32, 200)).expect(3)
    check(not os.path.exists(states), "the directory of states is still there")
    shutil.rmtree(os.path.join(directory, "app.trace"))
    os.mkdir(states)
    with open(os.path.join(states, "mine"), "w", encoding="utf-8") as file:
        file.write("keep")
    firma("checkpoint", signature, "-o", states, "--", *command_of("openmpi")).expect(2)
    check_equal(os.listdir(states), ["mine"], "the user's directory")


def saved_with_copies(directory):
    """Saves states of a program and of a library that belong to the test, which may replace them."""
    needs_checkpointer()
    program, libraries = os.path.join(directory, "cg"), os.path.join(directory, "libraries")
    os.mkdir(libraries)
    shutil.copy(app("cg"), program)
    found = [line.split()[2] for line in run(["ldd", program]).expect(0).out.splitlines() if "libm.so" in line or
             "libopen-pal" in line]
    if not found:
        raise Skip("the program has no library to replace")
    library = shutil.copy(os.path.realpath(found[0]), os.path.join(libraries, found[0].rsplit("/", 1)[1]))
    command = [*launcher("openmpi", 2), "-x", f"LD_LIBRARY_PATH={libraries}", program, "96", "60", "25"]
    signature = make_signature(directory, command)
    states = os.path.join(directory, "states")
    firma("checkpoint", signature, "-w", "1", "--stop", "-o", states, "--", *command).expect(0)
    return states, program, library


def refusal(states, directory):
    """The error of a measurement that may not start CRIU. This CRIU reports that it was started."""
    trap = os.path.join(directory, "criu")
    with open(trap, "w", encoding="utf-8") as file:
        file.write(f"#!/bin/sh\ntouch {directory}/started\nexit 1\n")
    os.chmod(trap, 0o755)
    times = os.path.join(directory, "t.json")
    refused = firma("measure", states, "-o", times, env={"FIRMA_CRIU": trap}).expect(3)
    check(not os.path.exists(os.path.join(directory, "started")), f"CRIU was started\n{refused}")
    check(not os.path.exists(times), "there are phase times")
    return refused.err


@test("another program or library than the states were saved with is refused by its name, before CRIU is started")
def refuses_other_files(directory):
    states, program, library = saved_with_copies(directory)
    for path, other in ((program, app("heat")), (library, shutil.which("true"))):
        kept = shutil.move(path, path + ".kept")
        said = refusal(states, directory)
        check(f"{path}: the saved job needs this file, and firma cannot read it" in said or "doesn't exist here" in said, said)
        shutil.copy(other, path)
        said = refusal(states, directory)
        check(f"{path}: was changed since the state was saved: build id " in said and ", now build id " in said, said)
        os.remove(path)
        shutil.move(kept, path)
    firma("measure", states, "-o", os.path.join(directory, "t.json")).expect(0)


@test("states of another kind of machine, or with a recording that is no path, are refused, before CRIU is started")
def refuses_other_machines(directory):
    states, _, _ = saved_states(directory, "openmpi", 2, "--windows", "1", "--stop")
    path = os.path.join(states, "states.json")
    with open(path, encoding="utf-8") as file:
        manifest = json.load(file)
    check(manifest["kernel"].endswith(os.uname().release), f"kernel {manifest['kernel']}")
    for change, said in (({"page_bytes": 2 * manifest["page_bytes"]}, "pages of"),
                         ({"processor": manifest["processor"] + " warp9"}, "warp9")):
        with open(path, "w", encoding="utf-8") as file:
            json.dump({**manifest, **change}, file)
        err = refusal(states, directory)
        check(said in err, err)
    for recording in ("/", "/tmp/", "", "recording"):
        with open(path, "w", encoding="utf-8") as file:
            json.dump({**manifest, "recording": recording}, file)
        check(f"{path}: recording" in refusal(states, directory), f"recording {recording}")
    with open(path, "w", encoding="utf-8") as file:
        json.dump({**manifest, "host": "elsewhere", "kernel": "Linux 5.10.0"}, file)
    firma("measure", states, "-o", os.path.join(directory, "t.json")).expect(0)


@test("a signature of another application beside the states is refused, although it is a signature")
def refuses_exchanged_signature(directory):
    states, _, _ = saved_states(directory, "openmpi", 2, "--windows", "1", "--stop")
    other = make_signature(directory, launch("openmpi", 2, "cg", 80, 50, 40), "other")
    shutil.copy(other, os.path.join(states, "app.firma"))
    times = os.path.join(directory, "t.json")
    refused = firma("measure", states, "-o", times).expect(3)
    check("app.firma: is the signature of another application" in refused.err and "80 50 40" in refused.err, refused.err)
    check(not os.path.exists(times), "there are phase times")


@test("a saved file whose path leads back up is refused by its place, before anything is written")
def refuses_paths_upwards(directory):
    states, _, _ = saved_states(directory, "openmpi", 2, "--windows", "1", "--stop")
    with open(os.path.join(states, "states.json"), encoding="utf-8") as file:
        manifest = json.load(file)
    path = os.path.join(states, str(manifest["states"][0]["state"]), "state.json")
    with open(path, encoding="utf-8") as file:
        state = json.load(file)
    state["files"][1]["path"] = manifest["recording"] + "/../../escaped"
    with open(path, "w", encoding="utf-8") as file:
        json.dump(state, file)
    said = refusal(states, directory)
    check(f"{path}: files[1]" in said, said)
    check(not os.path.exists(os.path.join(directory, "escaped")), "it was written")


@test("if phase times can't be written, measuring says so before it restores, and creates no directory")
def refuses_unwritable_output(directory):
    states, _, _ = saved_states(directory, "openmpi", 2, "--windows", "1", "--stop")
    missing = os.path.join(directory, "missing")
    for output in (os.path.join(missing, "t.json"), directory):
        refused = firma("measure", states, "-o", output).expect(4)
        check(f"{output}: cannot write" in refused.err, refused.err)
    check(not os.path.exists(missing), "a directory was made")


@test("states are saved neither over a file nor through a link that leads nowhere")
def refuses_what_is_no_directory(directory):
    needs_checkpointer()
    command = command_of("openmpi")
    signature = make_signature(directory, command)
    link, file = os.path.join(directory, "link"), os.path.join(directory, "file")
    os.symlink(os.path.join(directory, "nowhere"), link)
    with open(file, "w", encoding="utf-8") as kept:
        kept.write("keep")
    for path in (link, file):
        refused = firma("checkpoint", signature, "-o", path, "--", *command).expect(2)
        check(f"{path}: exists" in refused.err, refused.err)
    check(os.path.islink(link) and os.path.getsize(file) == 4, "what was there has changed")


@test("processors that ranks can't be bound to are refused before anything is restored")
def refuses_processors(directory):
    states, _, _ = saved_states(directory, "openmpi", 2, "--windows", "1", "--stop")
    for bind in ("0-", "1-0", "99999999999", "a", "", "0,,1", "0,1,0", "-1"):
        firma("measure", states, "--bind", bind, "-o", os.path.join(directory, "t.json")).expect(2)
    for option in (("--budget", "9"), ("--keep-recording",)):
        check(option[0] in firma("measure", states, *option).expect(2).err, "an option of the other mode is named")


@test("states are measured under several bindings, which --verify compares with full runs")
def several_bindings(directory):
    if os.cpu_count() < 2:
        raise Skip("needs two processors")
    needs_checkpointer("criu")
    command = [*plain_launcher("openmpi", 2), app("cg", "openmpi"), "120", "20", "40"]
    signature, states = make_signature(directory, command), os.path.join(directory, "states")
    firma("checkpoint", signature, "-o", states, "--windows", "2", "--", *command).expect(0)
    words = [states, "--bind", "0,1", "--bind", "0,0", "-o", os.path.join(directory, "times.json")]
    rows = firma("measure", *words, "--json").expect(0).json()["predictions"]
    check_equal([row["mapping"] for row in rows], ["0,1", "0,0"], "mappings")
    check_equal([[place["processors"] for place in row["places"]] for row in rows], [["0", "1"], ["0", "0"]], "places")
    rows = firma("measure", *words, "--force", "--verify", "--json", "--", *command).expect(0).json()["predictions"]
    check(all(row["actual_s"] > 0 for row in rows), f"{rows}")
    refused = firma("measure", *words, "--bind", "0-1", "--force", "--verify", "--", *command).expect(2)
    check("each rank needs one processor" in refused.err, refused.err)
    check("--verify" in firma("measure", states, "--bind", "0,1", "--verify", "--", *command).expect(2).err, "one binding")


@test("measuring names the mode that an argument is for")
def explains_modes(directory):
    signature = make_signature(directory, launch("openmpi", 2, "cg", 32, 3, 3))
    check("--" in firma("measure", signature).expect(2).err, "a signature needs a command")
    firma("measure", signature, "--mode", "checkpoint", "--", "true").expect(2)
    firma("measure", directory, "--", "true").expect(3)
    firma("measure", directory).expect(3)


main()
