#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Measures the quality of mappings: every mapper on random task graphs of four families, at several ratios of communication to
computation, and on graphs of traced programs. The same simulation judges all. Results are compared with the best one, and
for a few tasks with the optimum. See README.md."""

import argparse
import collections
import itertools
import json
import os
import random
import statistics
import tempfile

import mapping_traces
from programs import add_common_arguments, print_table, run, save, say

ITERATIONS = 20
LATENCY_S, BYTES_PER_S = 20e-6, 1e9
SMALL, LARGE = "4x2:20us,1GB/s:1us,10GB/s", "4x4:20us,1GB/s:1us,10GB/s"
LEAST_GAIN = 0.01


class Graph:
    """Steps of one iteration, message by message in an order in which they can happen. So tasks can't wait in a circle."""

    def __init__(self, n, chance):
        self.n, self.chance, self.steps = n, chance, [[] for _ in range(n)]

    def compute(self, task):
        self.steps[task].append(self.chance.uniform(0.5e-3, 1.5e-3))

    def send(self, sender, receiver):
        share = self.chance.uniform(0.25, 1.75)
        self.steps[sender].append({"send": receiver, "bytes": share})
        self.steps[receiver].append({"recv": sender, "bytes": share})

    def document(self, ratio, order):
        """Returns a document in which messages take `ratio` times as long as computation, if all go between nodes. Tasks
        are numbered in this order."""
        steps = list(itertools.chain(*self.steps))
        computation_s = sum(step for step in steps if isinstance(step, float))
        shares = [step["bytes"] for step in steps if isinstance(step, dict) and "send" in step]
        factor = max(0, ratio * computation_s - len(shares) * LATENCY_S) * BYTES_PER_S / sum(shares)

        def renamed(step):
            if isinstance(step, float):
                return step
            return {key: order[value] if key != "bytes" else round(value * factor) for key, value in step.items()}

        tasks = [None] * self.n
        for task, body in enumerate(self.steps):
            loop = [{"times": ITERATIONS, "body": [renamed(step) for step in body]}] if body else []
            tasks[order[task]] = {"steps": loop}
        return {"format": "firma task graph", "version": 1, "tasks": tasks}


def layered(graph):
    width = max(2, round(graph.n ** 0.5))
    for task in range(graph.n):
        layer = task // width
        before = range((layer - 1) * width, layer * width) if layer else ()
        senders = [other for other in before if graph.chance.random() < 0.5] or list(before)[:1]
        for sender in senders:
            graph.send(sender, task)
        graph.compute(task)


def fork_join(graph):
    graph.compute(0)
    for worker in range(1, graph.n):
        graph.send(0, worker)
    for worker in range(1, graph.n):
        graph.compute(worker)
        graph.send(worker, 0)


