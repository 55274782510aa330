# SPDX-License-Identifier: BSD-3-Clause
"""A network of this test's own, so that what other programs send on this host's interfaces isn't counted as firma's."""

import contextlib
import ctypes
import os
import shutil
import socket
import subprocess

CLONE_NEWNS, CLONE_NEWNET = 0x00020000, 0x40000000
OUTWARD = "10.213.0.1/24"  # of an interface beside the loopback, which MPI libraries prefer


def _run(*words):
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL)


def enter():
    """This process, and those that it starts from now on, get interfaces of their own: `lo` and `eth0`. This host's name keeps
    its addresses. Without root or iproute2, nothing changes."""
    if os.geteuid() != 0 or not shutil.which("ip"):
        return
    addresses = set()
    with contextlib.suppress(OSError):
        addresses = {entry[4][0] for entry in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)}
    if ctypes.CDLL(None).unshare(CLONE_NEWNET | CLONE_NEWNS) != 0:
        return
    _run("mount", "--make-rprivate", "/")
    _run("mount", "-t", "sysfs", "sysfs", "/sys")  # MPI libraries look up interfaces there
    _run("ip", "link", "set", "lo", "up")
    _run("ip", "link", "add", "eth0", "type", "veth", "peer", "name", "eth1")
    for name in ("eth0", "eth1"):
        _run("ip", "link", "set", name, "up")
    _run("ip", "address", "add", OUTWARD, "dev", "eth0")
    for address in sorted(addresses):
        if not address.startswith("127."):
            _run("ip", "address", "add", f"{address}/32", "dev", "eth0")
