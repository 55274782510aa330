# SPDX-License-Identifier: BSD-3-Clause
"""firma machine: a made-up machine model is shown, and exported to SimGrid, where messages cost what the model says."""

import json
import os
import shutil

import own_network
from harness import Skip, check, check_equal, firma, main, run, some, test

SIZES = some([0, 1000, 4095, 4096, 65535, 65536, 4194304], [1, 8, 100, 10000, 200000, 1000000])
FEW = (1000, 65536)
NETWORK = [(0, 28e-6, 9.2e-9), (4096, 35e-6, 8.9e-9), (65536, 110e-6, 8.5e-9)]
MEMORY = [(0, 0.3e-6, 0.4e-9), (4096, 1.1e-6, 0.2e-9)]


def around(value):
    return {"value": value, "low": value * 0.95, "high": value * 1.05}


def path(start, end, segments, transport="tcp", **more):
    return {"middleware": "openmpi", "transport": transport, "packing": "", "library": "Open MPI v4.1.4", "from_host": start,
            "to_host": end, "linear": True, "largest_error": 0.04, "largest_bytes": 4194304,
            "segments": [{"from_bytes": bytes_, "latency_s": around(latency), "s_per_byte": around(per_byte), "error": 0.01}
                         for bytes_, latency, per_byte in segments], **more}


def collective(operation, model):
    return {"middleware": "openmpi", "transport": "tcp", "packing": "", "library": "", "operation": operation,
            "model": model, "latency_s": around(30e-6), "s_per_byte": around(9e-9), "error": 0.05, "least_ranks": 2,
            "most_ranks": 8}


def save(directory, paths, collectives=(), hosts=("anna", "otto")):
    machine = os.path.join(directory, "machine.json")
    with open(machine, "w", encoding="utf-8") as file:
        json.dump({"format": "firma machine", "version": 1, "date": "2026-01-01T00:00:00Z", "command": "firma comm",
                   "hosts": [{"name": name, "system": "Linux", "processor": "made up", "cpus": 2} for name in hosts],
                   "paths": list(paths), "collectives": list(collectives)}, file)
    return machine


def time_s(segments, bytes_):
    _, latency, per_byte = [segment for segment in segments if segment[0] <= bytes_][-1]
    return latency + bytes_ * per_byte


def export(machine, directory, *words):
    platform = os.path.join(directory, "platform")
    return firma("machine", "export", machine, "--to", "simgrid", *words, "-o", platform), platform


def simulate(directory, platform, ranks, name, *arguments, hosts=()):
    """Runs a program of tests/apps on an exported platform with the options of smpi.cfg. Returns its output."""
    if not shutil.which("smpirun") or not shutil.which("smpicc"):
        raise Skip("SimGrid's SMPI is not installed")
    program, hostfile = os.path.join(directory, name), os.path.join(platform, "hostfile")
    if not os.path.exists(program):
        run(["smpicc", "-O2", os.path.join(os.environ["APP_SOURCES"], name + ".c"), "-lm", "-o", program]).expect(0)
    with open(os.path.join(platform, "smpi.cfg"), encoding="utf-8") as file:
        options = [line.strip() for line in file if not line.startswith("#")]
    if hosts:
        hostfile = os.path.join(directory, "hosts")
        with open(hostfile, "w", encoding="utf-8") as file:
            file.writelines(f"{host}\n" for host in hosts)
    return run(["smpirun", "-np", str(ranks), "-platform", os.path.join(platform, "platform.xml"), "-hostfile", hostfile,
                *options, "--cfg=smpi/simulate-computation:no", program, *map(str, arguments)]).expect(0).out


def check_costs(directory, platform, segments, hosts, tolerance, sizes=SIZES):
    for bytes_ in sizes:
        out = simulate(directory, platform, 2, "pingpong", 1000, bytes_, hosts=hosts)
        simulated_s = 1e-9 * float(out.split("ns_per_event ")[1].split()[0])
        expected_s = time_s(segments, bytes_)
        check(abs(simulated_s / expected_s - 1) < tolerance,
              f"{bytes_} bytes take {simulated_s * 1e6:.4f} µs in SimGrid, {expected_s * 1e6:.4f} µs in the model")


@test("a machine model is shown with its hosts, segments and collectives")
def shown(directory):
    machine = save(directory, [path(0, 1, NETWORK), path(0, 0, MEMORY, linear=False)],
                   [collective("broadcast", "binomial tree")])
    out = firma("machine", "show", machine).expect(0).out
    for words in ("anna – otto", "within anna", "28.0 µs", "65 536", "not linear", "binomial tree", "118 MB/s", "± 5.0 %"):
        check(words in out, f"`{words}` is missing\n{out}")
    document = firma("machine", "show", machine, "--json").expect(0).json()
    check_equal([len(document["paths"]), len(document["paths"][0]["segments"]), document["verb"]], [2, 3, "machine"],
                "paths, segments and verb")


@test("messages between hosts cost in SimGrid what the model says, at all sizes")
def between_hosts(directory):
    result, platform = export(save(directory, [path(0, 1, NETWORK)]), directory, "--json")
    summary = result.expect(0).json()
    check_equal([summary["exact"], summary["eager_bytes"], summary["eager_was_found"], summary["largest_error"] < 0.01],
                ["anna – otto", 65536, True, True], "summary")
    check_costs(directory, platform, NETWORK, ("anna", "otto"), 0.005)
    check_costs(directory, platform, NETWORK, ("otto", "anna"), 0.005, FEW)


