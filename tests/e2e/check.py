# SPDX-License-Identifier: BSD-3-Clause
"""firma check: the MPI calls that the files of real programs can make."""

import os
import shutil

from harness import APPS, MPIS, Skip, app, check, check_equal, firma, main, run, test

NAMES = {"openmpi": "Open MPI", "mpich": "MPICH"}


def calls_of(document, kind):
    return {call["call"] for call in document["calls"] if call["class"] == kind}


def compiled(directory, compiler, source, *options, name="program"):
    """Compiles an executable from a few lines. The suffix of `source` is that of the compiler's language."""
    compiler = shutil.which(compiler)
    if compiler is None:
        raise Skip("the compiler isn't installed")
    suffix, text = source
    path = os.path.join(directory, "source" + suffix)
    with open(path, "w", encoding="ascii") as file:
        file.write(text)
    program = os.path.join(directory, name)
    run([compiler, "-o", program, path, *options]).expect(0)
    return program


@test("a program that isn't executable can't be recorded")
def refuses_what_cannot_start(directory):
    copy = os.path.join(directory, "app")
    shutil.copyfile(app("cg", "openmpi"), copy)
    result = firma("check", copy).expect(1)
    check("isn't executable" in result.err, f"no reason\n{result}")


def add_program(mpi, name, some, none):
    @test(f"check finds the calls of {name} under {mpi}, and that all are recorded")
    def finds_calls():
        document = firma("check", "--json", app(name, mpi)).expect(0).json()
        check_equal(document["linkage"], "shared", "linkage")
        check_equal(document["mpi"], NAMES[mpi], "MPI")
        check("recorder" in document, f"no recorder: {document}")
        recorded = calls_of(document, "recorded")
        check(some <= recorded, f"not found: {some - recorded}, of {sorted(recorded)}")
        check(not none & recorded, f"not called, but found: {none & recorded}")
        check("MPI_Comm_rank" in calls_of(document, "local"), "MPI_Comm_rank isn't among those that don't communicate")
        check_equal((document["unknown"], document["counted"]), (0, 0), "unknown and counted calls")
        check("firma can record this program" in firma("check", app(name, mpi)).expect(0).out, "the text gives no answer")


for mpi in MPIS:
    add_program(mpi, "cg", {"MPI_Init", "MPI_Finalize"}, {"MPI_Alltoallw"})
    add_program(mpi, "sweep", {"MPI_Send", "MPI_Recv", "MPI_Init"}, {"MPI_Alltoall"})     # mpif.h
    add_program(mpi, "everycall_f08", {"MPI_Wait", "MPI_Isend", "MPI_Init"}, {"MPI_Alltoallw"})  # use mpi_f08


def add_counted(mpi):
    @test(f"check names a call that is not recorded, and says no, under {mpi}")
    def names_call(directory):
        program = compiled(directory, f"mpicc.{mpi}", (".c", """#include <mpi.h>
            int main(void) { char port[MPI_MAX_PORT_NAME]; MPI_Init(0, 0); MPI_Lookup_name("", MPI_INFO_NULL, port);
            return MPI_Finalize(); }"""))
        document = firma("check", "--json", program).expect(1).json()
        check("MPI_Lookup_name" in calls_of(document, "counted"), f"MPI_Lookup_name is not counted: {document}")
        text = firma("check", program).expect(1)
        check("MPI_Lookup_name" in text.out and "program" in text.out, f"not in the table\n{text}")
        check("hint" in text.err, f"no hint\n{text}")
        check("firma can record this program" not in text.out, f"two answers\n{text}")


for mpi in MPIS:
    add_counted(mpi)


@test("check reads a program's own libraries beside it, and names those that call MPI")
def follows_libraries(directory):
    library = compiled(directory, "mpicc.openmpi", (".c", """#include <mpi.h>
        int halo(void) { return MPI_Barrier(MPI_COMM_WORLD); }"""), "-shared", "-fPIC", name="libhalo.so")
    check(os.path.exists(library), "no library")
    program = compiled(directory, "mpicc.openmpi", (".c", """#include <mpi.h>
        int halo(void); int main(void) { MPI_Init(0, 0); halo(); return MPI_Finalize(); }"""),
                       "-L" + directory, "-lhalo", "-Wl,-rpath,$ORIGIN")
    document = firma("check", "--json", program).expect(0).json()
    importers = {call["call"]: call["imported_by"] for call in document["calls"]}
    check_equal(importers.get("MPI_Barrier"), ["libhalo.so"], "who imports MPI_Barrier")
    check_equal(importers.get("MPI_Init"), ["program"], "who imports MPI_Init")
    os.remove(library)
    document = firma("check", "--json", program).expect(0).json()
    check_equal(document["libraries_missing"], ["libhalo.so"], "missing libraries")


