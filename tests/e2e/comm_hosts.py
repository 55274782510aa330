#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""firma comm between hosts: namespaces on an emulated network (tests/links). The network's rate and delay are lower bounds for
measured times, whatever else the machine does. Skipped without root."""

import contextlib
import os
import shutil
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "links"))
from harness import FIRMA, Skip, check, check_equal, main, measure_in_time, run, serve_first, test, wait_until  # noqa: E402
from hosts import Hosts, why_not  # noqa: E402

for _name in ("OMPI_MCA_pml", "OMPI_MCA_btl"):  # firma comm itself chooses the networks
    os.environ.pop(_name, None)
DELAY_US, RATE_MBPS = 200, 100
SIZES = (1, 1024, 65536)
# Environment of a login on the hosts. With it, PVM starts there as root, and each host has a
# directory of its own.
PVM_LOGIN = {"PVM_ROOT": "/usr/lib/pvm3", "PVM_ARCH": "LINUX64", "PVM_ALLOW_ROOT": "1",
             "PVM_PATH": "/usr/bin:/usr/lib/pvm3/bin/LINUX64", "PVM_TMP": "$local"}


@contextlib.contextmanager
def hosts(n=2, **options):
    """Yields hosts, or skips with the reason. Afterwards, the hosts may run only what they ran before."""
    if reason := why_not():
        raise Skip(reason)
    with Hosts(n, DELAY_US, RATE_MBPS, environment=PVM_LOGIN, **options) as made:
        before = programs_on(made)
        yield made
        wait_until(lambda: programs_on(made) == before, "the end of all programs on the hosts", 0.5)


def programs_on(made):
    lines = run(made.on("hosta") + ["ps", "-e", "-o", "comm="]).expect(0).out.split()
    return sorted(line for line in lines if line not in ("ps", "enter", "nsenter"))


def needs(program, package):
    if not shutil.which(program):
        raise Skip(f"{package} is not installed")


def comm(made, *words, time_s=10, statuses=(0,), hosts_file=None, agent=None):
    """Runs firma comm on hosta, and returns its JSON document."""
    command = [FIRMA, "comm", "--json", "--hosts", hosts_file or made.hosts_file(), "--agent", agent or made.agent,
               "--repeat", "1", "--target", "100", *words]
    result = measure_in_time(lambda budget_s: run(made.on("hosta") + [*command, "--time", f"{budget_s}s"]), time_s)
    result.expect(*statuses)
    return result.json() if result.status == 0 else result


def between_hosts(document, operation="pingpong"):
    measurement = document["measurement"]
    names = [host["name"] for host in measurement["hosts"]]
    found = {}
    for series in measurement["series"]:
        if series["operation"] == operation and series["from_host"] != series["to_host"]:
            found[names[series["from_host"]], names[series["to_host"]], series["ranks"]] = series["points"]
    return found


def least_s(n_bytes):
    """Lower bound for a message: the delay, plus its bytes at the link's rate."""
    return DELAY_US * 1e-6 + n_bytes * 8 / (RATE_MBPS * 1e6)


def check_over_the_link(points, sizes=SIZES, by_clocks=False):
    """Checks times against the lower bound. Times by two clocks may err by a part of a delay."""
    check_equal([point["bytes"] for point in points], list(sizes), "sizes")
    for point in points:
        bound_s, found_s = least_s(point["bytes"]), point["minimum_s"]
        if by_clocks:
            bound_s, found_s = bound_s / 2, point["median_s"]
        check(bound_s <= found_s, f"{point['bytes']} bytes took {found_s} s; no less than {bound_s} s is possible")
        check(point["minimum_s"] <= point["median_s"] < bound_s + 1, f"a median of {point['median_s']} s")


def check_pingpong(made, configuration, sizes=SIZES, **options):
    document = comm(made, "--operations", "pingpong", "--only", configuration, "--sizes", ",".join(map(str, sizes)),
                    **options)
    found = between_hosts(document)
    check_equal(list(found), [("hosta", "hostb", 2)], "pairs of hosts")
    check_over_the_link(found["hosta", "hostb", 2], sizes)
    path = [path for path in document["machine"]["paths"] if path["from_host"] != path["to_host"]]
    check_equal(len(path), 1, "paths between hosts in the model")
    return document


@test("TCP between hosts takes the link's delay and no less")
def tcp_between_hosts():
    with hosts() as made:
        check_pingpong(made, "os:tcp")


@test("ICMP between hosts takes the link's delay and no less")
def icmp_between_hosts():
    with hosts() as made:
        check_pingpong(made, "os:icmp", sizes=(1, 1024, 32768))


@test("Open MPI between hosts goes through the link")
def openmpi_between_hosts():
    needs("mpirun.openmpi", "Open MPI")
    with hosts() as made:
        check_pingpong(made, "openmpi:tcp")


