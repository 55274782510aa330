# SPDX-License-Identifier: BSD-3-Clause
"""firma cost: flow files and models on the command line. One class a word; what they share stands first."""

import os

from harness import check, check_equal, firma, main, test

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
    """A flow file, and sources that are there."""
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
    @test("what is wrong with a flow file is said with file, line and column")
    def refused(directory):
        for before, after, message in (
                ("flow points -> sum", "flow points -> sum -> points", ":15:23: the flow is a cycle: sum -> points -> sum"),
                ("flow points -> sum", "flow points -> total", ":15:16: there is no batch `total`"),
                ("  tasks 100\n", "", ":5:7: batch `points` has no `tasks`"),
                ("entry count_points", "entri count_points", ":7:3: expected language, source, options, entry"),
                ("\"pi.c\"", "\"po.c\"", ":6:10: batch `points`: source"),
                ("N/tasks", "K/tasks", ":9:16: `K` is no parameter")):
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
                              ("main = sum_double", f"{flow}:2: batch `a`: `main` expects 0 arguments, found 1"),
                              ("other(n) = sum_double", f"{model} has no sub-model `main`")):
            save(directory, "a.pamela", text)
            result = firma("cost", "check", flow).expect(3 if message else 0)
            check(not message or message in result.err, f"`{message}` isn't said\n{result}")

    @staticmethod
    @test("wrong words and options after `firma cost` are refused with the usage")
    def usage(directory):
        path = save_flow(directory)
        for words, message in ((["cost"], "a word is missing"), (["cost", "chek", path], "there is no `cost chek`"),
                               (["cost", "check"], "expected is one flow file"),
                               (["cost", "check", path, "-o", "x"], "`cost check` takes no -o"),
                               (["cost", "check", path, "--set", "N"], "isn't NAME=VALUE"),
                               (["cost", "check", path, "--set", "N=M"], "expected a number behind `N=`"),
                               (["cost", "check", path, "--set", "K=1"], "has no parameter `K`")):
            result = firma(*words).expect(2)
            check(message in result.err, f"`{message}` isn't said\n{result}")


main()
