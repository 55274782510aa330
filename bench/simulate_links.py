#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Tests `firma simulate` on real networks: programs are traced between two hosts that a link joins, predicted on other links
that `firma comm` measured, and run there. Needs root. See README.md."""

import argparse
import collections
import itertools
import json
import math
import os
import re
import statistics
import subprocess
import sys

from programs import add_common_arguments, machine, machine_line, print_table, save, say

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "tests", "links"))
from hosts import Hosts, why_not  # noqa: E402

Link = collections.namedtuple("Link", "delay_us rate_mbps")
# Slow enough that the emulation's and MPI's own work on shared processors is short beside the messages.
TRACED = Link(500, 50)
LINKS = (TRACED, Link(2000, 50), Link(500, 12.5))
STEP = 1.25  # of delay and rate, down and up, for derivatives
STEPS = {"delay": (Link(TRACED.delay_us / STEP, TRACED.rate_mbps), Link(TRACED.delay_us * STEP, TRACED.rate_mbps)),
         "rate": (Link(TRACED.delay_us, TRACED.rate_mbps / STEP), Link(TRACED.delay_us, TRACED.rate_mbps * STEP))}
ALL_LINKS = LINKS + STEPS["delay"] + STEPS["rate"]
RANKS_A_HOST = 2
RUN_LIMIT_S = 120

# Program, kernel, bytes, rounds; applications with their arguments. They compute little, because the ranks share the
# processors of one machine.
KERNELS = {"known": (("mapping_known", "summa", 10_000, 300), ("mapping_known", "halo3d", 5000, 300),
                     ("mapping_known", "halo3d", 100_000, 15), ("mapping_known", "reduction", 10_000, 300),
                     ("mapping_known", "transpose", 5000, 300), ("mapping_known", "wavefront", 10_000, 300),
                     ("mapping_known", "butterfly", 5000, 300), ("mapping_patterns", "ring", 200_000, 20)),
           "aside": (("mapping_fresh", "lu", 10_000, 300), ("mapping_fresh", "pencils", 5000, 300),
                     ("mapping_fresh", "vcycle", 5000, 300), ("mapping_fresh", "cannon", 10_000, 300),
                     ("mapping_fresh", "bitonic", 100_000, 20), ("mapping_fresh", "systolic", 10_000, 300))}
APPS = {"known": (("heat", 400, 300), ("stencil", 256, 600)),
        "aside": (("adi", 64, 60), ("sweep", 32, 8, 20), ("cg", 64, 25, 8), ("multigrid", 6, 20))}
OPERATIONS, NATURAL, JITTER = 20_000, 0, 1


def programs_of(name, build, folder):
    """{name: command}. The kernels are compiled."""
    commands = {}
    for source, kernel, size, rounds in KERNELS[name]:
        binary = os.path.join(folder, source)
        if not os.path.exists(binary):
            sources = [os.path.join(HERE, f"{part}.c") for part in (source, "mapping_kernel")]
            subprocess.run(["mpicc.openmpi", "-O2", "-I", os.path.join(os.path.dirname(HERE), "tests", "apps"), "-o", binary,
                            *sources, "-lm"], check=True)
        commands[f"{kernel}-{size}"] = [binary, kernel, *map(str, (rounds, OPERATIONS, size, NATURAL, JITTER))]
    for app, *arguments in APPS[name]:
        commands[app] = [os.path.join(build, "tests", "apps", f"{app}-openmpi"), *map(str, arguments)]
    return commands


def launch(hosts, command):
    places = ",".join(f"{name}:{RANKS_A_HOST}" for name in hosts.names)
    return ["mpirun.openmpi", "--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "--host", places, "-n",
            str(RANKS_A_HOST * len(hosts.names)), "--mca", "plm_rsh_agent", hosts.agent, "--mca", "pml", "ob1", "--mca",
            "btl", "tcp,vader,self", "--mca", "mpi_yield_when_idle", "1",
            "--mca", "mpi_preconnect_mpi", "1",  # a first contact takes tens of milliseconds, which nobody predicts
            *command]


def on_hosts(hosts, command):
    done = subprocess.run(hosts.on(hosts.names[0]) + ["timeout", str(RUN_LIMIT_S), *command], stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(command)}: exit status {done.returncode}\n{done.stderr}")
    return done.stdout


def json_of(command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(command)}: exit status {done.returncode}\n{done.stderr}")
    return json.loads(done.stdout)


def measure_machine(firma, hosts, link, seconds, folder):
    path = os.path.join(folder, f"machine-{link.delay_us:g}us-{link.rate_mbps:g}Mbps.json")
    if not os.path.exists(path):
        results = path.replace(".json", ".comm")
        on_hosts(hosts, [firma, "comm", "-q", "--hosts", hosts.hosts_file(), "--agent", hosts.agent, "--time",
                         f"{seconds}s", "--only", "openmpi:tcp", "--operations", "pingpong", "--sizes", "1:256kx2", "-o",
                         results])
        os.rename(os.path.join(results, "machine.json"), path)
        say(f"{link.delay_us:g} us, {link.rate_mbps:g} Mbit/s: measured")
    return path


def run_all(firma, programs, options):
    """Runs all programs on all links, in turn. Returns {(program, link): times}, traces and machine models."""
    times, traces, machines = collections.defaultdict(list), {}, {}
    for repeat, link in itertools.product(range(options.repeat), ALL_LINKS):
        with Hosts(2, link.delay_us, link.rate_mbps) as hosts:
            if link in LINKS and not repeat:
                machines[link] = measure_machine(firma, hosts, link, options.seconds, options.folder)
            for name, command in programs.items():
                if link == TRACED and not repeat:
                    traces[name] = os.path.join(options.folder, f"{name}.trace")
                    on_hosts(hosts, [firma, "trace", "-q", "--force", "-o", traces[name], "--",
                                     *launch(hosts, command)])
                output = on_hosts(hosts, launch(hosts, command))
                times[name, link].append(float(re.search(r"^time_s +([\d.]+)", output, re.M)[1]))
        say(f"{link.delay_us:g} us, {link.rate_mbps:g} Mbit/s, repeat {repeat + 1}: {len(programs)} programs")
    return times, traces, machines


def predict(firma, trace, model, *words):
    return json_of([firma, "simulate", trace, "--machine", model, "--collectives", "openmpi", "--json", *words])


def noise(values):
    """Half of the range, relative to the median: what no prediction of one run can go below."""
    return (max(values) - min(values)) / 2 / statistics.median(values)


def compare(firma, times, traces, machines):
    """A row for each program and link, and one for each program and step."""
    rows, steps = [], []
    for name, trace in traces.items():
        found = {link: predict(firma, trace, machines[link], *([] if link == TRACED else ["--no-sensitivity"]))
                 for link in LINKS}
        real = {link: statistics.median(times[name, link]) for link in ALL_LINKS}
        for link in LINKS:
            predicted = found[link]
            rows.append({"program": name, "link": link, "real_s": real[link], "noise": noise(times[name, link]),
                         "predicted_s": predicted["predicted_s"], "low_s": predicted["low_s"], "high_s": predicted["high_s"],
                         "traced_s": predicted["traced_s"], "compute_share": predicted["compute_share"],
                         "ratio": real[link] / real[TRACED],
                         "predicted_ratio": predicted["predicted_s"] / found[TRACED]["predicted_s"]})
        for parameter, (less, more) in STEPS.items():
            elasticity = found[TRACED]["latency_elasticity" if parameter == "delay" else "bandwidth_elasticity"]
            step = 2 * math.log(STEP)
            if parameter == "delay":  # the model's latency has more parts than the delay
                rest_s = latency_of(machines[TRACED]) - TRACED.delay_us * 1e-6
                step = math.log((more.delay_us * 1e-6 + rest_s) / (less.delay_us * 1e-6 + rest_s))
            steps.append({"program": name, "parameter": parameter, "real": math.log(real[more] / real[less]) / step,
                          "predicted": elasticity,
                          "noise": math.hypot(noise(times[name, less]), noise(times[name, more])) / step})
    return rows, steps


def latency_of(path):
    with open(path, encoding="utf-8") as file:
        paths = json.load(file)["paths"]
    return next(path["segments"][0]["latency_s"]["value"] for path in paths if path["from_host"] != path["to_host"])


def error(row, predicted, real):
    return row[predicted] / row[real] - 1


def report(rows, steps):
    print_table(["program", "link", "run", "predicted", "error", "interval", "ratio", "error of the ratio", "runs differ"],
                [[row["program"], f"{row['link'].delay_us:g} µs, {row['link'].rate_mbps:g} Mbit/s", f"{row['real_s']:.3g} s",
                  f"{row['predicted_s']:.3g} s", f"**{100 * error(row, 'predicted_s', 'real_s'):+.1f} %**",
                  f"{row['low_s']:.3g} to {row['high_s']:.3g} s", f"{row['ratio']:.2f}",
                  "" if row["link"] == TRACED else f"**{100 * error(row, 'predicted_ratio', 'ratio'):+.1f} %**",
                  f"± {100 * row['noise']:.1f} %"] for row in rows])
    print()
    print_table(["program", "parameter", "elasticity of runs", "predicted", "error", "runs differ"],
                [[step["program"], step["parameter"], f"{step['real']:+.3f}", f"{step['predicted']:+.3f}",
                  f"**{100 * error(step, 'predicted', 'real'):+.0f} %**", f"± {step['noise']:.3f}"] for step in steps])
    errors = [error(row, "predicted_s", "real_s") for row in rows]
    ratios = [error(row, "predicted_ratio", "ratio") for row in rows if row["link"] != TRACED]
    clear = [step for step in steps if abs(step["real"]) > 4 * step["noise"]]
    derivatives = [abs(error(step, "predicted", "real")) for step in clear]
    print(f"\ntimes: bias {100 * statistics.mean(errors):+.1f} %, standard deviation {100 * statistics.stdev(errors):.1f} %, "
          f"within 8 %: {sum(abs(e) < 0.08 for e in errors)} of {len(errors)}, in the interval: "
          f"{sum(row['low_s'] <= row['real_s'] <= row['high_s'] for row in rows)}; runs differ by "
          f"{100 * statistics.median(row['noise'] for row in rows):.1f} % (median)")
    print(f"ratios: bias {100 * statistics.mean(ratios):+.1f} %, standard deviation {100 * statistics.stdev(ratios):.1f} %, "
          f"within 4 %: {sum(abs(e) < 0.04 for e in ratios)} of {len(ratios)}")
    print(f"derivatives above four times their noise: within 15 %: {sum(e < 0.15 for e in derivatives)} of {len(derivatives)}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    add_common_arguments(parser, "simulate_links.json")
    parser.add_argument("--set", default="known", choices=KERNELS, help="which programs (known)")
    parser.add_argument("--repeat", type=int, default=3, help="runs on each link (3)")
    parser.add_argument("--seconds", type=int, default=30, help="to measure each link (30)")
    parser.add_argument("--folder", default="simulate_links.cache", help="of traces and machine models; what is there is "
                        "measured no more (simulate_links.cache)")
    parser.add_argument("--again", action="store_true", help="run nothing: predict the runs of FOLDER")
    options = parser.parse_args()
    firma = os.path.abspath(options.firma)
    build = os.path.dirname(os.path.dirname(os.path.dirname(firma)))
    os.environ.setdefault("LINK", os.path.join(build, "tests", "links", "link"))
    if reason := why_not():
        sys.exit(reason)
    options.folder = os.path.abspath(options.folder)
    os.makedirs(options.folder, exist_ok=True)
    if options.quick:
        options.repeat, options.seconds = 1, 8
    runs = os.path.join(options.folder, f"{options.set}.json")
    programs = {name: command for name, command in programs_of(options.set, build, options.folder).items()
                if options.only in name}
    if options.again:
        with open(runs, encoding="utf-8") as file:
            kept = json.load(file)
        times = {(name, Link(*link)): values for name, link, values in kept["times"]}
        traces, machines = kept["traces"], {Link(*link): path for link, path in kept["machines"]}
    else:
        times, traces, machines = run_all(firma, programs, options)
        save(runs, {"times": [[name, link, values] for (name, link), values in times.items()], "traces": traces,
                    "machines": list(machines.items())})
    rows, steps = compare(firma, times, traces, machines)
    facts = machine()
    print(f"Two hosts with {RANKS_A_HOST} ranks each; {machine_line(facts)}\n")
    report(rows, steps)
    save(options.output, {"machine": facts, "runs": rows, "steps": steps})


if __name__ == "__main__":
    main()
