#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compares firma comm with NetPIPE on one host: the same ways to send, the same processors and sizes, in turn. See
README.md."""

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

from programs import add_common_arguments, machine, machine_line, print_table, quartiles, save, say

OPENMPI = ["mpirun.openmpi", "--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "--mca", "pml", "ob1"]
PVM_ENVIRONMENT = {"PVM_ROOT": "/usr/lib/pvm3", "PVM_ARCH": "LINUX64", "PVM_ALLOW_ROOT": "1", "PVM_PATH": "/usr/bin"}
LIMIT_S = 180
TRIALS = 7  # of each size; NetPIPE reports the least of their means


def bound(cpu, *words):
    return ["taskset", "-c", str(cpu), *words]


def netpipe_words(program, most, file):
    """Powers of two, and the sizes half-way between two of them, without NetPIPE's odd sizes around them."""
    return [program, "-l", "1", "-u", str(most), "-p", "0", "-o", file]


def both_by_mpi(launcher, program, cpus, most, file):
    words = netpipe_words(program, most, file)
    subprocess.run([*launcher, "-n", "1", *bound(cpus[0], *words), ":", "-n", "1", *bound(cpus[1], *words)],
                   stdin=subprocess.DEVNULL, capture_output=True, timeout=LIMIT_S, check=True)


def openmpi(btl):
    return lambda cpus, most, file: both_by_mpi([*OPENMPI, "--mca", "btl", btl], "NPopenmpi", cpus, most, file)


def mpich(*environment):
    words = [word for name, value in environment for word in ("-genv", name, value)]
    return lambda cpus, most, file: both_by_mpi(["mpirun.mpich", *words], "NPmpich2", cpus, most, file)


def side_by_side(first, second, environment=None):
    """Starts a program that waits, and then a program that sends to it and measures."""
    options = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL,
               "env": {**os.environ, **(environment or {})}}
    waiting = subprocess.Popen(first, **options)
    try:
        time.sleep(1)
        subprocess.run(second, timeout=LIMIT_S, check=True, **options)
        waiting.wait(10)
    finally:
        if waiting.poll() is None:
            waiting.kill()
            waiting.wait()


def tcp(cpus, most, file):
    words = netpipe_words("NPtcp", most, file)
    side_by_side(bound(cpus[1], *words[:-1], file + ".receiver"), bound(cpus[0], *words, "-h", "127.0.0.1"))


