#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""How well parallel basic blocks repeat in traces of real runs, with the measured floor of computation times and without it.
See README.md."""

import argparse
import json
import os
import subprocess
import tempfile

from programs import MPIRUN, add_common_arguments, machine, machine_line, print_table, save, say

PROGRAMS = (("cg", (64, 10, 20)), ("multigrid", (8, 60)), ("stencil", (64, 600)), ("particles", (200, 100)), ("heat", (64, 300)))
LAUNCHERS = {"openmpi": [*MPIRUN, "--bind-to", "none"], "mpich": ["mpiexec.mpich"]}
RANKS = (4, 8)


def blocks_of(firma, trace, *options):
    words = [firma, "phases", trace, "--similarity", "block", "--json", *options]
    said = json.loads(subprocess.run(words, capture_output=True, text=True, check=True).stdout)
    return {name: said[name] for name in ("blocks", "distinct_blocks", "coverage", "compute_floor_s")}


def measure(options, name, arguments, mpi, ranks):
    with tempfile.TemporaryDirectory() as directory:
        trace = os.path.join(directory, "trace")
        program = [os.path.join(os.path.abspath(options.apps), f"{name}-{mpi}"), *map(str, arguments)]
        subprocess.run([options.firma, "trace", "-q", "-o", trace, "--", *LAUNCHERS[mpi], "-n", str(ranks), *program],
                       stdout=subprocess.DEVNULL, check=True)
        return {"program": name, "mpi": mpi, "ranks": ranks, "thesis": blocks_of(options.firma, trace, "--compute-floor", "0"),
                "measured": blocks_of(options.firma, trace)}


def row(found):
    cells = [f"{way['distinct_blocks']:,} / {100 * way['coverage']:.0f} %" for way in (found["thesis"], found["measured"])]
    floor = f"{1e6 * found['measured']['compute_floor_s']:.1f} µs"
    return [found["program"], found["mpi"], str(found["ranks"]), f"{found['thesis']['blocks']:,}", cells[0], floor, cells[1]]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    add_common_arguments(parser, "blocks.json")
    options = parser.parse_args()
    found = []
    for name, arguments in PROGRAMS:
        for mpi in LAUNCHERS:
            for ranks in RANKS:
                say(f"{name}, {mpi}, {ranks} ranks")
                found.append(measure(options, name, arguments, mpi, ranks))
    print(machine_line(machine()))
    print_table(["program", "MPI", "ranks", "blocks", "distinct / coverage, floor 0", "measured floor", "distinct / coverage"],
                map(row, found))
    save(options.output, found)


if __name__ == "__main__":
    main()
