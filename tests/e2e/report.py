# SPDX-License-Identifier: BSD-3-Clause
"""firma report: the page of a study and of other results, names that try to be HTML, and the page in a browser if there is one."""

import atexit
import html.parser
import json
import os
import re
import shutil
import stat
import tempfile

from harness import Skip, check, check_equal, firma, launch, launcher, main, run, synthetic, test, trace
from inputs import prepare, write_inputs

EVIL = "<script>alert(1)</script>\"'><img src=x onerror=alert(2)></title></style></svg><!--&lt;\n\x1b[31m\u202e"
TAGS = set("html head meta title style body h1 h2 h3 p ul li nav a section dl dt dd pre table tr th td div svg rect path text g "
           "details summary figure output footer script".split())
LIMIT_BYTES, LIMIT_LARGE_BYTES = 300_000, 2_000_000


class Page(html.parser.HTMLParser):
    """The elements, attributes and texts of a page."""

    def __init__(self, path):
        super().__init__()
        self.tags, self.attributes, self.ids, self.text, self.data, self.open = [], set(), [], "", "", None
        with open(path, encoding="utf-8") as file:
            self.source = file.read()
        self.feed(self.source)
        self.close()
        self.documents = json.loads(self.data)

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.attributes |= set(attributes)
        self.ids += [value for name, value in attributes if name == "id"]
        self.open = dict(attributes).get("id") if tag in ("script", "style") else None

    def handle_data(self, data):
        if self.open == "data":
            self.data += data
        elif self.lasttag not in ("script", "style"):
            self.text += data

    def handle_endtag(self, tag):
        self.open = None


def check_page(path, limit_bytes=LIMIT_BYTES):
    """What holds for every page: nothing is loaded, and nothing but our script is run."""
    page = Page(path)
    check(not re.search(r"url\(|@import", page.source.split("</style>")[0]), "the style loads something")
    check_equal([value for name, value in page.attributes if name == "href" and not value.startswith("#")], [], "links")
    check_equal(set(page.tags) - TAGS, set(), "elements of no section")
    check_equal({name for name, _ in page.attributes if name.startswith("on") or name == "src"}, set(), "attributes that load or run")
    check_equal(page.tags.count("script"), 2, "scripts: data and ours")
    check(len(page.source.encode()) < limit_bytes, f"{len(page.source)} bytes")
    check_equal(page.source.count("<details>"), page.source.count("</details>"), "details")
    return page


_study = None


def make_study(directory):
    """Makes a study, once, and copies it into the directory."""
    global _study
    if _study is None:
        _study = tempfile.mkdtemp(prefix="firma-e2e-study-")
        atexit.register(shutil.rmtree, _study)
        firma("study", "-q", "--repeat", "1", "--verify", "-o", "app.study", "--", *launch("openmpi", 4, "cg", 64, 30, 5),
              cwd=_study).expect(0)
    return shutil.copytree(os.path.join(_study, "app.study"), os.path.join(directory, "app.study"))


def save(directory, name, text):
    path = os.path.join(directory, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text if isinstance(text, str) else json.dumps(text))
    return path


def with_schedule(directory):
    """What simulate prints, with what its page shows beside that."""
    firma("simulate", "app.study/app.trace", "--platform", "4x1:50us,125MB/s", "--report", "simulation.html", cwd=directory).expect(0)
    return check_page(os.path.join(directory, "simulation.html")).documents["simulation"]


def make_results(directory):
    """Documents of all other verbs that have a section."""
    write_inputs(directory)
    for name, words in (("map.json", ["map", "graph.ttig", "--platform", "1x2:1us,1GB/s"]),
                        ("scaling.json", ["scale", "runs.csv", "--predict", "16"])):
        save(directory, name, firma(*words, "--json", cwd=directory).expect(0).out)
    save(directory, "simulation.json", with_schedule(directory))
    save(directory, "cost.json", {"application": "pi", "calibrated": True, "messages": False, "predictions": [
        {"machines": "vm:1", "workers": 1, "time_s": [1, 2], "bottleneck": "cpu", "measured": [{"time_s": 1.5, "inside": True}]}]})
    firma("comm", "-q", "--only", "os:unix", "--operations", "pingpong", "--sizes", "1:64x2", "--time", "5s", "-o", "here",
          cwd=directory).expect(0)
    save(directory, "runs.json", {"format": "firma task runs", "version": 1, "application": "pi", "library": "MPI", "runs": [
        {"workers": 1, "time_s": 1.5, "machines": "vm:1", "predicted_s": [1, 2], "batches": [{"name": "b"}]}]})
    save(directory, "counts.json", scaled_phases())
    save(directory, "comparison.json", {"fastest": "b.json", "predictions": [
        {"times": "a.json", "host": "a", "predicted_s": 3, "interval_s": [2, 4], "actual_s": 3.5},
        {"times": "b.json", "host": "b", "mapping": "scatter", "predicted_s": 2, "interval_s": [1, 2.5], "actual_s": 0}]})
    return ["here", "map.json", "simulation.json", "scaling.json", "cost.json", "runs.json", "counts.json", "comparison.json"]


