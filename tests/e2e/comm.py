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

import own_network
from harness import (FIRMA, HANG_LIMIT_S, check, check_equal, descendants, firma, main, measure_in_time, processes,
                     serve_first, test, wait_until)

QUICK = ["--sizes", "1,1k,64k,256k", "--repeat", "1", "--target", "100"]
FOUR_ROUNDS = ("6s", "30s", "150s")  # budgets that firma divides into four rounds of a launch, or more; on a busy machine, later ones


def comm(*options, **more):
    return firma("comm", *QUICK, *options, **more)


def name_of(measurement, series):
    one = measurement["configurations"][series["configuration"]]
    return " ".join(filter(None, (one["middleware"], one["transport"], one["packing"])))


def problems_of(measurement):
    """Messages, without that of a host that other programs keep busy."""
    return [problem["message"] for problem in measurement["problems"] if "was busy" not in problem["message"]]


def check_point(point, where):
    check(0 < point["minimum_s"] <= point["median_s"] < 10, f"{where}: {point}")
    check(point["low_s"] <= point["median_s"] <= point["high_s"], f"{where}: interval {point}")
    check(point["minimum_s"] <= point["minimum_high_s"] and point["p90_low_s"] <= point["p90_s"] <= point["p90_high_s"],
          f"{where}: {point}")
    check(point["samples"] >= 1, f"{where}: samples {point}")


@test("everything installed is measured: messages in every way, with models that are never negative, and the libraries' overhead")
def everything():
    only = "os:tcp,os:unix,openmpi,mpich"
    for budget_s in (8, 50, 300):
        document = measure_in_time(lambda budget_s: comm("--only", only, "--operations", "pingpong", "--time",
                                                         f"{budget_s}s", "--json"), budget_s).expect(0).json()
        if not any("lack of time" in message for message in problems_of(document["measurement"])):
            break
    measurement, machine = document["measurement"], document["machine"]
    names = sorted({name_of(measurement, series) for series in measurement["series"]})
    check_equal(names, ["mpich default", "mpich shm", "mpich tcp", "openmpi default", "openmpi shm", "openmpi tcp", "os tcp",
                         "os unix"], "configurations")
    for series in measurement["series"]:
        check_equal([point["bytes"] for point in series["points"]], [1, 1024, 65536, 262144], "sizes")
        for point in series["points"]:
            check_point(point, name_of(measurement, series))
        if "default" in name_of(measurement, series):
            check(series["parts"] and series["path"] in ("memory", "lo"), f"{name_of(measurement, series)}: {series}")
            continue
        expected = "lo" if name_of(measurement, series).endswith("tcp") else "memory"
        check_equal(series["path"], expected, f"way of {name_of(measurement, series)}")
    check_equal(len(machine["paths"]), 8, "paths of the model")
    for path in machine["paths"]:
        for segment in path["segments"]:
            check(segment["latency_s"]["value"] >= 0 and segment["s_per_byte"]["value"] >= 0, f"{path}")
    check_equal(sorted(one["configuration"] for one in document["overheads"]),
                ["mpich default", "mpich shm", "mpich tcp", "openmpi default", "openmpi shm", "openmpi tcp"], "overheads")
    check_equal(problems_of(measurement), [], "problems")


@test("MPI has messages of 0 bytes, and sockets none")
def empty_messages():
    document = measure_in_time(lambda budget_s: firma("comm", "--only", "openmpi:shm,mpich:shm,os:unix", "--operations", "pingpong", "--sizes",
                                                     "0,1,1k,64k", "--repeat", "1", "--target", "100", "--time",
                                                     f"{budget_s}s", "--json"), 6).expect(0).json()
    measurement = document["measurement"]
    sizes = {name_of(measurement, series): [point["bytes"] for point in series["points"]] for series in measurement["series"]}
    check_equal(sizes, {"openmpi shm": [0, 1, 1024, 65536], "mpich shm": [0, 1, 1024, 65536], "os unix": [1, 1024, 65536]}, "sizes")
    check_equal(problems_of(measurement), ["0 bytes: left out, because sockets carry no empty messages"], "problems")
    for path in document["machine"]["paths"]:
        check_equal(path["segments"][0]["from_bytes"], 0, "the model's first size")


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
        guidelines = document["guidelines"]  # monotony and split; none if a busy host's shortest times have no intervals
        check(guidelines["guidelines"] in (0, 2) and guidelines["checks"] >= len(guidelines["violations"]), f"{guidelines}")


