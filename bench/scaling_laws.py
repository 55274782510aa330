#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Tests how well `firma scale` recovers laws, on synthetic run times of known laws with noise. Reports how often the true
parameters lie in their 95 % intervals, and the errors of times at eight times the largest number of processes. Rivals are
the universal scalability law by its published transformation, and plain least squares. Then does the same for the families of
laws (scaling_families.py). See README.md."""

import argparse
import json
import math
import os
import random
import statistics
import tempfile

import scaling_families
from programs import add_common_arguments, print_table, run, save, say

PROCESSES = (1, 2, 4, 8, 16, 32)
BEYOND = 8 * PROCESSES[-1]
NOISES = (0.01, 0.02, 0.05, 0.1)
GIVEN_SETS = 100 # with --law


def amdahl(t1, s):
    return lambda p: t1 * (s + (1 - s) / p)


def usl(t1, alpha, beta):
    return lambda p: t1 * (1 + alpha * (p - 1) + beta * p * (p - 1)) / p


def reduction(t1, step):
    return lambda p: t1 / p + step * math.log2(p)


def gustafson(t1, a):
    """The time on one process of the size that p processes work on for the time t1."""
    return lambda p: t1 * (a + (1 - a) * p)


# name, the law that firma should find, its true parameters, T(p)
LAWS = [
    ("Amdahl, s = 0.05", "Amdahl", {"T(1)": 10, "s": 0.05}, amdahl(10, 0.05)),
    ("Amdahl, s = 0.005", "Amdahl", {"T(1)": 10, "s": 0.005}, amdahl(10, 0.005)),
    ("Amdahl, s = 0", "Amdahl", {"T(1)": 10, "s": 0}, amdahl(10, 0)),
    ("USL, α = 0.03, β = 0.001", "USL", {"T(1)": 10, "α": 0.03, "β": 0.001}, usl(10, 0.03, 0.001)),
    ("USL, α = 0.02, β = 0.0001", "USL", {"T(1)": 10, "α": 0.02, "β": 0.0001}, usl(10, 0.02, 0.0001)),
    ("c/p + b log2 p", "power", {}, reduction(10, 0.04)),
    ("Gustafson, a = 0.1", "Gustafson", {"a": 0.1}, gustafson(10, 0.1)),
]


def make(law, noise, repeats, random_numbers):
    """Applies multiplicative noise with a median of one, like that of a machine."""
    return {p: [law(p) * math.exp(random_numbers.gauss(0, noise)) for _ in range(repeats)] for p in PROCESSES}


def write(path, times):
    with open(path, "w", encoding="utf-8") as file:
        file.write("p,time\n")
        for p, values in times.items():
            for value in values:
                file.write(f"{p},{value:.9g}\n")


def analyse(firma, directory, sets, *options):
    """A file of its own for each set: several sizes would have a model of n and p."""
    found = []
    for times in sets:
        path = os.path.join(directory, "runs.csv")
        write(path, times)
        out, _, _ = run([firma, "scale", path, "--json", "--predict", str(BEYOND), *options], directory)
        size = json.loads(out)["sizes"][0]
        found.append({"laws": {law["law"]: law for law in size["laws"]}, "best": size["laws"][0]["law"],
                      "time_s": size["predictions"][0]["time_s"], "by_best_s": size["predictions"][0]["time_by_best_s"]})
    return found


def write_scaled(path, law, times):
    """Runs of a constant time, with the times' noise, and the time of each size on one process."""
    with open(path, "w", encoding="utf-8") as file:
        file.write("n,p,time,sequential\n")
        for p, values in times.items():
            for value in values:
                file.write(f"{p * 1e4:.9g},{p},{law(1) * value / law(p):.9g},{law(p):.9g}\n")


def analyse_scaled(firma, directory, law, sets):
    """One file for each set, because chains in one file would meet."""
    found = []
    for times in sets:
        path = os.path.join(directory, "runs.csv")
        write_scaled(path, law, times)
        out, _, _ = run([firma, "scale", path, "--json"], directory)
        fitted = json.loads(out)["scaled"][0]["gustafson"]
        found.append({"laws": {"Gustafson": fitted}, "best": "Gustafson", "time_s": None})
    return found


def solve(matrix, right):
    n = len(right)
    rows = [list(row) + [value] for row, value in zip(matrix, right)]
    for i in range(n):
        pivot = max(range(i, n), key=lambda k: abs(rows[k][i]))
        rows[i], rows[pivot] = rows[pivot], rows[i]
        for k in range(n):
            if k != i:
                factor = rows[k][i] / rows[i][i]
                rows[k] = [a - factor * b for a, b in zip(rows[k], rows[i])]
    return [rows[i][n] / rows[i][i] for i in range(n)]


def least_squares(terms, data):
    columns = [terms(x) for x, _ in data]
    n = len(columns[0])
    return solve([[sum(c[i] * c[j] for c in columns) for j in range(n)] for i in range(n)],
                 [sum(c[i] * y for c, (_, y) in zip(columns, data)) for i in range(n)])


def published_usl(times):
    """Gunther's transformation: p/C - 1 = β (p-1)² + (α + β) (p-1), C = T(1)/T(p), by a parabola through 0."""
    first = statistics.median(times[1])
    data = [(p - 1, p * value / first - 1) for p, values in times.items() if p > 1 for value in values]
    second, slope = least_squares(lambda x: (x * x, x), data)
    return usl(first, slope - second, second)(BEYOND)


