# SPDX-License-Identifier: BSD-3-Clause
"""Hosts that are namespaces of this machine, on an emulated network with known rate and delay.

    with Hosts(2, delay_us=200, rate_mbps=100) as hosts:
        subprocess.run(hosts.on("hosta") + ["mpirun", …, hosts.agent, …])

The hosts are named hosta, hostb …, at 10.66.0.1, .2 …. Each has its own network (device eth0), host name, /etc/hosts, shared
memory, and boot id. With `clocks`, a host also has its own monotonic clock. Files and processors are shared. `hosts.agent`
starts commands on the hosts, like rsh and ssh: AGENT HOST WORDS…, passed to a shell there in a fresh environment. The hosts
share a process namespace, whose end ends all their processes: when the context is left, and also if this process dies in
whatever way. Nothing remains but the files that programs wrote.

link.c describes the network's behaviour; hosts.sh makes the hosts. Both need root, and the program `link`, whose path is in
the environment variable LINK. `python3 hosts.py [DELAY_US RATE_MBPS]` gives a shell on hosta."""

import json
import os
import shutil
import string
import subprocess
import sys
import tempfile

NEEDED = ("bash", "unshare", "nsenter", "ip")
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

ENTER = """#!/bin/sh
# Executes the words on a host: enter HOST WORDS…
host=$1
shift
[ -s "{directory}/$host.pid" ] || {{ echo "$host: no such host" >&2; exit 255; }}
pid=$(cat "{directory}/$host.pid")
exec nsenter --target="$pid" --net --uts --ipc --mount --time --wdns="$PWD" -- "$@"
"""
AGENT = """#!/bin/sh
# Gives the words to a shell on a host: agent [-l USER] [-OPTION] HOST [-OPTION] WORDS…
skip_options() {{
    skipped=0
    while :; do
        case ${{1:-}} in
        -l | -o | -p) skipped=$((skipped + 2)); shift 2 ;;
        -*) skipped=$((skipped + 1)); shift ;;
        *) break ;;
        esac
    done
}}
skip_options "$@"
shift $skipped
host=$1
shift
skip_options "$@"
shift $skipped
cd "$HOME" || exit 255
local="{directory}/$host.local"
exec "{directory}/enter" "$host" env -i PATH="{path}" HOME="$HOME" USER="${{USER:-root}}" SHELL=/bin/sh {environment} \\
    /bin/sh -c "$*"
"""


def why_not(link=None, shaper="link"):
    """Returns the reason why hosts can't be made here, or None."""
    link = link or os.environ.get("LINK", "")
    if os.geteuid() != 0:
        return "hosts that are namespaces need root"
    if missing := [name for name in NEEDED if not shutil.which(name)]:
        return f"hosts that are namespaces need {', '.join(missing)}"
    if shaper == "link" and not os.access(link, os.X_OK):
        return "the program `link` isn't built (LINK names it)"
    if shaper == "link" and not os.access("/dev/net/tun", os.R_OK | os.W_OK):
        return "emulated links need /dev/net/tun"
    tried = subprocess.run(["unshare", "--mount", "--pid", "--net", "--uts", "--ipc", "--time", "--fork", "true"],
                           capture_output=True, text=True, check=False)
    return f"namespaces can't be made: {tried.stderr.strip()}" if tried.returncode else None


