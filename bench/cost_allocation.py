#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs uneven tasks, given to workers beforehand and on demand, beside what is predicted of both. See README.md."""

import argparse
import json
import os
import statistics
import tempfile

from programs import add_common_arguments, machine, machine_line, print_table, quartiles, run, save, say

SOURCE = "double work(long n) { double x = 0; for (long i = 1; i <= n; i++) x += 1.0 / i; return x; }\n"
FLOW = """application uneven
parameter N = 10^7
batch tasks {
  source work.c options "-O2"
  entry work
  tasks 24
  argument n = floor(N*(%s))
  receives 8 bytes
  returns 8 bytes
}
"""
# How much a task computes, by its number; each application as much as 24 tasks of N.
SHAPES = {"equal": "1", "growing": "task/12.5", "scattered": "mod(7*task, 25)/12.5",
          "long one last": "3/4 + 6*floor(task/24)"}
ALLOCATIONS = ("static", "dynamic")


def firma(options, *words):
    return json.loads(run([options.firma, "cost", *map(str, words), "--json", "-q"], ".")[0])


def application(options, directory, name, model, repeat):
    """Returns a record for each number of workers. Allocations take turns, so that other load on the machine favours none."""
    flow, calibration = os.path.join(directory, "uneven.pasl"), os.path.join(directory, "calibration.json")
    with open(flow, "w", encoding="utf-8") as file:
        file.write(FLOW % SHAPES[name])
    words = [flow, "-m", model, "--set", f"N={10**7 if options.quick else 4 * 10**7}"]
    firma(options, "run", *words, "--calibrate", "--repeat", repeat, "-o", calibration, "--force")
    words += ["--workers", options.workers]
    predicted = {each: {one["workers"]: one["time_s"] for one in firma(
        options, "predict", *words, "--no-messages", "--calibration", calibration, "--allocation", each)["predictions"]}
                 for each in ALLOCATIONS}
    times = {each: {} for each in ALLOCATIONS}
    for _ in range(repeat):
        for each in ALLOCATIONS:
            for one in firma(options, "run", *words, "--repeat", 1, "--allocation", each)["runs"]:
                times[each].setdefault(one["workers"], []).append(one["time_s"])
    return [{"tasks": name, "workers": workers, "allocation": each, "predicted_s": predicted[each][workers],
             "times_s": times[each][workers]} for workers in sorted(times["static"]) for each in ALLOCATIONS]


def middle(record):
    return sum(record["predicted_s"]) / 2


def print_runs(records):
    rows = []
    for record in records:
        low, high = record["predicted_s"]
        first, median, third = quartiles(record["times_s"])
        rows.append([record["tasks"], str(record["workers"]), record["allocation"], f"{low:.2f} … {high:.2f}",
                     f"{median:.2f}", f"{100 * (third - first) / median:.0f} %", f"{median / middle(record):.2f}",
                     f"{sum(low <= time_s <= high for time_s in record['times_s'])} of {len(record['times_s'])}"])
    print_table(["tasks", "workers", "allocation", "predicted, s", "median, s", "quartiles apart", "measured/middle", "inside"],
                rows)


def print_gains(records):
    rows = []
    for static, dynamic in zip(records[::2], records[1::2]):
        turns = [a / b for a, b in zip(static["times_s"], dynamic["times_s"])]
        first, median, third = quartiles(turns)
        rows.append([static["tasks"], str(static["workers"]), f"{middle(static) / middle(dynamic):.2f}", f"{median:.2f}",
                     f"{first:.2f} … {third:.2f}"])
    print_table(["tasks", "workers", "static/dynamic, predicted", "measured, median of turns", "quartiles"], rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    add_common_arguments(parser, "cost_allocation.json")
    parser.add_argument("--repeat", type=int, default=9, help="turns of both allocations (9)")
    parser.add_argument("--workers", default="2,3,4", help="numbers of workers (2,3,4)")
    parser.add_argument("--machine", help="a machine model that has this machine; if not given, it's measured first")
    options = parser.parse_args()
    facts, records = machine(), []
    repeat = 2 if options.quick else options.repeat
    with tempfile.TemporaryDirectory(prefix="firma-bench-") as directory:
        with open(os.path.join(directory, "work.c"), "w", encoding="utf-8") as file:
            file.write(SOURCE)
        model = options.machine or os.path.join(directory, "machine.json")
        if not options.machine:
            say("measuring what operations cost")
            run([options.firma, "machine", "cpu", "-q", "--languages", "c", "--compiler-options=-O2", "-o", model, "--time",
                 "10s"], ".")
        for name in SHAPES:
            if options.only in name:
                say(name)
                records += application(options, directory, name, model, repeat)
    save(options.output, {"machine": facts, "runs": records})
    print(machine_line(facts))
    print()
    print_runs(records)
    print()
    print_gains(records)


if __name__ == "__main__":
    main()
