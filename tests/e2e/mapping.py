# SPDX-License-Identifier: BSD-3-Clause
"""firma map: graphs written by hand and one of a real trace, on made-up platforms and machine models."""

import json
import os
import xml.etree.ElementTree

from harness import check, check_equal, firma, launch, main, run, simulated, test, trace

SLOW_BETWEEN = "2x2:50us,100MB/s:1us,10GB/s"
BASELINES = {"block", "round-robin", "list", "ttig", "grow"}


def save(directory, document, name="graph.ttig"):
    path = os.path.join(directory, name)
    with open(path, "w", encoding="utf-8") as file:
        json.dump(document, file)
    return path


def ttig(nodes, edges):
    return {"format": "firma ttig", "version": 1, "nodes": nodes,
            "edges": [{"from": start, "to": end, "bytes": bytes_, "messages": 1, "parallelism": parallelism}
                      for start, end, bytes_, parallelism in edges]}


def task_graph(tasks):
    return {"format": "firma task graph", "version": 1, "tasks": tasks}


def distant_pairs(directory):
    """0 sends to 2, and 1 to 3; the mapper block puts 0 and 1 together."""
    def talk(other):
        return [{"times": 50, "body": [0.001, {"send": other, "bytes": 100000}, {"recv": other, "bytes": 100000}]}]

    return save(directory, task_graph([talk((i + 2) % 4) for i in range(4)]))


def made_machine(directory):
    def estimated(value):
        return {"value": value, "low": value, "high": value}

    def path(start, end, latency_s, s_per_byte, transport):
        return {"middleware": "openmpi", "transport": transport, "packing": "", "library": "", "from_host": start,
                "to_host": end, "linear": True, "largest_error": 0, "largest_bytes": 1 << 20,
                "segments": [{"from_bytes": 0, "latency_s": estimated(latency_s), "s_per_byte": estimated(s_per_byte),
                              "error": 0}]}

    return save(directory, {"format": "firma machine", "version": 1, "date": "", "command": "",
                            "hosts": [{"name": name, "system": "", "processor": "", "cpus": 2} for name in ("anna", "otto")],
                            "paths": [path(0, 0, 1e-6, 1e-10, "shm"), path(0, 1, 50e-6, 1e-8, "tcp")],
                            "collectives": []}, "machine.json")


def places(mapping):
    return [place["node"] for place in mapping["places"]]


@test("the table begins with the best mapping, contains the default, and explains the gain")
def _(directory):
    text = firma("map", distant_pairs(directory), "--platform", SLOW_BETWEEN).expect(0).out
    check("the default" in text, text)
    check("is expected to take" in text and "now on one node: 0 → 2" in text, text)
    document = firma("map", distant_pairs(directory), "--platform", SLOW_BETWEEN, "--json").expect(0).json()
    times = [mapping["predicted_s"] for mapping in document["mappings"]]
    check_equal(times, sorted(times), "the order of predicted times")
    check(BASELINES <= {mapping["mapper"] for mapping in document["mappings"]}, "a baseline is missing")
    check(document["gain_expected"], "no gain is expected")
    nodes = places(document["mappings"][0])
    check(nodes[0] == nodes[2] and nodes[1] == nodes[3] and nodes[0] != nodes[1], f"the best is {nodes}")


@test("no gain is an answer where tasks don't talk")
def _(directory):
    graph = save(directory, ttig([1, 1, 1, 1], []))
    check("no gain expected over block" in firma("map", graph, "--platform", SLOW_BETWEEN).expect(0).out, "it isn't said")
    document = firma("map", graph, "--platform", SLOW_BETWEEN, "--json").expect(0).json()
    check(not document["gain_expected"] and document["tasks_are_made"], "the document says otherwise")


@test("a gain that two runs of the same differ by is none, with the files too")
def _(directory):
    def work(tail, bytes_):
        return [[1, {"send": 2, "bytes": bytes_}], [1], [{"recv": 0}, tail], [1]]

    graph = save(directory, task_graph(work(0.1, 1000)))
    prefix = os.path.join(directory, "best")
    text = firma("map", graph, "--platform", "2x2:5ms,1GB/s:1us,10GB/s", "-o", prefix).expect(0).out
    check("about the same" in text and " less\n" not in text, text)
    check("no gain expected over block" in text and "block, for launchers:" in text, text)


@test("a quiet run prints nothing, and writes its files")
def _(directory):
    prefix = os.path.join(directory, "best")
    result = firma("map", distant_pairs(directory), "--platform", SLOW_BETWEEN, "-q", "-o", prefix).expect(0)
    check_equal(result.out, "", "what is printed")
    check(os.path.exists(prefix + ".rankfile"), "no file was written")


