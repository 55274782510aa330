#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compares the messages that collectives become in `firma graph` with those that MPI libraries send. See README.md."""

import argparse
import glob
import json
import os
import re
import tempfile

from programs import MPIRUN, add_common_arguments, print_table, run, save, say

HERE = os.path.dirname(os.path.abspath(__file__))
OPERATIONS = ("barrier", "bcast", "reduce", "allreduce", "gather", "gatherv", "scatter", "scatterv", "allgather", "allgatherv",
              "alltoall", "alltoallv", "reduce_scatter", "reduce_scatter_block", "scan", "exscan")
SIZES = (8, 1024, 16384, 262144, 1048576)
MEMBERS = (3, 4, 7, 8, 16)
TIMES = 2
NODES, CORES = 4, 4
PLATFORM = """<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1"><zone id="world" routing="Full">
<cluster id="c" prefix="n" suffix="" radical="0-{last}" speed="1000000000f" core="{cores}" bw="125000000Bps" lat="25e-6s"
 loopback_bw="5e9Bps" loopback_lat="1e-6s" sharing_policy="SPLITDUPLEX"/></zone></platform>
"""


class OpenMpi:
    """Open MPI counts messages itself, those of its collectives too (component `monitoring`)."""
    name, rules = "Open MPI", "openmpi"

    def __init__(self, _options, directory):
        self.directory, self.without = directory, {}
        run(["mpicc.openmpi", "-O2", os.path.join(HERE, "collective_calls.c"), "-o", "calls-openmpi"], directory)

    def command(self, members, words):
        for name in glob.glob(os.path.join(self.directory, "counted.*.prof")):
            os.remove(name)
        return [*MPIRUN, "-n", str(members), "--mca", "mpi_yield_when_idle", "1",
                "--mca", "pml_monitoring_enable", "2", "--mca", "pml_monitoring_enable_output", "3", "--mca",
                "pml_monitoring_filename", os.path.join(self.directory, "counted"), "./calls-openmpi", *words]

    def sent(self):
        found = {}
        for name in glob.glob(os.path.join(self.directory, "counted.*.prof")):
            with open(name, encoding="utf-8") as file:
                for match in re.finditer(r"^I\t(\d+)\t(\d+)\t(\d+) bytes\t(\d+) msgs", file.read(), re.M):
                    sender, receiver, size, count = map(int, match.groups())
                    found[sender, receiver] = (count, size)
        return found


class Smpi:
    """SMPI's own trace has an arrow for each message, those of its collectives too."""
    def __init__(self, options, directory, selector, rules):
        self.directory, self.selector, self.rules, self.without = directory, selector, rules, {}
        self.name = f"SMPI, {selector}"
        recorder = os.path.join(os.path.abspath(options.build), "src", "trace", "recorder", "libfirma-smpi.a")
        run(["smpicc", "-O2", os.path.join(HERE, "collective_calls.c"), "-Wl,--whole-archive", recorder, "-Wl,--no-whole-archive",
             "-o", "calls-smpi"], directory)
        with open(os.path.join(directory, "platform.xml"), "w", encoding="utf-8") as file:
            file.write(PLATFORM.format(last=NODES - 1, cores=CORES))
        with open(os.path.join(directory, "hosts"), "w", encoding="utf-8") as file:
            file.writelines(f"n{i // CORES}\n" for i in range(NODES * CORES))

    def command(self, members, words):
        return ["smpirun", "-np", str(members), "-platform", "platform.xml", "-hostfile", "hosts", "-trace", "-trace-file", "arrows",
                "--cfg=tracing/smpi/internals:yes", "--cfg=tracing/smpi/display-sizes:yes", "--cfg=smpi/host-speed:1e9f",
                "--cfg=smpi/simulate-computation:no", f"--cfg=smpi/coll-selector:{self.selector}", "--log=root.thres:error",
                "./calls-smpi", *words]

    def sent(self):
        found = {}
        with open(os.path.join(self.directory, "arrows"), encoding="utf-8") as file:
            for match in re.finditer(r"^15 \S+ \d+ \d+ PTP \d+ (\d+)_(\d+)_\S+ (\d+)$", file.read(), re.M):
                sender, receiver, size = map(int, match.groups())
                count, volume = found.get((sender - 1, receiver - 1), (0, 0))
                found[sender - 1, receiver - 1] = (count + 1, volume + size)
        return found


