# SPDX-License-Identifier: BSD-3-Clause
"""firma scale of signatures, studies and traces: runs of one program on several numbers of processes, phase by phase, and what is predicted for other
numbers. The truth of simulated predictions is SimGrid's SMPI, which runs the program with so many processes."""

import json
import os

from harness import FIRMA, Skip, check, check_equal, firma, launch, main, simulated, test, trace, traced

ENGINE = os.path.join(os.path.dirname(os.path.dirname(FIRMA)), "simulation", "firma-simgrid-replay")
COSTS = ("bw-factor:0:1", "lat-factor:0:1", "os:0:0:0", "or:0:0:0", "ois:0:0:0", "async-small-thresh:65536",
         "send-is-detached-thresh:65536", "host-speed:1000000000f", "coll-selector:default")


def smpi_trace(directory, ranks, *program):
    """The archive of a simulated run, and its platform."""
    folder = os.path.join(directory, str(ranks))
    os.mkdir(folder)
    command = simulated(folder, ranks, *program)
    at = command.index("--cfg=smpi/wtime:0")
    costs = [f"--cfg=smpi/{cost}" for cost in COSTS] + ["--cfg=network/TCP-gamma:0", "--cfg=network/crosstraffic:0"]
    return traced(folder, command[:at] + costs + command[at:])[1], command[command.index("-platform") + 1]


def real_traces(directory, *program):
    return [trace(directory, launch("openmpi", ranks, *program), name=f"{ranks}.trace")[1] for ranks in (3, 1, 2)]


@test("phases of real runs are matched, and their times add up to the run's")
def phases(directory):
    traces = real_traces(directory, "cg", "60", "20")
    found = firma("scale", *traces, "--predict", "4,8", "--json").expect(0).json()
    check_equal([run["p"] for run in found["runs"]], [1, 2, 3], "processes")
    check_equal([point["p"] for point in found["predictions"]], [4, 8], "predictions")
    for number, run in enumerate(found["runs"]):
        rows = [*found["phases"], found["others"]]
        parts = sum(row[part]["values"][number] for row in rows for part in ("computation_s", "transfer_s", "waiting_s"))
        check(abs(parts / run["time_s"] - 1) < 0.05, f"the parts add up to {parts} s of {run}")
    for point in found["predictions"]:
        check(point["time_s"]["low"] <= point["time_s"]["value"] and point["simulated"] is None, f"{point}")
    text = firma("scale", *traces, "--scaling", "strong").expect(0).out
    check("stops at p" in text and "(others)" in text, text)


@test("each kind of call has its times, its laws and its share of what is predicted")
def calls(directory):
    traces = real_traces(directory, "cg", "60", "20")
    found = firma("scale", *traces, "--predict", "8,16", "--json").expect(0).json()
    profiles = [firma("show", path, "--json").expect(0).json() for path in sorted(traces)]
    names = [call["call"] for call in found["calls"]]
    check(names[0] != names[1] and set(names) == {"allreduce", "isend irecv wait"}, f"{names}")
    allreduce = next(call for call in found["calls"] if call["call"] == "allreduce")
    for number, profile in enumerate(profiles):
        shown = next(call for call in profile["calls"] if call["call"] == "allreduce")
        time_s = allreduce["transfer_s"]["values"][number] + allreduce["waiting_s"]["values"][number]
        check(abs(time_s * (number + 1) / shown["time_s"] - 1) < 1e-6, f"{time_s} s of {number + 1} in {shown}")
        check_equal(allreduce["calls"]["values"][number] * (number + 1), shown["calls"], "calls")
    for point in found["predictions"]:
        check_equal([call["call"] for call in point["calls"]], names, "predicted calls")
        shares = [row["share"] for row in [*point["phases"], point["others"]]]
        check(abs(sum(shares) - 1) < 1e-6, f"the shares of phases are {shares}")
    last = [call["time_s"]["value"] for call in found["predictions"][-1]["calls"]]
    check_equal(last, sorted(last, reverse=True), "the longest call comes first")
    text = firma("scale", *traces, "--predict", "8,16").expect(0).out
    check("isend irecv wait" in text and "at p = 16" in text, text)