class Hosts:
    """`clocks` maps hosts to the seconds by which their monotonic clock is ahead. `environment` is the environment of a login
    on any host, where $host is its name and $local a directory of its own. With two `networks`, all hosts also have a device
    eth1, at 10.67.0.1 …; their names stand for the addresses of the first network. Raises RuntimeError if the hosts can't be made;
    the reason is on standard error."""

    def __init__(self, n=2, delay_us=200, rate_mbps=100, clocks=None, environment=None, shaper="link", link=None, networks=1):
        self.names = ["host" + string.ascii_lowercase[i] for i in range(n)]
        self.addresses = [f"10.66.0.{i + 1}" for i in range(n)]
        self.delay_us, self.rate_mbps, self.shaper = delay_us, rate_mbps, shaper
        self._link = link or os.environ.get("LINK", "")
        self._networks = networks
        self._clocks, self._environment = clocks or {}, environment or {}
        self._directory = self._first = None

    def __enter__(self):
        self._directory = tempfile.mkdtemp(prefix="firma-hosts-")
        try:
            self._write_files()
            self._start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        if self._first:
            self._first.stdin.close()
            try:
                self._first.wait(10)
            except subprocess.TimeoutExpired:
                self._first.kill()  # the namespace's first process; its end ends all others
                self._first.wait()
            self._first.stdout.close()
        shutil.rmtree(self._directory, ignore_errors=True)

    @property
    def first_pid(self):
        """The parent of all processes on the hosts."""
        return self._first.pid

    @property
    def agent(self):
        """The command that starts commands on a host. Works only on hosts."""
        return self.path("agent")

    @property
    def enter(self):
        """The command that executes words on a host, in the same environment. Also works on hosts."""
        return self.path("enter")

    def path(self, name):
        """The path of a file beside the hosts' own. It is removed with the hosts."""
        return os.path.join(self._directory, name)

    def on(self, name):
        """The words before a command that execute it on a host."""
        proc = f"/proc/{self._first.pid}/ns"
        return ["nsenter", f"--pid={proc}/pid_for_children", f"--mount={proc}/mnt", f"--wdns={os.getcwd()}", "--",
                self.enter, name]

    def address(self, name, network=0):
        return f"10.{66 + network}.0.{self.names.index(name) + 1}"

    def hosts_file(self, network=0):
        """A file for `firma comm --hosts`, with the addresses of a network. Each host has all processors, but begins with
        a different one."""
        cpus = sorted(os.sched_getaffinity(0))
        lines = []
        for i, name in enumerate(self.names):
            address = self.address(name, network)
            own = [cpus[(i + k) % len(cpus)] for k in range(len(cpus))]
            lines.append(f"{name} {address} {','.join(map(str, own))}\n")
        self._write("firma-hosts", "".join(lines))
        return self.path("firma-hosts")

    def _write(self, name, text, mode=0o644):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(file.name, mode)

    def _write_files(self):
        lines = [f"{address} {name}\n" for name, address in zip(self.names, self.addresses)]
        self._write("hosts", "".join(["127.0.0.1 localhost\n", *lines]))
        for name in self.names:
            os.mkdir(self.path(name + ".local"))
        self._write("enter", ENTER.format(directory=self._directory), 0o755)
        environment = " ".join(f'{name}="{value}"' for name, value in self._environment.items())
        self._write("agent", AGENT.format(directory=self._directory, path=PATH, environment=environment), 0o755)

    def _start(self):
        script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "hosts.sh")
        hosts = [f"{name}:{self._clocks[name]}" if name in self._clocks else name for name in self.names]
        self._first = subprocess.Popen(
            ["unshare", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc", script, self._directory,
             self._link, self.shaper, str(self.delay_us), str(self.rate_mbps), str(self._networks), *hosts],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True)
        if self._first.stdout.readline() != "ready\n":
            raise RuntimeError(f"the hosts {', '.join(self.names)} could not be made")


def exchange(hosts, rounds, root="hosta", peer="hostb", network=0):
    """Returns {bytes: shortest half round trip} between two hosts by plain sockets. `rounds` is {bytes: number}."""
    sizes = [f"{size}:{n}" for size, n in rounds.items()]
    program = [sys.executable, os.path.join(os.path.dirname(os.path.abspath(__file__)), "exchange.py")]
    with subprocess.Popen(hosts.on(peer) + program + ["echo", *sizes], stdout=subprocess.PIPE, text=True) as echo:
        port = echo.stdout.readline().strip()
        timed = subprocess.run(hosts.on(root) + program + ["time", hosts.address(peer, network), port, *sizes], stdout=subprocess.PIPE,
                               text=True, check=True)
    return {int(size): time_s for size, time_s in json.loads(timed.stdout).items()}


if __name__ == "__main__":
    if reason := why_not():
        sys.exit(reason)
    with Hosts(2, *map(float, sys.argv[1:3])) as shell_hosts:
        print(f"hosts {' '.join(shell_hosts.names)}, agent {shell_hosts.agent}", file=sys.stderr)
        sys.exit(subprocess.call(shell_hosts.on("hosta") + [os.environ.get("SHELL", "/bin/sh")]))
