# SPDX-License-Identifier: BSD-3-Clause
"""firma cost run: tasks in C and Java under both MPIs, failing tasks, calibration."""

import glob
import json
import math
import os
import re
import shutil
import signal
import struct
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor

from harness import (FIRMA, HANG_LIMIT_S, Skip, check, check_equal, firma, launcher, main, small_disk, some, test,
                     wait_until)

SOURCE = """#include <stdio.h>
#include <stdlib.h>
long sum(long from, int n) { long s = 0; for (long i = 0; i < n; i++) s += from + i; return s; }
int crash(int i) { if (i == 3) *(volatile int *)0 = 1; return i; }
int leave(int i) { if (i == 3) exit(7); return i; }
int hang(int i) { volatile int go = i == 3; while (go) continue; return i; }
int point(int n, double *values) { return n + (int)values[0]; }
int threads(int n) {
  int t = 1;
#ifdef _OPENMP
  extern int omp_get_num_threads(void);
#pragma omp parallel
#pragma omp master
  t = omp_get_num_threads();
#endif
  return n * t;
}
void nothing(double x) { printf("x is %g\\n", x); }
"""
JAVA = """class Task {
  static long sum(long from, int n) { long s = 0; for (long i = 0; i < n; i++) s += from + i; return s; }
  static int crash(int i) { if (i == 3) throw new IllegalStateException("no"); return i; }
  static void leave(int i) { if (i == 3) System.exit(7); }
  static void hang(int i) { while (i == 3); }
  static int point(int n, double[] values) { return n; }
}
"""
MACHINE = """{"format": "firma machine", "version": 1, "processors": [
  {"name": "old", "cores": 1, "languages": [{"language": "c", "benchmark_s": 2, "operations": %s}]},
  {"name": "fast", "cores": 1, "languages": [{"language": "c", "benchmark_s": 1, "operations": %s}]}]}
"""


def need(mpi, language="c"):
    launcher(mpi, 1)
    if shutil.which("javac" if language == "java" else "cc") is None:
        raise Skip(f"there is no compiler for {language}")


