#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Traces and predictions on a cluster (cluster.py), on two and three nodes, and processes and nodes that die."""

import collections
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from harness import Archive, Skip, app, check, check_equal, check_same_events, events_said, main, run, test  # noqa: E402
from launching import (AHEAD_S, LAUNCHERS, check_own_folders, cluster, firma, fresh, needs, nodes_of_ranks, on_cluster,  # noqa: E402
                       own_folders, stencil, trace)


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


SKEWED = """#!/bin/sh
# Executes the words. On hostb, the time of day is a thousand seconds ahead.
[ "$(hostname)" != hostb ] || export FAKETIME=+1000s FAKETIME_DONT_FAKE_MONOTONIC=1 LD_PRELOAD="$LD_PRELOAD:{library}"
exec "$@"
"""


@test("nodes whose times of day differ are traced, measured and predicted, and scale trace says that they differ")
def times_of_day_differ():
    launcher = LAUNCHERS[0]
    needs(launcher)
    libraries = on_cluster(["sh", "-c", "ls /usr/lib/*/faketime/libfaketimeMT.so.1"]).out.split()
    if not libraries:
        raise Skip("libfaketime isn't here")
    nodes, place = cluster().names[:2], fresh("skewed")
    script = os.path.join(place, "skewed")
    with open(script, "w", encoding="utf-8") as file:
        file.write(SKEWED.format(library=libraries[0]))
    os.chmod(script, 0o755)
    command = launcher.words(nodes, 2) + [script, app("stencil", launcher.mpi), "100", "60"]
    result, archive = trace(place, command)
    check_same_events(Archive(archive), events_said(result.expect(0).out), 2)
    check([times for times in messages(archive) if times[0] >= times[1]], "no message is received before it is sent")
    signature, times = os.path.join(place, "app.firma"), os.path.join(place, "times.json")
    firma("phases", "-f", archive, "-o", signature).expect(0)
    firma("measure", "-f", "-o", times, signature, "--", *command).expect(0)
    check(firma("predict", "--json", signature, times).expect(0).json()["predicted_s"] < 500, "the clocks count as run time")
    check("clocks of the processes differ" in firma("scale", "trace", archive).expect(0).err, "the clocks aren't mentioned")


# ---- records in a folder of each node ----


def add_local(launcher):
    @test(f"{launcher.name}: with --local, records come from each node, and none stays there")
    def is_gathered():
        needs(launcher)
        place, own = fresh(f"local {launcher.name}"), own_folders(f"local {launcher.name}")
        result, archive = trace(place, stencil(launcher, cluster().names, 3), "--local", own)
        result.expect(0)
        check_same_events(Archive(archive), events_said(result.out), 3)
        check_own_folders(own, result)


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
