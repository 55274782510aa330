#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Verbs that start programs on a cluster (cluster.py), as the user's launcher or firma's own does."""

import json
import os
import re
import shutil
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from harness import FIRMA, Result, Skip, app, check, check_equal, main, test  # noqa: E402
from launching import (LAUNCHERS, SIZE, STEPS, by_srun, check_own_folders, cluster, firma, fresh, needs,  # noqa: E402
                       nodes_of_ranks, on_cluster, openmpi_by_ssh, own_folders, stencil, trace)



def add_study(launcher, n_nodes):
    @test(f"{launcher.name}: a study on {n_nodes} nodes, with --local, predicts the run")
    def is_studied():
        needs(launcher)
        place, own = fresh(f"study {launcher.name}"), own_folders(f"study {launcher.name}")
        command = stencil(launcher, cluster().names[:n_nodes], n_nodes)
        result = firma("study", "--json", "-r", 1, "--local", own, "-f", "-o", os.path.join(place, "app"), "--", *command)
        check(result.expect(0).json()["predicted_s"] > 0, result.out)
        check_equal(nodes_of_ranks(os.path.join(place, "app", "app.trace")), cluster().names[:n_nodes], "nodes of the ranks")
        check_own_folders(own, result)


def add_scale_run(launcher, n_nodes):
    @test(f"{launcher.name}: a scaling study on {n_nodes} nodes, with --local, times all numbers of processes")
    def is_timed():
        needs(launcher)
        place, own = fresh(f"scale {launcher.name}"), own_folders(f"scale {launcher.name}")
        most, least = 2 * n_nodes, n_nodes
        words = ["{processes}" if word == str(most) else word for word in launcher.words(cluster().names[:n_nodes], most)]
        result = firma("scale", "run", "--json", "--traced", "--local", own, "-n", f"{least},{most}", "-r", 1, "-o",
                       os.path.join(place, "runs.csv"), "--", *words, app("stencil", launcher.mpi), SIZE, STEPS).expect(0)
        with open(os.path.join(place, "runs.csv"), encoding="utf-8") as file:
            check_equal(sorted(int(line.split(",")[0]) for line in file.readlines()[1:]), [least, most], "processes")
        check_own_folders(own, result)


def chain(place, n):
    """A graph of n tasks, each of which sends to the next."""
    steps = [([{"recv": i - 1}] if i else []) + [0.001] + ([{"send": i + 1, "bytes": 8}] if i + 1 < n else [])
             for i in range(n)]
    edges = [{"from": i, "to": i + 1, "bytes": 8, "messages": 1, "parallelism": 0} for i in range(n - 1)]
    return save(place, "chain.ttig", {"format": "firma ttig", "version": 1, "nodes": [0.001] * n, "edges": edges,
                                      "graph": {"format": "firma task graph", "version": 1, "tasks": steps}})


def machine(place):
    """A machine model of the nodes, with a processor each, because that is all that each has for sure."""
    def path(end):
        return {"middleware": "openmpi", "transport": "tcp" if end else "shm", "packing": "", "library": "", "from_host": 0,
                "to_host": end, "linear": True, "largest_error": 0, "largest_bytes": 1 << 20,
                "segments": [{"from_bytes": 0, "latency_s": same(1e-5), "s_per_byte": same(1e-9), "error": 0}]}

    def same(value):
        return {"value": value, "low": value, "high": value}

    hosts = [{"name": name, "system": "", "processor": "", "cpus": 1} for name in cluster().names]
    return save(place, "machine.json", {"format": "firma machine", "version": 1, "date": "", "command": "", "hosts": hosts,
                                        "paths": [path(0), path(1)], "collectives": []})


def save(place, name, document):
    path = os.path.join(place, name)
    with open(path, "w", encoding="utf-8") as file:
        json.dump(document, file)
    return path


def hosts_said(output):
    """The hosts that ranks name as theirs, by ranks."""
    said = dict(re.findall(r"^where rank (\d+) host (\w+)", output, re.M))
    return [said.get(str(rank)) for rank in range(len(said))]


