# SPDX-License-Identifier: BSD-3-Clause
"""PVM: the program that measures it, and the virtual machine, which firma starts for it and stops without leaving anything.

No test depends on the speed of the machine."""

import json
import os
import shutil
import signal
import socket
import subprocess

from harness import HANG_LIMIT_S, Skip, check, check_equal, main, pvm_answers, run, test, wait_until

WORKER = os.path.join(os.environ.get("COMM_WORKERS", ""), "firma-comm-pvm")
MACHINE = os.environ.get("PVM_MACHINE", "")
CLEAN = {name: value for name, value in os.environ.items() if not name.startswith("PVM_")}
GROUP = ["barrier", "broadcast", "multicast"]
XDR_ALONE = ["gather", "scatter"]
SIZES = [0, 1, 8, 1001, 20000]


def need_pvm():
    if not os.path.exists(WORKER):
        raise Skip("firma-comm-pvm is not built: pvm-dev is not installed")
    if not shutil.which("pvmd") or not shutil.which("pvm"):
        raise Skip("pvm is not installed")


def request(transport="direct", packing="raw", ranks=2, host="", **members):
    return json.dumps({"transport": transport, "packing": packing, "operations": ["pingpong"], "sizes": SIZES,
                       "pairs": "root", "seconds": 3.0, "target": 1000.0, "least": 1, "most": 5, "warmup": 1,
                       "cpus": [], "method": "barrier", "rotate_bytes": 0, "touch": True,
                       "peers": [{"host": host}] * (ranks - 1), **members})


def under_machine(words, environment=None, **options):
    """Executes words in a virtual machine that is started for them."""
    return run([MACHINE, "", "", *words], env=environment, **options)


def records(text, kind):
    lines = [json.loads(line) for line in text.splitlines() if line.startswith('{"record":')]
    return [line for line in lines if line["record"] == kind]


def processes_in(directory):
    """Command lines of the living processes whose PVM_TMP is the directory. Zombies have no command line."""
    found = []
    for entry in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{entry}/environ", "rb") as environment, open(f"/proc/{entry}/cmdline", "rb") as command:
                if f"PVM_TMP={directory}".encode() in environment.read().split(b"\0"):
                    found.append((int(entry), command.read().replace(b"\0", b" ").decode(errors="replace")))
        except OSError:
            continue
    return found


def check_nothing_left(directory):
    check(not os.path.exists(directory), f"{directory} is left")
    check_equal(processes_in(directory), [], "processes left")


