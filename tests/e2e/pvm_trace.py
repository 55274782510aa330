# SPDX-License-Identifier: BSD-3-Clause
"""firma trace on programs of PVM: what it records, which ranks tasks get, and the virtual machine that firma starts for them."""

import json
import os
import shutil
import signal
import subprocess

from harness import (APPS, FIRMA, HANG_LIMIT_S, Archive, Skip, app, check, check_equal, firma, main, pvm_answers, run, test,
                     trace, wait_until)

SOURCES = os.path.join(os.environ["APP_SOURCES"], "pvm")
RECORDERS = os.environ["RECORDERS"]
LONG = 10**8


def pvm_app(name):
    if not shutil.which("pvmd") or not shutil.which("pvm"):
        raise Skip("pvm is not installed")
    return app(name, "pvm")


def record(directory, name, *arguments, words=(), status=0):
    """Traces a program quietly. Returns its result, and the archive."""
    result, path = trace(directory, [pvm_app(name), *map(str, arguments)], *words)
    return result.expect(status), Archive(path)


def events(archive):
    """Sends with their bytes, receives with theirs, collectives; by rank."""
    return [(kinds["MPI_SEND"], archive.send_bytes[rank], kinds["MPI_RECV"], archive.receive_bytes[rank],
             archive.collectives[rank]) for rank in archive.ranks for kinds in [archive.records[rank]]]


def processes_with(variable):
    """Environments of the living processes that have this variable, as NAME=VALUE, by process id."""
    found = {}
    for entry in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{entry}/environ", "rb") as file:
                environment = file.read().decode(errors="replace").split("\0")
        except OSError:
            continue
        if variable in environment:
            found[int(entry)] = dict(word.split("=", 1) for word in environment if "=" in word)
    return found


@test("a master and its workers are recorded: rank 0 and then as spawned, with each message, however it is received")
def _(directory):
    result, archive = record(directory, "masterworker", 3, 8, words=["-q"])
    check_equal(result.out, "3 workers, 8 rounds\n", "output")
    task, answer = 4 + 200 * 8, 8
    check_equal(events(archive), [(24 + 3, 24 * task, 24, 24 * answer, 0)] + 3 * [(8, 8 * answer, 8 + 1, 8 * task, 0)],
                "events")
    calls = archive.calls[0]
    for name, number in {"pvm_mytid": 1, "pvm_exit": 1, "pvm_spawn": 1, "pvm_send": 24, "pvm_mcast": 1}.items():
        check_equal(calls[name], number, f"calls of {name} by the master")
    check(all(calls[name] for name in ("pvm_recv", "pvm_nrecv", "pvm_trecv", "pvm_probe")), f"receiving calls: {calls}")


@test("tasks that end without pvm_exit are recorded to their end")
def _(directory):
    result, archive = record(directory, "masterworker", 2, 4, "return")
    check_equal([archive.calls[rank]["pvm_exit"] for rank in archive.ranks], 3 * [1], "ends")
    check_equal(result.err.count("] a worker ends\n"), 2, f"what the tasks printed\n{result}")


@test("a task that is killed by kill -9 leaves a readable trace, status 1 and a sentence")
def _(directory):
    result, archive = record(directory, "masterworker", 2, 4, "kill", status=1)
    check("no return from pvm_exit was recorded on rank 2" in result.err, f"what firma says\n{result}")
    check_equal(events(archive)[2][0::2], (3, 4, 0), "events of the killed task")
    firma("phases", "--accept-incomplete", os.path.join(directory, "trace"), "-o", os.path.join(directory, "a.firma")).expect(0)


@test("groups: collectives with all members and their volume, pvm_bcast as a message to each other member")
def _(directory):
    n, rounds, part = 3, 4, 80
    _, archive = record(directory, "groups", n, rounds)
    of_all, of_pair = 1 + 4 * rounds, rounds
    check_equal(events(archive)[0], ((n - 1) * rounds, (n - 1) * rounds * part, 0, 0, of_all + of_pair), "events of rank 0")
    check_equal(sorted(ends[4] for ends in events(archive)[1:]), [of_all, of_all + of_pair], "collectives of the others")
    check_equal({ends[:4] for ends in events(archive)[1:]}, {(0, 0, rounds, rounds * part)}, "messages of the others")
    show = firma("show", "--json", os.path.join(directory, "trace")).expect(0).json()
    sent = {call["call"]: (call["calls"], call["sent_bytes"], call["received_bytes"]) for call in show["calls"]}
    check_equal(sent["gather"], (n * rounds, n * rounds * part, n * rounds * part), "gathers")
    check_equal(sent["scatter"], (n * rounds, n * rounds * part, n * rounds * part), "scatters")
    check_equal(sent["reduce"], (n * rounds, n * rounds * part, rounds * part), "reductions")