def pipelines(graph):
    """Several pipelines side by side, of random lengths, with an occasional message across."""
    begins = sorted({0, *graph.chance.sample(range(1, graph.n), max(1, graph.n // 5))})
    for begin, end in zip(begins, begins[1:] + [graph.n]):
        for task in range(begin, end):
            if task > begin:
                graph.send(task - 1, task)
            elif begin and graph.chance.random() < 0.5:
                graph.send(0, task)
            graph.compute(task)


def stencil(graph):
    """A torus, as square as possible."""
    rows = max(r for r in range(1, int(graph.n ** 0.5) + 1) if graph.n % r == 0)
    columns = graph.n // rows
    pairs = set()
    for task in range(graph.n):
        graph.compute(task)
        row, column = divmod(task, columns)
        pairs |= {frozenset((task, row * columns + (column + 1) % columns)),
                  frozenset((task, (row + 1) % rows * columns + column))}
    for first, second in sorted(tuple(sorted(pair)) for pair in pairs if len(pair) == 2):
        graph.send(first, second)
        graph.send(second, first)


FAMILIES = {"layers": layered, "fork and join": fork_join, "pipelines": pipelines, "stencil": stencil}
NUMBERINGS = ("in order", "shuffled")


def judge(firma, directory, document, platform):
    graph, ttig = (os.path.join(directory, name) for name in ("graph.json", "graph.ttig"))
    with open(graph, "w", encoding="utf-8") as file:
        json.dump(document, file)
    run([firma, "graph", "-q", "--force", graph, "-o", ttig], directory)
    mapped = json.loads(run([firma, "map", ttig, "--platform", platform, "--json"], directory)[0])
    return {mapping["mapper"]: mapping["predicted_s"] for mapping in mapped["mappings"]}


def cases(quick):
    sizes = ((6, SMALL), (8, SMALL), (16, LARGE)) if quick else ((6, SMALL), (8, SMALL), (12, LARGE), (16, LARGE), (32, LARGE))
    return itertools.product(range(1 if quick else 3), FAMILIES, (0.1, 1) if quick else (0.1, 0.3, 1, 3), NUMBERINGS, sizes)


def is_wanted(name, only):
    return any(text in name for text in only.split(","))


def tell(row):
    say(f"{row['family']}, {row['n']} tasks, ratio {row['ratio']:.2g}, {row['numbering']}: " +
        ", ".join(f"{mapper} {time:.4g}" for mapper, time in row["predicted_s"].items()))


def measure_random(firma, directory, quick, only):
    rows = []
    for repeat, family, ratio, numbering, (n, platform) in cases(quick):
        if not is_wanted(family, only):
            continue
        chance = random.Random(f"{family} {n} {repeat}")
        graph, order = Graph(n, chance), list(range(n))
        FAMILIES[family](graph)
        if numbering == "shuffled":
            chance.shuffle(order)
        times = judge(firma, directory, graph.document(ratio, order), platform)
        rows.append({"family": family, "ratio": ratio, "numbering": numbering, "n": n, "repeat": repeat,
                     "platform": platform, "predicted_s": times})
        tell(rows[-1])
    return rows


def ratio_of(directory):
    """The ratio of the last judged graph: the time of all messages between nodes, over all computation."""
    with open(os.path.join(directory, "graph.ttig"), encoding="utf-8") as file:
        ttig = json.load(file)
    messages_s = sum(edge["messages"] * mapping_traces.LATENCY_S + edge["bytes"] / mapping_traces.BYTES_PER_S
                     for edge in ttig["edges"])
    return messages_s / sum(node["computation_s"] for node in ttig["nodes"])


def measure_traced(firma, apps, directory, quick, only):
    rows = []
    for name, n, numbering, platform, document in mapping_traces.traced_graphs(
            firma, apps, directory, (4,) if quick else (4, 8, 16), lambda name: is_wanted(name, only)):
        times = judge(firma, directory, document, platform)
        rows.append({"family": name, "ratio": ratio_of(directory), "numbering": numbering, "n": n, "platform": platform,
                     "predicted_s": times})
        tell(rows[-1])
    return rows


def to_best(rows, mapper):
    """Geometric mean of the mapper's times over the best of all."""
    ratios = [row["predicted_s"][mapper] / min(row["predicted_s"].values()) for row in rows if mapper in row["predicted_s"]]
    return f"{statistics.geometric_mean(ratios):.3f}" if ratios else "–"


def ratios_of(group):
    ratios = [row["ratio"] for row in group]
    least, most = (f"{float(f'{ratio:.2g}'):g}" for ratio in (min(ratios), max(ratios)))
    return least if least == most else f"{least} to {most}"


def against_best(rows, mappers, keys):
    groups = collections.defaultdict(list)
    for row in rows:
        groups[tuple(row[key] for key in keys)].append(row)
    table = [[group[0]["family"], group[0]["numbering"], ratios_of(group), str(len(group)),
              *(to_best(group, mapper) for mapper in mappers)] for group in groups.values()]
    table.append(["all", "", "", str(len(rows)), *(to_best(rows, mapper) for mapper in mappers)])
    print_table(["family", "numbered", "messages : computation", "graphs", *mappers], table)


def against_each(rows, mappers):
    table = []
    for mapper in mappers:
        gains = [1 - row["predicted_s"]["search"] / row["predicted_s"][mapper] for row in rows if mapper in row["predicted_s"]]
        better = [gain for gain in gains if gain >= LEAST_GAIN]
        worse = sum(gain < -1e-9 for gain in gains)
        table.append([mapper, f"{100 * len(better) / len(gains):.0f} %",
                      f"{100 * statistics.median(better):.1f} %" if better else "–", f"{100 * max(gains):.1f} %", str(worse)])
    print_table(["search against", "better by 1 % at least", "then, median", "at most", "worse in"], table)


def from_optimum(rows, mappers):
    known = [row for row in rows if "exhaustive" in row["predicted_s"]]
    table = []
    for mapper in mappers:
        distances = [row["predicted_s"][mapper] / row["predicted_s"]["exhaustive"] - 1 for row in known]
        table.append([mapper, f"{100 * sum(d < 1e-9 for d in distances) / len(known):.0f} %",
                      f"{100 * statistics.mean(distances):.2f} %", f"{100 * max(distances):.1f} %"])
    print(f"\n{len(known)} of the graphs of up to 8 tasks have their optimum found by exhaustive search.\n")
    print_table(["mapping", "is optimal", "from the optimum, mean", "at most"], table)


def report(rows, title, keys):
    mappers = [mapper for mapper in ("search", "grow", "ttig", "list", "scotch", "round-robin", "block")
               if any(mapper in row["predicted_s"] for row in rows)]
    print(f"\n{title}\n")
    against_best(rows, mappers, keys)
    print()
    against_each(rows, [mapper for mapper in mappers if mapper != "search"])
    if any("exhaustive" in row["predicted_s"] for row in rows):
        from_optimum(rows, mappers)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    add_common_arguments(parser, "mapping.json")
    arguments = parser.parse_args()
    firma = os.path.abspath(arguments.firma)
    with tempfile.TemporaryDirectory() as directory:
        made = measure_random(firma, directory, arguments.quick, arguments.only)
        traced = measure_traced(firma, arguments.apps, directory, arguments.quick, arguments.only)
    save(arguments.output, {"random": made, "traced": traced})
    if made:
        report(made, "Random graphs.", ("family", "numbering", "ratio"))
    if traced:
        report(traced, "Graphs of traced programs.", ("family", "numbering"))


if __name__ == "__main__":
    main()