class Measuring:
    """A long measurement in a virtual machine of its own, in `directory`."""

    def __init__(self, **members):
        words = ["sh", "-c", 'echo "$PVM_TMP"; exec "$0" "$1"', WORKER,
                 request(seconds=300.0, least=10**8, most=10**8, **members)]
        self.process = subprocess.Popen([MACHINE, "", "", *words], env=CLEAN, text=True, start_new_session=True,
                                        stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        check_equal(self.process.stdout.readline(), "own\n", "the machine")
        self.directory = self.process.stdout.readline().strip()

    def __enter__(self):
        wait_until(lambda: len(self.workers()) == 2, "two ranks")
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.stdout.close()
        self.process.wait()
        for pid, _ in processes_in(self.directory):
            os.kill(pid, signal.SIGKILL)
        shutil.rmtree(self.directory, ignore_errors=True)

    def workers(self):
        return [(pid, command) for pid, command in processes_in(self.directory) if command.startswith(WORKER)]

    def rank(self, wanted):
        [pid] = [pid for pid, command in self.workers() if ('"connect"' in command) == (wanted > 0)]
        return pid


def measure(transport, packing, ranks):
    need_pvm()
    operations = ["pingpong", *GROUP, *(XDR_ALONE if packing == "xdr" else [])]
    result = under_machine([WORKER, request(transport, packing, ranks, operations=operations)]).expect(0)
    check_equal(len(records(result.out, "hello")), ranks, f"hellos\n{result}")
    check_equal(records(result.out, "unsupported"), [], "unsupported")
    check_equal(len(records(result.out, "done")), 1, f"done\n{result}")
    found = {(sample["operation"], sample["bytes"], sample["to"]) for sample in records(result.out, "samples")
             if sample["samples_s"]}
    wanted = {("pingpong", size, rank) for size in SIZES for rank in range(1, ranks)}
    wanted |= {(operation, size, ranks - 1) for operation in operations[2:] for size in SIZES}
    check_equal(wanted - found, set(), f"what has no samples\n{result}")
    check(any(operation == "barrier" for operation, _, _ in found), f"no barrier\n{result}")


for _transport in ("direct", "daemon"):
    for _packing in ("xdr", "raw", "inplace"):
        for _ranks in (2, 3):
            @test(f"PVM measures {_ranks} ranks with routing {_transport} and packing {_packing}")
            def _(_, transport=_transport, packing=_packing, ranks=_ranks):
                measure(transport, packing, ranks)


@test("each collective is measured also alone, whether or not it uses a group itself")
def _():
    need_pvm()
    for operation in GROUP:
        result = under_machine([WORKER, request(operations=[operation], sizes=[8])]).expect(0)
        check_equal({sample["operation"] for sample in records(result.out, "samples") if sample["samples_s"]},
                    {operation}, f"what was measured\n{result}")


@test("operations that PVM lacks, or gets wrong, are unsupported")
def _():
    need_pvm()
    operations = ["pingpong", "reduce", "allgather", "allreduce", "alltoall", *XDR_ALONE]
    result = under_machine([WORKER, request(operations=operations)]).expect(0)
    check_equal([record["operation"] for record in records(result.out, "unsupported")], operations[1:], "unsupported")


@test("a virtual machine that runs already is used, and left running")
def _(directory):
    need_pvm()
    environment = {"PVM_TMP": directory, "PVM_ALLOW_ROOT": "1"}
    with subprocess.Popen(["pvmd"], env={**CLEAN, **environment}, stdin=subprocess.DEVNULL, start_new_session=True,
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as daemon:
        try:
            wait_until(lambda: pvm_answers(os.path.join(directory, f"pvmd.{os.getuid()}")), "the daemon")
            result = under_machine([WORKER, request()], environment).expect(0)
            check_equal(result.out.splitlines()[0], "running", "the machine")
            check_equal(len(records(result.out, "done")), 1, f"done\n{result}")
            check(daemon.poll() is None, "the daemon has ended")
            result = run([MACHINE, "", "nosuchhost", "true"], env=environment).expect(4)
            check("nosuchhost" in result.err and "add nosuchhost" in result.err, f"which host\n{result}")
            check(daemon.poll() is None, "the daemon has ended")
        finally:
            daemon.terminate()


@test("a daemon's file that is left from a daemon that was killed doesn't count as one")
def _(directory):
    need_pvm()
    path = os.path.join(directory, "gone")
    with socket.socket(socket.AF_UNIX) as gone:
        gone.bind(path)
    with open(os.path.join(directory, f"pvmd.{os.getuid()}"), "w", encoding="ascii") as file:
        file.write(path + "\n")
    result = under_machine(["true"], {"PVM_TMP": directory}).expect(0)
    check_equal(result.out, "own\n", "the machine")


@test("a machine of its own leaves no daemon, no task and no file")
def _():
    need_pvm()
    result = under_machine(["sh", "-c", f"echo \"$PVM_TMP\"; exec '{WORKER}' '{request(operations=['barrier'])}'"])
    check_nothing_left(result.expect(0).out.splitlines()[1])


@test("a rank 0 that is killed leaves nothing either")
def _():
    need_pvm()
    with Measuring() as measuring:
        os.kill(measuring.rank(0), signal.SIGKILL)
        measuring.process.communicate(timeout=HANG_LIMIT_S)
        check_equal(measuring.process.returncode, 128 + signal.SIGKILL, "exit status")
        check_nothing_left(measuring.directory)


def check_lost_rank(**members):
    need_pvm()
    with Measuring(**members) as measuring:
        os.kill(measuring.rank(1), signal.SIGKILL)
        out, _ = measuring.process.communicate(timeout=HANG_LIMIT_S)
        [error] = records(out, "error")
        check("rank 1 has ended" in error["message"], f"message: {error['message']}")
        check(measuring.process.returncode != 0, "exit status 0")
        check_nothing_left(measuring.directory)


@test("a rank that is killed ends a ping-pong with an error that names it")
def _():
    check_lost_rank()


@test("a rank that is killed ends a barrier with an error that names it")
def _():
    check_lost_rank(operations=["barrier"], transport="daemon")


@test("the daemon ends when the process that started it is killed")
def _():
    need_pvm()
    with Measuring() as measuring:
        measuring.process.kill()
        wait_until(lambda: not processes_in(measuring.directory), "the end of daemon and tasks")


@test("a rank on a host that isn't there is an error that names the host")
def _():
    need_pvm()
    result = under_machine([WORKER, request(host="nosuchhost")]).expect(1, 4)
    [error] = records(result.out, "error")
    check("nosuchhost" in error["message"], error["message"])


@test("an unknown packing is an error that names it")
def _():
    need_pvm()
    result = run([WORKER, request(packing="zip")]).expect(1, 3)
    [error] = records(result.out, "error")
    check('"zip"' in error["message"], error["message"])


@test("without PVM, the error names the package to install")
def _(directory):
    result = run([MACHINE, "", "", "true"], env={"PATH": directory}).expect(4)
    check("apt-get install pvm" in result.err, f"hint\n{result}")


if __name__ == "__main__":
    for _name in [name for name in os.environ if name.startswith("PVM_") and name != "PVM_MACHINE"]:
        del os.environ[_name]
    main()
