# SPDX-License-Identifier: BSD-3-Clause
"""firma cost: flow files and models on the command line. There is one class for each word; common parts come first."""

import json
import os
import pathlib
import platform
import shutil
import signal
import subprocess

from harness import FIRMA, Skip, check, check_equal, firma, launcher, main, test, wait_until

FLOW = """application pi
parameter N = 10^9
parameter M
batch sum { source Sum.java entry Sum.sum tasks 1 }
batch points {
  source "pi.c"
  entry count_points
  tasks 100
  argument n = N/tasks
  argument seed = task
  receives 16 bytes
  returns 8*M bytes
  Q pi.c:12 = 0.785
}
flow points -> sum
"""


def save(directory, name, text):
    path = os.path.join(directory, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def save_flow(directory, text=FLOW):
    """Writes a flow file, and its sources."""
    save(directory, "pi.c", "long count_points(long n, int seed) { return n + seed; }\n")
    save(directory, "Sum.java", "class Sum { static long sum() { return 0; } }\n")
    return save(directory, "app.pasl", text)


class Check:
    @staticmethod
    @test("a flow file is shown: batches in order, tasks, code, data, parameters without a value, the flow")
    def shown(directory):
        out = firma("cost", "check", save_flow(directory)).expect(0).out
        for words in ("application pi", "none: --set M=…", "count_points(n = N/100, seed = task)", "pi.c:12 = 157/200",
                      "points -> sum", "16 B", "8*M B"):
            check(words in out, f"`{words}` is missing\n{out}")
        check(out.index("points  100") < out.index("sum     1"), f"not in the order of the flow\n{out}")

    @staticmethod
    @test("the samples of flow files in docs/PASL.md and in cost/lang/pasl.h are sound")
    def samples(directory):
        root = pathlib.Path(__file__).parents[2]
        page = (root / "docs/PASL.md").read_text(encoding="utf-8").split("```")[1]
        header = (root / "src/cost/lang/pasl.h").read_text(encoding="utf-8").split("*/")[1]
        lines = [line[len(" *     "):] for line in header.splitlines() if line.startswith(" *     ")]
        for sample in (page, "\n".join(lines + ["batch sum { source Sum.java entry Sum.sum tasks 1 }"])):
            flow = save_flow(directory, sample)
            save(directory, "pi.c", "long count_points(long n, int seed, double x[]) { return n + seed + (long)x[0]; }\n")
            result = firma("cost", "check", flow).expect(0)
            check("points -> sum" in result.out, f"the flow isn't shown\n{result}")

    @staticmethod
    @test("--json of check holds the same, with numbers where parameters have values")
    def as_json(directory):
        document = firma("cost", "check", save_flow(directory), "--set", "M=10^3", "--json").expect(0).json()
        check_equal([batch["name"] for batch in document["batches"]], ["points", "sum"], "batches")
        check_equal(document["parameters"], [{"name": "N", "value": "1e9", "number": 1000000000},
                                             {"name": "M", "value": "1000", "number": 1000}], "parameters")
        points, last = document["batches"]
        check_equal([points["n_tasks"], points["language"], last["language"], last["before"]],
                    [100, "c", "java", ["points"]], "batches")
        check_equal([document["verb"], document["flow"]], ["cost", "points -> sum\n"], "verb and flow")

    @staticmethod
    @test("errors in a flow file are reported with file, line and column")
    def refused(directory):
        for before, after, message in (
                ("flow points -> sum", "flow points -> sum -> points", ":15:23: the flow is a cycle: sum -> points -> sum"),
                ("N = 10^9", "N = log(0-1)", ":2:15: parameter `N`: "), ("N = 10^9", "N = 10^400", ":2:15: parameter `N`: "),
                ("flow points -> sum", "flow points -> total", ":15:16: there is no batch `total`"),
                ("  tasks 100\n", "", ":5:7: batch `points` has no `tasks`"),
                ("entry count_points", "entri count_points", ":7:3: expected language, source, options, entry"),
                ("\"pi.c\"", "\"po.c\"", ":6:10: batch `points`: source"),
                ("N/tasks", "K/tasks", ":9:16: `K` isn't a known parameter")):
            path = save_flow(directory, FLOW.replace(before, after))
            result = firma("cost", "check", path).expect(3)
            check(path + message in result.err, f"`{message}` isn't said\n{result}")
            check(path + message in firma("cost", "check", path, "--json").expect(3).json()["error"]["message"],
                  "the JSON error says something else")

    @staticmethod
    @test("a task's model that was written by hand is read, and has to fit its batch")
    def models(directory):
        flow = save(directory, "app.pasl", "application x\nbatch a { source a.pamela entry main tasks 2 argument n = 3 }")
        model = os.path.join(directory, "a.pamela")
        for text, message in (("main(n) = n sum_double", None), ("main(n) = m sum_double", f"{model}:1:13: expected `||` or the end of the line, found `sum_double`"),
                              ("main(n) = n sum_doubel", f"{model}:1:11: there is no operation `sum_doubel`"),
                              ("main(n) = sum_dubble", f"{model}:1:11: there is no operation `sum_dubble`"),
                              ("parameter sum_doubel\nmain(n) = { sum_doubel; unknown_printf }", None),
                              ("main = sum_double", f"{flow}:2: batch `a`: `main` expects 0 arguments, found 1"),
                              ("other(n) = sum_double", f"{model} has no sub-model `main`")):
            save(directory, "a.pamela", text)
            result = firma("cost", "check", flow).expect(3 if message else 0)
            check(not message or message in result.err, f"`{message}` isn't said\n{result}")
            check("there is no operation" not in result.err or "did you mean `sum_double`?" in result.err, result.err)

    @staticmethod
    @test("formulas that are nested too deep are reported with their place: files with status 3, options with 2")
    def deep(directory):
        deep = "(" * 300 + "1" + ")" * 300
        for text, more, status in ((FLOW.replace("10^9", deep), [], 3), (FLOW, ["--set", f"M={deep}"], 2)):
            flow = save_flow(directory, text)
            result = firma("cost", "check", flow, *more).expect(status)
            place = f"{flow}:2:" if status == 3 else "--set:1:"
            check(place in result.err and "nested more than 200 deep" in result.err, f"{place}\n{result}")

    @staticmethod
    @test("wrong words and options after `firma cost` are refused with the usage")
    def usage(directory):
        path = save_flow(directory)
        for words, message in ((["cost"], "the word that says what to do is missing"), (["cost", "chek", path], "there is no `cost chek`"),
                               (["cost", "check"], "expected one flow file"),
                               (["cost", "check", path, "-o", "x"], "-o: unknown option"),
                               (["cost", "check", path, "--set", "N"], "isn't NAME=VALUE"),
                               (["cost", "check", path, "--set", "N=M"], "expected a number after `N=`"),
                               (["cost", "check", path, "--set", "K=1"], "has no parameter `K`")):
            result = firma(*words).expect(2)
            check(message in result.err, f"`{message}` isn't said\n{result}")


SOURCE = """#include <stdlib.h>
long count_points(long n, unsigned seed)
{
    long inside = 0;
    for (long i = 0; i < n; i++) {
        double x = drand48(), y = drand48();
        if (x * x + y * y <= 1.0)
            inside++;
    }
    srand48(seed);
    return inside;
}
long chain(long n) { return n < 2 ? n : chain(n - 1); }
"""


class Model:
    @staticmethod
    def save(directory):
        path = save(directory, "pi.c", SOURCE)
        result = firma("cost", "model", path, "--entry", "count_points")
        if result.status == 4 and "libclang" in result.err:
            raise Skip(result.err)
        return path

    @staticmethod
    @test("a function's model is printed, and facts that the source lacks are listed by file and line")
    def printed(directory):
        path = Model.save(directory)
        result = firma("cost", "model", path, "--entry", "count_points").expect(0)
        for words in ("parameter Q_pi_7 = 1/2", 'parameter cost_srand48 at "pi.c:10"  #', "count_points(n, seed) = {", "seq (i = 1, n) {",
                      "2 random_double", "if (x * x + y * y <= 1.0, Q_pi_7) {"):
            check(words in result.out, f"`{words}` is missing\n{result.out}")
        for words in ("pi.c:7: Q_pi_7: ", "pi.c:10: cost_srand48: "):
            check(words in result.err, f"`{words}` isn't said\n{result.err}")

    @staticmethod
    @test("a finding names the value that the flow file gives for its parameter")
    def given(directory):
        Model.save(directory)
        flow = FLOW.replace("batch sum { source Sum.java entry Sum.sum tasks 1 }\n", "").replace("flow points -> sum\n", "")
        for given, said in (("Q pi.c:7 = 0.785", "pi.pasl:12 gives 0.785"), ("value Q_pi_7 = 1/task", "pi.pasl:12 gives a formula"),
                            ("", None)):
            path = save(directory, "pi.pasl", flow.replace("Q pi.c:12 = 0.785", given))
            result = firma("cost", "model", path).expect(0)
            finding = next(line for line in result.err.splitlines() if "Q_pi_7" in line)
            check(finding.endswith(f"1/2 by the paper's rule; {said}" if said else "1/2 by the paper's rule"), finding)

    @staticmethod
    @test("--set of a place in the source, or of a model's parameter, is taken by check and model as by predict")
    def settings(directory):
        path = Model.save(directory)
        flow = FLOW.replace("batch sum { source Sum.java entry Sum.sum tasks 1 }\n", "").replace("flow points -> sum\n", "")
        app = save(directory, "pi.pasl", flow.replace("pi.c:12", "pi.c:7"))
        for words in ([app], [path, "--entry", "count_points"]):
            for name in ("pi.c:7", "Q_pi_7"):
                result = firma("cost", "model", *words, "--set", f"{name}=1/8").expect(0)
                finding = next(line for line in result.err.splitlines() if "Q_pi_7" in line)
                check(finding.endswith("--set gives 1/8"), finding)
            for name in ("pi.c:8", "Q_pi_8"):
                result = firma("cost", "model", *words, "--set", f"{name}=1/8").expect(2)
                check(f"--set: there is no parameter `{name}`" in result.err, result.err)
        check("pi.c:7 = 1/8" in firma("cost", "check", app, "--set", "pi.c:7=1/8").expect(0).out, "the value isn't shown")
        firma("cost", "check", app, "--set", "pi.c:10=0").expect(0)
        for name in ("po.c:7", "pi.c:", "pi.c:x", "pi.c"):
            firma("cost", "check", app, "--set", f"{name}=1/8").expect(2)

    @staticmethod
    @test("a batch's model is written to a file, and is the same when it's read from there")
    def written(directory):
        Model.save(directory)
        flow = FLOW.replace("batch sum { source Sum.java entry Sum.sum tasks 1 }\n", "").replace("flow points -> sum\n", "")
        save(directory, "app.pasl", flow)
        model, again = (os.path.join(directory, name) for name in ("points.pamela", "again.pamela"))
        firma("cost", "model", os.path.join(directory, "app.pasl"), "--batch", "points", "-o", model).expect(0)
        save(directory, "hand.pasl", flow.replace("pi.c\"", "points.pamela\""))
        firma("cost", "model", os.path.join(directory, "hand.pasl"), "-o", again).expect(0)
        with open(model, encoding="utf-8") as first, open(again, encoding="utf-8") as second:
            check_equal(second.read(), first.read(), "models")

    @staticmethod
    @test("--json of model holds the model, its parameters and the findings")
    def as_json(directory):
        path = Model.save(directory)
        document = firma("cost", "model", path, "--entry", "count_points", "--json").expect(0).json()
        model = document["models"][0]
        check("seq (i = 1, n)" in model["model"], model["model"])
        check_equal({parameter["name"]: parameter["value"] for parameter in model["parameters"]},
                    {"Q_pi_7": "1/2", "cost_srand48": None}, "parameters")
        check_equal([(finding["line"], finding["parameter"]) for finding in model["findings"]],
                    [(7, "Q_pi_7"), (10, "cost_srand48")], "findings")

    @staticmethod
    @test("a recursion has a closed form, a number of calls, or is followed to --depth")
    def recursion(directory):
        path = Model.save(directory)
        result = firma("cost", "model", path, "--entry", "chain").expect(0)
        check("seq (level = 0, levels - 1)" in result.out and "chain_once(" in result.out, result.out)
        path = save(directory, "tree.c", TREE)
        result = firma("cost", "model", path, "--entry", "count").expect(0)
        check("calls_tree_2 count_once()" in result.out, result.out)
        check("Q_tree_4 = (1 + 1/calls_tree_2)/2" in result.out, result.out)
        result = firma("cost", "model", path, "--entry", "count", "--depth", "900").expect(0)
        check("sum(level = 0, 899, " in result.out, result.out)
        check("tree.c:2: calls of count nested deeper than 900 aren't counted" in result.err, result.err)

    @staticmethod
    @test("wrong words of model are refused, and functions that aren't there")
    def usage(directory):
        path = Model.save(directory)
        flow = save_flow(directory)
        save(directory, "pi.c", SOURCE)
        for words, status, message in (([path], 2, "a source needs the function to begin with"),
                                       ([path, "--entry", "count"], 3, "the source has no function `count`"),
                                       ([path, "--entry", "chain", "--batch", "b"], 2, "isn't a flow file"),
                                       ([path, "--entry", "chain", "--depth", "1001"], 2, "--depth: 1001 is more than 1000"),
                                       ([flow, "--entry", "chain"], 2, "names them itself"),
                                       ([flow, "--batch", "total"], 2, "has no batch `total`"),
                                       ([save(directory, "x.f90", ""), "--entry", "x"], 3, "unknown language")):
            result = firma("cost", "model", *words).expect(status)
            check(message in result.err, f"`{message}` isn't said\n{result}")


TREE = """struct node { struct node *left, *right; };
int count(const struct node *node)
{
    if (!node)
        return 0;
    return 1 + count(node->left) + count(node->right);
}
"""

JAVA = """class Task {
    static double run(int n, int[] values) {
        double sum = 0;
        for (int i = 0; i < n; i++)
            if (values[i] > 0)
                sum += half(values[i]);
        return sum + Unseen.value();
    }

    static double half(int n) {
        return n / 2.0;
    }

    static double half(double x) {
        return x / 2;
    }
}
"""


class Java:
    @staticmethod
    def save(directory, text=JAVA):
        path = save(directory, "Task.java", text)
        result = firma("cost", "model", path, "--entry", "Task.run")
        if result.status == 4 and "install a JDK" in result.err:
            raise Skip(result.err)
        return path

    @staticmethod
    @test("a Java method's model is printed, with overloads told apart, and unknown facts are listed")
    def printed(directory):
        path = Java.save(directory)
        result = firma("cost", "model", path, "--entry", "Task.run").expect(0)
        for words in ("Task_half_int = {", "Task_run(n, values) = {", "seq (i = 1, n) {", "if (values[i] > 0, Q_Task_5) {",
                      "cost_Unseen_value"):
            check(words in result.out, f"`{words}` is missing\n{result.out}")
        check("Task.java:7: the type of `Unseen.value()` isn't known: taken as double" in result.err, result.err)

    @staticmethod
    @test("an entry that several methods have the name of is refused with their full names")
    def overloaded(directory):
        path = Java.save(directory)
        result = firma("cost", "model", path, "--entry", "Task.half").expect(3)
        check("the source has no function `Task.half`" in result.err, result.err)
        check("Task.half(int), Task.half(double)" in result.err, result.err)
        firma("cost", "model", path, "--entry", "Task.half(double)").expect(0)

    @staticmethod
    @test("a file that isn't Java is refused with file, line and column")
    def refused(directory):
        path = Java.save(directory, JAVA.replace("n / 2.0;", "n / ;"))
        result = firma("cost", "model", path, "--entry", "Task.run").expect(3)
        check(f"{path}:11:" in result.err, result.err)


class ReadingJava:
    @staticmethod
    def save(directory):
        return save(directory, "Sum.java", "class Sum { static long sum(int n) { long s = 0; for (int i = 0; i < n; i++) s += i; return s; } }\n")

    @staticmethod
    @test("files beside a Java source don't matter, whatever they are called")
    def neighbours(directory):
        path = ReadingJava.save(directory)
        save(directory, "\u00e9.java", "class Other { }\n")
        result = firma("cost", "model", path, "--entry", "Sum.sum", cwd=directory, env={"LC_ALL": "C"})
        if result.status == 4:
            raise Skip(result.err) if "on PATH" in result.err else AssertionError(result.err)
        check("Sum_sum(n) = {" in result.expect(0).out, result.out)

    @staticmethod
    @test("interrupting the reading of Java leaves nothing")
    def interrupted(directory):
        path, temporary = ReadingJava.save(directory), os.path.join(directory, "temporary")
        os.mkdir(temporary)
        process = subprocess.Popen([FIRMA, "cost", "model", path, "--entry", "Sum.sum"], stdout=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE, env={**os.environ, "TMPDIR": temporary}, text=True)
        wait_until(lambda: os.listdir(temporary) or process.poll() is not None, "its folder")
        process.send_signal(signal.SIGTERM)
        err = process.communicate()[1]
        check_equal(os.listdir(temporary), [], "files that are left")
        check("interrupted" in err or process.returncode in (0, 4), f"status {process.returncode}: {err}")


MACHINE = """{"format": "firma machine", "version": 1, "processors": [
  {"name": "old", "cores": 1, "languages": [
    {"language": "c", "benchmark_s": 2, "operations": {"sum_double": [0.002, 0.004], "sum_int64": [0.002, 0.002]}}]},
  {"name": "fast", "cores": 2, "languages": [
    {"language": "c", "benchmark_s": 1, "operations": {"sum_double": [0.001, 0.002], "sum_int64": [0.001, 0.001]}}]}]}
"""
TASK = """parameter Q_7 = 1/2 at "task.c:7"  # x > y
work(n, first) = seq (i = 1, n) { sum_double; if (x > y, Q_7) 2 sum_double }
"""
APPLICATION = """application small
parameter N = 100
batch one { source task.pamela entry work tasks 6 argument n = N argument first = task }
batch two { source task.pamela entry work tasks 2 argument n = 10 argument first = 0 }
flow one -> two
"""


class Predict:
    @staticmethod
    def save(directory):
        """Writes the application and the machine."""
        save(directory, "task.pamela", TASK)
        return save(directory, "app.pasl", APPLICATION), save(directory, "machine.json", MACHINE)

    @staticmethod
    @test("an application is predicted on machines of two kinds, with the parts of the prediction")
    def mixed(directory):
        app, machine = Predict.save(directory)
        words = ["cost", "predict", app, "-m", machine, "--kinds", "old:2,fast:1", "--no-messages"]
        document = firma(*words, "--json").expect(0).json()
        prediction = document["predictions"][0]
        # 6 tasks in proportions 1.5 : 1.5 : 3 are 2, 1, 3; 2 tasks in proportions 0.5 : 0.5 : 1 are
        # 1, 0, 1.
        check_equal([row["tasks_each"] for row in prediction["tasks"]], [2, 1, 3, 1, 0, 1], "tasks")
        expected = 2 * 100 * 2 * 0.002 + 10 * 2 * 0.002
        check(abs(prediction["time_s"][0] - expected) < 1e-9, f"{prediction['time_s']}, not {expected}")
        check_equal([stage["name"] for stage in prediction["stages"]], ["batch one", "batch two"], "stages")
        assumed = [number["name"] for number in prediction["numbers"] if number["from"] == "assumed"]
        check_equal(assumed, ["Q_7"], "assumed")
        out = firma(*words).expect(0).out
        for text in ("small on old:2,fast:1", "without contention", "T0 = ", "task.c:7", "Messages are left out"):
            check(text in out, f"`{text}` is missing\n{out}")

    @staticmethod
    @test("the cheapest machines that keep a deadline are found, also of two kinds")
    def cheapest(directory):
        app, machine = Predict.save(directory)
        words = ["cost", "predict", app, "-m", machine, "--no-messages", "--set", "N=10000"]
        for deadline, prices, expected in ((1000, "old:1,fast:100", "old:1"), (1000, "old:100,fast:1", "fast:1x2"),
                                           (50, "fast:1", "fast:3x2")):
            found = firma(*words, "--deadline", str(deadline), "--prices", prices, "--json").expect(0).json()
            check_equal(found["predictions"][0]["machines"], expected, f"machines within {deadline} s at {prices}")
            check(found["predictions"][0]["time_s"][1] <= deadline, f"{found['predictions'][0]['time_s']}")
        text = firma(*words, "--deadline", "1000", "--prices", "old:1,fast:100").expect(0).out
        check("the cheapest machines are 1 of old" in text, text)
        check("no 1024 machines keep" in firma(*words, "--deadline", "1", "--prices", "old:1").expect(1).err, "no answer")
        for more in (["--deadline", "1"], ["--prices", "old:1"], ["--deadline", "1", "--prices", "old"],
                     ["--deadline", "1", "--prices", "none:1"], ["--deadline", "1", "--prices", "old:1,old:2"], ["--deadline", "1", "--prices", "old:1", "--workers", "2"]):
            firma(*words, *more).expect(2)

    @staticmethod
    @test("threads of OpenMP share a loop if the options turn on directives; their number must be given")
    def threads(directory):
        operations = [f"{name}_{kind}" for kind in ("int32", "int64") for name in ("assign", "access", "compare", "sum", "cast")]
        language = {"language": "c", "benchmark_s": 1, "operations": {name: [1, 1] for name in operations}}
        machine = save(directory, "machine.json", json.dumps({"format": "firma machine", "version": 1, "processors": [
            {"name": "one", "cores": 1, "languages": [language]}]}))
        save(directory, "sum.c", "long sum(int n)\n{\n    long s = 0;\n#pragma omp parallel for reduction(+ : s)\n"
                                 "    for (int i = 0; i < n; i++)\n        s += i;\n    return s;\n}\n")

        def predict(options, *words):
            flow = save(directory, "sum.pasl",
                        f'application sum batch one {{ source sum.c options "{options}" entry sum tasks 1 argument n = 1000 }}\n')
            return firma("cost", "predict", flow, "-m", machine, "--kinds", "one:1", "--no-messages", "--json", *words)

        one, two, four = (predict("-fopenmp", "--set", f"omp_threads={n}").expect(0).json()["predictions"][0]["time_s"][0]
                          for n in (1, 2, 4))
        check(one > two and abs((one - two) - 2 * (two - four)) < 1e-6 * one, f"{one}, {two}, {four}")
        check("omp_threads" in predict("-fopenmp").expect(3).err, "the missing number isn't named")
        check_equal(predict("-O2").expect(0).json()["predictions"][0]["time_s"][0], one, "without directives")
        check("as by a compiler without -fopenmp" in
              firma("cost", "model", os.path.join(directory, "sum.c"), "--entry", "sum").expect(0).err, "the directive isn't named")

    @staticmethod
    def of_compiled(directory, source, options, *words, cycle_s=None, priced="surprise_int32", **members):
        """Predicts a source of which one operation costs a second each, and nothing else costs; if cycle_s is given, cycles
        alone do. members: further ones of the costs in the machine model."""
        if not shutil.which("llvm-mca") or platform.machine() != "x86_64":
            raise Skip("there is no llvm-mca, or another processor")
        types = ("int32", "int64", "reference", "double")
        operations = {f"{name}_{kind}": [0, 0] for kind in types for name in (
            "assign access compare branch call return sum sub mul div mod bitwise shift logical element field cast stray wait "
            "allocate stream leap roam follow cycle surprise block random abs").split()}
        operations.update({priced: [1, 1]} if cycle_s is None else {"cycle_int64": [cycle_s, cycle_s]})
        language = {"language": "c", "benchmark_s": 1, "operations": operations}
        machine = save(directory, "machine.json", json.dumps({"format": "firma machine", "version": 1, "processors": [
            {"name": "one", "cores": 1, "languages": [{**language, "options": "-O2", "scheduler": "znver3", **members}, language]}]}))
        save(directory, "source.c", source)
        flow = save(directory, "app.pasl", f'application app batch one {{ source source.c options "{options}" '
                                           "entry work tasks 1 argument n = 1000 }\n")
        return firma("cost", "predict", flow, "-m", machine, "--kinds", "one:1", "--no-messages", "--json", *words)

    @staticmethod
    @test("of a compiled loop that its body leaves early, the share that runs counts")
    def left_early(directory):
        source = ("int escape(double c, int limit)\n{\n    double x = 0;\n    int k;\n    for (k = 0; k < limit; k++) {\n"
                  "        if (x > 4.0)\n            break;\n        x = x * x * c + c;\n    }\n    return k;\n}\n"
                  "long work(int n)\n{\n    long sum = 0;\n    for (int i = 0; i < n; i++)\n"
                  "        sum += escape((double)i / n, 5000);\n    return sum;\n}\n")
        whole, tenth = (Predict.of_compiled(directory, source, "-O2", "--set", f"share_source_5={share}", cycle_s=1e-9)
                        .expect(0).json()["predictions"][0]["time_s"][1] for share in (1, 0.1))
        check(9 < whole / tenth < 10.1, f"{whole} and {tenth} s")

    @staticmethod
    @test("functions on blocks cost their words and a call; short ones that the compiler does by itself cost nothing")
    def blocks(directory):
        source = ("#include <stdlib.h>\n#include <string.h>\ndouble work(int n)\n{\n"
                  "    double *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b);\n    memset(b, 0, n * sizeof *b);\n"
                  "    for (int i = 0; i < 50; i++) {\n        memcpy(a, b, n * sizeof *a);\n"
                  "        memcpy(&b[i], &a[n - 1 - i], sizeof *a);\n    }\n    return a[n / 2];\n}\n")
        for priced, seconds in ("block_int16", 50000), ("block_int8", 1000), ("block_reference", 51), ("block_int32", 0):
            found = Predict.of_compiled(directory, source, "-O2", priced=priced).expect(0).json()["predictions"][0]["time_s"]
            check_equal(found, [seconds, seconds], priced)

    @staticmethod
    @test("branches that come again are learnt, unless they are many, or random numbers are drawn each time")
    def learnt(directory):
        def surprises(in_loop, branches):
            source = ("#include <stdlib.h>\nlong work(long n)\n{\n    static long x[1000];\n    long s = 0;\n"
                      "    for (long i = 0; i < 1000; i++)\n        x[i] = rand();\n"
                      f"    for (long t = 0; t < n; t++) {{\n        {in_loop}\n        for (long i = 0; i < 1000; i++)\n"
                      "            if (x[i] > 5)\n                s += labs(s ^ x[i]) % 7;\n    }\n    return s;\n}\n")
            return Predict.of_compiled(directory, source, "-O2", "--set", "source.c:11=0.5", learnt_branches=branches)\
                .expect(0).json()["predictions"][0]["time_s"][1]
        all_of_them = surprises("", 0)
        check(450e3 < all_of_them < 550e3, f"{all_of_them} of a million branches with Q = 1/2")
        for in_loop, branches, share in ("", 1e6, 0.001), ("", 1000, 0.5), ("x[3] = rand();", 1e6, 1):
            found = surprises(in_loop, branches)
            check(abs(found / all_of_them - share) < 0.01, f"{found} of {all_of_them}: {in_loop} {branches}")

    @staticmethod
    @test("a loop counts though the compiler turned the one around it, with its || and an inlined loop, into several")
    def turned(directory):
        source = ("typedef struct { long len; unsigned *limb; } Number;\n"
                  "static unsigned divide(Number *a, unsigned d)\n{\n    unsigned long rest = 0;\n"
                  "    for (long i = a->len - 1; i >= 0; i--) {\n        unsigned long now = rest << 32 | a->limb[i];\n"
                  "        a->limb[i] = now / d;\n        rest = now % d;\n    }\n"
                  "    while (a->len > 1 && a->limb[a->len - 1] == 0)\n        a->len--;\n    return rest;\n}\n"
                  "double work(int n)\n{\n    static unsigned limbs[5000];\n    double sum = 0;\n    Number a = {5000, limbs};\n"
                  "    for (int t = 0; t < n; t++) {\n        for (int i = 0; i < 5000; i++) limbs[i] = 7777777 * i;\n"
                  "        a.len = 5000;\n        while (a.len > 1 || a.limb[0] != 0) {\n"
                  "            unsigned part = divide(&a, 1000000000u);\n            while (part) {\n"
                  "                sum += part % 10;\n                part /= 10;\n            }\n        }\n    }\n"
                  "    return sum;\n}\n")
        given = [word for number in ("10=1", "22=500", "24=9") for word in ("--set", f"iterations_source_{number}")]
        few, many = (Predict.of_compiled(directory, source, "-O2", "--set", f"iterations_source_5={n}", *given, cycle_s=1e-9)
                     .expect(0).json()["predictions"][0]["time_s"][1] for n in (2000, 20000))
        check(8 < many / few < 10.1, f"{few} and {many} s")

    @staticmethod
    @test("of the branches in a line, those count that the compiler made; the numbers by which they count are listed")
    def branches(directory):
        document = Predict.of_compiled(
            directory, "__attribute__((noinline)) static long half(long s)\n{\n    return s / 2;\n}\n"
                       "long picked(const long *x, long n)\n{\n    long s = 0;\n    for (long i = 0; i < n; i++) {\n"
                       "        if (x[i] > 9) s = half(s); s += x[i] < x[i + 1] ? x[i] : x[i + 1];\n    }\n"
                       "    return s;\n}\nlong work(long n)\n{\n    static long x[4097];\n    return picked(x, n);\n}\n",
            "-O2").expect(0).json()["predictions"][0]
        check_equal([round(s) for s in document["time_s"]], [175, 175], "surprises of the `if` with a call; `?:` is a conditional move")
        assumed = [number["name"] for number in document["numbers"] if number["from"] == "assumed"]
        check_equal(assumed, ["Q_source_9", "Q_source_9_2"], "assumed numbers")
        result = firma("cost", "model", os.path.join(directory, "app.pasl"), "--set", "source.c:9=0.5").expect(0)
        check("source.c:9 stands for 2 parameters, which all have the value that it gets: Q_source_9, Q_source_9_2" in
              result.err, result)
        launcher("openmpi", 1)
        run = firma("cost", "run", os.path.join(directory, "app.pasl"), "-m", os.path.join(directory, "machine.json"),
                    "--kinds", "one:1", "--repeat", 1, "--mpi", "openmpi", "--json").expect(0).json()["runs"][0]
        check_equal(run["predicted_s"], document["time_s"], "`cost run` predicts as `cost predict` does")

    @staticmethod
    @test("batches of the same source and options share its compiled code")
    def compiled_once(directory):
        one = Predict.of_compiled(directory, "long work(long n)\n{\n    long s = 0;\n    for (long i = 0; i < n; i++) s += i * (s + 7);\n    return s;\n}\n"
                                             "long other(long n) { return work(n) + 1; }\n", "-O2").expect(0)
        tools, calls = os.path.join(directory, "tools"), os.path.join(directory, "calls")
        os.mkdir(tools)
        save(tools, "cc", f'#!/bin/sh\ncase " $* " in *" -S "*) echo "$*" >> {calls};; esac\nPATH=$REAL_PATH exec cc "$@"\n')
        os.chmod(os.path.join(tools, "cc"), 0o755)
        flow = save(directory, "two.pasl", "application two " + " ".join(
            f'batch {name} {{ source source.c options "-O2" entry {entry} tasks 1 argument n = 1000 }}'
            for name, entry in (("one", "work"), ("again", "work"), ("other", "other"))))
        result = firma("cost", "predict", flow, "-m", os.path.join(directory, "machine.json"), "--kinds", "one:1", "--no-messages", "--json",
                       env={"PATH": tools + os.pathsep + os.environ["PATH"], "REAL_PATH": os.environ["PATH"]}).expect(0)
        with open(calls, encoding="utf-8") as file:
            check_equal(len(file.readlines()), 1, "compilations to assembler text")
        check("t_cycle_int64[one]" in [number["name"] for number in result.json()["predictions"][0]["numbers"]], result.out)
        check("operations count" not in one.err + result.err, result.err)

    @staticmethod
    @test("loops of OpenMP's threads are found in the compiled code, also with omp.h")
    def compiled_threads(directory):
        source = ("#include <omp.h>\n#include <stdlib.h>\ndouble work(long n)\n{\n"
                  "    double s = 0, *a = malloc(n * sizeof *a);\n#pragma omp parallel for\n"
                  "    for (long i = 0; i < n; i++)\n        a[i] = i;\n#pragma omp parallel\n    {\n"
                  "#pragma omp for schedule(dynamic, 64)\n        for (long i = 0; i < n; i++)\n"
                  "            for (long j = 0; j < 9; j++)\n                a[i] += a[i] * j;\n    }\n"
                  "    for (long i = 0; i < n; i++)\n        s += a[i];\n    free(a);\n    return s;\n}\n")
        result = Predict.of_compiled(directory, source, "-O2 -fopenmp", "--set", "omp_threads=2").expect(0)
        check("aren't found" not in result.err and "operations count" not in result.err, result.err)
        names = [number["name"] for number in result.json()["predictions"][0]["numbers"]]
        check("t_cycle_int64[one]" in names and "t_sum_double[one]" not in names, f"{names}")
        for wrong in ("0", "2.5"):
            error = Predict.of_compiled(directory, source, "-O2 -fopenmp", "--set", f"omp_threads={wrong}").expect(3).err
            check("source.c:7: `omp_threads`" in error, error)

    @staticmethod
    @test("a recursion is predicted by its closed form exactly, and what --depth leaves out is said")
    def recursion(directory):
        operations = [f"{name}_{kind}" for kind in ("int32", "reference")
                      for name in ("assign", "access", "compare", "branch", "call", "return", "sum", "sub", "logical", "field")]
        language = {"language": "c", "benchmark_s": 1, "operations": {name: [1, 1] for name in operations}}
        machine = save(directory, "machine.json", json.dumps({"format": "firma machine", "version": 1, "processors": [
            {"name": "one", "cores": 1, "languages": [language]}]}))
        save(directory, "fib.c", "int fib(int n)\n{\n    if (n < 2)\n        return n;\n    return fib(n - 1) + fib(n - 2);\n}\n")
        flow = save(directory, "fib.pasl", "application fib\nparameter N = 30\nbatch one { source fib.c entry fib tasks 1 argument n = N }\n")
        words = ["-m", machine, "--kinds", "one:1", "--no-messages", "--json"]

        def operations_of(n):
            before, last = 5, 5
            for _ in range(2, n + 1):
                before, last = last, 13 + before + last
            return last

        for n in (1, 2, 30, 45):
            time = firma("cost", "predict", flow, "--set", f"N={n}", *words).expect(0).json()["predictions"][0]["time_s"]
            check_equal(time, [operations_of(n)] * 2, f"operations of fib({n})")
        save(directory, "tree.c", TREE)
        flow = save(directory, "tree.pasl", "application tree\nbatch one { source tree.c entry count tasks 1 argument node = 0 depth 10 }\n")
        result = firma("cost", "predict", flow, *words).expect(0)
        check("batch `one`: " in result.err and "nested deeper than 10 aren't counted" in result.err, result.err)
        shallow = firma("cost", "predict", flow, "--depth", "1", *words).expect(0)
        check("nested deeper than 1 aren't counted" in shallow.err, shallow.err)
        times = [one.json()["predictions"][0]["time_s"][0] for one in (result, shallow)]
        check_equal(times[0], 10 * times[1], "ten levels of one call each, in the mean")

    @staticmethod
    @test("a sum of too many terms is approximated with a note, and without an error")
    def approximated(directory):
        _, machine = Predict.save(directory)
        model = save(directory, "long.pamela", "main = seq (i = 1, 10^12) { sqrt(i) sum_double }\n")
        words = ["cost", "predict", model, "-m", machine, "--kinds", "old:1", "--no-messages", "--language", "c"]
        check("too many terms to be added up" in firma(*words).expect(0).out, "it isn't said")

    @staticmethod
    @test("the model that --model prints predicts the same")
    def written(directory):
        app, machine = Predict.save(directory)
        choice = ["-m", machine, "--kinds", "old:2,fast:1", "--no-messages"]
        model = save(directory, "app.pamela", firma("cost", "predict", app, *choice, "--model").expect(0).out)
        times = [firma("cost", "predict", what, *choice, "--json").expect(0).json()["predictions"][0]["time_s"]
                 for what in (app, model)]
        check(abs(times[0][1] - times[1][1]) < 1e-9, f"{times}")

    @staticmethod
    @test("a model predicts the same when its comments are reworded")
    def reworded(directory):
        app, machine = Predict.save(directory)
        words = ["cost", "predict", app, "-m", machine, "--kinds", "old:2,fast:1", "--no-messages", "--json",
                 "--set", "task.c:7=1/8"]
        predictions = []
        for comment in ("# x > y", "# how often a point is far out", ""):
            save(directory, "task.pamela", TASK.replace("# x > y", comment))
            predictions.append(firma(*words).expect(0).json()["predictions"][0])
        check_equal([p["time_s"] for p in predictions[1:]], [predictions[0]["time_s"]] * 2, "times")
        check_equal([n["value"] for n in predictions[2]["numbers"] if n["name"] == "Q_7"], [[0.125, 0.125]], "Q_7")

    @staticmethod
    @test("several choices make a table, with measured times beside them")
    def sweep(directory):
        app, machine = Predict.save(directory)
        runs = save(directory, "runs.csv", "workers,time\n1,1.0\n2,99\n")
        document = firma("cost", "predict", app, "-m", machine, "--kinds", "fast:1,2,4", "--no-messages",
                         "--measured", runs, "--json").expect(0).json()
        check_equal([row["workers"] for row in document["predictions"]], [1, 2, 4], "workers")
        check_equal([run["inside"] for row in document["predictions"] for run in row["measured"]], [False, False], "runs")
        out = firma("cost", "predict", app, "-m", machine, "--kinds", "fast:1,2,4", "--no-messages",
                    "--measured", runs).expect(0).out
        check("0 of 1 inside" in out and "fast:4" in out, out)

    @staticmethod
    @test("an earlier prediction stands beside this one, in the table, the picture and JSON")
    def beside(directory):
        app, machine = Predict.save(directory)
        words = ["cost", "predict", app, "-m", machine, "--no-messages", "--kinds"]
        earlier = save(directory, "earlier.json", firma(*words, "fast:1,2", "--json").expect(0).out)
        svg = os.path.join(directory, "both.svg")
        result = firma(*words, "fast:2,4", "--beside", earlier, "--svg", svg).expect(0)
        rows = [line.split() for line in result.out.splitlines() if "fast:" in line]
        check("earlier" in result.out and rows[0][-1] != "–" and rows[1][-1] == "–", result.out)
        check("earlier" in open(svg, encoding="utf-8").read(), "the picture names the earlier prediction")
        document = firma(*words, "fast:2,4", "--beside", earlier, "--json").expect(0).json()
        check_equal(document["beside"][0]["predictions"][1]["time_s"], document["predictions"][0]["time_s"], "fast:2")
        for text, message in (('"verb": "cost", "predictions": [{"machines": "m", "workers": 1, "time_s": [2, 1]}]',
                               "predictions[0].time_s"), ('"verb": "cost", "predictions": []', "predictions: there are none"),
                              ('"verb": "scale", "predictions": []', "verb: expected `cost`, found `scale`"),
                              ('"verb"', "not valid JSON")):
            odd = save(directory, "odd.json", '{"application": "a", %s}' % text)
            result = firma(*words, "fast:2", "--beside", odd).expect(3)
            check(message in result.err and "takes what `firma cost predict --json` prints" in result.err, f"{message}\n{result}")
        firma(*words, "fast:2", *["--beside", earlier] * 4).expect(2)

    @staticmethod
    @test("measured runs of another application are noted")
    def other_application(directory):
        app, machine = Predict.save(directory)
        words = ["cost", "predict", app, "-m", machine, "--kinds", "fast:1", "--no-messages", "--measured"]
        for name in ("small", "large"):
            runs = save(directory, "runs.json", '{"format": "firma task runs", "version": 1, "application": "%s", '
                                                '"runs": [{"workers": 1, "time_s": 1}]}' % name)
            result = firma(*words, runs).expect(0)
            check_equal("runs of the application `large`, but the prediction is for `small`" in result.err, name == "large",
                        f"a note about {name}\n{result}")

    @staticmethod
    @test("arguments with the entry's names in another order are refused; other names go by their order")
    def order(directory):
        app, machine = Predict.save(directory)
        words = ["cost", "predict", app, "-m", machine, "--kinds", "fast:1", "--no-messages"]
        order = "argument n = N argument first = task"
        save(directory, "app.pasl", APPLICATION.replace(order, "argument m = N argument n = task"))
        firma(*words).expect(0)
        save(directory, "app.pasl", APPLICATION.replace(order, "argument first = task argument n = N"))
        result = firma(*words).expect(3)
        check("batch `one`: the arguments are (first, n), but the parameters of `work` have another order: (n, first)"
              in result.err, result.err)

    @staticmethod
    @test("a probability is given by its place in the source, as a formula in the task's parameters")
    def formula(directory):
        app, machine = Predict.save(directory)
        document = firma("cost", "predict", app, "-m", machine, "--kinds", "fast:1", "--no-messages", "--json",
                         "--set", "task.c:7=1/n").expect(0).json()
        expected = (6 * (100 + 2) + 2 * (10 + 2)) * 0.001
        found = document["predictions"][0]["time_s"][0]
        check(abs(found - expected) < 1e-9, f"{found}, not {expected}")

    @staticmethod
    @test("what an `if` has as its probability is from 0 to 1, whatever it is called; other numbers may be more")
    def probabilities(directory):
        _, machine = Predict.save(directory)
        model = save(directory, "a.pamela", "parameter often\nparameter Q_many\n"
                                            "main = { if (x > y, often) sum_double; Q_many sum_double }\n")
        words = ["cost", "predict", model, "-m", machine, "--kinds", "fast:1", "--set", "Q_many=2"]
        for value in ("1.5", "0-1"):
            result = firma(*words, "--set", f"often={value}").expect(2)
            check("`often` is a probability; expected a value from 0 to 1" in result.err, result.err)
        document = firma(*words, "--set", "often=1", "--json").expect(0).json()
        check(abs(document["predictions"][0]["time_s"][0] - 3 * 0.001) < 1e-9, f"{document['predictions'][0]['time_s']}")

    @staticmethod
    @test("missing and wrong inputs are reported, with a hint")
    def refused(directory):
        app, machine = Predict.save(directory)
        choice = ["-m", machine, "--kinds", "fast:2"]
        model = save(directory, "a.pamela", "parameter n  # how many\nmain = n mod_int64[1]\n")
        for words, status, message in (
                ([app], 2, "no machine model is named"), ([app, *choice], 3, "lacks the cost of messages"),
                ([app, "-m", machine, "--kinds", "new:2"], 2, "no kind of machine called `new`"),
                ([app, "-m", machine, "--kinds", "2"], 2, "isn't KIND:NUMBER"),
                ([app, *choice, "--set", "K=1"], 2, "there is no parameter `K`"),
                ([app, *choice, "--language", "foo"], 2, "there is no `foo`"),
                ([model, *choice, "--set", "n=abc"], 2, "the formula of `n` uses names without a value: abc"),
                ([model, *choice], 3, "n (how many)"),
                ([model, *choice, "--set", "n=3"], 3, "mod_int64 on fast")):
            result = firma("cost", "predict", *words).expect(status)
            check(message in result.err, f"`{message}` isn't said\n{result}")

    @staticmethod
    @test("an operation that wasn't measured is named once, however often the model uses it")
    def unmeasured_once(directory):
        _, machine = Predict.save(directory)
        model = save(directory, "a.pamela", "main = { 2 mod_int64; 3 mod_int64 }\n")
        result = firma("cost", "predict", model, "-m", machine, "--kinds", "fast:2").expect(3)
        check_equal(result.err.count("mod_int64 on fast"), 1, f"how often it is named\n{result}")


main()
