#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""firma on a cluster (cluster.py): programs that mpirun and mpiexec start by ssh, and srun by Slurm, on two and three nodes.

Sometimes a launch hangs, also without firma: MPICH over UCX in MPI_Finalize, where one process waits for an answer of another
that already waits for the launcher; on three nodes, in one of five launches. So each launch has a limit, and is repeated; a
launcher that hangs each time is a reason to skip."""

import atexit
import collections
import json
import os
import re
import shutil
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from cluster import Cluster, why_not  # noqa: E402
from harness import (FIRMA, Archive, Result, Skip, app, check, check_equal, check_same_events,  # noqa: E402
                     events_said, main, run, test)

LEAST_LIMIT_S = 8  # of an attempt; far more than a launch takes on a quiet machine
LIMIT_IN_STARTS = 5  # what is added: times that it took to make the cluster, which tells how busy the machine is
ATTEMPTS = (1, 1, 2)  # of a launch; by which factor each one's limit is larger
PROGRAMS = os.environ.get("CLUSTER", "")
AHEAD_S = {"hostb": 5000, "hostc": 3}  # clocks of nodes that didn't boot at the same time
SIZE, STEPS = 100, 60  # of the program stencil; few, because waiting processes of MPICH don't yield


def openmpi_by_ssh(nodes, ranks):
    hosts = ",".join(f"{node}:{ranks}" for node in nodes)
    return ["mpirun.openmpi", "--oversubscribe", "--bind-to", "none", "--map-by", "node", "--host", hosts,
            "-n", str(ranks)]


def mpich_by_ssh(nodes, ranks):
    return ["mpiexec.mpich", "-launcher", "ssh", "-iface", "eth0", "-hosts", ",".join(nodes), "-n", str(ranks)]


def by_srun(plugin):
    def words(nodes, ranks):
        return ["srun", f"--mpi={plugin}", "-w", ",".join(nodes), "-N", str(len(nodes)), "-n", str(ranks),
                "--ntasks-per-node", str(ranks // len(nodes)), "--distribution=cyclic"]
    return words


Launcher = collections.namedtuple("Launcher", "name mpi words")
# MPICH's launches hang too often here for each check.
LAUNCHERS = tuple(launcher for launcher in (
    Launcher("mpirun of Open MPI over ssh", "openmpi", openmpi_by_ssh),
    Launcher("mpiexec of MPICH over ssh", "mpich", mpich_by_ssh),
    Launcher("srun with Open MPI (PMIx)", "openmpi", by_srun("pmix")),
    Launcher("srun with MPICH (PMI2)", "mpich", by_srun("pmi2")),
) if launcher.mpi == "openmpi" or os.environ.get("FIRMA_SOAK"))
_made = []  # the cluster, or the reason why there is none


def cluster():
    """Returns the cluster of all tests; it is made for the first one. Skips with the reason if it can't be made."""
    if not _made:
        _made.append(why_not(PROGRAMS) or _make())
    if isinstance(_made[0], str):
        raise Skip(_made[0])
    return _made[0]


def _make():
    """Returns a cluster, or the reason why it couldn't be made."""
    folders = [os.path.dirname(os.path.dirname(os.path.abspath(place))) for place in (FIRMA, os.environ["APPS"])]
    made = Cluster(3, PROGRAMS, shared=[os.path.commonpath(folders)], delay_us=50, rate_mbps=1000, clocks=AHEAD_S)
    try:
        made.__enter__()
    except RuntimeError as problem:
        return str(problem).replace("\n", "; ")
    atexit.register(made.__exit__)
    return made


def on_cluster(words, node="hosta", meanwhile=None, takes_s=0):
    """Runs words on a node. Repeats them if they hang, then skips. Calls `meanwhile` until it returns True. `takes_s`: how
    long the words run in any case."""
    for attempt, factor in enumerate(ATTEMPTS):
        limit_s = takes_s + factor * (LEAST_LIMIT_S + LIMIT_IN_STARTS * cluster().started_in_s)
        done = cluster().run(node, list(map(str, words)), limit_s, meanwhile)
        if done:
            result = Result(done.args, done.returncode, done.stdout, done.stderr)
            result.hung = attempt  # times
            return result
        print(f"# not done after {limit_s:.0f} s: {' '.join(map(str, words))}", flush=True)
    raise Skip(f"`{' '.join(map(str, words))}` hangs here, {len(ATTEMPTS)} times of {len(ATTEMPTS)}")


_works = {}  # of each launcher, the reason why it can't be used, or None


def _why_not(launcher):
    try:
        done = on_cluster(stencil(launcher, cluster().names, 3))
    except Skip as hang:
        return str(hang)
    started = done.status == 0 and sorted(events_said(done.out)) == [0, 1, 2]
    complaint = (done.err or done.out).strip().splitlines()[-1:] or [f"status {done.status}"]
    return None if started else f"{launcher.name} doesn't start programs here: {complaint[0]}"


