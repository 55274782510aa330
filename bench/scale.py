#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Measures how the time of `firma phases` grows with events, ranks, length and number of phases. One of them varies at a time,
around a middle value. Also measures the gain of a second process. See README.md."""

import argparse
import json
import math
import os
import shutil
import statistics
import tempfile
import time

from programs import add_archive_arguments, machine, machine_line, print_table, save, say, timed

MIDDLE = {"events": 3 * 10**6, "ranks": 64, "length": 16, "phases": 4}
SERIES = {"events": (10**6, 3 * 10**6, 10**7), "ranks": (64, 256, 1024), "length": (4, 16, 60),
          "phases": (1, 4, 64, 1000)}
FULL = {"events": (10**8,), "ranks": (4096, 16384), "length": (), "phases": (10**4,)}
# With these numbers, each rank has thousands of records, and each phase occurs repeatedly.
EVENTS = {"ranks": 10**7, "phases": 10**7}
FULL_EVENTS = {"ranks": 3 * 10**7, "phases": 10**8}
LAUNCHERS = {"Open MPI": ("mpirun.openmpi", "--allow-run-as-root", "--bind-to", "core"), "MPICH": ("mpirun.mpich",)}


class Bench:
    def __init__(self, build, directory, repeats):
        self.tools, self.firma = os.path.join(build, "bench"), os.path.join(build, "src/cli/firma")
        self.archive, self.signature = os.path.join(directory, "archive"), os.path.join(directory, "app.firma")
        self.repeats = repeats

    def make(self, events, ranks, length, phases):
        shutil.rmtree(self.archive, ignore_errors=True)
        _, _, out = timed([os.path.join(self.tools, "synthetic_archive"), self.archive, "--events", str(events),
                           "--ranks", str(ranks), "--pattern", "phases", "--length", str(length), "--phases",
                           str(phases)])
        return json.loads(out)["records"]

    def measure(self, shape):
        """Interleaved pairs of only reading and of the analysis. The first pair only brings the files into memory."""
        records = self.make(**shape)
        reads, analyses, peak_mb = [], [], 0
        for i in range(self.repeats + 1):
            read_s, _, _ = timed([os.path.join(self.tools, "read_archive"), os.path.join(self.archive, "traces.otf2")])
            analysis_s, memory_mb, out = timed([self.firma, "phases", "--json", "--force", self.archive, "-o", self.signature])
            if i > 0:
                reads.append(read_s)
                analyses.append(analysis_s)
                peak_mb = max(peak_mb, memory_mb)
        result = {**shape, "records": records, "read_s": reads, "phases_s": analyses, "peak_mb": peak_mb,
                  "found": len(json.loads(out)["phases"]),
                  "ratio": statistics.median(a / r for a, r in zip(analyses, reads))}
        say(f"{shape}: {1e9 * statistics.median(analyses) / records:.0f} ns a record, ratio {result['ratio']:.2f}")
        return result

    def wall_s(self, launcher):
        start = time.monotonic()
        timed([*launcher, self.firma, "phases", "-q", "--force", self.archive, "-o", self.signature])
        return time.monotonic() - start

    def measure_team(self, events):
        """Wall-clock times of one process and of two under each launcher, in turn; and of launching an empty program."""
        launchers = {name: [*words, "-n", "2"] for name, words in LAUNCHERS.items() if shutil.which(words[0])}
        self.make(**{**MIDDLE, "events": 10**4})
        launch_s = {name: statistics.median(self.wall_s(words) for _ in range(3)) for name, words in launchers.items()}
        records = self.make(**{**MIDDLE, "events": events})
        alone, together = [], {name: [] for name in launchers}
        for i in range(self.repeats + 1):
            for times, words in ((alone, []), *((together[name], launchers[name]) for name in launchers)):
                seconds = self.wall_s(words)
                if i > 0:
                    times.append(seconds)
        say(f"{records} records: alone {alone}, together {together}")
        return [{"mpi": name, "records": records, "alone_s": alone, "together_s": together[name],
                 "launch_s": launch_s[name],
                 "speed_up": statistics.median(a / t for a, t in zip(alone, together[name]))} for name in launchers]


def slope(results):
    """Slope of log time over log records; 1 means linear."""
    points = [(math.log(r["records"]), math.log(statistics.median(r["phases_s"]))) for r in results]
    mean_x, mean_y = (sum(values) / len(points) for values in zip(*points))
    return sum((x - mean_x) * (y - mean_y) for x, y in points) / sum((x - mean_x)**2 for x, _ in points)


def row(name, result):
    return [name, f"{result['records']:.2g}", str(result["ranks"]), str(result["length"] + 1), str(result["phases"]),
            f"{1e9 * statistics.median(result['phases_s']) / result['records']:.0f}", f"**{result['ratio']:.2f}**",
            f"{result['peak_mb']:.0f} MB"]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    add_archive_arguments(parser, "ends of the small series alone",
                          "up to 10^8 records, 16 384 ranks and 10^4 phases; 3 GB", "scale.json")
    options = parser.parse_args()
    facts, results = machine(), {}
    with tempfile.TemporaryDirectory(prefix="firma-bench-", dir=options.directory) as directory:
        bench = Bench(options.build, directory, options.repeat)
        for what, values in SERIES.items():
            chosen = values[::len(values) - 1] if options.quick else values
            events = EVENTS.get(what, MIDDLE["events"])
            results[what] = [bench.measure({**MIDDLE, "events": events, what: value}) for value in chosen]
            for value in FULL[what] if options.full else ():
                events = FULL_EVENTS.get(what, MIDDLE["events"])
                results[what].append(bench.measure({**MIDDLE, "events": events, what: value}))
        team = bench.measure_team(10**8 if options.full else 10**6 if options.quick else 10**7)
    print(f"`firma phases`, medians of {options.repeat} runs, processor time; {machine_line(facts)}\n")
    print_table(["varied", "records", "ranks", "ticks a phase", "phases", "ns a record", "times reading", "peak memory"],
                [row(what, result) for what, series in results.items() for result in series])
    print(f"\nTime grows with the number of records to the power of {slope(results['events']):.2f}.\n")
    print_table(["2 processes under", "records", "alone", "together", "of this, launching", "speed-up"],
                [[t["mpi"], f"{t['records']:.2g}", f"{statistics.median(t['alone_s']):.2f} s",
                  f"{statistics.median(t['together_s']):.2f} s", f"{t['launch_s']:.2f} s", f"**{t['speed_up']:.2f}**"]
                 for t in team])
    save(options.output, {"machine": facts, "slope": slope(results["events"]), "results": results, "team": team})


main()
