#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Measures the cost of tracing: pairs of an untraced and a traced run in alternating order, one rank a core. See README.md."""

import argparse
import os
import re
import statistics
import tempfile

from programs import (Program, add_common_arguments, chosen, hpcc, lammps, machine, machine_line, one_rank_a_core,
                      own_program, print_table, quartiles, run, run_traced, save, say, RANKS, MPIRUN)

NS_PER_EVENT = re.compile(r"^ns_per_event ([\d.]+)", re.M)


def programs(apps, quick):
    if quick:
        return [own_program(apps, "C", "cg", 512, 25, 20), own_program(apps, "C", "stencil", 64, 20000),
                own_program(apps, "Fortran, mpif.h", "sweep", 128, 32, 200), hpcc(1000), lammps(50)]
    return [own_program(apps, "C", "cg", 512, 25, 250), own_program(apps, "C", "stencil", 64, 500000),
            own_program(apps, "C", "stencil", 256, 150000),
            own_program(apps, "Fortran, mpif.h", "sweep", 128, 32, 3000),
            own_program(apps, "Fortran, use mpi", "heat", 400, 30000),
            own_program(apps, "Fortran, mpi_f08", "adi", 256, 4000), hpcc(1500), lammps(500)]


def timed_pair(firma, program, directory, traced_first):
    command = one_rank_a_core(program)
    pair = {}
    for traced in (traced_first, not traced_first):
        program.prepare(directory)
        if traced:
            document, own_s, _ = run_traced(firma, program, command, directory)
            wall_s = document["elapsed_s"]
            pair["calls"], pair["application_s"] = document["calls"], document["application_s"]
        else:
            out, _, wall_s = run(command, directory)
            own_s = program.own_time_s(out)
        pair["traced" if traced else "untraced"] = {"own_s": own_s, "launcher_s": wall_s}
    return pair


def measure_program(firma, program, n_pairs):
    with tempfile.TemporaryDirectory(prefix="firma-bench-") as directory:
        pairs = []
        for i in range(n_pairs):
            pairs.append(timed_pair(firma, program, directory, traced_first=i % 2 == 1))
            say(f"{program.label}: pair {i + 1} of {n_pairs}")
    clock = "own_s" if program.own_time else "launcher_s"
    ratios = [pair["traced"][clock] / pair["untraced"][clock] for pair in pairs]
    result = {"program": program.label, "language": program.language, "clock": clock, "pairs": pairs, "ratios": ratios}
    result["calls_per_s"] = statistics.median(pair["calls"] / RANKS / pair["application_s"] for pair in pairs)
    result["untraced_s"] = statistics.median(pair["untraced"][clock] for pair in pairs)
    if program.own_time is not None:
        result["launch_ms"] = statistics.median(
            1000 * sum(sign * (pair[kind]["launcher_s"] - pair[kind]["own_s"])
                       for sign, kind in ((1, "traced"), (-1, "untraced"))) for pair in pairs)
    return result


def overhead_row(result):
    low, middle, high = (100 * (ratio - 1) for ratio in quartiles(result["ratios"]))
    launch = f"{result['launch_ms']:+.0f} ms" if "launch_ms" in result else "in the time"
    return [result["program"], result["language"], {"own_s": "its own", "launcher_s": "launcher's"}[result["clock"]],
            f"{result['untraced_s']:.2f} s", f"{result['calls_per_s']:.0f}", f"**{middle:+.2f} %**",
            f"{low:+.2f} … {high:+.2f} %", launch]


def ping_pong(firma, apps, ranks, rounds, n_pairs):
    """Nanoseconds per event (a send or a receive of a rank), untraced and traced."""
    program = own_program(apps, "C", "pingpong", rounds)
    command = [*MPIRUN, "--bind-to", "core", "-n", str(ranks), *program.command]
    figures = Program("pingpong", "C", program.command, NS_PER_EVENT)
    found = {"ranks": ranks, "rounds": rounds, "untraced_ns": [], "traced_ns": []}
    with tempfile.TemporaryDirectory(prefix="firma-bench-") as directory:
        for i in range(n_pairs):
            for traced in (i % 2 == 1, i % 2 == 0):
                if traced:
                    found["traced_ns"].append(run_traced(firma, figures, command, directory)[1])
                else:
                    found["untraced_ns"].append(figures.own_time_s(run(command, directory)[0]))
            say(f"pingpong on {ranks} ranks: pair {i + 1} of {n_pairs}")
    return found


def ping_pong_row(found):
    costs = [traced - untraced for traced, untraced in zip(found["traced_ns"], found["untraced_ns"])]
    low, middle, high = quartiles(costs)
    return ["to itself" if found["ranks"] == 1 else "between two ranks", str(found["rounds"]),
            f"{statistics.median(found['untraced_ns']):.0f} ns", f"{statistics.median(found['traced_ns']):.0f} ns",
            f"**{middle:+.0f} ns**", f"{low:+.0f} … {high:+.0f} ns"]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    add_common_arguments(parser, "overhead.json")
    parser.add_argument("--pairs", type=int, default=0, help="pairs of runs a program (11; 3 with --quick)")
    options = parser.parse_args()
    firma = os.path.abspath(options.firma)
    n_pairs = options.pairs or (3 if options.quick else 11)
    facts = machine()
    results = [measure_program(firma, program, n_pairs)
               for program in chosen(programs(options.apps, options.quick), options.only)]
    rounds = 100000 if options.quick else 1000000
    messages = [ping_pong(firma, options.apps, ranks, rounds, n_pairs) for ranks in (1, 2)
                if options.only in "pingpong"]
    print(f"Tracing overhead, {RANKS} ranks, one a core, median of {n_pairs} pairs; {machine_line(facts)}\n")
    if results:
        print_table(["program", "interface", "clock", "untraced", "calls/s a rank", "overhead", "quartiles",
                     "start-up and shutdown"], [overhead_row(result) for result in results])
    if messages:
        print("\nEmpty messages, per event (a send or a receive of a rank)\n")
        print_table(["messages", "round trips", "untraced", "traced", "cost", "quartiles"],
                    [ping_pong_row(found) for found in messages])
    save(options.output, {"machine": facts, "programs": results, "pingpong": messages})


main()