def needs(launcher):
    """Skips if the launcher doesn't start this machine's MPI on the nodes, without firma."""
    if launcher.name not in _works:
        _works[launcher.name] = _why_not(launcher)
    if _works[launcher.name]:
        raise Skip(_works[launcher.name])


def fresh(name):
    """The path of a new folder that the nodes share."""
    place = os.path.join(cluster().shared, re.sub(r"\W+", "-", name))
    shutil.rmtree(place, ignore_errors=True)
    os.mkdir(place)
    return place


def stencil(launcher, nodes, ranks, steps=STEPS):
    return launcher.words(nodes, ranks) + [app("stencil", launcher.mpi), str(SIZE), str(steps)]


def firma(verb, *words, **options):
    return on_cluster([FIRMA, verb, *words], **options)


def trace(place, command, *words, **options):
    """Traces a command on the first node; returns the result and the archive."""
    archive = os.path.join(place, "app.trace")
    return firma("trace", "--force", "-o", archive, *words, "--", *command, **options), archive


def nodes_of_ranks(archive):
    """The nodes that an archive names, by ranks."""
    definitions = run(["otf2-print", "-G", os.path.join(archive, "traces.otf2")]).expect(0).out
    return re.findall(r'^LOCATION_GROUP .*Type: PROCESS, Parent: "node::(\w+)"', definitions, re.M)


def messages(archive):
    """The times of each message's sending and receiving: [(sent, received)], in the archive's ticks."""
    lines = run(["otf2-print", os.path.join(archive, "traces.otf2")]).expect(0).out.splitlines()
    sent, received = collections.defaultdict(list), collections.defaultdict(list)
    for line in lines:
        event = re.match(r"MPI_(I?SEND|I?RECV) +\d+ +(\d+) +(Receiver|Sender): (\d+) .*?Tag: (\d+)", line)
        location = re.match(r"\w+ +(\d+) ", line)
        if event:
            kind, time, _, peer, tag = event.groups()
            here = location[1]
            pair = (here, peer, tag) if kind.endswith("SEND") else (peer, here, tag)
            (sent if kind.endswith("SEND") else received)[pair].append(int(time))
    check_equal({pair: len(times) for pair, times in sent.items()}, {pair: len(times) for pair, times in received.items()},
                "messages")
    return [times for pair in sent for times in zip(sent[pair], received[pair])]


def add_launcher(launcher, n_nodes, ranks):
    @test(f"{launcher.name}: {ranks} processes on {n_nodes} nodes are traced, measured and predicted")
    def is_predicted():
        needs(launcher)
        nodes, place = cluster().names[:n_nodes], fresh(f"{launcher.name} {n_nodes}")
        command = stencil(launcher, nodes, ranks)
        result, archive = trace(place, command)
        result.expect(0)
        check_same_events(Archive(archive), events_said(result.out), ranks)
        check_equal(nodes_of_ranks(archive), [nodes[rank % n_nodes] for rank in range(ranks)], "nodes of the ranks")
        backwards = [times for times in messages(archive) if times[0] >= times[1]]
        check(not backwards, f"{len(backwards)} messages are received before they are sent: {backwards[:3]}")
        signature, times = os.path.join(place, "app.firma"), os.path.join(place, "times.json")
        firma("phases", "-f", archive, "-o", signature).expect(0)
        firma("measure", "-f", "-o", times, signature, "--", *command).expect(0)
        predicted = firma("predict", "--json", signature, times).expect(0).json()
        low, high = predicted["interval_s"]
        check(0 < low <= predicted["predicted_s"] <= high, f"{low} <= {predicted['predicted_s']} <= {high} is wrong")


for _launcher in LAUNCHERS:
    add_launcher(_launcher, 2, 4)
    add_launcher(_launcher, 3, 3)


@test("the nodes' clocks, by which messages are received after they were sent, are apart")
def clocks_are_apart():
    words = ["cut", "-d ", "-f1", "/proc/uptime"]
    uptimes = {name: float(on_cluster(words, name).expect(0).out) for name in cluster().names}
    for name, ahead_s in AHEAD_S.items():
        found_s = uptimes[name] - uptimes["hosta"]
        check(ahead_s - 1 <= found_s, f"{name} is {found_s} s ahead of hosta, instead of {ahead_s}")


# ---- records in a folder of each node ----

def node_files(name, folder):
    return on_cluster(["ls", "-A", folder], name).expect(0).out.split()


def add_local(launcher):
    @test(f"{launcher.name}: with --local, records come from each node, and none stays there")
    def is_gathered():
        needs(launcher)
        nodes, place = cluster().names, fresh(f"local {launcher.name}")
        own = "/tmp/own-" + re.sub(r"\W+", "-", launcher.name)
        for node in nodes:
            on_cluster(["mkdir", "-p", own], node).expect(0)
        result, archive = trace(place, stencil(launcher, nodes, 3), "--local", own)
        result.expect(0)
        check_same_events(Archive(archive), events_said(result.out), 3)
        if not result.hung:  # what a launch recorded that was killed stays on its nodes
            check_equal({node: node_files(node, own) for node in nodes}, {node: [] for node in nodes}, "files left")


for _launcher in LAUNCHERS:
    add_local(_launcher)


