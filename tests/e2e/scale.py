# SPDX-License-Identifier: BSD-3-Clause
"""firma scale on run times whose laws are known."""

import json
import math
import os
import re
import xml.etree.ElementTree

from harness import check, check_equal, firma, main, test

PROCESSES = (1, 2, 4, 8, 16)


def write(directory, rows, header="p,time", name="runs.csv"):
    path = os.path.join(directory, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(header + "\n")
        file.writelines(",".join(f"{value:.12g}" for value in row) + "\n" for row in rows)
    return path


def amdahl(p, share=0.05):
    return 10 * (share + (1 - share) / p)


def hypercube(n, p):
    return n / p + 2 * math.log2(p)


@test("speedups, Amdahl's bound and predictions of times that follow it")
def known_law(directory):
    runs = write(directory, [(p, amdahl(p)) for p in PROCESSES])
    document = firma("scale", runs, "--predict", "64,1024", "--sequential", "9", "--json").expect(0).json()
    size = document["sizes"][0]
    check_equal([document["verb"], size["laws"][0]["law"], [point["p"] for point in size["points"]]],
                ["scale", "Amdahl", list(PROCESSES)], "verb, law and numbers of processes")
    check(abs(size["speedup_bound"]["value"] - 20) < 1e-6, f"the bound is {size['speedup_bound']}")
    check(abs(size["points"][4]["speedup"]["value"] - 1 / (0.05 + 0.95 / 16)) < 1e-9, f"speedup of {size['points'][4]}")
    check(abs(size["points"][4]["real_speedup"] - 9 / amdahl(16)) < 1e-9, f"real speedup of {size['points'][4]}")
    check(abs(size["predictions"][0]["time_s"]["value"] - amdahl(64)) < 1e-6, f"predicted {size['predictions'][0]}")
    check_equal([(p["extrapolated"], p["far"], p["times_beyond"]) for p in size["predictions"]], [(True, False, 4), (True, True, 64)],
                "what is far")
    check_equal([size["most_processes"], size["most_is_extrapolated"]], [21, True], "largest p with half the efficiency")


@test("the text has efficiency, laws, the bound, predictions, and warnings about the runs")
def text(directory):
    out = firma("scale", write(directory, [(p, amdahl(p)) for p in PROCESSES]), "--predict", "128").expect(0).out
    for words in ("Karp–Flatt", "efficiency", "Amdahl *", "USL", "power", "1/s = 20", "far extrapolated 8 ×", "warning: nothing was run twice"):
        check(words in out, f"`{words}` is missing\n{out}")
    check_equal(firma("scale", os.path.join(directory, "runs.csv"), "-q").expect(0).out, "", "with -q")
    out = firma("scale", write(directory, [(p, 10) for p in (1, 4, 8)])).expect(0).out
    check("Up to\n1 process, the efficiency" in out, out)


@test("laws through few points, or noise, are marked as such, and no interval of times reaches 0")
def doubts(directory):
    runs = write(directory, [(2, 1), (4, 30), (8, 0.2)])
    size = firma("scale", runs, "--predict", "1,64,1024", "--json").expect(0).json()["sizes"][0]
    check(all(law["few_points"] and law["noisy"] for law in size["laws"]), f"{size['laws']}")
    for point in size["predictions"]:
        check(min(point["time_s"]["low"], point["time_by_best_s"]["low"]) > 0, f"{point}")
    check_equal([point["times_beyond"] for point in size["predictions"]], [2, 8, 128], "distances")
    check("few points, noisy" in firma("scale", runs).expect(0).out, "the text doesn't say it")
    exact = write(directory, [(p, amdahl(p)) for p in PROCESSES], name="exact.csv")
    law = firma("scale", exact, "--json").expect(0).json()["sizes"][0]["laws"][0]
    check_equal((law["law"], law["few_points"], law["noisy"]), ("Amdahl", False, False), "Amdahl's law through five points")


@test("the axis of processes shows those that were run and predicted, and where extrapolation begins")
def ticks(directory):
    runs = write(directory, [(p, amdahl(p)) for p in (1, 3, 6, 12)])
    pictures = os.path.join(directory, "pictures")
    firma("scale", runs, "--predict", "48", "-o", pictures).expect(0)
    with open(os.path.join(pictures, "time.svg"), encoding="utf-8") as file:
        drawn = file.read()
    check_equal(re.findall('class="m">([0-9]+)<', drawn), ["1", "3", "6", "12", "48"], "values of the axis")
    check(">extrapolated<" in drawn, "it doesn't say what is extrapolated")


@test("the first line below the answer and the JSON tell strong from weak scaling, and a file without sizes is taken for one size")
def kinds(directory):
    strong = write(directory, [(p, amdahl(p)) for p in PROCESSES], name="strong.csv")
    flat = write(directory, [(p, 10) for p in PROCESSES], name="flat.csv")
    weak = write(directory, [(100 * p, p, 10) for p in PROCESSES], "n,p,time", "weak.csv")
    both = write(directory, [(n, p, n / p) for n in (100, 200, 400) for p in (1, 2, 4)], "n,p,time", "both.csv")
    for runs, kind, begin in ((strong, "strong", "strong scaling"), (flat, "strong", "strong scaling"), (weak, "weak", "weak scaling"),
                              (both, "both", "strong and weak scaling")):
        check_equal(firma("scale", runs, "--json").expect(0).json()["scaling"], kind, f"kind of {runs}")
        out = firma("scale", runs).expect(0).out
        check("\n\n" + begin in out, out)
        check(out.startswith("With a size that grows" if kind == "weak" else "On 4 processes" if kind == "both" else "On 16 processes"), out)
        check_equal("their times don't fall" in out, runs == flat, f"the warning for {runs}")


@test("--predict predicts scaled runs at the size that belongs to p")
def weak_prediction(directory):
    runs = write(directory, [(100 * p ** 0.5, p, 10 + math.log2(p)) for p in PROCESSES], "n,p,time")
    found = firma("scale", runs, "--predict", "64,256", "--json").expect(0).json()["scaled"][0]
    check_equal([law["formula"] for law in found["laws"]], ["a + b log2(p)", "a"], "laws")
    prediction = found["predictions"][1]
    check(abs(prediction["n"] - 1600) < 1e-6 and abs(prediction["time_s"]["value"] - 18) < 1e-6, f"predicted {prediction}")
    check(prediction["time_s"]["low"] <= 18 <= prediction["time_s"]["high"], f"interval of {prediction}")
    check_equal([p["far"] for p in found["predictions"]], [False, True], "what is far")
    out = firma("scale", runs, "--predict", "256").expect(0).out
    check("a + b log2(p)" in out and "1600" in out and "far extrapolated 16 ×" in out, out)


@test("--law fits one law alone, and says if it isn't one of these runs")
def fixed_law(directory):
    runs = write(directory, [(p, amdahl(p)) for p in PROCESSES])
    found = firma("scale", runs, "--law", "USL", "--json").expect(0).json()["sizes"][0]
    check_equal([law["law"] for law in found["laws"]], ["USL"], "laws")
    found = firma("scale", runs, "--law", "constant", "--json").expect(0).json()
    check_equal(found["sizes"][0]["laws"], [], "laws of one size")
    check("the law `constant` isn't one of runs of the same size" in found["warnings"], f"warnings {found['warnings']}")
    check("USL" in firma("scale", runs, "--law", "Usl").expect(2).err, "the nearest name")


@test("isoefficiency of several sizes goes through the known points")
def isoefficiency(directory):
    runs = write(directory, [(n, p, hypercube(n, p)) for n in (64, 192, 320, 512) for p in PROCESSES], "n,p,time")
    found = firma("scale", runs, "--efficiency", "0.8", "--json").expect(0).json()["isoefficiency"]
    sizes = {point["p"]: point["n"]["value"] for point in found["points"]}
    for p, n in ((4, 64), (8, 192), (16, 512)):
        check(abs(sizes[p] - n) < 1e-6, f"n({p}) = {sizes[p]}, not {n}")
    check(found["scalable"], "it isn't scalable")


def chain(directory, is_known):
    """Runs whose size and parallel work grow as p, a tenth of whose time is serial; and, if is_known, T(n, 1)."""
    rows = [(100 * p, p, 10, 10 * (0.1 + 0.9 * p))[:3 + is_known] for p in PROCESSES]
    return write(directory, rows, "n,p,time,sequential" if is_known else "n,p,time")


@test("runs whose size grows with p have Gustafson's scaled speedup, against the same size on one process")
def scaled(directory):
    runs = chain(directory, True)
    out = firma("scale", runs).expect(0).out
    check("scaled: n/p = 100" in out and "a + (1-a) p" in out and "a = 0.1 " in out, out)
    found = firma("scale", runs, "--json").expect(0).json()["scaled"][0]
    check(abs(found["points"][4]["scaled_speedup"] - (0.1 + 0.9 * 16)) < 1e-6, f"scaled speedup of {found['points'][4]}")


@test("without times on one process there is no scaled speedup, and the text says what p times efficiency assumes")
def not_scaled(directory):
    runs = chain(directory, False)
    out = firma("scale", runs).expect(0).out
    check("assumes work in proportion to p" in out and "Gustafson" not in out, out)
    found = firma("scale", runs, "--json").expect(0).json()["scaled"][0]
    check_equal([found["points"][4]["scaled_speedup"], found["points"][4]["efficiency"], found["gustafson"]], [None, 1, None],
                "scaled speedup, efficiency and Gustafson's law")


@test("runs of tasks, as cost run writes them, are read: workers count as processes")
def task_runs(directory):
    path = os.path.join(directory, "results.json")

    def runs_of(*runs):
        with open(path, "w", encoding="utf-8") as file:
            json.dump({"format": "firma task runs", "version": 1, "application": "a", "library": "",
                       "runs": [{"workers": workers, "time_s": time_s, "batches": []} for workers, time_s in runs]}, file)
        return path

    points = firma("scale", runs_of((1, 8), (2, 4), (4, 2), (1, 8)), "--json").expect(0).json()["sizes"][0]["points"]
    check_equal([(point["p"], point["runs"], point["speedup"]["value"]) for point in points], [(1, 2, 1), (2, 1, 2), (4, 1, 4)],
                "points")
    result = firma("scale", runs_of((1, 8), (0, 4))).expect(3)
    check("results.json: runs[1].workers: expected a number above 0" in result.err, result)


@test("JSON runs say the same as CSV ones")
def json_runs(directory):
    csv = write(directory, [(p, amdahl(p)) for p in PROCESSES])
    path = os.path.join(directory, "runs.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"format": "firma runs", "version": 1,
                   "points": [{"p": p, "times_s": [float(f"{amdahl(p):.12g}")]} for p in PROCESSES]}, file)
    check_equal(firma("scale", path).expect(0).out, firma("scale", csv).expect(0).out, "the text")


