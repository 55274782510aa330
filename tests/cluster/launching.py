# SPDX-License-Identifier: BSD-3-Clause
"""The cluster of a test program, and what its launchers start: mpirun and mpiexec by ssh, and srun by Slurm.

Sometimes a launch hangs, also without firma: MPICH over UCX in MPI_Finalize, where one process waits for an answer of another
that already waits for the launcher, on three nodes in one of five launches; and srun, if a slurmstepd crashes at its start, in
one of 85 launches at load 25. So each launch has a limit, and is repeated; a launcher that hangs each time is a reason to skip."""

import atexit
import collections
import os
import re
import shutil
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from cluster import Cluster, why_not  # noqa: E402
from harness import FIRMA, Result, Skip, app, check_equal, events_said, run  # noqa: E402

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


def node_files(name, folder):
    return on_cluster(["ls", "-A", folder], name).expect(0).out.split()


def own_folders(name):
    """The path of a new folder that each node has for itself."""
    own = "/tmp/" + re.sub(r"\W+", "-", name)
    for node in cluster().names:
        on_cluster(["mkdir", "-p", own], node).expect(0)
    return own


def check_own_folders(own, result):
    """Checks that the folders are empty."""
    if not result.hung:  # what a launch recorded that was killed stays on its nodes
        check_equal({node: node_files(node, own) for node in cluster().names}, {node: [] for node in cluster().names},
                    "files left")