def graph_of(options, library, members, words, directory):
    firma = os.path.abspath(options.firma)
    archive, graph = os.path.join(directory, "trace"), os.path.join(directory, "app.ttig")
    run([firma, "trace", "-q", "--force", "-o", archive, "--", *library.command(members, words)], directory)
    run([firma, "graph", "-q", "--force", "--collectives", library.rules, archive, "-o", graph], directory)
    with open(graph, encoding="utf-8") as file:
        edges = json.load(file)["edges"]
    return {(edge["from"], edge["to"]): (edge["messages"], edge["bytes"]) for edge in edges}


def difference(one, other):
    """What `one` has more than `other`: pairs, messages and bytes."""
    return {pair: (count - other.get(pair, (0, 0))[0], size - other.get(pair, (0, 0))[1])
            for pair, (count, size) in one.items() if (count, size) != other.get(pair, (0, 0))}


def agreement(graph, truth, which):
    """The part of messages (0) or bytes (1) that both have between the same pairs, of the greater of both sums."""
    pairs = set(graph) | set(truth)
    both = sum(min(graph.get(pair, (0, 0))[which], truth.get(pair, (0, 0))[which]) for pair in pairs)
    most = max(sum(values[which] for values in side.values()) for side in (graph, truth))
    return both / most if most else 1.0


def between_nodes(messages):
    return sum(size for (sender, receiver), (_, size) in messages.items() if sender // CORES != receiver // CORES)


def messages_of(options, library, members, words, directory):
    """Returns the messages of the graph, and those that were sent."""
    return graph_of(options, library, members, words, directory), library.sent()


def measure(options, library, operation, size, members, directory):
    words = (operation, str(size), str(TIMES), str(members - 1))
    if members not in library.without:
        library.without[members] = messages_of(options, library, members, ("barrier", "8", "0"), directory)
    both = messages_of(options, library, members, words, directory)
    graph, truth = (difference(one, other) for one, other in zip(both, library.without[members], strict=True))
    return {"library": library.name, "operation": operation, "bytes": size, "members": members,
            "messages_agree": agreement(graph, truth, 0), "bytes_agree": agreement(graph, truth, 1),
            "graph": [sum(values[i] for values in graph.values()) for i in (0, 1)],
            "sent": [sum(values[i] for values in truth.values()) for i in (0, 1)],
            "graph_between_nodes_bytes": between_nodes(graph), "sent_between_nodes_bytes": between_nodes(truth)}


def print_results(results):
    rows = []
    for library in dict.fromkeys(result["library"] for result in results):
        for operation in OPERATIONS:
            members = [result for result in results if (result["library"], result["operation"]) == (library, operation)]
            if not members:
                continue
            exact = sum(min(result["messages_agree"], result["bytes_agree"]) > 0.999 for result in members)
            mean = [sum(result[key] for result in members) / len(members) for key in ("messages_agree", "bytes_agree")]
            rows.append([library, operation, str(len(members)), str(exact), *(f"{100 * value:.0f} %" for value in mean)])
    print_table(["library", "operation", "cases", "exact", "messages that agree", "bytes that agree"], rows)
    for result in results:
        if min(result["messages_agree"], result["bytes_agree"]) <= 0.999:
            say(f"{result['library']} {result['operation']} {result['bytes']} B, {result['members']} members: graph {result['graph']}, "
                f"sent {result['sent']}, agree {result['messages_agree']:.2f} {result['bytes_agree']:.2f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    add_common_arguments(parser, "collective_graphs.json")
    parser.add_argument("--build", default=os.path.join(os.path.dirname(HERE), "build"), help="the build folder")
    parser.add_argument("--library", default="openmpi,default,ompi,mpich", help="openmpi, and SMPI's selectors")
    parser.add_argument("--operations", default=",".join(OPERATIONS))
    parser.add_argument("--sizes", default=",".join(map(str, SIZES)))
    parser.add_argument("--members", default=",".join(map(str, MEMBERS)))
    options = parser.parse_args()
    results = []
    with tempfile.TemporaryDirectory(prefix="firma-bench-") as directory:
        for name in options.library.split(","):
            rules = {"default": "smpi", "ompi": "openmpi", "mpich": "mpich"}.get(name)
            library = OpenMpi(options, directory) if name == "openmpi" else Smpi(options, directory, name, rules)
            for operation in options.operations.split(","):
                for members in map(int, options.members.split(",")):
                    for size in map(int, options.sizes.split(",")):
                        if operation == "barrier" and size != int(options.sizes.split(",")[0]):
                            continue
                        results.append(measure(options, library, operation, size, members, directory))
                say(f"{library.name}: {operation} done")
    print_results(results)
    save(options.output, {"results": results})


if __name__ == "__main__":
    main()
