# SPDX-License-Identifier: BSD-3-Clause
"""firma machine cpu measures the costs of operations, and adds them to a machine model without changing the rest."""

import glob
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time

from harness import FIRMA, Skip, check, check_equal, firma, main, run, test, wait_until

TYPES = ("int8", "int16", "int32", "int64", "float", "double", "reference")
# Operations that analysed sources may contain for each type.
OF_ANY = ("assign", "access", "element", "field", "call", "return", "compare")
OF_WHOLE = ("sum", "sub", "mul", "div", "mod", "negate", "logical", "bitwise", "shift", "cast")
OF_FLOATING = ("sum", "sub", "mul", "div", "negate", "cast", "sqrt", "abs")
OF_DOUBLE = ("sin", "cos", "tan", "exp", "log", "pow", "floor", "math", "random")
# Of texts and streams, in C alone.
OF_TEXTS = ("parse_int32", "parse_double", "format_int8", "format_int32", "format_double", "format_reference",
            *(f"block_{kind}" for kind in ("int8", "int16", "int32", "int64", "double", "reference")))


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def check_complete(operations):
    expected = [f"{name}_{kind}" for name in OF_ANY for kind in TYPES]
    expected += [f"{name}_{kind}" for name in OF_WHOLE for kind in TYPES[:4]]
    expected += [f"{name}_{kind}" for name in OF_FLOATING for kind in ("float", "double")]
    expected += [f"{name}_double" for name in OF_DOUBLE] + ["branch_int32", "random_int32", "allocate_reference"]
    check_equal([name for name in expected if name not in operations], [], "operations that are missing")
    for name, (low, high) in operations.items():
        check(0 <= low <= high < 1, f"{name} costs {low} to {high} s")


@test("costs of operations of C become a machine model that can be read again")
def of_c(directory):
    machine = os.path.join(directory, "machine.json")
    out = firma("machine", "cpu", "--languages", "c", "--time", "1", "--kind", "own", "-o", machine).expect(0).out
    for words in ("own:", "double", "sqrt", "set of benchmarks", machine):
        check(words in out, f"`{words}` is missing\n{out}")
    kind = load(machine)["processors"][0]
    check_equal([kind["name"], len(kind["languages"]), kind["languages"][0]["language"]], ["own", 1, "c"], "kind")
    check(kind["cores"] >= 1 and kind["languages"][0]["benchmark_s"] > 0, f"neither cores nor benchmarks\n{kind}")
    check_complete(kind["languages"][0]["operations"])
    check_equal([name for name in OF_TEXTS if name not in kind["languages"][0]["operations"]], [], "operations on texts")
    check("own:" in firma("machine", "show", machine).expect(0).out, "the kind isn't shown")


@test("what other programs do while firma measures is said")
def busy_host(directory):
    others = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(2)]
    try:
        result = subprocess.run([FIRMA, "machine", "cpu", "--languages", "c", "--time", "2", "-o", os.path.join(directory, "machine.json")],
                                capture_output=True, text=True)  # run() leaves out what it says of other programs
    finally:
        for other in others:
            other.kill()
            other.wait()
    check(result.returncode == 0 and "while firma measured, other programs kept" in result.stderr, result)


