# SPDX-License-Identifier: BSD-3-Clause
"""Executable signatures without root: firma creates the user namespace itself. If root runs these tests, they become another
user."""

import json
import os
import shutil
import tempfile

from checkpointer import require
from harness import FIRMA, Skip, check, check_equal, launch, main, run, some, test

USER, GROUPS = 65534, "12,34"


def as_user():
    """The words before a command that make an ordinary user run it."""
    if os.geteuid() != 0:
        return []
    if not shutil.which("setpriv"):
        raise Skip("setpriv is not installed")
    words = ["setpriv", f"--reuid={USER}", f"--regid={USER}", f"--groups={GROUPS}"]
    if run([*words, "test", "-x", FIRMA]).status != 0:
        raise Skip(f"an ordinary user can't reach {FIRMA}")
    return words


def make_place(directory):
    """Makes what such a user needs: a directory of its own."""
    if os.geteuid() == 0:
        os.chown(directory, USER, USER)
    return {"cwd": directory, "env": {"HOME": directory, "TMPDIR": directory}}


def firma(*words, place):
    return run([*as_user(), FIRMA, *map(str, words)], **place)


_checks = []  # doctor's, which take long


def needs_checkpointer(place):
    if not _checks:
        _checks.extend(firma("doctor", "--json", place=place).expect(0, 1).json()["checks"])
    tool = require(_checks, "criu")
    check("user namespace" in tool["detail"], f"how it works isn't said: {tool}")


def shared_memory():
    """Shared segments of our user. Those of other users come and go."""
    with os.scandir("/dev/shm") as entries:
        return {entry.name for entry in entries if os.path.exists(entry.path) and entry.stat().st_uid == USER}


def make_signature(place, command):
    firma("trace", "-q", "-o", "app.trace", "--", *command, place=place).expect(0)
    firma("phases", "app.trace", "-o", "app.firma", place=place).expect(0)


def add_whole_way(mpi, ranks):
    @test(f"an ordinary user saves and measures states of {ranks} ranks of {mpi}")
    def whole_way(directory):
        place = make_place(directory)
        needs_checkpointer(place)
        command = launch(mpi, ranks, "cg", 96, 60, 25)
        make_signature(place, command)
        before = shared_memory()
        saved = firma("checkpoint", "app.firma", "-o", "states", "--json", "--", *command, place=place).expect(0).json()
        check_equal((saved["saved"], saved["launcher_status"]), (len(saved["states"]), 0), "saved states, status")
        check(saved["rootless"], f"it isn't said how: {saved}")
        check_equal("UCX_TLS" in saved["launched_with"], mpi == "mpich", f"set for {mpi}: {saved['launched_with']}")
        for _ in range(2):
            measured = firma("measure", "states", "-o", "times.json", "--force", "--json", place=place).expect(0).json()
            check_equal((measured["failed"], measured["executed"]), (0, saved["saved"]), "restarts")
            check(measured["agreement"] > 0.95 and measured["phases"], f"measured: {measured}")
        predicted = firma("predict", "app.firma", "times.json", "--json", place=place).expect(0).json()
        check(predicted["predicted_s"] > 0, f"prediction {predicted['predicted_s']}")
        check_equal(shared_memory() - before, set(), "segments left in /dev/shm")
        check_equal(sorted(os.listdir(directory)), ["app.firma", "app.trace", "states", "times.json"], "what is left")


for world in some([("openmpi", 2), ("mpich", 2)], [("openmpi", 4)]):
    add_whole_way(*world)


@test("a user without a name, whose directory lies in one of root's, saves and measures states")
def in_a_directory_of_root(directory):
    if os.geteuid() != 0:
        raise Skip("a directory of root's needs root")
    own = os.path.join(directory, "own")
    os.chmod(directory, 0o755)
    os.mkdir(own)
    place = make_place(own)
    needs_checkpointer(place)
    command = launch("openmpi", 2, "cg", 96, 60, 25)
    make_signature(place, command)
    saved = firma("checkpoint", "app.firma", "-o", "states", "--json", "--", *command, place=place).expect(0).json()
    measured = firma("measure", "states", "-o", "times.json", "--json", place=place).expect(0).json()
    check_equal((measured["failed"], measured["executed"]), (0, saved["saved"]), "restarts")


@test("a program that an ordinary user restores changes none of his files")
def keeps_files(directory):
    place = make_place(directory)
    needs_checkpointer(place)
    with tempfile.TemporaryDirectory(prefix="firma-e2e-", dir="/var/tmp") as away:
        make_place(away)
        command = launch("mpich", 2, "logging", away, 2000)
        make_signature(place, command)
        firma("checkpoint", "app.firma", "-b", "10", "-o", "states", "--", *command, place=place).expect(0)
        before = run(["sh", "-c", "stat -c '%n %y' *; md5sum *"], cwd=away).expect(0).out
        check(" newest" in before and " log" in before, before)
        measured = firma("measure", "states", "-o", "times.json", "--json", place=place).expect(0).json()
        check_equal((measured["failed"], measured["executed"] > 0), (0, True), "restarts")
        check_equal(run(["sh", "-c", "stat -c '%n %y' *; md5sum *"], cwd=away).out, before, "the user's files")


@test("a job that is to be saved has none of the rights that saving it takes")
def has_no_rights(directory):
    place = make_place(directory)
    needs_checkpointer(place)
    command = launch("openmpi", 2, "cg", 96, 60, 25)
    make_signature(place, command)
    look = ["sh", "-c", 'grep ^Cap[PEA] /proc/self/status > rights; exec "$@"', "sh"]
    firma("checkpoint", "app.firma", "-w", "1", "-o", "states", "--", *look, *command, place=place).expect(0)
    with open(os.path.join(directory, "rights"), encoding="ascii") as file:
        rights = [line.split() for line in file]
    check_equal(rights, [[name, "0" * 16] for name in ("CapPrm:", "CapEff:", "CapAmb:")], "rights of the job")


@test("where users may have no namespaces, the setting that forbids them is named")
def names_setting(directory):
    place = make_place(directory)
    needs_checkpointer(place)
    forbid = ["unshare", "--user", "--map-root-user", "sh", "-c",
              'echo 0 >/proc/sys/user/max_user_namespaces && exec setpriv --bounding-set=-all --inh-caps=-all "$@"', "sh"]
    checks = json.loads(run([*as_user(), *forbid, FIRMA, "doctor", "--json"], **place).expect(0).out)["checks"]
    [tool] = [item for item in checks if item["check"] == "checkpoints by criu"]
    check("max_user_namespaces is 0" in tool["detail"], f"{tool}")
    check("sysctl -w user.max_user_namespaces=" in tool["advice"], f"{tool}")


main()