def check_lacks_rank_1(result, archive, said, *words):
    """Checks that a trace lacks rank 1 alone, and that the output says why."""
    result.expect(1)
    for word in words:
        check(word in result.err, f"`{word}` is missing\n{result}")
    found = Archive(archive)
    check_equal([found.said(rank)["sends"] for rank in range(3)], [said[0]["sends"], 0, said[2]["sends"]], "sends of ranks")


@test("a folder that a node lacks is named with the node, and the other nodes' records are kept")
def local_folder_is_missing():
    launcher = LAUNCHERS[0]
    needs(launcher)
    nodes, place = cluster().names, fresh("missing")
    for node in (nodes[0], nodes[2]):
        on_cluster(["mkdir", "-p", "/tmp/some"], node).expect(0)
    result, archive = trace(place, stencil(launcher, nodes, 3), "--local", "/tmp/some")
    check_lacks_rank_1(result, archive, events_said(result.out), "/tmp/some", "hostb", "No such file or directory")


@test("a folder that is full is named with the node, and the other nodes' records are kept")
def local_folder_is_full():
    launcher = LAUNCHERS[0]
    needs(launcher)
    nodes, place = cluster().names, fresh("full")
    for node in nodes:
        on_cluster(["mkdir", "-p", "/tmp/small"], node).expect(0)
    on_cluster(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", "/tmp/small"], nodes[1]).expect(0)
    result, archive = trace(place, stencil(launcher, nodes, 3), "--local", "/tmp/small")
    check_lacks_rank_1(result, archive, events_said(result.out), "/tmp/small", "hostb", "No space left on device")


# ---- other verbs that start programs ----

def own_folders(name):
    """The path of a new folder that each node has for itself."""
    own = "/tmp/" + re.sub(r"\W+", "-", name)
    for node in cluster().names:
        on_cluster(["mkdir", "-p", own], node).expect(0)
    return own


def check_own_folders(own, result):
    if not result.hung:
        check_equal({node: node_files(node, own) for node in cluster().names}, {node: [] for node in cluster().names},
                    "files left")


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


# ---- processes and nodes that die ----

def check_death(result, archive, *words):
    """Checks that the trace of a job that died is readable, and holds messages; and the output's words."""
    result.expect(1)
    for word in words:
        check(word in result.err, f"`{word}` is missing\n{result}")
    check(sum(Archive(archive).said(rank)["sends"] for rank in range(3)) > 0, f"no messages\n{result}")
    firma("show", archive).expect(0)


def dying(launcher, nodes):
    """A job whose rank 1, on the second node, is killed after 30 of 60 steps."""
    words = launcher.words(nodes, 3)
    if words[0] == "srun":
        words.append("--kill-on-bad-exit=1")
    return words + [app("odd", launcher.mpi), "kill", "60", "30", "1"]


def add_death(launcher):
    @test(f"{launcher.name}: after a process died, the trace is readable, and the output names its node")
    def names_the_node():
        needs(launcher)
        place = fresh(f"death {launcher.name}")
        result, archive = trace(place, dying(launcher, cluster().names))
        check_death(result, archive, "no return from MPI_Finalize", " on hosta, hostb, hostc")


for _launcher in LAUNCHERS:
    add_death(_launcher)


@test("with --local, records of a process that was killed stay on its node, which the output names")
def killed_with_local():
    launcher = LAUNCHERS[0]
    needs(launcher)
    place = fresh("killed local")
    result, archive = trace(place, dying(launcher, cluster().names), "--local", "/tmp")
    check_death(result, archive, "the records of rank 1 were not gathered", "on hostb")


def sends_so_far(recording):
    """The number of sends of each process so far, from the headers of its segments (src/trace/segment.h)."""
    for file in os.listdir(recording) if os.path.isdir(recording) else []:
        if file.endswith(".segment"):
            with open(os.path.join(recording, file), "rb") as segment:
                yield int.from_bytes(segment.read(72)[64:], sys.byteorder)


def add_node_death(launcher):
    @test(f"{launcher.name}: after a node died, the trace of the others is readable, and the output names nodes")
    def outlives_a_node():
        needs(launcher)
        nodes, place, is_slurm = cluster().names, fresh(f"node {launcher.name}"), launcher.words("a", 1)[0] == "srun"
        recording = os.path.join(place, "app.trace.recording")

        def kill_when_it_runs():
            if len([n for n in sends_so_far(recording) if n > 10]) < 3:
                return False
            cluster().kill_node(nodes[1])
            if is_slurm:
                cluster().declare_dead(nodes[1])
            return True

        try:
            command = launcher.words(nodes, 3) + [app("odd", launcher.mpi), "none", "100000000"]
            result, archive = trace(place, command, meanwhile=kill_when_it_runs)
        finally:
            cluster().revive_node(nodes[1])
        check_death(result, archive, "no return from MPI_Finalize", "Node failure on hostb" if is_slurm else "hostb")


for _launcher in LAUNCHERS:
    add_node_death(_launcher)


if __name__ == "__main__":
    main()