@test("costs in code that is compiled with options are those of batches with these options")
def in_context(directory):
    machine, flow = os.path.join(directory, "machine.json"), os.path.join(directory, "app.pasl")
    firma("machine", "cpu", "-q", "--languages", "c", "--time", "1", "--compiler-options=-O1", "-o", machine).expect(0)
    languages = load(machine)["processors"][0]["languages"]
    check_equal([costs["options"] for costs in languages], ["", "-O1"], "options")
    compiled = ["stream", "leap", "roam", "follow", "descend"] if shutil.which("llvm-mca") else []
    check_equal([far["operation"] for far in languages[1]["far"]], ["element", "stray", "reference", *compiled], "far")
    near = [far["operation"] for far in languages[1]["far"] if far["cost_s"][0] == 0]
    check_equal(near, ["stray", "reference", *compiled[2:]], "what may be near")
    check(all(far["shape"] == sorted(far["shape"]) for far in languages[1]["far"] if "shape" in far), "larger data are nearer")
    priced = [name for name in ("cycle_int64", "surprise_int8") if name in languages[1]["operations"]]
    check_equal(priced, ["cycle_int64", "surprise_int8"] if compiled else [], "what only compiled code has is priced")
    for name, (low, high) in languages[1]["operations"].items():
        check(0 <= low <= high < 1, f"{name} costs {low} to {high} s")
    alone, compiled_in = ([costs["operations"][name] for name in OF_TEXTS] for costs in languages)
    check_equal(compiled_in, alone, "operations on texts, which don't depend on the program's options")
    with open(os.path.join(directory, "app.c"), "w", encoding="utf-8") as file:
        file.write("double f(long n) { double s = 0; for (long i = 0; i < n; i++) s += i * 0.5; return s; }\n")
    if compiled:
        low, high = languages[1]["guess"]
        check(0 < low <= 1 <= high, f"guesses narrow the interval: {low} to {high}")
    for options, words in (("-O1 -Wall", "in code compiled with -O1"), ("-O3", "one by one")):
        with open(flow, "w", encoding="utf-8") as file:
            file.write(f'application app batch f {{ source "app.c" options "{options}"; entry f; tasks 1; argument n = 1000 }}\n')
        out = firma("cost", "predict", flow, "-m", machine, "--workers", "1", "--no-messages").expect(0).out
        check(words in out, f"`{words}` is missing\n{out}")


@test("kernels run in rounds, and none begins when the time is up")
def rounds(directory):
    source, library = os.path.join(directory, "kernels.c"), os.path.join(directory, "kernels.so")
    with open(source, "w", encoding="utf-8") as file:
        file.write("double f(long n, long times) { return n * times; }\n")
    run(["cc", "-shared", "-fPIC", "-o", library, source]).expect(0)
    program = os.path.join(os.path.dirname(FIRMA), "../cost/cpu/worker/firma-cpu-kernels")
    for seconds, n_rounds, n_new in ((0, 1, 0), (100, 3, 2)):
        words = [program, "3", "2", str(seconds), library, "f", "1", "2", "f", "3", "4"]
        lines = run(words).expect(0).out.splitlines()
        check_equal([line.split()[:2] for line in lines],
                    [["new", "0"]] * n_new + [["new", "1"]] * n_new + [["run", "0"], ["run", "1"]] * n_rounds + [["done"]], "what ran")


@test("intervals are wider where a probability is assumed, and narrow where it's given")
def guessed(directory):
    machine, flow = os.path.join(directory, "machine.json"), os.path.join(directory, "app.pasl")
    operations = {f"{name}_{kind}": [1e-9, 1e-9] for name in OF_ANY for kind in TYPES}
    operations |= {f"{name}_{kind}": [1e-9, 1e-9] for name in OF_WHOLE for kind in TYPES[:4]} | {"branch_int32": [1e-9, 1e-9]}
    costs = {"language": "c", "options": "-O1", "benchmark_s": 1, "operations": operations, "guess": [0.5, 2]}
    with open(machine, "w", encoding="utf-8") as file:
        json.dump({"format": "firma machine", "version": 1, "processors": [
            {"name": "own", "cores": 1, "languages": [costs]}]}, file)
    with open(os.path.join(directory, "app.c"), "w", encoding="utf-8") as file:
        file.write("long f(const int *a, long n) { long s = 0; for (long i = 0; i < n; i++) if (a[i]) s += i; return s; }\n")
    with open(flow, "w", encoding="utf-8") as file:
        file.write('application app batch f { source "app.c" options "-O1"; entry f; tasks 1; argument a = 0; argument n = 1000 }\n')
    words = ("cost", "predict", flow, "-m", machine, "--workers", "1", "--no-messages", "--json")
    ratios = []
    for more in ((), ("--set", "Q_app_1=0.5")):
        low, high = json.loads(firma(*words, *more).expect(0).out)["predictions"][0]["time_s"]
        ratios.append(round(high / low, 6))
    check_equal(ratios, [4, 1], "high/low")


