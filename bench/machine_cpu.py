#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Measures the repeatability of `firma machine cpu` within its own intervals: several measurements in a row, first on an idle
machine, then with a busy process on each core. See README.md."""

import argparse
import json
import os
import statistics
import subprocess
import sys

from programs import add_common_arguments, machine, machine_line, print_table, run, save, say

# Rows of the README's table: operations whose costs on processors are known.
SHOWN = ("sum_int32", "mul_int32", "div_int32", "div_int64", "sum_double", "mul_double", "div_double", "sqrt_double",
         "sin_double", "pow_double", "element_double", "branch_int32", "random_double", "allocate_reference")


def measure(options):
    document = json.loads(run([options.firma, "machine", "cpu", "--time", str(options.time), "--json"], ".")[0])
    return {costs["language"]: costs for costs in document["languages"]}


def series(options, name):
    results = []
    for repeat in range(options.repeat):
        say(f"{name}, {repeat + 1} of {options.repeat}")
        results.append(measure(options))
    return results


def under_load(options):
    """Runs a busy process on each core."""
    spinners = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(os.cpu_count())]
    try:
        return series(options, "under load")
    finally:
        for spinner in spinners:
            spinner.kill()
            spinner.wait()


def judged(results, language):
    """Shares of operations whose next middle lies in the previous interval; the widths; and the spread of the set."""
    holds, widths = [], []
    for before, after in zip(results, results[1:]):
        for name, (low, high) in before[language]["operations"].items():
            middle = sum(after[language]["operations"][name]) / 2
            holds.append(low <= middle <= high)
            if low > 0:
                widths.append(high / low)
    times = [result[language]["benchmark_s"] for result in results]
    return statistics.mean(holds), statistics.median(widths), statistics.median(times), max(times) / min(times) - 1


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    add_common_arguments(parser, "machine_cpu.json")
    parser.add_argument("--repeat", type=int, default=5, help="measurements, alone and under load each (5)")
    parser.add_argument("--time", type=int, default=20, help="seconds a measurement (20)")
    options = parser.parse_args()
    if options.quick:
        options.repeat, options.time = 2, 4
    results = {"alone": series(options, "alone"), "under load": under_load(options)}
    facts = machine()
    save(options.output, {"machine": facts, "results": results})
    print(machine_line(facts) + "\n")
    rows = []
    for name, one in results.items():
        for language in one[0]:
            holds, width, set_s, spread = judged(one, language)
            rows.append([name, language, str(len(one[0][language]["operations"])), f"{100 * holds:.1f} %", f"{width:.1f}",
                         f"{1e3 * set_s:.1f} ms", f"{100 * spread:.1f} %"])
    print_table(["", "language", "operations", "next middle in the interval", "median high / low", "set of benchmarks",
                 "its spread"], rows)
    print()
    middle = len(results["alone"]) // 2
    print_table(["ns, alone", *results["alone"][0]], [
        [name, *("{:.2f} – {:.2f}".format(*(1e9 * end for end in costs["operations"][name]))
                 for costs in results["alone"][middle].values())] for name in SHOWN])


if __name__ == "__main__":
    main()