def one_on_each(launcher, nodes):
    """The words that start a process on each node, and place none otherwise."""
    names, n = ",".join(nodes), str(len(nodes))
    words = launcher.words(nodes, len(nodes))
    if words[0] == "srun":
        return [*words[:2], "-w", names, "-N", n, "-n", n]
    if launcher.mpi == "mpich":
        return words
    return [words[0], "--host", names, "-n", n]


def add_map(launcher, n_nodes, processors):
    @test(f"{launcher.name}: map --run puts ranks on the nodes that the mapping says, of {n_nodes}")
    def is_placed():
        needs(launcher)
        place, nodes = fresh(f"map {launcher.name}"), cluster().names[:n_nodes]
        prefix = os.path.join(place, "placed")
        result = firma("map", chain(place, n_nodes), "--machine", machine(place), "--nodes", ",".join(nodes), "--given",
                       ",".join(map(str, processors)), "-r", 1, "-f", "-o", prefix, "--json", "--run", "--",
                       *one_on_each(launcher, nodes), app("where", launcher.mpi))
        check_equal(result.expect(0).json()["runs"]["repeats"], 1, "runs")
        with open(prefix + ".log", encoding="utf-8") as file:
            as_given, mapped = file.read().split(", mapped: ")
        check_equal(sorted(hosts_said(as_given)), nodes, "hosts of the command as given")
        check_equal(hosts_said(mapped), [nodes[processor] for processor in processors], "hosts of the mapping's ranks")


@test("the command line that map prints for Slurm puts tasks on the nodes that the mapping says")
def slurm_reads_the_mapping():
    place, nodes, processors = fresh("slurm hosts"), cluster().names, (2, 0, 1, 0, 2)
    result = firma("map", chain(place, len(processors)), "--machine", machine(place), "--given",
                   ",".join(map(str, processors)), "-f", "-o", os.path.join(place, "placed"), "--json").expect(0)
    line = next(way["command"] for way in result.json()["launchers"] if way["launcher"] == "Slurm")
    check(line.endswith(" ./app"), line)
    said = on_cluster(["sh", "-c", line.removesuffix("./app") + "sh -c 'echo $SLURM_PROCID $(hostname)'"]).expect(0).out
    check_equal(sorted(said.split("\n")[:-1]), [f"{task} {nodes[processor]}" for task, processor in enumerate(processors)],
                "nodes of tasks")


def add_cost_run(launcher, n_nodes):
    @test(f"{launcher.name}: cost run has tasks executed on {n_nodes} nodes")
    def runs_tasks():
        needs(launcher)
        place, nodes = fresh(f"cost {launcher.name}"), cluster().names[:n_nodes]
        for name in ("pi.pasl", "pi.c"):
            shutil.copy(os.path.join(os.environ["APP_SOURCES"], "..", "..", "examples", "cost", name), place)
        words = launcher.words(nodes, n_nodes)
        at = words.index("-n")
        result = on_cluster(["env", "-C", place, FIRMA, "cost", "run", "pi.pasl", "--set", "N=1000", "--workers", n_nodes - 1,
                             "-r", 1, "--mpi", launcher.mpi, "--json", "--", *words[:at], *words[at + 2:]]).expect(0)
        check_equal([worker["host"] for worker in result.json()["runs"][0]["each_worker"]], nodes[1:], "hosts of workers")
        check_equal(sorted(os.listdir(place)), ["pi.c", "pi.pasl"], "files left")


# Each verb works on two nodes over ssh, and on three by srun, or the other way round.
for _launcher in LAUNCHERS:
    _is_ssh = "ssh" in _launcher.name
    add_study(_launcher, 2 if _is_ssh else 3)
    add_scale_run(_launcher, 3 if _is_ssh else 2)
    add_map(_launcher, *((2, (1, 0)) if _is_ssh else (3, (2, 0, 1))))
    add_cost_run(_launcher, 3 if _is_ssh else 2)