@test("the picture shows the default and the mapping, and the document has the same")
def _(directory):
    picture = os.path.join(directory, "map.svg")
    document = firma("map", distant_pairs(directory), "--platform", SLOW_BETWEEN, "--svg", picture, "--json").expect(0).json()
    with open(picture, encoding="utf-8") as file:
        text = file.read()
    for words in ("block, the default", "% less", "computes", "under way", "not yet sent", "0 on n0", "on n1"):
        check(words in text, f"`{words}` isn't in the picture")
    panels = document["schedule"]["panels"]
    check_equal([len(panel["rows"]) for panel in panels], [4, 4], "rows of the default and of the best mapping")
    for row in panels[0]["rows"]:
        sums = [sum(parts) for parts in zip(row["computation"], row["transfer"], row["waiting"], row["other"])]
        check(max(sums) <= 102 and row["name"] and row["node"], f"{row}")


@test("tasks' names are shown, and many tasks are drawn by host")
def _(directory):
    picture = os.path.join(directory, "map.svg")
    document = ttig([1] * 2, [(0, 1, 1, 1)])
    document["nodes"] = [{"name": "<script>a</script>", "computation_s": 1}, 1]
    firma("map", save(directory, document), "--platform", SLOW_BETWEEN, "--svg", picture).expect(0)
    words = list(xml.etree.ElementTree.parse(picture).getroot().itertext())
    check(any("<script>a" in word for word in words), f"{words}")
    many = firma("map", save(directory, ttig([1] * 70, [])), "--platform", SLOW_BETWEEN, "--mapper", "list", "--svg",
                 picture, "--force", "--json").expect(0).json()
    check_equal({panel["rows_are"] for panel in many["schedule"]["panels"]}, {"node"}, "rows")


@test("a machine's hosts, cores, speeds and order are the user's")
def _(directory):
    graph, machine = distant_pairs(directory), made_machine(directory)
    document = firma("map", graph, "--machine", machine, "--json").expect(0).json()
    check_equal(document["platform"]["nodes"], ["anna", "otto"], "nodes")
    check_equal(document["platform"]["description"], "openmpi shm within nodes, openmpi tcp between", "description")
    document = firma("map", graph, "--machine", machine, "--nodes", "otto", "--cores", "1", "--json").expect(0).json()
    check_equal(document["platform"]["slots_per_processor"], 4, "slots")
    slow = firma("map", graph, "--machine", machine, "--nodes", "otto", "--cores", "1", "--speed", "otto=0.5",
                 "--json").expect(0).json()
    ratio = slow["mappings"][0]["predicted_s"] / document["mappings"][0]["predicted_s"]
    check(abs(ratio - 2) < 1e-9, f"half the speed takes {ratio} times as long")


@test("a file of `firma machine cpu` says nothing about messages: it is named, with what is needed")
def _(directory):
    machine = save(directory, {"format": "firma machine", "version": 1, "processors": [
        {"name": "old", "cores": 2, "languages": [{"language": "c", "benchmark_s": 1,
                                                  "operations": {"sum_double": [1e-9, 2e-9]}}]}]}, "cpu.json")
    result = firma("map", distant_pairs(directory), "--machine", machine).expect(3)
    check(f"{machine}: holds only what operations cost" in result.err and "firma comm" in result.err, result.err)


@test("a single mapper is compared with the default")
def _(directory):
    document = firma("map", distant_pairs(directory), "--platform", SLOW_BETWEEN, "--mapper", "ttig", "--json").expect(0).json()
    check_equal({mapping["mapper"] for mapping in document["mappings"]}, {"ttig", "block"}, "mappers")


@test("the result is the same each time")
def _(directory):
    runs = [firma("map", distant_pairs(directory), "--platform", SLOW_BETWEEN).expect(0).out for _ in range(2)]
    check_equal(runs[0], runs[1], "the second run")


@test("inputs that don't fit or aren't known are refused by name")
def _(directory):
    graph, machine = distant_pairs(directory), made_machine(directory)
    for words, status, said in (
            (["--platform", "1x2:1us,1GB/s", "--slots", "1"], 3, "4 tasks don't fit"),
            (["--platform", SLOW_BETWEEN, "--speed", "n9=2"], 2, "n9"),
            (["--platform", SLOW_BETWEEN, "--speed", "n1=fast"], 2, "n1=fast"),
            (["--platform", SLOW_BETWEEN, "--nodes", "n0,eva"], 2, "eva"),
            (["--platform", SLOW_BETWEEN, "--mapper", "magic"], 2, "magic"),
            (["--platform", "2 nodes"], 2, "2 nodes"),
            (["--svg", graph], 2, "graph.ttig"),
            (["--svg", os.path.join(directory, "a"), "--report", os.path.join(directory, "a")], 2, "two results"),
            (["--platform", SLOW_BETWEEN, "--machine", machine], 2, "either"),
            (["--machine", machine, "--configuration", "mpich tcp"], 2, "choose one of `openmpi"),
            (["--machine", os.path.join(directory, "none.json")], 3, "none.json")):
        result = firma("map", graph, *words)
        result.expect(status)
        check(said in result.err, f"{words}: {result.err}")


