# SPDX-License-Identifier: BSD-3-Clause
"""firma comm on this host: measurements, files and output; and errors if something is missing or dies."""

import csv
import json
import os
import re
import shutil
import signal
import subprocess
import time
import xml.etree.ElementTree

from harness import (FIRMA, HANG_LIMIT_S, check, check_equal, descendants, firma, main, measure_in_time, processes, test,
                     wait_until)

QUICK = ["--sizes", "1,1k,64k,256k", "--repeat", "1"]


def comm(*options, **more):
    return firma("comm", *QUICK, *options, **more)


def name_of(measurement, series):
    one = measurement["configurations"][series["configuration"]]
    return " ".join(filter(None, (one["middleware"], one["transport"], one["packing"])))


def check_point(point, where):
    check(0 < point["minimum_s"] <= point["median_s"] < 10, f"{where}: {point}")
    check(point["low_s"] <= point["median_s"] <= point["high_s"], f"{where}: interval {point}")
    check(point["samples"] >= 1, f"{where}: samples {point}")


@test("everything installed is measured: messages in every way, with models that are never negative, and the libraries' overhead")
def everything():
    only = "os:tcp,os:unix,openmpi,mpich"
    document = measure_in_time(lambda budget_s: comm("--only", only, "--operations", "pingpong", "--time", f"{budget_s}s",
                                                     "--json"), 8).expect(0).json()
    measurement, machine = document["measurement"], document["machine"]
    names = sorted({name_of(measurement, series) for series in measurement["series"]})
    check_equal(names, ["mpich shm", "mpich tcp", "openmpi shm", "openmpi tcp", "os tcp", "os unix"], "configurations")
    for series in measurement["series"]:
        check_equal([point["bytes"] for point in series["points"]], [1, 1024, 65536, 262144], "sizes")
        for point in series["points"]:
            check_point(point, name_of(measurement, series))
        expected = "lo" if name_of(measurement, series).endswith("tcp") else "memory"
        check_equal(series["path"], expected, f"way of {name_of(measurement, series)}")
    check_equal(len(machine["paths"]), 6, "paths of the model")
    for path in machine["paths"]:
        for segment in path["segments"]:
            check(segment["latency_s"]["value"] >= 0 and segment["s_per_byte"]["value"] >= 0, f"{path}")
    check_equal(sorted(one["configuration"] for one in document["overheads"]),
                ["mpich shm", "mpich tcp", "openmpi shm", "openmpi tcp"], "overheads")
    check_equal(measurement["problems"], [], "problems")


@test("collectives are measured over numbers of processes, by either method, and matched with models")
def collectives():
    for method in ("window", "barrier"):
        document = measure_in_time(lambda budget_s: comm(
            "--only", "openmpi:shm", "--operations", "barrier,broadcast,alltoall", "-n", "2,3", "--time", f"{budget_s}s",
            "--method", method, "--json"), 4).expect(0).json()
        found = {(series["operation"], series["ranks"]) for series in document["measurement"]["series"]}
        check_equal(found, {(name, p) for name in ("barrier", "broadcast", "alltoall") for p in (2, 3)}, "collectives")
        check_equal({series["method"] for series in document["measurement"]["series"]}, {method}, "method")
        modelled = {one["operation"]: one for one in document["machine"]["collectives"]}
        check_equal(sorted(modelled), ["alltoall", "barrier", "broadcast"], "models")
        check(all(one["model"] for one in modelled.values()), f"{modelled}")


@test("-o leaves the measurement, the model, a table and pictures, --raw every sample")
def output(directory):
    where = os.path.join(directory, "out")
    result = measure_in_time(lambda budget_s: comm("--only", "os:unix,openmpi:shm", "-n", "2", "--operations",
                                                   "pingpong,barrier,broadcast", "--time", f"{budget_s}s", "-o", where,
                                                   "--raw", "--force"), 4).expect(0)
    check("against the system" in result.out and "summary" in result.out, result.out)
    files = sorted(os.listdir(where))
    expected = ["bandwidth.svg", "collectives.svg", "comm.csv", "comm.json", "machine.json", "samples.csv", "time.svg"]
    if not shutil.which("gnuplot"):
        expected = [name for name in expected if not name.endswith(".svg")]
    check_equal(files, expected, "files")
    for name in files:
        if name.endswith(".svg"):
            xml.etree.ElementTree.parse(os.path.join(where, name))
    with open(os.path.join(where, "comm.csv"), encoding="utf-8", newline="") as file:
        points = list(csv.DictReader(file))
    with open(os.path.join(where, "samples.csv"), encoding="utf-8", newline="") as file:
        samples = list(csv.DictReader(file))
    check_equal(sum(int(point["samples"]) for point in points), len(samples), "samples")
    check(all(float(sample["seconds"]) > 0 for sample in samples), "a sample isn't positive")
    check("openmpi" in firma("machine", "show", os.path.join(where, "machine.json")).expect(0).out, "the model's table")
    again = comm("--only", "os:unix", "--time", "1s", "-o", where).expect(2)
    check("exists already" in again.err, again.err)


