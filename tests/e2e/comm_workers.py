# SPDX-License-Identifier: BSD-3-Clause
"""The programs that measure communication, started directly: requests in, records out (src/comm/protocol.h).

Tests only check that times are positive and finite, because the machine may be busy."""

import functools
import json
import math
import os
import signal
import statistics
import subprocess

from harness import APPS, HANG_LIMIT_S, MPIS, Skip, check, check_equal, descendants, launcher, main, run, serve_first, test, wait_until

WORKERS = os.environ.get("COMM_WORKERS", "")
COLLECTIVES = ["barrier", "broadcast", "gather", "scatter", "allgather", "reduce", "allreduce", "alltoall", "gatherv", "scatterv",
               "allgatherv", "alltoallv"]
NONBLOCKING = ["ibarrier", "ibroadcast", "igather", "iscatter", "iallgather", "ireduce", "iallreduce", "ialltoall"]
EXCHANGES = ["pingpong", "stream", "bidirectional", "put", "get"]
REQUEST = {"transport": "tcp", "packing": "", "operations": ["pingpong"], "sizes": [0, 1, 1000], "pairs": "root",
           "seconds": 10.0, "target": 1000.0, "least": 10, "most": 200, "warmup": 3, "cpus": [], "method": "window",
           "rotate_bytes": 0, "touch": True}

def worker(name):
    path = os.path.join(WORKERS, f"firma-comm-{name}")
    if not os.path.exists(path):
        raise Skip(f"firma-comm-{name} is not built")
    return path


def peers(ranks):
    return [{"host": "here", "address": "127.0.0.1", "start": []} for _ in range(ranks - 1)]


def request(**members):
    return json.dumps({**REQUEST, **members})


def read_records(text):
    return [json.loads(line) for line in text.splitlines() if line.startswith('{"record":')]


def of_kind(records, kind):
    return [record for record in records if record["record"] == kind]


def measure_mpi(mpi, ranks, **members):
    path = worker(mpi)
    return run(launcher(mpi, ranks) + yielding(mpi) + [path, request(transport="mpi", **members)])


def yielding(mpi):
    """The words by which processes of MPICH that wait yield their processor, as the launcher's say for Open MPI."""
    library = os.path.join(APPS, "libyielding.so")
    return ["env", f"LD_PRELOAD={library}"] if mpi == "mpich" and os.path.exists(library) else []


def measure_in_time(measure, expected, ranks, **members):
    """Returns a measurement's records, and what was measured. A busy machine may have no time for all that is expected;
    then the measurement is repeated with more time."""
    for seconds in (3.0, 30.0, 300.0):
        records, found = check_whole(measure(seconds=seconds, **members), ranks)
        if set(found) == expected:
            break
        print(f"# not all was measured in {seconds} s: {sorted(expected - set(found))}")
    check_equal(set(found), expected, "what was measured")
    return records, found


def measure_sockets(transport, ranks, **members):
    return run([worker("sockets"), request(**{"transport": transport, "peers": peers(ranks), **members})])


def check_samples(records):
    """Returns {(operation, bytes, from, to): number of samples}."""
    found = {}
    for record in of_kind(records, "samples"):
        key = (record["operation"], record["bytes"], record["from"], record["to"])
        times = record["samples_s"]
        check(all(math.isfinite(t) and t > 0 for t in times), f"times of {key}: {times[:5]}")
        check(record["batch"] >= 1, f"batch of {key}")
        if record["operation"] not in EXCHANGES:
            check_equal(len(record["skew_s"]), len(times), f"skews of {key}")
            check(record["late"] >= 0, f"late ones of {key}")
        found[key] = found.get(key, 0) + len(times)
    return found


def check_whole(result, ranks):
    result.expect(0)
    records = read_records(result.out)
    check_equal(of_kind(records, "error"), [], "errors")
    check_equal([record["rank"] for record in of_kind(records, "hello")], list(range(ranks)), "ranks that said hello")
    check_equal([record["rank"] for record in of_kind(records, "interfaces")], list(range(ranks)), "ranks at the end")
    check_equal(records[-1]["record"], "done", "last record")
    for hello in of_kind(records, "hello"):
        check(hello["host"] and hello["library"] and hello["cpus"], f"hello: {hello}")
        check(0 < hello["clock_resolution_s"] < 1e-3, f"clock: {hello}")
    return records, check_samples(records)


# ---- what is measured ----

def pingpong_of_each_size(transport):
    for ranks in (2, 3):
        records, found = check_whole(measure_sockets(transport, ranks), ranks)
        check_equal(set(found), {("pingpong", size, 0, to) for size in REQUEST["sizes"] for to in range(1, ranks)},
                    "what was measured")
        check(all(10 <= count <= 200 for count in found.values()), f"numbers of samples: {found}")
        check(records[-1]["complete"], "a target that is reached at once is reached")
        moved = {record["bytes"]: record.get("moved_bytes") for record in of_kind(records, "samples")}
        check_equal(moved, {0: 1, 1: None, 1000: None}, "a stream carries no empty message")