def time_of(directory, source, entry, tasks=1, far=(), **costs):
    """The predicted time of tasks compiled at -O1, whose argument is 1000, if operations cost nothing but these."""
    machine, flow = os.path.join(directory, "machine.json"), os.path.join(directory, "app.pasl")
    operations = {f"{name}_{kind}": [0, 0] for name in OF_ANY + OF_WHOLE for kind in TYPES}
    operations |= {"branch_int32": [0, 0], "allocate_reference": [0, 0], **costs}
    with open(machine, "w", encoding="utf-8") as file:
        json.dump({"format": "firma machine", "version": 1, "processors": [{"name": "own", "cores": 1, "languages": [
            {"language": "c", "options": "-O1", "benchmark_s": 1, "operations": operations, "far": list(far)}]}]}, file)
    with open(os.path.join(directory, "app.c"), "w", encoding="utf-8") as file:
        file.write(source)
    with open(flow, "w", encoding="utf-8") as file:
        file.write(f'application app batch f {{ source "app.c" options "-O1"; entry {entry}; tasks {tasks}; argument n = 1000 }}\n')
    found = firma("cost", "predict", flow, "-m", machine, "--workers", "1", "--no-messages", "--json").expect(0)
    return [round(end, 12) for end in json.loads(found.out)["predictions"][0]["time_s"]]


WRITING = """#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
static char text[64];
long letters(long n) { long s = 0; for (long i = 0; i < n; i++) s += isalpha((int)i % 128) ? toupper((int)i % 128) : 1; return s; }
long parses(long n) { double s = 0; for (long i = 0; i < n; i++) s += atoi(text) + strtod(text, NULL); return (long)s; }
long formats(long n) { for (long i = 0; i < n; i++) snprintf(text, sizeof text, "%ld %g\\n", i, i * 0.5); return n; }
long prints(long n) { for (long i = 0; i < n; i++) { printf("%d\\n", (int)i); putchar('a'); puts(text); } return n; }
long guards(long n) { if (n > 1 && !fopen(text, "r")) { fprintf(stderr, "%ld\\n", n); return -1; } return n; }
"""


@test("numbers in texts cost what was measured, in compiled code, too; characters need no cost of their own")
def texts(directory):
    costs = {"parse_int32": [1e-9, 2e-9], "parse_double": [2e-8, 3e-8], "format_int32": [1e-7, 2e-7],
             "format_double": [2e-6, 3e-6], "format_int8": [1e-5, 2e-5], "format_reference": [1e-4, 3e-4]}
    for entry, expected in (("letters", [0, 0]), ("parses", [21e-6, 32e-6]), ("formats", [2.1e-3, 3.2e-3]),
                            ("prints", [110.1e-3, 320.2e-3])):
        for first in ("", "#define _FORTIFY_SOURCE 2\n"):
            time_s = time_of(directory, first + WRITING, entry, **costs)
            check_equal(time_s, [round(end, 12) for end in expected], f"{first}{entry}")
    check_equal(time_of(directory, WRITING, "letters"), [0, 0], "a machine model without such costs")
    flow, machine = os.path.join(directory, "app.pasl"), os.path.join(directory, "machine.json")
    words = ("cost", "predict", flow, "-m", machine, "--workers", "1", "--no-messages")
    with open(flow, encoding="utf-8") as file:
        application = file.read()
    for entry, lacking, given in (("parses", "parse_double on own, parse_int32 on own", ()), ("formats", None, ()),
                                  ("guards", None, ("--set", "cost_fopen=0"))):
        with open(flow, "w", encoding="utf-8") as file:
            file.write(application.replace("entry letters", f"entry {entry}"))
        result = firma(*words, *given).expect(3 if lacking else 0)
        check(not lacking or f"lacks the costs of these operations: {lacking}" in result.err, result.err)


