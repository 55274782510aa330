#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Whether equal steps are one phase, if messages are received in another order in each step and each run. See README.md."""

import argparse
import json
import os
import subprocess
import tempfile

from programs import MPIRUN, add_common_arguments, machine, machine_line, print_table, save, say

STEPS, WORK = 100, 20000
PROGRAMS = (("nbx", "same"), ("nbx", ""), ("anyorder", "waitany"), ("anyorder", "waitsome"), ("anyorder", "testany"),
            ("anyorder", "testsome"))
LAUNCHERS = {"openmpi": [*MPIRUN, "--bind-to", "none", "--mca", "mpi_yield_when_idle", "1"], "mpich": ["mpiexec.mpich"]}
RANKS = (4, 8)


def phases_of(options, name, how, mpi, ranks):
    """Returns [weight, …] of the phases of one run."""
    with tempfile.TemporaryDirectory() as directory:
        trace = os.path.join(directory, "trace")
        program = [os.path.join(os.path.abspath(options.apps), f"{name}-{mpi}"), str(STEPS), str(WORK), *([how] if how else [])]
        subprocess.run([options.firma, "trace", "-q", "-o", trace, "--", *LAUNCHERS[mpi], "-n", str(ranks), *program],
                       stdout=subprocess.DEVNULL, check=True)
        words = [options.firma, "phases", trace, "--json"]
        found = json.loads(subprocess.run(words, capture_output=True, text=True, check=True).stdout)
        return [phase["weight"] for phase in found["phases"]]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    add_common_arguments(parser, "sparse.json")
    parser.add_argument("--repeat", type=int, default=5, help="runs of each program (default: %(default)s)")
    options = parser.parse_args()
    found = []
    for name, how in PROGRAMS:
        for mpi in LAUNCHERS:
            for ranks in RANKS:
                say(f"{name} {how}, {mpi}, {ranks} ranks")
                runs = [phases_of(options, name, how, mpi, ranks) for _ in range(options.repeat)]
                found.append({"program": f"{name} {how}".strip(), "mpi": mpi, "ranks": ranks, "weights": runs})
    print(machine_line(machine()))
    print_table(["program", "MPI", "ranks", "runs", f"each phase has weight {STEPS}", "phases"],
                ([one["program"], one["mpi"], str(one["ranks"]), str(len(one["weights"])),
                  str(sum(set(weights) == {STEPS} for weights in one["weights"])),
                  f"{min(map(len, one['weights']))} to {max(map(len, one['weights']))}"] for one in found))
    save(options.output, found)


if __name__ == "__main__":
    main()
