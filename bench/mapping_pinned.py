#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Tests whether `firma map` predicts the effect of binding ranks to this machine's cores: programs of four ranks on two cores,
bound by the rankfiles that firma writes. See README.md."""

import argparse
import json
import os
import shlex
import statistics
import tempfile

from programs import (MPIRUN, add_common_arguments, machine, machine_line, print_table, quartiles, run, save, say)

HERE = os.path.dirname(os.path.abspath(__file__))
APPS_DIRECTORY = os.path.join(os.path.dirname(HERE), "tests", "apps")
YIELDING = ["--mca", "mpi_yield_when_idle", "1"]
RANKS = 4
LEAST_GAIN = 0.01
BLOCK = (0, 0, 1, 1)
# The core index of each rank. Only the ranks that share a core matter, not the core itself.
MAPPINGS = ((0, 1, 0, 1), (0, 1, 1, 0), (0, 0, 0, 1), (0, 1, 1, 1))
ROUNDS, OPERATIONS, BYTES = 300, 400_000, 1000
PATTERNS = ("pairs", "ring", "pipeline", "tree", "groups")


def time_of(output):
    return next(float(line.split()[1]) for line in output.splitlines() if line.startswith("time_s "))


def predict(options, graph, mapping, directory):
    """Returns the predicted seconds, and the command line that binds the ranks in this way."""
    prefix = "bound-" + "".join(map(str, mapping))
    document = json.loads(run([options.firma, "map", graph, "--given", ",".join(map(str, mapping)), "-o", prefix, "--force",
                               "--json"],
                              directory)[0])
    given = next(item for item in document["mappings"] if item["mapper"] == "given")
    line = next(way["command"] for way in document["launchers"] if way["launcher"] == "Open MPI")
    return given["predicted_s"], [*MPIRUN, *shlex.split(line)[1:-1]]  # the line itself makes ranks yield where they share a core


def measure(options, program, pattern, directory):
    words = [program, pattern, str(ROUNDS), str(OPERATIONS), str(BYTES), "0"]
    run([options.firma, "trace", "-q", "--force", "-o", "trace", "--", *MPIRUN, *YIELDING, "--bind-to", "none", "-n",
         str(RANKS), *words], directory)
    run([options.firma, "graph", "-q", "--force", "trace", "-o", "app.ttig"], directory)
    ways = {mapping: predict(options, "app.ttig", mapping, directory) for mapping in (BLOCK, *MAPPINGS)}
    times_s = {mapping: [] for mapping in ways}
    for _ in range(options.repeat):
        for mapping, (_, command) in ways.items():
            times_s[mapping].append(time_of(run([*command, *words], directory)[0]))
    return [{"pattern": pattern, "mapping": mapping, "predicted_s": ways[mapping][0], "times_s": times_s[mapping],
             "block_predicted_s": ways[BLOCK][0], "block_times_s": times_s[BLOCK]} for mapping in MAPPINGS]


def judged(result):
    """Predicted gain, median of the measured gains, and whether their quartiles have the same sign."""
    ratios = [own / block for own, block in zip(result["times_s"], result["block_times_s"])]
    low, middle, high = quartiles(ratios)
    return 1 - result["predicted_s"] / result["block_predicted_s"], 1 - middle, (low - 1) * (high - 1) > 0


def print_results(results):
    rows, told, right = [], 0, 0
    for result in results:
        predicted, measured, is_told = judged(result)
        counts = is_told and abs(predicted) >= LEAST_GAIN
        told += counts
        right += counts and predicted * measured > 0
        rows.append([result["pattern"], " ".join(map(str, result["mapping"])), f"{100 * predicted:+.1f} %",
                     f"{100 * measured:+.1f} %", "yes" if is_told else "no",
                     ("yes" if predicted * measured > 0 else "no") if counts else "-",
                     f"{result['block_predicted_s']:.3f} s", f"{statistics.median(result['block_times_s']):.3f} s"])
    print_table(["pattern", "cores of ranks 0 to 3", "predicted gain over 0 0 1 1", "measured", "beyond the scatter", "sign right",
                 "block: predicted", "measured"], rows)
    print(f"\nsign right in {right} of {told} that are predicted and measured to differ")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    add_common_arguments(parser, "mapping_pinned.json")
    parser.add_argument("--repeat", type=int, default=7, metavar="N", help="runs of each mapping (7)")
    options = parser.parse_args()
    options.firma = os.path.abspath(options.firma)
    facts, results = machine(), []
    if options.quick:
        options.repeat = 3
    with tempfile.TemporaryDirectory(prefix="firma-bench-") as directory:
        program = os.path.join(directory, "mapping_patterns")
        sources = [os.path.join(HERE, name) for name in ("mapping_patterns.c", "mapping_kernel.c")]
        run(["mpicc.openmpi", "-O2", "-I", APPS_DIRECTORY, *sources, "-o", program], directory)
        for pattern in PATTERNS[:2] if options.quick else PATTERNS:
            if options.only in pattern:
                say(pattern)
                results.extend(measure(options, program, pattern, directory))
    print(machine_line(facts) + "\n")
    print_results(results)
    save(options.output, {"machine": facts, "results": results})


main()
