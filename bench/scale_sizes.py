#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Tests `firma scale SIGNATURE… --sizes`: programs are traced on a simulated cluster (SimGrid's SMPI) with three problem sizes,
their times with two and eight times the largest size are predicted, and compared with runs. See README.md."""

import argparse
import json
import os
import sys

from mapping_cases import APPS_DIRECTORY, HERE
from mapping_runs import Runs
from programs import add_common_arguments, print_table, run, save, say
from scale_counts import summary
from simulate import Case, machine

RANKS, ROUNDS, NATURAL, JITTER = 4, 60, 0, 1
FACTORS = (2, 8)


def kernel(set_name, file, name, work, side):
    """A kernel of the mapping benchmarks on blocks of n × n or n × n × n cells: work and messages are powers of n."""
    return (set_name, name, os.path.join(HERE, file + ".c"),
            lambda n: (name, ROUNDS, 10 * n ** work, 8 * n ** side, NATURAL, JITTER), (50, 100, 200))


def app(set_name, source, sizes, arguments):
    return (set_name, source.split(".")[0], os.path.join(APPS_DIRECTORY, source), arguments, sizes)


PROGRAMS = (
    kernel("known", "mapping_patterns", "grid", 2, 1), kernel("known", "mapping_known", "wavefront", 2, 1),
    app("known", "cg.c", (64, 128, 256), lambda n: (n, 25, 4)), app("known", "particles.c", (25, 50, 100), lambda n: (n, 10)),
    kernel("aside", "mapping_patterns", "ring", 2, 1), kernel("aside", "mapping_known", "butterfly", 2, 2),
    kernel("aside", "mapping_patterns", "tree", 2, 1), app("aside", "heat.f90", (64, 128, 256), lambda n: (n, 200)))


def trace(runs, program, n):
    set_name, name, source, arguments, _ = program
    return runs.trace(Case(set_name, name, source, arguments(n), RANKS, machine("traced", RANKS)))


def measure(runs, program, directory):
    set_name, name, _, _, sizes = program
    traces, results = [trace(runs, program, n) for n in sizes], []
    for n in (factor * sizes[-1] for factor in FACTORS):
        out = run([runs.firma, "scale", *traces, "--sizes", ",".join(map(str, sizes)), "--predict", str(n), "--json"],
                  directory)[0]
        actual_s = json.loads(run([runs.firma, "show", trace(runs, program, n), "--json"], directory)[0])["application_s"]
        results.append({"set": set_name, "program": name, "sizes": sizes, "n": n, "actual_s": actual_s,
                        "predicted": json.loads(out)["predictions"][0]["time_s"]})
        say(f"{name}, {n}: {actual_s:.4g} s, {results[-1]['predicted']}")
    return results


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    add_common_arguments(parser, "scale_sizes.json")
    parser.add_argument("--build", default=os.path.join(os.path.dirname(HERE), "build"), help="the build folder")
    parser.add_argument("--set", default="all", choices=["known", "aside", "all"], help="which programs (all)")
    parser.add_argument("--cache", default="simulate.cache", metavar="FOLDER", help="keeps runs and traces (simulate.cache)")
    options = parser.parse_args()
    programs = [program for program in PROGRAMS if options.set in (program[0], "all")
                and any(text in program[1] for text in options.only.split(","))]
    if not programs:
        sys.exit(f"no such programs: {options.only}")
    runs = Runs(options.firma, options.build, options.cache)
    runs.build(sorted({program[2] for program in programs}))
    os.makedirs(options.cache, exist_ok=True)
    results = [result for program in programs for result in measure(runs, program, options.cache)]
    save(options.output, {"results": results})
    for name in ("known", "aside"):
        own = [result for result in results if result["set"] == name]
        if own:
            print(f"\n{name}:")
            print_table(("program", "sizes", "n", "run, s", "predicted, %", "low, %", "high, %"),
                        [(result["program"], ", ".join(map(str, result["sizes"])), str(result["n"]), f"{result['actual_s']:.4g}",
                          *(f"{100 * (result['predicted'][end] / result['actual_s'] - 1):+.1f}" for end in ("value", "low", "high")))
                         for result in own])
            summary(name, [(result["predicted"], result["actual_s"]) for result in own])


if __name__ == "__main__":
    main()
