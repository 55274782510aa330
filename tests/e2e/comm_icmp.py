# SPDX-License-Identifier: BSD-3-Clause
"""ICMP echoes by firma-comm-sockets, in a network of one host. Tests don't check how long echoes take."""

import json
import os
import shutil

from harness import Skip, check, check_equal, main, run, test

WORKER = os.path.join(os.environ.get("COMM_WORKERS", ""), "firma-comm-sockets")
NOBODY = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"]
LARGEST = 65507


def request(address="127.0.0.1", **members):
    return json.dumps({"transport": "icmp", "packing": "", "operations": ["pingpong"], "sizes": [0, 1, 1001, LARGEST],
                       "pairs": "root", "seconds": 5.0, "target": 1000.0, "least": 1, "most": 20, "warmup": 1,
                       "cpus": [], "method": "window", "rotate_bytes": 0, "touch": True,
                       "peers": [{"address": address}], **members})


def measure(setting, *before, **members):
    """Measures in a network of its own, with a setting of the kernel, after some words."""
    if os.geteuid() != 0 or not all(map(shutil.which, ("unshare", "ip", "sysctl", "setpriv"))):
        raise Skip("a network of one's own needs root, unshare, ip, sysctl and setpriv")
    script = f'ip link set lo up && sysctl -qw net.ipv4."{setting}" && exec "$@"'
    return run(["unshare", "--net", "sh", "-c", script, "sh", *before, WORKER, request(**members)])


def records(result, kind):
    lines = [json.loads(line) for line in result.out.splitlines() if line.startswith('{"record":')]
    return [line for line in lines if line["record"] == kind]


def check_measured(result):
    result.expect(0)
    check_equal({sample["bytes"] for sample in records(result, "samples") if sample["samples_s"]},
                {0, 1, 1001, LARGEST}, f"sizes\n{result}")


@test("root measures echoes of all sizes")
def _():
    check_measured(measure("icmp_echo_ignore_all=0"))


@test("a user in the group for ping can measure echoes, too")
def _(directory):
    check_measured(measure_as_nobody(directory, "ping_group_range=0 2147483647"))


def measure_as_nobody(directory, setting):
    """Measures from a place that nobody may read, because the build folder may be closed to that user."""
    os.chmod(directory, 0o755)
    global WORKER
    built, WORKER = WORKER, shutil.copy(WORKER, directory)
    try:
        return measure(setting, *NOBODY)
    finally:
        WORKER = built


@test("without permission, the error says how to get it")
def _(directory):
    [error] = records(measure_as_nobody(directory, "icmp_echo_ignore_all=0").expect(1, 4), "error")
    check("allowed" in error["message"] and "cap_net_raw" in error["hint"], str(error))


@test("sizes larger than an echo, and operations other than ping-pong, are unsupported")
def _():
    result = measure("icmp_echo_ignore_all=0", sizes=[LARGEST, LARGEST + 1], operations=["pingpong", "barrier"]).expect(0)
    check_equal({(record["operation"], record.get("bytes")) for record in records(result, "unsupported")},
                {("pingpong", LARGEST + 1), ("barrier", None)}, "unsupported")


@test("a host that doesn't answer is an error that names it")
def _():
    [error] = records(measure("icmp_echo_ignore_all=1").expect(1, 4), "error")
    check("127.0.0.1 doesn't answer" in error["message"], str(error))


@test("a name without an address is an error that names it")
def _():
    [error] = records(measure("icmp_echo_ignore_all=0", address="nosuchhost.invalid").expect(1, 4), "error")
    check("nosuchhost.invalid" in error["message"], str(error))


if __name__ == "__main__":
    main()