@test("TCP sockets: ping-pong of each size with each rank")
def tcp():
    pingpong_of_each_size("tcp")


@test("Unix sockets: ping-pong of each size with each rank")
def unix():
    pingpong_of_each_size("unix")


@test("sockets: all pairs of four ranks, with connections of their own")
def mesh():
    for transport in ("tcp", "unix"):
        _, found = check_whole(measure_sockets(transport, 4, pairs="all", sizes=[8]), 4)
        check_equal(set(found), {("pingpong", 8, a, b) for a in range(4) for b in range(a + 1, 4)}, "pairs")


@test("sockets have no collectives, and say so")
def sockets_without_collectives():
    records, found = check_whole(measure_sockets("tcp", 2, operations=["pingpong", "stream", "broadcast", "barrier"]), 2)
    check_equal([record["operation"] for record in of_kind(records, "unsupported")], ["stream", "broadcast", "barrier"],
                "unsupported")
    check_equal({key[0] for key in found}, {"pingpong"}, "measured")


@test("a request in hexadecimal is the same request")
def hexadecimal():
    text = request(peers=peers(2), sizes=[8])
    check_whole(run([worker("sockets"), text.encode().hex()]), 2)


@test("ranks are started by the words of the request")
def started_by_words(directory):
    said = os.path.join(directory, "said")
    peer = {"host": "there", "address": "localhost", "start": ["sh", "-c", f'echo started >{said}; exec "$@"', "sh"]}
    check_whole(run([worker("sockets"), request(peers=[peer], sizes=[8])]), 2)
    check(os.path.exists(said), "the words were not executed")


@test("MPI: each operation at 2 and 3 ranks, with windows and with barriers")
def mpi_operations():
    operations = ["pingpong"] + COLLECTIVES
    measured = 0
    for mpi in MPIS:
        for ranks, method in ((2, "window"), (3, "barrier"), (3, "window")):
            expected = {(name, size, 0, ranks - 1) for name in COLLECTIVES for size in (0, 1000) if name != "barrier"}
            expected |= {("pingpong", size, 0, to) for size in (0, 1000) for to in range(1, ranks)}
            expected |= {("barrier", 0, 0, ranks - 1)}
            records, _ = measure_in_time(functools.partial(measure_mpi, mpi, ranks), expected, ranks, operations=operations,
                                         method=method, sizes=[0, 1000], least=3)
            check_equal({record["method"] for record in of_kind(records, "samples") if "method" in record}, {method},
                        "method")
            clocks = of_kind(records, "clock")
            check_equal([clock["rank"] for clock in clocks], list(range(1, ranks)) * 2, "clocks before and after")
            check(all(clock["offset_s"] == 0 for clock in clocks), f"on one machine there is one clock: {clocks}")
            measured += 1
    check(measured == 6, "not all were measured")


@test("MPI: nonblocking collectives alone, and with computing between start and wait")
def mpi_nonblocking():
    for mpi, method, names in (*((mpi, "barrier", NONBLOCKING) for mpi in MPIS), ("openmpi", "window", ["ibroadcast"])):
        expected = {(name, computes) for name in names for computes in (False, True)}
        for seconds in (3.0, 30.0, 300.0):  # a busy machine takes more
            records, _ = check_whole(measure_mpi(mpi, 2, operations=names, method=method, sizes=[1000], least=3, most=20,
                                                 seconds=seconds), 2)
            samples = [record for record in of_kind(records, "samples") if record["samples_s"]]
            found = {(record["operation"], "compute_s" in record) for record in samples}
            if found == expected:
                break
        check_equal(found, expected, f"what was measured under {mpi} by {method}")
        for record in samples:
            computed = record.get("compute_s", record["samples_s"])
            check(len(computed) == len(record["samples_s"]) and min(computed) > 0, f"times of computing: {record}")


@test("MPI: streams and one-sided messages between all pairs of three ranks")
def mpi_streams():
    sizes = [0, 1, 65536]
    for mpi in MPIS:
        expected = {(name, size, a, b) for name in EXCHANGES for size in sizes for a, b in ((0, 1), (0, 2), (1, 2))
                    if size or name not in ("put", "get")}
        measure_in_time(functools.partial(measure_mpi, mpi, 3), expected, 3, pairs="all", sizes=sizes, operations=EXCHANGES, least=3)
        measure_in_time(functools.partial(measure_mpi, mpi, 2), {(name, 4096, 0, 1) for name in ("put", "get")}, 2, sizes=[4096],
                        operations=["put", "get"], rotate_bytes=1 << 20, least=3)


