# SPDX-License-Identifier: BSD-3-Clause
"""firma comm --compare: two measurements, made up or measured."""

import json
import os

from harness import check, check_equal, firma, main, measure_in_time, test

POINT = {"samples": 60, "starts": 3, "p5_s": 0, "p90_s": 0, "p90_low_s": 0, "p90_high_s": 0, "p95_s": 0, "p99_s": 0,
         "skew_s": 0, "reached": True, "late": 0, "batch": 1}


def point(size, seconds):
    return {**POINT, "bytes": size, "minimum_s": 0.9 * seconds, "minimum_high_s": 0.91 * seconds, "median_s": seconds,
            "mean_s": seconds, "low_s": 0.99 * seconds, "high_s": 1.01 * seconds}


def measurement(middleware, times, operation="pingpong", ranks=2):
    return {"format": "firma communication", "version": 1, "date": "2030-01-31T08:30:00Z", "command": "", "elapsed_s": 1,
            "hosts": [{"name": "anna", "system": "", "processor": "", "cpus": 2}],
            "configurations": [{"middleware": middleware, "transport": "tcp", "packing": "", "library": "made up"}],
            "series": [{"configuration": 0, "operation": operation, "method": "" if operation == "pingpong" else "window",
                        "path": "lo", "ranks": ranks, "from_host": 0, "to_host": 0,
                        "points": [point(size, seconds) for size, seconds in times.items()]}], "problems": []}


