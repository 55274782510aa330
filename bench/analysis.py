#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compares the cost of `firma phases` with that of only reading the archive with OTF2: interleaved runs on synthetic archives
of growing size. See README.md."""

import argparse
import json
import os
import shutil
import statistics
import tempfile

from programs import machine, machine_line, print_table, save, say, timed

PATTERNS = ("stencil", "sweep")


def measure(bench, firma, options, records, pattern, directory):
    ranks, repeats = options.ranks, options.repeat
    archive = os.path.join(directory, "archive")
    shutil.rmtree(archive, ignore_errors=True)
    timed([os.path.join(bench, "synthetic_archive"), archive, "--ranks", str(ranks), "--events", str(records),
           "--pattern", pattern])
    reads, analyses, peak_mb, floor = [], [], 0, {}
    for i in range(repeats + 1):
        read_s, _, out = timed([os.path.join(bench, "read_archive"), os.path.join(archive, "traces.otf2")])
        floor = json.loads(out)
        analysis_s, memory_mb, _ = timed([firma, "phases", "-q", "--force", archive, "-o", os.path.join(directory, "app.firma"),
                                            "--similarity", options.similarity,
                                            "--compute-tolerance", options.compute_tolerance])
        if i > 0:  # the first pair only brings the files into memory
            reads.append(read_s)
            analyses.append(analysis_s)
            peak_mb = max(peak_mb, memory_mb)
            say(f"{pattern}, {ranks} ranks, {floor['records']} records: read {read_s:.2f} s, phases {analysis_s:.2f} s")
    return {"pattern": pattern, "ranks": ranks, "records": floor["records"], "read_s": reads, "phases_s": analyses,
            "ratio": statistics.median(a / r for a, r in zip(analyses, reads)), "peak_mb": peak_mb}


def main():
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", default=os.path.join(root, "build"), help="the build folder")
    parser.add_argument("--ranks", type=int, default=64)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--similarity", default="phase", help="phase (by default) or block")
    parser.add_argument("--compute-tolerance", default="5", help="of blocks, in percent (5; the archives' times scatter by 25)")
    parser.add_argument("--quick", action="store_true", help="the small archives alone")
    parser.add_argument("-o", "--output", default="analysis.json", help="the numbers, as JSON (analysis.json)")
    options = parser.parse_args()
    facts = machine()
    sizes = (10**6,) if options.quick else (10**6, 10**7, 10**8)
    results = []
    with tempfile.TemporaryDirectory(prefix="firma-bench-") as directory:
        for pattern in PATTERNS:
            for records in sizes:
                results.append(measure(os.path.join(options.build, "bench"),
                                       os.path.join(options.build, "src/cli/firma"), options, records, pattern,
                                       directory))
    print(f"`firma phases` against reading alone, medians of {options.repeat} interleaved pairs; {machine_line(facts)}\n")
    print_table(["pattern", "ranks", "records", "only reading", "firma phases", "ratio", "ns a record", "peak memory"],
                [[r["pattern"], str(r["ranks"]), f"{r['records']:.2g}", f"{statistics.median(r['read_s']):.2f} s",
                  f"{statistics.median(r['phases_s']):.2f} s", f"**{r['ratio']:.2f}**",
                  f"{1e9 * statistics.median(r['phases_s']) / r['records']:.0f}", f"{r['peak_mb']:.0f} MB"]
                 for r in results])
    save(options.output, {"machine": facts, "results": results})


main()
