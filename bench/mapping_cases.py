# SPDX-License-Identifier: BSD-3-Clause
"""What mapping_effect.py runs: simulated clusters, how their networks behave, and two sets of programs."""

import collections
import itertools
import json
import os

HERE = os.path.dirname(os.path.abspath(__file__))
APPS_DIRECTORY = os.path.join(os.path.dirname(HERE), "tests", "apps")
SPEED_FLOPS = 1e9
# Name: nodes, cores, latency and rate between nodes, latency and rate within a node.
CLUSTERS = {"slow": (4, 4, 50e-6, 125e6, 1e-6, 5e9), "fast": (4, 4, 5e-6, 1.25e9, 0.5e-6, 10e9),
            "wide": (8, 2, 20e-6, 400e6, 1e-6, 5e9)}
PLATFORM = """<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1"><zone id="world" routing="Full">
<cluster id="c" prefix="n" suffix="" radical="0-{last}" speed="{speed}f" core="{cores}" bw="{rate}Bps" lat="{half}s"
 loopback_bw="{inside_rate}Bps" loopback_lat="{inside}s" sharing_policy="SPLITDUPLEX"/></zone></platform>
"""
# Messages up to this size are sent at once. Longer ones are sent when the receiver waits for them.
EAGER_BYTES = 65536
# SimGrid's default factors of latency and rate, which were measured with Open MPI on TCP: (least bytes,
# factor of the latency, factor of the rate).
TCP_FACTORS = ((0, 2.01467, 0.812084), (257, 1.95341, 0.338112), (732, 1.9503, 0.341987), (1426, 1.61075, 0.608902),
               (3484, 1.88101, 0.77493), (5776, 2.18796, 1.08739), (9376, 2.59299, 0.58729), (15424, 3.48845, 0.697866),
               (65472, 11.6436, 0.940694))
NETWORKS = {"ideal": ((0, 1, 1),), "tcp": TCP_FACTORS}
# Settings that differ from SimGrid's. With "tcp", streams in the two directions of a link slow each other down, and
# a stream's rate is limited by the latency, as SimGrid does by default.
NETWORK_SETTINGS = {"ideal": ("--cfg=network/TCP-gamma:0", "--cfg=network/crosstraffic:0"), "tcp": ()}

ROUNDS, OPERATIONS = 25, 1e6
VOLUMES = (1000, 50_000, 500_000)  # below and above EAGER_BYTES
ORDERS = {"natural": 0, "shuffled": 1}
# Program, its kernels, and whether each runs with all sizes on all clusters. Otherwise each runs with one size on
# each cluster.
KERNELS = {
    "known": (("mapping_known", ("summa", "halo3d", "sparse", "queue", "reduction", "dag"), True),
              ("mapping_known", ("transpose", "redblack", "wavefront", "butterfly", "mesh"), False),
              ("mapping_patterns", ("pairs", "ring", "grid", "pipeline", "tree", "groups"), False)),
    "fresh": (("mapping_fresh", ("lu", "pencils", "vcycle", "bitonic", "uneven", "puts", "cannon", "systolic", "servers",
                                 "hotspot"), True),)}
# Programs of tests/apps, with their arguments.
APPS = {"known": (("anyhalo", (60, 100000)), ("migration", (60, 100000)), ("masterworker", (300, 20000)),
                  ("stencil", (64, 100)), ("cg", (512, 25, 2)), ("multigrid", (7, 10)), ("particles", (200, 4))),
        "fresh": ()}
# Kernels whose simulation is timed, because their tasks consist of one loop each.
TIMED = {"known": ("summa", "halo3d", "reduction"), "fresh": ("pencils", "servers", "systolic")}

Case = collections.namedtuple("Case", "set program source arguments bytes order cluster")


def label(case):
    details = f", {case.bytes:,} B, {case.order}" if case.bytes else ""
    return f"{case.program}{details}, cluster {case.cluster.name}"


def takes_jitter(case):
    return case.bytes > 0


