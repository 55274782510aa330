# SPDX-License-Identifier: BSD-3-Clause
"""Saves and restores jobs on several hosts by DMTCP alone, without firma. Reports how many cycles succeed, and what fails.

A cycle saves a job of tests/apps/resting in the middle of its communication, ends it, restores it, lets it run to its end,
and compares the checksum with that of an uninterrupted run. The hosts are nodes of tests/cluster; mpirun starts processes on
them by ssh. All messages go over TCP, which is what DMTCP can save between hosts. The cases say where the job ran and where it
is restored:

    one host        hosta, then hosta
    another host    hosta, then hostc, which has another name and address
    same hosts      hosta and hostb, then the same
    other hosts     hosta and hostb, then hostc and hostd

Needs root, `make dmtcp` and `make cluster`.

    python3 bench/checkpoint_hosts.py [--cycles 50] [--ranks 2] [--saves 5] [--mpi openmpi] [--case "same hosts"] [--dmtcp DIR]
                                      [--json FILE]
"""

import argparse
import collections
import json
import os
import re
import shutil
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BUILD = os.path.join(ROOT, "build")
os.environ.setdefault("LINK", os.path.join(BUILD, "tests/links/link"))
sys.path.insert(0, os.path.join(ROOT, "tests/cluster"))
from cluster import Cluster, why_not  # noqa: E402

CASES = {"one host": (["hosta"], ["hosta"]),
         "another host": (["hosta"], ["hostc"]),
         "same hosts": (["hosta", "hostb"], ["hosta", "hostb"]),
         "other hosts": (["hosta", "hostb"], ["hostc", "hostd"])}
STEPS, STOP = 40, 12
LIMIT_S, ASK_LIMIT_S = 60, 40
# For a user of /bin/sh, Open MPI's mpirun gives ssh a command in parentheses. DMTCP makes a syntax error of it.
SHELL = "/bin/bash"
# Without PMIx's shared files, and without hwloc's device files, which DMTCP can't save. Open MPI's daemons get them by login.
VARIABLES = ["OMPI_MCA_btl=self,tcp", "PMIX_MCA_gds=hash", "HWLOC_COMPONENTS=-linux:io", "UCX_TLS=self,tcp",
             "UCX_MEM_EVENTS=no", "DMTCP_GZIP=0", "DMTCP_TMPDIR=/tmp"]


def openmpi(hosts, ranks):
    places = ",".join(f"{host}:{ranks}" for host in hosts)
    return ["mpirun.openmpi", "--oversubscribe", "--bind-to", "none", "--map-by", "node", "--host", places, "-n", str(ranks)]


def mpich(hosts, ranks):
    return ["mpiexec.mpich", "-launcher", "ssh", "-iface", "eth0", "-hosts", ",".join(hosts), "-n", str(ranks)]


LAUNCHERS = {"openmpi": openmpi, "mpich": mpich}


class Failure(Exception):
    """A cycle failed; the message says in which step, and what DMTCP said."""


def read(path):
    if not os.path.exists(path):
        return ""
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


def checksum(text):
    return next(iter(re.findall(r"^checksum \w+$", text, re.M)), None)


def complaint(text):
    """What DMTCP complains about, without what differs between cycles; warnings only if there is nothing worse."""
    lines = [line for line in text.splitlines() if re.search(r"^ASSERT|^ERROR|Still draining", line)]
    lines = lines or [line for line in text.splitlines() if "failed" in line]
    return re.sub(r"0x[0-9a-f]+|\d+", "N", lines[0]) if lines else "no message"


