# SPDX-License-Identifier: BSD-3-Clause
"""firma trace --convert of other tools' traces: Extrae's (examples/import) and those that SimGrid's smpirun writes here. They
hold the same communication as firma's own traces of the same programs."""

import json
import os
import pathlib
import shutil

from harness import check, check_equal, firma, launcher, main, run, simulated, test, trace

EXAMPLES = pathlib.Path(__file__).parents[2] / "examples"
EXTRAE = EXAMPLES / "import" / "jacobi.prv"
TI = EXAMPLES / "import" / "stencil.txt"


def convert(directory, path, *options):
    """Returns (the new trace, what firma says in JSON)."""
    archive = os.path.join(directory, "imported.trace")
    return archive, firma("trace", "--convert", str(path), "-o", archive, "--json", *options).expect(0).json()


def phases(directory, archive):
    """Returns [(ticks, weight)] of the phases."""
    path = os.path.join(directory, "app.firma")
    firma("phases", archive, "-o", path, "--force").expect(0)
    with open(path, encoding="utf-8") as file:
        return [(phase["ticks"], phase["weight"]) for phase in json.load(file)["phases"]]


def graph(archive):
    document = firma("graph", archive, "--json").expect(0).json()
    return {key: document[key] for key in ("tasks", "edges", "messages", "bytes", "collectives", "collective_bytes", "unmatched")}


@test("Extrae's trace and firma's own of the same program have the same communication, phases and weights")
def extrae(directory):
    program = os.path.join(directory, "jacobi")
    run(["mpicc", "-O2", str(EXAMPLES / "jacobi" / "jacobi.c"), "-o", program, "-lm"]).expect(0)
    result, own = trace(directory, [*launcher("openmpi", 2), program, "100", "20"], "-q")
    result.expect(0)
    imported, said = convert(directory, EXTRAE)
    check_equal((said["processes"], said["messages"], said["collectives"]), (2, 40, 4), "what firma says")
    check(any("neither CPU times nor" in note for note in said["notes"]), said["notes"])
    firma("diff", own, imported).expect(0)
    check_equal(phases(directory, imported), phases(directory, own), "phases")
    check_equal(graph(imported), graph(own), "what is in the task graph")


def add_simulated(name, ranks, *arguments):
    @test(f"a time-independent trace of {name} has the communication that firma records in the same simulation")
    def has_the_same(directory):
        command = simulated(directory, ranks, name, *arguments)
        result, own = trace(directory, command, "-q")
        result.expect(0)
        run([command[0], "-trace-ti", *command[1:]], cwd=directory).expect(0)
        imported, _ = convert(directory, os.path.join(directory, "smpi_simgrid.txt"), "--flop-rate", "1e9")
        firma("diff", own, imported).expect(0)


add_simulated("stencil", 4, 32, 50)  # nonblocking messages, Waitall
add_simulated("cg", 4, 32, 5, 2)  # and receives from MPI_PROC_NULL, allreduce


@test("all verbs that read traces read a converted one")
def all_verbs(directory):
    imported, _ = convert(directory, TI, "--flop-rate", "1e9")
    for words in (("show",), ("show", "--ticks", ":9"), ("phases",), ("graph",), ("scale", "trace"),
                  ("export", "-o", os.path.join(directory, "exported")), ("map", "--platform", "2x1:50us,125MB/s")):
        n_words = 2 if words[0] == "scale" else 1
        firma(*words[:n_words], imported, *words[n_words:], cwd=directory).expect(0)
    firma("diff", imported, os.path.join(directory, "exported")).expect(0)


@test("a trace that can't be converted is named with its line, leaves nothing behind, and replaces nothing")
def broken(directory):
    archive, _ = convert(directory, EXTRAE)
    before = sorted(os.listdir(directory))
    for name in ("jacobi.prv", "jacobi.pcf"):
        shutil.copy(EXTRAE.with_name(name), directory)
    path = os.path.join(directory, "jacobi.prv")
    with open(path, "a", encoding="ascii") as file:
        file.write("2:1:1:3:1:0:1:1\n")
    n_lines = sum(1 for _ in open(path, encoding="ascii"))
    result = firma("trace", "--convert", path, "-o", archive, "--force").expect(3)
    check(f"{path}: line {n_lines}: " in result.err, result)
    firma("show", archive).expect(0)
    os.remove(os.path.join(directory, "jacobi.pcf"))
    result = firma("trace", "--convert", path).expect(3)
    check("jacobi.pcf, which holds the names of MPI's calls, is absent" in result.err, result)
    os.remove(path)
    check_equal(sorted(os.listdir(directory)), before, "files")


@test("--flop-rate is asked for where a trace has no times, and refused elsewhere")
def flop_rate(directory):
    target = ("-o", os.path.join(directory, "a"))
    check("--flop-rate is missing" in firma("trace", "--convert", str(TI), *target).expect(2).err, "the option isn't named")
    for value in ("0", "fast", "1e", "-5", "nan"):
        check("--flop-rate" in firma("trace", "--convert", str(TI), "--flop-rate", value, *target).expect(2).err, value)
    firma("trace", "--convert", str(EXTRAE), "--flop-rate", "1e9", *target).expect(2)
    firma("trace", "--flop-rate", "1e9", *target, "--", "mpirun", "true").expect(2)
    check_equal(os.listdir(directory), [], "files")


main()
