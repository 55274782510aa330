#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Tests whether `firma map` predicts the effect of a mapping. Programs are traced once in a simulated cluster (SimGrid's SMPI).
Several mappings are predicted, and each is run in this cluster. See README.md."""

import argparse
import json
import os
import random
import statistics
import sys
import tempfile

from programs import add_common_arguments, print_table, run, save, say

HERE = os.path.dirname(os.path.abspath(__file__))
APPS_DIRECTORY = os.path.join(os.path.dirname(HERE), "tests", "apps")
LEAST_GAIN = 0.01  # the threshold of `firma map`: a smaller gain counts as none
SPEED_FLOPS = 1e9
# Name: nodes, cores, latency and rate between nodes, latency and rate within a node.
CLUSTERS = {"slow": (4, 4, 50e-6, 125e6, 1e-6, 5e9), "fast": (4, 4, 5e-6, 1.25e9, 0.5e-6, 10e9)}
PLATFORM = """<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1"><zone id="world" routing="Full">
<cluster id="c" prefix="n" suffix="" radical="0-{last}" speed="{speed}f" core="{cores}" bw="{rate}Bps" lat="{half}s"
 loopback_bw="{inside_rate}Bps" loopback_lat="{inside}s" sharing_policy="SPLITDUPLEX"/></zone></platform>
"""
# Messages up to this size are sent at once. Longer ones are sent when the receiver waits for them.
EAGER_BYTES = 65536
SIMULATION = ("--cfg=smpi/simulate-computation:no", "--cfg=smpi/wtime:0", "--cfg=smpi/iprobe:1e-5",
              "--cfg=smpi/bw-factor:0:1", "--cfg=smpi/lat-factor:0:1", "--cfg=smpi/os:0:0:0", "--cfg=smpi/or:0:0:0",
              "--cfg=smpi/ois:0:0:0", "--cfg=network/TCP-gamma:0",
              f"--cfg=smpi/async-small-thresh:{EAGER_BYTES}", f"--cfg=smpi/send-is-detached-thresh:{EAGER_BYTES}",
              "--cfg=network/crosstraffic:0", f"--cfg=smpi/host-speed:{SPEED_FLOPS:.0f}f",
              "--log=root.thres:error")
PATTERNS = ("pairs", "ring", "grid", "pipeline", "tree", "groups")
ROUNDS, OPERATIONS = 40, 1e6
VOLUMES = (1000, 50_000, 500_000)  # below and above EAGER_BYTES (64 KiB)
# Programs that were used to develop the model. Others are held out.
APPS = (("anyhalo", (60, 100000)), ("migration", (60, 100000)), ("masterworker", (300, 20000)), ("stencil", (64, 100)))


HELD_OUT_KINDS = ("transpose", "redblack", "wavefront", "butterfly", "mesh")
HELD_OUT_APPS = (("cg", (512, 25, 2)), ("multigrid", (7, 10)), ("particles", (200, 4)))


def build(build_directory, source, name, directory):
    recorder = os.path.join(os.path.abspath(build_directory), "src", "trace", "recorder", "libfirma-smpi.a")
    program = os.path.join(directory, name)
    run(["smpicc", "-O2", "-DAPP_SIMULATED", "-I", APPS_DIRECTORY, source, "-Wl,--whole-archive", recorder, "-Wl,--no-whole-archive", "-lm",
         "-o", program], directory)
    return program


def cases(options, source, kinds, apps):
    """Yields name, program and arguments: kinds of a program of this folder, and programs of tests/apps."""
    for kind in kinds:
        for volume in VOLUMES[1:2] if options.quick else VOLUMES:
            yield f"{kind}, {volume:,} B", os.path.join(HERE, source + ".c"), (kind, ROUNDS, OPERATIONS, volume)
    for name, arguments in apps[:1] if options.quick else apps:
        yield name, os.path.join(APPS_DIRECTORY, name + ".c"), arguments


def all_cases(options, directory):
    """Yields whether the case is held out, its name, program and arguments."""
    programs = {}
    sets = (cases(options, "mapping_patterns", PATTERNS, APPS),
            cases(options, "mapping_heldout", HELD_OUT_KINDS, HELD_OUT_APPS))
    for held_out, one_set in enumerate(sets):
        for name, source, arguments in one_set:
            if not any(text in name for text in options.only.split(",")):
                continue
            if source not in programs:
                programs[source] = build(options.build, source, os.path.basename(source)[:-2], directory)
            yield bool(held_out), name, programs[source], arguments


class Cluster:
    def __init__(self, name, directory, collectives):
        self.name, self.directory, self.collectives = name, directory, collectives
        self.nodes, self.cores, latency, rate, inside, inside_rate = CLUSTERS[name]
        # The latency of a route in a cluster is the sum of both nodes' links.
        self.text = f"{self.nodes}x{self.cores}:{latency}s,{rate}B/s:{inside}s,{inside_rate}B/s"
        with open(os.path.join(directory, name + ".xml"), "w", encoding="utf-8") as file:
            file.write(PLATFORM.format(last=self.nodes - 1, speed=SPEED_FLOPS, cores=self.cores, rate=rate,
                                       half=latency / 2, inside_rate=inside_rate, inside=inside))

    @property
    def ranks(self):
        return self.nodes * self.cores

    def command(self, processors, program, arguments):
        hosts = os.path.join(self.directory, "hosts")
        with open(hosts, "w", encoding="utf-8") as file:
            file.writelines(f"n{processor // self.cores}\n" for processor in processors)
        return ["smpirun", "-np", str(self.ranks), "-platform", self.name + ".xml", "-hostfile", hosts, *SIMULATION,
                f"--cfg=smpi/coll-selector:{self.collectives}", program, *map(str, arguments)]


def time_of(output):
    for line in output.splitlines():
        if line.startswith("time_s "):
            return float(line.split()[1])
    sys.exit(f"the program told no time:\n{output[-1000:]}")


def processors_of(mapping, cores):
    return [int(place["node"][1:]) * cores + place["core"] for place in mapping["places"]]


def predict(firma, graph, cluster, directory, *words):
    return json.loads(run([firma, "map", graph, "--platform", cluster.text, "--json", *words], directory)[0])["mappings"]


def mappings_of(firma, graph, cluster, directory, n_random):
    """Returns {name: (predicted seconds, processors)} of firma's mappers, and of random mappings."""
    found = {}
    for mapping in predict(firma, graph, cluster, directory):
        found[mapping["mapper"]] = (mapping["predicted_s"], processors_of(mapping, cluster.cores))
    chance = random.Random(1)
    for i in range(n_random):
        processors = chance.sample(range(cluster.ranks), cluster.ranks)
        given = predict(firma, graph, cluster, directory, "--given", ",".join(map(str, processors)))
        predicted_s = next(mapping["predicted_s"] for mapping in given if mapping["mapper"] == "given")
        found[f"random {i + 1}"] = (predicted_s, processors)
    return found


