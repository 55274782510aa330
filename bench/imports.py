#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compares traces that `firma trace --convert` makes of other tools' traces with firma's own traces of the same programs:
Extrae's under Open MPI, and SMPI's time-independent ones of the same simulated run. See README.md."""

import argparse
import json
import os
import subprocess
import tempfile

from programs import MPIRUN, add_common_arguments, machine, machine_line, print_table, save, say
from thesis import APPS, SIMULATION, build_program, run, write_platforms

# Program, and its arguments.
PROGRAMS = (("stencil", (64, 400)), ("cg", (64, 25, 4)), ("multigrid", (6, 20)), ("particles", (200, 20)),
            ("twostage", (400, 2)), ("anyhalo", (40, 10000)), ("masterworker", (60, 2000)), ("migration", (60, 1000)),
            ("montecarlo", (1000, 5)))
RANKS = 4


def firma_says(firma, *words, directory):
    """Returns (exit status, what firma prints as JSON)."""
    result = subprocess.run([firma, *words, "--json"], cwd=directory, capture_output=True, text=True, check=False)
    return result.returncode, json.loads(result.stdout)


def compare(firma, foreign, directory, options=()):
    """Returns what `firma diff` says about own.trace and the foreign trace."""
    status, said = firma_says(firma, "trace", "--convert", foreign, "-o", "foreign.trace", "--force", *options, directory=directory)
    if status:
        return {"refused": said["error"]["message"]}
    said = firma_says(firma, "diff", "own.trace", "foreign.trace", directory=directory)[1]
    return {"refused": said["error"]["message"]} if "error" in said else said


def under_extrae(firma, apps, extrae, name, arguments, directory):
    program = [os.path.join(os.path.abspath(apps), f"{name}-openmpi"), *map(str, arguments)]
    launch = [*MPIRUN, "--bind-to", "none", "--mca", "mpi_yield_when_idle", "1", "-n", str(RANKS)]
    run([firma, "trace", "-q", "-o", "own.trace", "--force", "--", *launch, *program], cwd=directory)
    library = os.path.join(extrae, "lib", "libmpitrace.so")
    # Extrae 5 ends processes inside MPI_Finalize, which mpirun takes for a failure.
    subprocess.run([*launch, "-x", "EXTRAE_ON=1", "-x", f"EXTRAE_HOME={extrae}", "-x", f"LD_PRELOAD={library}", *program],
                   cwd=directory, capture_output=True, check=False)
    run([os.path.join(extrae, "bin", "mpi2prv"), "-f", "TRACE.mpits", "-o", "app.prv"], cwd=directory)
    return compare(firma, "app.prv", directory)


def under_smpi(firma, build, name, arguments, directory):
    write_platforms(directory)
    program = build_program(build, os.path.join(APPS, name + ".c"), directory)
    rest = ["-np", str(RANKS), "-platform", "a.xml", "-hostfile", "a.hosts", *SIMULATION, program, *map(str, arguments)]
    run([firma, "trace", "-q", "-o", "own.trace", "--force", "--", "smpirun", *rest], cwd=directory)
    run(["smpirun", "-trace-ti", *rest], cwd=directory)
    return compare(firma, "smpi_simgrid.txt", directory, ("--flop-rate", "1e9"))


def row(tool, name, said):
    if "refused" in said:
        return [tool, name, "–", "–", "–", "refused: " + said["refused"].split(": ")[-1]]
    own, foreign = said["events"]
    return [tool, name, str(own), str(foreign), f"{100 * said['events_in_both'] / max(own, foreign, 1):.1f} %", said["summary"]]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    add_common_arguments(parser, "imports.json")
    parser.add_argument("--extrae", help="folder where Extrae is installed; without it, only SMPI's traces are compared")
    options = parser.parse_args()
    facts, results = machine(), []
    build = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(options.firma))))
    for name, arguments in PROGRAMS[:2] if options.quick else PROGRAMS:
        if not any(text in name for text in options.only.split(",")):
            continue
        for tool in ("Extrae", "SMPI") if options.extrae else ("SMPI",):
            with tempfile.TemporaryDirectory(prefix="firma-bench-") as directory:
                said = (under_extrae(options.firma, options.apps, options.extrae, name, arguments, directory)
                        if tool == "Extrae" else under_smpi(options.firma, build, name, arguments, directory))
            results.append({"tool": tool, "program": name, "arguments": arguments, "result": said})
            say(f"{tool}, {name}: {said.get('summary', said.get('refused'))}")
    print(machine_line(facts) + "\n")
    print_table(["trace by", "program", "events, firma", "events, converted", "in both", "result"],
                [row(result["tool"], result["program"], result["result"]) for result in results])
    save(options.output, {"machine": facts, "results": results})


if __name__ == "__main__":
    main()
