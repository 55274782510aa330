# SPDX-License-Identifier: BSD-3-Clause
"""firma diff: two traces of a program, equal and different; and predictions of programs whose order varies."""

import os

from harness import check, check_equal, firma, launch, main, some, test, trace


def traced(directory, command, name):
    result, archive = trace(directory, command, name=name)
    result.expect(0)
    return archive


def two_traces(directory, first, second):
    return traced(directory, first, "a.trace"), traced(directory, second, "b.trace")


def add_same(mpi):
    @test(f"two runs of a program communicate the same under {mpi}")
    def same(directory):
        command = launch(mpi, 2, "cg", 100, 25, 20)
        a, b = two_traces(directory, command, command)
        document = firma("diff", "--json", a, b).expect(0).json()
        check(document["same"], f"{document}")
        check_equal((document["sent"], document["different_pair_count"]), ("same", 0), "sends and different pairs")
        check_equal((document["phase_agreement"], document["same_sequence"]), (1, True), "phases")
        check_equal(document["identity"], "", "identity")
        text = firma("diff", a, b).expect(0)
        check(text.out.startswith("the same communication"), f"summary\n{text}")


for mpi in some(["mpich"], ["openmpi"]):
    add_same(mpi)


@test("a run of another size differs in volumes, and in its arguments")
def other_size(directory):
    a, b = two_traces(directory, launch("openmpi", 2, "cg", 100, 25, 20), launch("openmpi", 2, "cg", 120, 25, 20))
    result = firma("diff", "--json", a, b).expect(1)
    document = result.json()
    check_equal((document["same"], document["sent"]), (False, "volumes"), "verdict")
    check("arguments" in document["identity"], f"identity {document['identity']}")
    process = document["processes"][0]
    check_equal(process["sends"][0], process["sends"][1], "number of sends")
    first = process["sent"]["events"]
    check_equal(first[0]["type"], first[1]["type"], "type of the first event that differs")
    check(first[0]["bytes"] != first[1]["bytes"], f"volumes of it: {first}")
    check("other volumes" in result.err, f"the reason is not in the message\n{result}")


@test("a longer run begins like the shorter one")
def longer(directory):
    a, b = two_traces(directory, launch("openmpi", 2, "particles", 50, 20), launch("openmpi", 2, "particles", 50, 40))
    document = firma("diff", "--json", a, b).expect(1).json()
    processes = [process["sent"]["compared"] for process in document["processes"]]
    check(set(processes) <= {"shorter", "content"}, f"{processes}")
    check(document["events"][0] < document["events"][1], f"events {document['events']}")
    check(document["phases"][0]["weight"][0] < document["phases"][0]["weight"][1], f"{document['phases']}")


@test("a run on more processes is different, and its phases are not compared")
def more_processes(directory):
    a, b = two_traces(directory, launch("openmpi", 2, "cg", 100, 25, 5), launch("openmpi", 3, "cg", 100, 25, 5))
    result = firma("diff", "--json", a, b).expect(1)
    document = result.json()
    check("phases" not in document, "phases were compared")
    check_equal(len(document["processes"]), 3, "processes")
    check("A is of 2 processes, B of 3" in document["summary"], document["summary"])


def add_varying(mpi, name, *arguments):
    @test(f"two runs of {name} are compared, whoever does what in them, under {mpi}")
    def varying(directory):
        command = launch(mpi, 4 if mpi == "openmpi" else 3, name, *arguments)
        a, b = two_traces(directory, command, command)
        document = firma("diff", "--json", a, b).expect(0, 1).json()
        # The distribution of work varies: one worker may take nearly all in one run, the other in
        # the next.
        check(document["events_in_both"] > 0, f"in both {document['events_in_both']} of {document['events']}")
        check(document["sent"] in ("same", "order", "shorter", "content"), document["sent"])
        for trace_of in (a, b):
            phases = firma("phases", "--json", trace_of).expect(0).json()
            check(phases["coverage"] > 0, f"coverage {phases['coverage']}")


for mpi, *program in some([("mpich", "masterworker", 200, 20000), ("openmpi", "steal", 40, 20000, 5)],
                          [("openmpi", "masterworker", 200, 20000), ("mpich", "steal", 40, 20000, 5)]):
    add_varying(mpi, *program)


@test("the prediction of a program whose order varies says so, and has a wider interval")
def prediction_says_so(directory):
    command = launch("openmpi", 4, "masterworker", 4000, 20000)
    signature, times = os.path.join(directory, "app.firma"), os.path.join(directory, "times.json")
    firma("phases", traced(directory, command, "a.trace"), "-o", signature).expect(0)
    firma("measure", signature, "-o", times, "--", *command).expect(0)
    document = firma("predict", "--json", signature, times).expect(0).json()
    check(0 <= document["agreement"] < 1, f"agreement {document['agreement']}")
    check(document["order_variation"] > 0, "nothing is added to the interval")
    low, high = document["interval_s"]
    check(high - document["predicted_s"] >= 1.9 * document["order_variation"] * document["predicted_s"],
          f"{low} to {high} is narrower than the order's variation {document['order_variation']}")
    text = firma("predict", signature, times).expect(0)
    check("communicates in another order each time" in text.out, f"not said\n{text}")


@test("phases of another problem size are the same phases with other volumes, and side by side with --like")
def resized(directory):
    a, b = two_traces(directory, launch("openmpi", 2, "cg", 100, 25, 20), launch("openmpi", 2, "cg", 200, 25, 30))
    document = firma("diff", "--json", a, b).expect(1).json()
    main_phase = max(document["phases"], key=lambda phase: phase["share"][0])
    check(main_phase["resized_id"] and 1.5 < main_phase["volume_factor"] <= 2, f"{main_phase}")
    check_equal(main_phase["weight"], [500, 750], "weights")
    text = firma("diff", a, b).expect(1).out
    check("volumes × " in text and "only in A: 0 phases, only in B: 0" in text, text)
    signature = os.path.join(directory, "a.firma")
    firma("phases", "-q", a, "-o", signature).expect(0)
    like = firma("phases", b, "--like", signature, "--json").expect(0).json()
    rows = {row["id"]: row for row in like["phases"]}
    check_equal((rows[1]["weight"], rows[1]["other_weight"]), (750, 500), "weights")
    check(like["matched_share"] > 0.9 and rows[1]["volume_factor"] > 1.5, f"{like}")
    check("volumes" in firma("phases", b, "--like", signature).expect(0).out, "the text")


@test("where only the volumes differ, the prediction doesn't speak of another order")
def volumes_are_named(directory):
    signature, times = os.path.join(directory, "app.firma"), os.path.join(directory, "times.json")
    firma("phases", "-q", traced(directory, launch("openmpi", 2, "cg", 100, 25, 40), "a.trace"), "-o", signature).expect(0)
    result = firma("measure", signature, "-o", times, "--accept-differences", "--", *launch("openmpi", 2, "cg", 200, 25, 40))
    result.expect(0)
    check("firma phases --like" in result.err, f"other steps aren't spoken of\n{result}")
    text = firma("predict", signature, times).expect(0).out
    check("the volumes of its messages differ" in text and "another order" not in text, text)


@test("diff refuses anything but two traces")
def refuses(directory):
    firma("diff").expect(2)
    firma("diff", directory).expect(2)
    result = firma("diff", directory, os.path.join(directory, "absent")).expect(3)
    check(directory in result.err, f"not named\n{result}")


main()
