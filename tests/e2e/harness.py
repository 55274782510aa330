# SPDX-License-Identifier: BSD-3-Clause
"""Common parts of the end-to-end tests: tests as sentences, reported as TAP; running programs with a timeout; launching under
either MPI; and reading an archive by otf2-print, a tool that isn't ours.

Meson sets the places: FIRMA is the binary, APPS the folder of the programs of tests/apps. E2E_ONLY, if set, is a regular
expression: only tests whose sentence matches it are run. With FIRMA_SECOND_TRY=1, as `make check` sets it, a test that failed
is run once more, because other programs on the machine can disturb it; the output says so. With FIRMA_SOAK=1, as `make soak` sets it, tests take every
combination of a program, an MPI and a number of ranks, instead of some of each."""

import collections
import contextlib
import inspect
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import traceback

import formats

FIRMA = os.environ.get("FIRMA", "firma")
APPS = os.environ.get("APPS", "")
MPIS = ("openmpi", "mpich")
SECOND_TRY = "this was the second try"  # tools/check.py looks for it
_soak = os.environ.get("FIRMA_SOAK") == "1"
_second_try = os.environ.get("FIRMA_SECOND_TRY") == "1" and not _soak
# Without these, each process of Open MPI looks for networks of clusters. Looking takes a fifth of its CPU time.
os.environ.setdefault("OMPI_MCA_pml", "ob1")
os.environ.setdefault("OMPI_MCA_btl", "self,vader,tcp")
# Measurements of other tests and users are no reason to wait: that lock is a file in this folder.
_runtime = tempfile.TemporaryDirectory(prefix="firma-e2e-")
os.environ["XDG_RUNTIME_DIR"] = _runtime.name
HANG_LIMIT_S = 900  # far above the duration of any test, even on a busy machine
_tests = []


def some(few, others):
    """The few, for `make check`. `make soak` takes the others, too."""
    return [*few, *(others if _soak else ())]


class Skip(Exception):
    """Raised by a test that can't run here. The argument is the reason."""


def test(sentence):
    """Registers a function, which takes a fresh directory or nothing, as the test of this sentence."""
    def register(function):
        _tests.append((sentence, function))
        return function
    return register


def check(condition, message):
    if not condition:
        raise AssertionError(message)


def check_equal(found, expected, what):
    check(found == expected, f"{what}: found {found!r}, expected {expected!r}")


def processor_s():
    """Returns the processor's time of this program and of all programs that it started and that have ended."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def main():
    only = re.compile(os.environ.get("E2E_ONLY", ""))
    tests = [(sentence, function) for sentence, function in _tests if only.search(sentence)]
    print(f"1..{len(tests)}", flush=True)
    failures = 0
    for number, (sentence, function) in enumerate(tests, 1):
        start, before_s = time.monotonic(), processor_s()
        verdict, notes = _run(function)
        if verdict == "not ok" and _second_try:
            first = notes
            _traces.clear()  # what was traced once may be what fails
            _signatures.clear()
            verdict, notes = _run(function)
            notes += [f"{SECOND_TRY}; the first one said:", *first]
        failures += verdict.startswith("not ok")
        skipped = f" # SKIP {notes[0]}" if verdict == "skip" else ""
        print(f"{'ok' if skipped else verdict} {number} - {sentence.replace('#', '')}{skipped}")
        print(f"# {time.monotonic() - start:.1f} s, {processor_s() - before_s:.1f} s of a processor")
        for note in notes if not skipped else []:
            print(f"#   {note}")
        sys.stdout.flush()
    sys.exit(1 if failures else 0)


def _run(function):
    with tempfile.TemporaryDirectory(prefix="firma-e2e-") as directory:
        try:
            function(*([directory] if inspect.signature(function).parameters else []))
        except Skip as skip:
            return "skip", [str(skip)]
        except AssertionError as failure:
            return "not ok", str(failure).splitlines()[:40]
        except Exception:  # a bug of the test, or of what it reads: print it, and run the next test
            return "not ok", traceback.format_exc().splitlines()
    return "ok", []


# ---- running programs ----

class Result:
    def __init__(self, command, status, out, err):
        self.command, self.status, self.out, self.err = command, status, out, err

    def __str__(self):
        return (f"$ {' '.join(self.command)}\nexit status {self.status}\n--- stdout\n{self.out[-1500:]}\n"
                f"--- stderr\n{self.err[-1500:]}")

    def expect(self, *statuses):
        check(self.status in statuses, f"expected exit status {' or '.join(map(str, statuses))}\n{self}")
        return self

    def json(self):
        try:
            return json.loads(self.out)
        except ValueError as error:
            raise AssertionError(f"stdout is not one JSON document: {error}\n{self}")


Process = collections.namedtuple("Process", "pid name state parent session")


def processes():
    """Lists the machine's processes. Those that end meanwhile are left out."""
    for entry in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError):
            with open(f"/proc/{entry}/stat", encoding="utf-8", errors="replace") as stat:
                before, after = stat.read().rsplit(")", 1)
            state, parent, _, session = after.split()[:4]
            yield Process(int(entry), before.split("(", 1)[1], state, int(parent), int(session))