@test("a signature stands for its trace")
def signatures(directory):
    traces = real_traces(directory, "cg", "60", "20")
    by_traces = firma("scale", *traces, "--json").expect(0).json()
    for path in traces:
        firma("phases", "-q", path, "-o", path.replace(".trace", ".firma")).expect(0)
    by_signatures = firma("scale", *(path.replace(".trace", ".firma") for path in traces), "--json").expect(0).json()
    check_equal(by_signatures["phases"], by_traces["phases"], "phases")


@test("signatures, traces and studies are told from run times, wherever the options stand")
def told_apart(directory):
    traces = real_traces(directory, "cg", "60", "5")
    several = os.path.join(directory, "several.study")
    command = ("--", *launch("openmpi", "{processes}", "cg", "60", "5"))
    found = firma("study", "-o", several, "-r", "1", "-n", "1,2", "--json", *command).expect(0).json()
    folder, runs = os.path.join(several, "p1"), os.path.join(several, "runs.csv")
    check_equal(([study["study"] for study in found["studies"]], found["runs"]), ([folder, os.path.join(several, "p2")], runs), "a study for each number")
    with open(runs, encoding="utf-8") as file:
        lines = [line.split(",") for line in file.read().splitlines()]
    check_equal(([line[0] for line in lines], lines[0][2]), (["p", "1", "2"], "slowdown"), "runs.csv")
    firma("study", "-q", "-f", "-o", several, "-r", "1", "-n", "2", "--", *launch("openmpi", "{processes}", "cg", "60", "6")).expect(3)
    firma("study", "-q", "-f", "-o", several, "-r", "1", "-n", "2", *command).expect(0)
    with open(runs, encoding="utf-8") as file:
        check_equal([line.split(",")[0] for line in file], ["p", "1", "2"], "runs.csv without the run that is replaced")
    hidden = os.path.join(directory, "hidden.study")
    firma("study", "-q", "--hide-arguments", "-r", "1", "-n", "1", "-o", hidden, *command).expect(0)
    with open(os.path.join(hidden, "runs.csv"), encoding="utf-8") as file:
        check(file.read().endswith(f',"{command[1]} …"\n'), "hidden arguments in runs.csv")
    check("p1: exists already" in firma("study", "-o", several, "-n", "1,2", *command).expect(2).err, "replaced")
    check("{processes}" in firma("study", "-n", "1,2", "--", *launch("openmpi", 1, "cg", "60", "5")).expect(2).err, "no place for p")
    named = firma("scale", "counts", *traces, "--json").expect(0).json()
    for words in ((*traces, "--json"), ("--efficiency", "0.5", "--json", *traces), ("--json", "--efficiency=0.5", *traces)):
        check_equal(firma("scale", *words).expect(0).json(), named, f"{words}")
    paths = [folder, traces[0], traces[2]]
    check_equal([run["path"] for run in firma("scale", "--json", *paths).expect(0).json()["runs"]],
                [os.path.join(folder, "app.firma"), traces[2], traces[0]], "a study among traces")
    held = os.path.join(folder, "app.trace")
    firma("diff", folder, held).expect(0)
    check_equal(firma("graph", folder, "--json").expect(0).json(), firma("graph", held, "--json").expect(0).json(), "graphs")
    mapped = [firma("map", path, "--platform", "2x1:1us,1GB/s", "--json").expect(0).json()["mappings"] for path in (folder, held)]
    check_equal(*mapped, "mappings")
    check("sizes" in firma("scale", "--json", runs, "-o", os.path.join(directory, "pictures")).expect(0).json(), "run times")
    check_equal([run["path"] for run in firma("scale", "--json", several, traces[0]).expect(0).json()["runs"]],
                [os.path.join(several, part, "app.firma") for part in ("p1", "p2")] + [traces[0]], "the folder of study -n")
    refused = firma("predict", several).expect(2).err
    check("holds studies of several numbers of processes" in refused and folder in refused, refused)
    check("found 1" in firma("scale", os.path.join(folder, "app.firma")).expect(2).err, "a single signature")


