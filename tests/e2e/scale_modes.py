# SPDX-License-Identifier: BSD-3-Clause
"""firma scale trace, model and run: traces of real programs under both MPIs, formulas, and studies of programs whose
times are known."""

import json
import os
import signal
import subprocess
import xml.etree.ElementTree

from harness import FIRMA, HANG_LIMIT_S, MPIS, check, check_equal, firma, launch, main, run, test, trace, wait_until


def close(found, expected, what):
    check(abs(found - expected) <= 1e-9 * max(1, abs(expected)), f"{what}: found {found!r}, expected {expected!r}")


# ---- trace ----

def check_tree(found, ranks):
    tree = found["efficiency"]
    check_equal([found["processes"], len(found["per_process"])], [ranks, ranks], "processes")
    close(tree["parallel"], tree["load_balance"] * tree["communication"], "parallel efficiency")
    close(tree["communication"], tree["serialisation"] * tree["transfer"], "communication efficiency")
    close(tree["parallel"], found["all"]["compute_s"] / ranks / found["run_s"], "parallel efficiency from computation")
    for name, value in tree.items():
        check(0 < value <= 1 + 1e-9, f"{name} is {value}")
    for process in found["per_process"]:
        parts = [process[f"{part}_s"] for part in ("compute", "idle", "transfer", "other")]
        check(min(parts) >= 0, f"a part of {process} is negative")
        close(sum(parts), process["time_s"], "the sum of the parts")
    check_equal(found["unmatched_receives"], 0, "receives without a send")


for mpi in MPIS:
    @test(f"the tree of efficiencies of traced programs multiplies up, under {mpi}")
    def tree(directory, mpi=mpi):
        for name, ranks, arguments in (("cg", 2, ("60", "5")), ("masterworker", 3, ("20", "1000"))):
            _, there = trace(directory, launch(mpi, ranks, name, *arguments), name=f"{name}.trace")
            found = firma("scale", "trace", there, "--json").expect(0).json()["traces"]
            check_equal(len(found), 1, "traces")
            check_tree(found[0], ranks)


@test("several traces are compared over their numbers of processes")
def several(directory):
    traces = [trace(directory, launch("openmpi", ranks, "cg", "60", "5"), name=f"{ranks}.trace")[1] for ranks in (2, 1)]
    found = firma("scale", "trace", *traces, "--json").expect(0).json()["traces"]
    check_equal([point["processes"] for point in found], [1, 2], "processes")
    close(found[1]["redundant_s"], found[1]["all"]["compute_s"] - found[0]["all"]["compute_s"], "redundant computation")
    close(found[1]["global_efficiency"], found[1]["efficiency"]["parallel"] * found[1]["computation_scaling"], "global")
    out = firma("scale", "trace", *traces).expect(0).out
    check("redundant" in out and "2.trace" in out, out)
    for named, rows in ((traces, ("2 processes", "1 processes")), (traces[:1], ("process 0", "process 1"))):
        picture = os.path.join(directory, f"{len(named)}.svg")
        check_equal(firma("scale", "trace", *named, "--svg", picture, "--json").expect(0).json()["svg"], picture, "the picture's name")
        texts = [tag.text for tag in xml.etree.ElementTree.parse(picture).iter() if tag.text]
        check(all(row in texts for row in (*rows, "waiting")), f"not in the picture: {texts}")


# ---- model ----

