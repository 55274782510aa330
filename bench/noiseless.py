#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Measures the error of predictions without any noise. The runs are simulated (SimGrid's SMPI) with a fixed speed of the
processors, so each run of a program is the same, and all of the error is the method's. Each program is traced on platform A.
Its signature is executed as a prefix on A and on B, whose processors are twice as fast and whose network is ten times as
fast. A full run there is the truth. See README.md."""

import argparse
import json
import os
import statistics
import sys
import tempfile

from thesis import PLATFORMS, SIMULATION, build_program, run, write_platforms

HERE = os.path.dirname(os.path.abspath(__file__))
COMMUNICATIONS = ("halo", "reduce", "solve", "sweep", "transpose", "farm", "overlapped")
PROFILES = ("constant", "growing", "shrinking", "refined", "sawtooth", "wandering", "irregular", "rarely_long", "cold_start",
            "filling_disk", "unbalanced")
STEPS, OPERATIONS, BYTES = 600, 2_000_000, 20_000
# Programs of tests/apps: name, and arguments.
APPS = (("anyhalo", (400, 1000000)), ("masterworker", (600, 1000000)), ("cg", (512, 25, 10)), ("multigrid", (7, 60)),
        ("particles", (200, 60)))
RANKS = (4, 16)
ROUNDING = 0.0005  # without noise, intervals can have no width at all
HELD_OUT = 2  # a case is held out if the sum of its places in the lists above is odd


def cases(ranks_list):
    """Yields name, source, arguments, ranks, and whether the case is held out."""
    for ranks in ranks_list:
        for i, communication in enumerate(COMMUNICATIONS):
            for k, profile in enumerate(PROFILES):
                yield (f"{communication} {profile}", os.path.join(HERE, "workloads.c"),
                       (communication, profile, STEPS, OPERATIONS, BYTES), ranks, (i + k) % HELD_OUT == 1)
        for i, (name, arguments) in enumerate(APPS):
            yield name, os.path.join(os.path.dirname(HERE), "tests", "apps", name + ".c"), arguments, ranks, i % HELD_OUT == 1


class Simulated:
    """Runs of one program with some number of ranks."""

    def __init__(self, firma, program, arguments, ranks, directory):
        self.firma, self.directory = firma, directory
        self.words = (program, *map(str, arguments))
        self.ranks = str(ranks)

    def command(self, platform):
        return ["smpirun", "-np", self.ranks, "-platform", platform + ".xml", "-hostfile", platform + ".hosts", *SIMULATION,
                *self.words]

    def traced_s(self, platform):
        """Traces a full run. Returns its run time, and the archive."""
        archive = os.path.join(self.directory, f"full-{platform}.trace")
        found = json.loads(run([self.firma, "trace", "--json", "--force", "-o", archive, "--", *self.command(platform)],
                               cwd=self.directory))
        return found["application_s"], archive

    def predict(self, signature, platform):
        times = os.path.join(os.path.dirname(signature), f"times-{platform}.json")
        run([self.firma, "measure", "-q", "--force", "-o", times, signature, "--", *self.command(platform)],
            cwd=self.directory)
        return json.loads(run([self.firma, "predict", "--json", signature, times], cwd=self.directory))


def measure_case(firma, program, arguments, ranks, directory, kept):
    """Yields (platform, actual time, prediction). The signature and its times stay in the directory `kept`."""
    simulated = Simulated(firma, program, arguments, ranks, directory)
    actual_s, archive = simulated.traced_s("a")
    os.makedirs(kept, exist_ok=True)
    signature = os.path.join(kept, "app.firma")
    run([firma, "phases", "-q", "--force", archive, "-o", signature], cwd=directory)
    for platform in PLATFORMS:
        if platform != "a":
            actual_s, _ = simulated.traced_s(platform)
        yield platform, actual_s, simulated.predict(signature, platform)


def error_percent(row):
    return 100 * (row["predicted_s"] / row["actual_s"] - 1)


def save(path, rows):
    if path:
        with open(path, "w", encoding="utf-8") as file:
            json.dump(rows, file, indent=1)


def print_summary(name, rows):
    errors = [error_percent(row) for row in rows]
    if not errors:
        return
    holds = sum(row["interval_s"][0] <= row["actual_s"] * (1 + ROUNDING) and
                row["actual_s"] * (1 - ROUNDING) <= row["interval_s"][1] for row in rows)
    print(f"{name}: {len(rows)} predictions; mean |error| {statistics.mean(map(abs, errors)):.2f} %, "
          f"bias {statistics.mean(errors):+.2f} %, largest {max(errors, key=abs):+.1f} %, "
          f"{sum(abs(error) > 2 for error in errors)} over 2 %; intervals held {holds}, "
          f"half width {statistics.median(50 * (row['interval_s'][1] - row['interval_s'][0]) / row['predicted_s'] for row in rows):.1f} % (median)")


def print_results(rows, all_rows):
    print("| program | ranks | platform | predicted | actual | error | interval | δ |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for row in rows if all_rows else sorted(rows, key=lambda row: -abs(error_percent(row)))[:20]:
        low, high = row["interval_s"]
        print(f"| {row['program']} | {row['ranks']} | {row['platform']} | {row['predicted_s']:.3f} s | {row['actual_s']:.3f} s | "
              f"{error_percent(row):+.2f} % | {low:.3f} to {high:.3f} | {100 * row['stationarity']:+.1f} % |")
    print()
    for platform in PLATFORMS:
        for held_out in (False, True):
            print_summary(f"platform {platform.upper()}, {'held out' if held_out else 'looked at'}",
                          [row for row in rows if row["platform"] == platform and row["held_out"] == held_out])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", default="build", help="the build folder (build)")
    parser.add_argument("--ranks", default=",".join(map(str, RANKS)), help="numbers of ranks (4,16)")
    parser.add_argument("--only", default="", metavar="TEXT", help="programs whose name contains it")
    parser.add_argument("--kept-aside", action="store_true", help="the cases that are held out, too")
    parser.add_argument("--all", action="store_true", help="prints every case, not the 20 worst")
    parser.add_argument("--keep", metavar="DIR", help="where signatures and their times stay; they are removed otherwise")
    parser.add_argument("-o", "--output", metavar="FILE", help="every number, as JSON")
    options = parser.parse_args()
    build = os.path.abspath(options.build)
    firma = os.path.join(build, "src", "cli", "firma")
    rows, built = [], {}
    with tempfile.TemporaryDirectory(prefix="firma-bench-") as directory:
        write_platforms(directory)
        for name, source, arguments, ranks, held_out in cases([int(word) for word in options.ranks.split(",")]):
            if options.only not in name or (held_out and not options.kept_aside):
                continue
            if source not in built:
                built[source] = build_program(build, source, directory)
            print(f"{name}, {ranks} ranks", file=sys.stderr)
            kept = os.path.join(os.path.abspath(options.keep or directory), f"{name} {ranks}".replace(" ", "-"))
            for platform, actual_s, found in measure_case(firma, built[source], arguments, ranks, directory, kept):
                rows.append({"program": name, "ranks": ranks, "platform": platform, "held_out": held_out,
                             "actual_s": actual_s,
                             **{key: found[key] for key in ("predicted_s", "interval_s", "stationarity", "pace")}})
            save(options.output, rows)
    print_results(rows, options.all)


main()