def measure(options, cluster, name, program, arguments, directory):
    """Returns the predicted and the actual time of each mapping of a program on a cluster, relative to the default."""
    firma = os.path.abspath(options.firma)
    archive, graph = os.path.join(directory, "trace"), os.path.join(directory, "app.ttig")
    block = list(range(cluster.ranks))
    run([firma, "trace", "-q", "--force", "-o", archive, "--", *cluster.command(block, program, arguments)], directory)
    run([firma, "graph", "-q", "--force", archive, "-o", graph], directory)
    found = mappings_of(firma, graph, cluster, directory, options.random)
    usual_s, usual = found["block"][0], time_of(run(cluster.command(block, program, arguments), directory)[0])
    results, simulated = [], {tuple(block): usual}
    for mapper, (predicted_s, processors) in found.items():
        if mapper == "block":
            continue
        if tuple(processors) not in simulated:
            simulated[tuple(processors)] = time_of(run(cluster.command(processors, program, arguments), directory)[0])
        results.append({"cluster": cluster.name, "program": name, "mapper": mapper, "processors": processors,
                        "default_predicted_s": usual_s, "predicted_s": predicted_s,
                        "default_s": usual, "actual_s": simulated[tuple(processors)]})
    return results


def gains(result):
    return (1 - result["predicted_s"] / result["default_predicted_s"], 1 - result["actual_s"] / result["default_s"])


def share_right(pairs, which):
    """Counts the pairs whose predicted (0) or actual (1) gain exceeds the threshold, and those where both signs agree."""
    beyond = [pair for pair in pairs if abs(pair[which]) >= LEAST_GAIN]
    right = sum(pair[0] * pair[1] > 0 for pair in beyond)
    return [str(len(beyond)), f"{100 * right / len(beyond):.0f} %" if beyond else "-"]


def summary(results):
    if not results:
        return ["0", *"------"]
    pairs = [gains(result) for result in results]
    opposite = sum(predicted * actual < 0 and min(abs(predicted), abs(actual)) >= LEAST_GAIN
                   for predicted, actual in pairs)
    error = statistics.median(abs(predicted - actual) for predicted, actual in pairs)
    return [str(len(pairs)), *share_right(pairs, 0), *share_right(pairs, 1), str(opposite), f"{100 * error:.1f} %"]


HEADER = ["mappings", "predicted to differ", "sign right", "do differ", "sign right", "opposite",
          "median error of the gain"]


def print_results(results):
    groups = {}
    for result in results:
        groups.setdefault((result["cluster"], result["program"]), []).append(result)
    rows = []
    for (cluster, program), members in groups.items():
        best = next(member for member in members if member["mapper"] == "search")
        predicted, actual = gains(best)
        absolute = best["default_predicted_s"] / best["default_s"] - 1
        rows.append([cluster, program, *summary(members), f"{100 * predicted:.1f} %", f"{100 * actual:.1f} %",
                     f"{100 * absolute:+.1f} %"])
    print_table(["cluster", "program", *HEADER, "best mapping: predicted gain", "actual", "error of the default's time"],
                rows)


def print_summary(results):
    rows = []
    for label, members in (("looked at", [result for result in results if not result["held_out"]]),
                           ("held out", [result for result in results if result["held_out"]])):
        for cluster in CLUSTERS:
            rows.append([label, cluster, *summary([result for result in members if result["cluster"] == cluster])])
        rows.append([label, "all", *summary(members)])
    print_table(["programs", "cluster", *HEADER], rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    add_common_arguments(parser, "mapping_effect.json")
    parser.add_argument("--build", default=os.path.join(os.path.dirname(HERE), "build"), help="the build folder")
    parser.add_argument("--random", type=int, default=3, metavar="N", help="random mappings of each program (3)")
    parser.add_argument("--collectives", default="default", metavar="LIBRARY",
                        help="whose algorithms the simulated collectives are: default (SimGrid's own), mpich, ompi …")
    options = parser.parse_args()
    results = []
    with tempfile.TemporaryDirectory(prefix="firma-bench-") as directory:
        clusters = [Cluster(name, directory, options.collectives) for name in CLUSTERS]
        for held_out, name, program, arguments in all_cases(options, directory):
            for cluster in clusters:
                say(f"{name}, cluster {cluster.name}")
                found = measure(options, cluster, name, program, arguments, directory)
                results.extend({**result, "held_out": held_out} for result in found)
    print_results(results)
    print()
    print_summary(results)
    save(options.output, {"results": results})


if __name__ == "__main__":
    main()