def check_times_agree(signature):
    """The times of phases, milestones, startup and run are of one run."""
    with open(signature, encoding="utf-8") as file:
        made = json.load(file)
    ranks, last_s = made["application"]["processes"], made["milestones"][-1]["time_s"]
    startup_s, shutdown_s = (sum(made[part]) / ranks for part in ("startup_s", "shutdown_s"))
    check(0.8 < (last_s + shutdown_s) / made["application_s"] < 1.001, f"{last_s} + {shutdown_s} of {made['application_s']} s")
    phases = {phase["id"]: sum(phase["total_s"]) / ranks for phase in made["phases"]}
    check(abs(startup_s + sum(phases.values()) - last_s) < 1e-6 * last_s, f"{startup_s} + {phases}, {last_s} s at the end")
    for phase in made["phases"]:
        within_s = sum(time_s for at in made["milestones"] for name, _, time_s, _ in at["phases"] if name == phase["id"])
        check(abs(within_s - phases[phase["id"]]) < 1e-6 * last_s, f"milestones say {within_s} s of {phases}")
        check(abs(phase["share"] * made["application_s"] - phases[phase["id"]]) < 1e-6 * last_s, f"the share of {phase['id']}")


@test("extrapolated events, simulated, take as long as the program takes there")
def extrapolated(directory):
    for program in (("cg", 128, 25, 2), ("particles", 60, 20)):
        folder = os.path.join(directory, program[0])
        os.mkdir(folder)
        traces = [smpi_trace(folder, ranks, *program)[0] for ranks in (2, 4, 8)]
        there, platform = smpi_trace(folder, 16, *program)
        actual_s = firma("show", there, "--json").expect(0).json()["application_s"]
        signature = os.path.join(folder, "app.16.firma")
        found = firma("scale", *traces, "--predict", "16", "--platform", platform, "-o", signature,
                      "--json").expect(0).json()["predictions"][0]["simulated"]
        check(found["why_not"] is None and abs(found["time_s"]["value"] / actual_s - 1) < 0.02, f"{actual_s} s, {found}")
        check(found["time_s"]["low"] <= actual_s <= found["time_s"]["high"], f"{actual_s} s, {found}")
        time_s = found["time_s"]
        check(abs(time_s["low"] * time_s["high"] / time_s["value"] ** 2 - 1) < 1e-6, f"as a factor, the interval has two widths: {time_s}")
        check_times_agree(signature)
        check_equal(firma("predict", signature, "--json").status, 2, "a signature isn't times")


@test("runs of several sizes have laws of the size, by which a size that wasn't run is predicted")
def sizes(directory):
    def size(n):
        folder = os.path.join(directory, f"n{n}")
        os.mkdir(folder)
        return smpi_trace(folder, 4, "cg", n, 25, 2)[0]

    traces = [size(n) for n in (64, 128, 256)]
    actual_s = firma("show", size(1024), "--json").expect(0).json()["application_s"]
    found = firma("scale", *traces, "--sizes", "64,128,256", "--predict", "1024", "--json").expect(0).json()
    check_equal((found["scaling"], [run["size"] for run in found["runs"]]), ("sizes", [64, 128, 256]), "the runs")
    point = found["predictions"][0]
    check(abs(point["time_s"]["value"] / actual_s - 1) < 0.12, f"{actual_s} s, {point}")
    check("n = 64" in firma("scale", *traces, "--sizes", "64,128,256").expect(0).out, "the sizes aren't shown")
    check("3 signatures" in firma("scale", *traces, "--sizes", "64,128").expect(2).err, "too few sizes")


@test("a program whose partners follow no layout is told so, and has its laws")
def refused(directory):
    if not os.path.exists(ENGINE):
        raise Skip("firma was built without SimGrid")
    traces = real_traces(directory, "migration", "20", "1000")
    found = firma("scale", *traces, "--predict", "16", "--platform", "16x1:1us,1GB/s", "--json").expect(0).json()
    point = found["predictions"][0]
    check(point["simulated"]["why_not"] and point["simulated"]["time_s"] is None, f"{point}")
    check(point["time_s"]["value"] > 0, f"{point}")
    out = firma("scale", *traces, "--predict", "16", "--platform", "16x1:1us,1GB/s").expect(0).out
    check_equal(out.count("extrapolated 5.33 ×"), 2, f"marks of the laws' table and of the simulated one\n{out}")


