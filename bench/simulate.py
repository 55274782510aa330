#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Tests `firma simulate`: programs are traced on one simulated cluster (SimGrid's SMPI), their times on four others are
predicted from the traces, and compared with runs of the programs there. See README.md."""

import argparse
import collections
import concurrent.futures
import json
import os
import statistics
import sys

from mapping_cases import APPS_DIRECTORY, EAGER_BYTES, HERE, SPEED_FLOPS
from mapping_runs import Runs
from programs import add_common_arguments, print_table, run, save, say, timed

HEAD = """<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1"><zone id="world" routing="Full">
{zones}
</zone></platform>
"""
CLUSTER = """<cluster id="{name}" prefix="n" suffix="" radical="{first}-{last}" speed="{speed}f" bw="{rate}Bps" lat="{latency}s"
 loopback_bw="5e9Bps" loopback_lat="1e-6s" sharing_policy="SPLITDUPLEX"{more}/>"""
JOINED = """<link id="between" bandwidth="{rate}Bps" latency="{latency}s" sharing_policy="SPLITDUPLEX"/>
<zoneRoute src="a" dst="b" gw_src="na_router" gw_dst="nb_router"><link_ctn id="between" direction="UP"/></zoneRoute>"""


def cluster(name, first, last, speed=1.0, rate=125e6, latency=25e-6, more=""):
    return CLUSTER.format(name=name, first=first, last=last, speed=speed * SPEED_FLOPS, rate=rate, latency=latency,
                          more=more)


def joined(n, between_rate, between_latency, **second):
    """Two halves with a link between them."""
    halves = [cluster("a", 0, n // 2 - 1, more=' router_id="na_router"'),
              cluster("b", n // 2, n - 1, more=' router_id="nb_router"', **second)]
    return "\n".join(halves + [JOINED.format(rate=between_rate, latency=between_latency)])


# Each makes the zones of a platform for n ranks, one on each host.
PLATFORMS = {
    "traced": lambda n: cluster("a", 0, n - 1),
    "flat": lambda n: cluster("a", 0, n - 1, rate=1.25e9, latency=5e-6),
    "fat tree": lambda n: cluster("a", 0, n - 1, rate=400e6, latency=5e-6,
                                  more=f' topology="FAT_TREE" topo_parameters="2;4,{n // 4};1,2;1,1"'),
    "slow link": lambda n: joined(n, 50e6, 500e-6),
    "mixed": lambda n: joined(n, 250e6, 50e-6, speed=0.6, rate=60e6),
}
TARGETS = [name for name in PLATFORMS if name != "traced"]
SETTINGS = ("--cfg=smpi/simulate-computation:no", "--cfg=smpi/wtime:0", "--cfg=smpi/iprobe:1e-5",
            "--cfg=smpi/bw-factor:0:1", "--cfg=smpi/lat-factor:0:1", "--cfg=smpi/os:0:0:0", "--cfg=smpi/or:0:0:0",
            "--cfg=smpi/ois:0:0:0", f"--cfg=smpi/async-small-thresh:{EAGER_BYTES}",
            f"--cfg=smpi/send-is-detached-thresh:{EAGER_BYTES}", "--cfg=network/TCP-gamma:0",
            "--cfg=network/crosstraffic:0", f"--cfg=smpi/host-speed:{SPEED_FLOPS:.0f}f",
            "--cfg=smpi/coll-selector:default", "--log=root.thres:error")

Machine = collections.namedtuple("Machine", "name ranks cores platform settings")
Case = collections.namedtuple("Case", "set program source arguments ranks cluster")

# Program, kernel, ranks, bytes; computations differ by up to 0.5 % (the last argument).
ROUNDS, OPERATIONS, NATURAL, JITTER = 200, 1e6, 0, 1
KERNELS = {
    "known": (("mapping_known", "summa", 16, 50_000), ("mapping_known", "halo3d", 64, 50_000),
              ("mapping_known", "sparse", 16, 1000), ("mapping_known", "reduction", 32, 50_000),
              ("mapping_known", "transpose", 16, 1000), ("mapping_known", "wavefront", 16, 50_000),
              ("mapping_known", "butterfly", 32, 500_000), ("mapping_patterns", "ring", 8, 500_000)),
    "fresh": (("mapping_fresh", "lu", 16, 50_000), ("mapping_fresh", "pencils", 64, 1000),
              ("mapping_fresh", "vcycle", 16, 50_000), ("mapping_fresh", "bitonic", 32, 500_000),
              ("mapping_fresh", "cannon", 16, 500_000), ("mapping_fresh", "systolic", 8, 50_000),
              ("mapping_fresh", "hotspot", 32, 1000), ("mapping_fresh", "puts", 16, 50_000)),
    "aside": (("mapping_fresh", "uneven", 16, 50_000), ("mapping_fresh", "servers", 20, 50_000),
              ("mapping_known", "dag", 16, 50_000), ("mapping_known", "redblack", 32, 50_000),
              ("mapping_known", "mesh", 16, 500_000), ("mapping_known", "queue", 16, 50_000))}
APPS = {"known": (("stencil.c", 16, (64, 400)), ("multigrid.c", 8, (6, 30)), ("heat.f90", 8, (200, 1000))),
        "fresh": (("cg.c", 16, (512, 25, 8)), ("particles.c", 8, (200, 40))),
        "aside": (("sweep.f90", 16, (64, 40, 20)), ("masterworker.c", 8, (300, 20000)), ("migration.c", 16, (60, 100000)))}


def machine(name, ranks):
    return Machine(name, ranks, 1, HEAD.format(zones=PLATFORMS[name](ranks)), SETTINGS)


def cases_of(name, only):
    for program, kernel, ranks, size in KERNELS[name]:
        yield Case(name, kernel, os.path.join(HERE, program + ".c"),
                   (kernel, ROUNDS, OPERATIONS, size, NATURAL, JITTER), ranks, machine("traced", ranks))
    for source, ranks, arguments in APPS[name]:
        yield Case(name, source.split(".")[0], os.path.join(APPS_DIRECTORY, source), arguments, ranks, machine("traced", ranks))


def predict(runs, trace, target, directory, *words):
    """Returns what firma says, and the CPU time that this takes, without SimGrid's."""
    path = os.path.join(directory, f"{target.name.replace(' ', '-')}-{target.ranks}.xml")
    with open(path, "w", encoding="utf-8") as file:
        file.write(target.platform)
    cost_s, _, out = timed([runs.firma, "simulate", trace, "--platform", path, "--no-sensitivity", "--json", *words])
    return json.loads(out), cost_s


