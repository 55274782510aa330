# SPDX-License-Identifier: BSD-3-Clause
"""A cluster of three nodes on this machine: the hosts of tests/links, with ssh, Slurm, a shared folder, and /tmp of their own.

    with Cluster(programs="build/cluster") as cluster:
        cluster.run("hosta", ["mpirun", "--host", "hosta,hostb", …])
        cluster.run("hosta", ["srun", "-N", "2", …])

The nodes share the folder `cluster.shared`, where the user's home is, too; /tmp, /run and shared memory are each node's own, and
so are its network, name and clock. Real programs of Debian's run there: sshd, munged, slurmctld on hosta and slurmd. `programs`
is where tools/cluster.sh unpacked them; without it, they must be installed. Nothing of this machine changes, and everything
ends with the context, as with Hosts."""

import os
import secrets
import shutil
import signal
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "links"))
from hosts import PATH, Hosts  # noqa: E402
from hosts import why_not as why_no_hosts  # noqa: E402

DAEMONS = ("munged", "sshd", "slurmctld", "slurmd", "srun")
READY_LIMIT_S = 120
LOOK_EVERY_S = 0.1
# Programs of a node may use its network alone. Open MPI and MPICH (UCX) can't tell by themselves which that is.
ENVIRONMENT = {
    "PATH": PATH, "USER": "root", "LANG": "C.UTF-8",
    "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_pml": "ob1", "OMPI_MCA_btl": "self,vader,tcp", "OMPI_MCA_mpi_yield_when_idle": "1",
    "OMPI_MCA_btl_tcp_if_include": "eth0", "OMPI_MCA_oob_tcp_if_include": "eth0",
    "UCX_NET_DEVICES": "eth0", "UCX_TLS": "self,posix,tcp",
}
SLURM = """ClusterName=firma
SlurmctldHost=hosta
SlurmUser=root
AuthType=auth/munge
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
ReturnToService=2
SwitchType=switch/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=batch_sched_delay=0,sched_interval=1,bf_interval=1
SlurmdParameters=config_overrides
SlurmctldPidFile=/run/slurm/slurmctld.pid
SlurmdPidFile=/run/slurm/%n.pid
SlurmdSpoolDir=/run/slurm/spool
StateSaveLocation=/run/slurm/state
KillWait=2
InactiveLimit=0
{nodes}
PartitionName=all Nodes=ALL Default=YES State=UP OverSubscribe=FORCE:8
"""
CGROUP = """CgroupPlugin=cgroup/v1
"""
SSHD = """UsePAM no
PermitRootLogin prohibit-password
PasswordAuthentication no
HostKey /etc/ssh/host_key
StrictModes no
PidFile none
"""
SSH = """Host *
    IdentityFile ~/.ssh/id_ed25519
    GlobalKnownHostsFile /etc/ssh/known_hosts
    BatchMode yes
"""


def why_not(programs):
    """Returns the reason why a cluster can't be made here, or None."""
    if reason := why_no_hosts():
        return reason
    places = [os.path.join(programs, "usr", folder) for folder in ("bin", "sbin")] + PATH.split(":")
    if missing := [name for name in DAEMONS if not any(os.access(os.path.join(place, name), os.X_OK) for place in places)]:
        return f"{', '.join(missing)}: not here; `tools/cluster.sh {programs}` gets what a cluster needs"
    if missing := [name for name in ("ssh", "ssh-keygen") if not shutil.which(name)]:
        return f"{', '.join(missing)}: not installed"
    tried = subprocess.run(["unshare", "--mount", "mount", "-t", "overlay", "overlay", "-o", f"lowerdir={HERE}:/etc", "/etc"],
                           capture_output=True, text=True, check=False)
    return f"the nodes' /etc can't be made: {tried.stderr.strip()}" if tried.returncode else None


