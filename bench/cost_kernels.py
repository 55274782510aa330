#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compares uncalibrated predictions of ordinary kernels with their run times: of C at several options of the compiler, of
Java in a warm JVM. The kernels of src/cost/cpu/kernels are those from which `firma machine cpu` learns; those of
bench/kernels were kept aside. With --counted, firma counts what the sources don't tell. See README.md."""

import argparse
import json
import math
import os
import re
import statistics
import subprocess
import sys
import tempfile

from programs import add_common_arguments, machine, machine_line, print_table, run, save, say

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LEARNT, ASIDE = os.path.join(ROOT, "src", "cost", "cpu", "kernels"), os.path.join(ROOT, "bench", "kernels")
FLOWS = {"c": {"learnt from": os.path.join(LEARNT, "kernels.pasl"),
               "kept aside": os.path.join(ASIDE, "fresh.pasl"),
               "science": os.path.join(ASIDE, "science.pasl")},
         "java": {"learnt from": os.path.join(LEARNT, "kernels-java.pasl"),
                  "algorithms": os.path.join(ASIDE, "aside-java.pasl"),
                  "kept aside": os.path.join(ASIDE, "fresh-java.pasl")}}
DEPTHS = ("recursion", "queens")  # whose size is a depth: one more about doubles the time, or more
WARM = "warm"  # in place of a compiler's options
WARM_UP_S = 60  # at most
BATCH = re.compile(r"^batch (\w+) \{ source \"(.*?)\"; entry ([\w.]+);.*?argument n = (\d+); argument times = (\d+)", re.M)


def batches(path):
    """Returns the kernels of a flow file: one a line."""
    with open(path, encoding="utf-8") as file:
        lines = [line for line in file if line.startswith("batch ")]
    return [(line, *BATCH.match(line).groups()) for line in lines]


def program_of(options, level, source, directory):
    """Compiles the kernels, and returns the words that run them."""
    workers = os.path.join(os.path.dirname(options.firma), "..", "cost", "cpu", "worker")
    if level == WARM:
        run(["javac", "-encoding", "UTF-8", "-d", directory, source, os.path.join(workers, "FirmaKernels.java")], ".")
        return ["java", "-cp", directory, "FirmaKernels", str(WARM_UP_S)]
    library = os.path.join(directory, f"kernels{level}.so")
    run(["cc", *level.split(), "-shared", "-fPIC", "-o", library, source, "-lm"], ".")
    return [os.path.join(workers, "firma-cpu-kernels"), "0", str(options.repeat), "inf", library]


def measure(options, level, source, kernels, directory):
    """Returns the CPU seconds of each kernel's runs."""
    words = [word for _, _, _, entry, n, times in kernels for word in (entry, n, times)]
    found = [[] for _ in kernels]
    for line in run([*program_of(options, level, source, directory), *words], ".")[0].splitlines():
        if line.startswith(("run ", "new ")):
            _, index, seconds = line.split()
            found[int(index)].append(float(seconds))
    return found


def write_flow(path, name, line, flow, source, how):
    """Writes a flow file with one kernel, whose size has a name."""
    _, _, n, times = BATCH.match(line).groups()[1:]
    source = os.path.join(os.path.dirname(flow), source)
    line = re.sub(r'source ".*?"', f'source "{source}"{how}', line)
    line = line.replace(f"argument n = {n};", "argument n = N;").replace(f"argument times = {times}", "argument times = TIMES")
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"application {name}\nparameter N = {n}\nparameter TIMES = {times}\n{line}")


def larger(entry, n):
    return n + 1 if entry in DEPTHS else 2 * n


def count(options, flow, kernels, directory):
    """Counts each kernel's numbers at its small size, in two repetitions, and at larger ones if several are asked for.
    Returns the files of counts and the names of what they have, by the kernel's name without its size."""
    found = {}
    for line, name, source, entry, n, _ in kernels:
        stem = re.sub(r"_(small|large)$", "", name)
        if stem in found:
            continue
        say(f"counting {stem}")
        path, counts = (os.path.join(directory, f"{stem}.{end}") for end in ("pasl", "counts.json"))
        write_flow(path, stem, re.sub(r"^batch \w+", f"batch {stem}", line), flow, source, "")
        words = [options.firma, "cost", "run", path, "--count", "-q", "--force"]
        size = int(n)
        for i in range(options.counted):
            run([*words, "--counts" if i else "-o", counts, "--set", f"N={size}", "--set", "TIMES=2"], ".")
            size = larger(entry, size)
        with open(counts, encoding="utf-8") as file:
            values = json.load(file)["batches"][0]["runs"][0]["values"]
        found[stem] = counts, {value["name"] for value in values}
    return found


def with_counts(line, name, counted):
    """Returns the kernel's line without what was counted, and the words that name the counts."""
    stem = re.sub(r"_(small|large)$", "", name)
    counts, names = counted[stem]
    line = re.sub(r"; (value|Q) (\w+) = [^;}]*?(?=[;}]| })", lambda item: "" if item[2] in names else item[0], line)
    return re.sub(r"^batch \w+", f"batch {stem}", line), ["--counts", counts]


