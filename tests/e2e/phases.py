# SPDX-License-Identifier: BSD-3-Clause
"""firma phases on real archives: deterministic results, plausible results, and clear errors for broken archives."""

import json
import os
import random
import shutil

import harness
from harness import Skip, check, check_equal, firma, launch, main, some, test, trace


def traced(directory, mpi, ranks, name, *arguments):
    return harness.traced(directory, launch(mpi, ranks, name, *arguments))[1]


def signature_of(directory, archive, name="app.firma", *options):
    path = os.path.join(directory, name)
    firma("phases", archive, "-o", path, "--force", *options).expect(0)
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def structure(signature):
    """The parts of a signature that don't depend on the speed of the run."""
    return [(phase["id"], phase["ticks"], phase["weight"], phase["events"]) for phase in signature["phases"]]


@test("the user says which phases are relevant: by --only, by --least-weight, or by --relevance")
def chooses_phases(directory):
    archive = traced(directory, "openmpi", 2, "multigrid", 8, 50)
    phases = {phase["id"]: phase for phase in signature_of(directory, archive)["phases"]}

    def relevant(*options):
        signature = signature_of(directory, archive, "chosen.firma", *options)
        chosen = [phase for phase in signature["phases"] if phase["relevant"]]
        check(abs(signature["coverage"] - sum(phase["share"] for phase in chosen)) < 1e-9, f"coverage {signature['coverage']}")
        return [phase["id"] for phase in chosen], signature["parameters"]

    last, heaviest = max(phases), max(phases.values(), key=lambda phase: phase["weight"])
    check(len(phases) > 2, f"phases {sorted(phases)}")
    found, parameters = relevant("--only", f"{last},1")
    check_equal((found, parameters["only"]), ([1, last], [1, last]), "chosen phases")
    found, parameters = relevant("--least-weight", heaviest["weight"], "--relevance", "0")
    expected = [number for number, phase in phases.items() if phase["weight"] == heaviest["weight"]]
    check_equal((found, parameters["least_weight"]), (expected, heaviest["weight"]), "phases of the largest weight")
    check_equal(relevant("--relevance", "0")[0], sorted(phases), "all phases")
    table = firma("phases", archive, "--only", last).expect(0).out
    check("yes" in table, table)
    result = firma("phases", archive, "--only", "1,99").expect(3)
    check(archive in result.err and "has no phase 99" in result.err, result.err)
    firma("phases", archive, "--only", "1", "--relevance", "2").expect(2)
    times = os.path.join(directory, "times.json")
    command = launch("openmpi", 2, "multigrid", 8, 50)
    firma("measure", os.path.join(directory, "chosen.firma"), "-o", times, "--", *command).expect(0)
    firma("predict", os.path.join(directory, "chosen.firma"), times).expect(0)


@test("two analyses of one archive are byte-identical")
def is_deterministic(directory):
    archive = traced(directory, "openmpi", 4, "stencil", 32, 200)
    contents = []
    for name in ("one.firma", "two.firma"):
        signature_of(directory, archive, name)
        with open(os.path.join(directory, name), "rb") as file:
            contents.append(file.read())
    check(contents[0] == contents[1], "the two signatures differ")


def add_same_structure(mpi, name, *arguments):
    @test(f"two runs of {name} under {mpi} have the same phases with the same weights")
    def same_structure(directory):
        first = signature_of(directory, traced(directory, mpi, 2, name, *arguments))
        result, archive = trace(directory, launch(mpi, 2, name, *arguments), name="second")
        result.expect(0)
        check_equal(structure(signature_of(directory, archive)), structure(first), "phases of the second run")


for mpi, *program in some([("mpich", "cg", 64, 20, 10), ("openmpi", "sweep", 32, 8, 20)],
                          [("openmpi", "cg", 64, 20, 10), ("mpich", "sweep", 32, 8, 20)]):
    add_same_structure(mpi, *program)


def add_cg(mpi, ranks):
    @test(f"conjugate gradient on {ranks} ranks of {mpi} is dominated by a loop with the weight of its iterations")
    def dominated_by_iterations(directory):
        iterations = 25 * 20
        signature = signature_of(directory, traced(directory, mpi, ranks, "cg", 128, 25, 20))
        relevant = [phase for phase in signature["phases"] if phase["relevant"]]
        weights = {phase["id"]: phase["weight"] for phase in relevant}
        share = sum(phase["share"] for phase in relevant if phase["weight"] >= iterations)
        check(share >= 0.7, f"phases of each iteration hold {share:.2f} of the time; weights {weights}")
        check(len(signature["phases"]) <= 20, f"{len(signature['phases'])} phases")