TAKING = """#include <stdlib.h>
static double *take(long n) { double *a = malloc(n * sizeof *a); return a; }
static double *retake(long n) { return malloc(n * sizeof(double)); }
static void give(double *a) { free(a); }
static double kept[1000];
double once(long n) { double *a = take(n), *b = malloc(n * sizeof *b); give(a); free(b); return n; }
double rows(long n) { double **a = malloc(10 * sizeof *a); for (int i = 0; i < 10; i++) a[i] = take(n); return n; }
double again(long n) { for (int i = 0; i < 10; i++) { double *a = retake(n); give(a); } return n; }
double behind(long n) { double *a = take(n); if (!a) { free(a); return 0; } a = take(n); free(a); a = malloc(n * 8); free(a); return n; }
double grown(long n) { double *a = realloc(0, n * sizeof *a); free(a); return n; }
double aligned(long n) { void *a = 0, *b = aligned_alloc(64, n); posix_memalign(&a, 64, n); free(a); free(b); return n; }
double fixed(long n) { for (long i = 0; i < n; i++) kept[i] = i; return kept[n / 2]; }
double nodes(long n) { void **head = 0; for (long i = 0; i < n; i++) { void **one = malloc(sizeof *one); *one = head; head = one; } return n; }
"""


@test("a process's first memory is new; what was freed, or an earlier task had, may be used again")
def new_memory(directory):
    for entry, tasks, expected in (("once", 1, [32e-6, 48e-6]), ("once", 4, [32e-6, 192e-6]),
                                   ("rows", 1, [160.192e-6, 240.288e-6]), ("again", 1, [16e-6, 240e-6]),
                                   ("behind", 1, [48e-6, 72e-6]), ("grown", 1, [16e-6, 24e-6]), ("aligned", 1, [4e-6, 6e-6]),
                                   ("fixed", 1, [0, 24e-6]), ("fixed", 4, [0, 24e-6]), ("nodes", 1, [64e-6, 96e-6])):
        time_s = time_of(directory, TAKING, entry, tasks, allocate_int8=[2e-9, 3e-9])
        check_equal(time_s, [round(end, 12) for end in expected], f"{entry}, {tasks} tasks")


@test("blocks that a loop frees are data once, not with each iteration")
def recycled_data(directory):
    source = """#include <stdlib.h>
long f(long n) { long s = 0; for (long i = 0; i < n; i++) { int *a = calloc(1000, 4); s += a[a[i %% 1000] + i %% 7]; free(a); } return s; }
"""
    far = {"near_bytes": 1e5, "cost_s": [1e-6, 1e-6], "shape": [1, 1]}
    machine_far = [{"operation": "stray", **far}]
    time_s = time_of(directory, source.replace("%%", "%"), "f", far=machine_far)
    check_equal(time_s, [0, 0], "4 kB in the caches")


STEPPING = """#include <stdlib.h>
struct node { struct node *next; long key; };
struct text { const char *at; };
static long sum(struct node *p, long n) { long s = 0; for (long i = 0; i < n; i++) { p = p->next; s += p->key; } return s; }
long neighbours(long n) {
  struct node *a = malloc(n * sizeof *a);
  for (long i = 0; i < n; i++) a[i].next = i + 1 < n ? &a[i + 1] : 0;
  return sum(a, n - 1);
}
long pushed(long n) {
  struct node *head = 0;
  for (long i = 0; i < n; i++) { struct node *one = malloc(sizeof *one); one->next = head; head = one; }
  return sum(head, n);
}
long shuffled(long n) {
  struct node *a = malloc(n * sizeof *a);
  for (long i = 0; i < n; i++) a[i].next = &a[i * 7 %% n];
  return sum(a, n);
}
static int letter(struct text *t, const char *buffer) { int c = *t->at; %s; return c; }
long letters(long n) {
  char *buffer = calloc(n + 1, 1);
  struct text text = {0};
  long s = 0;
  text.at = buffer;
  for (long i = 0; i < n; i++) s += letter(&text, buffer);
  return s;
}
"""


