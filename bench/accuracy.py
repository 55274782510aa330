#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""How near predictions come: a signature made with one rank a core, executed again and again in two configurations,
each time followed by the full run that it predicts. See README.md."""

import argparse
import json
import os
import statistics
import tempfile

from programs import (add_common_arguments, all_on_one_core, chosen, hpcc, lammps, machine, machine_line,
                      one_rank_a_core, own_program, print_table, run, run_traced, save, say)

CONFIGURATIONS = (("one rank a core", one_rank_a_core), ("two ranks a core", all_on_one_core))
ESTIMATORS = ("process", "slowest")


def programs(apps, quick):
    if quick:
        return [own_program(apps, "C", "cg", 512, 25, 80), own_program(apps, "Fortran, mpif.h", "sweep", 128, 32, 1500)]
    return [own_program(apps, "C", "cg", 512, 25, 500), own_program(apps, "C", "stencil", 256, 150000),
            own_program(apps, "C", "multigrid", 8, 4000), own_program(apps, "C", "particles", 200, 25000),
            own_program(apps, "C", "adaptive", 20000, 150000, 1000), own_program(apps, "C", "montecarlo", 1500, 500000),
            own_program(apps, "Fortran, mpif.h", "sweep", 128, 32, 6000),
            own_program(apps, "Fortran, use mpi", "heat", 400, 50000),
            own_program(apps, "Fortran, mpi_f08", "adi", 256, 7000), hpcc(3000), lammps(1500)]


def make_signature(firma, program, directory):
    """Traces with one rank a core; returns the signature's file."""
    program.prepare(directory)
    _, _, archive = run_traced(firma, program, one_rank_a_core(program), directory)
    signature = os.path.join(directory, "app.firma")
    run([firma, "phases", archive, "-o", signature], directory)
    return signature


def predict(firma, program, signature, command, directory):
    """Executes the signature once; returns each estimator's document."""
    program.prepare(directory)
    times = os.path.join(directory, "times.json")
    run([firma, "measure", "--mpi", "openmpi", signature, "-o", times, "--", *command], directory)
    return {estimator: json.loads(run([firma, "predict", signature, times, "--json", "--estimator", estimator],
                                      directory)[0]) for estimator in ESTIMATORS}


def actual_time_s(firma, program, command, directory):
    """Run time from MPI_Init to MPI_Finalize: as an untraced run of an own program prints it, else as a traced run
    has it (LAMMPS's loop time leaves the set-up out, HPCC prints none)."""
    program.prepare(directory)
    if program.inputs:
        return run_traced(firma, program, command, directory)[0]["application_s"]
    return program.own_time_s(run(command, directory)[0])


def measure_configuration(firma, program, signature, name, command, directory, repeats):
    runs = []
    for i in range(repeats):
        documents = predict(firma, program, signature, command, directory)
        actual_s = actual_time_s(firma, program, command, directory)
        runs.append({"actual_s": actual_s, "signature_s": documents[ESTIMATORS[0]]["signature_s"],
                     **{estimator: {"predicted_s": document["predicted_s"], "interval_s": document["interval_s"]}
                        for estimator, document in documents.items()}})
        say(f"{program.label}, {name}: repeat {i + 1} of {repeats}: actual {actual_s:.3f} s, "
            + ", ".join(f"{estimator} {runs[-1][estimator]['predicted_s']:.3f} s" for estimator in ESTIMATORS))
    return {"program": program.label, "language": program.language, "configuration": name,
            "actual_clock": "traced" if program.inputs else "own", "runs": runs}


def holds(interval_s, time_s):
    return interval_s[0] <= time_s <= interval_s[1]


def summary(result):
    """Medians over the repeats, and how often the interval held the actual time of its own repeat."""
    runs = result["runs"]
    actual_s = statistics.median(run["actual_s"] for run in runs)
    found = {"actual_s": actual_s,
             "signature_percent": 100 * statistics.median(run["signature_s"] for run in runs) / actual_s}
    for estimator in ESTIMATORS:
        predicted_s = statistics.median(run[estimator]["predicted_s"] for run in runs)
        covered = sum(holds(run[estimator]["interval_s"], run["actual_s"]) for run in runs)
        low, high = (statistics.median(run[estimator]["interval_s"][end] for run in runs) for end in (0, 1))
        found[estimator] = {"predicted_s": predicted_s, "error_percent": 100 * (predicted_s - actual_s) / actual_s,
                            "interval_s": [low, high], "covers_median": low <= actual_s <= high, "covered": covered}
    return found


def table_row(result):
    found, n = result["summary"], len(result["runs"])
    process, slowest = found["process"], found["slowest"]
    low, high = process["interval_s"]
    return [result["program"], result["configuration"], f"{process['predicted_s']:.2f} s", f"{found['actual_s']:.2f} s",
            f"**{process['error_percent']:+.1f} %**", f"{slowest['error_percent']:+.1f} %",
            f"{low:.2f} … {high:.2f} s", f"{'yes' if process['covers_median'] else 'no'}, {process['covered']} of {n}",
            f"{found['signature_percent']:.1f} %"]


def measure_program(firma, program, repeats):
    with tempfile.TemporaryDirectory(prefix="firma-bench-") as directory:
        signature = make_signature(firma, program, directory)
        results = [measure_configuration(firma, program, signature, name, place(program), directory, repeats)
                   for name, place in CONFIGURATIONS]
    for result in results:
        result["summary"] = summary(result)
    return results


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    add_common_arguments(parser, "accuracy.json")
    parser.add_argument("--repeats", type=int, default=0, help="repeats a configuration (5; 2 with --quick)")
    options = parser.parse_args()
    firma = os.path.abspath(options.firma)
    repeats = options.repeats or (2 if options.quick else 5)
    facts = machine()
    results = []
    for program in chosen(programs(options.apps, options.quick), options.only):
        results += measure_program(firma, program, repeats)
    print(f"Predicted and actual run time, medians of {repeats} interleaved repeats; {machine_line(facts)}\n")
    print_table(["program", "configuration", "predicted", "actual", "error (process)", "error (slowest)",
                 "interval", "covers the actual", "SET/AET"], [table_row(result) for result in results])
    for name, _ in CONFIGURATIONS:
        errors = [abs(result["summary"]["process"]["error_percent"]) for result in results
                  if result["configuration"] == name]
        if errors:
            print(f"\n{name}: mean error {statistics.mean(errors):.1f} %, largest {max(errors):.1f} %")
    save(options.output, {"machine": facts, "results": results})


main()
