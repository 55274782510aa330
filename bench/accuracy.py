#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Measures the error of predictions, and the cost of signatures. Signatures are made with one rank a core, and executed
again and again in two configurations, as a prefix and from saved states. Each execution is between two full runs. Their
difference is the floor: the error of a prediction by running everything once more. The floors also give the drift between
runs that src/signature/noise/drift.c assumes. See README.md."""

import argparse
import contextlib
import csv
import glob
import json
import math
import os
import shutil
import statistics
import sys
import tempfile

from programs import (YIELDING, add_common_arguments, all_on_one_core, chosen, hpcc, lammps, machine, machine_line,
                      one_rank_a_core, own_program, print_table, run, run_traced, save, say)

# name; the function that launches the program there; its options, which also apply where states are
# saved; the processors of restored ranks
CONFIGURATIONS = (("one rank a core", one_rank_a_core, (), "0,1"), ("two ranks a core", all_on_one_core, YIELDING, "0"))
PREFIX, STATES, ONE_STATE = "prefix", "5 states", "1 state"
WINDOWS = {STATES: 5, ONE_STATE: 1}
# The same budget in one run of the prefix, in two, and in three.
DIVISIONS = {f"{n} x {6 // n} %": ("--budget", str(6 // n), "--target", "100", "--repeat", str(n)) for n in (1, 2, 3)}
FILE_NAME = str.maketrans({" ": "-", "%": None})
ESTIMATORS = ("process", "slowest")


def programs(apps, quick, longer):
    """Runs of about 7 s with one rank a core, or `longer` times as long."""
    def own(language, name, *arguments):
        *others, steps = arguments
        return own_program(apps, language, name, *others, steps * longer)

    if quick:
        return [own("C", "cg", 512, 25, 80), own("Fortran, mpif.h", "sweep", 128, 32, 1500)]
    return [own("C", "cg", 512, 25, 800), own("C", "stencil", 256, 200000), own("C", "multigrid", 8, 5000),
            own("C", "particles", 200, 30000), own("C", "adaptive", 20000, 150000, 1000),
            own("C", "montecarlo", 1500, 500000),
            own_program(apps, "C", "twostage", 100000, 40000 * longer, 600 * longer, 25),
            own("Fortran, mpif.h", "sweep", 128, 32, 7000), own("Fortran, use mpi", "heat", 400, 60000),
            own("Fortran, mpi_f08", "adi", 256, 8000), hpcc(3000), lammps(1500 * longer)]


class Signature:
    """A program's signature, made with one rank a core."""

    def __init__(self, firma, program, traces, directory):
        archives = []
        for i in range(traces):
            program.prepare(directory)
            _, _, archive = run_traced(firma, program, one_rank_a_core(program), directory)
            archives.append(shutil.move(archive, os.path.join(directory, f"run{i + 1}.trace")))
        self.firma, self.directory, self.states = firma, directory, {}
        self.path = os.path.join(directory, "app.firma")
        run([firma, "phases", "--force", *archives, "-o", self.path], directory)

    def save_states(self, program, mode, options):
        """Saves the states with one rank a core, in both configurations."""
        program.prepare(self.directory)
        states = os.path.join(self.directory, mode.replace(" ", "-"))
        shutil.rmtree(states, ignore_errors=True)
        saved = json.loads(run([self.firma, "checkpoint", self.path, "--json", "-o", states, "--windows",
                                str(WINDOWS[mode]), "--", *one_rank_a_core(program, options)], self.directory)[0])
        if saved["saved"] < len(saved["states"]):
            say(f"{program.label}: {saved['saved']} of {len(saved['states'])} states saved")
        self.states[mode] = states

    def measure(self, program, mode, command, cpus, times):
        program.prepare(self.directory)
        what = (["--bind", cpus, self.states[mode]] if mode in WINDOWS else
                ["--mpi", "openmpi", *DIVISIONS.get(mode, ()), self.path, "--", *command])
        measured = json.loads(run([self.firma, "measure", "--json", "--force", "-o", times, *what], self.directory)[0])
        if mode not in WINDOWS:
            return {"set_s": measured["signature_s"], "restart_s": 0}
        return {"set_s": measured["warmup_s"] + measured["window_s"], "restart_s": measured["restart_s"]}

    def predict(self, program, mode, command, cpus, name):
        """Executes the signature once. Returns its cost, and the prediction of each estimator."""
        times = os.path.join(self.directory, f"times-{name}.json")
        found = self.measure(program, mode, command, cpus, times)
        for estimator in ESTIMATORS:
            document = json.loads(run([self.firma, "predict", self.path, times, "--json", "--estimator", estimator],
                                      self.directory)[0])
            found[estimator] = {key: document[key] for key in ("predicted_s", "interval_s")}
        return found


