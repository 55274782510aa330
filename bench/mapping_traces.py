# SPDX-License-Identifier: BSD-3-Clause
"""Task graphs of real programs for mapping.py. Each program is traced on this machine, with any number of cores, and its
temporal flow graph is read from the trace."""

import json
import os
import random
import shutil

from programs import MELT, HPCC_LINES, MPIRUN, YIELDING, Program, own_program, run, say

LATENCY_S, BYTES_PER_S = 50e-6, 125e6
BETWEEN_AND_WITHIN = "50us,125MB/s:1us,5GB/s"
SHAPES = {4: "2x2", 8: "4x2", 16: "4x4"}  # ranks: nodes and their processors
# Sizes with which a rank's computation between two messages mostly fits into its turn on a shared
# core.
OWN = (("cg", 256, 25, 4), ("heat", 256, 200), ("multigrid", 6, 20), ("sweep", 64, 8, 10), ("stencil", 128, 400),
       ("particles", 64, 20), ("anyhalo", 60, 100000), ("masterworker", 300, 20000), ("steal", 200, 2000, 5))
MELT_STEPS, HPL_ORDER = 50, 120


def programs_of(n, apps):
    """Returns the installed programs for n ranks."""
    small = MELT.format(steps=MELT_STEPS).replace("0 20 0 20 0 20", "0 10 0 10 0 10")
    rows = 4 if n >= 16 else 2
    grid = HPCC_LINES.format(order=HPL_ORDER, ranks=n // rows).replace("1            Ps", f"{rows}            Ps")
    programs = [own_program(apps, "", *words) for words in OWN]
    programs += [Program("lammps melt", "C++", ["lmp", "-in", "in.melt", "-log", "none"], inputs={"in.melt": small}),
                 Program("hpcc", "C", ["hpcc"], inputs={"hpccinf.txt": grid}, leftovers=("hpccoutf.txt",))]
    for program in programs:
        if not program.is_there():
            say(f"left out, not found: {program.command[0]}")
    return [program for program in programs if program.is_there()]


def graph_of(firma, program, n, directory):
    """Traces a run; returns the temporal flow graph as a document."""
    archive, graph = (os.path.join(directory, name) for name in ("trace", "traced.json"))
    shutil.rmtree(archive, ignore_errors=True)
    program.prepare(directory)
    run([firma, "trace", "-q", "--mpi", "openmpi", "-o", archive, "--", *MPIRUN, *YIELDING, "--bind-to", "none",
         "-n", str(n), *program.command], directory)
    run([firma, "graph", "-q", "--force", archive, "--tfg", graph], directory)
    with open(graph, encoding="utf-8") as file:
        return json.load(file)


def renumbered(document, order):
    """The same graph, with task i as number order[i]."""
    def step_of(step):
        if not isinstance(step, dict):
            return step
        if "body" in step:
            return {**step, "body": [step_of(inner) for inner in step["body"]]}
        return {key: order[value] if key in ("send", "recv", "put", "get") else value for key, value in step.items()}

    tasks = [None] * len(order)
    for number, task in enumerate(document["tasks"]):
        tasks[order[number]] = {"steps": [step_of(step) for step in task["steps"]]}
    return {**document, "tasks": tasks}


def traced_graphs(firma, apps, directory, sizes, wanted):
    """Yields program, ranks, numbering, platform and document of each graph."""
    for n in sizes:
        for program in programs_of(n, apps):
            if not wanted(program.label):
                continue
            say(f"tracing {program.label}, {n} ranks")
            document, order = graph_of(firma, program, n, directory), list(range(n))
            platform = f"{SHAPES[n]}:{BETWEEN_AND_WITHIN}"
            yield program.label, n, "as it is", platform, renumbered(document, order)
            random.Random(f"{program.label} {n}").shuffle(order)
            yield program.label, n, "shuffled", platform, renumbered(document, order)