def plain(terms, times):
    coefficients = least_squares(terms, [(p, value) for p, values in times.items() for value in values])
    return sum(c * x for c, x in zip(coefficients, terms(BEYOND)))


RIVALS = {"USL, published": published_usl,
          "plain a + c/p": lambda times: plain(lambda p: (1, 1 / p), times),
          "plain a + b p + c/p": lambda times: plain(lambda p: (1, p, 1 / p), times)}


def off(predicted, actual):
    """The error as a factor, minus 1: 0.5 is 1.5 times too long or too short. A negative time has an infinite error."""
    return math.exp(abs(math.log(predicted / actual))) - 1 if predicted > 0 else math.inf


def measure(firma, directory, entry, noise, repeats, count, seed):
    name, kind, parameters, law = entry
    random_numbers = random.Random(f"{name} {noise} {repeats} {seed}")
    sets = [make(law, noise, repeats, random_numbers) for _ in range(count)]
    is_scaled = kind == "Gustafson"
    found = analyse_scaled(firma, directory, law, sets) if is_scaled else analyse(firma, directory, sets)
    given = [] if is_scaled else analyse(firma, directory, sets[:GIVEN_SETS], "--law", kind)
    row = {"law": name, "noise": noise, "repeats": repeats, "sets": count, "inside": {}, "off": {}}
    for parameter, value in parameters.items():
        intervals = [result["laws"][kind]["parameters"][parameter] for result in found]
        row["inside"][parameter] = statistics.mean(i["low"] <= value * (1 + 1e-9) and value * (1 - 1e-9) <= i["high"]
                                                   for i in intervals)
    if not is_scaled:
        actual = law(BEYOND)
        row["recognised"] = statistics.mean(result["best"] == kind for result in found)
        row["time_inside"] = statistics.mean(r["time_s"]["low"] <= actual <= r["time_s"]["high"] for r in found)
        row["inside_by_best"] = statistics.mean(r["by_best_s"]["low"] <= actual <= r["by_best_s"]["high"] for r in found)
        row["width"] = statistics.median((r["time_s"]["high"] - r["time_s"]["low"]) / r["time_s"]["value"] for r in found)
        row["off"]["firma"] = statistics.median(off(result["time_s"]["value"], actual) for result in found)
        row["off"]["firma, law given"] = statistics.median(off(result["time_s"]["value"], actual) for result in given)
        for rival, predict in RIVALS.items():
            row["off"][rival] = statistics.median(off(predict(times), actual) for times in sets)
    return row


def percent(share):
    return "–" if math.isnan(share) else "∞" if math.isinf(share) else f"{100 * share:.1f} %" if share < 10 else f"{share:.0f}×"


def report(rows):
    print(f"\nTrue parameters inside their 95 % intervals; p = {', '.join(map(str, PROCESSES))}.\n")
    print_table(["law", "noise", "repeats", "sets", "inside"],
                [[row["law"], percent(row["noise"]), str(row["repeats"]), str(row["sets"]),
                  ", ".join(f"{name}: {percent(share)}" for name, share in row["inside"].items())]
                 for row in rows if row["inside"]])
    print(f"\nTimes at p = {BEYOND}: median error, and how often the true time is inside firma's interval.\n")
    print_table(["law", "noise", "repeats", "firma", *RIVALS, "inside", "width", "best law is this one"],
                [[row["law"], percent(row["noise"]), str(row["repeats"]), percent(row["off"]["firma"]),
                  *(percent(row["off"][rival]) for rival in RIVALS), percent(row["time_inside"]), percent(row["width"]),
                  percent(row["recognised"])] for row in rows if row["off"]])
    inside = [share for row in rows for share in row["inside"].values()]
    print(f"\nIn the mean {percent(statistics.mean(inside))} of the parameters are inside.")
    predicted = [row for row in rows if row["off"]]
    if not predicted:
        return
    names = ("firma", "firma, law given", *RIVALS)
    of_all, of_best = (percent(statistics.mean(row[key] for row in predicted)) for key in ("time_inside", "inside_by_best"))
    print(f"{of_all} of the times are inside those of all plausible laws, {of_best} inside the best law's; medians over noises and "
          "repeats of the median errors:\n")
    laws = list(dict.fromkeys(row["law"] for row in predicted))
    print_table(["law", *names], [[law, *(percent(statistics.median(row["off"][name] for row in predicted
                                                                    if row["law"] == law)) for name in names)]
                                  for law in laws])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    add_common_arguments(parser, "scaling_laws.json")
    parser.add_argument("--seed", default="2", help="of the noise (2; 1 is what charges, prior and level were calibrated with)")
    arguments = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as directory:
        for entry in LAWS:
            if not any(text in entry[0] for text in arguments.only.split(",")):
                continue
            for noise in NOISES:
                for repeats in (1, 3, 5):
                    say(f"{entry[0]}, noise {noise}, {repeats} repeats")
                    rows.append(measure(os.path.abspath(arguments.firma), directory, entry, noise, repeats,
                                        20 if arguments.quick else 200, arguments.seed))
        cells = scaling_families.measure_all(os.path.abspath(arguments.firma), directory, arguments.only.split(","),
                                             arguments.quick, arguments.seed)
    save(arguments.output, {"laws": rows, "families": cells})
    if rows:
        report(rows)
    if cells:
        scaling_families.report(cells)


if __name__ == "__main__":
    main()
