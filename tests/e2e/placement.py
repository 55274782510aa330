#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The files that firma map writes for launchers: the program tells where its ranks run. Also firma map --run."""

import contextlib
import json
import os
import re
import shlex
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "links"))
from harness import (FIRMA, Skip, app, check, check_equal, end_session, firma, launcher, main, plain_launcher, some,  # noqa: E402
                     run, test)
from hosts import Hosts, why_not  # noqa: E402

AS_ROOT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
LAUNCHER_NAMES = {"openmpi": "Open MPI", "mpich": "MPICH"}
DELAY_US, RATE_MBPS = 200, 1000


def save(directory, document, name):
    path = os.path.join(directory, name)
    with open(path, "w", encoding="utf-8") as file:
        json.dump(document, file)
    return path


def chain(directory, n):
    """A graph of n tasks, each of which sends to the next."""
    steps = [([{"recv": i - 1}] if i else []) + [0.001] + ([{"send": i + 1, "bytes": 8}] if i + 1 < n else [])
             for i in range(n)]
    edges = [{"from": i, "to": i + 1, "bytes": 8, "messages": 1, "parallelism": 0} for i in range(n - 1)]
    return save(directory, {"format": "firma ttig", "version": 1, "nodes": [0.001] * n, "edges": edges,
                            "graph": {"format": "firma task graph", "version": 1, "tasks": steps}}, "chain.ttig")


def machine_of(directory, names, cores):
    def estimated(value):
        return {"value": value, "low": value, "high": value}

    def path(start, end):
        return {"middleware": "openmpi", "transport": "shm" if start == end else "tcp", "packing": "", "library": "",
                "from_host": start, "to_host": end, "linear": True, "largest_error": 0, "largest_bytes": 1 << 20,
                "segments": [{"from_bytes": 0, "latency_s": estimated(1e-5), "s_per_byte": estimated(1e-9), "error": 0}]}

    hosts = [{"name": name, "system": "", "processor": "", "cpus": cores} for name in names]
    return save(directory, {"format": "firma machine", "version": 1, "date": "", "command": "", "hosts": hosts,
                            "paths": [path(0, 0), path(0, 1)], "collectives": []}, "machine.json")


def place(graph, prefix, given, *words):
    """Returns the requested places, and each launcher's command line."""
    document = firma("map", graph, "--given", ",".join(map(str, given)), "-o", prefix, "--json", *words).expect(0).json()
    mapping = next(mapping for mapping in document["mappings"] if mapping["mapper"] == "given")
    return mapping["places"], {way["launcher"]: way["command"] for way in document["launchers"]}


def command_of(mpi, line, options=()):
    """Returns the line with the real launcher and program, and the options that the test needs."""
    words = shlex.split(line)
    return [shutil.which(f"mpirun.{mpi}"), *options, *words[1:-1], app("where", mpi)]


def told_places(output):
    said = {}
    for match in re.finditer(r"^where rank (\d+) host (\S+) cpus(.*)$", output, re.M):
        said[int(match[1])] = (match[2], [int(cpu) for cpu in match[3].split()])
    return said


@contextlib.contextmanager
def two_hosts():
    if reason := why_not():
        raise Skip(reason)
    with Hosts(2, DELAY_US, RATE_MBPS) as made:
        yield made


def processors_here(graph):
    return firma("map", graph, "--json").expect(0).json()["platform"]["processors"]


def check_here(directory, mpi):
    launcher(mpi, 3)  # skips without it
    graph = chain(directory, 3)
    last = processors_here(graph) - 1
    places, lines = place(graph, os.path.join(directory, "here"), [last, 0, 0])
    result = run(command_of(mpi, lines[LAUNCHER_NAMES[mpi]]), env=AS_ROOT).expect(0)
    said = told_places(result.out)
    check_equal(sorted(said), [0, 1, 2], "ranks")
    for rank, expected in enumerate(places):
        check_equal(said[rank][1], [expected["cpu"]], f"processors of rank {rank}")


@test("Open MPI's rankfile puts ranks on the processors of the mapping, two on one as well")
def _(directory):
    check_here(directory, "openmpi")


@test("MPICH's hosts and binding put ranks on the processors of the mapping, two on one as well")
def _(directory):
    check_here(directory, "mpich")


def threads_of(cpu):
    """The hardware threads of the core of a processor."""
    try:
        with open(f"/sys/devices/system/cpu/cpu{cpu}/topology/thread_siblings_list", encoding="ascii") as file:
            return {int(end) for part in file.read().strip().split(",") for end in part.split("-")}
    except OSError:
        return {cpu}