@test("tasks that wait for each other are named")
def _(directory):
    def waits(other):
        return [{"recv": other}, {"send": other}]

    graph = save(directory, task_graph([waits(1), waits(0), [1]]))
    result = firma("map", graph, "--platform", SLOW_BETWEEN).expect(3)
    check("circle: `1` for `0`, `0` for `1`" in result.err, result.err)


@test("a program's trace becomes a graph, and that a mapping")
def _(directory):
    _, archive = trace(directory, launch("openmpi", 4, "stencil", 64, 200))
    graph = os.path.join(directory, "app.ttig")
    firma("graph", archive, "-o", graph).expect(0)
    document = firma("map", graph, "--platform", SLOW_BETWEEN, "--json").expect(0).json()
    check_equal(document["tasks"], 4, "tasks")
    check("exhaustive" in {mapping["mapper"] for mapping in document["mappings"]}, "the optimum wasn't looked for")
    check(all(mapping["predicted_s"] > 0 for mapping in document["mappings"]), "a mapping takes no time")


# A node of two packages of four cores, for SimGrid: each core is a host.
PACKAGES = "1x2x4:1us,2GB/s:0.3us,10GB/s"
CORES = """<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1"><zone id="node" routing="Full">%s
<link id="far" bandwidth="2GBps" latency="1us" sharing_policy="FATPIPE"/>
<link id="near" bandwidth="10GBps" latency="0.3us" sharing_policy="FATPIPE"/>%s</zone></platform>
"""
COSTS = ("bw-factor:0:1", "lat-factor:0:1", "os:0:0:0", "or:0:0:0", "ois:0:0:0", "async-small-thresh:65536",
         "send-is-detached-thresh:65536", "host-speed:1000000000f")


def simulated_cores(directory):
    """A run of `distant` on the cores, and the file that says on which."""
    command = simulated(directory, 8, "distant")
    routes = [f'<route src="c{i}" dst="c{k}"><link_ctn id="{"near" if i // 4 == k // 4 else "far"}"/></route>'
              for i in range(8) for k in range(i + 1, 8)]
    with open(command[command.index("-platform") + 1], "w", encoding="utf-8") as file:
        file.write(CORES % ("".join(f'<host id="c{i}" speed="1Gf"/>' for i in range(8)), "".join(routes)))
    costs = [f"--cfg=smpi/{cost}" for cost in COSTS] + ["--cfg=network/TCP-gamma:0", "--cfg=network/crosstraffic:0"]
    return [*command[:-1], *costs, command[-1]], command[command.index("-hostfile") + 1]


def place_on(hosts, cores):
    with open(hosts, "w", encoding="utf-8") as file:
        file.writelines(f"c{core}\n" for core in cores)


@test("pairs that talk across packages come together, with the gain that SimGrid simulates")
def _(directory):
    command, hosts = simulated_cores(directory)
    place_on(hosts, range(8))
    _, archive = trace(directory, command)
    graph = os.path.join(directory, "app.ttig")
    firma("graph", archive, "-o", graph).expect(0)
    mappings = firma("map", graph, "--platform", PACKAGES, "--json").expect(0).json()["mappings"]
    best, usual = mappings[0], next(mapping for mapping in mappings if mapping["mapper"] == "block")
    check(best["gain"] > 0.1, f"a gain of {best['gain']}")
    for mapping in (best, usual):
        place_on(hosts, [place["core"] for place in mapping["places"]])
        actual_s = float(run(command).expect(0).out.split("time_s ")[1].split()[0])
        check(abs(actual_s / mapping["predicted_s"] - 1) < 0.02, f"{actual_s} instead of {mapping['predicted_s']} s")
    hosts_only = firma("map", graph, "--platform", command[command.index("-platform") + 1], "--json").expect(0).json()
    check(abs(hosts_only["mappings"][0]["predicted_s"] / best["predicted_s"] - 1) < 0.01, "SimGrid's file says otherwise")


@test("hwloc's machines have levels, and what is no machine or platform is refused by name")
def _(directory):
    machine = {"HWLOC_SYNTHETIC": "pack:2 core:2 pu:1"}
    result = firma("map", distant_pairs(directory), "--json", env=machine).expect(0).json()
    check("between packages" in result["platform"]["description"], result["platform"]["description"])
    check(result["mappings"][0]["gain"] > 0.005, "no gain between packages")
    broken = os.path.join(directory, "broken.xml")
    for text in ("", "<topology/>", "<platform/>", "<other/>"):
        with open(broken, "w", encoding="utf-8") as file:
            file.write(text)
        result = firma("map", distant_pairs(directory), "--platform", broken)
        check(result.status in (3, 4) and "broken.xml" in result.err, result.err)


if __name__ == "__main__":
    main()