def descendants(pid):
    """Returns the processes that a process started, and those that these started; parents first."""
    everything = list(processes())

    def below(parent):
        children = [process for process in everything if process.parent == parent]
        return children + [one for child in children for one in below(child.pid)]

    return below(pid)


def end_session(session):
    """Kills what is left of a session that `run` made."""
    for process in processes():
        if process.session == session:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process.pid, signal.SIGKILL)


def run(command, timeout_s=HANG_LIMIT_S, stdin="", cwd=None, env=None):
    """Runs a command in a session of its own. Ends the whole session on timeout."""
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=cwd,
                               env={**os.environ, **(env or {})}, start_new_session=True, text=True, errors="replace")
    try:
        out, err = process.communicate(stdin, timeout=timeout_s)
    except subprocess.TimeoutExpired:
        end_session(process.pid)
        out, err = process.communicate()
        raise AssertionError(f"not done after {timeout_s} s\n{Result(command, 'none', out, err)}") from None
    return Result(command, process.returncode, BUSY.sub("", out), BUSY.sub("", err))


# What firma says only on a busy machine.
BUSY = re.compile(r"^(?:firma .*\bother programs kept [0-9.]+ processors busy\b|  busy (?:machine|when traced) ).*\n", re.M)


def wait_until(condition, what, step_s=0.002):
    """Waits until a condition holds."""
    end_s = time.monotonic() + HANG_LIMIT_S
    while not condition():
        check(time.monotonic() < end_s, f"{what}: not after {HANG_LIMIT_S} s")
        time.sleep(step_s)


def firma(*words, **options):
    """Runs firma. docs/FORMATS.md must have each key of a document that firma prints."""
    result = run([FIRMA, *map(str, words)], **options)
    if "--json" in words:
        check_documented(words, result)
    return result


def check_documented(words, result):
    try:
        document = json.loads(result.out)
    except ValueError:
        return  # tests themselves say where a document is expected
    lacks = formats.undocumented([str(word) for word in words], document)
    check(not lacks, f"docs/FORMATS.md lacks `{lacks}`\n{result}")


def pvm_answers(file):
    """Whether the PVM daemon of this file listens at the socket that the file names. The file is there before."""
    try:
        with open(file, encoding="ascii") as name, socket.socket(socket.AF_UNIX) as client:
            client.connect(name.read().strip())
    except OSError:
        return False
    return True


def serve_first():
    """From now on, what this test starts gets processors before other tests do. Otherwise, measurements run out of time beside
    other tests, because all processes of a measurement must run at the same time. Without root, nothing changes."""
    with contextlib.suppress(PermissionError):
        os.nice(-20)


SHORT_OF_TIME = re.compile("processes: not measured|no time|time was over|time was up|late in all|longer than its (?:share of the )?time")


def measure_in_time(measure, seconds):
    """Returns the result of measure(seconds). If firma reports that time was too short, repeats it with more time."""
    for budget_s in (seconds, 6 * seconds, 36 * seconds):
        result = measure(budget_s)
        said = SHORT_OF_TIME.search(result.out + result.err)
        if not said:
            break
        print(f"# `{said[0]}` in {budget_s} s: the machine is busy, or that is a mistake")
    return result


def app(name, mpi="openmpi"):
    path = os.path.join(APPS, f"{name}-{mpi}")
    if not os.path.exists(path):
        raise Skip(f"{name} is not built for {mpi}")
    return path


def launcher(mpi, ranks):
    """The words before the program: unbound ranks, any number of them, also as root; waiting ranks yield."""
    command = shutil.which(f"mpirun.{mpi}")
    if command is None:
        raise Skip(f"mpirun.{mpi} is not installed")
    if mpi == "openmpi":
        return [command, "--allow-run-as-root", "--oversubscribe", "--bind-to", "none",
                "--mca", "mpi_yield_when_idle", "1", "-n", str(ranks)]
    return [command, "-n", str(ranks)]