class Job:
    """A job under DMTCP in a folder that the nodes share. Its programs run on the nodes until end()."""

    def __init__(self, cluster, dmtcp, place):
        self._cluster, self._dmtcp, self.place = cluster, dmtcp, place
        self._started = []

    def path(self, name):
        return os.path.join(self.place, name)

    def _start(self, node, words, console):
        """DMTCP reads the parent's /proc, so the program gets a parent on its node: setsid. Open MPI's session directory is
        shared, because restored processes need its files."""
        variables = [*VARIABLES, f"OMPI_MCA_orte_tmpdir_base={self.path('session')}"]
        command = self._cluster.command(node, ["env", *variables, "setsid", "--fork", "--wait", *words])
        with open(self.path(console), "ab") as out:
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=out)
        self._started.append(process)
        return process

    def _until(self, what, is_done, processes=()):
        end_s = time.monotonic() + LIMIT_S
        while not is_done():
            ended = [process for process in processes if process.poll() is not None]
            if ended or time.monotonic() > end_s:
                reason = f"ended with status {ended[0].returncode}" if ended else f"not done after {LIMIT_S} s"
                raise Failure(f"{what}: {reason}: {self._complaint()}")
            time.sleep(0.02)

    def _complaint(self):
        """The consoles of a restored job come first, because the end of the first one makes its processes complain."""
        consoles = sorted((name for name in os.listdir(self.place) if name.startswith("console")), reverse=True)
        return complaint("".join(read(self.path(name)) for name in consoles))

    def _program(self, name):
        return os.path.join(self._dmtcp, "bin", name)

    def begin_coordinator(self, node, address, name):
        port = self.path(f"port-{name}")
        self._start(node, [self._program("dmtcp_coordinator"), "--port", "0", "--port-file", port, "--ckptdir",
                           self.path("images")], f"coordinator-{name}")
        self._until("coordinator", lambda: read(port).strip())
        return ["--coord-host", address, "--coord-port", read(port).strip()]

    def launch(self, node, coordinator, words):
        job = self._start(node, [self._program("dmtcp_launch"), "--join-coordinator", *coordinator, "--ckptdir",
                                 self.path("images"), *words], "console-launch")
        self._until("launch", lambda: any(name.startswith("asleep") for name in os.listdir(self.path("run"))), [job])

    def tell(self, node, coordinator, *words):
        done = self._cluster.run(node, [self._program("dmtcp_command"), *coordinator, *words], ASK_LIMIT_S)
        if done is None or done.returncode:
            reason = f"failed: {' '.join((done.stderr or done.stdout).split())}" if done else f"no answer in {ASK_LIMIT_S} s"
            raise Failure(f"dmtcp_command {words[-1]}: {reason}: {self._complaint()}")
        return done.stdout

    def save(self, node, coordinator):
        """Returns the images of each node."""
        processes = []

        def all_run():
            listed = self.tell(node, coordinator, "--list")
            processes[:] = re.findall(r"^\d+, .*\]@(\w+), ([\w-]+), WorkerState::(\w+)", listed, re.M)
            return processes and all(state == "RUNNING" for _, _, state in processes)

        self._until("save", all_run)
        self.tell(node, coordinator, "--bcheckpoint")
        names = [name for name in os.listdir(self.path("images")) if name.endswith(".dmtcp")]
        images = collections.defaultdict(list)
        for host, unique, _ in processes:
            images[host] += [self.path(os.path.join("images", name)) for name in names if unique in name]
        if sum(map(len, images.values())) != len(processes):
            raise Failure(f"save: {len(names)} images of {len(processes)} processes")
        return images

    def restore(self, node, coordinator, name, images):
        return self._start(node, [self._program("dmtcp_restart"), "--join-coordinator", *coordinator, "--ckptdir",
                                  self.path("images"), *images], f"console-restore-{name}")

    def finish(self, node, processes, expected):
        console = self.path(f"console-restore-{node}")  # the launcher's, which gets the output of dmtcp_restart
        self._until("restore", lambda: checksum(read(console)), processes[:1])
        if checksum(read(console)) != expected:
            raise Failure(f"restore: {checksum(read(console))} instead of {expected}")

    def end(self):
        """Also removes what DMTCP leaves in the nodes' own folders, which would be full after some cycles."""
        self._cluster.end_programs()
        for node in self._cluster.names:
            self._cluster.run(node, ["sh", "-c", "rm -rf /tmp/dmtcp-*"], LIMIT_S)
        for process in self._started:
            process.kill()
            process.wait()
        self._started.clear()