def actual_time_s(firma, program, command, directory):
    """Run time from MPI_Init to MPI_Finalize. Our own programs print it, in an untraced run. For others, it is that of a
    traced run: LAMMPS's loop time lacks the set-up, and HPCC prints no time."""
    program.prepare(directory)
    if program.inputs:
        traced = run_traced(firma, program, command, directory)[0]
        return traced["application_s"] - traced["recording_s"]
    return program.own_time_s(run(command, directory)[0])


def measure_configuration(signature, program, configuration, modes, repeats):
    name, place, launch_options, cpus = configuration
    command = place(program, launch_options)
    for mode in set(modes) & set(WINDOWS):
        signature.save_states(program, mode, launch_options)
    results = [{"program": program.label, "language": program.language, "configuration": name, "mode": mode,
                "actual_clock": "traced" if program.inputs else "own", "runs": []} for mode in modes]

    def full_run_s():
        return actual_time_s(signature.firma, program, command, signature.directory)

    before_s = full_run_s()
    for i in range(repeats):
        executed = [signature.predict(program, mode, command, cpus, f"{name}-{mode}-{i}".translate(FILE_NAME)) for mode in modes]
        actual_s = full_run_s()
        for result, found in zip(results, executed):
            result["runs"].append({"before_s": before_s, "actual_s": actual_s, **found})
        say(f"{program.label}, {name}: repeat {i + 1} of {repeats}: actual {before_s:.3f} and {actual_s:.3f} s, "
            + ", ".join(f"{mode} {found['process']['predicted_s']:.3f} s" for mode, found in zip(modes, executed)))
        before_s = actual_s
    return results


def holds(interval_s, time_s):
    return interval_s[0] <= time_s <= interval_s[1]


def summary(result):
    """Medians over the repeats, and how often the interval contained the actual time of the same repeat."""
    runs = result["runs"]

    def median(value):
        return statistics.median(value(run) for run in runs)

    actual_s = median(lambda run: run["actual_s"])
    found = {"actual_s": actual_s, "set_percent": 100 * median(lambda run: run["set_s"]) / actual_s,
             "floor_percent": statistics.mean(abs(percent(run["before_s"], run["actual_s"])) for run in runs),
            "restart_s": median(lambda run: run["restart_s"])}
    for estimator in ESTIMATORS:
        predicted_s = median(lambda run: run[estimator]["predicted_s"])
        found[estimator] = {"predicted_s": predicted_s, "error_percent": 100 * (predicted_s - actual_s) / actual_s,
                            "covered": sum(holds(run[estimator]["interval_s"], run["actual_s"]) for run in runs)}
    return found


def table_row(result):
    found, n = result["summary"], len(result["runs"])
    process, slowest = found["process"], found["slowest"]
    return [result["program"], result["configuration"], result["mode"], f"{process['predicted_s']:.2f} s",
            f"{found['actual_s']:.2f} s", f"**{process['error_percent']:+.1f} %**", f"{slowest['error_percent']:+.1f} %",
            f"{found['floor_percent']:.1f} %", f"{process['covered']} of {n}", f"{found['set_percent']:.1f} %",
            f"{found['restart_s']:.2f} s" if result["mode"] in WINDOWS else ""]


@contextlib.contextmanager
def working_directory(keep, program):
    """One that is removed afterwards, or a folder of `keep`."""
    if keep:
        directory = os.path.join(os.path.abspath(keep), program.label.split()[0].strip(","))
        os.makedirs(directory, exist_ok=True)
        yield directory
        for trace in glob.glob(os.path.join(directory, "run*.trace")):
            shutil.rmtree(trace)
    else:
        with tempfile.TemporaryDirectory(prefix="firma-bench-") as directory:
            yield directory


def measure_program(firma, program, traces, modes, repeats, keep):
    with working_directory(keep, program) as directory:
        signature = Signature(firma, program, traces, directory)
        results = [result for configuration in CONFIGURATIONS
                   for result in measure_configuration(signature, program, configuration, modes, repeats)]
    for result in results:
        result["summary"] = summary(result)
    return results


def percent(value_s, actual_s):
    return 100 * (value_s - actual_s) / actual_s


def binomial_interval(hits, n):
    """Of a share, by Wilson's score with 95 %."""
    z, share = 1.96, hits / n
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    return middle - half, middle + half