def plain_launcher(mpi, ranks):
    """A launcher without options that place ranks."""
    words = launcher(mpi, ranks)
    if "--bind-to" in words:
        at = words.index("--bind-to")
        del words[at:at + 2]
    return words


def launch(mpi, ranks, name, *arguments):
    """The whole command line of a program of tests/apps."""
    return launcher(mpi, ranks) + [app(name, mpi), *map(str, arguments)]


_PLATFORM = """<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1"><zone id="world" routing="Full">
<cluster id="A" prefix="a" suffix="" radical="0-15" speed="1Gf" bw="125MBps" lat="24us" bb_bw="1.25GBps" bb_lat="1us"/>
</zone></platform>
"""


def simulated(directory, ranks, name, *arguments):
    """Returns the command line of a program of tests/apps that is linked with the recorder for SMPI."""
    recorder = os.environ.get("SMPI_RECORDER", "")
    if not shutil.which("smpirun") or not shutil.which("smpicc") or not os.path.exists(recorder):
        raise Skip("SimGrid's SMPI is not installed")
    program, platform, hosts = (os.path.join(directory, file) for file in (name, "platform.xml", "hosts"))
    source = os.path.join(os.environ["APP_SOURCES"], name + ".c")
    run(["smpicc", "-O2", source, "-Wl,--whole-archive", recorder, "-Wl,--no-whole-archive", "-lm", "-o",
         program]).expect(0)
    with open(platform, "w", encoding="utf-8") as file:
        file.write(_PLATFORM)
    with open(hosts, "w", encoding="utf-8") as file:
        file.writelines(f"a{i}\n" for i in range(16))
    return ["smpirun", "-np", str(ranks), "-platform", platform, "-hostfile", hosts,
            "--cfg=smpi/simulate-computation:no", "--cfg=smpi/wtime:0", program, *map(str, arguments)]


def trace(directory, command, *words, name="trace", **options):
    """Traces. Returns the result and the archive's directory. With "-q", stdout has only the program's output."""
    archive = os.path.join(directory, name)
    return firma("trace", *words, "-o", archive, "--", *command, **options), archive


def synthetic(directory, *words, name="app.trace"):
    """An archive that bench/synthetic_archive makes up, of any size."""
    writer = os.path.join(os.environ.get("BENCH", ""), "synthetic_archive")
    if not os.path.exists(writer):
        raise Skip("bench/synthetic_archive isn't built")
    archive = os.path.join(directory, name)
    run([writer, archive, *words]).expect(0)
    return archive


_traces = {}  # of each command, the program's output and the archive


def traced(directory, command, name="trace"):
    """Traces a program; returns its output and the archive. A command is traced once, and each further caller gets a copy."""
    if tuple(command) not in _traces:
        result, archive = trace(tempfile.mkdtemp(dir=_runtime.name), command, "-q", name="app.trace")
        _traces[tuple(command)] = result.expect(0).out, archive
    out, archive = _traces[tuple(command)]
    return out, shutil.copytree(archive, os.path.join(directory, name))


_signatures = {}  # of each command


def make_signature(directory, command, name="app"):
    """Traces a program and finds its phases; returns the signature's file. Each further caller gets copies."""
    _, archive = traced(directory, command, name + ".trace")
    if tuple(command) not in _signatures:
        _signatures[tuple(command)] = os.path.join(tempfile.mkdtemp(dir=_runtime.name), "app.firma")
        firma("phases", archive, "-o", _signatures[tuple(command)]).expect(0)
    return shutil.copy2(_signatures[tuple(command)], os.path.join(directory, name + ".firma"))


@contextlib.contextmanager
def small_disk(directory, size):
    """A new folder with a file system in memory of this size ("2m")."""
    disk = os.path.join(directory, "disk")
    os.mkdir(disk)
    if os.geteuid() != 0:
        raise Skip("mounting a small tmpfs needs root")
    mount = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", disk], capture_output=True)
    if mount.returncode:
        raise Skip("a tmpfs cannot be mounted here")
    try:
        yield disk
    finally:
        subprocess.run(["umount", "-l", disk], check=True)


# ---- the output of programs ----

def stable_output(text):
    """A program's output without its time, and with its ranks' lines sorted. These differ from run to run."""
    return sorted(line for line in text.splitlines() if not line.startswith(("time_s ", "ns_per_event ")))


