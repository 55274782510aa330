#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compares measured messages with a ping-pong that SimGrid simulates, on the platform that `firma machine export` writes for
this host. See README.md."""

import argparse
import json
import os
import subprocess
import tempfile

from programs import add_common_arguments, machine, machine_line, print_table, quartiles, save, say

CONFIGURATIONS = ("openmpi:shm", "openmpi:tcp", "mpich:shm", "mpich:tcp")
ROUNDS = 200


def execute(*command):
    result = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if result.returncode:
        raise RuntimeError(f"{' '.join(command)}: {result.stderr.strip()}")
    return result.stdout


def simulate(program, platform, size):
    """Seconds of a message in one direction."""
    with open(os.path.join(platform, "smpi.cfg"), encoding="utf-8") as file:
        options = [line.strip() for line in file if not line.startswith("#")]
    out = execute("smpirun", "-np", "2", "-platform", os.path.join(platform, "platform.xml"), "-hostfile",
                  os.path.join(platform, "hostfile"), *options, "--cfg=smpi/simulate-computation:no", program,
                  str(ROUNDS), str(size))
    return 1e-9 * float(out.split("ns_per_event ")[1].split()[0])


def compare(firma, program, configuration, seconds, most, directory):
    output = os.path.join(directory, configuration.replace(":", "-"))
    execute(firma, "comm", "-q", "--only", configuration, "--operations", "pingpong", "--sizes", f"1:{most}x2", "--time",
            f"{seconds}s", "-o", output)
    platform = os.path.join(output, "platform")
    execute(firma, "machine", "export", os.path.join(output, "machine.json"), "--to", "simgrid", "-c",
            configuration.replace(":", " "), "-o", platform)
    with open(os.path.join(output, "comm.json"), encoding="utf-8") as file:
        points = json.load(file)["series"][0]["points"]
    return [{"bytes": point["bytes"], "measured_s": point["median_s"],
             "simulated_s": simulate(program, platform, point["bytes"])} for point in points]


def row_of(configuration, points):
    errors = sorted(abs(point["simulated_s"] / point["measured_s"] - 1) for point in points)
    _, middle, high = quartiles(errors)
    worst = max(points, key=lambda point: abs(point["simulated_s"] / point["measured_s"] - 1))
    within = sum(error <= 0.05 for error in errors)
    return [configuration, str(len(points)), f"**{100 * middle:.1f} %**", f"{100 * high:.1f} %",
            f"{100 * errors[-1]:.1f} % at {worst['bytes']} bytes", f"{within} of {len(points)}"]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    add_common_arguments(parser, "comm_simgrid.json")
    options = parser.parse_args()
    seconds, most = (5, "64k") if options.quick else (30, "4M")
    source = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "tests/apps/pingpong.c")
    facts, results = machine(), {}
    with tempfile.TemporaryDirectory(prefix="firma-bench-") as directory:
        program = os.path.join(directory, "pingpong")
        execute("smpicc", "-O2", source, "-lm", "-o", program)
        for configuration in CONFIGURATIONS:
            if options.only not in configuration:
                continue
            try:
                results[configuration] = compare(os.path.abspath(options.firma), program, configuration, seconds, most,
                                                 directory)
                say(f"{configuration}: done")
            except RuntimeError as error:
                say(f"{configuration}: left out: {error}")
    print(f"Simulated against measured, two processes on one host; {machine_line(facts)}\n")
    print_table(["configuration", "sizes", "median error", "third quartile", "largest", "within 5 %"],
                [row_of(*item) for item in results.items()])
    save(options.output, {"machine": facts, "configurations": results})


main()