def overall_row(name, runs):
    """Of single predictions, not of medians: error, bias, floor, interval, cost."""
    errors = [percent(run["process"]["predicted_s"], run["actual_s"]) for run in runs]
    floors = [abs(percent(run["before_s"], run["actual_s"])) for run in runs]
    hits = sum(holds(run["process"]["interval_s"], run["actual_s"]) for run in runs)
    low, high = binomial_interval(hits, len(runs))
    widths = [100 * (run["process"]["interval_s"][1] - run["process"]["interval_s"][0]) / 2 / run["actual_s"] for run in runs]
    error, floor = (statistics.mean(map(abs, values)) for values in (errors, floors))
    spread = statistics.stdev(errors) / math.sqrt(len(errors)) if len(errors) > 1 else math.nan
    return [name, str(len(runs)), f"{statistics.mean(errors):+.1f} ± {spread:.1f} %", f"{error:.1f} %",
            f"{max(map(abs, errors)):.1f} %", f"{floor:.1f} %", f"{error / floor:.2f}",
            f"{100 * hits / len(runs):.0f} % ({100 * low:.0f} to {100 * high:.0f} %)", f"± {statistics.median(widths):.1f} %",
            f"{statistics.mean(100 * run['set_s'] / run['actual_s'] for run in runs):.1f} %"]


DRIFT_FREEDOM = 3  # PRIOR_FREEDOM of drift.c


def likeliest_drift_percent(runs):
    """s₀ of drift.c: the scale of Student's t that makes the differences of full runs, one after the other, likeliest."""
    differences = [100 * math.log(run["actual_s"] / run["before_s"]) for run in runs]

    def log_likelihood(scale):
        return sum(-math.log(scale) - (DRIFT_FREEDOM + 1) / 2 * math.log1p((difference / scale) ** 2 / DRIFT_FREEDOM)
                   for difference in differences)
    return max((0.01 * step for step in range(1, 3000)), key=log_likelihood)


def print_overall(results, modes):
    rows = []
    for mode in modes:
        for name, *_ in CONFIGURATIONS:
            runs = [run for result in results if (result["configuration"], result["mode"]) == (name, mode)
                    for run in result["runs"]]
            if runs:
                rows.append(overall_row(f"{mode}, {name}", runs))
        rows.append(overall_row(f"{mode}, all", [run for result in results if result["mode"] == mode
                                                  for run in result["runs"]]))
    print()
    print_table(["executed as", "predictions", "bias", "mean error", "largest", "floor", "error / floor", "interval holds",
                 "its half width (median)", "SET/AET"], rows)


def write_csv(path, results):
    """What tools/accuracy.py draws: of each case the first prediction, and the actual time after it."""
    with open(path, "w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(["program", "configuration", "actual_s", "predicted_s", "low_s", "high_s"])
        for result in results:
            if result["mode"] != PREFIX:
                continue
            first = result["runs"][0]
            times = [first["actual_s"], first["process"]["predicted_s"], *first["process"]["interval_s"]]
            rows.writerow([result["program"].split()[0], result["configuration"], *(f"{time:.3f}" for time in times)])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    add_common_arguments(parser, "accuracy.json")
    parser.add_argument("--repeat", type=int, default=0, help="repeats a configuration (5; 2 with --quick)")
    parser.add_argument("--traces", type=int, default=2, help="traced runs a signature is made of (2, as in firma study)")
    parser.add_argument("--modes", default=",".join((PREFIX, STATES)),
                        help=f"how signatures are executed ({PREFIX},{STATES}); {ONE_STATE} is also possible, and "
                             + ", ".join(DIVISIONS).replace("%", "%%"))
    parser.add_argument("--longer", type=int, default=1, help="the programs' steps times so much (1)")
    parser.add_argument("--keep", metavar="DIR", help="leave signatures and phase times there")
    parser.add_argument("--csv", metavar="FILE", help="what the README's picture shows, as CSV (docs/accuracy.csv)")
    options = parser.parse_args()
    firma = os.path.abspath(options.firma)
    modes = options.modes.split(",")
    if not set(modes) <= {PREFIX, *DIVISIONS, *WINDOWS}:
        sys.exit(f"--modes: choose from {PREFIX}, {', '.join((*DIVISIONS, *WINDOWS))}")
    repeats = options.repeat or (2 if options.quick else 5)
    facts = machine()
    results = []
    for program in chosen(programs(options.apps, options.quick, options.longer), options.only):
        results += measure_program(firma, program, options.traces, modes, repeats, options.keep)
        save(options.output, {"machine": facts, "results": results})
    if options.csv:
        write_csv(options.csv, results)
    print(f"Predicted and actual run time, medians of {repeats} interleaved repeats; {machine_line(facts)}\n")
    print_table(["program", "configuration", "executed as", "predicted", "actual", "error (process)", "error (slowest)",
                 "floor", "interval holds", "SET/AET", "restart"], [table_row(result) for result in results])
    print_overall(results, modes)
    floors = [run for result in results if result["mode"] == modes[0] for run in result["runs"]]
    print(f"\nFull runs one after the other differ by {likeliest_drift_percent(floors):.1f} % "
          f"(scale of Student's t, {DRIFT_FREEDOM} degrees of freedom, {len(floors)} pairs).")


main()