def events_said(text):
    """{rank: {"sends": …, "send_bytes": …, "receives": …, "collectives": …}} from a program's `events rank` lines."""
    said = {}
    for line in text.splitlines():
        words = line.split()
        if words[:2] == ["events", "rank"]:
            said[int(words[2])] = {words[i]: int(words[i + 1]) for i in range(3, len(words), 2)}
    return said


# ---- the contents of archives ----

HANDLE_OPERATIONS = ("CREATE_HANDLE", "DESTROY_HANDLE")
_EVENT = re.compile(r"^([A-Z][A-Z_]+) +(\d+) +(\d+)(?: +(.*))?$")
_LOCATION = re.compile(r"^LOCATION +(\d+) .*Group: .*<(\d+)>")
_GROUP = re.compile(r"^LOCATION_GROUP +(\d+) .*Type: PROCESS")
_FIELD = re.compile(r"(Region|Length|Operation|Communicator|Bytes): (?:\"([^\"]*)\"|(\w+))")


class Archive:
    """Counts per rank: kinds of OTF2 records, calls (Enter of a region), bytes sent, collectives, bytes put and got."""

    def __init__(self, directory):
        self.anchor = os.path.join(directory, "traces.otf2")
        check(os.path.exists(self.anchor), f"no archive: {self.anchor}")
        self.records = collections.defaultdict(collections.Counter)
        self.calls = collections.defaultdict(collections.Counter)
        self.send_bytes, self.receive_bytes = collections.Counter(), collections.Counter()
        self.rma_bytes = collections.defaultdict(collections.Counter)
        self.collectives, self.handles = collections.Counter(), collections.Counter()
        self._rank_of_location = self._read_locations()
        self.ranks = sorted(set(self._rank_of_location.values()))
        self._read_events()

    def _print(self, *options):
        return run(["otf2-print", *options, self.anchor]).expect(0)

    def _read_locations(self):
        groups, locations = [], {}
        for line in self._print("-G").out.splitlines():
            if match := _GROUP.match(line):
                groups.append(int(match[1]))
            elif match := _LOCATION.match(line):
                locations[int(match[1])] = int(match[2])
        order = {group: rank for rank, group in enumerate(sorted(groups))}
        return {location: order[group] for location, group in locations.items() if group in order}

    def _read_events(self):
        result = self._print()
        check("error" not in result.err.lower(), f"otf2-print complains\n{result.err[:1500]}")
        for line in result.out.splitlines():
            match = _EVENT.match(line)
            if match:
                fields = {name: quoted or plain for name, quoted, plain in _FIELD.findall(match[4] or "")}
                self._count(match[1], self._rank_of_location.get(int(match[2])), fields)

    def _count(self, kind, rank, fields):
        self.records[rank][kind] += 1
        if kind == "ENTER":
            self.calls[rank][fields["Region"]] += 1
        elif kind in ("MPI_SEND", "MPI_ISEND"):
            self.send_bytes[rank] += int(fields["Length"])
        elif kind in ("MPI_RECV", "MPI_IRECV"):
            self.receive_bytes[rank] += int(fields["Length"])
        elif kind in ("RMA_PUT", "RMA_GET"):
            self.rma_bytes[rank][kind] += int(fields["Bytes"])
        elif kind in ("MPI_COLLECTIVE_END", "NON_BLOCKING_COLLECTIVE_COMPLETE"):
            counter = self.handles if fields["Operation"] in HANDLE_OPERATIONS else self.collectives
            counter[rank] += 1

    def said(self, rank):
        """The counts in the form of events_said()."""
        kinds = self.records[rank]
        return {"sends": kinds["MPI_SEND"] + kinds["MPI_ISEND"], "send_bytes": self.send_bytes[rank],
                "receives": kinds["MPI_RECV"] + kinds["MPI_IRECV"], "collectives": self.collectives[rank]}


def check_one_beginning_and_end(archive):
    for rank, calls in archive.calls.items():
        counts = calls["MPI_Init"] + calls["MPI_Init_thread"], calls["MPI_Finalize"]
        check_equal(counts, (1, 1), f"calls of MPI_Init and of MPI_Finalize on rank {rank}")


def check_same_events(archive, said, n_ranks):
    """Checks that the archive has, for each rank, the events that the program counted."""
    check_equal(sorted(said), list(range(n_ranks)), "ranks that the program speaks of")
    check_equal(archive.ranks, list(range(n_ranks)), "ranks in the archive")
    for rank in range(n_ranks):
        check_equal(archive.said(rank), said[rank], f"events of rank {rank}")
