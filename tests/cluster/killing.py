#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Kills any process of firma comm and firma trace on a cluster (cluster.py), by SIGKILL and at any moment. Afterwards nothing is
left on any node. Takes minutes, so it runs with FIRMA_SOAK alone. FIRMA_SEED repeats its choices."""

import os
import random
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from harness import FIRMA, Skip, app, check, main, test  # noqa: E402
from launching import by_srun, cluster, fresh, on_cluster, openmpi_by_ssh  # noqa: E402

ROUNDS = 30
MOMENTS_S = (0.05, 3)  # when a process is killed, from firma's start
COMM_S = 4
STEPS = 5000  # of the traced program, some seconds
LEAST_LIMIT_S, LIMIT_IN_STARTS = 15, 10  # until nothing runs any more
PLACES = ("/tmp", "/dev/shm")
NOT_FIRMAS = ("spmix_appdir_", "ompi.")  # what Slurm and Open MPI leave behind when their own processes are killed


def words_of(kind, place):
    nodes = cluster().names
    archive = os.path.join(place, "app.trace")
    program = [app("odd", "openmpi"), "none", str(STEPS)]
    if kind == "comm":
        hosts = os.path.join(place, "hosts")
        with open(hosts, "w", encoding="utf-8") as file:
            file.write("\n".join(nodes[:2]) + "\n")
        return [FIRMA, "comm", "-q", "-t", f"{COMM_S}s", "--only", "os:tcp,openmpi:tcp,pvm:direct", "--hosts", hosts, "-f", "-o",
                os.path.join(place, "comm")]
    launch = openmpi_by_ssh(nodes, 3) if kind == "trace, ssh" else [*by_srun("pmix")(nodes, 3), "--kill-on-bad-exit=1"]
    return [FIRMA, "trace", "-q", "-f", "-o", archive, "--", *launch, *program]


def files_on_nodes():
    return {(node, os.path.join(place, name)) for node in cluster().names for place in PLACES
            for name in on_cluster(["ls", "-A", place], node).expect(0).out.split() if not name.startswith(NOT_FIRMAS)}


def words_of_process(pid):
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            return file.read().replace(b"\0", b" ").decode(errors="replace")[:150].strip()
    except OSError:
        return ""


def name_of_process(pid):
    try:
        with open(f"/proc/{pid}/comm", encoding="utf-8", errors="replace") as file:
            return file.read().strip()
    except OSError:
        return ""


def kill_one(chance):
    """Kills a process of any program that runs, all programs being equally likely; returns its words."""
    by_name = {}
    for pid in sorted(cluster().programs()):
        if name := name_of_process(pid):
            by_name.setdefault(name, []).append(pid)
    if not by_name:
        return None
    pid = chance.choice(by_name[chance.choice(sorted(by_name))])
    words = words_of_process(pid)
    cluster().kill(pid)
    return words


def wait_until_over():
    """Waits until nothing runs any more; returns what still does."""
    end = time.monotonic() + LEAST_LIMIT_S + LIMIT_IN_STARTS * cluster().started_in_s
    while (left := cluster().programs()) and time.monotonic() < end:
        time.sleep(0.2)
    return left


def interrupt_firma():
    """What a user does if a job hangs because one of its processes is missing. Returns whether there was any firma."""
    left = [pid for pid in cluster().programs() if name_of_process(pid) == "firma"]
    for pid in left:
        os.kill(pid, signal.SIGTERM)
    return bool(left)


def add_round(number, seed):
    @test(f"round {number}: after a process was killed, nothing is left (FIRMA_SEED={seed})")
    def leaves_nothing():
        chance = random.Random(f"{seed} {number}")
        kind, moment_s = chance.choice(("comm", "trace, ssh", "trace, srun")), chance.uniform(*MOMENTS_S)
        place, before = fresh(f"round {number}"), files_on_nodes()
        with subprocess.Popen(cluster().command("hosta", words_of(kind, place)), stdin=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, errors="replace") as process:
            time.sleep(moment_s)
            killed = kill_one(chance)
            left = wait_until_over()
            interrupted = bool(left) and interrupt_firma()
            left = [words_of_process(pid) for pid in (wait_until_over() if interrupted else left)]
            cluster().end_programs()
            said = process.communicate()[1]
        files = sorted(files_on_nodes() - before)
        print(f"# {kind}: after {moment_s:.2f} s, killed `{killed}`{', then interrupted' if interrupted else ''}", flush=True)
        check(not left and not files, f"left: {left} {files}\n{said}")


def add_nothing():
    @test("any process is killed at any moment")
    def is_left_out():
        raise Skip("takes minutes; FIRMA_SOAK=1 runs it")


if os.environ.get("FIRMA_SOAK"):
    for _number in range(ROUNDS):
        add_round(_number + 1, os.environ.get("FIRMA_SEED", "1"))
else:
    add_nothing()


if __name__ == "__main__":
    main()