def predict(options, level, flow, kernel, model, directory, counted):
    """Returns the predicted interval of one kernel."""
    line, name, source, _, _, _ = kernel
    path = os.path.join(directory, f"{name}.pasl")
    how, counts = "" if level == WARM else f' options "{level}"', []
    if counted:
        line, counts = with_counts(line, name, counted)
    write_flow(path, name, line, flow, source, how)
    words = [options.firma, "cost", "predict", path, "-m", model, "--workers", "1", "--no-messages", "--json", "-q"]
    return json.loads(run([*words, *counts], ".")[0])["predictions"][0]["time_s"]


def level_of(options, level, part, flow, model, directory, counted):
    kernels = batches(flow)
    source = os.path.join(os.path.dirname(flow), kernels[0][2])
    times = measure(options, level, source, kernels, directory)
    return [{"kernels": part, "options": level, "name": kernel[1], "times_s": own,
             "predicted_s": predict(options, level, flow, kernel, model, directory, counted)}
            for kernel, own in zip(kernels, times)]


def ratio(record):
    """Measured time over the interval's middle. Both ends are factors from there."""
    low, high = record["predicted_s"]
    return min(record["times_s"]) / math.sqrt(max(low, 1e-12) * high)


def print_shares(records):
    rows = []
    for part in dict.fromkeys(record["kernels"] for record in records):
        for level in sorted({record["options"] for record in records}):
            these = [each for each in records if (each["kernels"], each["options"]) == (part, level)]
            found = sum(low <= min(each["times_s"]) <= high for each in these for low, high in [each["predicted_s"]])
            ratios = sorted(ratio(each) for each in these)
            widths = [high / max(low, 1e-12) for each in these for low, high in [each["predicted_s"]]]
            spread = statistics.stdev(math.log(each) for each in ratios)
            noise = statistics.median(statistics.median(each["times_s"]) / min(each["times_s"]) for each in these)
            rows.append([part, level, f"{found} of {len(these)}", f"{100 * found / len(these):.0f} %",
                         f"x {statistics.median(widths):.2g}", f"{statistics.median(ratios):.2f}",
                         f"{ratios[0]:.2f} … {ratios[-1]:.2f}", f"x {math.exp(spread):.2f}", f"{100 * (noise - 1):.1f} %"])
    print_table(["kernels", "options", "inside", "share", "high/low, median", "measured/middle, median", "least … most",
                 "spread (one deviation)", "noise: median run over least"], rows)


def print_kernels(records):
    print_table(["kernels", "options", "kernel", "measured, ms", "predicted, ms", "measured/middle"],
                [[each["kernels"], each["options"], each["name"], f"{1e3 * min(each['times_s']):.3g}",
                  " … ".join(f"{1e3 * end:.3g}" for end in each["predicted_s"]), f"{ratio(each):.2f}"] for each in records])


def model_in(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def save_and_print(output, facts, records, model, *tables):
    """Ends a comparison: saves its numbers with the machine's, and prints tables of the records."""
    save(output, {"machine": facts, "runs": records, "model": model})
    print(machine_line(facts))
    for table in tables:
        print()
        table(records)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    add_common_arguments(parser, "cost_kernels.json")
    parser.add_argument("--repeat", type=int, default=5, help="runs of each kernel, of which the shortest counts (5)")
    parser.add_argument("--language", default="c", choices=list(FLOWS), help="of the kernels (c)")
    parser.add_argument("--options", default="-O0,-O2,-O3", help="the compiler's options, for C (-O0,-O2,-O3)")
    parser.add_argument("--part", help=f"one of these alone: {', '.join(FLOWS['c'])}")
    parser.add_argument("--counted", type=int, nargs="?", const=1, default=0, metavar="SIZES",
                        help="firma counts each kernel's numbers at its small size, of C, and at so many sizes in all (1)")
    parser.add_argument("--machine", help="a machine model that has this machine; if not given, it's measured first")
    options = parser.parse_args()
    options.firma = os.path.abspath(options.firma)
    facts, records = machine(), []
    levels = [WARM] if options.language == "java" else options.options.split(",")
    with tempfile.TemporaryDirectory(prefix="firma-bench-") as directory:
        model = options.machine or os.path.join(directory, "machine.json")
        if not options.machine:
            say("measuring what operations cost")
            run([options.firma, "machine", "cpu", "-q", "--languages", options.language, "-o", model], ".")
        for part, flow in FLOWS[options.language].items():
            if options.part not in (None, part):
                continue
            counted = count(options, flow, batches(flow), directory) if options.counted else None
            for level in levels:
                say(f"{part}: {level}")
                records += level_of(options, level, part, flow, model, directory, counted)
        costs = model_in(model)
    save_and_print(options.output, facts, records, costs, print_kernels, print_shares)


if __name__ == "__main__":
    main()
