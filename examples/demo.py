#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The main job on real programs: trace each once, with one rank a core; predict it, from a signature run each, for one
rank a core and for both ranks on one core; run it in full; and compare. `make demo` runs this."""

import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys

MELT = """# 3d Lennard-Jones melt
units lj
atom_style atomic
lattice fcc 0.8442
region box block 0 20 0 20 0 20
create_box 1 box
create_atoms 1 box
mass 1 1.0
velocity all create 3.0 87287 loop geom
pair_style lj/cut 2.5
pair_coeff 1 1 1.0 1.0 2.5
neighbor 0.3 bin
neigh_modify every 20 delay 0 check no
fix 1 all nve
thermo 100
run 1500
"""

LAUNCH = ["mpirun", "--oversubscribe", "-n", "2"] + (["--allow-run-as-root"] if os.geteuid() == 0 else [])
ONE_RANK_A_CORE = LAUNCH + ["--bind-to", "core"]
# Ranks that share a core must give it up while they wait.
BOTH_ON_ONE_CORE = ["taskset", "-c", "0"] + LAUNCH + ["--bind-to", "none", "--mca", "mpi_yield_when_idle", "1"]
CONFIGURATIONS = [("one rank a core", ONE_RANK_A_CORE), ("both ranks on one core", BOTH_ON_ONE_CORE)]


def firma(tool, *words, **more):
    """Runs a verb of firma; what it prints with --json as an object."""
    command = [str(tool), *map(str, words)]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, **more)
    if done.returncode != 0:
        sys.exit(f"demo: `{' '.join(command)}` ended with status {done.returncode}")
    return json.loads(done.stdout)


def study(tool, folder, name, program):
    """Predicted and actual run times of a program, one row a configuration."""
    print(f"{name}: {' '.join(program)}", flush=True)
    trace, signature = folder / f"{name}.trace", folder / f"{name}.firma"
    with open(folder / f"{name}.log", "w") as log:
        print("  tracing it once, one rank a core …", flush=True)
        firma(tool, "trace", "--json", "-o", trace, "--", *ONE_RANK_A_CORE, *program, stderr=log, cwd=folder)
        phases = firma(tool, "phases", "--json", trace, "-o", signature, stderr=log)
        print(f"  {len(phases['phases'])} phases, of which {sum(p['relevant'] for p in phases['phases'])} are relevant", flush=True)
        for number, (configuration, launcher) in enumerate(CONFIGURATIONS):
            print(f"  {configuration}: executing the signature …", end="", flush=True)
            times = folder / f"{name}.{number}.json"
            firma(tool, "measure", "--json", signature, "-o", times, "--", *launcher, *program, stderr=log, cwd=folder)
            predicted = firma(tool, "predict", "--json", signature, times, stderr=log)
            print(f" {predicted['signature_s']:.2f} s; running in full …", end="", flush=True)
            full = firma(tool, "trace", "--json", "-o", folder / f"{name}.{number}.trace", "--", *launcher, *program,
                         stderr=log, cwd=folder)
            error = 100 * (predicted["predicted_s"] - full["application_s"]) / full["application_s"]
            print(f" {full['application_s']:.2f} s; predicted {predicted['predicted_s']:.2f} s: {error:+.1f} %", flush=True)
            yield name, configuration, predicted, full["application_s"]


def show(rows):
    print()
    print(f"{'program':<8} {'configuration':<24} {'predicted':>11}  {'95 % interval':<17} {'measured':>10} {'error':>8}   {'cost of predicting':>18}")
    for name, configuration, predicted, actual_s in rows:
        low, high = predicted["interval_s"]
        error = 100 * (predicted["predicted_s"] - actual_s) / actual_s
        print(f"{name:<8} {configuration:<24} {predicted['predicted_s']:>9.2f} s  {f'{low:.2f} … {high:.2f} s':<17} {actual_s:>8.2f} s"
              f" {error:>+6.1f} %   {predicted['signature_s']:>7.2f} s = {100 * predicted['signature_s'] / actual_s:>4.1f} %")
    print("\n`predicted` comes from running a small first part of the program in that configuration; `measured` from running all of it.")
    print("This machine's speed drifts by some percent from minute to minute; more so where both ranks share a core.")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--firma", default="firma", help="the tool")
    parser.add_argument("--apps", required=True, type=pathlib.Path, help="folder of the example programs")
    parser.add_argument("--folder", default="demo", type=pathlib.Path, help="where the results go; emptied first")
    options = parser.parse_args()
    folder = options.folder.resolve()
    if folder.exists():
        shutil.rmtree(folder)
    folder.mkdir(parents=True)
    (folder / "in.melt").write_text(MELT)
    tool = shutil.which(options.firma) or options.firma
    programs = [("lammps", ["lmp", "-in", "in.melt", "-log", "none"]),
                ("cg", [str(options.apps.resolve() / "cg-openmpi"), "512", "25", "500"])]
    print("This takes two to five minutes.")
    rows = [row for name, program in programs for row in study(pathlib.Path(tool).resolve(), folder, name, program)]
    show(rows)
    print(f"\nTraces, signatures and times are in {os.path.relpath(folder)}; try `firma phases {os.path.relpath(folder)}/cg.trace`.")


if __name__ == "__main__":
    main()