for mpi, ranks in some([("openmpi", 4), ("mpich", 2)], [("openmpi", 2), ("openmpi", 7)]):
    add_cg(mpi, ranks)


@test("weights and times of the phases add up to the whole run")
def adds_up(directory):
    signature = signature_of(directory, traced(directory, "openmpi", 2, "heat", 64, 500))
    occurrences = sum(phase["weight"] for phase in signature["phases"])
    check_equal(occurrences, signature["occurrences"], "sum of the weights")
    whole_s = [signature["startup_s"][rank] + sum(phase["total_s"][rank] for phase in signature["phases"]) +
               signature["shutdown_s"][rank] for rank in range(2)]
    check(abs(max(whole_s) - signature["application_s"]) < 1e-6,
          f"startup, phases and shutdown take {whole_s} s, the application {signature['application_s']} s")
    relevant = sum(phase["share"] for phase in signature["phases"] if phase["relevant"])
    check(abs(signature["coverage"] - relevant) < 1e-6, f"coverage {signature['coverage']}, relevant phases {relevant}")


@test("phases of blocks hold every tick once, and their times add up to the whole run")
def blocks_add_up(directory):
    archive = traced(directory, "openmpi", 4, "sweep", 32, 8, 20)
    signature = signature_of(directory, archive, "blocks.firma", "--similarity", "block")
    ticks = sum(phase["ticks"] * phase["weight"] for phase in signature["phases"])
    check(ticks <= signature["ticks"] <= ticks + 1, f"{ticks} ticks in phases, {signature['ticks']} in all")
    check_equal(signature["blocks"], signature["ticks"] - 1, "blocks")
    check(0 < signature["distinct_blocks"] <= signature["blocks"], f"distinct blocks {signature['distinct_blocks']}")
    for rank in range(4):
        whole_s = (signature["startup_s"][rank] + sum(phase["total_s"][rank] for phase in signature["phases"]) +
                   signature["shutdown_s"][rank])
        check(whole_s <= signature["application_s"] + 1e-9, f"rank {rank}: {whole_s} s, more than the application")


@test("blocks compared by types and volumes alone find the iterations of a conjugate gradient")
def blocks_find_iterations(directory):
    archive = traced(directory, "openmpi", 4, "cg", 128, 25, 20)
    for order in ("pas2p", "lamport"):
        signature = signature_of(directory, archive, "blocks.firma", "--similarity", "block", "--order", order,
                                 "--compute-tolerance", "100")
        often = [phase for phase in signature["phases"] if phase["weight"] >= 20 * 20]
        share = sum(phase["weight"] * phase["ticks"] for phase in often) / signature["ticks"]
        check(share >= 0.7, f"{order}: phases of each iteration hold {share:.2f} of the ticks")
        check(signature["distinct_blocks"] <= 40, f"{order}: {signature['distinct_blocks']} distinct blocks")


@test("trace and phases agree on the application's time, and leave launch and shutdown out")
def same_time(directory):
    result, archive = trace(directory, launch("openmpi", 2, "heat", 64, 500), "--json")
    traced_s = result.expect(0).json()["application_s"]
    found_s = signature_of(directory, archive)["application_s"]
    check(abs(found_s - traced_s) < 1e-5, f"trace says {traced_s} s, phases says {found_s} s")


@test("the signature names the program, its arguments, its processes and its MPI")
def names_application(directory):
    application = signature_of(directory, traced(directory, "openmpi", 2, "cg", 32, 5, 2))["application"]
    text = json.dumps(application)
    check("cg-openmpi" in text and "Open MPI" in text, text)
    check_equal(application["arguments"], ["32", "5", "2"], "arguments")


def misses_of_strata(steps):
    """Names the places of io_steps that a phase's strata lack: every twentieth of 300, and the first ten."""
    places = {found["first"] + k * found["period"] for stratum in steps["strata"] for found in stratum["ranges"]
              for k in range(found["count"])}
    twentieths, first = set(range(19, 300, 20)), set(range(10))
    others = set(range(300)) - twentieths - first
    # Other processes may have delayed single steps, which then look like other ones.
    return [what for what, missed in (("every twentieth", len(places & twentieths) < 12),
                                      ("the first ten", len(places & first) < 6),
                                      ("no others", len(places & others) > 30)) if missed]


