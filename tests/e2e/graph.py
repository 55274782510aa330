# SPDX-License-Identifier: BSD-3-Clause
"""firma graph: traces of real programs and graphs written by hand become TTIGs, which other tools can read."""

import json
import os
import xml.etree.ElementTree

from harness import check, check_equal, firma, launch, main, some, test, traced

PLATFORM = ("--platform", "2x2:2us,10GB/s:0.5us,20GB/s")

THESIS = [{"name": "T0", "steps": [312, {"times": 10, "body": [{"recv": "T1"}, 43, {"send": "T1", "bytes": 4}, 18]},
                                   {"send": "T2"}, 62]},
          {"name": "T1", "steps": [66, {"times": 10, "body": [{"send": 0, "bytes": 4}, 25, {"recv": 0}, 31]}, 557]},
          {"name": "T2", "steps": [{"recv": "T0"}, 5]}]


def write_graph(directory, tasks, name="app.json"):
    path = os.path.join(directory, name)
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"format": "firma task graph", "version": 1, "tasks": tasks}, file)
    return path


def read(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def graph_of(directory, mpi, ranks, name, *arguments, collectives="left-out"):
    """Traces a program. Returns the document of `firma graph --json`, and the TTIG."""
    _, archive = traced(directory, launch(mpi, ranks, name, *arguments))
    output = os.path.join(directory, name + ".ttig")
    said = firma("graph", archive, "-o", output, "--json", "--collectives", collectives).expect(0).json()
    return said, read(output)


def check_ttig(ttig, ranks):
    check_equal([node["name"] for node in ttig["nodes"]], [str(rank) for rank in range(ranks)], "nodes")
    for edge in ttig["edges"]:
        check(0 <= edge["parallelism"] <= 1, f"not a share: {edge}")
        check(edge["from"] != edge["to"] and edge["messages"] >= 1, f"no edge: {edge}")
    check(all(node["computation_s"] > 0 for node in ttig["nodes"]), "a process that computes nothing")


def messages(steps, kind, runs=1):
    """Returns {peer: number of messages} over all iterations."""
    counts = {}
    for step in steps:
        if isinstance(step, dict) and "body" in step:
            for peer, count in messages(step["body"], kind, runs * step["times"]).items():
                counts[peer] = counts.get(peer, 0) + count
        elif isinstance(step, dict) and kind in step:
            counts[step[kind]] = counts.get(step[kind], 0) + runs
    return counts


def check_balanced(ttig):
    """Checks that as many messages are received from each task as were sent."""
    tasks = ttig["graph"]["tasks"]
    for number, task in enumerate(tasks):
        for peer, count in messages(task["steps"], "recv").items():
            check_equal(count, messages(tasks[peer]["steps"], "send").get(number), f"messages {peer} to {number}")


@test("the thesis's example, written by hand, has its degrees of parallelism")
def thesis(directory):
    output = os.path.join(directory, "app.ttig")
    out = firma("graph", write_graph(directory, THESIS), "-o", output).expect(0).out
    for words in ("0.472", "0.567", "87, folded to 17", "1 always can, 1 in part"):
        check(words in out, f"`{words}` is missing\n{out}")
    edges = {(edge["from"], edge["to"]): edge for edge in read(output)["edges"]}
    check(abs(edges[0, 1]["parallelism"] - 558 / 1183) < 1e-9 and abs(edges[1, 0]["parallelism"] - 558 / 984) < 1e-9,
          f"p is wrong\n{edges}")
    check_equal([edges[0, 1]["bytes"], edges[1, 0]["messages"]], [40, 10], "volume and messages")


def follows(mpi, directory):
    for name, arguments, ranks, pairs in (("cg", (64, 50, 2), 4, 3), ("stencil", (64, 300), 4, 4),
                                          ("sweep", (32, 8, 20), 4, 4), ("pingpong", (2000, 8), 2, 1)):
        own = os.path.join(directory, name)
        os.mkdir(own)
        summary, ttig = graph_of(own, mpi, ranks, name, *arguments)
        check_ttig(ttig, ranks)
        check_balanced(ttig)
        check_equal(len(summary["pairs"]), pairs, f"pairs of {name}")
        check(summary["steps_open"] > 10 * summary["steps"], f"the loops of {name} aren't folded\n{summary}")
        check_equal([summary["unmatched"], summary["inexact_pairs"]], [0, 0], f"what is left out of {name}")


def default_of(found):
    return next(mapping for mapping in found["mappings"] if mapping["mapper"] == found["default"])


def expand(mpi, directory):
    for name, arguments, pairs in (("adi", (128, 20), 6), ("cg", (64, 50, 2), 5)):
        own = os.path.join(directory, name)
        os.mkdir(own)
        summary, ttig = graph_of(own, mpi, 4, name, *arguments, collectives="expanded")
        check_ttig(ttig, 4)
        check_balanced(ttig)
        check_equal(len(summary["pairs"]), pairs, f"pairs of {name}")
        check(summary["collective_messages"] > summary["collectives_expanded"] > 0, f"none of {name}\n{summary}")
        check_equal([summary["collectives"], summary["collectives_left_out"], summary["unmatched"]],
                    ["expanded", 0, 0], f"what is left out of {name}")
        check_equal(firma("graph", os.path.join(own, name + ".ttig"), "--json").expect(0).json()["collective_messages"],
                    summary["collective_messages"], "messages of collectives in the graph read again")
        found, without = (firma("map", path, "--json", *PLATFORM, *words).expect(0).json() for path, words in (
            (os.path.join(own, name + ".ttig"), ()), (os.path.join(own, "trace"), ("--collectives", "left-out"))))
        check(default_of(found)["remote_bytes"] > default_of(without)["remote_bytes"],
              f"nothing of {name}'s collectives goes between nodes")
        check(without["collectives_left_out"] == summary["collectives_expanded"] and 0 < without["left_out_share"] <= 1,
              f"doesn't say what is left out: {without}")
        text = firma("map", os.path.join(own, "trace"), *PLATFORM, "--collectives", "left-out").expect(0).out
        check("left out" in text and "of the processes' time" in text, f"doesn't say what is left out\n{text}")


def volumes(ttig):
    return {(edge["from"], edge["to"]): edge["bytes"] for edge in ttig["edges"] if edge["bytes"]}


def reach(mpi, directory):
    """Checks all volumes by the operations that the program makes. In each of 30 rounds, 72 bytes go to the next rank
    and 40 come back between fences, as many under a lock, 24 and 16 with requests; and odd ranks put 8 between start
    and complete."""
    summary, ttig = graph_of(directory, mpi, 4, "onesided", 30, "lock", collectives="expanded")
    check_balanced(ttig)
    wanted = {}
    for rank in range(4):
        after = (rank + 1) % 4
        wanted[rank, after] = wanted.get((rank, after), 0) + 30 * (72 + 72 + 24)
        wanted[after, rank] = wanted.get((after, rank), 0) + 30 * (40 + 40 + 16)
        if rank % 2:
            wanted[rank, rank ^ 1] = wanted.get((rank, rank ^ 1), 0) + 30 * 8
    check_equal(volumes(ttig), wanted, "volumes")
    check_equal([summary["one_sided_left_out"], summary["unmatched"]], [0, 0], "what is left out")
    found = firma("map", os.path.join(directory, "onesided.ttig"), "--json", *PLATFORM).expect(0).json()
    check(default_of(found)["remote_bytes"] >= wanted[1, 2] + wanted[2, 1], f"nothing goes between nodes\n{found}")


def surround(mpi, directory):
    summary, ttig = graph_of(directory, mpi, 6, "neighbours", 20, collectives="expanded")
    check_balanced(ttig)
    out, _ = traced(directory, launch(mpi, 6, "neighbours", 20), name="again")
    lines = [line.split() for line in out.splitlines() if line.startswith("neighbour rank")]
    check_equal(volumes(ttig), {(int(line[2]), int(line[4])): float(line[6]) for line in lines}, "volumes")
    check_equal([summary["collectives_left_out"], summary["unmatched"]], [0, 0], "what is left out")


for flavour in some(["openmpi"], ["mpich"]):
    @test(f"one-sided operations are in the graph, each in its direction ({flavour})")
    def one_sided(directory, mpi=flavour):
        reach(mpi, directory)

    @test(f"neighbourhood collectives become messages along each kind of topology ({flavour})")
    def neighbours(directory, mpi=flavour):
        surround(mpi, directory)

for flavour in some(["openmpi"], ["mpich"]):
    @test(f"regular programs' loops are folded, and all their messages are there ({flavour})")
    def regular(directory, mpi=flavour):
        follows(mpi, directory)

    @test(f"collectives become messages, and what is mapped knows of them ({flavour})")
    def collectives(directory, mpi=flavour):
        expand(mpi, directory)

    @test(f"threads that communicate at the same time have a graph with all their messages ({flavour})")
    def threads(directory, mpi=flavour):
        summary, ttig = graph_of(directory, mpi, 2, "threads", 3, 50, collectives="expanded")
        check_ttig(ttig, 2)
        check_balanced(ttig)
        check_equal([summary["collectives_left_out"], summary["unmatched"]], [0, 0], "what is left out")
        check_equal(sum(edge["messages"] for edge in ttig["edges"]), 2 * 3 * 50 + summary["collective_messages"], "messages")
        firma("map", os.path.join(directory, "threads.ttig"), *PLATFORM).expect(0)

    @test(f"a program whose order is its own each time has a graph ({flavour})")
    def irregular(directory, mpi=flavour):
        summary, ttig = graph_of(directory, mpi, 4, "masterworker")
        check_ttig(ttig, 4)
        check_balanced(ttig)
        check_equal(sorted(pair["tasks"][0] for pair in summary["pairs"]), ["0"] * 3, "one of each pair is the master")


@test("a trace's flow graph can be edited and read again, and gives the same TTIG")
def edited(directory):
    _, archive = traced(directory, launch("openmpi", 4, "cg"))
    tfg, first, second = (os.path.join(directory, name) for name in ("app.json", "a.ttig", "b.ttig"))
    firma("graph", archive, "--tfg", tfg, "-o", first).expect(0)
    firma("graph", tfg, "-o", second).expect(0)
    for one, other in zip(read(first)["edges"], read(second)["edges"], strict=True):
        check(abs(one.pop("parallelism") - other.pop("parallelism")) < 1e-6, f"another p\n{one}\n{other}")
        check_equal(one, other, "an edge")
    check_equal(firma("graph", first, "--json").expect(0).json()["edges"], 10, "edges of the TTIG read again")


def write(directory, document, name):
    path = os.path.join(directory, name)
    with open(path, "w", encoding="utf-8") as file:
        json.dump(document, file)
    return path


@test("an edit of a TTIG takes effect, or graph and map refuse it and name the contradiction")
def what_if(directory):
    output = os.path.join(directory, "app.ttig")
    firma("graph", write_graph(directory, THESIS), "-o", output).expect(0)
    nodes, edges, steps, alone = (read(output) for _ in range(4))
    nodes["nodes"][1]["computation_s"] = 2000
    edges["edges"][0]["parallelism"] = 1
    steps["graph"]["tasks"][1]["steps"][0] += 1000
    del alone["graph"]
    alone["nodes"][1]["computation_s"] = 2000
    for document, words in ((nodes, "nodes[1].computation_s: 2000, but the task `T1` in `graph` computes 1183"),
                            (edges, "from `T0` to `T1`: parallelism 1, but `graph` gives 0.471"),
                            (steps, "nodes[1].computation_s: 1183, but the task `T1` in `graph` computes 2183")):
        path = write(directory, document, "edited.ttig")
        for verb in ("graph", "map"):
            result = firma(verb, path)
            check(words in result.expect(3).err and "remove `graph`" in result.err, f"`{words}` is missing\n{result}")
    check_equal(firma("graph", write(directory, alone, "alone.ttig"), "--json").expect(0).json()["computation_s"],
                984 + 2000 + 5, "computation without the tasks")
    del steps["nodes"], steps["edges"]
    path = write(directory, steps, "steps.ttig")
    check_equal(firma("graph", path, "--json").expect(0).json()["computation_s"], 984 + 2183 + 5, "remade computation")
    before, after = (firma("map", which, "--json", *PLATFORM).expect(0).json()["mappings"][0]["predicted_s"]
                     for which in (output, path))
    check(after - before > 700, f"the edit doesn't matter: {before} s, {after} s")


@test("classical models are read again as the same models")
def classical_again(directory):
    for option, other in (("--tig", "--tpg"), ("--tpg", "--tig")):
        first, second, direct = (os.path.join(directory, name) for name in ("first" + option, "second" + option, "direct" + option))
        source = write_graph(directory, THESIS)
        firma("graph", source, option, "-o", first).expect(0)
        check_equal(firma("graph", first, "-o", second, "--json").expect(0).json()["model"], option[2:].upper(), "model")
        check_equal(read(second), read(first), f"what was written with {option}, read and written again")
        firma("map", first, *PLATFORM).expect(0)
        firma("graph", first, other, "-o", second, "--force").expect(0)
        firma("graph", source, other, "-o", direct).expect(0)
        check_equal(read(second), read(direct), f"{other} of what was written with {option}")


@test("graph and map take a TTIG, a TFG or a trace, and documents from pipes too")
def inputs(directory):
    _, archive = traced(directory, launch("openmpi", 2, "pingpong", 200, 8))
    ttig, source = os.path.join(directory, "app.ttig"), write_graph(directory, THESIS)
    firma("graph", source, "-o", ttig).expect(0)
    mapped = [firma("map", path, "--json", *PLATFORM).expect(0).json()["mappings"] for path in (ttig, source)]
    check_equal(mapped[1], mapped[0], "mappings of the TFG")
    check_equal(firma("map", archive, "--json", *PLATFORM).expect(0).json()["tasks"], 2, "tasks of the trace")
    for path in (ttig, source):
        with open(path, encoding="utf-8") as file:
            text = file.read()
        for verb in (("graph",), ("map", *PLATFORM)):
            firma(*verb, "/dev/stdin", "--json", stdin=text).expect(0).json()


@test("a file that can't be written doesn't keep others from being so, and isn't named")
def unwritten(directory):
    source, tfg = write_graph(directory, THESIS), os.path.join(directory, "written.json")
    result = firma("graph", source, "--json", "-o", "/dev/full", "--tfg", tfg)
    found = result.expect(4).json()
    check_equal([found.get("graph"), found.get("tfg"), found["tasks"]], [None, tfg, 3], "files and tasks")
    check("/dev/full: cannot write: No space left" in result.err, f"the file isn't named\n{result}")
    check_equal(len(read(tfg)["tasks"]), 3, "tasks in what was written")


@test("one file isn't named for two things")
def same_file(directory):
    source = write_graph(directory, THESIS)
    os.symlink("b", os.path.join(directory, "a"))
    for first, second in (("x", "x"), ("x", "./x"), ("a", "b")):
        result = firma("graph", source, "-o", first, "--tfg", second, cwd=directory)
        check(second in result.expect(2).err, f"isn't named\n{result}")
    check_equal(sorted(os.listdir(directory)), ["a", "app.json"], "files")
    firma("graph", source, "-o", "/dev/null", "--tfg", "/dev/null").expect(0)


@test("GraphML, DOT and the picture hold all nodes and edges")
def drawn(directory):
    graphml, dot, svg = (os.path.join(directory, "app." + suffix) for suffix in ("graphml", "dot", "svg"))
    source = write_graph(directory, THESIS)
    firma("graph", source, "--graphml", graphml, "--dot", dot).expect(0)
    root = xml.etree.ElementTree.parse(graphml).getroot()
    found = [len(list(root.iter("{http://graphml.graphdrawing.org/xmlns}" + tag))) for tag in ("node", "edge")]
    check_equal(found, [3, 3], "nodes and edges in GraphML")
    with open(dot, encoding="utf-8") as file:
        text = file.read()
    check_equal(text.count("->"), 3, "edges for Graphviz")
    check("T1\\n19 min 43 s" in text, f"a node without its computation\n{text}")
    firma("graph", source, "--svg", svg).expect(0)
    root = xml.etree.ElementTree.parse(svg).getroot()
    words = "\n".join(element.text or "" for element in root.iter("{http://www.w3.org/2000/svg}text"))
    check("p = 0: can't overlap" in words and "how long it computes" in words, f"no legend\n{words}")
    tips = {element.text for element in root.iter("{http://www.w3.org/2000/svg}title")}
    check_equal(len([tip for tip in tips if " messages, p " in tip]), 3, "edges in the picture")
    firma("graph", source, "--svg", svg, "--tig", "--dot", dot, "--force").expect(0)
    with open(dot, encoding="utf-8") as file:
        check_equal(file.read().count(" -- "), 2, "edges of the TIG, which have no direction")


@test("a task's name is drawn as it is written")
def odd_names(directory):
    name, svg = 'a&lt;b>"\\N é', os.path.join(directory, "app.svg")
    graphml = os.path.join(directory, "app.graphml")
    source = write_graph(directory, [{"name": name, "steps": [1]}])
    firma("graph", source, "--graphml", graphml).expect(0)
    check(name in "".join(xml.etree.ElementTree.parse(graphml).getroot().itertext()), "not in GraphML")
    firma("graph", source, "--svg", svg).expect(0)
    words = [text.replace("\xa0", " ") for text in xml.etree.ElementTree.parse(svg).getroot().itertext()]
    check(name in words, f"not in the picture: {words}")


@test("the classical models come out of the same graph")
def classical(directory):
    source = write_graph(directory, THESIS)
    for option, edges, parallelism in (("--tig", 3, 1), ("--tpg", 2, 0)):
        output = os.path.join(directory, "app" + option)
        firma("graph", source, option, "-o", output).expect(0)
        found = read(output)["edges"]
        check_equal([len(found), {edge["parallelism"] for edge in found}], [edges, {parallelism}], option)


@test("invalid graphs are refused by name and place")
def refused(directory):
    for tasks, words in (
            ([[{"recv": 2}, {"send": 1}], [{"recv": 0}, {"send": 2}], [{"recv": 1}, {"send": 0}]],
             "`0` for `2`, `2` for `1`, `1` for `0`"),
            ([[1, {"send": 7}]], "tasks[0][1].send: there is no task 7"),
            ([[1, -1]], "tasks[0][1]"),
            ([[{"recv": 1}], []], "task `0` receives 1 message from `1`, which sends it 0"),
            ([{"name": "a\x1b[2J", "steps": [1]}], "tasks[0].name: contains a control character")):
        result = firma("graph", write_graph(directory, tasks))
        check(words in result.expect(3).err, f"`{words}` is missing\n{result}")
    result = firma("graph", write(directory, {"format": "firma ttig", "version": 1, "\x1b[2J": 1}, "odd.ttig"))
    check("unknown member `?[2J`" in result.expect(3).err, f"what a terminal obeys comes through\n{result}")
    source = write_graph(directory, THESIS)
    check_equal(firma("graph", source, "--tig", "--tpg").status, 2, "status with two models")
    check_equal(firma("graph").status, 2, "status without a file")
    check_equal(firma("graph", source, "-o", source).status, 2, "status when the input would be overwritten")
    check_equal(firma("graph", os.path.join(directory, "nothing")).status, 3, "status without such a file")
    check("`firma machine` document; expected a trace, `firma ttig` or" in firma("graph", machine_file(directory)).expect(3).err,
          "another document is taken")


def machine_file(directory):
    path = os.path.join(directory, "machine.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"format": "firma machine", "version": 1}, file)
    return path


main()