class Bench:
    def __init__(self, cluster, mpi, options):
        self._cluster, self._dmtcp, self._ranks, self._launcher = cluster, options.dmtcp, options.ranks, LAUNCHERS[mpi]
        self._program = os.path.join(BUILD, f"tests/apps/resting-{mpi}")
        self._saves, self._keep = options.saves, options.keep
        place = os.path.join(cluster.shared, "reference")
        os.makedirs(place, exist_ok=True)
        done = cluster.run("hosta", ["env", *VARIABLES, *self._words(["hosta"], place)], LIMIT_S)
        if not done or not checksum(done.stdout):
            sys.exit(f"{mpi} doesn't run here without DMTCP: {done.stderr if done else f'not done after {LIMIT_S} s'}")
        self._expected = checksum(done.stdout)

    def _words(self, hosts, run):
        return [*self._launcher(hosts, self._ranks), self._program, run, str(STEPS)]

    def cycle(self, before, after):
        """Returns the seconds to save and to restore."""
        job = Job(self._cluster, self._dmtcp, os.path.join(self._cluster.shared, "cycle"))
        shutil.rmtree(job.place, ignore_errors=True)
        for folder in ("run", "images", "session"):
            os.makedirs(job.path(folder))
        with open(job.path("run/stop"), "w", encoding="ascii") as file:
            file.write(f"{STOP}\n")
        address = dict(zip(self._cluster.names, self._cluster.addresses))
        try:
            coordinator = job.begin_coordinator(before[0], address[before[0]], "launch")
            job.launch(before[0], coordinator, self._words(before, job.path("run")))
            begin_s = time.monotonic()
            for _ in range(self._saves):
                images = job.save(before[0], coordinator)
            save_s = time.monotonic() - begin_s
            job.end()
            open(job.path("run/go"), "w", encoding="ascii").close()
            begin_s = time.monotonic()
            coordinator = job.begin_coordinator(after[0], address[after[0]], "restore")
            restored = [job.restore(node, coordinator, node, images[was]) for was, node in zip(before, after)]
            job.finish(after[0], restored, self._expected)
            return save_s, time.monotonic() - begin_s
        finally:
            job.end()
            if self._keep:
                shutil.copytree(job.place, self._keep, ignore=shutil.ignore_patterns("session"), dirs_exist_ok=True)


def measure(bench, mpi, case, cycles):
    good, failures = [], collections.Counter()
    for _ in range(cycles):
        try:
            good.append(bench.cycle(*CASES[case]))
        except Failure as failure:
            failures[str(failure)] += 1
    print(f"{mpi}, {case}: {len(good)} of {cycles} cycles succeeded")
    for failure, count in failures.most_common():
        print(f"  {count} times: {failure}")
    sys.stdout.flush()
    return {"mpi": mpi, "case": case, "cycles": cycles, "succeeded": len(good), "failures": failures}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cycles", type=int, default=50)
    parser.add_argument("--ranks", type=int, default=2)
    parser.add_argument("--saves", type=int, default=1, help="save the running job so many times, and restore the last state")
    parser.add_argument("--mpi", choices=sorted(LAUNCHERS), action="append")
    parser.add_argument("--case", choices=CASES, action="append")
    parser.add_argument("--dmtcp", default=os.path.join(BUILD, "dmtcp"), help="where DMTCP is installed")
    parser.add_argument("--keep", help="copy the last cycle's files into this folder")
    parser.add_argument("--json", help="also write the results there")
    options = parser.parse_args()
    programs = os.path.join(BUILD, "cluster")
    if reason := why_not(programs):
        sys.exit(reason)
    results = []
    with Cluster(4, programs, shared=[BUILD, os.path.abspath(options.dmtcp)], shell=SHELL, delay_us=50,
                 rate_mbps=1000) as cluster:
        with open(os.path.join(cluster.shared, "home/.bashrc"), "w", encoding="ascii") as file:
            file.writelines(f"export {variable}\n" for variable in VARIABLES)
        for mpi in options.mpi or sorted(LAUNCHERS):
            bench = Bench(cluster, mpi, options)
            results += [measure(bench, mpi, case, options.cycles) for case in options.case or CASES]
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump(results, file, indent=2)


if __name__ == "__main__":
    main()