@test("a reference that steps through an array, or to a neighbour, isn't far away")
def near_references(directory):
    source = STEPPING % "t->at++"
    for entry, far in (("neighbours", 0), ("pushed", 0), ("shuffled", 1000), ("letters", 0)):
        time_s = time_of(directory, source, entry, field_reference=[1e-6, 1e-6])
        check_equal(time_s, [far * 1e-6] * 2, entry)
    for step, far in (("t->at += 2", 0), ("t->at = t->at + 1", 0), ("t->at = buffer + c", 1000)):
        time_s = time_of(directory, STEPPING % step, "letters", field_reference=[1e-6, 1e-6])
        check_equal(time_s, [far * 1e-6] * 2, step)


@test("surprises of branches whose probability is assumed are the mean of those that were counted in the kernels")
def assumed_surprise(directory):
    del directory
    root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "src", "cost")
    with open(os.path.join(root, "context", "rewriter.h"), encoding="utf-8") as file:
        assumed = float(re.search(r"REWRITER_ASSUMED_SURPRISE ([\d.]+)", file.read())[1])
    with open(os.path.join(root, "cpu", "kernels", "kernels.pasl"), encoding="utf-8") as file:
        shares = [min(float(q), 1 - float(q)) for q in re.findall(r"; Q \S+ = ([\d.e-]+)", file.read())]
    check(len(shares) > 50 and abs(sum(shares)/len(shares) - assumed) < 0.002, f"{sum(shares)/len(shares)} in {len(shares)}")


@test("options that the compiler refuses are an error that quotes it")
def refused_options(directory):
    result = firma("machine", "cpu", "--languages", "c", "--time", "1", "--compiler-options=-fno-such-thing", "-o",
                   os.path.join(directory, "machine.json")).expect(2)
    check("-fno-such-thing" in result.err and not os.listdir(directory), result.err)


@test("a second measurement names the first, and waits for it")
def in_turn(directory):
    first = os.path.join(directory, "first.json")
    process = subprocess.Popen([FIRMA, "machine", "cpu", "-q", "--languages", "c", "--time", "4", "-o", first],
                               env={**os.environ, "XDG_RUNTIME_DIR": directory})
    wait_until(lambda: any(name.endswith(".lock") for name in os.listdir(directory)), "the first measures")
    result = firma("machine", "cpu", "--languages", "c", "--time", "1", env={"XDG_RUNTIME_DIR": directory}).expect(0)
    check(os.path.exists(first), "it didn't wait")
    check_equal(process.wait(), 0, "status of the first")
    check(f"waits, because another measurement would disturb this one: process {process.pid} on " in result.err, result.err)
    check_equal(os.listdir(directory), ["first.json"], "what is left behind")


@test("costs of operations of Java are measured on the JVM that is found, also in warm code, even if the time is short")
def of_java(directory):
    if not shutil.which("javac"):
        raise Skip("there is no JDK")
    document = firma("machine", "cpu", "--languages", "java", "--time", "1", "--json", env={"TMPDIR": directory}).expect(0).json()
    costs, warm = document["languages"]
    check_equal([warm["language"], warm["options"], warm["compiler"]], ["java", "warm", costs["compiler"] + ", warm"], "warm code")
    for name, (low, high) in warm["operations"].items():
        check(0 <= low <= high < 1, f"{name} costs {low} to {high} s in warm code")
    check_equal([costs["language"], document["verb"]], ["java", "machine"], "language and verb")
    check(costs["compiler"] and costs["benchmark_s"] > 0, f"no JVM or no benchmarks\n{costs}")
    check_complete(costs["operations"])
    check_equal(os.listdir(directory), [], "classes that are left behind")


