#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compares calibrated predictions with runs at sizes that weren't calibrated. The kernels are those of cost_kernels.py: of
some firma's constants were learnt, the others were kept aside. Each is calibrated at three sizes, n, 2n and 4n. It's
predicted at 8 times the largest of them, and at 8 times the smallest. Every second run calibrates; of the others, the
shortest is compared with the interval, since that is of a run that other programs don't disturb. Calibrations are also
carried from one kind of machine to another: from code without optimisation to optimised code, and from C to Java. See
README.md."""

import argparse
import json
import math
import os
import re
import statistics
import tempfile

from cost_kernels import DEPTHS, FLOWS, WARM, batches, model_in, program_of, save_and_print
from programs import add_common_arguments, machine, print_table, run, say

SIZES = 9  # n/256, n/128 … n, with n the larger of the flow file's two; cost_calibration_laws.py learns from all
CASES = {"8 × largest": (5, 4, 3), "8 × smallest": (3, 2, 1)}  # which are calibrated; 0 is predicted
PARTS = FLOWS["c"]
OTHER_IN_JAVA = ("ways",)  # another algorithm
KINDS = {"O0": ("c", "-O0"), "O2": ("c", "-O2"), "Java": ("java", WARM)}  # the costs of each
LABEL = ("c", "-O0")  # of all kinds' costs in the machine model of these kinds
CARRIED = (("O0", "O2"), ("O2", "O0"), ("O2", "Java"), ("Java", "O2"))
CARRIED_HALVINGS = 1
VALUE = re.compile(r"; (Q|value) (\S+) = ([\d.e-]+)")


def kernels_of(flow):
    """Returns the two sizes of each kernel: NAME: [(n, times, [(word, place, value)])], the larger one last."""
    found = {}
    for line, name, _, entry, n, times in batches(flow):
        name = name.rsplit("_", 1)[0]
        values = [(word, place, float(value)) for word, place, value in VALUE.findall(line)]
        found.setdefault(name, []).append((entry, int(n), int(times), values))
    return found


def between(first, last, n):
    """Values that the source doesn't tell, at a size between the two: on a power of the size through both; of a depth,
    on an exponential function."""
    entry, n_first, _, values_first = first
    _, n_last, _, values_last = last
    from_first, to_last = (n - n_first, n_last - n_first) if entry in DEPTHS else (math.log(n / n_first),
                                                                                   math.log(n_last / n_first))
    texts = []
    for (word, place, a), (_, _, b) in zip(values_first, values_last):
        value = a * (b / a) ** (from_first / to_last) if a > 0 and b > 0 else b
        texts.append(f"; {word} {place} = {min(value, 1) if word == 'Q' else value:.6g}")
    return "".join(texts)


def size_of(kernel, halvings):
    """Of the larger size. Keeps one below a power of two: trees are full."""
    entry, n, _, _ = kernel[1]
    if entry in DEPTHS:
        return n - halvings
    return (n + 1) // 2**halvings - 1 if n & (n + 1) == 0 else max(2, round(n / 2**halvings))


def batch(options, source, kernel, halvings, name):
    first, last = kernel
    entry, _, times, _ = last
    n = size_of(kernel, halvings)
    return (f'batch {name} {{ source "{source}" options "{options}"; entry {entry}; tasks 2; argument n = {n}; '
            f"argument times = {times}{between(first, last, n)} }}\n")


def measure(options, level, source, kernels, directory, sizes=range(SIZES), entries=None):
    """Returns the CPU seconds of each kernel at each size, run after run. entries: names of the functions, if other."""
    jobs = [(name, halvings) for name in kernels for halvings in sizes]
    words = [str(word) for name, halvings in jobs
             for word in ((entries or {}).get(name, kernels[name][1][0]), size_of(kernels[name], halvings), kernels[name][1][2])]
    found = {job: [] for job in jobs}
    for line in run([*program_of(options, level, source, directory), *words], ".")[0].splitlines():
        if line.startswith("run "):
            _, index, seconds = line.split()
            found[jobs[int(index)]].append(float(seconds))
    return found


def predicted_parts(options, level, source, kernels, model, directory, sizes=range(SIZES), more=("--workers", "1")):
    """Returns a calibration of each kernel and size; its times are of a short run by the wall clock, and are replaced."""
    flow, output = os.path.join(directory, "all.pasl"), os.path.join(directory, "all.json")
    with open(flow, "w", encoding="utf-8") as file:
        file.write("application all\n" + "".join(batch(level, source, kernel, halvings, f"{name}_{halvings}")
                                                 for name, kernel in kernels.items() for halvings in sizes))
    run([options.firma, "cost", "run", flow, "-m", model, *more, "--calibrate", "--tasks", "1", "--repeat", "1",
         "-o", output, "--force", "-q"], ".")
    with open(output, encoding="utf-8") as file:
        return json.load(file)


def predict(options, level, source, kernel, calibration, model, directory, halvings=0, more=("--workers", "1")):
    """Returns the predicted interval of one task."""
    flow, path = os.path.join(directory, "one.pasl"), os.path.join(directory, "one.json")
    with open(flow, "w", encoding="utf-8") as file:
        file.write("application all\n" + batch(level, source, kernel, halvings, "one").replace("tasks 2", "tasks 1"))
    with open(path, "w", encoding="utf-8") as file:
        json.dump(calibration, file)
    return json.loads(run([options.firma, "cost", "predict", flow, "-m", model, *more, "--no-messages", "--calibration", path, "--json", "-q"], ".")[0])["predictions"][0]["time_s"]


def calibration_of(parts, times, name, halvings, first=0):
    """The calibration file of one kernel at these sizes, with the CPU times of every second run."""
    own = {each["batch"]: each for each in parts["calibrations"]}
    runs = [{**own[f"{name}_{each}"]["runs"][0], "measured_s": times[name, each][first::2]} for each in halvings]
    return {**parts, "calibrations": [{**own[f"{name}_{halvings[0]}"], "batch": "one", "runs": runs}]}


def runs_of(calibration):
    return calibration["calibrations"][0]["runs"]


def level_of(options, level, part, model, directory):
    kernels = kernels_of(PARTS[part])
    source = os.path.join(os.path.dirname(PARTS[part]), batches(PARTS[part])[0][2])
    times = measure(options, level, source, kernels, directory)
    parts = predicted_parts(options, level, source, kernels, model, directory)
    return [{"kernels": part, "options": level, "name": name, "case": case, "times_s": times[name, 0][1::2],
             "sizes": runs_of(calibration_of(parts, times, name, range(SIZES))),
             "others": runs_of(calibration_of(parts, times, name, range(SIZES), 1)),
             "predicted_s": predict(options, level, source, kernel, calibration_of(parts, times, name, halvings), model,
                                    directory)}
            for name, kernel in kernels.items() for case, halvings in CASES.items()]


def with_references(operations):
    """Java has no arithmetic of references: they count as whole numbers there."""
    whole = {name.replace("_int64", "_reference"): cost for name, cost in operations.items() if name.endswith("_int64")}
    return {**whole, **operations}


def save_kinds(costs, path):
    """Makes a machine model of the kinds: each has the costs of other code as if it were of the same."""
    processor = costs["processors"][0]
    processors = []
    for kind, (language, level) in KINDS.items():
        own = [each for each in processor["languages"] if each["language"] == language and each.get("options", "") in ("", level)]
        named = [{**each, "language": LABEL[0], "options": each.get("options") and LABEL[1], "scheduler": "",
                  "operations": with_references(each["operations"])} for each in own]
        processors.append({**processor, "name": kind, "hosts": [], "languages": named})
    with open(path, "w", encoding="utf-8") as file:
        json.dump({**costs, "processors": processors}, file)


def carried_of(options, part, costs, directory):
    """Calibrates each kernel on one kind, and predicts it for another, at the same size."""
    java = FLOWS["java"][part]
    model = os.path.join(directory, "kinds.json")
    save_kinds(costs, model)
    entries = {name: kernel[1][0] for name, kernel in kernels_of(java).items() if name not in OTHER_IN_JAVA}
    kernels = {name: kernel for name, kernel in kernels_of(PARTS[part]).items() if name in entries}
    source, java_source = (os.path.join(os.path.dirname(each), batches(each)[0][2]) for each in (PARTS[part], java))
    sizes = (CARRIED_HALVINGS,)
    times, parts = {}, {}
    for kind, (language, level) in KINDS.items():
        times[kind] = measure(options, level, java_source if language == "java" else source, kernels, directory, sizes,
                              entries if language == "java" else None)
        parts[kind] = predicted_parts(options, LABEL[1], source, kernels, model, directory, sizes, ("--kinds", f"{kind}:1"))
    return [{"kernels": part, "options": f"{before} to {after}", "name": name, "case": "same size",
             "times_s": times[after][name, CARRIED_HALVINGS],
             "predicted_s": predict(options, LABEL[1], source, kernel,
                                    calibration_of(parts[before], times[before], name, sizes), model, directory,
                                    CARRIED_HALVINGS, ("--kinds", f"{after}:1"))}
            for name, kernel in kernels.items() for before, after in CARRIED]


def inside(record):
    low, high = record["predicted_s"]
    return low <= min(record["times_s"]) <= high


def runs_inside(record):
    low, high = record["predicted_s"]
    return statistics.mean(low <= time_s <= high for time_s in record["times_s"])


def width(record):
    low, high = record["predicted_s"]
    return 2 * (high - low) / (high + low)


def bias(record):
    """The middle of the prediction over the measured time; ends are factors from there."""
    low, high = record["predicted_s"]
    return math.sqrt(low * high) / min(record["times_s"])


def spread(record):
    """How much longer the middle run took than the shortest."""
    return statistics.median(record["times_s"]) / min(record["times_s"]) - 1


def print_shares(records):
    rows = []
    for part, level, case in dict.fromkeys((each["kernels"], each["options"], each["case"]) for each in records):
        these = [each for each in records if (each["kernels"], each["options"], each["case"]) == (part, level, case)]
        narrow = [each for each in these if width(each) <= 0.2]
        rows.append([part, level, case, str(len(these)), str(sum(map(inside, these))),
                     f"{100 * statistics.median(map(width, these)):.0f} %",
                     f"{statistics.median(each['predicted_s'][1] / each['predicted_s'][0] for each in these):.2g}",
                     f"{len(narrow)}", f"{sum(map(inside, narrow))}",
                     f"{100 * (statistics.median(map(bias, these)) - 1):+.0f} %",
                     f"{100 * statistics.median(abs(bias(each) - 1) for each in these):.0f} %",
                     f"{100 * statistics.median(map(spread, these)):.0f} %",
                     f"{100 * statistics.mean(map(runs_inside, these)):.0f} %"])
    print_table(["kernels", "options", "predicted at", "how many", "inside", "width, median", "high/low, median",
                 "at most 20 % wide", "of these inside", "bias, median", "error, median", "middle run over shortest",
                 "single runs inside"], rows)


def print_kernels(records):
    print_table(["kernels", "options", "kernel", "predicted at", "measured, ms", "predicted, ms", "inside", "width"],
                [[each["kernels"], each["options"], each["name"], each["case"],
                  f"{1e3 * min(each['times_s']):.3g}",
                  " … ".join(f"{1e3 * end:.3g}" for end in each["predicted_s"]), "yes" if inside(each) else "no",
                  f"{100 * width(each):.0f} %"] for each in records])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    add_common_arguments(parser, "cost_calibration.json")
    parser.add_argument("--repeat", type=int, default=10, help="runs of each kernel and size (10)")
    parser.add_argument("--options", default="-O0,-O2", help="the compiler's options (-O0,-O2)")
    parser.add_argument("--compare", choices=("sizes", "carried"), help="one of both comparisons alone")
    parser.add_argument("--part", help=f"one of these alone: {', '.join(PARTS)}")
    parser.add_argument("--machine", help="a machine model that has this machine; if not given, it's measured first")
    options = parser.parse_args()
    options.firma = os.path.abspath(options.firma)
    facts, records, levels = machine(), [], options.options.split(",")
    with tempfile.TemporaryDirectory(prefix="firma-bench-") as directory:
        model = options.machine or os.path.join(directory, "machine.json")
        if not options.machine:
            say("measuring what operations cost")
            run([options.firma, "machine", "cpu", "-q", "--languages", "c,java", "-t", "8s", "-o", model,
                 *(f"--compiler-options={level}" for level in levels)], ".")
        costs = model_in(model)
        for part in PARTS:
            if options.part not in (None, part):
                continue
            for level in levels if options.compare != "carried" else ():
                say(f"{part}: {level}")
                records += level_of(options, level, part, model, directory)
            if part in FLOWS["java"] and options.compare != "sizes":
                say(f"{part}: carried")
                records += carried_of(options, part, costs, directory)
    save_and_print(options.output, facts, records, costs, print_kernels, print_shares)


if __name__ == "__main__":
    main()
