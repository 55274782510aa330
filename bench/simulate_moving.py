#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Tests the samples of `firma simulate` on programs whose load moves from rank to rank in a pattern over iterations, and whose
ranks run ahead of each other: predictions by a sample against `--whole`, of the same traces and platforms. See README.md."""

import argparse
import collections
import concurrent.futures
import json
import os
import statistics
import sys

from mapping_cases import HERE
from mapping_runs import Runs
from programs import add_common_arguments, print_table, save, say, timed
from simulate import Case, machine

RANKS, ROUNDS, OPERATIONS, BYTES = 16, 4000, 1e6, 10_000
# The couplings and patterns of moving_load.c. Whoever works on samples looks at the first set only.
SETS = {"known": (("ring", "wavefront", "master", "sum10"), ("robin", "drift", "walk", "two")),
        "aside": (("sum50", "lagging", "torus", "butterfly"), ("bursts", "sawtooth", "halves", "periods"))}
TARGETS = ("flat", "mixed")

Found = collections.namedtuple("Found", "document cost_s")


def predict(firma, trace, platform, *words):
    cost_s, _, out = timed([firma, "simulate", trace, "--platform", platform, "--no-sensitivity", "--json", *words])
    return Found(json.loads(out), cost_s)


def whole(runs, trace, name, platform):
    """The prediction by all iterations, which is kept with the trace."""
    kept = os.path.join(os.path.dirname(trace), f"whole-{name}.json")
    if not os.path.exists(kept):
        found = predict(runs.firma, trace, platform, "--whole")
        with open(kept, "w", encoding="utf-8") as file:
            json.dump(found._asdict(), file)
    with open(kept, encoding="utf-8") as file:
        return Found(**json.load(file))


def measure(runs, set_name, coupling, pattern, options):
    rounds = options.rounds
    program = f"{coupling} {pattern}"
    trace = runs.trace(Case(set_name, program, os.path.join(HERE, "moving_load.c"), (coupling, pattern, rounds, OPERATIONS, BYTES),
                            RANKS, machine("traced", RANKS)))
    for name in TARGETS:
        platform = os.path.join(options.cache, f"{name}-{RANKS}.xml")
        sample, truth = predict(runs.firma, trace, platform), whole(runs, trace, name, platform)
        found = sample.document
        error = found["predicted_s"] / truth.document["predicted_s"] - 1
        say(f"{program}, {name}: {100 * error:+.2f} %")
        yield {"set": set_name, "program": program, "platform": name, "whole_s": truth.document["predicted_s"],
               "error": error, "inside": found["low_s"] <= truth.document["predicted_s"] <= found["high_s"],
               "width": (found["high_s"] - found["low_s"]) / 2 / found["predicted_s"],
               "simulated": found["simulated_occurrences"], "occurrences": found["occurrences"],
               "sample_s": found["predicted_s"], "low_s": found["low_s"], "high_s": found["high_s"],
               "sample_cost_s": sample.cost_s, "whole_cost_s": truth.cost_s}


def report(results):
    print_table(("set", "program", "platform", "whole", "error", "half width", "inside", "simulated", "CPU time / that of the whole"),
                [(row["set"], row["program"], row["platform"], f"{row['whole_s']:.4g} s", f"{100 * row['error']:+.2f} %",
                  f"{100 * row['width']:.2f} %", "yes" if row["inside"] else "**no**", f"{row['simulated']}/{row['occurrences']}",
                  f"{row['sample_cost_s'] / row['whole_cost_s']:.2f}") for row in results])
    print()
    summary = []
    for name in SETS:
        rows = [row for row in results if row["set"] == name]
        errors = [abs(row["error"]) for row in rows]
        if rows:
            summary.append((name, str(len(rows)), f"{100 * statistics.mean(errors):.2f} %", f"{100 * max(errors):.1f} %",
                            str(sum(error > 0.02 for error in errors)), f"{sum(row['inside'] for row in rows)} of {len(rows)}",
                            f"{statistics.geometric_mean(row['sample_cost_s'] / row['whole_cost_s'] for row in rows):.2f}",
                            f"{statistics.mean(row['simulated'] / row['occurrences'] for row in rows):.2f}",
                            str(sum(row["simulated"] == row["occurrences"] for row in rows))))
    print_table(("set", "predictions", "mean error", "largest", "over 2 %", "inside", "CPU time / that of the whole",
                 "share simulated", "simulated whole"), summary)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    add_common_arguments(parser, "simulate_moving.json")
    parser.add_argument("--build", default=os.path.join(os.path.dirname(HERE), "build"), help="the build folder")
    parser.add_argument("--set", default="known", choices=[*SETS, "all"], help="which programs (known)")
    parser.add_argument("--rounds", type=int, default=ROUNDS, metavar="N", help=f"iterations of each program ({ROUNDS})")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="programs at the same time (2)")
    parser.add_argument("--cache", default="simulate.cache", metavar="FOLDER", help="keeps traces and truths (simulate.cache)")
    options = parser.parse_args()
    if options.quick:
        options.rounds = 200
    programs = [(name, coupling, pattern) for name in SETS if options.set in (name, "all") for coupling in SETS[name][0]
                for pattern in SETS[name][1] if any(text in f"{coupling} {pattern}" for text in options.only.split(","))]
    if not programs:
        sys.exit(f"no such programs: {options.only}")
    runs = Runs(options.firma, options.build, options.cache)
    runs.build([os.path.join(HERE, "moving_load.c")])
    for name in TARGETS:
        with open(os.path.join(options.cache, f"{name}-{RANKS}.xml"), "w", encoding="utf-8") as file:
            file.write(machine(name, RANKS).platform)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        results = [row for rows in pool.map(lambda program: list(measure(runs, *program, options)), programs) for row in rows]
    save(options.output, {"results": results})
    report(results)


if __name__ == "__main__":
    main()
