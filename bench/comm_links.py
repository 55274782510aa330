#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compares firma comm with known values: links with known delay and rate, a rank that is late, another busy program, a clock
that is 5000 s ahead, and a link that isn't linear. Needs root. See README.md."""

import argparse
import contextlib
import json
import os
import statistics
import subprocess
import sys

from programs import add_common_arguments, machine, machine_line, print_table, save, say

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "tests", "links"))
from hosts import Hosts, exchange, why_not  # noqa: E402

LINKS = ((200, 100), (50, 1000), (1000, 10))  # microseconds, Mbit/s
CONFIGURATIONS = ("os:tcp", "openmpi:tcp", "mpich:tcp", "pvm:direct:raw", "pvm:daemon:raw")
PVM_LOGIN = {"PVM_ROOT": "/usr/lib/pvm3", "PVM_ARCH": "LINUX64", "PVM_ALLOW_ROOT": "1",
             "PVM_PATH": "/usr/bin:/usr/lib/pvm3/bin/LINUX64", "PVM_TMP": "$local"}
AHEAD_S = 5000
ALLOWED_US = 60  # what the emulation, and waking two processes, may add to delay and wire
HEADERS_AND_GAP = 90  # bytes of a frame besides its data: Ethernet, its gap, IP, TCP, a time stamp
LAUNCH_LIMIT_S = 60


def theory(rate_mbps):
    """Bytes a second of a TCP stream: 1448 of 1538 bytes on the wire are payload."""
    return rate_mbps * 1e6 / 8 * 1448 / 1538


def floor_us(delay_us, rate_mbps, n_bytes=1):
    return delay_us + (n_bytes + HEADERS_AND_GAP) * 8 / rate_mbps


# ---- firma comm ----

def comm(firma, hosts, seconds, *words):
    """Returns firma's document, or None with a note about the reason."""
    command = hosts.on("hosta") + [firma, "comm", "--json", "--hosts", hosts.hosts_file(), "--agent", hosts.agent,
                                   "--time", f"{seconds}s", *words]
    result = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=seconds + 120,
                            check=False)
    if result.returncode:
        say(f"left out: {result.stderr.strip()}")
        return None
    return json.loads(result.stdout)


def between_hosts(items):
    return next((item for item in items if item["from_host"] != item["to_host"]), None)


def measure_link(firma, delay_us, rate_mbps, configuration, seconds, most, shaper="link"):
    with Hosts(2, delay_us, rate_mbps, environment=PVM_LOGIN, shaper=shaper) as hosts:
        document = comm(firma, hosts, seconds, "--only", configuration, "--operations", "pingpong", "--sizes",
                        f"1:{most}x2", "--statistic", "min")
    return document and {"delay_us": delay_us, "rate_mbps": rate_mbps, "configuration": configuration,
                         "path": between_hosts(document["machine"]["paths"]),
                         "series": between_hosts(document["measurement"]["series"]),
                         "problems": document["measurement"]["problems"]}


def fit_row(found):
    path, rate_mbps = found["path"], found["rate_mbps"]
    label = [found["configuration"], f"{found['delay_us']} µs, {rate_mbps} Mbit/s"]
    if not path or not path["segments"]:
        return label + ["", "", "", "", "no path: " + "; ".join(item["message"] for item in found["problems"])]
    first, last = path["segments"][0], path["segments"][-1]
    least_us = floor_us(found["delay_us"], rate_mbps)
    alpha_us = first["latency_s"]["value"] * 1e6
    bandwidth = 1 / last["s_per_byte"]["value"] if last["s_per_byte"]["value"] > 0 else float("inf")
    is_within = least_us <= alpha_us <= least_us + ALLOWED_US
    return label + [f"{bandwidth / 1e6:.3f} MB/s", f"**{100 * (bandwidth / theory(rate_mbps) - 1):+.2f} %**",
                    f"{alpha_us:.1f} µs", f"{alpha_us - least_us:+.1f} µs, {'within' if is_within else 'outside'}",
                    f"{len(path['segments'])} segments, {100 * path['largest_error']:.1f} % at most"
                    + ("" if path["linear"] else ", not linear")]