def series(*values):
    return {"values": values, "law": {"law": "power", "formula": "a + b p", "error": 0.01} if any(values) else None}


def scaled_phases():
    """What `firma scale` prints of signatures."""
    estimated = {"value": 2, "low": 1, "high": None}
    row = {"share": 0.5, "computation_s": series(2, 1), "transfer_s": series(0, 0), "waiting_s": series(1, 2), "stops_at_p": 5,
           "because_of": "waiting"}
    shares = [{"structure": "send", "time_s": estimated, "share": 0.75}]
    point = {"p": 8, "time_s": estimated, "computation_s": 0.5, "transfer_s": 0.5, "waiting_s": 1, "efficiency": 0.3}
    there = {"why_not": None, "layout": "a grid", "time_s": {"value": 1, "low": 0.5, "high": 3}}
    return {"scaling": "strong", "efficiency_limit": 0.5, "runs": [{"path": f"{p}.firma", "p": p, "size": p, "time_s": 6 / p} for p in (2, 4)],
            "phases": [{"structure": "send", **row}], "others": {"structure": "", **row}, "unmatched": ["phase 3 of 4.firma, 1 % of its time"],
            "calls": [{"call": "allreduce", **row}],
            "predictions": [{**point, "phases": shares, "others": shares[0], "calls": [{"call": "allreduce", "time_s": estimated, "share": 0.6}],
                             "simulated": there},
                            {**point, "p": 16, "phases": shares, "others": shares[0], "calls": [{"call": "allreduce", "share": 0.625}],
                             "simulated": {"why_not": "no layout", "time_s": None}}],
            "curve": [{"p": p, "time_s": estimated} for p in (2, 8, 16)]}


@test("phases over numbers of processes have their laws, what is predicted, and what has no partner")
def page_of_phases(directory):
    save(directory, "counts.json", scaled_phases())
    page = report(directory, "counts.json")
    check(page.tags.count("svg") == 2, "a chart and bars")
    for words in ("On 16 processes, the program takes 2.00 s by the laws of its phases (1.00 s to ∞).",
                  "Calls of allreduce grow from 50.0 % to 62.5 % of the time.", 'The phase "send" stops scaling first',
                  "processes stand in a grid", "no layout", "phase 3 of 4.firma, 1 % of its time", "a + b p", "5, because of waiting"):
        check(words in page.text, f"no {words!r} in {page.text[:3000]}")


def report(directory, *words, name="report.html"):
    firma("report", *words, "-o", name, "--force", cwd=directory).expect(0)
    return check_page(os.path.join(directory, name))


@test("a study's page has the answer, its sections, a picture of each, and the numbers of firma predict")
def page_of_a_study(directory):
    make_study(directory)
    page = report(directory, "app.study")
    for section in ("answer", "program", "time", "phases", "efficiencies", "calls", "waits", "matrix", "commands"):
        check(section in page.ids, f"no section {section}")
    for section in ("scaling", "mapping", "communication", "cost", "simulation"):
        check(section not in page.ids, f"section {section} without data")
    for words in ("cg-openmpi", "64 30 5", "Open MPI", "A full run took", "one occurrence of phase 1", "firma comm -o DIR", "firma simulate --json"):
        check(words in page.text, f"no {words!r}")
    check(page.tags.count("svg") >= 7, "few pictures")
    predicted = firma("predict", "app.study/app.firma", "app.study/times.json", "--json", cwd=directory).json()
    check(abs(page.documents["prediction"]["predicted_s"] / predicted["predicted_s"] - 1) < 1e-4, "predictions differ")
    mode = stat.S_IMODE(os.stat(os.path.join(directory, "report.html")).st_mode)
    check_equal(mode, 0o600, "mode of a page that holds arguments")


