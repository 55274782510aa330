#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Tests `firma scale SIGNATURE…`: programs are traced on one simulated cluster (SimGrid's SMPI) with 4, 8 and 16 processes
(and with 2, 4 and 8), their times with up to four times as many are predicted, and compared with runs. See README.md."""

import argparse
import collections
import concurrent.futures
import json
import math
import os
import statistics
import sys

from mapping_cases import APPS_DIRECTORY, HERE
from mapping_runs import Runs
from programs import add_common_arguments, print_table, run, save, say
from simulate import Case, machine

ROUNDS, OPERATIONS, NATURAL, JITTER = 60, 4e6, 0, 1
Program = collections.namedtuple("Program", "set name source arguments")
SERIES = {(4, 8, 16): (32, 64), (2, 4, 8): (16, 32)}
TARGETS = ("traced", "flat")


def kernel(set_name, file, name, size, is_strong=False, side=0.0):
    """A kernel of the mapping benchmarks. Strong scaling: computation is divided by p, and messages by p to a power."""
    def arguments(p):
        operations, volume = (OPERATIONS * 4 / p, size * (4 / p) ** side) if is_strong else (OPERATIONS, size)
        return (name, ROUNDS, operations, round(volume), NATURAL, JITTER)
    return Program(set_name, f"{name}, {'strong' if is_strong else 'weak'}", os.path.join(HERE, file + ".c"), arguments)


def app(set_name, source, kind, *arguments):
    return Program(set_name, f"{source.split('.')[0]}, {kind}", os.path.join(APPS_DIRECTORY, source), lambda p: arguments)


PROGRAMS = (
    kernel("known", "mapping_patterns", "ring", 50_000), kernel("known", "mapping_patterns", "grid", 50_000),
    kernel("known", "mapping_patterns", "grid", 50_000, True, 0.5), kernel("known", "mapping_known", "wavefront", 20_000),
    kernel("known", "mapping_known", "butterfly", 50_000), kernel("known", "mapping_patterns", "tree", 50_000),
    app("known", "cg.c", "strong", 512, 25, 4), app("known", "particles.c", "weak", 100, 20),
    kernel("aside", "mapping_known", "redblack", 50_000), kernel("aside", "mapping_patterns", "pipeline", 50_000, True),
    kernel("aside", "mapping_known", "summa", 50_000), kernel("aside", "mapping_known", "transpose", 50_000),
    kernel("aside", "mapping_fresh", "systolic", 50_000), kernel("aside", "mapping_fresh", "cannon", 200_000, True, 1.0),
    app("aside", "multigrid.c", "weak", 6, 20), app("aside", "heat.f90", "strong", 200, 400))


def trace(runs, program, ranks, name):
    return runs.trace(Case(program.set, program.name, program.source, program.arguments(ranks), ranks, machine(name, ranks)))


def predict(runs, traces, p, name, directory):
    path = os.path.join(directory, f"counts-{name}-{p}.xml")
    with open(path, "w", encoding="utf-8") as file:
        file.write(machine(name, p).platform)
    out = run([runs.firma, "scale", *traces, "--predict", str(p), "--platform", path, "--json"], directory)[0]
    return json.loads(out)["predictions"][0]


def measure(runs, program, directory):
    results = []
    for counts, targets in SERIES.items():
        try:
            traces = [trace(runs, program, p, "traced") for p in counts]
        except SystemExit as refusal:  # SMPI's tori of sides of length 1
            say(f"{program.name}, {counts}: doesn't run: {str(refusal).strip().splitlines()[-1]}")
            continue
        for p in targets:
            for name in TARGETS:
                actual_s = json.loads(run([runs.firma, "show", trace(runs, program, p, name), "--json"],
                                          directory)[0])["application_s"]
                found = predict(runs, traces, p, name, directory)
                results.append({"set": program.set, "program": program.name, "counts": counts, "p": p, "platform": name,
                                "actual_s": actual_s, "laws": found["time_s"], "simulated": found["simulated"]})
                say(f"{program.name}, {counts} to {p}, {name}: {actual_s:.4g} s, laws {found['time_s']['value']:.4g} s, "
                    f"simulated {found['simulated']['time_s'] or found['simulated']['why_not']}")
    return results


def error(estimated, actual_s):
    return estimated["value"] / actual_s - 1


def holds(estimated, actual_s):
    return estimated["low"] <= actual_s <= (estimated["high"] if estimated["high"] is not None else math.inf)


def summary(name, pairs):
    if not pairs:
        return
    errors = [abs(error(estimated, actual_s)) for estimated, actual_s in pairs]
    held = sum(holds(estimated, actual_s) for estimated, actual_s in pairs)
    print(f"{name}: mean error {100 * statistics.mean(errors):.2f} %, largest {100 * max(errors):.2f} %, "
          f"intervals held {held} of {len(pairs)}")


def report(results):
    for name in ("known", "aside"):
        own = [result for result in results if result["set"] == name]
        rows = []
        for result in own:
            simulated = result["simulated"]["time_s"]
            is_same = result["platform"] == "traced"
            rows.append((result["program"], "-".join(map(str, result["counts"])), str(result["p"]), result["platform"],
                         f"{result['actual_s']:.4g}", f"{100 * error(result['laws'], result['actual_s']):+.1f}" if is_same else "",
                         f"{100 * error(simulated, result['actual_s']):+.1f}" if simulated else result["simulated"]["why_not"][:60]))
        if not rows:
            continue
        print(f"\n{name}:")
        print_table(("program", "runs", "p", "platform", "run, s", "laws, %", "simulated, %"), rows)
        summary("laws, same machine", [(result["laws"], result["actual_s"]) for result in own if result["platform"] == "traced"])
        summary("simulated", [(result["simulated"]["time_s"], result["actual_s"]) for result in own if result["simulated"]["time_s"]])
        print(f"not simulated: {sum(not result['simulated']['time_s'] for result in own)} of {len(own)}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    add_common_arguments(parser, "scale_counts.json")
    parser.add_argument("--build", default=os.path.join(os.path.dirname(HERE), "build"), help="the build folder")
    parser.add_argument("--set", default="all", choices=["known", "aside", "all"], help="which programs (all)")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="programs at the same time (2)")
    parser.add_argument("--cache", default="simulate.cache", metavar="FOLDER", help="keeps runs and traces (simulate.cache)")
    options = parser.parse_args()
    programs = [program for program in PROGRAMS if options.set in (program.set, "all")
                and any(text in program.name for text in options.only.split(","))]
    if not programs:
        sys.exit(f"no such programs: {options.only}")
    runs = Runs(options.firma, options.build, options.cache)
    runs.build(sorted({program.source for program in programs}))
    os.makedirs(options.cache, exist_ok=True)
    results = []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        folders = [os.path.join(options.cache, f"counts-{i}") for i in range(len(programs))]
        for folder in folders:
            os.makedirs(folder, exist_ok=True)
        for found in pool.map(lambda of: measure(runs, of[0], os.path.abspath(of[1])), zip(programs, folders)):
            results += found
    save(options.output, {"results": results})
    report(results)


if __name__ == "__main__":
    main()
