#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""How near are predictions of MPI programs from source alone? `firma cost predict` predicts cost_programs.c, a round of
communication in several ways, by what `firma comm` measured; beside it, the fastest rounds of real runs. Then it predicts
what whole programs compute on one process; beside it, the least CPU time of their runs. See README.md."""

import argparse
import json
import os
import re
import statistics
import sys
import tempfile

from programs import MPIRUN, add_common_arguments, machine, machine_line, print_table, run, save, say

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
SOURCE = os.path.join(HERE, "cost_programs.c")
KERNELS = ("Sendrecv with both neighbours", "the same, nonblocking", "ping-pong", "Allreduce", "Bcast from both", "Alltoall",
           "Gather to both", "Allgather", "Barrier")
ROUNDS = 2000
GOAL = 1.5
COMPILER_OPTIONS = "-O2"
PROGRAMS = {"jacobi": ("examples/jacobi/jacobi.c", "400 1000"), "cg": ("tests/apps/cg.c", "400 100 1"),
            "montecarlo": ("tests/apps/montecarlo.c", "20 200000"), "particles": ("tests/apps/particles.c", "1000 100"),
            "adaptive": ("tests/apps/adaptive.c", "20000 200 50")}


def predicted(options, model, defines):
    words = [options.firma, "cost", "predict", SOURCE, "--compiler-options", f"{COMPILER_OPTIONS} {defines}", "-m", model,
             "--processes", str(options.processes), "--json", "-q"]
    document = json.loads(run(words, ".")[0])["predictions"][0]
    return [(time - compute) / ROUNDS for time, compute in zip(document["time_s"], document["compute_s"])]


def measured(options, defines, program):
    """Returns the fastest round of all launches, and the fastest tenth of the best launch."""
    run(["mpicc", COMPILER_OPTIONS, *defines.split(), SOURCE, "-o", program, "-lm"], ".")
    times = []
    for _ in range(options.repeat):
        out = run([*MPIRUN, "-n", str(options.processes), program], ".")[0]
        times.append([float(word) for word in re.search(r"round_s (\S+) (\S+)", out).groups()])
    return min(least for least, _ in times), min(tenth for _, tenth in times)


def computation(options, name, model, program):
    """Returns the predicted computation of a program on one process, and the CPU times of its runs."""
    source, words = os.path.join(ROOT, PROGRAMS[name][0]), PROGRAMS[name][1].split()
    document = json.loads(run([options.firma, "cost", "predict", source, "--compiler-options", COMPILER_OPTIONS, "-m", model,
                               "--processes", "1", "--no-messages", "--json", "-q", "--", *words], ".")[0])
    run(["mpicc", COMPILER_OPTIONS, source, os.path.join(HERE, "cost_programs_cpu.c"), "-o", program, "-lm"], ".")
    times = [float(re.search(r"cpu_s (\S+)", run([*MPIRUN, "-n", "1", program, *words], ".")[1]).group(1))
             for _ in range(options.repeat)]
    return {"program": name, "arguments": PROGRAMS[name][1], "predicted_s": document["predictions"][0]["compute_s"],
            "times_s": times}


def print_rounds(records):
    ratios = [record["least_s"] / statistics.mean(record["predicted_s"]) for record in records]
    print_table(["round", "bytes", "predicted, µs", "fastest, µs", "fastest tenth, µs", "fastest/predicted"],
                [[record["kernel"], str(record["bytes"]), "{:.2f} … {:.2f}".format(*(1e6 * end for end in record["predicted_s"])),
                  f"{1e6 * record['least_s']:.2f}", f"{1e6 * record['tenth_s']:.2f}", f"{ratio:.2f}"]
                 for record, ratio in zip(records, ratios)])
    within = sum(1 / GOAL <= ratio <= GOAL for ratio in ratios)
    print(f"\nwithin a factor of {GOAL}: {within} of {len(ratios)}; median {statistics.median(ratios):.2f}")


def print_computation(records):
    rows = []
    for record in records:
        low, high = record["predicted_s"]
        least = min(record["times_s"])
        rows.append([f"{record['program']} {record['arguments']}", f"{1e3 * low:.3g} … {1e3 * high:.3g}", f"{1e3 * least:.3g}",
                     f"{least / (low * high) ** 0.5:.2f}", "yes" if low <= least <= high else "no"])
    print_table(["program", "predicted computation, ms", "least CPU time, ms", "measured/middle", "inside"], rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    add_common_arguments(parser, "cost_programs.json")
    parser.add_argument("--repeat", type=int, default=10, help="launches of each kernel (10)")
    parser.add_argument("--processes", type=int, default=2, help="as many as there are processors, at most (2)")
    parser.add_argument("--machine", help="a machine model with messages and operations; by default it's measured first")
    options = parser.parse_args()
    facts, records, computations = machine(), [], []
    with tempfile.TemporaryDirectory(prefix="firma-bench-") as directory:
        model = options.machine or os.path.join(directory, "comm", "machine.json")
        if not options.machine:
            say("measuring messages and operations")
            run([options.firma, "comm", "-q", "--only", "openmpi", "-t", "10s" if options.quick else "60s", "-o",
                 os.path.dirname(model)], ".")
            run([options.firma, "machine", "cpu", "-q", "--languages", "c", f"--compiler-options={COMPILER_OPTIONS}", "-t",
                 "10s", "--into", model], ".")
        for kernel, name in enumerate(KERNELS):
            if options.only not in name:
                continue
            for doubles in (10, 1000) if options.quick else (1, 100, 1000, 10000):
                if name == "Barrier" and doubles > 10:
                    continue
                say(f"{name}, {8 * doubles} bytes")
                defines = f"-DKERNEL={kernel} -DDOUBLES={doubles}"
                least, tenth = measured(options, defines, os.path.join(directory, "program"))
                records.append({"kernel": name, "bytes": 8 * doubles, "predicted_s": predicted(options, model, defines),
                                "least_s": least, "tenth_s": tenth})
        for name in PROGRAMS:
            if options.only in name:
                say(name)
                computations.append(computation(options, name, model, os.path.join(directory, "program")))
    if not records and not computations:
        sys.exit(f"nothing has `{options.only}` in its name")
    save(options.output, {"machine": facts, "processes": options.processes, "rounds": records, "computation": computations})
    print(machine_line(facts))
    for given, show in ((records, print_rounds), (computations, print_computation)):
        if given:
            print()
            show(given)


if __name__ == "__main__":
    main()
