# SPDX-License-Identifier: BSD-3-Clause
"""Every logical order with every similarity: compared on real traces; each of their signatures is executed."""

import json
import os

import harness
from harness import check, check_equal, firma, launch, main, some, test, trace

METHODS = [("lamport", "block"), ("pas2p", "block"), ("lamport", "phase"), ("pas2p", "phase")]


def traced(directory, name, mpi, ranks, program, *arguments):
    return harness.traced(directory, launch(mpi, ranks, program, *arguments), name)[1]


@test("a comparison has a row for each method, and no prediction without a measured run")
def compares(directory):
    archive = traced(directory, "a", "openmpi", 4, "cg", 64, 10, 10)
    found = firma("phases", archive, "--compare", "--json").expect(0).json()
    check_equal([(row["order"], row["similarity"]) for row in found["methods"]], METHODS, "methods")
    for row in found["methods"]:
        check(row["phases"] >= row["relevant_phases"] >= 1, f"phases: {row}")
        check(0 < row["coverage"] <= 1, f"coverage: {row}")
        check((row["blocks"] > 0) == (row["similarity"] == "block"), f"blocks: {row}")
        check(row["distinct_blocks"] <= row["blocks"], f"distinct blocks: {row}")
        check("pet_s" not in row, f"a prediction of nothing: {row}")
    text = firma("phases", archive, "--compare").expect(0).out
    check_equal(len(text.split("\n\n")[0].splitlines()), 1 + len(METHODS), "lines of the table")
    check(max(map(len, text.splitlines())) <= 80, f"wider than a terminal:\n{text}")


def add_measured(mpi, ranks, program, *arguments):
    @test(f"a second run of {program} under {mpi} is predicted by every method from the occurrences of its phases")
    def predicts(directory):
        one = traced(directory, "one", mpi, ranks, program, *arguments)
        result, two = trace(directory, launch(mpi, ranks, program, *arguments), name="two")
        result.expect(0)
        found = firma("phases", one, "--compare", "--against", two, "--json").expect(0).json()
        check(found["actual_s"] > 0, f"actual time {found['actual_s']}")
        for row in found["methods"]:
            check(row["agreement"] > 0.95, f"a deterministic program agrees with itself: {row}")
            check(row["pet_s"] > 0 and row["predicted_s"] > 0, f"predictions: {row}")
            check(abs(row["pete_percent"] - 100 * abs(row["pet_s"] / found["actual_s"] - 1)) < 1e-6, f"PETE: {row}")


@test("a run is predicted from all of its own occurrences, or from as many as --samples says")
def times_all_occurrences(directory):
    archive = traced(directory, "one", "openmpi", 2, "cg", 64, 20, 200)
    found = firma("phases", archive, "--compare", "--against", archive, "--json").expect(0).json()
    for row in found["methods"]:
        if row["similarity"] == "phase":
            check(row["error_percent"] < 5 and 0 < row["set_s"] < 0.2 * found["actual_s"], f"{row}")
    few = firma("phases", archive, "--compare", "--against", archive, "--samples", "2", "--json").expect(0).json()
    check([row["predicted_s"] for row in few["methods"]] != [row["predicted_s"] for row in found["methods"]], f"{few}")
    firma("phases", archive, "--compare", "--against", archive, "--samples", "1").expect(2)
    firma("phases", archive, "--samples", "3").expect(2)


@test("a measured run with other arguments is named as one, and fits into 80 columns")
def names_difference(directory):
    one, other = (traced(directory, name, "openmpi", 2, "cg", 64, 10, steps)
                  for name, steps in (("one", 10), ("other", 12)))
    found = firma("phases", one, "--compare", "--against", other, "--json").expect(0).json()
    check_equal(found["difference"], "arguments `64 10 12`, not `64 10 10`", "difference")
    table = firma("phases", one, "--compare", "--against", other).expect(0).out
    check(found["difference"] in table, f"not in the text:\n{table}")
    check(max(len(line) for line in table.splitlines() if other not in line) <= 80, f"wider than a terminal:\n{table}")


@test("where no phase could be measured, no prediction is shown")
def shows_no_prediction(directory):
    one = traced(directory, "one", "openmpi", 2, "cg", 64, 10, 10)
    table = firma("phases", one, "--compare", "--against", one, "--relevance", "100").expect(0).out.split("\n\n")[3]
    check_equal([line.split()[2:] for line in table.splitlines()[1:]], [["-"] * 7] * len(METHODS), "predictions")


for program in some([("mpich", 2, "cg", 64, 10, 10), ("openmpi", 4, "sweep", 32, 8, 20)], [("openmpi", 2, "cg", 64, 10, 10)]):
    add_measured(*program)


def add_executed(order, similarity):
    @test(f"a signature by {order} order and {similarity} similarity is executed and predicts")
    def executes(directory):
        archive = traced(directory, "a", "openmpi", 2, "cg", 128, 60, 25)
        signature, times = (os.path.join(directory, name) for name in ("app.firma", "times.json"))
        firma("phases", archive, "--order", order, "--similarity", similarity, "-o", signature).expect(0)
        with open(signature, encoding="utf-8") as file:
            document = json.load(file)
        check_equal((document["order"], document["similarity"]), (order, similarity), "methods in the signature")
        measured = firma("measure", signature, "-o", times, "--budget", "20", "--json", "--",
                         *launch("openmpi", 2, "cg", 128, 60, 25)).expect(0).json()
        check(measured["phases"], f"no phase was measured: {measured}")
        check(measured["agreement"] > 0.95, f"agreement {measured['agreement']}")
        predicted = firma("predict", signature, times, "--json").expect(0).json()
        low, high = predicted["interval_s"]
        check(0 < low <= predicted["predicted_s"] <= high, f"prediction {predicted['predicted_s']}, {low} to {high}")


for method in METHODS:
    add_executed(*method)


@test("a comparison refuses options that contradict it")
def refuses(directory):
    archive = traced(directory, "a", "openmpi", 2, "cg", 32, 3, 3)
    other = traced(directory, "b", "openmpi", 4, "cg", 32, 3, 3)
    firma("phases", archive, "--compare", "-o", os.path.join(directory, "app.firma")).expect(2)
    firma("phases", archive, "--compare", "--order", "lamport").expect(2)
    firma("phases", archive, "--against", other).expect(2)
    firma("phases", archive, "--order", "causal").expect(2)
    firma("phases", archive, "--similarity", "80").expect(2)
    check("processes" in firma("phases", archive, "--compare", "--against", other).expect(3).err, "number of processes")
    firma("phases", archive, "--compare", "--against", os.path.join(directory, "absent")).expect(3)


main()
