#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""How long `firma simulate` takes for programs of 1000 iterations, by a sample and as a whole, beside SimGrid's SMPI, which runs
the programs themselves on the same platforms. See README.md."""

import argparse
import collections
import json
import os
import statistics
import sys

from mapping_cases import HERE
from mapping_runs import Runs, nodes_of
from programs import add_common_arguments, print_table, run, save, say, timed
from simulate import JITTER, NATURAL, OPERATIONS, Case, machine

ROUNDS, REPEATS = 1000, 3
# Program, kernel, ranks, bytes; all of their messages are between two processes.
KERNELS = (("mapping_patterns", "ring", 8, 500_000), ("mapping_fresh", "systolic", 8, 50_000),
           ("mapping_fresh", "cannon", 16, 500_000), ("mapping_known", "wavefront", 16, 50_000),
           ("mapping_known", "butterfly", 32, 500_000), ("mapping_known", "halo3d", 64, 50_000))
TARGETS = ("flat", "slow link")

Cost = collections.namedtuple("Cost", "cpu_s memory_mb")


def cost_of(repeats, command):
    """The median CPU time, the largest memory, and what the command printed."""
    found = [timed(command) for _ in range(repeats)]
    return Cost(statistics.median(cpu_s for cpu_s, _, _ in found), max(memory for _, memory, _ in found)), found[0][2]


def measure(runs, case, repeats, directory, with_sensitivities):
    trace = runs.trace(case)
    messages = json.loads(run([runs.firma, "show", trace, "--json"], directory)[0])["messages"]
    for name in TARGETS if not with_sensitivities else TARGETS[:1]:
        target = case._replace(cluster=machine(name, case.ranks))
        words = runs.command(target, "plain", target.arguments, nodes_of(range(case.ranks), target.cluster), directory)
        there, _ = cost_of(1, words)
        command = [runs.firma, "simulate", trace, "--platform", os.path.join(directory, "platform.xml"), "--json",
                   *([] if with_sensitivities else ["--no-sensitivity"])]
        whole_cost, whole = cost_of(1, [*command, "--whole"])
        sample_cost, sample = cost_of(repeats, command)
        whole, sample = json.loads(whole), json.loads(sample)
        say(f"{case.program}, {name}: {sample_cost.cpu_s:.3g} s, as a whole {whole_cost.cpu_s:.3g} s, SMPI {there.cpu_s:.3g} s")
        yield {"program": case.program, "ranks": case.ranks, "platform": name, "messages": messages, "smpi": there._asdict(),
               "whole": whole_cost._asdict(), "sample": sample_cost._asdict(), "whole_s": whole["predicted_s"],
               "sample_s": sample["predicted_s"], "simulated": sample["simulated_occurrences"],
               "occurrences": sample["occurrences"]}


def report(results):
    print_table(("program", "ranks", "platform", "messages", "SMPI", "whole", "sample", "whole / sample", "messages / s, whole",
                 "messages / s, sample", "sample against whole, %", "simulated"),
                [(result["program"], str(result["ranks"]), result["platform"], str(result["messages"]),
                  *(f"{result[way]['cpu_s']:.3g} s, {result[way]['memory_mb']:.0f} MB" for way in ("smpi", "whole", "sample")),
                  f"{result['whole']['cpu_s'] / result['sample']['cpu_s']:.1f}",
                  *(f"{result['messages'] / result[way]['cpu_s']:.3g}" for way in ("whole", "sample")),
                  f"{100 * (result['sample_s'] / result['whole_s'] - 1):+.2f}",
                  f"{result['simulated']}/{result['occurrences']}") for result in results])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    add_common_arguments(parser, "simulate_speed.json")
    parser.add_argument("--build", default=os.path.join(os.path.dirname(HERE), "build"), help="the build folder")
    parser.add_argument("--cache", default="simulate.cache", metavar="FOLDER", help="keeps traces (simulate.cache)")
    parser.add_argument("--sensitivities", action="store_true", help="find them, too, on the first platform alone")
    options = parser.parse_args()
    rounds, repeats = (100, 1) if options.quick else (ROUNDS, REPEATS)
    cases = [Case("speed", kernel, os.path.join(HERE, program + ".c"), (kernel, rounds, OPERATIONS, size, NATURAL, JITTER), ranks,
                  machine("traced", ranks)) for program, kernel, ranks, size in KERNELS
             if any(text in kernel for text in options.only.split(","))]
    if not cases:
        sys.exit(f"no such programs: {options.only}")
    runs = Runs(options.firma, options.build, options.cache)
    runs.build(sorted({case.source for case in cases}))
    os.makedirs(options.cache, exist_ok=True)
    results = [result for case in cases for result in measure(runs, case, repeats, options.cache, options.sensitivities)]
    save(options.output, {"results": results})
    report(results)


if __name__ == "__main__":
    main()
