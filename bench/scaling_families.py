# SPDX-License-Identifier: BSD-3-Clause
"""Thirteen families of run times, with random parameters: how often the intervals of `firma scale` hold the true time at eight
times the largest number of processes, and how wide they are. A part of scaling_laws.py."""

import json
import math
import os
import random
import statistics

from programs import print_table, run, say

POINTS = range(3, 9)
NOISES = (0, 0.01, 0.02, 0.05)
REPEATS = (1, 3)
FAR = 8
HELD_LEAST, WIDTH_MOST = 0.9, 0.5


def log_uniform(draw, least, most):
    return math.exp(draw.uniform(math.log(least), math.log(most)))


def amdahl(draw, _):
    s = log_uniform(draw, 0.002, 0.2)
    return lambda p: 10 * (s + (1 - s) / p)


def usl(draw, _):
    alpha, beta = log_uniform(draw, 0.005, 0.1), log_uniform(draw, 1e-4, 3e-3)
    return lambda p: 10 * (1 + alpha * (p - 1) + beta * p * (p - 1)) / p


def with_share(growth):
    def make(draw, _):
        b = log_uniform(draw, 0.02, 0.5)
        return lambda p: 10 / p + b * growth(p)
    return make


def superlinear(draw, _):
    exponent = draw.uniform(1.05, 1.5)
    return lambda p: 10 * p ** -exponent


def cache(draw, processes):
    """More time on each process until its share of the data fits the cache."""
    threshold, more, constant = draw.choice(processes[1:]), draw.uniform(0.2, 1), log_uniform(draw, 0.001, 0.1)
    return lambda p: 10 / p * (1 + more * (p < threshold)) + constant


def communication(draw, _):
    b, c = draw.uniform(0.3, 1), draw.uniform(0, 0.5)
    return lambda p: 1 + b * math.log2(p) + c / p


def constant(_draw, _):
    return lambda p: 10


def growing(draw, _):
    b = log_uniform(draw, 0.1, 3)
    growth = draw.choice((math.log2, math.sqrt, lambda p: p ** (1 / 3)))
    return lambda p: 10 + b * growth(p)


def falling(draw, _):
    """Of a power that no law has exactly."""
    exponent, a = draw.uniform(0.1, 0.95), draw.choice((0, log_uniform(draw, 0.002, 0.2)))
    return lambda p: 10 * (a + (1 - a) * p ** -exponent)


def with_any_share(draw, processes):
    exponent = draw.uniform(0.1, 0.95)
    return with_share(lambda p: p ** exponent)(draw, processes)


def growing_as_any(draw, _):
    b, exponent = log_uniform(draw, 0.1, 3), draw.uniform(0.1, 0.95)
    return lambda p: 10 + b * p ** exponent


# name, whether sizes grow with p, a function that draws a law for these numbers of processes
FAMILIES = [("Amdahl", False, amdahl),
            ("USL", False, usl),
            ("c/p + b log2 p", False, with_share(math.log2)),
            ("c/p + b √p", False, with_share(math.sqrt)),
            ("c/p + b p", False, with_share(lambda p: p)),
            ("superlinear power", False, superlinear),
            ("cache threshold", False, cache),
            ("a + b log2 p + little c/p", False, communication),
            ("weak, constant", True, constant),
            ("weak, a + b log2 p or a + b p^j", True, growing),
            ("a + b p^-k, any k", False, falling),
            ("c/p + b p^k, any k", False, with_any_share),
            ("weak, a + b p^k, any k", True, growing_as_any)]


def write(path, times, is_weak):
    """Files of one set: several would also have a model of both n and p."""
    with open(path, "w", encoding="utf-8") as file:
        file.write("n,p,time\n")
        for p, values in times.items():
            for value in values:
                file.write(f"{10 ** 6 * (p if is_weak else 1)},{p},{value:.9g}\n")


def predict(firma, directory, times, is_weak, beyond):
    path = os.path.join(directory, "runs.csv")
    write(path, times, is_weak)
    out, _, _ = run([firma, "scale", path, "--json", "--predict", str(beyond)], directory)
    return json.loads(out)["scaled" if is_weak else "sizes"][0]["predictions"][0]["time_s"]


def measure(firma, directory, family, n_points, noise, repeats, count, seed):
    name, is_weak, make_law = family
    draw = random.Random(f"{name} {n_points} {noise} {repeats} {seed}")
    processes = [2 ** i for i in range(n_points)]
    beyond = FAR * processes[-1]
    laws = [make_law(draw, processes) for _ in range(count)]
    sets = [{p: [law(p) * math.exp(draw.gauss(0, noise)) for _ in range(repeats)] for p in processes} for law in laws]
    found = [predict(firma, directory, times, is_weak, beyond) for times in sets]
    rows = []
    for law, time in zip(laws, found):
        actual, high = law(beyond), math.inf if time["high"] is None else time["high"]
        rows.append({"held": time["low"] * (1 - 1e-9) <= actual <= high * (1 + 1e-9),
                     "width": (high - time["low"]) / time["value"] if time["value"] > 0 else math.inf,
                     "off": math.log(max(time["value"], 1e-9) / actual)})
    return {"family": name, "points": n_points, "noise": noise, "repeats": repeats, "sets": rows}


def measure_all(firma, directory, wanted, is_quick, seed):
    cells = []
    for family in FAMILIES:
        if not any(text in family[0] for text in wanted):
            continue
        for n_points in POINTS:
            say(f"{family[0]}, {n_points} numbers of processes")
            cells += [measure(firma, directory, family, n_points, noise, repeats, 15 if is_quick else 30, seed)
                      for noise in NOISES for repeats in REPEATS]
    return cells


def percent(share):
    return "∞" if math.isinf(share) else f"{100 * share:.0f} %" if share < 10 else f"{share:.0f}×"


def summary(cells):
    sets = [row for cell in cells for row in cell["sets"]]
    offs = sorted(row["off"] for row in sets)
    quarter = len(offs) // 4
    return [percent(statistics.mean(row["held"] for row in sets)),
            f"{sum(statistics.mean(row['held'] for row in cell['sets']) >= HELD_LEAST for cell in cells)} of {len(cells)}",
            "± " + percent(statistics.median(row["width"] for row in sets) / 2),
            f"{100 * (math.exp(statistics.median(offs)) - 1):+.1f} %",
            f"{100 * (math.exp(offs[quarter]) - 1):+.1f} … {100 * (math.exp(offs[-1 - quarter]) - 1):+.1f} %"]


def report(cells):
    header = ["held", f"cells with {percent(HELD_LEAST)} and more", "median width", "bias", "quartiles"]
    families = list(dict.fromkeys(cell["family"] for cell in cells))
    print(f"\nTimes at {FAR} times the largest p, p = 1, 2, 4 …; a cell is 30 sets of one noise (0 to 5 %) and 1 or 3 repeats. "
          "Bias: median error.\n")
    print_table(["family", "numbers of processes", *header],
                [[family, f"{low} to {high}", *summary([cell for cell in cells if cell["family"] == family
                                                       and low <= cell["points"] <= high])]
                 for family in families for low, high in ((3, 4), (5, 6), (7, 8))])
    print()
    print_table(["noise", "repeats", *header],
                [[percent(noise), str(repeats), *summary([cell for cell in cells
                                                          if cell["noise"] == noise and cell["repeats"] == repeats])]
                 for noise in NOISES for repeats in REPEATS])
    print()
    print_table(["all", *header], [["", *summary(cells)]])