def check_order(directory, mpi, options):
    """The program renumbers its ranks by PREFIX.ranks: its tasks are where the mapping wants them."""
    launcher(mpi, 2)  # skips without it
    graph, prefix = chain(directory, 2), os.path.join(directory, "order")
    if processors_here(graph) < 2:
        raise Skip("this machine has one processor")
    places, _ = place(graph, prefix, [1, 0])
    for name, contents in (("ranks", "1\n0\n"), ("rank-order", "1,0\n")):
        with open(f"{prefix}.{name}", encoding="utf-8") as file:
            check_equal(file.read(), contents, name)
    command = [shutil.which(f"mpirun.{mpi}"), *options, "-n", "2", app("reorder", mpi), prefix + ".ranks"]
    said = re.findall(r"task (\d) is rank (\d) of the launcher, on \S+, processor (\d+)",
                      run(command, env=AS_ROOT).expect(0).out)
    check_equal({(task, rank) for task, rank, _ in said}, {("0", "1"), ("1", "0")}, "tasks and ranks")
    for task, _, cpu in said:
        check(int(cpu) in threads_of(places[int(task)]["cpu"]), f"task {task} is on processor {cpu}: {places}")


@test("a program that renumbers its ranks has its tasks where the mapping wants them, under Open MPI")
def _(directory):
    check_order(directory, "openmpi", ["--map-by", "core", "--bind-to", "core"])


@test("a program that renumbers its ranks has its tasks where the mapping wants them, under MPICH")
def _(directory):
    check_order(directory, "mpich", ["-bind-to", "core"])


def places_said_by(words, n_ranks):
    """Returns the places that ranks print. Then ends them, because MPICH's MPI_Finalize over two hosts often never returns."""
    process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                               env={**os.environ, **AS_ROOT}, start_new_session=True)
    output = ""
    try:
        for line in process.stdout:
            output += line
            if len(told_places(output)) == n_ranks:
                return told_places(output)
    finally:
        end_session(process.pid)
        process.communicate()
    raise AssertionError(f"not all ranks say where they are\n{output}")


def check_on_hosts(directory, mpi, options_of):
    launcher(mpi, 4)  # skips without it
    with two_hosts() as made:
        graph = chain(directory, 4)
        machine = machine_of(directory, made.names, 2)
        places, lines = place(graph, os.path.join(directory, "apart"), [3, 0, 2, 1], "--machine", machine)
        said = places_said_by(made.on("hosta") + command_of(mpi, lines[LAUNCHER_NAMES[mpi]], options_of(made)), 4)
        check_equal([said.get(rank, ("nowhere",))[0] for rank in range(4)], [expected["node"] for expected in places],
                    "hosts of the ranks")


@test("Open MPI puts ranks on the hosts of the mapping")
def _(directory):
    check_on_hosts(directory, "openmpi", lambda made: [
        "--mca", "plm_rsh_agent", made.agent, "--mca", "pml", "ob1", "--mca", "btl", "tcp,self",
        "--mca", "btl_tcp_if_include", "eth0", "--mca", "oob_tcp_if_include", "eth0"])