def socket_row(delay_us, rate_mbps):
    """Measures the link with plain sockets, without firma."""
    large, larger = (1 << 18, 1 << 20) if rate_mbps <= 10 else (1 << 20, 1 << 22)
    with Hosts(2, delay_us, rate_mbps) as hosts:
        times = exchange(hosts, {1: 200, large: 3, larger: 3})
    bandwidth = (larger - large) / (times[larger] - times[large])
    beyond_us = times[1] * 1e6 - floor_us(delay_us, rate_mbps)
    return ["plain sockets", f"{delay_us} µs, {rate_mbps} Mbit/s", f"{bandwidth / 1e6:.3f} MB/s",
            f"**{100 * (bandwidth / theory(rate_mbps) - 1):+.2f} %**", f"{times[1] * 1e6:.1f} µs",
            f"{beyond_us:+.1f} µs, {'within' if 0 <= beyond_us <= ALLOWED_US else 'outside'}", "shortest times"]


# ---- workers, started directly in order to delay one rank ----

def launcher(mpi, hosts):
    if mpi == "openmpi":
        return ["mpirun.openmpi", "--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "-n", "2", "--host",
                "hosta:1,hostb:1", "--mca", "plm_rsh_agent", hosts.agent, "--mca", "pml", "ob1", "--mca", "btl",
                "tcp,self"]
    return ["mpirun.mpich", "-launcher", "rsh", "-launcher-exec", hosts.agent, "-hosts", "hosta,hostb", "-genv",
            "UCX_TLS", "tcp,self", "-n", "2"]