def save(directory, name, text):
    path = os.path.join(directory, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def save_flow(directory, entry, arguments="argument i = task", language="c", more=""):
    save(directory, "task.c", SOURCE)
    save(directory, "Task.java", JAVA)
    source, prefix = ("Task.java", "Task.") if language == "java" else ("task.c", "")
    return save(directory, "app.pasl",
                f"application app\nbatch b {{\n  source {source} entry {prefix}{entry}\n  tasks 5\n  {arguments}\n"
                f"  receives 100 kB returns 3 bytes\n}}\n{more}")


def run(directory, *words, env=None, **options):
    """Runs with temporary files in the directory, and checks that none remain."""
    temporary = tempfile.mkdtemp(dir=directory)
    result = firma("cost", "run", *words, env={"TMPDIR": temporary, **(env or {})}, **options)
    left = [name for name in os.listdir(temporary) if name.startswith("firma-run-")]
    check_equal(left, [], "files that are left")
    return result


class Runs:
    @staticmethod
    def counts(directory, mpi, language):
        need(mpi, language)
        more = ("batch c { source task.c entry sum tasks 1 argument from = 100 argument n = 2 }\n"
                'batch d { source task.c options "-fopenmp" entry threads tasks 1 argument n = 10 value omp_threads = 2 }\n'
                'batch e { source task.c options "-fopenmp" entry threads tasks 1 argument n = 10 }\nflow b -> c -> d -> e\n')
        flow = save_flow(directory, "sum", "argument from = 10*task\n  argument n = 3", language, more)
        results = os.path.join(directory, "results.json")
        document = run(directory, flow, "--workers", 2, "--repeat", 2, "--mpi", mpi, "-o", results,
                       "--json", env={"OMP_NUM_THREADS": "3"}).expect(0).json()
        check_equal([each["workers"] for each in document["runs"]], [2, 2], "workers")
        first, last, two, three = document["runs"][0]["batches"]
        check_equal(two["value"] + three["value"], [20, 30], "threads of omp_threads, and of OpenMP's own")
        check_equal(first["tasks"] + last["tasks"], [1, 2, 3, 4, 5, 1], "tasks")
        check_equal(first["value"] + last["value"], [33, 63, 93, 123, 153, 201], "what tasks returned")
        check(last["begin_s"] >= first["end_s"], "the second batch began before the first one had ended")
        check(all(0 <= task_s <= document["runs"][0]["time_s"] for task_s in first["task_s"]), "times of tasks")
        check("sum of values" in run(directory, flow, "--workers", "1", "--repeat", 1).expect(0).out, "text")
        return results


for each_mpi, each_language in some([("openmpi", "java"), ("mpich", "c")], [("openmpi", "c"), ("mpich", "java")]):
    test(f"tasks in {each_language} run under {each_mpi}, get their arguments and return their values, batch after batch")(
        lambda directory, mpi=each_mpi, language=each_language: Runs.counts(directory, mpi, language))


class Arrays:
    SUM = "double sum(int n, %s) { double s = 0; for (int i = 0; i < n; i++) { s += x[i] + 3 * y[i] + z[i]; y[i] = -1; } return s; }"

    @staticmethod
    @test("tasks in C and Java get arrays with the same numbers, each task its own, and predictions take their lengths")
    def filled(directory):
        need("openmpi", "java")
        save(directory, "a.c", Arrays.SUM % "const double *x, long *y, float z[]")
        save(directory, "A.java", "class A { static " + Arrays.SUM % "double[] x, long[] y, float[] z" + " }")
        arguments = "argument n = N\n argument double x[N] = random(3)\n argument long y[N] = random\n argument float z[N] = ramp"
        flow = save(directory, "app.pasl", "application app\nparameter N = 100\n" + "".join(
            f"batch {name} {{\n source {source} entry {entry} tasks 3\n {arguments}\n}}\n"
            for name, source, entry in (("c", "a.c", "sum"), ("java", "A.java", "A.sum"))))
        machine = save(directory, "machine.json", MACHINE % ("{}", "{}"))
        in_c, in_java = (each["value"] for each in run(directory, flow, "--workers", 1, "--repeat", 1,
                                                       "--json").expect(0).json()["runs"][0]["batches"])
        check_equal(in_c, in_java, "sums")
        # z adds up to 4950; x to about 50; y to about 4950, times 3.
        check(all(16000 < value < 24000 for value in in_c) and len(set(in_c)) == 3, f"sums are {in_c}")
        for old, new, message in (("float z[N]", "int z[N]", "wrong.pasl:8:"), ("long y[N] = random", "y = 2", "isn't a number; "
                                  "an array is written `argument double y[LENGTH] = zeros`"),
                                  ("z[N]", "z[N/3]", "wrong.pasl:8:19: argument `z` of task 1: the length would be 33.33"),
                                  ("float z", "float w", "wrong.pasl:8:19: the array `w` is called `z` in `sum`")):
            with open(flow, encoding="utf-8") as file:
                wrong = save(directory, "wrong.pasl", file.read().replace(old, new, 1))
            for words in (["run", wrong, "--repeat", 1], ["check", wrong], ["predict", wrong, "-m", machine, "--kinds", "old:1"]):
                result = firma("cost", *words).expect(3)
                check(message in result.err, f"`{message}` isn't said\n{result}")
        save(directory, "task.pamela", "work(x) = x sum_double\n")
        flow = save(directory, "app.pasl", "application app\nbatch b { source task.pamela entry work tasks 2 "
                                           "argument double x[100*task] = ramp }\n")
        costs = '{"sum_double": [1e-3, 1e-3]}'
        predicted = firma("cost", "predict", flow, "-m", save(directory, "machine.json", MACHINE % (costs, costs)), "--kinds",
                          "old:1", "--no-messages", "--json").expect(0).json()["predictions"][0]["time_s"]
        check_equal([round(each, 9) for each in predicted], [0.3, 0.3], "predicted")


class Dynamic:
    @staticmethod
    @test("with --allocation dynamic, free workers get the next task; each task runs once, batch after batch")
    def on_demand(directory):
        need("openmpi")
        more = "batch c { source task.c entry sum tasks 3 argument from = 100 argument n = 2 }\nflow b -> c\n"
        flow = save_flow(directory, "sum", "argument from = 10*task\n  argument n = 3", more=more)
        document = run(directory, flow, "--workers", 2, "--repeat", 2, "--allocation", "dynamic", "--json").expect(0).json()
        check_equal(document["allocation"], "dynamic", "allocation")
        for each in document["runs"]:
            first, last = each["batches"]
            check_equal(first["tasks"] + last["tasks"], [1, 2, 3, 4, 5, 1, 2, 3], "tasks")
            check_equal(first["value"] + last["value"], [33, 63, 93, 123, 153, 201, 201, 201], "what tasks returned")
            check(set(first["worker"]) == {1, 2} and set(last["worker"]) == {1, 2}, "a worker had nothing to do")
            check(last["begin_s"] >= first["end_s"], "the second batch began before the first one had ended")
        flow = save_flow(directory, "crash")
        result = run(directory, flow, "--workers", 2, "--repeat", 1, "--allocation", "dynamic").expect(1)
        check("batch `b`, task 3 (worker " in result.err, f"the task isn't named\n{result}")

    @staticmethod
    @test("a prediction of tasks on demand gives the fast worker more tasks, and is printed beside the run's")
    def predicted(directory):
        save(directory, "task.pamela", "work(n) = n sum_double\n")
        flow = save(directory, "app.pasl", "application app\nbatch b { source task.pamela entry work tasks 6 "
                                           "argument n = 10^9 }\n")
        costs = '{"sum_double": [%s, %s]}'
        words = [flow, "-m", save(directory, "machine.json", MACHINE % (costs % (2e-9, 2e-9), costs % (1e-9, 1e-9))),
                 "--kinds", "old:1,fast:1", "--no-messages", "--allocation", "dynamic"]
        document = firma("cost", "predict", *words, "--json").expect(0).json()
        predicted = document["predictions"][0]
        check_equal([document["allocation"], [each["tasks_each"] for each in predicted["tasks"]]], ["dynamic", [2, 4]],
                    "allocation")
        # By hand 4 s. On unequal workers, the interval is wider by the longest task, and not below 6/(1/2 + 1/1).
        check_equal([round(each, 9) for each in predicted["time_s"]], [4, 6], "interval")
        check("A free worker gets the next task" in firma("cost", "predict", *words).expect(0).out, "text")
        for words, message in ((["predict", *words, "--model"], "--model prints tasks that are given beforehand"),
                               (["run", *words[:-3], "--allocation", "dynamic", "--calibrate"], "leave out --allocation")):
            check(message in firma("cost", *words).expect(2).err, message)


class Failures:
    @staticmethod
    def named(directory, mpi, language):
        need(mpi, language)
        words = {"c": ("was killed by signal 11", "ended its process with status 7"),
                 "java": ("threw java.lang.IllegalStateException: no at Task.java:3", "ended its process with status 7")}
        for entry, why, timeout in (("crash", words[language][0], "10m"), ("leave", words[language][1], "10m"),
                                    ("hang", "exceeded the timeout of 5 s", "5s")):
            flow = save_flow(directory, entry, language=language)
            where = "batch `b`, task 3 (worker 1, on "
            for _ in range(6):  # UCX sometimes ends the master of MPICH, too, when a worker is gone
                result = run(directory, flow, "--workers", 2, "--repeat", 1, "--mpi", mpi, "--timeout", timeout).expect(1)
                if mpi == "openmpi" or where in result.err:
                    break
            for text in (where, why):
                check(text in result.err, f"`{text}` isn't said\n{result}")

    @staticmethod
    @test("compile errors are reported with the user's file and line; parameters that are no numbers are named")
    def compiled(directory):
        need("openmpi")
        flow = save_flow(directory, "sum", "argument from = task\n  argument n = 1")
        for text, message in ((SOURCE.replace("return s;", "return s"), "task.c:3:"), (SOURCE + "int f(void) {", "task.c:19:"),
                              (SOURCE.replace("s += ", "s += missing() + "), "undefined reference to `missing'")):
            save(directory, "task.c", text)
            result = run(directory, flow).expect(3)
            check(message in result.err, f"`{message}` isn't said\n{result}")
        for entry, arguments, message in (
                ("point", "argument n = 1\n  argument values = 2", "app.pasl:6:21: argument `values`: parameter 2 of `point`"),
                ("sum", "argument n = 1", "too few arguments"), ("absent", "", "app.pasl:2:19: error: 'absent' undeclared")):
            result = run(directory, save_flow(directory, entry, arguments)).expect(3)
            check(message in result.err, f"`{message}` isn't said\n{result}")

    @staticmethod
    @test("the same for Java")
    def compiled_java(directory):
        need("openmpi", "java")
        flow = save_flow(directory, "sum", "argument from = task\n  argument n = 1", "java")
        save(directory, "Task.java", JAVA.replace("return s;", "return s"))
        check("Task.java:2: error: ';' expected" in run(directory, flow).expect(3).err, "the compiler's words")
        for entry, arguments, message in (("point", "argument n = 1\n  argument values = 2", "parameter `values` of Task.point"),
                                          ("absent", "", "app.pasl:2: batch `b`: there is no method Task.absent with 0 parameters")):
            result = run(directory, save_flow(directory, entry, arguments, "java"), "--repeat", 1).expect(3)
            check(message in result.err, f"`{message}` isn't said\n{result}")

    @staticmethod
    def begin(directory, *words):
        """A run whose third task hangs, and the folder of its files."""
        need("openmpi")
        flow = save_flow(directory, "hang")
        process = subprocess.Popen([FIRMA, "cost", "run", flow, *words], env={**os.environ, "TMPDIR": directory},
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        library = None

        def task_runs():
            nonlocal library
            library = library or next((name for name in os.listdir(directory) if name.startswith("firma-run-")), None)
            # The compiler's words name the library, too.
            return library and any("firma-cost-tasks" in words[0] for words in Failures.users(os.path.join(directory, library)))

        wait_until(task_runs, "a task runs", 0.1)
        return process, os.path.join(directory, library)

    @staticmethod
    @test("Ctrl-C ends a run, and leaves neither processes nor files")
    def interrupted(directory):
        process, folder = Failures.begin(directory)
        # What Open MPI leaves if it is stopped while processes start is in folders that firma removes.
        shared = glob.glob(f"/dev/shm/{os.path.basename(folder).rsplit('-', 1)[0]}-*")
        check(len(shared) == 1 and glob.glob(f"{folder}/ompi.*"), f"Open MPI's files are elsewhere: {shared}")
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=HANG_LIMIT_S)
        check_equal(process.returncode, 1, f"status\n{err}")
        check("interrupted" in err, err)
        check(not os.path.exists(folder) and not os.path.exists(shared[0]), "its files are left")
        check_equal(Failures.users(folder), [], "processes that are left")

    @staticmethod
    @test("if SIGKILL ends a run of tasks on demand, neither processes nor files of firma and of Open MPI are left")
    def killed(directory):
        process, folder = Failures.begin(directory, "--allocation", "dynamic", "--workers", "2")
        process.kill()
        process.communicate(timeout=HANG_LIMIT_S)
        wait_until(lambda: not Failures.users(folder), "the tasks end", 0.1)
        wait_until(lambda: not [name for name in os.listdir(directory) if name.startswith(("firma-", "ompi."))],
                   "the files are removed", 0.1)

    @staticmethod
    def users(folder):
        """Processes that were started with a file of the folder."""
        found = []
        for entry in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{entry}/cmdline", encoding="utf-8", errors="replace") as line:
                    words = line.read().split("\0")
            except OSError:
                continue
            if any(word.startswith(folder) and word.endswith(".so") for word in words):
                found.append(words)
        return found

    @staticmethod
    @test("wrong words of run are refused")
    def usage(directory):
        flow = save_flow(directory, "crash")
        for words, message in (([], "expected one flow file"), ([flow, "--kinds", "old:2"], "--kinds needs a machine"),
                               ([flow, "--calibrate"], "need a machine model"),
                               ([flow, "--set", "K=1"], "has no parameter `K`"),
                               ([flow, "--", "mpirun", "-n", "4"], "firma sets the number of processes itself"),
                               ([flow, "--repeat", "0"], "--repeat: 0 is less than 1"),
                               ([flow, "--mpi", "smpi"], "tasks run on openmpi or mpich")):
            result = firma("cost", "run", *words).expect(2)
            check(message in result.err, f"`{message}` isn't said\n{result}")


# Each language and each MPI once: neither language's part of the code asks which MPI it runs under.
for each_mpi, each_language in some([("openmpi", "java"), ("mpich", "c")], [("openmpi", "c"), ("mpich", "java")]):
    test(f"a task in {each_language} that crashes, ends its process or hangs is named under {each_mpi}")(
        lambda directory, mpi=each_mpi, language=each_language: Failures.named(directory, mpi, language))


PATH = """{"middleware": "%s", "transport": "tcp", "packing": "", "library": "", "from_host": 0, "to_host": 0, "linear": true,
  "largest_error": 0, "largest_bytes": 1000000, "segments": [{"from_bytes": 0, "error": 0,
  "latency_s": {"value": %s, "low": %s, "high": %s}, "s_per_byte": {"value": 1e-9, "low": 1e-9, "high": 1e-9}}]}"""
SEVERAL = """{"format": "firma machine", "version": 1, "date": "", "command": "", "collectives": [], "paths": [%s, %s],
  "hosts": [{"name": "here", "system": "", "processor": "", "cpus": 4}],
  "processors": [{"name": "here", "cores": 4, "languages": [
    {"language": "c", "benchmark_s": 1, "operations": {"sum_double": [1e-9, 2e-9]}}]}]}
""" % (PATH % ("openmpi", *["2e-6"] * 3), PATH % ("mpich", *["1e-6"] * 3))


class Configurations:
    @staticmethod
    @test("of several configurations of messages in a machine model, the fastest is taken, or that of --configuration")
    def several(directory):
        save(directory, "task.pamela", "work(n) = n sum_double\n")
        flow = save(directory, "app.pasl", "application app\nbatch b { source task.pamela entry work tasks 2 argument n = 9 "
                                           "receives 8 bytes }\n")
        words = [flow, "-m", save(directory, "machine.json", SEVERAL), "--workers", "1"]
        # A model written by hand can't be executed; but it was predicted before.
        check("a model that was written by hand" in run(directory, *words).expect(3).err, "it isn't predicted")
        for more, alpha_s, note in (([], 1e-6, "mpich tcp is the fastest; -c NAME takes another"),
                                    (["-c", "openmpi"], 2e-6, "")):
            predicted = firma("cost", "predict", *words, *more, "--json").expect(0).json()["predictions"][0]
            number = next(each for each in predicted["numbers"] if each["name"] == "alpha[master,here]")
            check_equal([number["value"], number["note"]], [[alpha_s, alpha_s], note], f"with {more}")
            check(note in firma("cost", "predict", *words, *more).expect(0).out, "the text doesn't say it")
        check("by pvm" in run(directory, *words, "-c", "pvm").expect(3).err, "a configuration that isn't there")
        result = run(directory, flow, "-c", "mpich").expect(2)
        check("--configuration needs a machine model" in result.err, result.err)


class Settings:
    @staticmethod
    @test("--set of a parameter that a later batch's model has is taken by --calibrate as by predict; others aren't there")
    def later(directory):
        save(directory, "one.pamela", "work(n) = n sum_double\n")
        save(directory, "two.pamela", "parameter K  # how often\nwork(n) = K*n sum_double\n")
        flow = save(directory, "app.pasl", "application app\n" + "".join(
            f"batch {name} {{ source {name}.pamela entry work tasks 2 argument n = 9 }}\n" for name in ("one", "two")))
        words = [flow, "-m", save(directory, "machine.json", SEVERAL), "--workers", "1"]
        ways = ["run", "--calibrate", "-o", os.path.join(directory, "calibration.json")], ["predict", "--no-messages"]
        for way, *more in ways:
            result = firma("cost", way, *words, *more, "--set", "K=3")
            check("there is no parameter" not in result.err, f"{way}\n{result}")
            result = firma("cost", way, *words, *more, "--set", "K=3", "--set", "L=3").expect(2)
            check("--set: there is no parameter `L`" in result.err, f"{way}\n{result}")


def path_without(directory, *missing):
    """Makes a folder to use as PATH, with links to all programs on it except these."""
    folder = os.path.join(directory, "bin")
    os.mkdir(folder)
    for place in os.environ["PATH"].split(os.pathsep):
        for name in os.listdir(place) if os.path.isdir(place) else []:
            if name not in missing and not os.path.lexists(os.path.join(folder, name)):
                os.symlink(os.path.join(place, name), os.path.join(folder, name))
    return folder


def add_missing_compiler(language, compiler, package):
    @test(f"without {compiler}, it and the batch are named with the package that it is in, and the exit status is 4")
    def missing(directory):
        need("openmpi", language)
        flow = save_flow(directory, "sum", "argument from = task\n  argument n = 1", language)
        path = path_without(directory, compiler)
        result = run(directory, flow, "--workers", 2, "--mpi", "openmpi", env={"PATH": path}).expect(4)
        check(f"batch `b` can't be compiled: {compiler}: cannot be started: No such file or directory" in result.err,
              f"it is not said\n{result}")
        check(f"apt-get install {package})" in result.err, f"the package is not named\n{result}")


add_missing_compiler("c", "cc", "gcc")
add_missing_compiler("java", "javac", "openjdk-17-jdk-headless")


BURNING = """#include <time.h>
const int firma_arrays = 0;
unsigned long firma_bytes(const double *arguments, int array) { return (void)arguments, (unsigned long)array; }
void firma_fill(const double *arguments, int array, void *to, void *draw) { (void)arguments, (void)array, (void)to, (void)draw; }
double firma_task(const double *arguments, void *const *arrays) {
  struct timespec now;
  (void)arrays;
  do clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now); while (now.tv_sec + 1e-9 * now.tv_nsec < arguments[0]);
  return 0;
}
"""


class Calibration:
    @staticmethod
    @test("a calibration's clock leaves out where other programs have a task's processor; a run's doesn't")
    def waiting(directory):
        need("openmpi")
        if not os.path.exists("/proc/thread-self/schedstat"):
            raise Skip("the kernel doesn't tell how long threads wait for a processor")
        library = os.path.join(directory, "burning.so")
        subprocess.run(["cc", "-shared", "-fPIC", "-o", library, save(directory, "burning.c", BURNING)], check=True)
        executor = os.path.join(os.path.dirname(FIRMA), "..", "cost", "run", "worker", "firma-cost-tasks")
        pinned = ["taskset", "--cpu-list", str(min(os.sched_getaffinity(0)))]
        others = [subprocess.Popen([*pinned, "sh", "-c", "while :; do :; done"]) for _ in range(2)]
        try:
            for clock, least_s, most_s in (("running", 0.27, 0.45), ("wall", 0.45, HANG_LIMIT_S)):
                order = f"0 {struct.pack('>d', 0.3).hex()}\n"
                out = subprocess.run([*pinned, executor, clock, library], input=order, capture_output=True, text=True,
                                     timeout=HANG_LIMIT_S, check=True).stdout
                time_s = 1e-9 * int(out.split()[2])
                check(least_s < time_s < most_s, f"{clock}: {time_s} s")
        finally:
            for other in others:
                other.kill()
                other.wait()

    @staticmethod
    @test("a calibration scales the predictions, which are printed beside the runs")
    def scale(directory):
        need("openmpi")
        save(directory, "work.c", "double work(long n) { volatile double x = 0; for (long i = 0; i < n; i++) x += 1; return x; }\n")
        flow = save(directory, "app.pasl", "application app\nparameter N = 10^6\nbatch b { source work.c entry work tasks 8 "
                                           "argument n = N }\n")
        model = firma("cost", "model", flow)
        if model.status == 4:
            raise Skip("firma was built without libclang")
        names = set(word for word in model.expect(0).out.replace(";", " ").split() if "_" in word and "(" not in word)
        costs = "{" + ", ".join(f'"{name}": [1e-9, 2e-9]' for name in sorted(names)) + "}"
        machine = save(directory, "machine.json", MACHINE % (costs, costs))
        calibration, results = os.path.join(directory, "calibration.json"), os.path.join(directory, "results.json")
        out = run(directory, flow, "-m", machine, "--kinds", "old:1,fast:1", "--calibrate", "--repeat", 3, "-o",
                  calibration).expect(0).out
        check("measured/predicted" in out and "old" in out and "fast" in out, out)
        words = [flow, "-m", machine, "--kinds", "old:1,fast:1", "--calibration", calibration]
        document = run(directory, *words, "-o", results, "--repeat", 1, "--json").expect(0).json()
        check_equal([document["runs"][0]["machines"], document["runs"][0]["is_calibrated"]], ["old:1,fast:1", True], "run")
        predicted = firma("cost", "predict", *words, "--no-messages", "--measured", results, "--json").expect(0).json()
        time_s = predicted["predictions"][0]["time_s"]
        check(all(abs(found - said) <= 1e-9 * said
                  for found, said in zip(document["runs"][0]["predicted_s"], time_s)), "two predictions differ")
        check(0 < time_s[0] < time_s[1] < math.inf, f"predicted is {time_s}")
        far = firma("cost", "predict", *words, "--no-messages", "--set", "N=10^8").expect(0)
        check("far from what was calibrated: N = 1e+08 instead of 1e+06" in far.err, far)
        out = run(directory, *words, "--set", "N=2*10^6", "--calibrate", "--repeat", 1).expect(0).out
        check("Added to 2 samples" in out, out)
        with open(calibration, encoding="utf-8") as file:
            runs = [each["runs"] for each in json.load(file)["calibrations"]]
        check_equal([[each["sizes"][0]["value"] for each in one] for one in runs], [[1e6, 2e6]] * 2, "sizes")
        check(all(1.9 < one[1]["computation_s"] / one[0]["computation_s"] < 2.1 for one in runs), runs)
        far = firma("cost", "predict", *words, "--no-messages", "--set", "N=10^8").expect(0)
        check("N = 1e+08 instead of 2e+06" in far.err, far)
        with open(calibration, encoding="utf-8") as file:
            document = json.load(file)
        old = save(directory, "old.json", json.dumps({**document, "calibrations": [
            each for each in document["calibrations"] if each["kind"] == "old"]}))
        exact = save(directory, "exact.json", MACHINE % (costs, costs.replace("2e-9", "1e-9")))
        wide = save(directory, "wide.json", MACHINE % (costs, costs.replace("1e-9", "1e-12")))
        for model, said in ((wide, "carried from old by the costs of operations"), (exact, "the costs' own interval: what old says is wider")):
            carried = firma("cost", "predict", flow, "-m", model, "--kinds", "fast:1", "--calibration", old, "--no-messages").expect(0)
            check(said in carried.out and "compiled code" not in carried.err, carried)
        cycles = save(directory, "cycles.json", MACHINE % (costs, costs.replace("1e-9", "1e-12").replace("{", '{"cycle_int64": [1e-9, 1.1e-9], ')))
        carried = firma("cost", "predict", flow, "-m", cycles, "--kinds", "fast:1", "--calibration", old, "--no-messages").expect(0)
        check("batch `b` on fast: what the calibration of old says is wider" in carried.err, carried)
        firma("cost", "run", flow, "-m", machine, "--calibrate").expect(2)
        words[words.index("-m") + 1] = save(directory, "other.json", MACHINE % (costs, costs.replace("1e-9", "1.5e-9")))
        other = firma("cost", "predict", *words, "--no-messages").expect(3)
        check("was calibrated with other costs of operations than the machine model has" in other.err, other)


# Of 0 … n - 1: what holds how often is known for n = 100 and 200.
COUNTED = """#include "counted.h"
#define EVEN(x) ((x) % 2 == 0)
#define LARGER(a, b) ((a) > (b) ? (a) : (b))
#define SAME(x) (x)
static int data[1000];
static int find(int n, int key) {
  for (int i = 0; i < n; i++)
    if (data[i] == key)
      return i;
  return -1;
}
static int depth(int k) { return data[k] == 0 ? 0 : 1 + depth(k - data[1]); }
long work(long n) {
  long sum = 0;
  for (int i = 0; i < n; i++) data[i] = i;
  for (int i = 0; i < n; i++) {
    int v = data[i];
    if (v < n / 4) sum++;
    else if (EVEN(v) && v % 10 == 0) sum += 2;
    sum += data[i] % 5 ? quarter(&data[i]) : 2;
    switch (v % 4) {
    case 0: sum++; /* falls through */
    case 1: case 2: sum += 2; break;
    default: sum += LARGER(v, 50) + SAME(v > 9 ? v : 1);
    }
    while (v > 0) v /= 2, v--;
    do v += 3; while (v % 4);
    for (;;) { if (v > data[i]) break; v += 10; }
  }
  for (int i = 0; i < n; i += 10) sum += find((int)n, data[i]) + depth(data[i]);
  if (data[0] > 0) while (data[0]) data[0]--;
  return sum;
}
"""
HEADER = "static int quarter(const int *v) { if (*v % 4 == 0) return *v + 3; return 1; }\n"


def expected_counts(n):
    """What the source above counts, by another program."""
    halves, ups, tens = 0, 0, 0
    for v in range(n):
        w = v
        while w > 0:
            w, halves = w // 2 - 1, halves + 1
        while True:
            w, ups = w + 3, ups + 1
            if w % 4 == 0:
                break
        while w <= v:
            w, tens = w + 10, tens + 1
    first = [v for v in range(n) if v >= n // 4]
    even = [v for v in first if v % 2 == 0]
    found = [10 * k + 1 for k in range(n // 10)]
    return {"Q_task_18": n // 4 / n, "Q_task_19_and": len(even) / len(first),
            "Q_task_19": sum(v % 10 == 0 for v in first) / len(first), "Q_task_20": 0.8, "Q_counted_1": 0.25,
            "Q_task_22": 0.25, "Q_task_23": 0.5, "Q_task_24": 0.25,
            "Q_task_24_2": sum(v > 50 for v in range(3, n, 4)) / (n // 4), "iterations_task_26": halves / n,
            "iterations_task_27": ups / n, "iterations_task_28": tens / n, "Q_task_8": 1, "share_task_7": sum(found) / (n * len(found)),
            "calls_task_12": sum(found) / len(found)}


PARTS = """#include <stdlib.h>
#include <string.h>
struct sizes { int few, many; };
struct level { struct sizes of, *also; double *u; char text[64]; };
static int line(const struct level *g) {
  int sum = 0;
  for (int i = 0; i < g->of.few; i++) sum++;
  for (int i = 0; i < (*g).of.many; i++) sum++;
  return sum;
}
static int far(struct level *g) {
  int sum = 0;
  if (g->also) for (int i = 0; i < g->also->many; i++) sum++;
  return sum;
}
static int square(const struct level *g) {
  int sum = 0;
  for (int i = 0; i < g->of.few; i++)
    for (int k = 0; k < g->of.few; k++) sum++;
  return sum;
}
static int rows(int n, int m) {
  int sum = 0;
  for (int i = 0; i < n; i++)
    for (int k = 0; k < m; k++) sum++;
  return sum;
}
static int product(int n) { return rows(n, n + 1); }
static int passed(struct sizes sizes) { int sum = 0; for (int i = 0; i < sizes.many; i++) sum++; return sum; }
static int inner(const struct sizes *sizes) { int sum = 0; for (int i = 0; i < sizes->few; i++) sum++; return sum; }
static int outer(struct level *g) { return inner(&g->of); }
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static struct level levels[100];
static int numbers[100];
static char buffer[100];
static void fill(int n) {
  for (int l = 0; l < n; l++) {
    levels[l].of.few = l + 1, levels[l].of.many = 2 * l;
    levels[l].also = l % 2 ? &levels[l].of : NULL;
    memset(levels[l].text, 'a', (size_t)(l + 1) % 64);
  }
}
long work(long n) {
  long sum = 0;
  fill((int)n);
  for (int l = 0; l < n; l++) {
    struct level *own = &levels[l];
    sum += line(own);
    sum += far(&levels[l]);
    sum += square(own);
    sum += product(levels[l].of.few - 1);
    sum += passed(own->of);
    sum += outer(own++);
    if (own == levels) {
      sum += inner(&own->of) + line(own);
      sum += (long)strlen(own->text);
    }
    own--;
    sum += (long)strlen(own->text);
    memcpy(buffer, own->text, (size_t)own->of.few + 1);
    sum += strcmp(buffer, levels[0].text);
    strcpy(buffer, own->text);
    sum += strchr(own->text, 'b') != NULL;
    qsort(numbers, (size_t)own->of.few, sizeof *numbers, compare);
    sum += bsearch(&numbers[0], numbers, (size_t)own->of.many, sizeof *numbers, compare) != NULL;
    strcat(buffer, own->text);
    sum += strstr(buffer + l, "aa") != NULL;
    sum += strrchr(buffer, 'a') != NULL;
  }
  return sum;
}
"""
# At n = 10, where few is 1 … 10 and many 0, 2 … 18. A text has few letters, the buffer twice as many in the end.
PARTS_COUNTED = {"g_of_few_task_48": 5.5, "g_of_many_task_48": 9, "g_also_many_task_49": 10, "sizes_many_task_52": 9,
                 "g_of_few_task_53": 5.5, "length_task_59": 5.5, "length_task_60": 6.5, "length_task_61": 1,
                 "length_task_62": 5.5, "length_task_63": 5.5, "length_task_64": 5.5, "length_task_65": 9,
                 "length_task_66": 11, "length_task_67": 0, "length_task_68": 11, "iterations_task_18": 5.5,
                 "iterations_task_24": 4.5}

# next() passes what isn't a structure yet.
NO_PARTS = """struct late;
static int use(struct late *p);
static struct late *next(struct late *p);
static int call(struct late *p) {
  return use(next(p));
}
struct late { int n; };
static int use(struct late *p) { int sum = 0; for (int i = 0; i < p->n; i++) sum++; return sum; }
static struct late *next(struct late *p) { return p + 1; }
static struct late lates[101];
long work(long n) {
  long sum = 0;
  void *any = lates;
  for (int l = 0; l <= n; l++) lates[l].n = 4;
  for (int l = 0; l < n; l++) {
    if (lates[l].n + l & 1) sum += call(&lates[l]);
    sum += use(any);
  }
  return sum;
}
"""


@test("where TMPDIR has no room for MPI's files, tasks don't begin")
def no_room(directory):
    need("openmpi")
    flow = save_flow(directory, "sum", "argument from = 1; argument n = 2", "c")
    with small_disk(directory, "4m") as disk:
        result = firma("cost", "run", flow, "--workers", "2", env={"TMPDIR": disk}).expect(4)
        check("the disk is nearly full" in result.err and not os.listdir(disk), result)


class Counting:
    @staticmethod
    def save(directory, source=COUNTED):
        need("openmpi")
        save(directory, "task.c", source)
        save(directory, "counted.h", HEADER)
        flow = save(directory, "app.pasl", "application app\nparameter N = 100\nbatch b { source task.c entry work tasks 1 argument n = N }\n")
        if firma("cost", "model", flow).status == 4:
            raise Skip("firma was built without libclang")
        return flow, os.path.join(directory, "counts.json")

    @staticmethod
    def values(counts, run):
        with open(counts, encoding="utf-8") as file:
            return {value["name"]: value for value in json.load(file)["batches"][0]["runs"][run]["values"]}

    @staticmethod
    def machine(directory, flow):
        model = firma("cost", "model", flow).expect(0).out
        names = set(re.findall(r"\b[a-z]+_(?:int8|int16|int32|int64|float|double|reference)\b", model))
        costs = "{" + ", ".join(f'"{name}": [1e-9, 2e-9]' for name in sorted(names)) + "}"
        return save(directory, "machine.json", MACHINE % (costs, costs))

    @staticmethod
    @test("--count counts conditions, branches that leave loops, cases, iterations and calls, also in a header")
    def counts(directory):
        flow, counts = Counting.save(directory)
        out = run(directory, flow, "--count", "-o", counts).expect(0)
        check("Q_task_24_3" in out.err and "isn't counted: a macro's body" in out.err, out)
        values = Counting.values(counts, 0)
        for name, value in expected_counts(100).items():
            check(name in values, f"{name} isn't counted\n{out}")
            check(abs(values[name]["value"] - value) < 1e-9, f"{name} is {values[name]}, expected {value}")
        check(not [name for name in os.listdir(directory) if name.startswith("firma-count")], "files remain")

    @staticmethod
    @test("counts are taken by predictions, below --set and the flow file; sizes tell how iterations grow")
    def predicts(directory):
        flow, counts = Counting.save(directory)
        run(directory, flow, "--count", "-o", counts).expect(0)
        words = ["cost", "predict", flow, "-m", Counting.machine(directory, flow), "--kinds", "old:1", "--no-messages"]
        firma(*words).expect(3)
        predicted = firma(*words, "--counts", counts, "--set", "Q_task_18=0.5", "--json").expect(0)
        numbers = {number["name"]: number for number in predicted.json()["predictions"][0]["numbers"]}
        check_equal([numbers["Q_task_18"]["from"], numbers["Q_task_19_and"]["from"]], ["given", "counted"], "origins")
        check("counts.json at N = 100" in numbers["Q_task_19_and"]["note"], numbers)
        check("nothing tells" not in predicted.err, predicted)
        larger = firma(*words, "--counts", counts, "--set", "N=400").expect(0)
        check("nothing tells how these change with N" in larger.err and "calls_task_12" in larger.err, larger)
        run(directory, flow, "--count", "--counts", counts, "--set", "N=200").expect(0)
        check_equal([len(Counting.values(counts, i)) > 10 for i in range(2)], [True, True], "sizes")
        larger = firma(*words, "--counts", counts, "--set", "N=400", "--json").expect(0)
        calls = [number for number in larger.json()["predictions"][0]["numbers"] if number["name"] == "calls_task_12"][0]
        sizes = [expected_counts(n)["calls_task_12"] for n in (100, 200)]
        check(abs(calls["value"][0] - sizes[1] ** 2 / sizes[0]) < 1e-6 * sizes[1], calls)
        check("two sizes tell how these grow" in larger.err and "calls_task_12 as N^1." in larger.err, larger)
        run(directory, flow, "--count", "--counts", counts, "--set", "N=400").expect(0)
        larger = firma(*words, "--counts", counts, "--set", "N=3200", "--json").expect(0)
        low, high = [number["value"] for number in larger.json()["predictions"][0]["numbers"]
                     if number["name"] == "calls_task_12"][0]
        expected = expected_counts(3200)["calls_task_12"]
        check(low - 1e-6 <= expected <= high + 1e-6 and high < 1.2 * low, f"{expected} calls, not {low} to {high}")
        check("two sizes" not in larger.err, larger)

    @staticmethod
    @test("--count counts fields through pointers, and lengths on which the library works; predictions need nothing else")
    def parts(directory):
        flow, counts = Counting.save(directory, PARTS)
        out = run(directory, flow, "--count", "--set", "N=10", "-o", counts).expect(0)
        check("isn't counted" not in out.err, out)
        values = Counting.values(counts, 0)
        for name, value in PARTS_COUNTED.items():
            check(name in values, f"{name} isn't counted\n{out}")
            check(abs(values[name]["value"] - value) < 1e-9, f"{name} is {values[name]}, expected {value}")
        check_equal([values[name]["reached"] for name in ("g_of_few_task_55", "length_task_56")], [0, 0], "not reached")
        for line, of, each in ((18, 19, 385), (24, 25, 330)):  # the sum of squares, and of i(i + 1)
            product = values[f"iterations_task_{line}"]["value"] * values[f"iterations_task_{of}"]["value"]
            check(abs(product - each / 10) < 1e-9, f"{product} steps, expected {each / 10}")
        words = ["cost", "predict", flow, "-m", Counting.machine(directory, flow), "--kinds", "old:1", "--no-messages", "--set", "N=10"]
        check("these parameters have no value" in firma(*words).expect(3).err, "predicted without counts")
        firma(*words, "--counts", counts).expect(0)

    @staticmethod
    @test("fields that can't be counted are named, and a copy that doesn't compile counts what else there is")
    def no_parts(directory):
        flow, counts = Counting.save(directory, NO_PARTS)
        out = run(directory, flow, "--count", "-o", counts).expect(0)
        check("p_n_task_5 (task.c:5) isn't counted: a copy of the source that counts it doesn't compile" in out.err, out)
        check_equal(Counting.values(counts, 0)["Q_task_16"]["value"], 0.5, "share of even indexes")
        flow, counts = Counting.save(directory, NO_PARTS.replace("use(next(p))", "use(p)"))
        out = run(directory, flow, "--count", "--force", "-o", counts).expect(0)
        check("p_n_task_17 (task.c:17) isn't counted: another type is passed" in out.err, out)
        check_equal(Counting.values(counts, 0)["p_n_task_16"]["value"], 4, "mean of n")

    @staticmethod
    @test("counts of a source that has changed since are refused, and so are those of other definitions")
    def changed(directory):
        save(directory, "numbers.h", "#define NUMBER 1\n")
        flow, counts = Counting.save(directory, COUNTED + '#include "numbers.h"\n')
        run(directory, flow, "--count", "-o", counts).expect(0)
        words = ["cost", "predict", flow, "-m", Counting.machine(directory, flow), "--kinds", "old:1", "--no-messages", "--counts", counts]
        save(directory, "counted.h", HEADER.replace("+ 3", "+ 4"))
        result = firma(*words).expect(3)
        check("counted.h has changed since it was counted" in result.err, result)
        result = run(directory, flow, "--count", "--counts", counts).expect(3)
        check("has changed since it was counted" in result.err, result)
        save(directory, "counted.h", HEADER)
        save(directory, "numbers.h", "#define NUMBER 2\n")
        check("numbers.h has changed since it was counted" in firma(*words).expect(3).err, "a header without functions")
        save(directory, "numbers.h", "#define NUMBER 1\n")
        with open(flow, encoding="utf-8") as file:
            text = file.read()
        with open(os.path.join(directory, "task.c"), encoding="utf-8") as file:
            save(directory, "other.c", file.read() + "\n")
        save(directory, "app.pasl", text.replace("source task.c", "source other.c"))
        result = firma(*words).expect(3)
        check("counted in another source than" in result.err and "other.c" in result.err, result)
        save(directory, "app.pasl", text.replace("source task.c", 'source task.c options "-O2 -DK=1"'))
        result = firma(*words).expect(3)
        check("with the options `` instead of `-DK=1`" in result.err, result)

    @staticmethod
    @test("counts that can't be are refused, with their place")
    def impossible(directory):
        flow, counts = Counting.save(directory)
        run(directory, flow, "--count", "-o", counts).expect(0)
        with open(counts, encoding="utf-8") as file:
            good = json.load(file)
        values = [value["kind"] for value in good["batches"][0]["runs"][0]["values"]]
        words = ["cost", "predict", flow, "-m", Counting.machine(directory, flow), "--kinds", "old:1", "--no-messages", "--counts", counts]
        for kind, number, said in (("iterations", -1, "is below 0"), ("condition", 1.5, "is above 1"), ("calls", -2, "is below 0")):
            bad = json.loads(json.dumps(good))
            bad["batches"][0]["runs"][0]["values"][values.index(kind)]["value"] = number
            save(directory, "counts.json", json.dumps(bad))
            result = firma(*words).expect(3)
            check(said in result.err and f"values[{values.index(kind)}]" in result.err, result)
        save(directory, "counts.json", json.dumps(good | {"batches": [good["batches"][0] | {"runs": 2 * good["batches"][0]["runs"]}]}))
        check("has two at the same sizes" in firma(*words).expect(3).err, "two runs")

    @staticmethod
    @test("two runs that add to one file at the same time both do")
    def both(directory):
        flow, counts = Counting.save(directory)
        run(directory, flow, "--count", "-o", counts).expect(0)
        with ThreadPoolExecutor(2) as pool:
            results = list(pool.map(lambda n: run(directory, flow, "--count", "--counts", counts, "--set", f"N={n}").expect(0), (200, 400)))
        with open(counts, encoding="utf-8") as file:
            sizes = [each["sizes"][0]["value"] for each in json.load(file)["batches"][0]["runs"]]
        check_equal(sorted(sizes), [100, 200, 400], "sizes")
        check(sum("waits, because another run adds to" in result.err for result in results) == 1, results)
        check(not [name for name in os.listdir(directory) if name.endswith(".lock")], "a lock remains")

    @staticmethod
    @test("only C is counted, and by one worker; wrong words are refused")
    def refused(directory):
        need("openmpi")
        flow = save_flow(directory, "sum", "argument from = 1; argument n = 2", "java")
        result = firma("cost", "run", flow, "--count", "-o", os.path.join(directory, "counts.json")).expect(3)
        check("only tasks in C are counted, and it has none" in result.err, result)
        for words, said in ((["--count"], "needs a file"), (["--count", "-o", "x.json", "--workers", "2"], "--workers are both given"),
                            (["--counts", "x.json"], "need a machine model")):
            result = firma("cost", "run", flow, *words).expect(2)
            check(said in result.err, result)


main()
