#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Tests whether `firma map` predicts the effect of a mapping. Programs are traced once in a simulated cluster (SimGrid's SMPI).
Several mappings are predicted, and each is run in this cluster. See README.md."""

import argparse
import concurrent.futures
import json
import os
import random
import sys
import tempfile

import mapping_figures
from mapping_cases import KERNELS, NETWORKS, TIMED, cases_of, label, takes_jitter
from mapping_runs import Runs, nodes_of
from programs import add_common_arguments, run, save, say, timed

HERE = os.path.dirname(os.path.abspath(__file__))
# Timed simulations run through a graph this many times.
LONGER, TIMINGS = 1000, 5
# Whose collectives firma takes for those of SMPI's selectors.
RULES = {"default": "smpi", "mpich": "mpich", "ompi": "openmpi"}


def processors_of(mapping, cores):
    return [int(place["node"][1:]) * cores + place["core"] for place in mapping["places"]]


class Predictions:
    """What `firma map` says of a case's mappings. Mappings are told apart by which ranks share a node."""

    def __init__(self, firma, case, graph, directory):
        self.firma, self.case, self.graph, self.directory = firma, case, graph, directory
        self.machine = case.cluster.machine_options(directory)
        self.mappings, self.default_s = {}, None
        document = self.map()
        for i, mapping in enumerate(document["mappings"]):
            is_default = mapping["mapper"] == document["default"]
            if is_default:
                self.default_s = mapping["predicted_s"]
            self.add(mapping, document["gain_expected"] and i == 0 and not is_default)

    def map(self, *words):
        return json.loads(run([self.firma, "map", self.graph, *self.machine, "--json", *words], self.directory)[0])

    def add(self, mapping, is_recommended=False, name=None):
        processors = processors_of(mapping, self.case.cluster.cores)
        kept = self.mappings.setdefault(tuple(nodes_of(processors, self.case.cluster)), {
            "mappers": [], "processors": processors, "recommended": False,
            **{field: mapping[field] for field in ("predicted_s", "gain", "gain_low", "gain_high")}})
        kept["mappers"].append(name or mapping["mapper"])
        kept["recommended"] |= is_recommended

    def add_random(self, n):
        chance = random.Random(1)
        for i in range(n):
            processors = chance.sample(range(self.case.cluster.ranks), self.case.cluster.ranks)
            given = self.map("--given", ",".join(map(str, processors)))["mappings"]
            self.add(next(mapping for mapping in given if mapping["mapper"] == "given"), name=f"random {i + 1}")


def predict(options, runs, case):
    """Returns the predictions, or what firma says where it refuses the program."""
    archive = runs.trace(case)
    try:
        with tempfile.TemporaryDirectory(prefix="firma-bench-") as directory:
            graph = os.path.join(directory, "app.ttig")
            run([runs.firma, "graph", "-q", "--collectives", RULES[options.collectives], archive, "-o", graph], directory)
            predictions = Predictions(runs.firma, case, graph, directory)
            predictions.add_random(options.random)
            return predictions, None
    except SystemExit as refusal:
        return None, str(refusal).strip().splitlines()


def measure(options, runs, case):
    """Returns each mapping of the case with its predicted and its actual time, and the default's; and how firma refused the
    program, or None."""
    predictions, refusal = predict(options, runs, case)
    facts = {"set": case.set, "program": case.program, "bytes": case.bytes, "order": case.order, "cluster": case.cluster.name}
    say(label(case) + (": refused" if refusal else ""))
    if refusal:
        return [], {**facts, "lines": refusal}
    facts.update(default_predicted_s=predictions.default_s, default_s=runs.time_s(case, list(range(case.cluster.ranks))))
    return [{**facts, **mapping, "actual_s": runs.time_s(case, mapping["processors"])}
            for mapping in predictions.mappings.values()], None