def pvm(cpus, most, file):
    """Under a daemon of its own, because NPpvm takes any other program in the virtual machine for its partner."""
    with tempfile.TemporaryDirectory(prefix="firma-bench-pvm-") as directory:
        environment = {**PVM_ENVIRONMENT, "PVM_TMP": directory}
        daemon = subprocess.Popen(["pvmd"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                  stderr=subprocess.DEVNULL, env={**os.environ, **environment})
        try:
            time.sleep(1)
            words = netpipe_words("NPpvm", most, file)
            side_by_side(bound(cpus[1], *words[:-1], file + ".receiver"), bound(cpus[0], *words, "-h", "localhost"),
                         environment)
        finally:
            daemon.terminate()
            daemon.wait(10)


# firma's name of a configuration, NetPIPE's program, and the function that runs it in the same way.
WAYS = [("os:tcp", "NPtcp", tcp),
        ("openmpi:shm", "NPopenmpi", openmpi("vader,self")),
        ("openmpi:tcp", "NPopenmpi", openmpi("tcp,self")),
        ("mpich:shm", "NPmpich2", mpich(("UCX_TLS", "posix,self"))),
        ("mpich:tcp", "NPmpich2", mpich(("UCX_TLS", "tcp,self"), ("MPIR_CVAR_NOLOCAL", "1"))),
        ("pvm:direct:inplace", "NPpvm", pvm)]


def netpipe_times(execute, cpus, most, directory):
    """Returns {bytes: seconds}. Columns are bytes, Mbit/s (of 2^20 bits), and seconds of half a round trip."""
    file = os.path.join(directory, "np.out")
    execute(cpus, most, file)
    with open(file, encoding="ascii") as lines:
        return {int(columns[0]): float(columns[2]) for columns in map(str.split, lines)}


def least_mean(samples):
    """Returns NetPIPE's result for these samples, in the order in which they were taken."""
    parts = [samples[i * len(samples) // TRIALS:(i + 1) * len(samples) // TRIALS] for i in range(TRIALS)]
    return min(statistics.fmean(part) for part in parts if part)


def firma_times(firma, configuration, cpus, most, seconds, directory):
    """Returns {bytes: {"median_s", "mean_s", "least_mean_s"}} of one launch, because NetPIPE has one launch, too."""
    sizes = ",".join(str(1 << i) for i in range(most.bit_length()))
    output = tempfile.mkdtemp(dir=directory)
    command = [firma, "comm", "-q", "--raw", "-o", output, "--only", configuration, "--operations", "pingpong", "--sizes", sizes,
               "--cpus", ",".join(map(str, cpus)), "--repeat", "1", "--time", f"{seconds}s"]
    result = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                            timeout=seconds + LIMIT_S, check=False)
    if result.returncode:
        raise RuntimeError(result.stderr.strip())
    with open(os.path.join(output, "comm.json"), encoding="utf-8") as file:
        series, = json.load(file)["series"]
    return {point["bytes"]: {"median_s": point["median_s"], "mean_s": point["mean_s"],
                             "least_mean_s": least_mean(point["samples_s"])} for point in series["points"]}


def measure_way(way, firma, cpus, runs, most, seconds):
    configuration, program, execute = way
    found = {"configuration": configuration, "netpipe": program, "firma": [], "netpipe_s": []}
    with tempfile.TemporaryDirectory(prefix="firma-bench-") as directory:
        for i in range(runs):
            for is_firma in (i % 2 == 0, i % 2 == 1):
                if is_firma:
                    found["firma"].append(firma_times(firma, configuration, cpus, most, seconds, directory))
                else:
                    found["netpipe_s"].append(netpipe_times(execute, cpus, most, directory))
            say(f"{configuration}: run {i + 1} of {runs}")
    return found


def spread(times):
    """Half the distance between the quartiles over the median; nothing for a single run."""
    if len(times) < 2:
        return float("nan")
    low, middle, high = quartiles(times)
    return (high - low) / 2 / middle


def median_ratio(found, size, key):
    return statistics.median(firma[size][key] / netpipe[size]
                             for firma, netpipe in zip(found["firma"], found["netpipe_s"]))


def rows(found):
    """Ratios over small sizes, where startup dominates, and over large sizes; and the spread between runs."""
    sizes = sorted(set.intersection(*(set(run) for run in found["firma"] + found["netpipe_s"])))
    for label, chosen in (("to 1 KiB", [size for size in sizes if size <= 1024]),
                          ("from 64 KiB", [size for size in sizes if size >= 65536]), ("all", sizes)):
        if not chosen:
            continue
        ratios = [median_ratio(found, size, "least_mean_s") for size in chosen]
        medians, means = (statistics.median(median_ratio(found, size, key) for size in chosen)
                          for key in ("median_s", "mean_s"))
        low, middle, high = quartiles(ratios) if len(ratios) > 1 else ratios * 3
        own = statistics.median(spread([run[size]["least_mean_s"] for run in found["firma"]]) for size in chosen)
        other = statistics.median(spread([run[size] for run in found["netpipe_s"]]) for size in chosen)
        yield [found["configuration"], found["netpipe"], label, str(len(chosen)), f"**{middle:.3f}**",
               f"{low:.3f} … {high:.3f}", f"{medians:.3f}", f"{means:.3f}", f"{100 * own:.1f} %", f"{100 * other:.1f} %"]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    add_common_arguments(parser, "comm_netpipe.json")
    parser.add_argument("--runs", type=int, default=0, help="runs of both (10; 2 with --quick)")
    parser.add_argument("--seconds", type=int, default=0, help="of each run of firma (20; 5 with --quick)")
    parser.add_argument("--cpus", default="", help="the processors of the two processes (the first two): 0,1")
    options = parser.parse_args()
    runs = options.runs or (2 if options.quick else 10)
    most, seconds = (1 << 16, 5) if options.quick else (1 << 22, 20)
    seconds = options.seconds or seconds
    cpus = [int(cpu) for cpu in options.cpus.split(",")] if options.cpus else sorted(os.sched_getaffinity(0))[:2]
    if len(cpus) != 2:
        sys.exit("two processors are needed")
    facts, results = machine(), []
    for way in WAYS:
        if options.only not in way[0]:
            continue
        if not shutil.which(way[1]):
            say(f"{way[0]}: {way[1]} is not installed, left out")
            continue
        try:
            results.append(measure_way(way, os.path.abspath(options.firma), cpus, runs, most, seconds))
        except (RuntimeError, OSError, subprocess.SubprocessError) as error:
            say(f"{way[0]}: left out: {error}")
    print(f"firma's time over NetPIPE's, both the least of {TRIALS} means; processors {cpus[0]} and {cpus[1]}, {runs} runs "
          f"of each in turn; "
          f"{machine_line(facts)}\n")
    print_table(["way", "NetPIPE", "sizes", "n", "firma / NetPIPE", "quartiles over sizes", "of medians", "of means",
                 "spread of firma", "of NetPIPE"], [row for found in results for row in rows(found)])
    save(options.output, {"machine": facts, "cpus": cpus, "ways": results})


main()