@test("MPICH between hosts goes through the link, and its end doesn't hang")
def mpich_between_hosts():
    needs("mpirun.mpich", "MPICH")
    with hosts() as made:
        document = check_pingpong(made, "mpich:tcp")
        problems = [problem["message"] for problem in document["measurement"]["problems"]]
        check(not any("longer than its share" in problem for problem in problems), f"problems {problems}")


@test("PVM between hosts goes through the link, by either routing")
def pvm_between_hosts():
    needs("pvmd", "PVM")
    with hosts() as made:
        for routing in ("direct", "daemon"):
            check_pingpong(made, f"pvm:{routing}:raw")


@test("of two networks, messages go by that of the file's addresses, in each library")
def named_network():
    with hosts(networks=2) as made:
        for configuration, program in (("os:tcp", "true"), ("openmpi:tcp", "mpirun.openmpi"), ("mpich:tcp", "mpirun.mpich"),
                                       ("pvm:direct:raw", "pvmd")):
            for network in (0, 1) if configuration == "openmpi:tcp" else (1,):
                if not shutil.which(program):
                    continue
                document = comm(made, "--operations", "pingpong", "--only", configuration, "--sizes", "65536,1048576",
                                hosts_file=made.hosts_file(network))
                [series] = [one for one in document["measurement"]["series"] if one["from_host"] != one["to_host"]]
                check_equal((series["path"], series["doubtful"]), (f"eth{network}", False), configuration)
                check(series["elsewhere"] < 0.1, f"{configuration}: {series['elsewhere']} went elsewhere")


@test("what a library chooses by itself is measured too, with the way of its bytes; by another network, it is doubtful")
def own_choice():
    needs("mpirun.openmpi", "Open MPI")
    with hosts(networks=2) as made:
        document = comm(made, "--operations", "pingpong", "--only", "openmpi:default", "--sizes", "65536,1048576",
                        hosts_file=made.hosts_file(1))
        [series] = [one for one in document["measurement"]["series"] if one["from_host"] != one["to_host"]]
        # Open MPI shares messages out among both networks.
        check(series["doubtful"] and series["elsewhere"] > 0.1, f"{series}")
        check("tcp" in series["parts"], f"parts {series['parts']}")
        problems = [problem["message"] for problem in document["measurement"]["problems"]]
        check(any("eth0, and not by eth1" in problem for problem in problems), f"problems {problems}")


@test("with all pairs of three hosts, each two are measured")
def all_pairs():
    with hosts(3) as made:
        document = comm(made, "--operations", "pingpong", "--only", "os:tcp", "--sizes", "1", "--pairs", "all")
        found = between_hosts(document)
        within = [series["from_host"] for series in document["measurement"]["series"]
                  if series["from_host"] == series["to_host"]]
        check_equal(sorted(within), [0, 1, 2], "hosts within which messages were measured")
        check_equal(sorted(found), [("hosta", "hostb", 2), ("hosta", "hostc", 2), ("hostb", "hostc", 2)], "pairs")
        for points in found.values():
            check_over_the_link(points, [1])


@test("a broadcast over three hosts takes a delay at least, in either method of timing")
def broadcast_over_hosts():
    needs("mpirun.openmpi", "Open MPI")
    with hosts(3) as made:
        document = comm(made, "--operations", "broadcast", "--only", "openmpi:tcp", "--sizes", "1", "--processes", "3")
        check_over_the_link(between_hosts(document, "broadcast")["hosta", "hostc", 3], [1], by_clocks=True)
        # Times by the other method may err by a delay, so they have no bound.
        document = comm(made, "--operations", "broadcast", "--only", "openmpi:tcp", "--sizes", "1", "--processes", "3",
                        "--method", "barrier")
        check_equal([point["bytes"] for point in between_hosts(document, "broadcast")["hosta", "hostc", 3]], [1],
                    "sizes")


@test("with slots, pairs are between two hosts with several processes on each, and collectives have more processes than hosts")
def several_on_a_host():
    # With the other method, processes would often be late, as those of both hosts share processors here.
    for mpi in ("openmpi", "mpich"):
        needs(f"mpirun.{mpi}", mpi)
        with hosts() as made:
            with open(made.hosts_file(), encoding="ascii") as file:
                lines = [line.rstrip() + " slots=2\n" for line in file]
            slots = made.path("slots")
            with open(slots, "w", encoding="ascii") as file:
                file.writelines(lines)
            document = comm(made, "--operations", "pairs,broadcast", "--only", f"{mpi}:tcp", "--sizes", "256", "--processes", "4", "--method", "barrier",
                            hosts_file=slots, time_s=20)
            check_equal(sorted(between_hosts(document, "pairs")), [("hosta", "hostb", 4)], f"pairs of {mpi}")
            check_equal(sorted(between_hosts(document, "broadcast")), [("hosta", "hostb", 4)], f"broadcasts of {mpi}")
            for points in between_hosts(document, "pairs").values():
                rate = points[0]["rate"]["bytes_per_s"]
                check(0 < rate < 2 * RATE_MBPS * 1e6 / 8, f"{rate} B/s through a link of {RATE_MBPS} Mbit/s")


