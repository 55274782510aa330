#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""firma on a cluster (cluster.py): programs that mpirun and mpiexec start by ssh, and srun by Slurm, on two and three nodes.

Sometimes a launch hangs, also without firma: MPICH over UCX in MPI_Finalize, where one process waits for an answer of another
that already waits for the launcher; on three nodes, in one of five launches. So each launch has a limit, and is repeated; a
launcher that hangs each time is a reason to skip."""

import atexit
import collections
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


def on_cluster(words, node="hosta", meanwhile=None):
    """Runs words on a node. Repeats them if they hang, then skips. Calls `meanwhile` until it returns True."""
    for attempt, factor in enumerate(ATTEMPTS):
        limit_s = factor * (LEAST_LIMIT_S + LIMIT_IN_STARTS * cluster().started_in_s)
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
        nodes, place = cluster().names, fresh(f"node {launcher.name}")
        recording = os.path.join(place, "app.trace.recording")

        def kill_when_it_runs():
            if len([n for n in sends_so_far(recording) if n > 10]) < 3:
                return False
            cluster().kill_node(nodes[1])
            return True

        try:
            command = launcher.words(nodes, 3) + [app("odd", launcher.mpi), "none", "100000000"]
            result, archive = trace(place, command, meanwhile=kill_when_it_runs)
        finally:
            on_cluster(["/usr/sbin/sshd"], nodes[1])
        check_death(result, archive, "no return from MPI_Finalize", "hostb")


for _launcher in (each for each in LAUNCHERS if "ssh" in each.name):
    add_node_death(_launcher)


if __name__ == "__main__":
    main()