@test("collectives of uneven blocks are measured if they are named")
def uneven():
    names = ["gatherv", "scatterv", "allgatherv", "alltoallv"]
    document = measure_in_time(lambda budget_s: comm("--only", "openmpi:shm,mpich:shm", "--operations", ",".join(names), "-n", "3",
                                                     "--time", f"{budget_s}s", "--json"), 8).expect(0).json()
    found = {(name_of(document["measurement"], series), series["operation"]) for series in document["measurement"]["series"]}
    check_equal(found, {(mpi, name) for mpi in ("openmpi shm", "mpich shm") for name in names}, "what was measured")
    check_equal(document["machine"]["collectives"], [], "models of algorithms")


@test("streams are measured if they are named, in bytes and messages a second")
def streams(directory):
    where = os.path.join(directory, "out")
    for budget_s in (10, 60, 300):
        document = firma("comm", "--only", "openmpi:shm,mpich:shm,os:unix", "--operations", "stream,bidirectional,pairs", "-n", "2,3",
                         "--sizes", "0,8,64k", "--repeat", "1", "--target", "100", "--time", f"{budget_s}s", "-o", where, "--force",
                         "--json").expect(0).json()
        if not problems_of(document["measurement"]):
            break
    measurement = document["measurement"]
    found = {(name_of(measurement, series), series["operation"]) for series in measurement["series"]}
    check_equal(found, {(mpi, name) for mpi in ("openmpi shm", "mpich shm") for name in ("stream", "bidirectional", "pairs")}, "what was measured")
    for series in measurement["series"]:
        check_equal(series["ranks"], 2, "processes")
        check_equal([point["bytes"] for point in series["points"]], [0, 8, 65536], "sizes")
        for point in series["points"]:
            rate = point["rate"]
            check_point(point, name_of(measurement, series))
            check(abs(rate["messages_per_s"] * point["median_s"] - 1) < 1e-9, f"{point}")
            check(abs(rate["bytes_per_s"] - point["bytes"] * rate["messages_per_s"]) <= 1e-9 * rate["bytes_per_s"], f"{point}")
            check(0 < rate["low_messages_per_s"] <= rate["messages_per_s"] <= rate["high_messages_per_s"], f"{point}")
            check(rate["most_messages_per_s"] >= rate["messages_per_s"], f"{point}")
    check_equal(document["machine"]["paths"] + document["machine"]["collectives"], [], "the model")
    with open(os.path.join(where, "comm.csv"), encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    check_equal(len(rows), 18, "rows")
    check(all(float(row["messages_per_s"]) > 0 for row in rows), f"{rows[0]}")


@test("one-sided messages are measured if they are named")
def one_sided():
    for budget_s in (8, 48, 300):
        document = comm("--only", "openmpi:shm,mpich:shm,os:unix", "--operations", "put,get", "--time", f"{budget_s}s", "--json").expect(0).json()
        if not problems_of(document["measurement"]):
            break
    series = document["measurement"]["series"]
    check_equal([(name_of(document["measurement"], one), one["operation"]) for one in series],
                [(mpi, name) for mpi in ("openmpi shm", "mpich shm") for name in ("put", "get")], "what was measured")
    for one in series:
        check_equal([point["bytes"] for point in one["points"]], [1, 1024, 65536, 262144], "sizes")
        for point in one["points"]:
            check_point(point, one["operation"])
            check("rate" not in point, f"{point}")
    check_equal(document["machine"]["paths"] + document["machine"]["collectives"], [], "the model")


@test("nonblocking collectives are measured if they are named, with what computing hides of them")
def overlap():
    document = measure_in_time(lambda budget_s: comm("--only", "openmpi:shm", "--operations", "ibroadcast,ibarrier", "-n", "2",
                                                     "--time", f"{budget_s}s", "--json"), 6).expect(0).json()
    series = document["measurement"]["series"]
    check_equal([one["operation"] for one in series], ["ibarrier", "ibroadcast"], "what was measured")
    overlaps = [point["overlap"] for one in series for point in one["points"] if "overlap" in point]
    check(overlaps, f"{series}")
    for one in overlaps:
        check(0 <= one["overlap"] <= 1 and one["compute_s"] > 0 and one["exposed_s"] > 0, f"{one}")
        check(one.get("overlap_low", 0) <= one["overlap"] <= one.get("overlap_high", 1), f"{one}")


@test("-o leaves the measurement, the model, a table and pictures, --raw every sample")
def output(directory):
    where = os.path.join(directory, "out")
    result = measure_in_time(lambda budget_s: comm("--only", "os:unix,openmpi:shm", "-n", "2", "--operations",
                                                   "pingpong,barrier,broadcast", "--time", f"{budget_s}s", "-o", where,
                                                   "--raw", "--force"), 4).expect(0)
    check("against the system" in result.out and "summary" in result.out, result.out)
    files = sorted(os.listdir(where))
    expected = ["bandwidth.svg", "collectives.svg", "comm.csv", "comm.json", "machine.json", "samples.csv", "time.svg"]
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


@test("--statistic says which times become the model, and --all shows the times of all sizes")
def statistics(directory):
    for name in ("median", "min"):
        where = os.path.join(directory, name)
        result = measure_in_time(lambda budget_s, name=name, where=where: firma(
            "comm", "--only", "os:unix", "--operations", "pingpong", "--sizes", "64,128,256", "--repeat", "1", "--target", "100",
            "--statistic", name, "--time", f"{budget_s}s", "-o", where, "--force", "--all"), 2).expect(0)
        with open(os.path.join(where, "machine.json"), encoding="utf-8") as file:
            machine = json.load(file)
        check_equal(machine["statistic"], name, "statistic in the model")
        check("describe the shortest times" in result.out if name == "min" else True, result.out)
        times = result.out.split("\ntimes")[1].split("\n\n")[0].splitlines()[1:]
        check_equal(len(times), 3, "lines of sizes")


@test("--percentiles shows and keeps percentiles of each size")
def percentiles():
    words = ["--only", "os:unix", "--operations", "pingpong", "--percentiles", "0,50,99,100"]
    document = measure_in_time(lambda budget_s: comm(*words, "--time", f"{budget_s}s", "--json"), 2).expect(0).json()
    for point in document["measurement"]["series"][0]["points"]:
        found = {one["percent"]: one["time_s"] for one in point["percentiles"]}
        check_equal((list(found), found[0], found[100]), ([0, 50, 99, 100], point["minimum_s"], point["maximum_s"]), "percentiles")
        check(found[99] is None if point["samples"] < 100 else found[50] <= found[99] <= found[100], f"{point}")
    text = measure_in_time(lambda budget_s: comm(*words, "--time", f"{budget_s}s"), 2).expect(0).out
    check(re.search(r"percentiles +processes +size +samples +P0 +P50 +P99 +P100\n", text), text)


@test("rounds go on while times aren't precise, three at least; --repeat says how many instead")
def rounds():
    def starts(target, *more):
        measurement = firma("comm", "--only", "os:unix", "--operations", "pingpong", "--sizes", "1", "--json",
                            "--target", target, *more).expect(0).json()["measurement"]
        [series] = measurement["series"]
        return series["points"][0]["starts"]

    for budget in FOUR_ROUNDS:
        found = starts("0.000001", "--time", budget)
        if found > 3:
            break
    check(found > 3, f"{found} launches")
    check_equal(starts("100", "--time", "100s", "--repeat", "2"), 2, "launches with --repeat 2")


def without_launchers(directory):
    """An environment whose PATH has no launcher of an MPI."""
    tools = os.path.join(directory, "bin")
    os.mkdir(tools)
    for name in ("sh", "env"):
        os.symlink(shutil.which(name), os.path.join(tools, name))
    return {"PATH": tools}


@test("what can't be started is said once, and its time goes to the rest")
def absent_time(directory):
    environment = without_launchers(directory)
    for budget in FOUR_ROUNDS:
        measurement = firma("comm", "--only", "openmpi,mpich,os:unix", "--operations", "pingpong,barrier", "--sizes", "1",
                            "--target", "0.000001", "--time", budget, "--json", env=environment).expect(0).json()["measurement"]
        starts = [point["starts"] for series in measurement["series"] for point in series["points"]]
        if starts and starts[0] > 3:
            break
    check(starts and starts[0] > 3, f"launches: {starts}")
    messages = problems_of(measurement)
    check_equal(sorted(message.split(";")[0] for message in messages),
                [f"{mpi}: its launcher isn't on PATH" for mpi in ("mpich", "openmpi")], "problems")


@test("an MPI that isn't there is a problem that is named, and the rest is measured")
def absent(directory):
    environment = without_launchers(directory)
    document = measure_in_time(lambda budget_s: comm("--only", "openmpi:tcp,os:unix", "--operations", "pingpong", "--time",
                                                     f"{budget_s}s", "--json", env=environment), 1).expect(0).json()
    messages = [problem["message"] for problem in document["measurement"]["problems"]]
    check(any("its launcher isn't on PATH" in message for message in messages), f"{messages}")
    check_equal({name_of(document["measurement"], series) for series in document["measurement"]["series"]}, {"os unix"},
                "what was measured")
    nothing = comm("--only", "openmpi", "--time", "3s", env=environment).expect(4)
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


def start(*options, env=None):
    return subprocess.Popen([FIRMA, "comm", *QUICK, "--target", "0.000001", "--json", *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            text=True, env=env)


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


@test("after SIGKILL ended firma, nothing of the measurement is left: no process, and no file")
def firma_killed(directory):
    environment = {name: value for name, value in os.environ.items() if name not in ("XDG_RUNTIME_DIR", "FIRMA_MEASURING")}
    with start("--only", "os:unix,openmpi:shm", "--time", "600s", env={**environment, "TMPDIR": directory}) as process:
        wait_for_children(process, "firma-comm-")
        check(any("measuring" in name for name in os.listdir(directory)), "no lock")
        children = {child.pid for child in descendants(process.pid)}
        process.kill()
        process.communicate()
    wait_until(lambda: not children & {each.pid for each in processes() if each.state != "Z"}, "the processes' end", 0.05)
    wait_until(lambda: not [name for name in os.listdir(directory) if name.startswith("firma-")], "the files' end", 0.05)


@test("an interruption ends the measurement, keeps the results so far, and leaves no process")
def interrupted(directory):
    where = os.path.join(directory, "out")
    process = start("--only", "os:unix,os:tcp,openmpi", "--operations", "pingpong", "--time", "10s", "-o", where)
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
                    ["--operations", "send"], ["--raw"], ["--percentiles", "101"], ["--repeat", "-1"], ["word"]):
        comm(*options).expect(2)
    comm("--hosts", os.path.join(directory, "none")).expect(3)


@test("a host that can't be reached is named, and this one is measured")
def unreachable(directory):
    hosts = os.path.join(directory, "hosts")
    with open(hosts, "w", encoding="utf-8") as file:
        file.write(f"{os.uname().nodename} 127.0.0.1\nnowhere.invalid\n")
    document = comm("--hosts", hosts, "--agent", "false", "--only", "os:unix,os:tcp", "--operations", "pingpong", "--time", "8s",
                    "--json").expect(1).json()
    messages = [problem["message"] for problem in document["measurement"]["problems"]]
    check(any("nowhere.invalid" in message for message in messages), f"{messages}")
    check(document["measurement"]["series"], "nothing was measured")


own_network.enter()
serve_first()
main()