def write(directory, name, document):
    path = os.path.join(directory, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        json.dump(document, file)
    return path


USUAL = {1: 1e-6, 4096: 4e-6, 65536: 64e-6}
SLOWER = {1: 1.12e-6, 4096: 4.48e-6, 65536: 64e-6}


@test("two measurements are compared size by size, in a sentence, a table and JSON")
def compared(directory):
    a, b = write(directory, "a.json", measurement("openmpi", USUAL)), write(directory, "b.json", measurement("openmpi", SLOWER))
    text = firma("comm", "--compare", a, b).expect(1)
    check_equal(text.out.splitlines()[0], "B is 12.0 % slower for messages up to 4.10 kB, the same above", "the answer")
    check("firma comm: B is 12.0 % slower" in text.err, text.err)
    check(max(map(len, text.out.splitlines())) <= 80, text.out)
    check_equal(sum("slower" in line and "…" in line for line in text.out.splitlines()), 2, "rows of the table")
    check_equal(sum("…" in line for line in firma("comm", "--compare", a, b, "--all").expect(1).out.splitlines()), 3, "with --all")
    document = firma("comm", "--compare", a, b, "--json").expect(1).json()
    check_equal((document["same"], document["files"], document["statistic"]), (False, [a, b], "median"), "the document")
    check_equal((document["compared"], document["slower"], document["faster"], document["only"]), (3, 2, 0, []), "counts")
    points = document["series"][0]["points"]
    check_equal([(one["bytes"], one["compared"]) for one in points], [(1, "slower"), (4096, "slower"), (65536, "same")], "sizes")
    check_equal(points[0]["times_s"], [1e-6, 1.12e-6], "times")
    check(points[0]["ratio_low"] < points[0]["ratio"] < points[0]["ratio_high"] and abs(points[0]["ratio"] - 1.12) < 1e-9, points)
    check_equal(firma("comm", "--compare", a, b, "--statistic", "min", "--json").expect(1).json()["statistic"], "min", "statistic")


@test("equal measurements have status 0, and -q prints nothing")
def equal(directory):
    a = write(directory, "a.json", measurement("openmpi", USUAL))
    result = firma("comm", "--compare", a, a, "-q").expect(0)
    check_equal((result.out, result.err), ("", ""), "what is printed")
    check(firma("comm", "--compare", a, a, "--json").expect(0).json()["same"], "not the same")


@test("libraries are compared if no configuration is in both, and configurations that are named")
def libraries(directory):
    a, b = write(directory, "a/comm.json", measurement("openmpi", USUAL)), write(directory, "b/comm.json", measurement("mpich", SLOWER))
    document = firma("comm", "--compare", os.path.dirname(a), os.path.dirname(b), "--json").expect(1).json()
    check_equal(document["series"][0]["configurations"], ["openmpi tcp", "mpich tcp"], "configurations")
    both = measurement("openmpi", USUAL)
    other = measurement("mpich", SLOWER)
    both["configurations"] += other["configurations"]
    both["series"] += [{**other["series"][0], "configuration": 1}]
    one = write(directory, "one.json", both)
    again = firma("comm", "--compare", one, "-c", "openmpi tcp", "-c", "mpich tcp", "--json").expect(1).json()
    check_equal(again["series"][0]["points"], document["series"][0]["points"], "the same times in one file")
    alone = firma("comm", "--compare", one, one, "-c", "mpich tcp", "--json").expect(0).json()
    check_equal([series["configurations"] for series in alone["series"]], [["mpich tcp"] * 2], "one configuration")
    wrong = firma("comm", "--compare", one, "-c", "openmpi tcp", "-c", "mpich").expect(2)
    check("has no `mpich`" in wrong.err and "`mpich tcp`" in wrong.err, wrong.err)


@test("a host that other programs kept busy is named")
def busy(directory):
    quiet, loaded = measurement("openmpi", USUAL), measurement("openmpi", SLOWER)
    loaded["hosts"][0]["load"] = 7.5
    a, b = write(directory, "a.json", quiet), write(directory, "b.json", loaded)
    out = firma("comm", "--compare", a, b).expect(1).out
    check("B: anna was busy, with a load of 7.5 besides firma's on 2 processors" in out and "A: anna" not in out, out)


@test("what only one of both has is named")
def lonely(directory):
    fewer = measurement("openmpi", {1: 1e-6})
    fewer["series"].append(measurement("openmpi", {32: 9e-6}, "allreduce", 4)["series"][0])
    a, b = write(directory, "a.json", measurement("openmpi", USUAL)), write(directory, "b.json", fewer)
    out = firma("comm", "--compare", a, b).expect(0).out
    check("only in A: openmpi tcp pingpong with 4.10 kB, 65.5 kB\nonly in B: openmpi tcp allreduce of 4\n" in out, out)
    only = firma("comm", "--compare", a, b, "--json").expect(0).json()["only"]
    check_equal([(one["in"], one["operation"], one.get("bytes")) for one in only],
                [("A", "pingpong", [4096, 65536]), ("B", "allreduce", None)], "what one lacks")
    apart = write(directory, "c.json", measurement("openmpi", {2: 1e-6}))
    check_equal(firma("comm", "--compare", a, apart).expect(1).out.splitlines()[0], "A and B have no times in common", "the answer")


@test("a file that isn't a measurement is named, with its place")
def broken(directory):
    a = write(directory, "a.json", measurement("openmpi", USUAL))
    wrong = measurement("openmpi", USUAL)
    wrong["series"][0]["points"][1]["median_s"] = -1
    turned = measurement("openmpi", USUAL)
    point = turned["series"][0]["points"][1]
    point["low_s"], point["high_s"] = point["high_s"], point["low_s"]
    for path, said in ((write(directory, "b.json", wrong), "series[0].points[1].median_s"),
                       (write(directory, "t.json", turned), "series[0].points[1].low_s: must not be larger than high_s"),
                       (write(directory, "m.json", {"format": "firma machine", "version": 1}), "comm.json beside it"),
                       (write(directory, "d/other.json", {}).rpartition("/")[0], "d/comm.json"),
                       (os.path.join(directory, "none.json"), "none.json")):
        result = firma("comm", "--compare", a, path).expect(3)
        check(said in result.err and os.path.basename(path) in result.err, f"{said}: {result}")


@test("--compare takes two measurements, and no options of measuring")
def refused(directory):
    a = write(directory, "a.json", measurement("openmpi", USUAL))
    for words in ([], [a], [a, a, a], [a, a, "-o", "x"], [a, a, "--time", "5s"], [a, a, "--only", "os"],
                  [a, "-c", "openmpi tcp"], [a, a, *["-c", "openmpi tcp"] * 3]):
        firma("comm", "--compare", *words).expect(2)
    check("--compare" in firma("comm", "-c", "openmpi tcp").expect(2).err, "-c without --compare")
    check("--compare" in firma("comm", a, a).expect(2).err, "files without --compare")


@test("what was measured is compared, as comm.json and as the document of --json")
def measured(directory):
    where = os.path.join(directory, "here")
    document = measure_in_time(lambda budget_s: firma(
        "comm", "--only", "os:unix", "--operations", "pingpong", "--sizes", "1,1k", "--repeat", "2", "--target", "100",
        "--time", f"{budget_s}s", "-o", where, "--force", "--json"), 3).expect(0).json()
    printed = write(directory, "printed.json", document)
    check(firma("comm", "--compare", where, printed, "--json").json()["files"] == [where, printed], "files")


main()