@test("the page of a trace of 256 processes is small; its numbers are those of show, phases and scale trace")
def page_of_many_processes(directory):
    synthetic(directory, "--ranks", "256", "--events", "100000", "--pattern", "phases")
    firma("report", "app.trace", cwd=directory).expect(0)
    page = check_page(os.path.join(directory, "report.html"), LIMIT_LARGE_BYTES)
    shown, found, scaled = (firma(*words, "--json", cwd=directory).expect(0).json() for words in (
        ("show", "app.trace"), ("phases", "app.trace", "-o", "app.firma"), ("scale", "trace", "app.trace")))
    profile = page.documents["profile"]
    check_equal(profile["messages"], shown["messages"], "messages")
    check_equal([call["calls"] for call in profile["calls"]], [call["calls"] for call in shown["calls"]], "calls")
    check_equal([phase["weight"] for phase in page.documents["phases"]["phases"]],
                [phase["weight"] for phase in found["phases"]], "weights of phases")
    for name, share in scaled["traces"][0]["efficiency"].items():
        own = page.documents["efficiencies"]["traces"][0]["efficiency"][name]
        check(abs((own or 0) - (share or 0)) < 1e-4, f"{name}: {own}, not {share}")
    matrix = page.documents["matrix"]
    check_equal(sum(pair["messages"] for pair in matrix["pairs"]), shown["messages"], "messages between neighbours")
    check_equal(matrix["processes_per_row"], 8, "processes in a row of the matrix")
    check(len(matrix["pairs"]) <= 32 * 32, f"{len(matrix['pairs'])} pairs")
    for words in ("Each row and each column is 8 neighbouring processes.", "These are the first 32 of 256 processes."):
        check(words in page.text, f"no {words!r}")


@test("study writes the page, too, with the prediction that it prints, and of a simulated machine")
def page_by_study(directory):
    command = launch("openmpi", 2, "cg", 64, 30, 5)
    shown = firma("study", "--repeat", "1", "--estimator", "slowest", "--report", "app.html", "--json", "--", *command,
                  cwd=directory).expect(0).json()
    check_equal(shown["report"], "app.html", "the page's name")
    page = check_page(os.path.join(directory, "app.html"))
    check(abs(page.documents["prediction"]["predicted_s"] / shown["predicted_s"] - 1) < 1e-4, "predictions differ")
    check("exists" in firma("study", "--report", "app.html", "-o", "new", "--", *command, cwd=directory).expect(2).err, "not said")
    check(not os.path.exists(os.path.join(directory, "new")), "the program was run")
    firma("study", "-q", "--platform", "2x1:50us,125MB/s", "-o", "there", "--report", "there.html", "--", *command,
          cwd=directory).expect(0)
    page = check_page(os.path.join(directory, "there.html"))
    check("simulation" in page.ids and "prediction" not in page.documents, "no simulation")


@test("simulate, map, scale and cost predict write pages of their results")
def pages_of_verbs(directory):
    prepare(directory)
    for words, section in ((["simulate", "app.trace", "--platform", "2x1:1us,1GB/s"], "simulation"),
                           (["map", "graph.ttig", "--platform", "1x2:1us,1GB/s"], "mapping"), (["scale", "runs.csv"], "scaling"),
                           (["scale", "one.trace", "app.trace", "three.trace", "--predict", "8"], "counts"),
                           (["cost", "predict", "app.pasl", "-m", "cpu.json", "--no-messages", "--workers", "1"], "cost")):
        page = f"{section}.html"
        check_equal(firma(*words, "--report", page, "--json", cwd=directory).expect(0).json()["report"], page, "the page's name")
        found = check_page(os.path.join(directory, page))
        check(section in found.ids, f"no section {section}")
        check_equal("time" in found.ids, section == "simulation", "the trace's section")
        check("exists" in firma(*words, "--report", page, cwd=directory).expect(2).err, "not said")


@test("comm and cost run write pages of their results, and refuse to where there are none")
def pages_of_measurements(directory):
    prepare(directory)
    for words, section, refused in ((["comm", "--only", "os:unix", "--operations", "pingpong", "--sizes", "1:64x2", "--time", "1s"],
                                     "communication", ["comm", "--compare", "a", "b"]),
                                    (["cost", "run", "app.pasl", "-m", "cpu.json", "--workers", "1", "--repeat", "1"], "runs",
                                     ["cost", "run", "app.pasl", "-m", "cpu.json", "--calibrate", "-o", "new.json"])):
        page = f"{section}.html"
        check_equal(firma(*words, "--report", page, "--json", cwd=directory).expect(0).json()["report"], page, "the page's name")
        found = check_page(os.path.join(directory, page))
        check(section in found.ids and "svg" in found.tags, f"no section {section}")
        check("--report" in firma(*refused, "--report", "new.html", cwd=directory).expect(2).err, "not said")