def measure_floor(runs, case):
    """How much two runs' times and gains differ, if their computations differ by up to 0.5 %. The other mapping deals ranks
    out to the nodes in turn."""
    usual = list(range(case.cluster.ranks))
    other = [rank % case.cluster.nodes * case.cluster.cores + rank // case.cluster.nodes for rank in usual]
    times_s = [[runs.time_s(case, mapping, jitter) for jitter in (0, 1)] for mapping in (usual, other)]
    return {"set": case.set, "program": case.program, "bytes": case.bytes, "order": case.order, "cluster": case.cluster.name,
            "default_s": times_s[0], "other_s": times_s[1]}


def steps_of(steps):
    """How many steps a task has, with its loops run through."""
    return sum(step["times"] * steps_of(step["body"]) if isinstance(step, dict) and "body" in step else 1 for step in steps)


def repeated(document, longer):
    """The same graph, run through so many times."""
    tasks = [{**task, "steps": [{"times": longer, "body": task["steps"]}]} for task in document["tasks"]]
    return {"format": document["format"], "version": document["version"], "tasks": tasks}


def time_rating(runs, case, document, directory):
    """Returns the steps of a graph, and the CPU time for rating the default and one more mapping."""
    graph, ttig = (os.path.join(directory, name) for name in ("app.json", "app.ttig"))
    with open(graph, "w", encoding="utf-8") as file:
        json.dump(document, file)
    run([runs.firma, "graph", "-q", "--force", graph, "-o", ttig], directory)
    turned = ",".join(str(rank) for rank in range(case.cluster.ranks - 1, -1, -1))
    words = [runs.firma, "map", ttig, *case.cluster.machine_options(directory), "--given", turned, "--json"]
    return sum(steps_of(task["steps"]) for task in document["tasks"]), min(timed(words)[0] for _ in range(TIMINGS))


def measure_speed(runs, case):
    """What one simulated step costs: a graph that is run through often against the same run through once."""
    with tempfile.TemporaryDirectory(prefix="firma-bench-") as directory:
        graph = os.path.join(directory, "traced.json")
        run([runs.firma, "graph", "-q", runs.trace(case), "--tfg", graph], directory)
        with open(graph, encoding="utf-8") as file:
            document = json.load(file)
        (few, short_s), (many, long_s) = (time_rating(runs, case, repeated(document, longer), directory)
                                          for longer in (1, LONGER))
    return {"set": case.set, "program": case.program, "steps": many, "step_s": (long_s - short_s) / (many - few) / 2}


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    add_common_arguments(parser, "mapping_effect.json")
    parser.add_argument("--build", default=os.path.join(os.path.dirname(HERE), "build"), help="the build folder")
    parser.add_argument("--set", default="all", choices=[*KERNELS, "all"], help="which programs (all)")
    parser.add_argument("--network", default="ideal", choices=list(NETWORKS), help="ideal: a message takes its latency and "
                        "its size over the rate; tcp: SimGrid's default factors (ideal)")
    parser.add_argument("--random", type=int, default=2, metavar="N", help="random mappings of each program (2)")
    parser.add_argument("--collectives", default="default", choices=list(RULES),
                        help="whose algorithms the simulated collectives are (default: SimGrid's own)")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="cases at the same time (2)")
    parser.add_argument("--cache", default="mapping_effect.cache", metavar="FOLDER",
                        help="keeps simulated runs and traces (mapping_effect.cache)")
    parser.add_argument("--worst", type=int, default=0, metavar="N", help="list the N mappings with the largest errors (0)")
    return parser.parse_args()


def main():
    options = parse_arguments()
    sets = list(KERNELS) if options.set == "all" else [options.set]
    cases = [case for name in sets for case in cases_of(name, options)]
    if not cases:
        sys.exit(f"no such programs: {options.only}")
    runs = Runs(options.firma, options.build, options.cache)
    runs.build(sorted({case.source for case in cases}))
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        measured = list(pool.map(lambda case: measure(options, runs, case), cases))
        # A quarter of the cases, of all sizes and clusters, shows the floor.
        floors = list(pool.map(lambda case: measure_floor(runs, case), [case for case in cases if takes_jitter(case)][::4]))
    results = [result for found, _ in measured for result in found]
    refusals = [refusal for _, refusal in measured if refusal]
    speeds = [measure_speed(runs, case) for case in cases
              if case.program in TIMED[case.set] and case.cluster.name == "slow" and case.bytes == 50_000]
    say(f"{runs.n_run} simulated runs; {runs.n_kept} were in {options.cache}")
    mapping_figures.print_all(results, refusals, floors, speeds)
    if options.worst:
        mapping_figures.print_worst(results, options.worst)
    save(options.output, {"results": results, "refusals": refusals, "floors": floors, "speeds": speeds})


if __name__ == "__main__":
    main()