@test("bidirectional streams are no faster than the link is in both directions")
def bidirectional():
    needs("mpirun.openmpi", "Open MPI")
    window, n_bytes = 64, 1024
    with hosts() as made:
        document = comm(made, "--operations", "bidirectional", "--only", "openmpi:tcp", "--sizes", str(n_bytes))
        for points in between_hosts(document, "bidirectional").values():
            found_s, bound_s = points[0]["minimum_s"], least_s(window * n_bytes) / (2 * window)
            check(found_s >= bound_s, f"{found_s} s instead of {bound_s} s for a message")


@test("broadcasts are timed between hosts whose clocks are hours apart")
def clocks_apart():
    needs("mpirun.openmpi", "Open MPI")
    with hosts(clocks={"hostb": 5000}) as made:
        points = between_hosts(comm(made, "--operations", "broadcast", "--only", "openmpi:tcp", "--sizes", "1"),
                               "broadcast")["hosta", "hostb", 2]
        check_over_the_link(points, [1], by_clocks=True)
        check(points[0]["skew_s"] < 1, f"a skew of {points[0]['skew_s']} s")


def incomplete(made, agent, words):
    """Measures among three hosts, of which hostc fails. Returns the problems, the pairs with results, and what was said."""
    result = measure_in_time(lambda budget_s: run(made.on("hosta") + [
        FIRMA, "comm", "--json", "--hosts", made.hosts_file(), "--agent", agent, "--repeat", "1", "--target", "100", "--time",
        f"{budget_s}s", "--operations", "pingpong", "--sizes", "1", *words]), 12).expect(1)
    document = result.json()
    problems = [problem["message"] for problem in document["measurement"]["problems"]]
    return problems, sorted(between_hosts(document)), result.err


def agent_that(made, name, does):
    path = made.path(name)
    with open(path, "w", encoding="ascii") as file:
        file.write(f'#!/bin/sh\nif [ "$1" = hostc ]; then {does}; fi\nexec {made.agent} "$@"\n')
    os.chmod(path, 0o755)
    return path


@test("a host that can't be reached, or doesn't answer, costs its own pairs alone; the exit status is 1")
def dead_host():
    with hosts(3) as made:
        for name, does, said in (("refuses", "exit 255", "hostc can't be reached: the agent ended with status 255"),
                                 ("hangs", "exec sleep 1000", "hostc doesn't answer within 3 s")):
            problems, pairs, err = incomplete(made, agent_that(made, name, does), ["--only", "os:tcp"])
            check(said in problems and said in err, f"problems {problems}, said {err}")
            check_equal(pairs, [("hosta", "hostb", 2)], f"pairs: {name}")


@test("a host that answers but can't measure costs its own pairs alone, of all pairs too")
def failing_host():
    with hosts(3) as made:
        agent = agent_that(made, "fails", 'case "$*" in *" true") ;; *) exit 3 ;; esac')
        for words in (["--only", "os:tcp"], ["--only", "os:tcp", "--pairs", "all"]):
            problems, pairs, err = incomplete(made, agent, words)
            check("os tcp between hosta and hostc failed" in err, err)
            check(any(problem.startswith("between hosta and hostc: ") for problem in problems), f"problems {problems}")
            check_equal(pairs, [("hosta", "hostb", 2)], "pairs")


def measured_with(made, line):
    """Measures between hosta and another host, which the line of the hosts file describes."""
    path = made.path("described")
    with open(path, "w", encoding="ascii") as file:
        file.write(f"hosta {made.address('hosta')}\n{line}\n")
    result = measure_in_time(lambda budget_s: run(made.on("hosta") + [
        FIRMA, "comm", "--json", "--hosts", path, "--agent", made.agent, "--repeat", "1", "--target", "100", "--time",
        f"{budget_s}s", "--operations", "pingpong", "--sizes", "1", "--only", "os:tcp"]), 10)
    return result, [problem["message"] for problem in result.json()["measurement"]["problems"]]


@test("if the only pair of hosts fails, the exit status is 1")
def only_pair_fails():
    with hosts() as made:
        result, problems = measured_with(made, f"hostb {made.address('hostb')} 1000")
        check("os tcp between hosta and hostb failed" in result.expect(1).err, result.err)
        check(any("cannot bind to CPU 1000" in problem for problem in problems), problems)


@test("an address that the host doesn't have is named")
def address_of_nobody():
    with hosts() as made:
        result, problems = measured_with(made, "hostb 10.66.0.77")
        check_equal(list(between_hosts(result.expect(0).json())), [("hosta", "hostb", 2)], "pairs")
        check(any("no network interface of hostb has an address of the hosts file" in problem for problem in problems), problems)


if __name__ == "__main__":
    serve_first()
    main()