class Cluster:
    """A simulated cluster. `network` tells how long messages take, and which library's collectives are simulated."""

    def __init__(self, name, network, collectives):
        self.name, self.network = name, network
        self.nodes, self.cores, self.latency, self.rate, self.inside, self.inside_rate = CLUSTERS[name]
        # The latency of a route in a cluster is the sum of both nodes' links.
        self.platform = PLATFORM.format(last=self.nodes - 1, speed=SPEED_FLOPS, cores=self.cores, rate=self.rate,
                                        half=self.latency / 2, inside_rate=self.inside_rate, inside=self.inside)
        bandwidths, latencies = (";".join(f"{segment[0]}:{segment[i]}" for segment in NETWORKS[network]) for i in (2, 1))
        self.settings = ("--cfg=smpi/simulate-computation:no", "--cfg=smpi/wtime:0", "--cfg=smpi/iprobe:1e-5",
                         f"--cfg=smpi/bw-factor:{bandwidths}", f"--cfg=smpi/lat-factor:{latencies}",
                         "--cfg=smpi/os:0:0:0", "--cfg=smpi/or:0:0:0", "--cfg=smpi/ois:0:0:0",
                         f"--cfg=smpi/async-small-thresh:{EAGER_BYTES}",
                         f"--cfg=smpi/send-is-detached-thresh:{EAGER_BYTES}", *NETWORK_SETTINGS[network],
                         f"--cfg=smpi/host-speed:{SPEED_FLOPS:.0f}f", f"--cfg=smpi/coll-selector:{collectives}",
                         "--log=root.thres:error")

    @property
    def ranks(self):
        return self.nodes * self.cores

    def machine_options(self, directory):
        """How `firma map` is told of the cluster. Nothing of it is fitted."""
        if self.network == "ideal":
            return ["--platform", f"{self.nodes}x{self.cores}:{self.latency}s,{self.rate}B/s:"
                                  f"{self.inside}s,{self.inside_rate}B/s"]
        path = os.path.join(directory, "machine.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(self.machine_model(), file)
        return ["--machine", path]

    def machine_model(self):
        """The cluster as firma's machine model, with a segment for each of the network's factors."""
        def exactly(value):
            return {"value": value, "low": value, "high": value}

        def path(from_host, to_host, latency_s, rate):
            segments = [{"from_bytes": from_bytes, "latency_s": exactly(latency_s * latency_factor),
                         "s_per_byte": exactly(1 / (rate * rate_factor)), "error": 0}
                        for from_bytes, latency_factor, rate_factor in NETWORKS[self.network]]
            return {"middleware": "openmpi", "transport": "tcp", "packing": "", "library": "SMPI", "from_host": from_host,
                    "to_host": to_host, "linear": True, "largest_error": 0, "largest_bytes": 2 * max(VOLUMES),
                    "segments": segments}

        hosts = range(self.nodes)
        paths = [path(0, 0, self.inside, self.inside_rate)]
        paths += [path(a, b, self.latency, self.rate) for a, b in itertools.combinations(hosts, 2)]
        return {"format": "firma machine", "version": 1, "date": "", "command": "",
                "hosts": [{"name": f"n{i}", "system": "", "processor": "", "cpus": self.cores} for i in hosts],
                "paths": paths, "collectives": []}


def kernel_cases(name, clusters):
    """With all sizes on all clusters, orders alternate, so that each size and each cluster has both."""
    for program, kernels, is_thorough in KERNELS[name]:
        for i, kernel in enumerate(kernels):
            for (s, size), (c, cluster) in itertools.product(enumerate(VOLUMES), enumerate(clusters)):
                if not is_thorough and (s + c + i) % len(VOLUMES):
                    continue
                order = "natural" if is_thorough and (s + c + i) % 2 else "shuffled"
                yield Case(name, kernel, os.path.join(HERE, program + ".c"),
                           (kernel, ROUNDS, OPERATIONS, size, ORDERS[order]), size, order, cluster)


def app_cases(name, clusters):
    for (program, arguments), cluster in itertools.product(APPS[name], clusters):
        yield Case(name, program, os.path.join(APPS_DIRECTORY, program + ".c"), arguments, 0, "as it is", cluster)


def cases_of(name, options):
    """The cases of a set. With --quick there is one cluster, and one size."""
    clusters = [Cluster(cluster, options.network, options.collectives) for cluster in CLUSTERS]
    for case in itertools.chain(kernel_cases(name, clusters), app_cases(name, clusters)):
        is_quick = case.cluster.name == "slow" and case.bytes in (0, VOLUMES[1])
        if any(text in case.program for text in options.only.split(",")) and (is_quick or not options.quick):
            yield case