@test("what each process does when adds up to its time, as in firma show")
def activity(directory):
    make_study(directory)
    page = report(directory, "app.study/app.trace")
    shown = firma("show", "app.study/app.trace", "--json", cwd=directory).json()
    rows = page.documents["activity"]["rows"]
    check_equal(len(rows), 4, "rows")
    for row, process in zip(rows, shown["per_process"]):
        sums = {name: sum(percents) / len(percents) / 100 * page.documents["activity"]["length_s"] for name, percents in row.items()}
        near = 0.02 * page.documents["activity"]["length_s"]  # percents are rounded
        check(abs(sum(sums.values()) - process["time_s"]) < near, f"{sums}, {process}")
        check(abs(sums["computation"] - process["compute_s"]) < near, f"{sums}, {process}")
        check(abs(sums["transfer"] + sums["waiting"] - process["mpi_s"]) < near, f"{sums}, {process}")


@test("a signature alone shows the phases along the run")
def page_of_a_signature(directory):
    make_study(directory)
    page = report(directory, "app.study/app.firma")
    check(("aria-label", "phases along the run") in page.attributes and "time" not in page.ids, "no picture")
    check("answer" not in page.ids, "an answer without words")


@test("results of other verbs have sections of their own")
def page_of_results(directory):
    shutil.copytree(make_study(directory), os.path.join(directory, "old.study"))
    page = report(directory, "old.study", "app.study", *make_results(directory))
    for section in ("change", "simulation", "scaling", "mapping", "communication", "cost", "runs", "counts", "comparison"):
        check(section in page.ids, f"no section {section}")
    check("not in this report" not in page.text, "something is missing")
    for words in ("With scatter, the program is predicted to be fastest: 2.00 s (1.00 s to 2.50 s); the intervals don't tell it from a.json",
                  "On 1 worker, pi took 1.50 s", "What each process does when", "block, the default"):
        check(words in page.text, f"no {words!r}")


@test("the answer and its advice follow from the numbers")
def advice(directory):
    save(directory, "prediction.json", {"predicted_s": 10, "interval_s": [8, 30], "actual_s": 12.5, "measured_coverage": 1.0,
                                        "slowdown": 1.5, "traced_slowdown": 1, "traced_runs": 1})
    save(directory, "trace.json", {"traces": [{"processes": 2, "run_s": 10, "ideal_s": 9, "all": {"time_s": 20, "compute_s": 12},
         "efficiency": {"parallel": 0.6, "load_balance": 0.75, "communication": 0.8, "serialisation": 0.9, "transfer": 0.9}}]})
    page = report(directory, "prediction.json", "trace.json")
    for words in ("takes 10.0 s: between 8.00 s and 30.0 s", "A full run took 12.5 s: the prediction is 20.0 % too low, and the "
                  "interval holds it", "60.0 % of the traced run is computation", "would save at most 10.0 %",
                  "longer than the mean, by 20.0 % of the run", "unevenly distributed", "measure on a quiet machine",
                  "The interval reaches to 3 times the prediction"):
        check(words in page.text, f"no {words!r} in {page.text[:2000]}")
    save(directory, "prediction.json", {"predicted_s": 10, "interval_s": [9, 11], "measured_coverage": 1.0, "slowdown": 1,
                                        "traced_slowdown": 1, "traced_runs": 1})
    page = report(directory, "prediction.json")
    for words in ("A full run", "unevenly", "quiet machine", "interval reaches"):
        check(words not in page.text, f"{words!r} without a reason")


def corrupt(value, keys=None, key=""):
    """The document with EVIL behind all its texts, or behind those of these keys."""
    if isinstance(value, dict):
        return {name: corrupt(item, keys, name) for name, item in value.items()}
    if isinstance(value, list):
        return [corrupt(item, keys, key) for item in value]
    return value + EVIL if isinstance(value, str) and (not keys or key in keys) else value


@test("names of programs, arguments, hosts, tasks, nodes and laws are shown, and are never HTML")
def hostile(directory):
    study = make_study(directory)
    results = make_results(directory)
    texts = {"executable", "mpi_library", "build_id", "command", "host", "name", "processor", "system", "library", "message"}
    for path in ("app.study/app.firma", "app.study/times.json", "here/comm.json", "here/machine.json"):
        with open(os.path.join(directory, path), encoding="utf-8") as file:
            document = corrupt(json.load(file), texts)
        if "application" in document:
            document["application"]["arguments"].append(EVIL + "\\xff")
        save(directory, path, document)
    for path in results[1:]:
        with open(os.path.join(directory, path), encoding="utf-8") as file:
            document = json.load(file)
        save(directory, path, corrupt(document) | ({"format": document["format"]} if "format" in document else {}))
    shutil.rmtree(os.path.join(study, "app.trace"))
    page = report(directory, "app.study", *results)
    check(page.text.count("<script>alert(1)</script>") > 10, "names aren't shown")
    check("\x1b" not in page.source and "\u202e" not in page.text, "invisible characters")