@test("if kernels in Java don't run, operations are measured one by one alone, and a note says so")
def without_kernels(directory):
    if not shutil.which("javac"):
        raise Skip("there is no JDK")
    with open(os.path.join(directory, "java"), "w", encoding="utf-8") as file:
        file.write('#!/bin/sh\ncase "$*" in\n*FirmaKernels*) echo java.lang.OutOfMemoryError; exit 1;;\nesac\n'
                   f'exec {shutil.which("java")} "$@"\n')
    os.chmod(file.name, 0o755)
    result = firma("machine", "cpu", "--languages", "java", "--time", "1", "--json",
                   env={"PATH": directory + os.pathsep + os.environ["PATH"]}).expect(0)
    check_equal([costs.get("options", "") for costs in result.json()["languages"]], [""], "contexts")
    check("java isn't measured in warm code" in result.err and "OutOfMemoryError" in result.err, result.err)


@test("an interrupt while kernels in Java run writes nothing and leaves nothing")
def interrupted_in_java(directory):
    if not shutil.which("javac"):
        raise Skip("there is no JDK")
    process = subprocess.Popen([FIRMA, "machine", "cpu", "--languages", "java", "--time", "1", "-o",
                                os.path.join(directory, "machine.json")], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL,
                               text=True, env={**os.environ, "TMPDIR": directory})
    wait_until(lambda: process.poll() is not None or glob.glob(os.path.join(directory, "firma-cpu-*", "Kernels.class")), "kernels run")
    process.send_signal(signal.SIGINT)
    err = process.communicate()[1]
    check_equal([process.returncode, os.listdir(directory)], [1, []], f"status and files\n{err}")
    check("interrupted" in err, f"not said\n{err}")


@test("tasks in Java have the costs of warm code, whatever options their compiler has")
def of_warm_tasks(directory):
    if not shutil.which("javac"):
        raise Skip("there is no JDK")
    machine, flow = os.path.join(directory, "machine.json"), os.path.join(directory, "app.pasl")
    operations = {f"{name}_{kind}": [1e-9, 2e-9] for name in ("assign", "access", "sum", "compare") for kind in ("int32", "int64")}
    languages = [{"language": "java", "options": options, "benchmark_s": 1, "operations": operations} for options in ("", "warm")]
    with open(machine, "w", encoding="utf-8") as file:
        json.dump({"format": "firma machine", "version": 1, "processors": [
            {"name": "own", "cores": 1, "languages": languages}]}, file)
    with open(os.path.join(directory, "App.java"), "w", encoding="utf-8") as file:
        file.write("class App { static int f(int n) { int s = 0; for (int i = 0; i < n; i++) s += i; return s; } }\n")
    with open(flow, "w", encoding="utf-8") as file:
        file.write('application app batch f { source "App.java" options "-cp ."; entry App.f; tasks 1; argument n = 1000 }\n')
    out = firma("cost", "predict", flow, "-m", machine, "--workers", "1", "--no-messages").expect(0).out
    for words in ("in code that the JVM has compiled", "compiled in the same way"):
        check(words in out, f"`{words}` is missing\n{out}")
    languages.append(languages[1])
    with open(machine, "w", encoding="utf-8") as file:
        json.dump({"format": "firma machine", "version": 1, "processors": [
            {"name": "own", "cores": 1, "languages": languages}]}, file)
    check("languages[2]" in firma("machine", "show", machine).expect(3).err, "a second entry isn't refused")


