#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compares `firma report` with `firma phases` on large traces, and with only reading them: time, processor time, memory, and the
size of the page. See README.md."""

import argparse
import json
import os
import shutil
import statistics
import tempfile
import time

from programs import add_archive_arguments, machine, machine_line, print_table, save, say, timed

# Of each trace: ranks, records, pattern.
SMALL = ((256, 10**5, "phases"), (64, 10**6, "phases"))
MIDDLE = ((64, 10**7, "phases"), (1024, 10**7, "stencil"), (1024, 10**7, "phases"))
LARGE = ((64, 10**8, "phases"), (1024, 10**8, "stencil"))


class Bench:
    def __init__(self, build, directory, repeats):
        self.tools, self.firma = os.path.join(build, "bench"), os.path.join(build, "src/cli/firma")
        self.archive, self.repeats = os.path.join(directory, "archive"), repeats
        self.signature, self.page = os.path.join(directory, "app.firma"), os.path.join(directory, "report.html")

    def commands(self):
        return {"read": [os.path.join(self.tools, "read_archive"), os.path.join(self.archive, "traces.otf2")],
                "phases": [self.firma, "phases", "-q", "--force", self.archive, "-o", self.signature],
                "report": [self.firma, "report", "-q", "--force", self.archive, "-o", self.page]}

    def measure(self, ranks, events, pattern):
        """Interleaved runs. The first ones only bring the files into memory."""
        shutil.rmtree(self.archive, ignore_errors=True)
        _, _, out = timed([os.path.join(self.tools, "synthetic_archive"), self.archive, "--events", str(events), "--ranks",
                           str(ranks), "--pattern", pattern])
        result = {"ranks": ranks, "pattern": pattern, "records": json.loads(out)["records"]}
        runs = {name: [] for name in self.commands()}
        for i in range(self.repeats + 1):
            for name, command in self.commands().items():
                start = time.monotonic()
                processor_s, memory_mb, _ = timed(command)
                if i > 0:
                    runs[name].append({"s": time.monotonic() - start, "processor_s": processor_s, "memory_mb": memory_mb})
        result["runs"], result["page_bytes"] = runs, os.path.getsize(self.page)
        for key in ("s", "processor_s"):
            result[f"ratio_{key}"] = statistics.median(a[key] / b[key] for a, b in zip(runs["report"], runs["phases"]))
        say(f"{ranks} ranks, {result['records']} records: report takes {result['ratio_s']:.2f} × phases")
        return result


def row(result):
    runs = result["runs"]
    seconds = [f"{statistics.median(run[key] for run in runs[name]):.2f}"
               for name, key in (("read", "s"), ("phases", "s"), ("report", "s"), ("phases", "processor_s"), ("report", "processor_s"))]
    memory = [f"{max(run['memory_mb'] for run in runs[name]):.0f}" for name in ("phases", "report")]
    return [f"{result['records']:.2g}, {result['ranks']} ranks, {result['pattern']}", ", ".join(seconds[:3]),
            f"**{result['ratio_s']:.2f}**", ", ".join(seconds[3:]), f"{result['ratio_processor_s']:.2f}",
            ", ".join(memory) + " MB", f"{result['page_bytes'] / 1000:.0f} kB"]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    add_archive_arguments(parser, "small traces alone", "up to 10^8 records; 1.3 GB of disk", "report_large.json")
    options = parser.parse_args()
    facts = machine()
    with tempfile.TemporaryDirectory(prefix="firma-bench-", dir=options.directory) as directory:
        bench = Bench(options.build, directory, options.repeat)
        traces = SMALL if options.quick else MIDDLE + LARGE if options.full else MIDDLE
        results = [bench.measure(*trace) for trace in traces]
    print(f"`firma report`, medians of {options.repeat} runs; {machine_line(facts)}\n")
    print_table(["trace", "seconds: read, phases, report", "report / phases", "processor seconds: phases, report", "ratio",
                 "peak memory", "page"], [row(result) for result in results])
    save(options.output, {"machine": facts, "results": results})


main()