@test("a group with other members each time has no place in the order, and firma says so")
def _(directory):
    rounds = 3
    result, archive = record(directory, "groups", 3, rounds, "dynamic")
    check(f"{2 * rounds} calls of collectives of groups whose members changed" in result.err, f"note\n{result}")
    check_equal(sum(ends[4] for ends in events(archive)), 3 * (1 + 4 * rounds) + 2 * rounds, "collectives")
    firma("phases", os.path.join(directory, "trace"), "-o", os.path.join(directory, "a.firma")).expect(0)


@test("from a program to its task graph, a mapping and a prediction")
def _(directory):
    command, file = [pvm_app("ring"), "4", "60"], lambda name: os.path.join(directory, name)
    for name in ("a", "b"):
        trace(directory, command, "-q", name=name)[0].expect(0)
    check(firma("diff", file("a"), file("b"), "--json").expect(0).json()["same"], "two runs differ")
    firma("phases", file("a"), "-o", file("app.firma")).expect(0)
    graph = firma("graph", file("a"), "-o", file("app.ttig"), "--tfg", file("app.tfg"), "--json").expect(0).json()
    check_equal((graph["tasks"], graph["messages"]), (4, 243), "tasks and messages")
    mapping = firma("map", file("app.ttig"), "--platform", "2x2:50us,125MB/s:1us,5GB/s", "--json").expect(0).json()
    check(mapping["mappings"], "no mapping")
    firma("measure", file("app.firma"), "-o", file("times.json"), "--", *command).expect(0)
    check(float(firma("predict", "--seconds", file("app.firma"), file("times.json")).expect(0).out) > 0, "prediction")