# ---- what messages cost ----

def measure_messages(place, before, *words):
    """Measures for some seconds, which are more if the machine is busy. Returns the pairs of hosts that each
    configuration has results of."""
    time_s = 2 + 4 * cluster().started_in_s
    output = os.path.join(place, "comm")
    result = on_cluster([*before, FIRMA, "comm", "-q", "-t", f"{time_s:.0f}s", "--only", "os:tcp,openmpi:tcp", "--operations",
                         "pingpong", "--sizes", "1,1k", "-f", "-o", output, *words], takes_s=2 * time_s)
    result.expect(0)
    with open(os.path.join(output, "comm.json"), encoding="utf-8") as file:
        document = json.load(file)
    names, hosts = document["configurations"], document["hosts"]
    return {(names[series["configuration"]]["middleware"], hosts[series["from_host"]]["name"], hosts[series["to_host"]]["name"])
            for series in document["series"] if series["from_host"] != series["to_host"]}


def pairs_with_root(nodes):
    return {(middleware, nodes[0], node) for middleware in ("os", "openmpi") for node in nodes[1:]}


@test("messages between three nodes are measured over ssh")
def messages_by_ssh():
    place, nodes = fresh("comm ssh"), cluster().names
    with open(os.path.join(place, "hosts"), "w", encoding="utf-8") as file:
        file.write("\n".join(nodes) + "\n")
    check_equal(measure_messages(place, [], "--hosts", file.name), pairs_with_root(nodes), "pairs")


@test("messages between the nodes of a Slurm allocation are measured, without ssh")
def messages_by_srun():
    place = fresh("comm srun")
    before = ["salloc", "-N2", "--ntasks-per-node=1", "sh", "-c", 'scontrol show hostnames | "$@"', "sh"]
    found = measure_messages(place, before, "--hosts", "/dev/stdin", "--agent", "srun --overlap -N1 -n1 -w")
    check_equal(found, pairs_with_root(cluster().names[:2]), "pairs")


# ---- saved states ----

SAVE_LIMIT_S = 300  # that a job is refused takes seconds, but a job that isn't refused may hang


def add_refusal(name, back_end, words, reason):
    @test(f"{name}: checkpoint by {back_end} refuses a job on two nodes before it saves anything")
    def is_refused():
        launcher = LAUNCHERS[0]
        needs(launcher)
        place, nodes = fresh(f"checkpoint {name} {back_end}"), cluster().names[:2]
        _, archive = trace(place, stencil(launcher, nodes, 2))
        firma("phases", archive, "-o", os.path.join(place, "app.firma")).expect(0)
        command = [*words(nodes, 2), app("stencil", launcher.mpi), str(SIZE), str(STEPS)]
        done = cluster().run("hosta", [FIRMA, "checkpoint", "--back-end", back_end, os.path.join(place, "app.firma"), "--",
                                       *command], SAVE_LIMIT_S)
        check(done, "the job hangs")
        if done.returncode == 4 and f"make {back_end}" in done.stderr:
            raise Skip(done.stderr.splitlines()[0])
        result = Result(done.args, done.returncode, done.stdout, done.stderr).expect(4)
        check("firma saves jobs on one host alone" in result.err and reason in result.err, result.err)
        check_equal(sorted(os.listdir(place)), ["app.firma", "app.trace"], "files left")


def openmpi_by_agent(nodes, ranks):
    """Without ssh, so that only the processes themselves tell where they are."""
    words = openmpi_by_ssh(nodes, ranks)
    return [words[0], "--mca", "plm_rsh_agent", cluster().agent, *words[1:]]


for _back_end in ("criu", "dmtcp"):
    add_refusal("mpirun over ssh", _back_end, openmpi_by_ssh, "by ssh")
    add_refusal("srun", _back_end, by_srun("pmix"), "by srun")
add_refusal("mpirun over another agent", "criu", openmpi_by_agent, "runs on hosta and hostb")


if __name__ == "__main__":
    main()
