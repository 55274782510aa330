# SPDX-License-Identifier: BSD-3-Clause
"""Task graphs, mappings and machines in other tools' formats, in and out; pictures of task graphs."""

import json
import os
import shutil

from harness import Skip, check, check_equal, firma, main, run, test

PLATFORM = "2x2:50us,100MB/s:1us,10GB/s"
# The thesis's example: tasks 0 and 1 overlap for 558 s.
TASKS = [[312, {"times": 10, "body": [{"recv": 1}, 43, {"send": 1, "bytes": 5}, 18]}, {"send": 2, "bytes": 7},
          {"recv": 2}, 62],
         [66, {"times": 10, "body": [{"send": 0, "bytes": 4}, 25, {"recv": 0}, 31]}, 557],
         [100, {"recv": 0}, 20, {"send": 0, "bytes": 9}]]
VOLUMES = {(0, 1): 50, (0, 2): 7, (1, 0): 40, (2, 0): 9}


def path_in(directory, name, contents=None):
    path = os.path.join(directory, name)
    if contents is not None:
        with open(path, "w", encoding="utf-8") as file:
            file.write(contents if isinstance(contents, str) else json.dumps(contents))
    return path


def contents_of(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def graph(directory, tasks=TASKS):
    return path_in(directory, "app.json", {"format": "firma task graph", "version": 1, "tasks": tasks})


def ttig_of(directory, source):
    path = path_in(directory, "made.ttig")
    result = firma("graph", source, "-o", path, "--force").expect(0)
    return json.loads(contents_of(path)), result.err


def volumes_of(document):
    return {(edge["from"], edge["to"]): edge["bytes"] for edge in document["edges"]}


def tool(name):
    if not shutil.which(name):
        raise Skip(f"{name} is not installed")
    return name


@test("matrices and Scotch's graph come back as they went out, with a note of what they don't say")
def _(directory):
    for ending, lost, both in (("csv", "volumes alone", None), ("mtx", "volumes alone", None),
                               ("grf", "units of 10 µs", {(0, 1): 45, (1, 0): 45, (0, 2): 8, (2, 0): 8})):
        out, again = path_in(directory, "app." + ending), path_in(directory, "again." + ending)
        check(lost in firma("graph", graph(directory), "-o", out).expect(0).err, f"{ending}: nothing is said to be lost")
        document, notes = ttig_of(directory, out)
        check_equal(volumes_of(document), both or VOLUMES, f"{ending}: volumes")
        check_equal(document["model"], "TIG", "the model")
        check("unknown" in notes, notes)
        firma("graph", out, "-q", "-o", again).expect(0)
        check_equal(contents_of(again), contents_of(out), f"{ending}: the file that is written again")
    mapped = firma("map", path_in(directory, "app.csv"), "--platform", PLATFORM).expect(0)
    check("app.csv: holds volumes alone" in mapped.err, mapped.err)


@test("other forms of matrices are read, with names, symmetric, dense, and with a diagonal")
def _(directory):
    names = path_in(directory, "names.csv", "from \\ to;up;\"a;b\"\r\nup;0;1.5e3\r\n\"a;b\";4;0\r\n")
    document, _ = ttig_of(directory, names)
    check_equal([node["name"] for node in document["nodes"]], ["up", "a;b"], "names")
    check_equal(volumes_of(document), {(0, 1): 1500, (1, 0): 4}, "volumes with names")
    out = path_in(directory, "out.csv")
    firma("graph", names, "-q", "-o", out).expect(0)
    check_equal(contents_of(out), 'bytes from row to column,"up","a;b"\n"up",0,1500\n"a;b",4,0\n', "names as CSV")
    document, notes = ttig_of(directory, path_in(directory, "half.mtx", "%%MatrixMarket MATRIX coordinate integer "
                                                 "symmetric\n% one\n\n%two\n3 3 3\n1 1 9\n2 1 5\n3 1 0\n"))
    check_equal(volumes_of(document), {(0, 1): 5, (1, 0): 5, (0, 2): 0, (2, 0): 0}, "symmetric volumes")
    check("1 task sent to itself" in notes, notes)
    document, _ = ttig_of(directory, path_in(directory, "dense.mtx",
                                             "%%MatrixMarket matrix array real general\n2 2\n0\n3\n2.5\n0\n"))
    check_equal(volumes_of(document), {(1, 0): 3, (0, 1): 2.5}, "dense volumes")
    document, notes = ttig_of(directory, path_in(directory, "labels.grf", "0\n2 2\n0 100\n7 1 5\n5 1 7\n"))
    check_equal([node["name"] for node in document["nodes"]], ["7", "5"], "labels")
    check("counts as one byte" in notes and "compute nothing" in notes, notes)


@test("files that are broken are refused by file and line")
def _(directory):
    head = "%%MatrixMarket matrix coordinate real general\n"
    for name, contents, said in (
            ("a.csv", "0,1\n2,x\n", ":2: column 2: `x`"),
            ("b.csv", "0,1\n2\n", ":2: 1 columns, but the first line has 2"),
            ("c.csv", "0,1\n", ":1: 1 lines of 2 columns"),
            ("d.csv", ",a,b\na,0,1\nc,1,0\n", ":3: the line begins with `c`, but task 1 in the first line is `b`"),
            ("e.csv", ",a,a\na,0,1\na,1,0\n", "line 1"),
            ("f.csv", "", "holds no matrix"),
            ("g.csv", "0,-1\n1,0\n", ":1: column 2: `-1`"),
            ("h.csv", "0,\"1\n1,0\n", ":2:"),
            ("a.mtx", "%%MatrixMarket matrix coordinate complex general\n", ":1: `complex`"),
            ("b.mtx", head + "2 3 0\n", ":2: 2 rows and 3 columns"),
            ("c.mtx", head + "2 2 2\n1 2 5\n", "the file ends"),
            ("d.mtx", head + "2 2 2\n1 2 5\n1 2 6\n", ":4: a second volume from task 0 to task 1; the first is in line 3"),
            ("e.mtx", head + "2 2 1\n1 3 5\n", ":3: `3`"),
            ("f.mtx", head + "2 2 1\n1 2 nan\n", ":3: `nan`"),
            ("g.mtx", head + "2 2 1\n1 2 5\n6", ":4: `6`: expected the end"),
            ("a.grf", "1\n2 2\n0 0\n", ":1: `1`"),
            ("b.grf", "0\n2 2\n0 010\n1 5 1\n1 6 0\n", ":4: the arc from 0 to 1 has no counterpart"),
            ("c.grf", "0\n2 1\n0 0\n1 1\n0\n", ":4: the arc from 0 to 1 has no counterpart"),
            ("d.grf", "0\n2 2\n0 200\n", ":3: `200`"),
            ("e.grf", "0\n2 2\n0 0\n1 1\n1 5\n", ":5: `5`")):
        path = path_in(directory, name, contents)
        result = firma("graph", path).expect(3)
        check(path in result.err and said in result.err, f"{name}: {result.err}")
    for name, contents, said in (
            ("a.map", "2\n0 0\n1 1\n", ":1: maps 2 tasks; the graph has 3"),
            ("b.map", "3\n0 0\n1 -1\n2 1\n", ":3: `-1`"),
            ("c.map", "3\n0 0\n0 1\n2 1\n", ":3: task 0 has a processor already"),
            ("d.map", "3\n0 0\n1 4\n2 1\n", ":3: `4`")):
        path = path_in(directory, name, contents)
        result = firma("map", graph(directory), "--platform", PLATFORM, "--given", path).expect(3)
        check(path + said in result.err, f"{name}: {result.err}")
    torus = path_in(directory, "torus.tgt", "torus2D 2 2\n")
    result = firma("map", graph(directory), "--platform", torus + ":1us,1GB/s").expect(3)
    check(torus + ":1: `torus2D`" in result.err, result.err)


@test("a mapping and its machine are written for Scotch, and read")
def _(directory):
    prefix = path_in(directory, "best")
    firma("map", graph(directory), "--platform", PLATFORM, "--given", "3,0,2", "-o", prefix).expect(0)
    check_equal(contents_of(prefix + ".map"), "3\n0\t3\n1\t0\n2\t2\n", "the mapping")
    check(contents_of(prefix + ".tgt").startswith("tleaf\n2 2 ") and contents_of(prefix + ".tgt").endswith(" 2 1\n"),
          contents_of(prefix + ".tgt"))
    document = firma("map", graph(directory), "--platform", prefix + ".tgt:50us,100MB/s:1us,10GB/s", "--given",
                     prefix + ".map", "--json").expect(0).json()
    given = next(mapping for mapping in document["mappings"] if mapping["mapper"] == "given")
    check_equal([(place["node"], place["core"]) for place in given["places"]], [("n1", 1), ("n0", 0), ("n1", 0)], "places")
    from_one = path_in(directory, "one.map", "3\n1 3\n2 0\n3 2\n")
    again = firma("map", graph(directory), "--platform", PLATFORM, "--given", from_one, "--json").expect(0).json()
    check_equal(again["mappings"], document["mappings"], "tasks counted from 1")


@test("Scotch's own tools read what firma writes, and firma reads what they write")
def _(directory):
    source, target, mapping = (path_in(directory, name) for name in ("app.grf", "best.tgt", "scotch.map"))
    firma("graph", graph(directory), "-q", "-o", source).expect(0)
    firma("map", graph(directory), "--platform", PLATFORM, "-q", "-o", path_in(directory, "best")).expect(0)
    check("nbr=3" in run([tool("gtst"), source]).expect(0).out, "Scotch's gtst refuses the graph")
    run([tool("scotch_gmap"), source, target, mapping]).expect(0)
    firma("map", graph(directory), "--platform", PLATFORM, "--given", mapping).expect(0)
    check("Processors" in run([tool("gmtst"), source, target, path_in(directory, "best.map")]).expect(0).out,
          "Scotch's gmtst refuses the mapping")
    levels = path_in(directory, "levels")
    firma("map", graph(directory), "--platform", "2/1x2x2:40us,1GB/s:2us,5GB/s:1us,10GB/s", "-q", "-o", levels).expect(0)
    check(contents_of(levels + ".tgt").startswith("tleaf\n3 2 "), contents_of(levels + ".tgt"))
    run([tool("scotch_gmap"), source, levels + ".tgt", mapping, "-"]).expect(0)


@test("pictures show steps, the overlap of a pair, and large graphs as a matrix; names are cut")
def _(directory):
    picture = path_in(directory, "app.svg")
    long = [{"name": "x" * 100000 + str(i), "steps": steps} for i, steps in enumerate(TASKS)]
    ring = path_in(directory, "ring.ttig", {
        "format": "firma ttig", "version": 1, "nodes": [1] * 65,
        "edges": [{"from": i, "to": (i + 1) % 65, "bytes": 1e6, "parallelism": 1} for i in range(65)]})
    for source, words, expected in (
            (graph(directory), ["--picture", "steps"], ("task 0", "43.0 s", "to 1: 5 B", "from 1", "10 ×", "loop")),
            (graph(directory), ["--pair", "0,1"], ("overlap for 9 min 18 s", "p(0,1) = 0.472", "p(1,0) = 0.567",
                                                   "both compute", "waits for a message")),
            (ring, [], ("bytes from each task to each", "64 to 0: 1.00 MB"))):
        firma("graph", source, "-q", "--svg", picture, "--force", *words).expect(0)
        for word in expected:
            check(word in contents_of(picture), f"{words}: `{word}` isn't in the picture")
    source = graph(directory, long)
    for words in (["--picture", "steps"], ["--pair", "0,1"], ["--picture", "matrix"], []):
        result = firma("graph", source, "--svg", picture, "--force", *words).expect(0)
        check(max(map(len, contents_of(picture).split("\n"))) < 10000, f"{words}: a name isn't cut in the picture")
        check(max(map(len, result.out.split("\n"))) < 500, "a name isn't cut in the table")
    check(max(map(len, firma("map", source, "--platform", PLATFORM).expect(0).out.split("\n"))) < 500,
          "a name isn't cut in the table of mappings")


@test("pictures that can't be drawn are refused")
def _(directory):
    source, picture = graph(directory), path_in(directory, "app.svg")
    matrix = path_in(directory, "app.csv", "0,1\n1,0\n")
    for status, words, said in (
            (2, [source, "--pair", "0,1"], "--pair goes with --svg"),
            (2, [source, "--pair", "0,1,2", "--svg", picture], "two tasks"),
            (2, [source, "--pair", "0,9", "--svg", picture], "no task `9`"),
            (2, [source, "--pair", "1,1", "--svg", picture], "two different"),
            (2, [source, "--pair", "0,1", "--picture", "steps", "--svg", picture], "one at a time"),
            (3, [matrix, "--picture", "steps", "--svg", picture], "app.csv: the graph has no steps")):
        result = firma("graph", *words).expect(status)
        check(said in result.err, f"{words}: {result.err}")
    check(not os.path.exists(picture), "a picture was written")


if __name__ == "__main__":
    main()