@test("a program with a hostile name and hostile arguments is traced and reported")
def hostile_program(directory):
    program = os.path.join(directory, "cg<b>&\"'x")
    shutil.copy(os.path.join(os.environ["APPS"], "cg-openmpi"), program)
    command = [*launcher("openmpi", 2), program, "32", "20", "10", "<i>&amp;"]
    name = "t<u>" + os.fsdecode(b"\xff")
    trace(directory, command, name=name)
    page = report(directory, name)
    check("cg<b>&\"'x" in page.text and "<i>&amp;" in page.text, "names aren't shown")


@test("of two studies, the page shows what changed")
def change(directory):
    study = make_study(directory)
    before = shutil.copytree(study, os.path.join(directory, "old.study"))
    with open(os.path.join(before, "app.firma"), encoding="utf-8") as file:
        signature = json.load(file)
    signature["application"]["build_id"] = "0123<b>"
    save(before, "app.firma", signature)
    with open(os.path.join(before, "times.json"), encoding="utf-8") as file:
        times = json.load(file)
    times["application"]["build_id"] = "0123<b>"
    save(before, "times.json", times)
    page = report(directory, "old.study", "app.study")
    for words in ("The intervals overlap, so it may be chance", "0123<b>", "parallel efficiency", "computation, of a process"):
        check(words in page.text, f"no {words!r}")
    check_equal(page.documents["before"]["path"], "old.study", "the earlier study")


@test("what no section shows is refused, and so are two files of one kind")
def refusals(directory):
    prepare(directory)
    save(directory, "other.json", {"firma": "x", "verb": "doctor"})
    save(directory, "broken.json", "{")
    save(directory, "text", "words")
    for study in ("a.study", "b.study", "c.study"):
        os.mkdir(os.path.join(directory, study))
        shutil.copy(os.path.join(directory, "app.firma"), os.path.join(directory, study))
        save(os.path.join(directory, study), "app.trace.log", {})
    for words, status, said in ((["other.json"], 3, "no section"), (["broken.json"], 3, "broken.json"),
                                (["absent"], 3, "absent"), (["text"], 3, "it takes studies, traces"), ([], 2, "no file"), (["app.firma", "app.firma"], 2, "one signature"),
                                (["out"], 3, "firma study"), (["a.study", "b.study", "c.study"], 2, "two studies")):
        result = firma("report", *words, "-o", "page.html", cwd=directory).expect(status)
        check(said in result.err, str(result))
        check(not os.path.exists(os.path.join(directory, "page.html")), "a page was written")
    firma("report", "app.firma", "-o", "page.html", cwd=directory).expect(0)
    check("exists" in firma("report", "app.firma", "-o", "page.html", cwd=directory).expect(2).err, "not said")


def browse(directory, *options):
    browser = shutil.which("chromium")
    if not browser:
        raise Skip("no Chromium")
    return run([browser, "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
                "--disable-component-update", "--user-data-dir=" + os.path.join(directory, "browser"), "--enable-logging=stderr",
                *options, "file://" + os.path.join(directory, "report.html")], env={"HOME": directory})


@test("a browser shows the page without a complaint, at three widths, light and dark, and prints it")
def browser(directory):
    if not shutil.which("chromium"):
        raise Skip("no Chromium")
    make_study(directory)
    report(directory, "app.study", *make_results(directory))
    for width, scheme in ((400, 0), (1200, 1), (2400, 0)):
        picture = os.path.join(directory, f"{width}.png")
        result = browse(directory, f"--window-size={width},2000", f"--blink-settings=preferredColorScheme={scheme}",
                        f"--screenshot={picture}").expect(0)
        check("CONSOLE" not in result.err, str(result))
        check(os.path.getsize(picture) > 20_000, "an empty picture")
    printed = os.path.join(directory, "page.pdf")
    check("CONSOLE" not in browse(directory, f"--print-to-pdf={printed}").expect(0).err, "complaints")
    check(os.path.getsize(printed) > 20_000, "an empty document")


main()