@test("MPI: pairs of all ranks at once; if their number is odd, the last one waits")
def mpi_pairs_at_once():
    for mpi in MPIS:
        for ranks in (2, 3, 4):
            expected = {("pairs", size, 0, ranks - 1) for size in (0, 65536)}
            records, _ = measure_in_time(functools.partial(measure_mpi, mpi, ranks), expected, ranks, sizes=[0, 65536],
                                         operations=["pairs"], least=3)
            batches = {(record["bytes"], record["batch"]) for record in of_kind(records, "samples")}
            check(len(batches) == 2 and all(1 <= batch <= 64 for _, batch in batches), f"windows in a sample: {batches}")


OTHER_CLOCK = 'if [ "${OMPI_COMM_WORLD_RANK:-$PMI_RANK}" = 1 ]; then exec unshare -T --monotonic 5000 --fork "$@"; fi; exec "$@"'


@test("MPI: a rank whose clock is far ahead is measured as if it weren't")
def other_clock():
    if subprocess.run(["unshare", "-T", "--monotonic", "5000", "--fork", "true"], capture_output=True,
                      check=False).returncode:
        raise Skip("no namespace of time can be made: needs root")
    for mpi in MPIS:
        text = request(transport="mpi", operations=["broadcast", "barrier"], sizes=[8], seconds=3.0)
        result = run(launcher(mpi, 2) + yielding(mpi) + ["sh", "-c", OTHER_CLOCK, "sh", worker(mpi), text])
        records, found = check_whole(result, 2)
        offsets = [clock["offset_s"] for clock in of_kind(records, "clock")]
        check(all(abs(offset - 5000) < 0.01 for offset in offsets), f"offsets with {mpi}: {offsets}")
        check_equal(len(found), 2, "what was measured")
        medians = [statistics.median(times) for times in lists_of(records)]
        check(all(median < 1 for median in medians), f"times with {mpi}: {medians}")


def lists_of(records):
    return [record["samples_s"] for record in of_kind(records, "samples") if record["samples_s"]]


@test("MPI: sizes are rounded up to a multiple of the processes")
def mpi_rounding():
    records, _ = check_whole(measure_mpi("openmpi", 3, operations=["scatter", "reduce", "broadcast"], sizes=[1, 1000]), 3)
    moved = {(record["operation"], record["bytes"]): record.get("moved_bytes") for record in of_kind(records, "samples")}
    check_equal(moved, {("scatter", 1): 3, ("scatter", 1000): 1002, ("reduce", 1): 8, ("reduce", 1000): None,
                        ("broadcast", 1): None, ("broadcast", 1000): None}, "moved bytes")


@test("MPI: all pairs of three ranks, while the third rank waits")
def mpi_pairs():
    sizes = [0, 1024, 32768, 1 << 20]
    for mpi in MPIS:
        expected = {("pingpong", size, a, b) for size in sizes for a, b in ((0, 1), (0, 2), (1, 2))}
        measure_in_time(functools.partial(measure_mpi, mpi, 3), expected, 3, pairs="all", sizes=sizes)


@test("buffers that rotate, and that are not written before measuring")
def rotated():
    check_whole(measure_sockets("unix", 2, rotate_bytes=1 << 22, touch=False, sizes=[1, 4097, 1 << 20], seconds=1.0), 2)
    check_whole(measure_mpi("openmpi", 2, rotate_bytes=1 << 22, touch=False, sizes=[1, 1 << 20], seconds=1.0,
                            operations=["pingpong", "alltoall"]), 2)


@test("ranks are bound to the cpus of the request")
def bound():
    cpu = min(os.sched_getaffinity(0))
    records, _ = check_whole(measure_sockets("tcp", 2, cpus=[cpu], sizes=[8]), 2)
    check_equal([record["cpus"] for record in of_kind(records, "hello")], [[cpu], [cpu]], "cpus")


@test("the loopback interface's counters show the bytes of TCP, and none of Unix sockets")
def interfaces():
    for transport, is_moved in (("tcp", True), ("unix", False)):
        records, _ = check_whole(measure_sockets(transport, 2, sizes=[1 << 20]), 2)
        record = of_kind(records, "interfaces")[0]
        grown = record["counters"].get("lo", [0, 0])[1]
        if is_moved:
            check(grown >= record["payload_bytes"], f"{grown} bytes through lo, {record['payload_bytes']} of payload")


# ---- the end of a measurement ----

@test("a budget of 0.2 s gives a sample of each size, and the measurement is marked as incomplete")
def budget():
    result = measure_sockets("tcp", 2, seconds=0.2, least=100000000, most=100000000, sizes=[1, 1000, 100000])
    records, found = check_whole(result, 2)
    check(not records[-1]["complete"], "no interval has the width 0")
    check(len(found) == 3 and all(found.values()), f"each size has a sample: {found}")
    check(records[-1]["seconds"] < 20, f"it took {records[-1]['seconds']} s")