@test("-o writes the results, and pictures")
def pictures(directory):
    runs = write(directory, [(n, p, hypercube(n, p)) for n in (64, 192, 512) for p in PROCESSES], "n,p,time")
    there = os.path.join(directory, "out")
    firma("scale", runs, "-o", there).expect(0)
    with open(os.path.join(there, "scaling.json"), encoding="utf-8") as file:
        check_equal(len(json.load(file)["sizes"]), 3, "sizes in scaling.json")
    for name in ("time", "speedup", "efficiency", "isoefficiency"):
        marks = [tag.tag.rsplit("}", 1)[1] for tag in xml.etree.ElementTree.parse(os.path.join(there, name + ".svg")).iter()]
        check("path" in marks and marks.count("rect") > 3, f"{name}.svg has no curve or no points")


@test("broken run times are refused with line and column")
def broken(directory):
    for rows, words in ((["p,time", "1,2", "2,x"], ":3:3: `x` is not a number"), (["p,tme", "1,2"], "no column is named `time`"),
                        (["p,time"], "holds no runs"), (["p,time", "0,1"], ":2:1: `0` is not above 0")):
        path = os.path.join(directory, "broken.csv")
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join(rows) + "\n")
        result = firma("scale", path).expect(3)
        check(words in result.err, f"`{words}` is missing\n{result.err}")
    firma("scale", os.path.join(directory, "nowhere.csv")).expect(3)


@test("options that make no sense are refused")
def usage(directory):
    runs = write(directory, [(p, amdahl(p)) for p in PROCESSES])
    for words in (("--efficiency", "1.5"), ("--efficiency", "0"), ("--predict", "0"), ("--predict", "x"), ("--sequential", "-1"), ("--sequential", "0")):
        firma("scale", runs, *words).expect(2)
    firma("scale").expect(2)
    firma("scale", runs, runs).expect(2)


if __name__ == "__main__":
    main()
