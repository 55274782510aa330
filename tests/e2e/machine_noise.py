# SPDX-License-Identifier: BSD-3-Clause
"""firma machine noise measures how much the time of the same work differs, and measure --machine hands it to predict."""

import json
import os
import re
import signal
import socket
import subprocess

from harness import FIRMA, HANG_LIMIT_S, check, check_equal, firma, launch, main, make_signature, test, wait_until


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def save(path, document):
    with open(path, "w", encoding="utf-8") as file:
        json.dump(document, file)
    return path


@test("the noise of this host becomes a machine model that can be read again")
def measures(directory):
    machine = os.path.join(directory, "machine.json")
    out = firma("machine", "noise", "--time", "2", "-o", machine).expect(0).out
    for words in (socket.gethostname(), "Allan deviation", "2.00 s", machine):
        check(words in out, f"`{words}` isn't printed\n{out}")
    noise = load(machine)["noise"]
    check_equal((len(noise), noise[0]["host"], noise[0]["processors"], noise[0]["duration_s"]),
                (1, socket.gethostname(), len(os.sched_getaffinity(0)), 2), "the entry")
    check(0.003 < noise[0]["base_s"] < 1, f"{noise}") # longer if others keep the processors busy
    check(1 <= len(noise[0]["deviation"]) <= 6 and all(share >= 0 for share in noise[0]["deviation"]), f"{noise}")
    check("Allan deviation" in firma("machine", "show", machine).expect(0).out, "show")
    check_equal(firma("machine", "show", machine, "--json").expect(0).json()["noise"], noise, "as JSON")


@test("noise is added to a machine model, and replaces that of the same host alone")
def adds(directory):
    other = {"host": "other", "date": "", "command": "", "processors": 4, "duration_s": 9, "base_s": 0.01,
             "deviation": [0.5]}
    machine = save(os.path.join(directory, "machine.json"),
                   {"format": "firma machine", "version": 1, "noise": [other, {**other, "host": socket.gethostname()}]})
    printed = firma("machine", "noise", "--time", "1", "--into", machine, "--json").expect(0).json()
    noise = load(machine)["noise"]
    check_equal((noise[0], noise[1]["host"], len(noise)), (other, socket.gethostname(), 2), "entries")
    check_equal(printed["deviation"], noise[1]["deviation"], "what is printed")
    for wrong, said in (({"deviation": []}, "deviation"), ({"base_s": 0}, "base_s"), ({"deviation": [-1]}, "deviation"),
                        ({"host": socket.gethostname()}, "earlier entry")):
        path = save(os.path.join(directory, "wrong.json"),
                    {"format": "firma machine", "version": 1, "noise": [noise[1], {**other, **wrong}]})
        result = firma("machine", "show", path).expect(3)
        check(path in result.err and said in result.err, result.err)


def holds_back(pid, number):
    """True if the process blocks this signal, as firma does to look for it while it measures."""
    with open(f"/proc/{pid}/status", encoding="utf-8") as status:
        return int(re.search(r"^SigBlk:\s*(\w+)", status.read(), re.M)[1], 16) >> (number - 1) & 1


@test("too little time, and a signal, leave no model behind")
def leaves_nothing(directory):
    machine = os.path.join(directory, "machine.json")
    firma("machine", "noise", "--time", "0.001", "-o", machine).expect(4)
    process = subprocess.Popen([FIRMA, "machine", "noise", "--time", "60", "-o", machine], stderr=subprocess.PIPE)
    wait_until(lambda: holds_back(process.pid, signal.SIGINT), "it measures")
    process.send_signal(signal.SIGINT)
    check_equal(process.wait(timeout=HANG_LIMIT_S), 1, "status")
    process.stderr.close()
    check_equal(os.listdir(directory), [], "files")


@test("measure --machine takes the target's noise from the model, and the interval is computed from it")
def widens_interval(directory):
    command = launch("openmpi", 2, "cg", 200, 25, 80)
    signature, times = make_signature(directory, command), os.path.join(directory, "times.json")
    entry = {"host": socket.gethostname(), "date": "", "command": "", "processors": 2, "duration_s": 9, "base_s": 0.01,
             "deviation": [0.2, 0.2, 0.2]}
    machine = save(os.path.join(directory, "noisy.json"), {"format": "firma machine", "version": 1, "noise": [entry]})
    firma("measure", signature, "--machine", machine, "-o", times, "--", *command).expect(0)
    document = load(times)
    check_equal(document["noise"], [entry], "noise in the times")

    def width(deviation):
        path = save(os.path.join(directory, "edited.json"), {**document, "noise": [{**entry, "deviation": deviation}]})
        predicted = firma("predict", signature, path, "--json").expect(0).json()
        return (predicted["interval_s"][1] - predicted["interval_s"][0]) / predicted["predicted_s"]

    check(width([4] * 3) > width([0.001] * 3) + 0.1, f"{width([4] * 3)}, {width([0.001] * 3)}")  # more than a busy machine adds
    other = save(os.path.join(directory, "other.json"),
                 {"format": "firma machine", "version": 1, "noise": [{**entry, "host": "elsewhere"}]})
    result = firma("measure", signature, "--force", "--machine", other, "-o", times, "--", *command).expect(0)
    check("has no noise of" in result.err and "noise" not in load(times), result.err)
    empty = save(os.path.join(directory, "empty.json"), {"format": "firma machine", "version": 1, "processors": [
        {"name": "own", "cores": 1, "languages": []}]})
    result = firma("measure", signature, "--force", "--machine", empty, "-o", times, "--", *command).expect(3)
    check(empty in result.err, result.err)


if __name__ == "__main__":
    main()