def add_cpp(mpi):
    @test(f"check reads a C++ program under {mpi}, and calls by the name that C has for them")
    def reads_cpp(directory):
        program = compiled(directory, f"mpicxx.{mpi}", (".cpp", """#include <mpi.h>
            int main() { MPI_Init(nullptr, nullptr); MPI_Barrier(MPI_COMM_WORLD); return MPI_Finalize(); }"""))
        document = firma("check", "--json", program).expect(0, 1).json()
        check({"MPI_Init", "MPI_Barrier", "MPI_Finalize"} <= calls_of(document, "recorded"), f"{document}")
        check(all(call["call"].startswith("MPI") for call in document["calls"]), f"{document}")


for mpi in MPIS:
    add_cpp(mpi)


STATIC = (".c", "int PMPI_Init(void *a, void *b) { return a == b; } int main(int n, char **w) { return PMPI_Init(&n, w); }")


@test("check reports that the recorder can't see a program with MPI linked into it")
def static_mpi(directory):
    program = compiled(directory, "cc", STATIC, "-static")
    result = firma("check", program).expect(1)
    check("statically linked" in result.err, f"not said\n{result}")
    check_equal(firma("check", "--json", program).json()["linkage"], "static", "linkage")
    dynamic = compiled(directory, "cc", STATIC, name="dynamic")
    check_equal(firma("check", "--json", dynamic).expect(1).json()["linkage"], "static", "linkage without -static")
    run(["strip", program]).expect(0)
    check_equal(firma("check", "--json", program).expect(1).json()["linkage"], "unknown", "linkage once stripped")


@test("check reports that a program has no MPI")
def no_mpi():
    result = firma("check", "/bin/ls").expect(1)
    check("not linked with MPI" in result.err and "hint" in result.err, f"not said\n{result}")
    check_equal(firma("check", "--json", "/bin/ls").json()["linkage"], "none", "linkage")


@test("check names a script's interpreter, and asks for the program")
def script(directory):
    path = os.path.join(directory, "run.sh")
    with open(path, "w", encoding="ascii") as file:
        file.write("#!/bin/sh -e\nexec ./app\n")
    os.chmod(path, 0o755)
    result = firma("check", path).expect(3)
    check("a script, run by /bin/sh -e" in result.err and "hint: give the program" in result.err, f"not said\n{result}")


@test("check refuses files that are no programs, and names them")
def no_program(directory):
    source = app("cg")
    with open(source, "rb") as file:
        whole = file.read()
    for name, content in (("text", b"only some words, and no program at all"), ("empty", b""), ("magic", b"\x7fELF"),
                          ("header", whole[:64]), ("half", whole[:len(whole) // 2])):
        path = os.path.join(directory, name)
        with open(path, "wb") as file:
            file.write(content)
        result = firma("check", path)
        result.expect(3)
        check(path in result.err, f"not named\n{result}")
        check(name not in ("header", "half") or "truncated ELF file" in result.err, f"not said\n{result}")
    for path in (directory, os.path.join(directory, "absent"), "/dev/null"):
        check(path in firma("check", path).expect(3).err, f"{path} isn't named")
    firma("check").expect(2)
    firma("check", source, source).expect(2)


@test("check finds a program on PATH as a launcher would")
def on_path():
    environment = {"PATH": APPS + ":" + os.environ["PATH"]}
    name = os.path.basename(app("cg"))
    document = firma("check", "--json", name, env=environment).expect(0).json()
    check_equal(document["program"], os.path.join(APPS, name), "program")


@test("check reads a real application with a hundred libraries")
def lammps():
    if shutil.which("lmp") is None:
        raise Skip("lammps is not installed")
    document = firma("check", "--json", "lmp").expect(0, 1).json()
    importers = {call["call"]: call["imported_by"] for call in document["calls"]}
    check(any("liblammps" in name for name in importers["MPI_Allreduce"]), f"{importers['MPI_Allreduce']}")
    check_equal(document["unknown"], 0, "unknown calls")


main()