@test("a flow file or a PAMELA model stands for its T, symbolic in n and p")
def files(directory):
    def write(name, text):
        path = os.path.join(directory, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    write("task.pamela", "parameter Q_odd\nwork(n, k) = seq (i = 1, n) { sum_double; if (odd, Q_odd) k mul_double }\n")
    flow = write("app.pasl", """application app
parameter N = 5
parameter TASKS = 8
batch one { source task.pamela entry work tasks TASKS argument n = N argument k = 2 receives 8 bytes value Q_odd = 1/4 }
batch two { source task.pamela entry work tasks 4 argument n = task argument k = 0 value Q_odd = 1/4 }
flow one -> two
""")
    model = write("hand.pamela", "parameter n\nparameter P\nmain = par (j = 1, P) { send[0, j](8); n/P sum_double[j] }\n")
    words = ["--sizes", "100,1000", "-n", "1,2,3", "--set", "ts=2", "--set", "tw=0.5", "--set", "t_sum_double=3", "--json"]
    document = firma("scale", "model", flow, "--set", "t_mul_double=7", *words).expect(0).json()
    cells = {(cell["n"], cell["p"]): cell["time_s"]["value"] for cell in document["models"][0]["points"]}
    for n in (100, 1000):
        for p in (1, 2, 3):
            most = -(-8 // p)
            first = max(most * n * (3 + 0.25 * 2 * 7) + 2 + 4 * most, p * 2 + 32)
            tasks = [[task for task in range(1, 5) if (w - 1) * 4 // p < task <= w * 4 // p] for w in range(1, p + 1)]
            close(cells[n, p], first + max(3 * sum(own) for own in tasks), f"T({n}, {p})")
    found = firma("scale", "model", f"hand = {model}", "line = 2*n/p", *words).expect(0).json()["models"]
    check_equal([one["name"] for one in found], ["hand", "line"], "names")
    for cell in found[0]["points"]:
        close(cell["time_s"]["value"], max(6 + 3 * cell["n"] / cell["p"], 6 * cell["p"]), f"T of {cell}")
    out = firma("scale", "model", flow, "-n", "2").expect(2).err
    check("no value for" in out and "`t_sum_double`" in out, out)
    broken = write("broken.pasl", "application app\nbatch one { source no.c entry f tasks 2 }\n")
    check("no.c" in firma("scale", "model", broken, "-n", "2").expect(3).err, "the missing source isn't named")


@test("the sum on a hypercube has its table, and keeps its efficiency along (64, 4), (192, 8), (512, 16)")
def hypercube():
    document = firma("scale", "model", "n/p + 2*log2(p)", "--sizes", "64,192,320,512", "-n", "1,4,8,16,32", "--efficiency", "0.8",
                     "--json").expect(0).json()
    model = document["models"][0]
    table = {(point["n"], point["p"]): round(point["efficiency"]["value"], 2) for point in model["points"]}
    check_equal([table[64, p] for p in (1, 4, 8, 16, 32)], [1, .8, .57, .33, .17], "E(64)")
    check_equal([table[512, p] for p in (1, 4, 8, 16, 32)], [1, .97, .91, .8, .62], "E(512)")
    sizes = {point["p"]: point["n"]["value"] for point in model["isoefficiency"] if point["kind"] == "size"}
    for p, n in ((4, 64), (8, 192), (16, 512)):
        close(round(sizes[p], 6), n, f"n({p})")
    check(model["scalable"], "it isn't scalable")
    out = firma("scale", "model", "n/p + 2*log2(p)", "--sizes", "64", "-n", "1:32x2").expect(0).out
    check("p = 32" in out and "0.17" in out and "fastest on p = 22," in out, out)


def machine(directory):
    def estimated(value):
        return {"value": value, "low": value, "high": 2 * value}

    path = {"middleware": "openmpi", "transport": "tcp", "packing": "", "library": "", "from_host": 0, "to_host": 1,
            "linear": True, "largest_error": 0, "largest_bytes": 1 << 20,
            "segments": [{"from_bytes": 0, "latency_s": estimated(1e-5), "s_per_byte": estimated(1e-9), "error": 0}]}
    file = os.path.join(directory, "machine.json")
    with open(file, "w", encoding="utf-8") as out:
        json.dump({"format": "firma machine", "version": 1, "date": "", "command": "",
                   "hosts": [{"name": name, "system": "", "processor": "", "cpus": 2} for name in ("anna", "otto")],
                   "paths": [path], "collectives": []}, out)
    return file


@test("ts and tw come from a machine model, with their intervals; --set overrides them")
def machine_parameters(directory):
    def ask(*words):
        return firma("scale", "model", "tc*n^2/p + ts + tw*n", "--set", "tc=1e-9", "--machine", machine(directory), *words,
                     "--sizes", "1000", "-n", "4", "--json").expect(0).json()

    found = ask()
    point = found["models"][0]["points"][0]
    close(point["time_s"]["low"] * 1e6, 250 + 10 + 1, "the least time")
    close(point["time_s"]["high"] * 1e6, 250 + 20 + 2, "the largest time")
    check_equal([parameter["name"] for parameter in found["parameters"]], ["ts", "tw", "tc"], "parameters")
    point = ask("--configuration", "openmpi tcp", "--set", "ts=0", "--set", "tw=0")["models"][0]["points"][0]
    close(point["time_s"]["high"] * 1e6, 250, "the time without communication")
    firma("scale", "model", "ts*n", "--machine", machine(directory), "--configuration", "mpich tcp", "--sizes", "1").expect(2)


@test("models are compared, and where one overtakes another is named")
def crossover():
    words = ("scale", "model", "tree = n + log2(p)", "line = n + p/4", "--sizes", "8", "-n", "2:64x2")
    found = firma(*words, "--json").expect(0).json()["crossovers"]
    check_equal([(one["over"], round(one["at"], 6), one["from_model"], one["to_model"]) for one in found],
                [("p", 16, 1, 0)], "crossovers")
    out = firma(*words).expect(0).out
    check("`tree` is faster than `line` from p = 16 on" in out, out)


@test("-o writes a model's results, and pictures")
def model_pictures(directory):
    there = os.path.join(directory, "out")
    firma("scale", "model", "n/p + 2*log2(p)", "line = n/p + p", "--sizes", "64:512x2", "-n", "1:32x2", "-o", there).expect(0)
    with open(os.path.join(there, "scaling.json"), encoding="utf-8") as file:
        check_equal(len(json.load(file)["models"]), 2, "models in scaling.json")
    for name in ("time", "speedup", "efficiency", "isoefficiency"):
        marks = [tag.get("class", "") for tag in xml.etree.ElementTree.parse(os.path.join(there, name + ".svg")).iter()]
        check(any("curve" in mark for mark in marks), f"{name}.svg has no curve")


@test("errors in a model are named")
def wrong_models():
    for words, told in ((("n/p + *2",), "formula:1:7"), (("n/q",), "no value for `q`"), (("n/p", "--set", "q=1"), "`q`"),
                        (("q/p", "--set", "q"), "isn't a name with a number"), (("n/p", "--predict", "8"), "--predict: unknown option"),
                        (("n/p", "--set", "n=1"), "n has many values in the tables"), (("n/p", "file"), "no value for `file`"), ((), "no formula is given")):
        result = firma("scale", "model", *words, "--sizes", "4", "-n", "1:4x2").expect(2)
        check(told in result.err, f"`{told}` is missing\n{result}")
    result = firma("scale", "model", "n - p", "--sizes", "4", "-n", "8").expect(3)
    check("n = 4, p = 8" in result.err, result.err)
    firma("scale", "model", "n/p").expect(2)


# ---- run ----

PROGRAM = """#!/bin/sh
echo "$1 $2" >> calls
[ "$1" = 8 ] && { echo no room; exit 3; }
sleep 0.0$2
"""


def program(directory):
    path = os.path.join(directory, "program")
    with open(path, "w", encoding="utf-8") as file:
        file.write(PROGRAM)
    os.chmod(path, 0o755)
    return path


def study(directory, *words, sizes="1,2", processes="1:4x2", status=0):
    return firma("scale", "run", "-n", processes, "--sizes", sizes, "--repeat", "2", *words, "--", program(directory), "{processes}",
                 "{size}", cwd=directory).expect(status)


def lines(directory, name):
    with open(os.path.join(directory, name), encoding="utf-8") as file:
        return file.read().splitlines()


@test("a study runs each point in turn, there and back, writes each time, and analyses them")
def runs(directory):
    found = study(directory, "--json").json()
    check_equal([[point["p"] for point in size["points"]] for size in found["sizes"]], [[1, 2, 4], [1, 2, 4]], "points")
    there = [f"{p} {n}" for n in (1, 2) for p in (1, 2, 4)]
    check_equal(lines(directory, "calls"), there + there[::-1], "the order of the runs")
    rows = lines(directory, "runs.csv")
    check_equal([rows[0], len(rows)], ["n,p,time,slowdown,clock,command", 13], "runs.csv")
    check(rows[1].startswith("1,1,0.") and rows[1].endswith('{processes} {size}"') and ",wall," in rows[1], rows[1])


@test("a study goes on where it was interrupted, even within a line")
def resumed(directory):
    study(directory)
    path = os.path.join(directory, "runs.csv")
    rows = lines(directory, "runs.csv")
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(rows[:8]) + "\n" + rows[8][:6])
    os.unlink(os.path.join(directory, "calls"))
    result = study(directory)
    check("5 of 12 runs are left" in result.err and "cut off" in result.err, result.err)
    check_equal(len(lines(directory, "calls")), 5, "further runs")
    check_equal(lines(directory, "runs.csv")[:8], rows[:8], "what was there")
    check_equal(len(lines(directory, "runs.csv")), 13, "lines")
    os.unlink(os.path.join(directory, "calls"))
    study(directory)
    check(not os.path.exists(os.path.join(directory, "calls")), "it ran although all was there")


@test("an interrupted study prints how to resume it")
def interrupted(directory):
    process = subprocess.Popen([FIRMA, "scale", "run", "-n", "1", "--sizes", "5", "-r", "1000", "--", program(directory), "{processes}",
                                "{size}"], cwd=directory, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    wait_until(lambda: os.path.exists(os.path.join(directory, "runs.csv")) and len(lines(directory, "runs.csv")) > 2,
               "some runs are done")
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=HANG_LIMIT_S)
    check_equal(process.returncode, 1, f"exit status\n{err}")
    check("runs are left" in err and "continues runs.csv" in err, err)


@test("a second study that would write the same file is refused, and the writer is named")
def two_writers(directory):
    words = [FIRMA, "scale", "run", "-n", "1", "--sizes", "5", "-r", "1000", "--", program(directory), "{processes}", "{size}"]
    process = subprocess.Popen(words, cwd=directory, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    wait_until(lambda: os.path.exists(os.path.join(directory, "runs.csv")) and len(lines(directory, "runs.csv")) > 2,
               "some runs are done")
    result = run(words, cwd=directory).expect(4)
    check(f"runs.csv: is being written by process {process.pid} on " in result.err and "firma scale run -n 1" in result.err,
          result.err)
    check_equal(os.stat(os.path.join(directory, "runs.csv.lock")).st_mode & 0o777, 0o600, "mode of the lock")
    process.send_signal(signal.SIGKILL)
    process.communicate(timeout=HANG_LIMIT_S)
    words[words.index("1000")] = "2"
    result = run(words, cwd=directory).expect(0)
    check(not os.path.exists(os.path.join(directory, "runs.csv.lock")), "the lock's file is left behind")


@test("points with failing runs are named and given up; the others are analysed")
def failures(directory):
    result = study(directory, processes="1:8x2", status=1)
    said = f"{os.path.join(directory, 'program')} failed with status 3; its last words: no room"
    check(f"p = 8: a run failed, and isn't counted: {said}" in result.err and "4 runs failed" in result.err, result.err)
    check("Karp–Flatt" in result.out, result.out)
    check(not [row for row in lines(directory, "runs.csv") if row.split(",")[1] == "8"], "a failed run is in runs.csv")


@test("words for failed runs fit one and several, and a launcher that vanishes ends the study at once")
def failures_alone(directory):
    result = firma("scale", "run", "-n", "1", "-r", "1", "--", "false", "{processes}", cwd=directory).expect(1)
    check("1 run failed; none succeeded" in result.err, result.err)
    result = firma("scale", "run", "-n", "1,2", "-r", "1", "-o", "2.csv", "--", "false", "{processes}", cwd=directory).expect(1)
    check("2 runs failed; none succeeded" in result.err, result.err)
    once = os.path.join(directory, "once")
    with open(once, "w", encoding="ascii") as file:
        file.write("#!/bin/sh\nrm \"$0\"\n")
    os.chmod(once, 0o755)
    result = firma("scale", "run", "-n", "1,2", "-r", "1", "-o", "3.csv", "--", once, "{processes}", cwd=directory).expect(4)
    check(f"{once}: cannot be started: No such file or directory" in result.err, result.err)
    check_equal(len(lines(directory, "3.csv")), 2, "lines")


@test("a file of another study is refused")
def other_study(directory):
    study(directory)
    result = firma("scale", "run", "-n", "1", "--sizes", "1", "--", "true", "{processes}", "{size}", cwd=directory).expect(3)
    check("runs.csv:2: belongs to the command" in result.err, result.err)
    with open(os.path.join(directory, "other.csv"), "w", encoding="utf-8") as file:
        file.write("p,time\n1,2\n")
    study(directory, "-o", "other.csv", status=3)
    check_equal(lines(directory, "other.csv"), ["p,time", "1,2"], "the other file")


@test("studies that make no sense are refused before anything runs")
def senseless(directory):
    for words in (("-n", "1", "--", "true"), ("-n", "1", "--", "true", "{processes}", "{size}"), ("--", "true", "{processes}"), ("-n", "1"),
                  ("-n", "1", "--sizes", "2", "--", "true", "{processes}"), ("-n", "0", "--", "true", "{processes}"),
                  ("-n", "1", "-r", "0", "--", "true", "{processes}"), ("-n", "1", "--mpi", "mpich", "--", "true", "{processes}")):
        firma("scale", "run", *words, cwd=directory).expect(2)
    check_equal(os.listdir(directory), [], "files")


@test("what a killed study left of a traced run is replaced, and another directory isn't")
def left_behind(directory):
    words = ["scale", "run", "-n", "1", "-r", "1", "--traced", "--", *launch("openmpi", "{processes}", "cg", "60", "5")]
    left = os.path.join(directory, "runs.csv.traced")
    os.makedirs(os.path.join(left, "trace.1-2-3.part"))
    for name in ("log", "mine"):
        with open(os.path.join(left, name), "w", encoding="utf-8"):
            pass
    check("runs.csv.traced: File exists" in firma(*words, cwd=directory).expect(4).err, "the directory isn't named")
    os.remove(os.path.join(left, "mine"))
    firma(*words, cwd=directory).expect(0)
    check(not os.path.exists(left), "the directory is left")


for mpi in MPIS:
    @test(f"with --traced, times are the application's, under {mpi}")
    def traced(directory, mpi=mpi):
        command = launch(mpi, "{processes}", "cg", "60", "5")
        firma("scale", "run", "-n", "1,2", "-r", "1", "--traced", "--", *command, cwd=directory).expect(0)
        rows = lines(directory, "runs.csv")
        check_equal([rows[0], len(rows)], ["p,time,slowdown,clock,command", 3], "runs.csv")
        check(",application," in rows[1] and not os.path.exists(os.path.join(directory, "runs.csv.traced")), rows[1])


if __name__ == "__main__":
    main()