@test("a kind is replaced by its name, and all else in the file stays")
def into(directory):
    machine = os.path.join(directory, "machine.json")
    before = {"format": "firma machine", "version": 1, "date": "2026-01-01T00:00:00Z", "command": "firma comm",
              "hosts": [{"name": "anna", "system": "Linux", "processor": "made up", "cpus": 2}], "paths": [],
              "collectives": [], "processors": [
                  {"name": name, "cores": 3, "hosts": ["anna"], "languages": [
                      {"language": "java", "benchmark_s": 2.5, "operations": {"sum_double": [1e-9, 2.5e-9]}}]}
                  for name in ("old", "own")]}
    with open(machine, "w", encoding="utf-8") as file:
        json.dump(before, file)
    firma("machine", "cpu", "--languages", "c", "--time", "1", "--kind", "own", "--into", machine).expect(0)
    after = load(machine)
    old, own = after.pop("processors")
    check_equal(old, before["processors"][0], "the other kind")
    check_equal(after, {key: value for key, value in before.items() if key != "processors"}, "the rest of the file")
    check_equal([own["hosts"], [costs["language"] for costs in own["languages"]]], [["anna"], ["java", "c"]], "kind")
    check_equal(own["languages"][0], before["processors"][1]["languages"][0], "the language that wasn't measured")
    firma("machine", "cpu", "--languages", "c", "--time", "1", "--kind", "new", "--into", machine).expect(0)
    check_equal([kind["name"] for kind in load(machine)["processors"]], ["old", "own", "new"], "kinds")


@test("errors in a request or a file are reported before anything is measured")
def refused(directory):
    machine = os.path.join(directory, "machine.json")
    for word, options in (("fortran", ("--languages", "fortran")), ("twice", ("--languages", "c,c")), ("--time", ("--time", "soon")),
                          ("--kind", ("--kind", ""))):
        result = firma("machine", "cpu", *options).expect(2)
        check(word in result.err, f"`{word}` isn't named\n{result}")
    check_equal(firma("machine", "show", machine, "--kind", "own").status, 2, "status of an option of another verb")
    for place, operations in (("sum_complex", {"sum_complex": [0, 1]}), ("sum_double", {"sum_double": [2, 1]})):
        with open(machine, "w", encoding="utf-8") as file:
            json.dump({"format": "firma machine", "version": 1, "processors": [{"name": "own", "cores": 1, "languages": [
                {"language": "c", "benchmark_s": 1, "operations": operations}]}]}, file)
        result = firma("machine", "cpu", "--into", machine, "--time", "60").expect(3)
        check(machine in result.err and f"processors[0].languages[0].operations.{place}" in result.err,
              f"`{place}` isn't named\n{result}")


@test("a directory is no machine model to be edited")
def into_directory(directory):
    result = firma("machine", "cpu", "--into", directory).expect(3)
    check(f"{directory}: is a directory; expected a file" in result.err, f"it isn't said\n{result}")


@test("without a JVM, C alone is measured, and Java asked for is refused")
def without_java(directory):
    environment = {"PATH": directory}
    result = firma("machine", "cpu", "--time", "1", "--json", env=environment).expect(0)
    check_equal([costs["language"] for costs in result.json()["languages"]], ["c"], "languages")
    check("java isn't measured" in result.err, f"no note\n{result}")
    check("openjdk" in firma("machine", "cpu", "--languages", "java", env=environment).expect(4).err, "no package is named")


@test("an interrupt ends the measurement, writes nothing and leaves nothing")
def interrupted(directory):
    machine = os.path.join(directory, "machine.json")
    process = subprocess.Popen([os.environ["FIRMA"], "machine", "cpu", "--time", "60", "-o", machine], stderr=subprocess.PIPE,
                               stdout=subprocess.DEVNULL, text=True, env={**os.environ, "TMPDIR": directory})
    while not [name for name in os.listdir(directory) if name.startswith("firma-cpu-")]:
        time.sleep(0.05)
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    err = process.communicate()[1]
    check_equal([process.returncode, os.listdir(directory)], [1, []], f"status and files\n{err}")
    check("interrupted" in err, f"not said\n{err}")


main()
