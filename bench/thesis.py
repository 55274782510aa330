#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Repeats the thesis's finding on programs that receive from any source: both logical orders with both similarities, at 8 to 64
ranks. The runs are simulated (SimGrid's SMPI), so 64 ranks fit on any machine, and every run is the same. See README.md."""

import argparse
import json
import os
import subprocess
import sys
import tempfile

PLATFORM = """<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1"><zone id="world" routing="Full">
<cluster id="{name}" prefix="{name}" suffix="" radical="0-63" speed="{speed}" bw="{bandwidth}" lat="{latency}"
 bb_bw="1.25GBps" bb_lat="1us"/></zone></platform>
"""
# Programs are traced on the first platform, and predicted for the second.
PLATFORMS = {"a": dict(speed="1Gf", bandwidth="125MBps", latency="24us"),
             "b": dict(speed="2Gf", bandwidth="1.25GBps", latency="4us")}
# Program, and its arguments for a number of ranks. The stencil only receives from named sources; it
# is there for comparison.
PROGRAMS = (("anyhalo", lambda ranks: (400, 100000)), ("migration", lambda ranks: (400, 100000)),
            ("masterworker", lambda ranks: (40 * ranks, 20000)), ("stencil", lambda ranks: (64, 400)))
RANKS = (8, 16, 32, 64)
APPS = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "tests", "apps")
SIMULATION = ("--cfg=smpi/simulate-computation:no", "--cfg=smpi/wtime:0", "--cfg=smpi/iprobe:1e-5", "--log=root.thres:error")
RUN_LIMIT_S = 1800


def run(command, **options):
    result = subprocess.run(command, capture_output=True, text=True, timeout=RUN_LIMIT_S, check=False, **options)
    if result.returncode:
        sys.exit(f"$ {' '.join(command)}\nexit status {result.returncode}\n{result.stderr[-2000:]}")
    return result.stdout


def build_program(build, source, directory):
    """Links a program with the recorder for SMPI."""
    recorder = os.path.join(build, "src", "trace", "recorder", "libfirma-smpi.a")
    program = os.path.join(directory, os.path.splitext(os.path.basename(source))[0])
    run(["smpicc", "-O2", "-DAPP_SIMULATED", "-I", APPS, source, "-Wl,--whole-archive", recorder, "-Wl,--no-whole-archive",
         "-lm", "-o", program])
    return program


def write_platforms(directory):
    for name, values in PLATFORMS.items():
        with open(os.path.join(directory, name + ".xml"), "w", encoding="utf-8") as file:
            file.write(PLATFORM.format(name=name, **values))
        with open(os.path.join(directory, name + ".hosts"), "w", encoding="utf-8") as file:
            file.writelines(f"{name}{i}\n" for i in range(64))


def trace(firma, program, arguments, ranks, platform, directory):
    archive = os.path.join(directory, f"{os.path.basename(program)}-{ranks}-{platform}")
    run([firma, "trace", "-q", "-o", archive, "--", "smpirun", "-np", str(ranks), "-platform", platform + ".xml",
         "-hostfile", platform + ".hosts", *SIMULATION, program, *map(str, arguments)], cwd=directory)
    return archive


def compare(firma, program, arguments, ranks, directory):
    archives = [trace(firma, program, arguments, ranks, platform, directory) for platform in PLATFORMS]
    return json.loads(run([firma, "phases", archives[0], "--compare", "--against", archives[1], "--json"]))


def print_results(results):
    print("| program | ranks | order | similarity | ticks | blocks | phases | relevant | coverage | same on B | PETE, the "
          "thesis's | error, by process |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    for result in results:
        for method in result["methods"]:
            blocks = f"{method['distinct_blocks']:,}" if method["blocks"] else "-"
            print(f"| {result['program']} | {result['ranks']} | {method['order']} | {method['similarity']} | "
                  f"{method['ticks']:,} | {blocks} | {method['phases']:,} | {method['relevant_phases']} | "
                  f"{100 * method['coverage']:.1f} % | {100 * method['agreement']:.1f} % | "
                  f"{method['pete_percent']:.1f} % | {method['error_percent']:.1f} % |")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", default="build", help="the build folder (build)")
    parser.add_argument("--quick", action="store_true", help="8 and 16 ranks only: shows that it works")
    parser.add_argument("--only", default="", metavar="TEXT", help="programs whose name contains it")
    parser.add_argument("-o", "--output", metavar="FILE", help="every number, as JSON")
    options = parser.parse_args()
    build = os.path.abspath(options.build)
    firma = os.path.join(build, "src", "cli", "firma")
    results = []
    with tempfile.TemporaryDirectory(prefix="firma-bench-") as directory:
        write_platforms(directory)
        for name, arguments in PROGRAMS:
            if options.only not in name:
                continue
            program = build_program(build, os.path.join(APPS, name + ".c"), directory)
            for ranks in RANKS[:2] if options.quick else RANKS:
                print(f"{name}, {ranks} ranks", file=sys.stderr)
                result = compare(firma, program, arguments(ranks), ranks, directory)
                results.append({"program": name, "ranks": ranks, **result})
    print_results(results)
    if options.output:
        with open(options.output, "w", encoding="utf-8") as file:
            json.dump(results, file, indent=1)


if __name__ == "__main__":
    main()
