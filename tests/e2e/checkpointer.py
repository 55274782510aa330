# SPDX-License-Identifier: BSD-3-Clause
"""Common parts of the tests of checkpoints: whether jobs can be saved here, and which processes still run."""

import functools
import os

from harness import Skip, firma


@functools.cache
def _checks():
    return firma("doctor", "--json").expect(0, 1).json()["checks"]


def needs_checkpointer(back_end="criu"):
    """Skips the test, with the reason, if the back end can't save jobs here."""
    require(_checks(), back_end)


def require(checks, back_end):
    """Skips unless doctor's checks of the back end, and of saving under each MPI, succeeded."""
    found = [item for item in checks if item["check"].startswith((f"checkpoints by {back_end}", f"{back_end} under"))]
    if not found or any(item["finding"] != "ok" for item in found):
        raise Skip("; ".join(f"{item['check']}: {item['detail']}" for item in found) or "no checkpointer")
    return found[0]


def processes_that_name(directory):
    """Ids of the processes whose command line or environment names a directory."""
    found = set()
    for entry in filter(str.isdigit, os.listdir("/proc")):
        for file in ("cmdline", "environ"):
            try:
                with open(f"/proc/{entry}/{file}", "rb") as text:
                    if directory.encode() in text.read() and int(entry) != os.getpid():
                        found.add(int(entry))
            except OSError:
                continue
    return sorted(found)