@test("Open MPI's own policy that is named puts ranks on the same hosts")
def _(directory):
    launcher("openmpi", 4)  # skips without it
    with two_hosts() as made:
        graph, machine = chain(directory, 4), machine_of(directory, made.names, 2)
        for given, policy in (([0, 2, 1, 3], "node"), ([0, 1, 2, 3], "core")):
            document = firma("map", graph, "--given", ",".join(map(str, given)), "-o", os.path.join(directory, "apart"), "--force",
                             "--machine", machine, "--json").expect(0).json()
            line = next(way["same_command"] for way in document["launchers"] if way["launcher"] == "Open MPI")
            check(f"--map-by {policy} " in line, line)
            command = command_of("openmpi", line, [
                "--mca", "plm_rsh_agent", made.agent, "--mca", "pml", "ob1", "--mca", "btl", "tcp,self",
                "--mca", "btl_tcp_if_include", "eth0", "--mca", "oob_tcp_if_include", "eth0"])
            said = told_places(run(made.on("hosta") + command, env=AS_ROOT).expect(0).out)
            check_equal([said[rank][0] for rank in range(4)], [made.names[processor // 2] for processor in given],
                        f"hosts of the ranks by {policy}")


@test("MPICH puts ranks on the hosts of the mapping, which change from rank to rank")
def _(directory):
    check_on_hosts(directory, "mpich", lambda made: [
        "-launcher", "rsh", "-launcher-exec", made.agent, "-genv", "UCX_TLS", "tcp,self",
        "-genv", "UCX_NET_DEVICES", "eth0"])


def made_srun(directory):
    """Makes a launcher named srun, which prints its arguments and starts nothing. Returns an environment that finds it."""
    folder = os.path.join(directory, "slurm")
    os.mkdir(folder)
    path = os.path.join(folder, "srun")
    with open(path, "w", encoding="utf-8") as file:
        file.write('#!/bin/sh\necho "srun hostfile=$SLURM_HOSTFILE words=$*"\n')
    os.chmod(path, 0o755)
    return {"PATH": folder + ":" + os.environ["PATH"]}


def check_runs(directory, mpi, before=()):
    graph, prefix = chain(directory, 2), os.path.join(directory, "runs")
    command = [*before, *plain_launcher(mpi, 2), app("where", mpi)]
    document = firma("map", graph, "--given", "0,0", "-o", prefix, "--repeat", 2, "--run", "--json", "--",
                     *command).expect(0).json()
    runs = document["runs"]
    check_equal((len(runs["as_given"]["times_s"]), len(runs["mapped"]["times_s"])), (2, 2), "numbers of runs")
    check(all(time_s > 0 for time_s in runs["mapped"]["times_s"]), f"times {runs['mapped']['times_s']}")
    with open(prefix + ".log", encoding="utf-8") as file:
        log = file.read()
    check_equal(log.count("where rank 1 "), 4, "runs that the log has")
    cpu = document["mappings"][0]["places"][0]["cpu"]
    mapped = log.split("# run 1, mapped")[1].split("# run")[0]
    check_equal({rank: cpus for rank, (_, cpus) in told_places(mapped).items()}, {0: [cpu], 1: [cpu]},
                "processors of the mapped run")


for _mpi, _before in some([("openmpi", ["env", "FIRMA_TEST=1", "timeout", "600"]), ("mpich", [])],
                          [("openmpi", []), ("mpich", ["env", "FIRMA_TEST=1", "timeout", "600"])]):
    @test(f"--run launches the command as it is and as mapped, in turn, under {_mpi}{' behind other words' if _before else ''}")
    def _(directory, mpi=_mpi, before=_before):
        check_runs(directory, mpi, before)


@test("a failing run is reported with its last line of output; its log stays, and the table is printed")
def _(directory):
    graph, prefix = chain(directory, 2), os.path.join(directory, "runs")
    words = [*plain_launcher("openmpi", 2), "sh", "-c", "echo no luck; exit 7"]
    result = firma("map", graph, "-o", prefix, "--run", "--", *words).expect(1)
    check("run 1" in result.err and "status 7" in result.err and prefix + ".log" in result.err, result.err)
    check("the default" in result.out and "--rankfile" in result.out, f"the table is lost: {result.out}")
    with open(prefix + ".log", encoding="utf-8") as file:
        check("no luck" in file.read(), "the program's words aren't in the log")


@test("runs end with their launcher, even if another process holds its output open")
def _(directory):
    graph, prefix = chain(directory, 2), os.path.join(directory, "runs")
    words = ["sh", "-c", 'sleep 300 & exec "$@"', "sh", *plain_launcher("openmpi", 2), app("where", "openmpi")]
    firma("map", graph, "-o", prefix, "--repeat", 1, "--run", "--", *words).expect(0)
    with open(prefix + ".log", encoding="utf-8") as file:
        check_equal(file.read().count("where rank"), 4, "lines of the program")


@test("a log that can't be written is an error that names it")
def _(directory):
    graph, prefix = chain(directory, 2), os.path.join(directory, "runs")
    os.symlink("/dev/full", prefix + ".log")
    words = [*plain_launcher("openmpi", 2), app("where", "openmpi")]
    result = firma("map", graph, "-o", prefix, "--run", "--", *words).expect(4)
    check(prefix + ".log" in result.err and "No space" in result.err, result.err)


@test("srun gets the mapping's hosts, with a note that the user's own srun is used")
def _(directory):
    graph, prefix = chain(directory, 2), os.path.join(directory, "runs")
    environment = {**made_srun(directory), "SLURM_HOSTFILE": "mine"}
    result = firma("map", graph, "-o", prefix, "--repeat", 1, "--run", "--", "env", "X=1", "srun", "-n2", "true",
                   env=environment).expect(0)
    check("SLURM_HOSTFILE is set" in result.err, result.err)
    with open(prefix + ".log", encoding="utf-8") as file:
        given, mapped = re.findall(r"^srun hostfile=(\S*) words=(.*)$", file.read(), re.M)
    check_equal(given, ("mine", "-n2 true"), "the command as it is")
    check_equal(mapped[0], prefix + ".slurm-hosts", "the mapped command's hosts")
    check(mapped[1].startswith("--nodes=1 --ntasks=2 --distribution=arbitrary"), mapped[1])


@test("options that choose hosts hold for the command as it is, and the mapping's take their place")
def _(directory):
    graph, prefix, environment = chain(directory, 2), os.path.join(directory, "runs"), made_srun(directory)
    for words in (["-w", "a"], ["--nodelist=a"], ["-wa"], ["-N", "2"], ["--nodes=2"], ["-x", "b", "--exclude=c"]):
        firma("map", graph, "-f", "-o", prefix, "--repeat", 1, "--run", "--", "srun", *words, "-n2", "true", "-w", "x",
              env=environment).expect(0)
        with open(prefix + ".log", encoding="utf-8") as file:
            given, mapped = re.findall(r"^srun hostfile=\S* words=(.*)$", file.read(), re.M)
        check_equal(given, " ".join([*words, "-n2", "true", "-w", "x"]), "the command as it is")
        check(mapped.startswith("--nodes=1 ") and mapped.endswith("-n2 true -w x"), mapped)
        check_equal([word for word in words if word in mapped.split("-n2")[0].split()], [], "words of the mapped command")


@test("a command that places its ranks itself is refused by its option's name, and nothing is written")
def _(directory):
    graph, environment = chain(directory, 2), made_srun(directory)
    openmpi, mpich = plain_launcher("openmpi", 2), plain_launcher("mpich", 2)
    for words, said in (
            ([*openmpi, "--map-by", "node"], "--map-by"),
            ([*openmpi, "-rf", "f"], "-rf"), ([*openmpi, "--bind-to", "none"], "--bind-to"),
            ([*openmpi, "--rank-by", "core"], "--rank-by"), ([*openmpi, "--cpu-set", "0"], "--cpu-set"),
            ([*openmpi, "--mca", "rmaps_base_mapping_policy", "node"], "rmaps_base_mapping_policy"),
            ([*mpich, "-bind-to", "core"], "-bind-to"), ([*mpich, "-map-by", "core"], "-map-by"),
            (["srun", "-n", "2", "-mblock"], "-mblock"), (["srun", "--distribution=cyclic"], "--distribution"),
            (["srun", "--cpu-bind=cores"], "--cpu-bind")):
        program = app("where", "mpich" if words[0] == mpich[0] else "openmpi")
        result = run([FIRMA, "map", graph, "-o", os.path.join(directory, "no"), "--run", "--", *words, program],
                     env=environment).expect(2)
        check(f" {said}" in result.err and "the mapping says" in result.err, f"{words}: {result.err}")
    check(not os.path.exists(os.path.join(directory, "no.rankfile")), "a file was written")


@test("another number of ranks than tasks is refused with both numbers")
def _(directory):
    graph, environment = chain(directory, 2), made_srun(directory)
    for words in ([*plain_launcher("openmpi", 3), app("where", "openmpi")],
                  [*plain_launcher("mpich", 3), app("where", "mpich")], ["srun", "-n3", "true"],
                  ["srun", "--ntasks=3", "true"]):
        result = run([FIRMA, "map", graph, "--run", "--", *words], env=environment).expect(2)
        check("3 ranks" in result.err and "2 tasks" in result.err, f"{words}: {result.err}")


@test("inputs that can't be run, or are no mappings, are refused by name")
def _(directory):
    graph = chain(directory, 2)
    program = app("where", "mpich")
    for words, said in (
            (["--run"], "--run"),
            (["--", "mpirun", program], "--run"),
            (["--platform", "1x2:1us,1GB/s", "--run", "--", *launcher("mpich", 2), program], "made-up"),
            (["--repeat", "0", "--run", "--", "mpirun", program], "--repeat"),
            (["--run", "--", "env", "X=1", program], "launcher"),
            (["--run", "--", *launcher("mpich", 1), program, ":", "-n", "1", program], "another program"),
            (["--given", "0"], "--given"),
            (["--given", "0,1,2"], "--given"),
            (["--given", "0,-1"], "--given"),
            (["--given", "0,4711"], "4711"),
            (["--given", "0,0", "--slots", "1"], "--slots 1"),
            (["--given", "0,0", "--mapper", "block"], "either")):
        result = run([FIRMA, "map", graph, *words], cwd=directory).expect(2)
        check(said in result.err, f"{words}: {result.err}")


@test("a name that no launcher could read is refused before anything is written")
def _(directory):
    machine = machine_of(directory, ["anna; rm", "otto"], 2)
    result = firma("map", chain(directory, 2), "--machine", machine, "-o", os.path.join(directory, "odd")).expect(3)
    check("anna; rm" in result.err, result.err)
    check(not os.path.exists(os.path.join(directory, "odd.rankfile")), "a file was written")


if __name__ == "__main__":
    main()
