#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Exports in the tools that they are for. Programs run in SimGrid's SMPI without computation, and so do the replays of their
traces. Real traces go to two simulators of the same machine: to SMPI's replay as time-independent traces, and to LogGOPSim as
GOAL schedules. See README.md."""

import argparse
import os
import re
import tempfile

from programs import MPIRUN, add_common_arguments, machine, machine_line, print_table, save, say
from thesis import APPS, SIMULATION, build_program, run

PROGRAMS = (("stencil", (32, 200)), ("cg", (64, 20, 10)), ("multigrid", ()), ("masterworker", (100,)), ("heat", ()), ("adi", ()),
            ("sweep", ()))
RANKS = 4
PLATFORM = """<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1"><zone id="world" routing="Full">
<cluster id="a" prefix="a" suffix="" radical="0-15" speed="1Gf" bw="125MBps" lat="24us" bb_bw="1.25GBps" bb_lat="1us"/>
</zone></platform>
"""
NEUTRAL = ("--cfg=smpi/host-speed:1Gf", "--cfg=smpi/bw-factor:0:1", "--cfg=smpi/lat-factor:0:1",
           "--cfg=smpi/send-is-detached-thresh:65536", "--cfg=smpi/async-small-thresh:65536")
# The same machine in nanoseconds: 24 + 1 + 24 us, 8 ns a byte.
LOGGOPSIM = ("-L", "49000", "-o", "0", "-g", "0", "-G", "8", "-S", "65536")
SMPIRUN = ("smpirun", "-np", str(RANKS), "-platform", "a.xml", "-hostfile", "a.hosts", *NEUTRAL)


def write_platform(directory):
    for name, text in (("a.xml", PLATFORM), ("a.hosts", "".join(f"a{i}\n" for i in range(16)))):
        with open(os.path.join(directory, name), "w", encoding="utf-8") as file:
            file.write(text)


def replayed_s(firma, archive, directory, options=()):
    run([firma, "export", archive, "--to", "ti", "-o", "ti", "--force"], cwd=directory)
    for name in ("a.xml", "a.hosts"):
        os.replace(os.path.join(directory, name), os.path.join(directory, "ti", name))
    said = run(["sh", "-c", '"$@" 2>&1', "sh", *SMPIRUN, *options, "--log=smpi_replay.thres:info", "-replay", "traces.txt"],
               cwd=os.path.join(directory, "ti"))
    return float(re.search(r"Simulation time ([0-9.]+)", said)[1])


def loggopsim_s(firma, archive, folder, directory):
    run([firma, "export", archive, "--to", "goal", "--collectives", "smpi", "-o", "a.goal", "--force"], cwd=directory)
    run([os.path.join(folder, "txt2bin"), "-i", "a.goal", "-o", "a.bin"], cwd=directory)
    said = run([os.path.join(folder, "LogGOPSim"), "-f", "a.bin", *LOGGOPSIM], cwd=directory)
    assert "queue on host" not in said, f"messages are left over\n{said}"
    return max(int(time) for time in re.findall(r"Host \d+: (\d+)", said)) * 1e-9


def simulated(firma, build, name, arguments, directory):
    """SMPI's time of a program without computation, and of the replay of its trace."""
    write_platform(directory)
    program = build_program(build, os.path.join(APPS, name + ".c"), directory)
    run([firma, "trace", "-q", "-o", "a.trace", "--", *SMPIRUN, *SIMULATION, program, *map(str, arguments)], cwd=directory)
    said = run(["sh", "-c", '"$@" 2>&1', "sh", *SMPIRUN, *SIMULATION[:2], "--cfg=smpi/display-timing:yes", program,
                *map(str, arguments)], cwd=directory)
    return {"direct_s": float(re.search(r"Simulated time: ([0-9.]+)", said)[1]), "replay_s": replayed_s(firma, "a.trace", directory)}


def real(firma, apps, loggopsim, name, arguments, directory):
    """What both simulators say of a real run's trace."""
    write_platform(directory)
    run([firma, "trace", "-q", "-o", "a.trace", "--", *MPIRUN, "-n", str(RANKS), os.path.abspath(os.path.join(apps, name + "-openmpi")),
         *map(str, arguments)], cwd=directory)
    return {"goal_s": loggopsim_s(firma, "a.trace", loggopsim, directory), "replay_s": replayed_s(firma, "a.trace", directory)}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    add_common_arguments(parser, "exports.json")
    parser.add_argument("--loggopsim", help="folder with LogGOPSim and its txt2bin; without it, only SMPI replays")
    options = parser.parse_args()
    facts, direct, both = machine(), [], []
    firma = os.path.abspath(options.firma)
    build = os.path.dirname(os.path.dirname(os.path.dirname(firma)))
    for name, arguments in PROGRAMS[:2] if options.quick else PROGRAMS:
        if not any(text in name for text in options.only.split(",")):
            continue
        if name not in ("adi", "heat", "sweep"):  # these are in Fortran
            with tempfile.TemporaryDirectory(prefix="firma-bench-") as directory:
                direct.append({"program": name, **simulated(firma, build, name, arguments, directory)})
        if options.loggopsim:
            with tempfile.TemporaryDirectory(prefix="firma-bench-") as directory:
                both.append({"program": name, **real(firma, options.apps, os.path.abspath(options.loggopsim), name, arguments, directory)})
        say(name)
    print(machine_line(facts) + "\n")
    print_table(["program", "SMPI", "replay of its trace"],
                [[row["program"], f"{row['direct_s']:.6f} s", f"{row['replay_s']:.6f} s"] for row in direct])
    print()
    print_table(["program", "SMPI's replay", "LogGOPSim", "difference"],
                [[row["program"], f"{row['replay_s']:.4f} s", f"{row['goal_s']:.4f} s",
                  f"{100 * (row['goal_s'] / row['replay_s'] - 1):+.1f} %"] for row in both])
    save(options.output, {"machine": facts, "simulated": direct, "real": both})


if __name__ == "__main__":
    main()