@test("messages within a host cost in SimGrid what the model says, at all sizes")
def within_a_host(directory):
    machine = save(directory, [path(0, 0, MEMORY, transport="shm")], hosts=["anna"])
    export(machine, directory)[0].expect(0)
    check_costs(directory, os.path.join(directory, "platform"), MEMORY, (), 0.02)


@test("links of another shape are as accurate as the export says")
def several_links(directory):
    slower = [(start, 2 * latency, 3 * per_byte) for start, latency, per_byte in NETWORK]
    machine = save(directory, [path(0, 0, MEMORY), path(0, 1, NETWORK), path(0, 2, slower)],
                   hosts=["anna", "otto", "a&b"])
    result, platform = export(machine, directory, "--json")
    summary = result.expect(0).json()
    check_equal([summary["links"], summary["largest_error_of"]], [3, "anna – anna"], "links, and the least exact one")
    check_costs(directory, platform, NETWORK, ("anna", "otto"), 0.005, FEW)
    check_costs(directory, platform, slower, ("anna", "a&b"), 0.005, FEW)
    check_costs(directory, platform, MEMORY, ("anna", "anna"), summary["largest_error"] + 0.02, FEW)
    note = firma("machine", "export", machine, "--to", "simgrid", "-o", platform, "--force").expect(0).err
    check("anna – anna cost up to" in note, f"no note about the inexact link\n{note}")


@test("collectives of any kind run in SimGrid with the exported options")
def collectives(directory):
    measured = [collective("broadcast", "scatter and allgather"), collective("allreduce", "ring"),
                collective("barrier", "tree"), collective("alltoall", "Bruck")]
    machine = save(directory, [path(0, 0, MEMORY), path(0, 1, NETWORK)], measured)
    _, platform = export(machine, directory)
    with open(os.path.join(platform, "smpi.cfg"), encoding="utf-8") as file:
        options = file.read()
    for option in ("bcast:scatter_LR_allgather", "allreduce:lr", "barrier:ompi_tree", "alltoall:bruck", "reduce:binomial"):
        check(f"--cfg=smpi/{option}\n" in options, f"`{option}` is missing\n{options}")
    out = simulate(directory, platform, 4, "cg")
    check("events rank 3" in out, f"the program didn't come to its end\n{out}")


@test("costs that aren't linear are exported piece by piece, and the error of the pieces is said")
def not_linear(directory):
    machine = save(directory, [path(0, 1, NETWORK), path(0, 0, MEMORY, linear=False)])
    result, platform = export(machine, directory)
    check("anna – anna aren't linear" in result.expect(0).err and "4.0 % off" in result.err, f"not said\n{result}")
    with open(os.path.join(platform, "platform.xml"), encoding="utf-8") as file:
        check("whose pieces are up to 4 % off what was measured" in file.read(), "not said in platform.xml")
    pieces, _ = export(save(directory, [path(0, 1, NETWORK, linear=False)]), directory, "--force")
    check("4.0 % off" in pieces.expect(0).err, f"not said\n{pieces}")


@test("parts that can't be exported are refused by name")
def refused(directory):
    machine = save(directory, [path(0, 1, NETWORK), path(0, 0, MEMORY, transport="shm", linear=False)])
    result, _ = export(machine, directory, "-c", "mpich tcp")
    check("`openmpi tcp`, `openmpi shm`" in result.expect(2).err, f"doesn't say what there is\n{result}")
    result, _ = export(machine, directory, "-c", "foo")
    check("`openmpi tcp`, `openmpi shm`" in result.expect(2).err, f"doesn't say what there is\n{result}")
    result, _ = export(save(directory, []), directory)
    check("doesn't say what messages cost" in result.expect(3).err and "`firma comm`" in result.err,
          f"doesn't say what is missing\n{result}")
    machine = save(directory, [path(0, 1, NETWORK), path(0, 0, MEMORY, transport="shm", linear=False)])
    result, _ = export(machine, directory)
    check("several configurations" in result.expect(2).err, f"chooses one itself\n{result}")
    result, _ = export(save(directory, [path(0, 1, NETWORK), path(0, 1, NETWORK)]), directory)
    check("two paths" in result.expect(3).err, f"takes one of two\n{result}")
    check_equal(firma("machine", "export", machine, "-o", directory).status, 2, "status without a tool")
    check_equal(firma("machine", "show").status, 2, "status without a file")


@test("a machine model that can't be read is named once")
def named_once(directory):
    broken, absent = os.path.join(directory, "broken.json"), os.path.join(directory, "absent.json")
    with open(broken, "w", encoding="ascii") as file:
        file.write("{\n")
    for machine in (broken, absent):
        for words in (["machine", "show", machine], ["cost", "predict", "app.pasl", "-m", machine]):
            result = firma(*words).expect(3)
            check_equal(result.err.count(machine), 1, f"how often the file is named\n{result}")


@test("a machine model that is broken is refused with the place")
def broken(directory):
    for break_it, place in (
            (lambda document: document["paths"][0]["segments"][1].update(from_bytes=0), "paths[0].segments[1].from_bytes"),
            (lambda document: document["paths"][0]["segments"][0]["latency_s"].update(value=-1), "paths[0].segments[0].latency_s.value"),
            (lambda document: document["paths"][0].update(to_host=2), "paths[0].to_host"),
            (lambda document: document["hosts"][1].pop("name"), "hosts[1].name")):
        machine = save(directory, [path(0, 1, NETWORK)])
        with open(machine, encoding="utf-8") as file:
            document = json.load(file)
        break_it(document)
        with open(machine, "w", encoding="utf-8") as file:
            json.dump(document, file)
        result = firma("machine", "show", machine).expect(3)
        check(machine in result.err and place in result.err, f"`{place}` isn't named\n{result}")


own_network.enter()
main()