@test("steps that communicate alike but take longer at the beginning and at every twentieth are told apart")
def tells_strata_apart(directory):
    for attempt in range(12):  # a busy machine may hide the program's regularity
        work = os.path.join(directory, f"attempt{attempt}")
        os.mkdir(work)
        archive = traced(work, "openmpi", 2, "io_steps", 150000, 300, 20, 10)
        signature = signature_of(work, archive)
        steps = max(signature["phases"], key=lambda phase: phase["weight"])
        misses = misses_of_strata(steps)
        if not misses:
            break
    if misses and os.getloadavg()[0] > os.cpu_count():
        raise Skip(f"other programs hide the program's regularity: {misses}")
    check(not misses, f"{misses}: {steps['strata']}")
    check_equal(sum(stratum["count"] for stratum in steps["strata"]), steps["weight"], "occurrences of all strata")
    check(sum(stratum["ranges"] == [] for stratum in steps["strata"]) == 1, f"not one base: {steps['strata']}")
    text = firma("phases", archive).expect(0).out
    check(f"phase {steps['id']} " in text and "occurrences of" in text and "every " in text, f"the strata are not shown\n{text}")
    document = firma("phases", archive, "--json").expect(0).json()
    check(document["period"] and document["period"]["times"] >= 290, f"period: {document['period']}")
    check(any(phase["strata"] for phase in document["phases"]), "no strata in the document")


@test("a program without repetition has phases too")
def no_repetition(directory):
    signature = signature_of(directory, traced(directory, "openmpi", 2, "everycall"))
    check(signature["phases"], "no phases")


@test("phases prints a table on stdout and with --json one document")
def prints_table(directory):
    archive = traced(directory, "openmpi", 2, "cg", 64, 10, 10)
    table = firma("phases", archive, "-o", os.path.join(directory, "a.firma")).expect(0)
    check("weight" in table.out.lower() and "coverage" in table.out.lower(), f"no phase table\n{table}")
    document = firma("phases", archive, "-o", os.path.join(directory, "b.firma"), "--json").expect(0).json()
    for key in ("id", "ticks", "weight", "share"):
        check(all(key in phase for phase in document["phases"]), f"phases lack {key!r}")


@test("in Lamport's order the same events are found, and the signature names the order")
def lamport_order(directory):
    archive = traced(directory, "openmpi", 4, "cg", 64, 10, 10)
    by_pas2p = signature_of(directory, archive)
    by_lamport = signature_of(directory, archive, "lamport.firma", "--order", "lamport")
    check_equal(by_lamport["order"], "lamport", "order")
    check_equal(by_lamport["send_events"], by_pas2p["send_events"], "send-like events")
    check(by_lamport["phases"] and by_lamport["ticks"] >= by_pas2p["ticks"], f"{by_lamport['ticks']} ticks")


@test("an order that there isn't is refused with the names of those there are")
def no_such_order(directory):
    archive = traced(directory, "openmpi", 2, "cg", 32, 5, 2)
    result = firma("phases", archive, "--order", "alphabetical").expect(2)
    check("pas2p, lamport" in result.err, str(result))


@test("a limit of memory changes nothing in the result, and one that is too low is an error that says so")
def limit_of_memory(directory):
    archive = traced(directory, "openmpi", 4, "stencil", 32, 2000)
    check_equal(signature_of(directory, archive, "limited.firma", "--memory", "16M"),
                signature_of(directory, archive), "signature")
    result = firma("phases", archive, "--memory", "10K").expect(4)
    check("--memory" in result.err and "MiB" in result.err, str(result))
    firma("phases", archive, "--memory", "much").expect(2)


# ---- broken archives ----

def check_refused(archive, *names):
    result = firma("phases", archive, "-o", archive.rstrip("/") + ".firma").expect(3)
    check(any(name in result.err for name in names), f"none of {names} is named\n{result}")
    check(not os.path.exists(archive.rstrip("/") + ".firma"), "a signature was written all the same")


@test("an archive that is not there is refused by name with exit status 3")
def missing_archive(directory):
    check_refused(os.path.join(directory, "nothing"), "nothing")


@test("an empty directory is refused by name with exit status 3")
def empty_directory(directory):
    os.mkdir(os.path.join(directory, "empty"))
    check_refused(os.path.join(directory, "empty"), "empty")


@test("a recording that isn't a trace yet is refused, and firma says how it becomes one")
def recording(directory):
    archive = os.path.join(directory, "app.trace")
    firma("trace", "-q", "--keep-recording", "-o", archive, "--", *launch("openmpi", 2, "cg", 32, 10, 10)).expect(0)
    for verb in ("phases", "show"):
        said = firma(verb, archive + ".recording").expect(3).err
        check("no trace yet" in said and f"firma trace --convert {archive}.recording" in said, said)


