#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Measures the recorder's cost for an MPI call, and for a program's start and end, under each MPI. See README.md."""

import argparse
import os
import shutil
import statistics
import subprocess
import tempfile
import time

from programs import machine, machine_line, print_table, quartiles, save, say

LAUNCHERS = {"openmpi": ["mpirun.openmpi", "--allow-run-as-root", "--oversubscribe", "--bind-to", "core"],
             "mpich": ["mpirun.mpich", "--bind-to", "core"]}
LIBRARIES = {"openmpi": "libmpi.so.40", "mpich": "libmpich.so.12"}
HERE = os.path.dirname(os.path.abspath(__file__))


def compiled(flavour, directory):
    program = os.path.join(directory, f"recorder_speed-{flavour}")
    subprocess.run([f"mpicc.{flavour}", "-std=gnu17", "-O2", f'-DMPI_LIBRARY="{LIBRARIES[flavour]}"', "-o", program,
                    os.path.join(HERE, "recorder_speed.c"), "-ldl"], check=True)
    return program


def launch(flavour, recorder, program, ranks, arguments):
    """Returns (stdout, seconds). With recorder None, the run is untraced."""
    with tempfile.TemporaryDirectory(prefix="firma-bench-") as directory:
        preload = ["env", f"LD_PRELOAD={recorder}", f"FIRMA_RECORD_DIRECTORY={directory}"] if recorder else []
        start = time.monotonic()
        done = subprocess.run([*LAUNCHERS[flavour], "-n", str(ranks), *preload, program, *arguments],
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300, check=True)
        return done.stdout, time.monotonic() - start


def calls(flavour, recorder, program, n_runs, blocks):
    """Returns {case: [(plain, recorded, plain, recorded)]}: first medians, then 10th percentiles of the blocks."""
    cases = {}
    for i in range(n_runs):
        for ranks in (1, 2):
            for line in launch(flavour, recorder, program, ranks, [str(blocks)])[0].splitlines():
                name, figures = line.split(": ")
                cases.setdefault(name, []).append([float(figure) for figure in figures.split()])
        say(f"{flavour}: run {i + 1} of {n_runs}")
    return cases


def launches(flavour, recorder, program, n_pairs):
    """Seconds of a two-rank program that does nothing between MPI_Init and MPI_Finalize: (untraced, traced)."""
    pairs = []
    for i in range(n_pairs):
        pair = {traced: launch(flavour, recorder if traced else None, program, 2, ["0"])[1]
                for traced in (i % 2 == 1, i % 2 == 0)}
        pairs.append([pair[False], pair[True]])
    return pairs


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--recorders", default=os.path.join(HERE, "../build/src/trace/recorder"), help="their folder")
    parser.add_argument("--runs", type=int, default=9, help="runs of each case, pairs of launches (9)")
    parser.add_argument("--blocks", type=int, default=20, help="blocks of calls a run (20)")
    parser.add_argument("-o", "--output", default="recorder_speed.json", help="the numbers (recorder_speed.json)")
    options = parser.parse_args()
    facts, found = machine(), {}
    rows, launch_rows = [], []
    for flavour in LAUNCHERS:
        recorder = os.path.abspath(os.path.join(options.recorders, f"libfirma-{flavour}.so"))
        if not os.path.exists(recorder) or not shutil.which(f"mpicc.{flavour}"):
            say(f"{flavour}: left out, not installed")
            continue
        with tempfile.TemporaryDirectory(prefix="firma-bench-") as directory:
            program = compiled(flavour, directory)
            cases = calls(flavour, recorder, program, options.runs, options.blocks)
            pairs = launches(flavour, recorder, program, options.runs)
        found[flavour] = {"cases": cases, "launches_s": pairs}
        for name, runs in cases.items():
            low, middle, high = quartiles([recorded - plain for plain, recorded, *_ in runs])
            best = statistics.median(recorded - plain for _, _, plain, recorded in runs)
            rows.append([flavour, name, f"{statistics.median(run[0] for run in runs):.0f} ns", f"**{middle:+.0f} ns**",
                         f"{low:+.0f} … {high:+.0f} ns", f"{best:+.0f} ns"])
        low, middle, high = (1000 * value for value in quartiles([traced - plain for plain, traced in pairs]))
        launch_rows.append([flavour, f"{1000 * statistics.median(pair[0] for pair in pairs):.0f} ms",
                            f"**{middle:+.1f} ms**", f"{low:+.1f} … {high:+.1f} ms"])
    print(f"Cost of recording a call, median of {options.runs} runs; {machine_line(facts)}\n")
    print_table(["MPI", "calls", "unrecorded, a call", "recording", "quartiles", "in the least disturbed blocks"], rows)
    print("\nCost of recording a launch of two ranks that do nothing\n")
    print_table(["MPI", "unrecorded", "recording", "quartiles"], launch_rows)
    save(options.output, {"machine": facts, "found": found})


main()
