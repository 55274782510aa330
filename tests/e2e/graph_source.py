# SPDX-License-Identifier: BSD-3-Clause
"""firma graph SOURCE.c: the same messages as in the graph of a traced run, without a run."""

import json
import os
import pathlib
import shutil

from harness import MPIS, Skip, check, check_equal, firma, launcher, main, run, test, trace

SOURCES = pathlib.Path(__file__).parent / "sources"
MASTER = """#include <mpi.h>
int main(int argc, char **argv) {
  int rank, n = 0; double x = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (x > argc) n = 1;
  %s
  MPI_Finalize();
  return 0;
}
"""


def edges(path):
    with open(path, encoding="utf-8") as file:
        return {(edge["from"], edge["to"]): (edge["bytes"], edge["messages"]) for edge in json.load(file)["edges"]}


def check_same(directory, mpi, ranks, name):
    source, program = SOURCES / (name + ".c"), os.path.join(directory, f"{name}-{mpi}")
    of_trace, of_source = program + ".trace.ttig", program + ".source.ttig"
    run([f"mpicc.{mpi}", "-O2", str(source), "-o", program, "-lm"]).expect(0)
    result, archive = trace(directory, launcher(mpi, ranks) + [program], name=f"{name}-{mpi}.trace")
    result.expect(0)
    firma("graph", "-q", archive, "-o", of_trace).expect(0)
    firma("graph", "-q", str(source), "-n", str(ranks), "--collectives", mpi, "-o", of_source).expect(0)
    check_equal(edges(of_source), edges(of_trace), f"edges of {name} on {ranks} processes under {mpi}")
    firma("map", "-q", of_source, "--platform", "2x4:2us,10GB/s:0.5us,20GB/s").expect(0)


@test("a source has the messages of its trace: topologies, pipelines, trees, communicators")
def same(directory):
    mpis = [mpi for mpi in MPIS if shutil.which(f"mpicc.{mpi}") and shutil.which(f"mpirun.{mpi}")]
    if not mpis:
        raise Skip("no MPI is installed")
    for name, ranks, mpi in (("stencil2d", 6, 0), ("sweep", 3, -1), ("tree", 7, 0), ("colours", 4, -1)):
        check_same(directory, mpis[mpi], ranks, name)


def graph_of(directory, statement, *options):
    if not shutil.which("mpicc"):
        raise Skip("no MPI is installed")
    path = os.path.join(directory, "app.c")
    with open(path, "w", encoding="utf-8") as file:
        file.write(MASTER % statement)
    return firma("graph", path, "-n", "2", *options)


@test("arguments behind -- are the program's, and collectives are those of mpicc's MPI")
def given_arguments(directory):
    argued = MASTER.replace("#include <mpi.h>", "#include <mpi.h>\n#include <stdlib.h>") % (
        "if (rank == 0) MPI_Send(&x, atoi(argv[1]), MPI_BYTE, 1, 0, MPI_COMM_WORLD);\n"
        "if (rank == 1) MPI_Recv(&x, atoi(argv[1]), MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);\n"
        "MPI_Allgather(&x, 1, MPI_INT, &n, 1, MPI_INT, MPI_COMM_WORLD);")
    path, graph = os.path.join(directory, "app.c"), os.path.join(directory, "app.ttig")
    with open(path, "w", encoding="utf-8") as file:
        file.write(argued)
    if not shutil.which("mpicc"):
        raise Skip("no MPI is installed")
    version = run(["mpicc", "-show"]).expect(0).out
    own = "mpich" if "mpich" in version else "openmpi"
    found = {}
    for way in ("expanded", "openmpi", "mpich"):
        firma("graph", "-q", "--force", path, "-n", "5", "--collectives", way, "-o", graph, "--", "7").expect(0)
        found[way] = edges(graph)
    check_equal(found["expanded"], found[own], f"messages of {own}")
    check_equal(found["expanded"][(0, 1)][0] - firma_bytes(found["expanded"]), 7, "bytes of the message")
    check("is no source" in firma("graph", graph, "--", "7").expect(2).err, "a graph has no arguments")


def firma_bytes(found):
    """Bytes of the collective alone from 0 to 1: those from 1 to 2 in a ring."""
    return found[(1, 2)][0]


@test("what isn't known is an error with file and line, and --set gives it")
def unknown(directory):
    for statement, words in (
            ("MPI_Recv(&x, 1, MPI_DOUBLE, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);", "from any process"),
            ("MPI_Send(&x, 1, MPI_DOUBLE, 7, 0, MPI_COMM_WORLD);", "is 7, and its communicator has 2 processes"),
            ("MPI_Send(&x, n, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);", "the count of MPI_Send isn't known: `n`"),
            ("int k = 1, *p = &k; MPI_Recv(p, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); "
             "MPI_Send(&x, k, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);", "the count of MPI_Send isn't known: `k`"),
            ("extern int read(int *); int k = 1, *p = &k; read(p); MPI_Send(&x, k, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);",
             "the count of MPI_Send isn't known: `k`"),
            ("int k = 50000; long c = k * k; MPI_Send(&x, c, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);",
             "the count of MPI_Send isn't known: `c`"),
            ("union { int a; short b; } u; u.a = 4; u.b = 7; MPI_Send(&x, u.a, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);",
             "the count of MPI_Send isn't known: `u.a`"),
            ("int a = 1, b = 2, *p = n > 1 ? &a : &b; *p = 9; "
             "MPI_Send(&x, a, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);", "the count of MPI_Send isn't known: `a`"),
            ("x = n; while (x < 1) MPI_Bcast(&x, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);", "--set iterations_app_7=N"),
            ("while (x < 1) MPI_Barrier(MPI_COMM_WORLD);", "never ends"),
            ("MPI_Win w; MPI_Win_fence(0, w);", "MPI_Win_fence is called")):
        result = graph_of(directory, statement).expect(3)
        check("app.c:7" in result.err and words in result.err, f"`{words}` is missing\n{result}")
    looped = graph_of(directory, "x = n; while (x < 1) MPI_Bcast(&x, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);", "--json", "--set",
                      "iterations_app_7=12").expect(0).json()
    check_equal(looped["messages"], 12, "messages of a loop with given iterations")


@test("a guessed conditional is taken as often as its probability says, and named")
def guessed(directory):
    statement = ("x = n; for (int i = 0; i < 10; i++) if (x < 3) { if (rank == 0) MPI_Send(&x, 1, MPI_DOUBLE, 1, 0, "
                 "MPI_COMM_WORLD); else MPI_Recv(&x, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); x = n; }")
    for options, messages in (((), 5), (("--set", "Q_app_7=0.2"), 2), (("--set", "Q_app_7=1"), 10)):
        said = graph_of(directory, statement, "--json", *options).expect(0).json()
        check_equal(said["messages"], messages, f"messages with {options}")
        check(any(finding["parameter"] == "Q_app_7" for finding in said["findings"]), f"no finding: {said['findings']}")


@test("options of sources are refused where they say nothing")
def usage(directory):
    check_equal(firma("graph", str(SOURCES / "tree.c")).status, 2, "status without a number of processes")
    check_equal(firma("graph", directory, "-n", "2").status, 2, "status of a trace with -n")
    check_equal(firma("map", str(SOURCES / "tree.c")).status, 2, "status of map with a source")
    result = graph_of(directory, "", "--set", "nothing=3").expect(2)
    check("no unknown value called `nothing`" in result.err, f"a name that nobody has is taken\n{result}")


main()