@test("no time at all: it ends in order, and isn't complete")
def no_time():
    records, _ = check_whole(measure_sockets("tcp", 2, seconds=0.0), 2)
    check(not records[-1]["complete"], "complete")


@test("the most samples are the most")
def most():
    _, found = check_whole(measure_sockets("unix", 2, target=0.0, least=5, most=5), 2)
    check_equal(set(found.values()), {5}, "numbers of samples")


# ---- failures ----

def error_of(result):
    result.expect(1)
    errors = of_kind(read_records(result.out), "error")
    check(errors, f"no error record\n{result}")
    return errors[0]["message"]


@test("wrong requests are refused with the name of the wrong member")
def wrong_requests():
    for members, word in (({"transport": "pigeon"}, "pigeon"), ({"operations": ["shout"]}, "shout"),
                          ({"operations": []}, "operations"), ({"sizes": [2, 1]}, "sizes[1]"), ({"sizes": []}, "sizes"),
                          ({"sizes": [1 << 31]}, "sizes[0]"), ({"pairs": "some"}, "pairs"), ({"most": 0}, "most"),
                          ({"least": 300}, "most"), ({"seconds": -1}, "seconds"), ({"target": "x"}, "target"),
                          ({"cpus": [99999]}, "cpus[0]"), ({"method": ""}, "method"), ({"peers": []}, "peers"),
                          ({"warmup": -1}, "warmup"), ({"touch": 1}, "touch")):
        message = error_of(run([worker("sockets"), request(**{"peers": peers(2), **members})]))
        check(word in message, f"{members}: {message}")
    for text in ("", "{", "[]", "7b", '{"a": 1, "a": 2}'):
        check("request" in error_of(run([worker("sockets"), text])), text)


@test("a processor that doesn't exist is reported")
def wrong_cpu():
    check("CPU 8000" in error_of(measure_sockets("tcp", 2, cpus=[0, 8000])), "message")


@test("a rank that can't be started is reported with its host")
def not_started():
    for start in (["/nowhere/at/all"], ["false"], ["sh", "-c", "kill -9 $$"]):
        peer = {"host": "elsewhere", "address": "127.0.0.1", "start": start}
        check("elsewhere" in error_of(run([worker("sockets"), request(peers=[peer])])), str(start))


@test("MPI with one process is reported")
def alone():
    for mpi in MPIS:
        check("only one process" in error_of(measure_mpi(mpi, 1)), mpi)


@test("sockets: a killed rank gives an error, and the results so far are kept")
def killed():
    words = [worker("sockets"), request(peers=peers(2), seconds=50.0, least=100000000, most=100000000)]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    lines = []
    while len(lines) < 6:  # both hellos, and samples of a second
        lines.append(process.stdout.readline())
    os.kill(descendants(process.pid)[0].pid, signal.SIGKILL)
    out, _ = process.communicate(timeout=HANG_LIMIT_S)
    records = read_records("".join(lines) + out)
    check_equal(process.returncode, 1, "exit status")
    check_equal(records[-1]["record"], "error", "last record")
    check("rank 1" in records[-1]["message"], records[-1]["message"])
    check(len(check_samples(records)) == 3, "samples are gone")


@test("sockets: the ranks end when rank 0 is killed")
def root_killed():
    words = [worker("sockets"), request(peers=peers(3), seconds=50.0, least=100000000, most=100000000)]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    process.stdout.readline()
    children = [child.pid for child in descendants(process.pid)]
    process.kill()
    process.communicate(timeout=HANG_LIMIT_S)
    wait_until(lambda: not any(os.path.exists(f"/proc/{child}") for child in children), "the other ranks end")


@test("MPI: the results so far are kept when a process is killed")
def mpi_killed():
    for mpi in MPIS:
        words = ["timeout", str(HANG_LIMIT_S), *launcher(mpi, 2), worker(mpi),
                 request(transport="mpi", seconds=50.0, least=100000000, most=100000000)]
        process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        records, workers = [], []
        for line in process.stdout:
            records += whole_records(line)
            if not workers and len(of_kind(records, "samples")) == 3:
                workers = [child.pid for child in descendants(process.pid) if child.name.startswith("firma-comm")]
                os.kill(workers[-1], signal.SIGKILL)
        check(workers, "three sizes were never measured")
        check(process.wait() not in (0, 124), f"exit status {process.returncode}")
        check(len(check_samples(records)) >= 3, f"sizes that were measured: {records}")  # a further one, until the kill


def whole_records(line):
    """Returns None if the writer of the line was killed while writing, so that the launcher's words follow."""
    try:
        return read_records(line)
    except ValueError:
        return []


serve_first()
main()
