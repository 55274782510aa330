#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Repeats figures 5 to 7 of Herai and Henriques: the predicted interval and real runs of the Monte Carlo pi and the sieve of
primes, in C and Java, versions A to D, with 1, 2 and 4 workers on this machine. All are uncalibrated and calibrated; the
primes have Q = 1/2, and Q by the formula. See README.md."""

import argparse
import json
import os
import statistics
import sys
import tempfile

from programs import add_common_arguments, machine, machine_line, print_table, run, save, say

EXAMPLES = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "examples", "cost")
# Name: flow file, place of the conditional that needs Q, N of version A in the paper, and the
# factor on N here (with --quick, a tenth of it), by which runs take some seconds. Calibration uses
# a larger N, with which a task takes about 50 ms.
APPS = {"pi C": ("pi.pasl", None, 10**9, 0.05),
        "pi Java": ("pi-java.pasl", None, 10**9, 0.015),
        "primes C": ("primes.pasl", "primes.c:27", 500_000, 100),
        "primes Java": ("primes-java.pasl", "Primes.java:26", 500_000, 100)}
CALIBRATED_SHARE = 4
# Number of tasks, and N as a multiple of A's.
VERSIONS = {"A": (100, 1), "B": (100, 2), "C": (200, 1), "D": (200, 2)}
WORKERS = "1,2,4"


def firma(options, *words):
    return json.loads(run([options.firma, "cost", *map(str, words), "--json", "-q"], ".")[0])


def predicted(options, flow, settings, model, *more):
    """Returns the intervals by number of workers."""
    words = [word for name, value in settings.items() for word in ("--set", f"{name}={value}")]
    document = firma(options, "predict", flow, "-m", model, "--workers", WORKERS, "--no-messages", *words, *more)
    return {int(each["workers"]): each["time_s"] for each in document["predictions"]}


def measured(options, flow, settings):
    words = [word for name, value in settings.items() for word in ("--set", f"{name}={value}")]
    times = {}
    for each in firma(options, "run", flow, "--workers", WORKERS, "--repeat", options.repeat, *words)["runs"]:
        times.setdefault(each["workers"], []).append(each["time_s"])
    return times


def calibrate(options, flow, n, model, path):
    firma(options, "run", flow, "-m", model, "--set", f"N={n}", "--calibrate", "--repeat", options.repeat, "-o", path,
          "--force")
    with open(path, encoding="utf-8") as file:
        return json.load(file)["calibrations"]


def version(options, name, letter, model, calibration):
    """Returns one application in one version: a record for each number of workers."""
    file, place, n, scale = APPS[name]
    tasks, factor = VERSIONS[letter]
    settings = {"N": int(n * factor * scale * (0.1 if options.quick else 1)), "TASKS": tasks}
    flow = os.path.join(EXAMPLES, file)
    intervals = {"uncalibrated": predicted(options, flow, settings, model),
                 "calibrated": predicted(options, flow, settings, model, "--calibration", calibration)}
    if place:
        half = {**settings, place: "1/2"}
        intervals["Q = 1/2"] = predicted(options, flow, half, model)
        intervals["Q = 1/2, calibrated"] = predicted(options, flow, half, model, "--calibration", calibration)
    times = measured(options, flow, settings)
    return [{"application": name, "version": letter, "N": settings["N"], "tasks": tasks, "workers": workers,
             "times_s": times[workers], "predicted_s": {kind: each[workers] for kind, each in intervals.items()}}
            for workers in sorted(times)]


def inside(record, kind):
    low, high = record["predicted_s"][kind]
    return sum(low <= time_s <= high for time_s in record["times_s"])


def place_of(record, kind):
    """Tells on which side of the interval the runs are that lie outside."""
    low, high = record["predicted_s"][kind]
    below, above = (sum(time_s < low for time_s in record["times_s"]), sum(time_s > high for time_s in record["times_s"]))
    return f"{inside(record, kind)}" + (f", {below} below" if below else "") + (f", {above} above" if above else "")


def span(interval):
    return f"{interval[0]:.2f} … {interval[1]:.2f}"


def print_runs(records):
    rows = []
    for record in records:
        rows.append([record["application"], record["version"], f"{record['N']:g}", str(record["workers"]),
                     f"{statistics.median(record['times_s']):.2f}", span([min(record["times_s"]), max(record["times_s"])]),
                     *(cell for kind in ("uncalibrated", "calibrated")
                       for cell in (span(record["predicted_s"][kind]), place_of(record, kind)))])
    print_table(["application", "version", "N", "workers", "median, s", "runs, s", "uncalibrated, s", "inside",
                 "calibrated, s", "inside"], rows)


def print_shares(records):
    rows = []
    for kind in ("uncalibrated", "calibrated", "Q = 1/2", "Q = 1/2, calibrated"):
        for name in [*APPS, "all"]:
            these = [each for each in records if kind in each["predicted_s"] and name in (each["application"], "all")]
            n = sum(len(each["times_s"]) for each in these)
            if not n:
                continue
            widths = [(high - low) / statistics.median(each["times_s"])
                      for each in these for low, high in [each["predicted_s"][kind]]]
            found = sum(inside(each, kind) for each in these)
            rows.append([kind, name, f"{found} of {n}", f"{100 * found / n:.0f} %",
                         f"{100 * statistics.median(widths):.0f} %", f"{100 * max(widths):.0f} %"])
    print_table(["prediction", "application", "runs inside", "share", "width/time, median", "largest"], rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    add_common_arguments(parser, "cost_accuracy.json")
    parser.add_argument("--repeat", type=int, default=4, help="runs on each number of workers (4)")
    parser.add_argument("--machine", help="a machine model that has this machine; if not given, it's measured first")
    options = parser.parse_args()
    facts, records, calibrations = machine(), [], {}
    names = [name for name in APPS if options.only in name]
    if not names:
        sys.exit(f"no application has `{options.only}` in its name")
    with tempfile.TemporaryDirectory(prefix="firma-bench-") as directory:
        model = options.machine or os.path.join(directory, "machine.json")
        if not options.machine:
            say("measuring what operations cost")
            run([options.firma, "machine", "cpu", "-q", "-o", model, "--time", "10s" if options.quick else "60s"], ".")
        for name in names:
            say(f"{name}: calibrating")
            path = os.path.join(directory, "calibration.json")
            file, _, n, scale = APPS[name]
            n_calibrated = int(n * scale * CALIBRATED_SHARE * (0.1 if options.quick else 1))
            calibrations[name] = calibrate(options, os.path.join(EXAMPLES, file), n_calibrated, model, path)
            for letter in ("A",) if options.quick else VERSIONS:
                say(f"{name}: version {letter}")
                records += version(options, name, letter, model, path)
        with open(model, encoding="utf-8") as file:
            costs = json.load(file)
    save(options.output, {"machine": facts, "calibrations": calibrations, "runs": records, "model": costs})
    print(machine_line(facts))
    print()
    print_runs(records)
    print()
    print_shares(records)


if __name__ == "__main__":
    main()
