#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Tests the emulated network: its rate and delay are as given, and hosts are separate and leave nothing behind.

On every machine, a link is never faster than given. How much slower it is depends on other load, so that bound is loose.
bench/comm_links.py prints how precise it is."""

import os
import shutil
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from harness import Skip, check, check_equal, main, run, test  # noqa: E402
from hosts import Hosts, exchange, why_not  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
ONE_BYTE_FRAME = 91  # with the headers of TCP and IP, a time stamp, and Ethernet's own bytes


def hosts(*arguments, **options):
    """Makes hosts, or skips with the reason."""
    if reason := why_not(shaper=options.get("shaper", "link")):
        raise Skip(reason)
    return Hosts(*arguments, **options)


def said(result):
    return result.expect(0).out.strip()


@test("a message takes the delay and its time on the wire, and not less")
def takes_delay_and_wire():
    for delay_us, rate_mbps in ((200, 100), (50, 1000), (1000, 10)):
        with hosts(2, delay_us, rate_mbps) as pair:
            least_us = delay_us + ONE_BYTE_FRAME * 8 / rate_mbps
            found_us = exchange(pair, {1: 50})[1] * 1e6
            check(least_us <= found_us < least_us + 5000, f"{found_us:.1f} us, where the link takes {least_us:.1f}")


@test("a stream's bandwidth is the link's rate without the headers")
def bandwidth_is_the_rate():
    with hosts(2, 200, 100) as pair:
        # A busy machine only makes times longer, so it can't hide a link that is too fast.
        bandwidth = (1 << 22) / exchange(pair, {1 << 22: 5})[1 << 22]
        share = bandwidth / (100e6 / 8 * 1448 / 1538)
        check(0.5 < share < 1.005, f"{share:.4f} of the rate")


@test("a host's clock can be ahead of another's")
def a_clock_ahead():
    with hosts(2, clocks={"hostb": 5000}) as pair:
        clocks = [float(said(run(pair.on(name) + ["cut", "-d ", "-f1", "/proc/uptime"]))) for name in pair.names]
        check(4999 < clocks[1] - clocks[0] < 5060, f"clocks {clocks}")


@test("the agent gives words to a shell on the other host, in a fresh environment")
def agent_is_like_rsh():
    with hosts(2, environment={"GREETING": "hello $host"}) as pair:
        command = pair.on("hosta") + [pair.agent, "-l", "root", "hostb", "-n", "echo $GREETING '$HOME' \"$FROM_HERE\";",
                                      "hostname"]
        check_equal(said(run(command, env={"FROM_HERE": "seen"})), "hello hostb $HOME \nhostb", "what the shell said")
        check_equal(run(pair.on("hosta") + [pair.agent, "hostz", "true"]).status, 255, "status for an unknown host")


@test("hosts share neither name, boot number nor shared memory")
def hosts_are_strangers():
    with hosts(2) as pair:
        words = ["sh", "-c", "hostname; cat /proc/sys/kernel/random/boot_id; ls /dev/shm; touch /dev/shm/left; "
                 "readlink /proc/self/ns/ipc /proc/self/ns/net"]
        found = [said(run(pair.on(name) + words)).splitlines() for name in pair.names]
        check_equal([len(lines) for lines in found], [4, 4], "lines, with nothing in shared memory")
        check(not set(found[0]) & set(found[1]), f"the hosts have in common: {set(found[0]) & set(found[1])}")


@test("each of three hosts reaches each other one")
def three_hosts():
    if not shutil.which("ping"):
        raise Skip("ping isn't installed")
    with hosts(3) as three:
        for name in three.names:
            for other in three.names:
                run(three.on(name) + ["ping", "-c", "1", "-W", "5", other]).expect(0)


@test("hosts with two networks reach each other by either, and each has its own device")
def two_networks():
    with hosts(2, networks=2) as pair:
        for network in (0, 1):
            found = exchange(pair, {100000: 2}, network=network)
            check(found[100000] >= 200e-6, f"{found} s")
        counted = said(run(pair.on("hosta") + ["cat", "/proc/net/dev"]))
        sent = {line.split(":")[0].strip(): int(line.split(":")[1].split()[8]) for line in counted.splitlines()[2:]}
        for device in ("eth0", "eth1"):
            check(200000 <= sent[device] < 400000, f"bytes that were sent: {sent}")


def processes_under(pid):
    """Returns a process and its descendants."""
    found = [pid]
    for entry in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{entry}/stat", encoding="ascii", errors="replace") as stat:
                parent = int(stat.read().rsplit(")", 1)[1].split()[1])
        except (OSError, IndexError):
            continue
        if parent == pid:
            found += processes_under(int(entry))
    return found


def left_of(pids, limit_s=10):
    """Returns those of the processes that still exist after limit_s."""
    end = time.monotonic() + limit_s
    while (left := [pid for pid in pids if os.path.exists(f"/proc/{pid}")]) and time.monotonic() < end:
        time.sleep(0.05)
    return left


@test("nothing is left of hosts: no process, also of daemons, and no file")
def nothing_is_left():
    with hosts(2) as pair:
        run(pair.on("hostb") + ["sh", "-c", "setsid sleep 600 </dev/null >/dev/null 2>&1 &"]).expect(0)
        pids, directory = processes_under(pair.first_pid), os.path.dirname(pair.agent)
        check(len(pids) >= 6, f"only {len(pids)} processes")
    check_equal(left_of(pids), [], "processes left")
    check(not os.path.exists(directory), f"{directory} is left")


KILLED = """
import sys, time
sys.path.insert(0, {here!r})
from hosts import Hosts
with Hosts(2) as hosts:
    print(hosts.first_pid, hosts.agent, flush=True)
    time.sleep(600)
"""


@test("nothing is left of hosts whose maker is killed")
def nothing_is_left_when_killed():
    hosts()  # skips without hosts
    maker = subprocess.Popen([sys.executable, "-c", KILLED.format(here=HERE)], stdout=subprocess.PIPE, text=True)
    pid, agent = maker.stdout.readline().split()
    pids = processes_under(int(pid))
    maker.send_signal(signal.SIGKILL)
    maker.wait()
    maker.stdout.close()
    check_equal(left_of(pids), [], "processes left")
    check(not os.path.exists(os.path.dirname(agent)), f"{os.path.dirname(agent)} is left")


@test("what is no link is refused")
def what_is_no_link():
    link = os.environ.get("LINK", "")
    if not os.path.exists(link):
        raise Skip("the program `link` isn't built")
    for arguments in (["200", "100", "eth0", "/proc/self/ns/net"], ["-1", "100", "eth0", "a", "b"], ["200", "0", "eth0", "a", "b"]):
        result = run([link, *arguments]).expect(2)
        check("usage" in result.err, f"no usage\n{result}")


if __name__ == "__main__":
    main()