def work(hosts, build, mpi, request, late_rank=None, late_us=0):
    """Returns a worker's records, up to the one that says that it is done."""
    meddling = [] if late_rank is None else [
        "env", f"LD_PRELOAD={build}/bench/comm_late.so", f"LATE_RANK={late_rank}", f"LATE_US={late_us}",
        "LATE_LOOKS=20000"]
    command = [*launcher(mpi, hosts), *meddling, f"{build}/src/comm/worker/firma-comm-{mpi}", json.dumps(request)]
    records = []
    process = subprocess.Popen(hosts.on("hosta") + ["timeout", str(LAUNCH_LIMIT_S), *command],
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    for line in process.stdout:
        if line.startswith('{"record":'):
            records.append(json.loads(line))
            if records[-1]["record"] in ("done", "error"):
                break
    # MPICH doesn't always return from MPI_Finalize, and this program need not wait for that.
    try:
        process.wait(2)
    except subprocess.TimeoutExpired:
        process.terminate()
        process.wait()
    process.stdout.close()
    return records


def request_of(operations, sizes, seconds, method="window"):
    return {"transport": "mpi", "packing": "", "operations": operations, "sizes": sizes, "pairs": "root",
            "seconds": seconds, "target": 0.01, "least": 20, "most": 500, "warmup": 3,
            "cpus": sorted(os.sched_getaffinity(0))[:2], "method": method, "rotate_bytes": 0, "touch": True,
            "peers": []}


def samples_us(records, operation, size):
    return [sample * 1e6 for record in records if record["record"] == "samples" and record["operation"] == operation
            and record["bytes"] == size for sample in record["samples_s"]]


def median_us(records, operation, size):
    samples = samples_us(records, operation, size)
    late = sum(record.get("late", 0) for record in records if record["record"] == "samples"
               and record["operation"] == operation)
    return (statistics.median(samples) if samples else float("nan")), len(samples), late


def late_rows(build, mpi, delay_us, rate_mbps, seconds, size=1024, late_us=500):
    """A broadcast between two hosts is one message: half of a ping-pong. One of the hosts is late, or none."""
    with Hosts(2, delay_us, rate_mbps) as hosts:
        truth_us = median_us(work(hosts, build, mpi, request_of(["pingpong"], [size], seconds)), "pingpong", size)[0]
        for method in ("window", "barrier"):
            for late_rank, who in ((None, "none"), (0, "the root"), (1, "the receiver")):
                request = request_of(["broadcast"], [size], seconds, method)
                records = work(hosts, build, mpi, request, late_rank, late_us)
                found_us, n, late = median_us(records, "broadcast", size)
                say(f"{mpi}, {method}, late: {who}: {found_us:.1f} us")
                yield [mpi, method, who, f"{truth_us:.1f} µs", f"{found_us:.1f} µs",
                       f"**{100 * (found_us / truth_us - 1):+.1f} %**", str(n), str(late)]


@contextlib.contextmanager
def busy_programs(n):
    programs = [subprocess.Popen(["sh", "-c", "while :; do :; done"]) for _ in range(n)]
    try:
        yield
    finally:
        for program in programs:
            program.kill()
            program.wait()


def busy_rows(build, mpi, delay_us, rate_mbps, seconds, size=1024):
    """Windows of the same broadcast while other programs compute. Who waits for a processor, waits a time slice."""
    for n in (0, 1, 2):
        with Hosts(2, delay_us, rate_mbps) as hosts, busy_programs(n):
            times = samples_us(work(hosts, build, mpi, request_of(["broadcast"], [size], seconds)), "broadcast", size)
        if len(times) > 1:
            tenths = statistics.quantiles(times, n=10)
            yield [mpi, str(n), str(len(times)), *(f"{time_us:.0f} µs" for time_us in
                                                   (min(times), statistics.median(times), tenths[7], tenths[8]))]


def clock_rows(build, mpi, delay_us, rate_mbps, seconds):
    with Hosts(2, delay_us, rate_mbps, clocks={"hostb": AHEAD_S}) as hosts:
        records = work(hosts, build, mpi, request_of(["broadcast"], [1024], seconds))
    for record in records:
        if record["record"] == "clock":
            yield [mpi, f"{delay_us} µs, {rate_mbps} Mbit/s", f"{record['offset_s']:.7f} s",
                   f"**{(record['offset_s'] - AHEAD_S) * 1e6:+.2f} µs**", f"± {record['error_s'] * 1e6:.1f} µs"]


# ---- everything together ----

def fits(options, firma):
    links = LINKS[:1] if options.quick else LINKS
    rows, results = [socket_row(*link) for link in links], []
    for delay_us, rate_mbps in links:
        most = "64K" if options.quick else "1M" if rate_mbps <= 10 else "4M"
        for configuration in CONFIGURATIONS:
            if options.only not in configuration:
                continue
            found = measure_link(firma, delay_us, rate_mbps, configuration, options.seconds, most)
            say(f"{configuration} at {delay_us} us, {rate_mbps} Mbit/s: measured")
            if found:
                results.append(found)
                rows.append(fit_row(found))
    print_table(["measured by", "link", "1/β", "against theory", "α", "beyond delay and wire", "fit"], rows)
    return results


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    add_common_arguments(parser, "comm_links.json")
    parser.add_argument("--link", default="", help="the program that emulates (build/tests/links/link)")
    parser.add_argument("--seconds", type=int, default=0, help="for each measurement (60; 10 with --quick)")
    options = parser.parse_args()
    firma = os.path.abspath(options.firma)
    build = os.path.dirname(os.path.dirname(os.path.dirname(firma)))
    os.environ["LINK"] = os.path.abspath(options.link or os.path.join(build, "tests/links/link"))
    options.seconds = options.seconds or (10 if options.quick else 60)
    if reason := why_not():
        sys.exit(reason)
    facts, worker_s = machine(), 3 if options.quick else 10
    mpis = [mpi for mpi in ("openmpi", "mpich") if options.only in f"{mpi}:tcp"]
    print(f"Emulated links; {machine_line(facts)}\n\nPoint to point: fitted, against what the link is\n")
    document = {"machine": facts, "fits": fits(options, firma)}
    print("\nA broadcast of 1 KiB from hosta to hostb (200 µs, 100 Mbit/s), one of them 500 µs late\n")
    document["late"] = [row for mpi in mpis for row in late_rows(build, mpi, 200, 100, worker_s)]
    print_table(["MPI", "method", "late", "truth", "found", "error", "samples", "dropped"], document["late"])
    print("\nThe same broadcast, nobody late, while other programs compute\n")
    document["busy"] = [row for mpi in mpis for row in busy_rows(build, mpi, 200, 100, worker_s)]
    print_table(["MPI", "other programs", "samples", "shortest", "median", "80 %", "90 %"], document["busy"])
    print(f"\nThe clock of hostb, {AHEAD_S} s ahead of hosta's\n")
    document["clocks"] = [row for mpi in mpis for link in LINKS[:1 if options.quick else 3]
                          for row in clock_rows(build, mpi, *link, worker_s)]
    print_table(["MPI", "link", "found", "error", "as said"], document["clocks"])
    print("\nA link that isn't linear: the kernel's token bucket, 100 Mbit/s, bursts of 32 KiB\n")
    bucket = measure_link(firma, 0, 100, "os:tcp", max(options.seconds, 25), "4M", "tbf")
    if bucket:
        print_table(["measured by", "link", "1/β", "against theory", "α", "beyond delay and wire", "fit"],
                    [fit_row(bucket)])
    document["token_bucket"] = bucket
    save(options.output, document)


main()
