#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Measures a signature on fewer processors than the program will have, and simulates the rest: both ranks of a program run on
one core, `firma simulate --times` takes their computation from there and the messages from a machine model, and the program
then runs with a core for each rank. See README.md."""

import argparse
import json
import math
import os
import statistics
import tempfile

from programs import (add_common_arguments, all_on_one_core, chosen, hpcc, lammps, machine, machine_line, one_rank_a_core,
                      own_program, print_table, run, run_traced, save, say)


def programs(apps):
    """Runs of some seconds with a core for each rank."""
    def own(language, name, *arguments):
        return own_program(apps, language, name, *arguments)

    return [own("C", "cg", 512, 25, 400), own("C", "stencil", 256, 100000), own("C", "multigrid", 8, 2500),
            own("C", "particles", 200, 15000), own("C", "adaptive", 20000, 75000, 1000), own("C", "montecarlo", 1500, 250000),
            own("Fortran", "sweep", 128, 32, 3500), own("Fortran", "heat", 400, 30000), own("Fortran", "adi", 256, 4000),
            hpcc(2000), lammps(700)]


def measure(firma, model, program, directory, repeats):
    """Returns the predicted time with its interval, the naive one (by the pace of all time), and times of runs."""
    program.prepare(directory)
    runs = [run_traced(firma, program, one_rank_a_core(program), directory)]
    archive = runs[0][2]
    signature, times = os.path.join(directory, "app.firma"), os.path.join(directory, "times.json")
    run([firma, "phases", "-q", "-f", archive, "-o", signature], directory)
    program.prepare(directory)
    run([firma, "measure", "-q", "-f", signature, "-o", times, "--", *all_on_one_core(program)], directory)
    out, _, _ = run([firma, "simulate", "--json", signature, "-m", model, "--times", times], directory)
    predicted = json.loads(out)
    with open(times, encoding="utf-8") as file:
        windows = json.load(file)["windows"]
    pace = sum(window["elapsed_s"] for window in windows) / sum(window["reference_s"] for window in windows)
    actual = []
    for _ in range(repeats):
        program.prepare(directory)
        _, _, elsewhere = run_traced(firma, program, one_rank_a_core(program), directory)
        out, _, _ = run([firma, "show", "--json", elsewhere], directory)
        actual.append(json.loads(out)["application_s"])
    return predicted, pace, actual


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    add_common_arguments(parser, "simulate_fewer.json")
    options = parser.parse_args()
    firma, facts, rows, results = os.path.abspath(options.firma), machine(), [], []
    with tempfile.TemporaryDirectory(prefix="firma-bench-") as directory:
        model = os.path.join(directory, "comm", "machine.json")
        run([firma, "comm", "-q", "--only", "openmpi:shm", "-t", "20s", "-o", os.path.dirname(model)], directory)
        for program in chosen(programs(options.apps), options.only):
            place = tempfile.mkdtemp(dir=directory)
            predicted, pace, actual = measure(firma, model, program, place, 1 if options.quick else 3)
            truth = statistics.median(actual)
            time, low, high = (predicted[key] for key in ("predicted_s", "low_s", "high_s"))
            say(f"{program.label}: {time:.3f} s predicted, {truth:.3f} s measured")
            results.append({"program": program.label, "predicted": predicted, "pace": pace, "actual_s": actual})
            rows.append([program.label, f"{truth:.3f} s", f"± {50 * (max(actual) - min(actual)) / truth:.1f} %", f"{time:.3f} s",
                         f"{100 * (time / truth - 1):+.1f} %",
                         f"{100 * (predicted['traced_s'] / truth - 1):+.1f} %", "yes" if low <= truth <= high else "no", f"{pace:.2f}"])
    print(f"Both ranks measured on one core, simulated on two; {machine_line(facts)}\n")
    print_table(["program", "median run", "runs differ", "predicted", "error", "traced run", "in its interval",
                 "pace on one core"], rows)
    errors = [math.log(result["predicted"]["predicted_s"] / statistics.median(result["actual_s"])) for result in results]
    floors = [math.log(result["predicted"]["traced_s"] / statistics.median(result["actual_s"])) for result in results]
    print(f"\nmean error {100 * statistics.mean(map(abs, errors)):.1f} % (that of the traced runs "
          f"{100 * statistics.mean(map(abs, floors)):.1f} %), bias {100 * statistics.mean(errors):+.1f} %, "
          f"at most {100 * max(map(abs, errors)):.1f} %")
    save(options.output, {"machine": facts, "programs": results})


main()