class Cluster(Hosts):
    """`shared` folders of this machine are also the nodes' own if they are in /tmp; elsewhere, all folders are shared.
    `shell` is the user's login shell. Further arguments are those of Hosts."""

    def __init__(self, n=3, programs="/", shared=(), shell="/bin/sh", **options):
        super().__init__(n, **options)
        self._programs, self._also_shared, self._shell = os.path.abspath(programs), shared, shell
        self._holders = self._daemons = frozenset()
        self._network_spaces = {}
        self.started_in_s = 0  # how long it took to make the cluster

    def __enter__(self):
        begin = time.monotonic()
        super().__enter__()
        try:
            self._prepare()
            self._note_holders()
            self._start_nodes()
            self._daemons = self._processes()
            self.started_in_s = time.monotonic() - begin
        except BaseException:
            self.__exit__()
            raise
        return self

    @property
    def shared(self):
        """The folder that all nodes share. It is removed with the cluster."""
        return self.path("shared")

    def command(self, name, words):
        """The command line that executes words on a node, as after a login, in the shared folder."""
        variables = {**ENVIRONMENT, "HOME": self.path("shared/home")}
        return self.on(name) + ["env", "-i", "-C", self.shared, *(f"{key}={value}" for key, value in variables.items()), *words]

    def run(self, name, words, limit_s, meanwhile=None):
        """Runs words on a node; returns the completed process, or None after limit_s. Then nothing of them runs any more.
        Calls `meanwhile` every now and then, until it returns True."""
        end = time.monotonic() + limit_s
        with subprocess.Popen(self.command(name, words), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, errors="replace") as process:
            while True:
                try:
                    out, err = process.communicate(timeout=LOOK_EVERY_S if meanwhile else limit_s)
                    return subprocess.CompletedProcess(words, process.returncode, out, err)
                except subprocess.TimeoutExpired:
                    if meanwhile and meanwhile():
                        meanwhile = None
                    if time.monotonic() > end:
                        self.end_programs()
                        process.kill()
                        process.communicate()
                        return None

    def programs(self):
        """The process ids, on this machine, of all processes on the nodes that began after the cluster was ready."""
        return self._processes() - self._daemons

    def end_programs(self):
        """Kills all those processes."""
        for pid in self.programs():
            self.kill(pid)
        self.run(self.names[0], ["scancel", "--user=root"], 60)

    def kill_node(self, name):
        """Kills all processes of a node, but the one that keeps the node alive."""
        for pid in self._processes():
            try:
                is_there = os.readlink(f"/proc/{pid}/ns/net") == self._network_spaces[name]
            except OSError:
                continue
            if is_there and pid not in self._holders:
                self.kill(pid)

    def declare_dead(self, name):
        """Tells Slurm that a node is dead. Slurm finds that out by itself after SlurmdTimeout, by default 300 s."""
        self.run(self.names[0], ["scontrol", "update", f"NodeName={name}", "State=DOWN", "Reason=dead"], READY_LIMIT_S)

    def revive_node(self, name):
        """Starts the daemons of a node whose processes were killed."""
        before = self._processes()
        subprocess.run(self.on(name) + [self.path("daemons.sh"), self._directory, name], stdin=subprocess.DEVNULL,
                       check=True)
        self._wait_until_ready()
        self._daemons |= self._processes() - before

    @staticmethod
    def kill(pid):
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass

    def _processes(self):
        """The process ids, on this machine, of all processes on the nodes."""
        space = os.readlink(f"/proc/{self.first_pid}/ns/pid_for_children")
        found = set()
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                if os.readlink(f"/proc/{pid}/ns/pid") == space:
                    found.add(int(pid))
            except OSError:
                continue
        return found

    def _note_holders(self):
        """To be called before anything else runs on the nodes."""
        self._holders = self._processes()
        self._network_spaces = {name: self.run(name, ["readlink", "/proc/self/ns/net"], READY_LIMIT_S).stdout.strip()
                          for name in self.names}

    def _prepare(self):
        """Writes what the nodes have in /etc, and the user's home."""
        for folder in ("etc/ssh", "etc/slurm", "etc/munge", "shared/home/.ssh"):
            os.makedirs(self.path(folder), mode=0o755)
        users = open("/etc/passwd", encoding="utf-8", errors="surrogateescape").read().splitlines()
        others = [line for line in users if line.split(":")[0] not in ("root", "sshd")]
        passwd = [f"root:x:0:0:root:{self.path('shared/home')}:{self._shell}",
                  "sshd:x:65533:65534::/run/sshd:/usr/sbin/nologin", *others]
        self._write("etc/passwd", "\n".join(passwd) + "\n")
        self._write("etc/shadow", "root:*:19000:0:99999:7:::\nsshd:!:19000::::::\n", 0o640)
        shutil.copy(self.path("hosts"), self.path("etc/hosts"))
        shutil.copy(os.path.join(HERE, "daemons.sh"), self.path("daemons.sh"))  # nodes may not see the machine's /tmp
        for place, key in (("etc/ssh", "host_key"), ("shared/home/.ssh", "id_ed25519")):
            subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", self.path(f"{place}/{key}")], check=True)
        shutil.copy(self.path("shared/home/.ssh/id_ed25519.pub"), self.path("shared/home/.ssh/authorized_keys"))
        host_key = open(self.path("etc/ssh/host_key.pub"), encoding="ascii").read()
        self._write("etc/ssh/known_hosts", "".join(f"{name},{address} {host_key}"
                                                   for name, address in zip(self.names, self.addresses)))
        self._write("etc/ssh/sshd_config", SSHD)
        self._write("etc/ssh/ssh_config", SSH)
        nodes = "".join(f"NodeName={name} NodeAddr={address} CPUs=8 State=UNKNOWN\n"
                        for name, address in zip(self.names, self.addresses))
        self._write("etc/slurm/slurm.conf", SLURM.format(nodes=nodes))
        self._write("etc/slurm/cgroup.conf", CGROUP)
        self._write("etc/munge/munge.key", secrets.token_hex(64), 0o400)

    def _start_nodes(self):
        shared = [self._directory, *map(os.path.abspath, self._also_shared)]
        script = [os.path.join(HERE, "node.sh"), self._directory]
        starting = [(name, subprocess.Popen(self.on(name) + [*script, name, self._programs, *shared], stdin=subprocess.DEVNULL))
                    for name in self.names]
        for name, process in starting:
            if process.wait():
                raise RuntimeError(f"the node {name} could not be made: {self._logged(name)}")
        self._wait_until_ready()

    def _wait_until_ready(self):
        end = time.monotonic() + READY_LIMIT_S
        while not self._is_ready():
            if time.monotonic() > end:
                raise RuntimeError(f"the nodes are not ready after {READY_LIMIT_S} s: {self._logged(self.names[0])}")
            time.sleep(0.1)

    def _is_ready(self):
        states = self.run(self.names[0], ["sinfo", "-h", "-N", "-o", "%T"], READY_LIMIT_S).stdout.split()
        return states == ["idle"] * len(self.names)

    def _logged(self, name):
        logs = [self.path(file) for file in sorted(os.listdir(self._directory)) if file.startswith(name + ".log")]
        return "\n".join(text for log in logs for text in open(log, errors="replace").read().splitlines()[-5:])