def measure(runs, case, directory):
    """The case on each target: predicted by a sample and as a whole, and as the program runs there."""
    trace, results = runs.trace(case), []
    for name in TARGETS:
        target = machine(name, case.ranks)
        there = runs.trace(case._replace(cluster=target))
        actual_s = json.loads(run([runs.firma, "show", there, "--json"], directory)[0])["application_s"]
        try:
            sample, sample_s = predict(runs, trace, target, directory)
            whole, whole_s = predict(runs, trace, target, directory, "--whole")
        except SystemExit as refusal:
            results.append({"set": case.set, "program": case.program, "ranks": case.ranks, "platform": name,
                            "refused": str(refusal).strip().splitlines()[-2:]})
            say(f"{case.program}, {name}: refused")
            continue
        results.append({"set": case.set, "program": case.program, "ranks": case.ranks, "platform": name,
                        "actual_s": actual_s, "predicted_s": sample["predicted_s"], "whole_s": whole["predicted_s"],
                        "low_s": sample["low_s"], "high_s": sample["high_s"], "occurrences": sample["occurrences"],
                        "simulated": sample["simulated_occurrences"], "sample_cost_s": sample_s, "whole_cost_s": whole_s,
                        "traced_s": sample["traced_s"]})
        say(f"{case.program}, {name}: {actual_s:.4g} s, predicted {sample['predicted_s']:.4g} s")
    return results


def error(result, key="predicted_s", base="actual_s"):
    return result[key] / result[base] - 1


def report(results):
    done = [result for result in results if "refused" not in result]
    for name in KERNELS:
        rows = [(result["program"], str(result["ranks"]), result["platform"], f"{result['actual_s']:.4g}",
                 f"{100 * error(result):+.2f}", f"{100 * error(result, 'whole_s'):+.2f}",
                 f"{100 * error(result, 'predicted_s', 'whole_s'):+.2f}", f"{result['simulated']}/{result['occurrences']}")
                for result in done if result["set"] == name]
        if not rows:
            continue
        print(f"\n{name}:")
        print_table(("program", "ranks", "platform", "run, s", "error, %", "whole, %", "sample against whole, %",
                     "simulated"), rows)
        errors = [abs(error(result)) for result in done if result["set"] == name]
        samples = [abs(error(result, "predicted_s", "whole_s")) for result in done if result["set"] == name]
        print(f"error: mean {100 * statistics.mean(errors):.2f} %, largest {100 * max(errors):.2f} %, median "
              f"{100 * statistics.median(errors):.2f} %; over 5 %: {sum(e > 0.05 for e in errors)} of {len(errors)}")
        print(f"sample against whole: mean {100 * statistics.mean(samples):.2f} %, largest {100 * max(samples):.2f} %")
    for result in results:
        if "refused" in result:
            print(f"refused: {result['program']}, {result['platform']}: {' '.join(result['refused'])}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    add_common_arguments(parser, "simulate.json")
    parser.add_argument("--build", default=os.path.join(os.path.dirname(HERE), "build"), help="the build folder")
    parser.add_argument("--set", default="all", choices=[*KERNELS, "all"], help="which programs (all)")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="cases at the same time (2)")
    parser.add_argument("--cache", default="simulate.cache", metavar="FOLDER", help="keeps runs and traces (simulate.cache)")
    options = parser.parse_args()
    sets = list(KERNELS) if options.set == "all" else [options.set]
    cases = [case for name in sets for case in cases_of(name, options.only)
             if any(text in case.program for text in options.only.split(","))]
    if not cases:
        sys.exit(f"no such programs: {options.only}")
    runs = Runs(options.firma, options.build, options.cache)
    runs.build(sorted({case.source for case in cases}))
    os.makedirs(options.cache, exist_ok=True)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        results = [result for found in pool.map(lambda case: measure(runs, case, options.cache), cases) for result in found]
    save(options.output, {"results": results})
    report(results)


if __name__ == "__main__":
    main()