def damaged(directory, damage):
    """Yields a copy of an archive for each of its files, with this file damaged: (copy, file's name)."""
    archive = traced(directory, "openmpi", 2, "cg", 32, 10, 10)
    files = [os.path.relpath(os.path.join(where, name), archive) for where, _, names in os.walk(archive)
             for name in names if name.endswith((".otf2", ".def", ".evt"))]
    for i, name in enumerate(sorted(files)):
        copy = os.path.join(directory, f"copy{i}")
        shutil.copytree(archive, copy)
        damage(os.path.join(copy, name))
        yield copy, name


@test("an archive with an empty file is refused with exit status 3 and a name")
def empty_file(directory):
    for copy, name in damaged(directory, lambda path: os.truncate(path, 0)):
        if os.path.dirname(name) and name.endswith(".def"):
            continue  # local definitions may be empty
        check_refused(copy, os.path.basename(name), os.path.basename(copy))


@test("an archive with a file cut in half is refused with exit status 3 and a name")
def truncated_file(directory):
    for copy, name in damaged(directory, lambda path: os.truncate(path, os.path.getsize(path) // 2)):
        if os.path.dirname(name) and name.endswith(".def"):
            continue
        check_refused(copy, os.path.basename(name), os.path.basename(copy))


def add_threads(mpi):
    @test(f"threads that communicate at the same time under {mpi} are ordered each by itself, without circles")
    def threads(directory):
        archive, signature = traced(directory, mpi, 3, "threads", 2, 200), os.path.join(directory, "app.firma")
        document = firma("phases", archive, "-o", signature, "--json").expect(0).json()
        check_equal(document["problems"], [], "problems")
        check(document["coverage"] <= 1.000001, f"coverage {document['coverage']}")
        firma("show", signature).expect(0)  # no time in it is negative
        messages = [calls for calls in firma("show", archive, "--json").expect(0).json()["communicators"] if calls["call"] == "messages"]
        check_equal(len(messages), 2, "communicators of threads")
        for calls in messages:
            check_equal(calls["received_bytes"], calls["sent_bytes"], f"bytes of {calls}")
        weights = sorted(phase["weight"] for phase in document["phases"])
        # 200 rounds of each thread, and 40 collectives; the last few may be mixed with the end of the program.
        check(weights[-2] >= 190 and weights[-3] >= 36, f"weights {weights}")

    @test(f"steps of OpenMP threads under {mpi} that communicate at the same time, and of the main thread, are one phase")
    def steps(directory):
        words = launch(mpi, 2, "hybrid", 16, 50, "multiple")
        result, archive = trace(directory, words, env={"OMP_NUM_THREADS": "2", "OMP_WAIT_POLICY": "passive"})
        result.expect(0)
        document = firma("phases", archive, "--json").expect(0).json()
        check_equal(document["problems"], [], "problems")
        check(50 in [phase["weight"] for phase in document["phases"]], f"phases {document['phases']}")


def add_sparse(mpi):
    @test(f"equal steps of sparse exchanges under {mpi} are one phase, whenever a message is received")
    def sparse(directory):
        document = firma("phases", traced(directory, mpi, 4, "nbx", 60, 10000, "same"), "--json").expect(0).json()
        check_equal([(phase["weight"], phase["events"]) for phase in document["phases"]], [(60, 12)], "phases")


for each_mpi in some(["openmpi"], ["mpich"]):
    add_sparse(each_mpi)
for each_mpi in some(["mpich"], ["openmpi"]):
    add_threads(each_mpi)


@test("an archive with a file missing is refused with exit status 3 and a name")
def missing_file(directory):
    for copy, name in damaged(directory, os.remove):
        if os.path.dirname(name) and name.endswith(".def"):
            continue
        check_refused(copy, os.path.basename(name), os.path.basename(copy))


@test("random bytes in an archive never crash the analysis")
def random_bytes(directory):
    numbers = random.Random(1)

    def scribble(path):
        with open(path, "r+b") as file:
            size = os.path.getsize(path)
            for _ in range(8):
                file.seek(numbers.randrange(max(size, 1)))
                file.write(bytes([numbers.randrange(256)]))

    for round_number in range(3):
        work = os.path.join(directory, f"round{round_number}")
        os.mkdir(work)
        for copy, _name in damaged(work, scribble):
            firma("phases", copy, "-o", copy + ".firma").expect(0, 1, 3)


main()