@test("runs of two programs are refused at once; names that differ with the MPI library, and disturbed or killed runs, are warnings")
def doubts(directory):
    traces = real_traces(directory, "cg", "60", "5")
    other = trace(directory, launch("openmpi", 4, "odd", "abort", "40", "20"), name="other.trace")[1]
    refused = firma("scale", *traces[:2], other, "--report", os.path.join(directory, "none.html")).expect(3)
    check("odd" in refused.err and "cg" in refused.err and "--accept-differences" in refused.err, refused.err)
    found = firma("scale", *traces[:2], other, "--accept-differences", "--json").expect(0).json()
    for words in ("different names", "p = 4 isn't of a whole run"):
        check(any(words in warning for warning in found["warnings"]), f"{words}: {found['warnings']}")
    variant = trace(directory, launch("mpich", 4, "cg", "60", "5"), name="variant.trace")[1]
    page = os.path.join(directory, "page.html")
    found = firma("scale", *traces, variant, "--predict", "4,8", "--report", page, "--json").expect(0).json()
    for words in ("different names", "different MPI libraries"):
        check(any(words in warning for warning in found["warnings"]), f"{words}: {found['warnings']}")
        with open(page, encoding="utf-8") as file:
            check(words in file.read(), f"the page doesn't say: {words}")
    check_equal([(point["extrapolated"], point["times_beyond"]) for point in found["predictions"]], [(False, 1), (True, 2)], "distances")
    *launcher, program, size, rounds = launch("openmpi", 4, "cg", "60", "5")
    one = ("taskset", "-c", str(min(os.sched_getaffinity(0))))
    shared = trace(directory, [*launcher, *one, program, size, rounds], name="shared.trace")[1]
    out = firma("scale", *traces, shared).expect(0).out
    check("processes shared processors" in out and "4 with p = 4" in out, out)


@test("runs that hold little computation have efficiencies only if it is said how they scale, and those above 1 are explained")
def sleeping(directory):
    traces = [trace(directory, launch("openmpi", ranks, "late", "10", pause_ms), name=f"late{ranks}.trace")[1]
              for ranks, pause_ms in ((3, 20), (4, 10), (6, 5))]  # from 0.8 s to 0.2 s

    def scale(*words):
        found = firma("scale", *traces, "--predict", "8", *words, "--json").expect(0).json()
        return found["scaling"], found["predictions"][0]["efficiency"], [line for line in found["warnings"] if "efficienc" in line]

    scaling, efficiency, warnings = scale()
    check_equal((scaling, efficiency), ("unknown", None), "by the runs")
    check("--scaling" in warnings[0] and "strong or weak scaling" in firma("scale", *traces).expect(0).out, f"{warnings}")
    scaling, efficiency, warnings = scale("--scaling", "weak")
    check_equal((scaling, any("because" in warning for warning in warnings)), ("weak", efficiency > 1.02), f"{efficiency}, {warnings}")
    check_equal(scale("--scaling", "strong")[0], "strong", "as it is said")
    firma("scale", *traces, "--scaling", "weak", "--sizes", "1,2,3").expect(2)


@test("too few runs, equal numbers of processes, and options without what they need are refused")
def wrong(directory):
    traces = real_traces(directory, "cg", "60", "5")
    for words, status, said in (((traces[0], traces[1]), 2, "found 2"), ((traces[0], traces[1], traces[1]), 3, "have the same"),
                                ((*traces, "--platform", "2x1:1us,1GB/s"), 2, "goes with --predict"),
                                ((*traces, "--predict", "2,10000000", "--platform", "2x1:1us,1GB/s"), *(
                                    (3, "2 processors") if os.path.exists(ENGINE) else (4, "SimGrid"))),
                                ((*traces, "--predict", "4", "-o", "new.firma"), 2, "--platform or --machine"),
                                ((traces[0], traces[1], os.path.join(directory, "none")), 3, "none")):
        result = firma("scale", *words, cwd=directory).expect(status)
        check(said in result.err, f"{said} isn't said\n{result}")


if __name__ == "__main__":
    main()