class Running:
    """firma traces a long run, in a virtual machine of its own."""

    def __init__(self, directory):
        self.archive = os.path.join(directory, "long.trace")
        self.mark = f"FIRMA_RECORD_DIRECTORY={os.path.realpath(directory)}/long.trace.recording"
        self.process = subprocess.Popen([FIRMA, "trace", "-o", self.archive, "--", pvm_app("ring"), "3", str(LONG)],
                                        start_new_session=True, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        wait_until(lambda: len([name for name in os.listdir(directory + "/long.trace.recording")
                                if name.endswith(".segment")] if os.path.exists(self.archive + ".recording") else []) == 3,
                   "three tasks")
        self.machine = {environment["PVM_TMP"] for environment in processes_with(self.mark).values()}.pop()

    def finish(self):
        out, _ = self.process.communicate(timeout=HANG_LIMIT_S)
        wait_until(lambda: not processes_with(self.mark), "the end of all tasks")
        wait_until(lambda: not processes_with(f"PVM_TMP={self.machine}"), "the end of the daemon")
        return out


@test("Ctrl-C ends tasks and daemon, and leaves a trace")
def _(directory):
    running = Running(directory)
    os.killpg(running.process.pid, signal.SIGINT)
    out = running.finish()
    check_equal(running.process.returncode, 1, f"status\n{out}")
    check(not os.path.exists(running.machine), f"{running.machine} is left")
    check_equal(Archive(running.archive).ranks, [0, 1, 2], "ranks")


@test("after kill -9 of firma, tasks and daemon end; the recording becomes a trace")
def _(directory):
    running = Running(directory)
    running.process.kill()
    running.finish()
    firma("trace", "--convert", running.archive + ".recording").expect(1)
    check_equal(Archive(running.archive).ranks, [0, 1, 2], "ranks")
    shutil.rmtree(running.machine, ignore_errors=True)


@test("a virtual machine of the user's that runs already is used, and left running")
def _(directory):
    command, temporary = [pvm_app("masterworker"), "2", "3"], os.path.join(directory, "vm")
    os.mkdir(temporary)
    own = {"PVM_TMP": temporary, "PVM_ALLOW_ROOT": "1", "PVM_PATH": f"{APPS}:/usr/bin"}
    with subprocess.Popen(["pvmd"], env={**os.environ, **own}, stdin=subprocess.DEVNULL, start_new_session=True,
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as daemon:
        try:
            wait_until(lambda: pvm_answers(os.path.join(temporary, f"pvmd.{os.getuid()}")), "the daemon")
            result, path = trace(directory, command, env=own)
            result.expect(0)
            check_equal(Archive(path).ranks, [0, 1, 2], "ranks")
            check(daemon.poll() is None, "the daemon has ended")
        finally:
            daemon.terminate()


def link(directory, name, *words):
    program = os.path.join(directory, name)
    result = run(["cc", "-O1", os.path.join(SOURCES, "groups.c"), "-o", program, *words])
    if result.status:
        raise Skip(f"cannot link: {result.err.splitlines()[-1]}")
    return program


STATIC = ["-Wl,-Bstatic", "-lgpvm3", "-lpvm3", "-Wl,-Bdynamic", "-ltirpc"]


@test("of a program that contains libpvm3.a, firma says what to link; with that, it is recorded")
def _(directory):
    pvm_app("groups")
    result = firma("trace", "--", link(directory, "plain", *STATIC), cwd=directory).expect(4)
    check("libpvm3.so" in result.err and "firma-pvm" in result.err, f"hint\n{result}")
    with open(os.path.join(RECORDERS, "firma-pvm.pc"), encoding="ascii") as file:
        [flags] = [line.split(":", 1)[1].split() for line in file if line.startswith("Libs:")]
    flags[0] = os.path.join(RECORDERS, "firma-pvm.o")
    program = link(directory, "linked", *flags, *STATIC)
    result, path = trace(directory, [program, "3", "3"])
    result.expect(0)
    check_equal([ends[4] for ends in events(Archive(path))][0], 1 + 5 * 3, f"collectives of rank 0\n{result}")
    firma("check", program).expect(0)
    firma("check", os.path.join(directory, "plain")).expect(1)


FORTRAN = """      program ends
      include 'fpvm3.h'
      integer me, parent, info, task(1), value, buffer
      call pvmfmytid(me)
      call pvmfparent(parent)
      if (parent .lt. 0) then
        call pvmfspawn('{name}', 0, '*', 1, task, info)
        value = 42
        call pvmfinitsend(0, info)
        call pvmfpack(INTEGER4, value, 1, 1, info)
        call pvmfsend(task(1), 7, info)
      else
        call pvmfrecv(parent, 7, buffer)
      end if
      call pvmfexit(info)
      end
"""


@test("Fortran programs are recorded, because PVM's Fortran library calls the C functions")
def _(directory):
    pvm_app("ring")
    source = os.path.join(directory, "ends.f")
    with open(source, "w", encoding="ascii") as file:
        file.write(FORTRAN.format(name="ends"))
    built = run(["gfortran", "-std=legacy", "-I/usr/include", source, "-o", os.path.join(directory, "ends"), "-lfpvm3", "-lpvm3"]) \
        if shutil.which("gfortran") else None
    if not built or built.status:
        raise Skip("gfortran or libfpvm3 is missing")
    result, path = trace(directory, [os.path.join(directory, "ends")])
    result.expect(0)
    check_equal(events(Archive(path)), [(1, 4, 0, 0, 0), (0, 0, 1, 4, 0)], f"events\n{result}")


@test("firma check names what firma does with each call of PVM")
def _():
    document = json.loads(firma("check", "--json", pvm_app("masterworker")).expect(0).out)
    check_equal((document["mpi"], document["linkage"]), ("PVM", "shared"), "library")
    classes = {call["call"]: call["class"] for call in document["calls"]}
    check_equal((classes["pvm_send"], classes["pvm_pkint"]), ("recorded", "local"), "classes")


if __name__ == "__main__":
    for _name in [name for name in os.environ if name.startswith("PVM_") and name != "PVM_MACHINE"]:
        del os.environ[_name]
    main()
