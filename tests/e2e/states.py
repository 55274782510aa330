# SPDX-License-Identifier: BSD-3-Clause
"""Executable signatures: states of a real program, saved before windows of its run, restored and measured."""

import json
import os
import shutil

from harness import MPIS, Skip, check, check_equal, firma, launch, main, make_signature, run, test


def needs_checkpointer():
    """Skips where jobs can't be saved, with the reason."""
    checks = firma("doctor", "--json").expect(0, 1).json()["checks"]
    found = [item for item in checks if item["check"].startswith("checkpoints")]
    if not found or any(item["finding"] != "ok" for item in found):
        raise Skip("; ".join(f"{item['check']}: {item['detail']}" for item in found) or "no checkpointer")


def command_of(mpi, ranks=2):
    return launch(mpi, ranks, "cg", 96, 60, 25)


def checksum(text):
    return [line for line in text.splitlines() if "checksum" in line]


def saved_states(directory, mpi, ranks=2, *options):
    needs_checkpointer()
    command = command_of(mpi, ranks)
    signature = make_signature(directory, command)
    states = os.path.join(directory, "states")
    result = firma("checkpoint", signature, "-o", states, "--json", *options, "--", *command, timeout_s=180).expect(0)
    return states, result.json(), command


def add_whole_way(mpi, ranks):
    @test(f"states of {ranks} ranks of {mpi} are saved, restored again and again, measured and predicted from")
    def whole_way(directory):
        states, saved, command = saved_states(directory, mpi, ranks)
        check(saved["saved"] >= 1, f"states: {saved}")
        check_equal(saved["saved"], len(saved["states"]), "saved states")
        check_equal(saved["launcher_status"], 0, "the run's status")
        with open(os.path.join(states, "output"), encoding="utf-8") as file:
            check_equal(checksum(file.read()), checksum(run(command).expect(0).out), "the program's result")
        times = os.path.join(directory, "times.json")
        for _ in range(2):
            measured = firma("measure", states, "-o", times, "--json", timeout_s=120).expect(0).json()
            check_equal((measured["failed"], measured["executed"]), (0, saved["saved"]), "restarts")
            check(measured["agreement"] > 0.95 and measured["phases"], f"measured: {measured}")
        predicted = firma("predict", os.path.join(states, "app.firma"), times, "--json").expect(0).json()
        check(predicted["predicted_s"] > 0, f"prediction {predicted['predicted_s']}")
        check_equal(sorted(os.listdir(directory)), ["app.firma", "app.trace", "states", "times.json"], "what is left")


for mpi in MPIS:
    add_whole_way(mpi, 2)
add_whole_way("openmpi", 4)


@test("states hold what only their owner may read")
def are_private(directory):
    states, _, _ = saved_states(directory, "openmpi", 2, "--windows", "1", "--stop")
    check_equal(os.stat(states).st_mode & 0o77, 0, "mode of the directory")


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


@test("measuring says which mode an argument is for")
def explains_modes(directory):
    signature = make_signature(directory, launch("openmpi", 2, "cg", 32, 3, 3))
    check("--" in firma("measure", signature).expect(2).err, "a signature needs a command")
    firma("measure", signature, "--mode", "checkpoint", "--", "true").expect(2)
    firma("measure", directory, "--", "true").expect(2)
    firma("measure", directory).expect(3)


main()