@test("the budget ends a measurement that would go on until its results are exact")
def budget():
    started = time.monotonic()
    document = comm("--only", "os:unix", "--operations", "pingpong", "--target", "0.000001", "--time", "2s", "--json").expect(0).json()
    elapsed_s = time.monotonic() - started
    check(elapsed_s < 60, f"took {elapsed_s:.1f} s for a budget of 2 s")
    check(1 < document["measurement"]["elapsed_s"] <= elapsed_s, "the time that it says it took")


@test("an MPI that isn't there is a problem that is named, and the rest is measured")
def absent(directory):
    tools = os.path.join(directory, "bin")
    os.mkdir(tools)
    for name in ("sh", "env"):
        os.symlink(shutil.which(name), os.path.join(tools, name))
    document = measure_in_time(lambda budget_s: comm("--only", "openmpi:tcp,os:unix", "--operations", "pingpong", "--time",
                                                     f"{budget_s}s", "--json", env={"PATH": tools}), 1).expect(0).json()
    messages = [problem["message"] for problem in document["measurement"]["problems"]]
    check(any("its launcher isn't on PATH" in message for message in messages), f"{messages}")
    check_equal({name_of(document["measurement"], series) for series in document["measurement"]["series"]}, {"os unix"},
                "what was measured")
    nothing = comm("--only", "openmpi", "--time", "3s", env={"PATH": tools}).expect(4)
    check("nothing could be measured" in nothing.err, nothing.err)


def is_running(pid):
    return any(process.pid == pid and process.state != "Z" for process in processes())


def wait_for_children(process, pattern):
    found = []

    def are_there():
        found[:] = [child.pid for child in descendants(process.pid) if re.match(pattern, child.name)]
        return found or process.poll() is not None

    wait_until(are_there, f"{pattern} runs", 0.05)
    check(found, f"{pattern} never ran")
    return found


def start(*options):
    return subprocess.Popen([FIRMA, "comm", *QUICK, "--json", *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            text=True)


@test("a process that dies during the measurement is named, and all other results are kept")
def killed():
    for pause_s in (1, 5, 25):  # on a busy machine, a process may be killed before or after it measures
        process = start("--only", "openmpi:tcp,os:unix", "--operations", "pingpong", "--time", f"{10 * pause_s}s", "--target", "0.001")
        victims = wait_for_children(process, "firma-comm-open")
        time.sleep(pause_s)
        os.kill(victims[-1], signal.SIGKILL)
        out, err = process.communicate(timeout=HANG_LIMIT_S)
        if process.returncode == 1:
            break
    check_equal(process.returncode, 1, f"exit status\n{err}")
    check("ended while they measured" in json.loads(out)["incomplete"][0], out[:500])
    check("ended early" in out or "exited on signal" in out, "the death isn't named")
    check('"os"' in out and '"unix"' in out, out[:500])


@test("an interruption ends the measurement, keeps the results so far, and leaves no process")
def interrupted(directory):
    where = os.path.join(directory, "out")
    process = start("--only", "os:unix,os:tcp,openmpi", "--operations", "pingpong", "--time", "30s", "-o", where)
    wait_for_children(process, "firma-comm-open")
    workers = [child.pid for child in descendants(process.pid)]
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=HANG_LIMIT_S)
    check_equal(process.returncode, 1, f"exit status\n{err}")
    check("interrupted" in err, err)
    check(os.path.exists(os.path.join(where, "comm.json")), "what was measured isn't kept")
    wait_until(lambda: not any(map(is_running, workers)), "the workers end", 0.1)


@test("wrong options are refused before anything is measured")
def refused(directory):
    hosts = os.path.join(directory, "hosts")
    with open(hosts, "w", encoding="utf-8") as file:
        file.write("alpha\nbeta 10.0.0.2 zero\n")
    check("line 2" in comm("--hosts", hosts).expect(3).err, "the place in the file")
    for options in (["--only", "openmp"], ["--time", "0"], ["--time", "1x"], ["--sizes", "1:"], ["--sizes", "4G"],
                    ["-n", "1"], ["--target", "0"], ["--method", "mean"], ["--pairs", "all"], ["--cpus", "a"],
                    ["--operations", "send"], ["--raw"], ["--repeat", "-1"], ["word"]):
        comm(*options).expect(2)
    comm("--hosts", os.path.join(directory, "none")).expect(3)


@test("a host that can't be reached is named, and this one is measured")
def unreachable(directory):
    hosts = os.path.join(directory, "hosts")
    with open(hosts, "w", encoding="utf-8") as file:
        file.write(f"{os.uname().nodename} 127.0.0.1\nnowhere.invalid\n")
    document = comm("--hosts", hosts, "--agent", "false", "--only", "os:unix,os:tcp", "--operations", "pingpong", "--time", "8s",
                    "--json").expect(0).json()
    messages = [problem["message"] for problem in document["measurement"]["problems"]]
    check(any("nowhere.invalid" in message for message in messages), f"{messages}")
    check(document["measurement"]["series"], "nothing was measured")


main()
