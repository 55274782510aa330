#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Kills firma at random moments, and checks that nothing half passes for a whole, and that the next run deals with what is left.

    FIRMA=build/src/cli/firma tests/soak/kills.py [--rounds 200] [--seed 1] [--only REGEX] -- \\
        mpirun -n 2 build/tests/apps/stencil-openmpi 16 300

Each round runs a verb that writes files, or runs programs, in a new directory. In every second turn, the results of an earlier
run exist already, and `--force` replaces them. The round sends SIGKILL to firma alone, or to its process group. It then waits
for all processes that firma started, and
- reads every result under its final name: it is whole, or says that it is incomplete;
- where results existed before: the former ones, or new ones, must exist;
- repeats the command with `--force`, which must succeed;
- looks for leftovers: none may be there.
States are saved if FIRMA_CRIU names CRIU. The last line tells how many rounds failed."""

import argparse
import collections
import dataclasses
import fnmatch
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "e2e"))
FIRMA = os.environ["FIRMA"] = os.path.abspath(os.environ.get("FIRMA", "firma"))

from inputs import write_inputs  # noqa: E402: reads FIRMA

LEFTOVERS = ("*.part", "*.old", "*.recording", "*.recording.*", "firma-*", "*.lock")
END_LIMIT_S = 120


@dataclasses.dataclass
class Job:
    """A command that is killed. `outputs` are the files and directories that it writes."""
    words: list
    outputs: dict = dataclasses.field(default_factory=dict)  # name: words of firma that read it and succeed, or None
    weight: int = 4
    n_verb_words: int = 1
    grows: bool = False  # the command adds to its output, without --force
    prepare: list = None  # another command that runs before

    def forced(self):
        verb, rest = self.words[:self.n_verb_words], self.words[self.n_verb_words:]
        return [*verb, *([] if self.grows or not self.outputs else ["--force"]), *rest]


def make_jobs(command):
    short = ["--only", "os:unix", "--operations", "pingpong", "--sizes", "1:8x2", "--time", "1s"]
    jobs = {
        "trace": Job(["trace", "-o", "app.trace", "--", *command], {"app.trace": None}, weight=8),
        "trace --keep-recording": Job(["trace", "--keep-recording", "-o", "app.trace", "--", *command],
                                      {"app.trace": None, "app.trace.recording": None}, weight=2),
        "study": Job(["study", "-o", "app.study", "--", *command], {"app.study": None}, weight=3),
        "phases": Job(["phases", "whole.trace", "-o", "new.firma"], {"new.firma": None}, weight=9),
        "measure": Job(["measure", "app.firma", "-o", "times.json", "--", *command],
                       {"times.json": ["predict", "app.firma", "times.json"]}, weight=6),
        "predict": Job(["predict", "app.firma", "whole.json"], weight=1),
        "show": Job(["show", "whole.trace", "--svg", "new.svg"], {"new.svg": None}),
        "diff": Job(["diff", "whole.trace", "whole.trace"], weight=1),
        "export": Job(["export", "whole.trace", "-o", "exported"], {"exported": ["phases", "exported"]}, weight=9),
        "comm": Job(["comm", *short, "-o", "here"], {"here": ["machine", "show", "here/machine.json"]}, weight=6),
        "comm, MPI": Job(["comm", "--only", "openmpi:shm", *short[2:], "-o", "here"],
                         {"here": ["machine", "show", "here/machine.json"]}, weight=3),
        "machine cpu": Job(["machine", "cpu", "--languages", "c", "--time", "0.5s", "-o", "cpu.new.json"],
                           {"cpu.new.json": ["machine", "show", "cpu.new.json"]}, n_verb_words=2),
        "machine cpu --into": Job(["machine", "cpu", "--languages", "c", "--time", "0.5s", "--into", "hosts.json"],
                                  {"hosts.json": ["machine", "show", "hosts.json"]}, n_verb_words=2, grows=True),
        "machine export": Job(["machine", "export", "hosts.json", "--to", "simgrid", "-o", "simulated"], {"simulated": None},
                              n_verb_words=2, weight=8),
        "map": Job(["map", "graph.ttig", "--platform", "1x2:1us,1GB/s", "-o", "best", "--svg", "new.svg", "--report", "new.html"],
                   {"best.rankfile": None, "best.hosts": None, "best.slurm-hosts": None, "new.svg": None, "new.html": None}, weight=8),
        "graph": Job(["graph", "whole.trace", "-o", "new.ttig", "--tfg", "new.json", "--dot", "new.dot", "--graphml", "new.graphml"],
                     {"new.ttig": None, "new.json": None, "new.dot": None, "new.graphml": None}, weight=10),
        "cost model": Job(["cost", "model", "task.c", "--entry", "count", "-o", "new.pamela"], {"new.pamela": None}, n_verb_words=2, weight=8),
        "cost model, Java": Job(["cost", "model", "Task.java", "--entry", "Task.count", "-o", "new.pamela"],
                                {"new.pamela": None}, n_verb_words=2, weight=1),
        "cost predict": Job(["cost", "predict", "app.pasl", "-m", "cpu.json", "--no-messages", "--workers", "1,2", "--svg", "new.svg"],
                            {"new.svg": None}, n_verb_words=2, weight=8),
        "cost run": Job(["cost", "run", "app.pasl", "--workers", "1", "--repeat", "1", "-o", "results.json"],
                        {"results.json": ["cost", "predict", "app.pasl", "-m", "cpu.json", "--no-messages", "--workers", "1",
                                          "--measured", "results.json"]}, n_verb_words=2),
        "scale run": Job(["scale", "run", "-n", "1,2", "--repeat", "20", "-o", "runs.new.csv", "--", "true", "{processes}"],
                         {"runs.new.csv": None}, n_verb_words=2, grows=True, weight=6),
        "scale runs": Job(["scale", "runs", "runs.csv", "-o", "scaling"], {"scaling": None}, n_verb_words=2, weight=6),
        "scale model": Job(["scale", "model", "n/p + log2(p)", "--sizes", "64", "-n", "1:8x2", "-o", "scaling"], {"scaling": None},
                           n_verb_words=2, weight=6),
        "doctor": Job(["doctor"], weight=1),
    }
    if "FIRMA_CRIU" in os.environ:
        save = ["checkpoint", "app.firma", "-w", "2", "-o", "app.states", "--", *command]
        jobs["checkpoint"] = Job(save, {"app.states": None}, weight=2)
        jobs["measure states"] = Job(["measure", "app.states", "-o", "times.json"],
                                     {"times.json": ["predict", "app.firma", "times.json"]}, weight=1, prepare=save)
    return jobs


# ---- running firma ----

def environment(directory):
    kept = {name: value for name, value in os.environ.items() if name != "XDG_RUNTIME_DIR"}
    return {**kept, "TMPDIR": os.path.join(directory, "tmp")}


def firma(directory, *words):
    return subprocess.run([FIRMA, *words], cwd=directory, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace",
                          timeout=600, env=environment(directory))


def succeed(directory, words):
    result = firma(directory, *words)
    assert result.returncode == 0, f"{words}: {result.returncode}\n{result.stderr}"


def processes_of(directory):
    """The processes that firma started in this directory."""
    mark, found = f"TMPDIR={directory}/tmp".encode(), []
    for entry in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{entry}/environ", "rb") as file:
                found += [int(entry)] if mark in file.read().split(b"\0") else []
        except OSError:
            continue
    return found


def names_of(pids):
    for pid in pids:
        try:
            with open(f"/proc/{pid}/cmdline", "rb") as file:
                yield f"{pid}: {file.read().replace(bytes(1), b' ').decode(errors='replace').strip()}"
        except OSError:
            continue


def wait_for_processes(directory, problems):
    end_s = time.monotonic() + END_LIMIT_S
    while left := processes_of(directory):
        if time.monotonic() > end_s:
            problems.append(f"processes {list(names_of(left))} never end")
            for pid in left:
                os.kill(pid, signal.SIGKILL)
            return
        time.sleep(0.05)


# ---- what results are ----

def content(path):
    """A file's bytes; a directory's files and their bytes; None if nothing is there."""
    if os.path.isdir(path):
        files = [os.path.join(folder, name) for folder, _, names in os.walk(path) for name in names]
        return {os.path.relpath(file, path): content(file) for file in files}
    if not os.path.exists(path):
        return None
    with open(path, "rb") as file:
        return file.read()


def is_alike(found, usual, is_same_always):
    if is_same_always:
        return found == usual
    return isinstance(found, dict) == isinstance(usual, dict) and (not isinstance(found, dict) or sorted(found) == sorted(usual))


def events_of(signature):
    with open(signature, encoding="utf-8") as file:
        document = json.load(file)
    return document["complete"], document["send_events"]


@dataclasses.dataclass
class Usual:
    """What a job writes when nobody kills it, and how long it takes."""
    seconds: float
    results: dict
    same_always: dict
    names: list  # of its directory


class Round:
    def __init__(self, directory, job, usual, whole):
        self.directory, self.job, self.usual, self.whole, self.problems = directory, job, usual, whole, []

    def path(self, name):
        return os.path.join(self.directory, name)

    def check_trace(self, name):
        """A trace makes a signature of all events, or none."""
        if not os.path.exists(self.path(name)):
            return
        result = firma(self.directory, "phases", name, "-o", "check.firma", "--force")
        if result.returncode == 0 and events_of(self.path("check.firma")) != (True, self.whole):
            self.problems.append(f"{name} passes for whole")
        if result.returncode not in (0, 3) or (result.returncode == 3 and "is incomplete" not in result.stderr):
            self.problems.append(f"{name}: {result.stderr.strip()}")
        if os.path.exists(self.path("check.firma")):
            os.unlink(self.path("check.firma"))

    def check_study(self):
        self.check_trace("app.study/app.trace")
        signature = self.path("app.study/app.firma")
        if os.path.exists(signature) and events_of(signature) != (True, self.whole):
            self.problems.append("app.study/app.firma is of a part")
        if os.path.exists(self.path("app.study/times.json")):
            self.read("app.study/times.json", ["predict", "app.study/app.firma", "app.study/times.json"])

    def check_states(self, is_final):
        """States can be measured, or say that none are there. All are there at the end."""
        result = firma(self.directory, "measure", "app.states", "-o", "check.json", "--force", "--json")
        if result.returncode == 0:
            predicted = json.loads(firma(self.directory, "predict", "app.firma", "check.json", "--json").stdout)
            if is_final and predicted["measured_states"] != predicted["planned_states"]:
                self.problems.append(f"not all states are saved: {predicted['measured_states']}")
            if predicted["measured_states"] != predicted["planned_states"] and "is incomplete" not in result.stderr:
                self.problems.append(f"measure doesn't say that states are missing: {result.stderr}")
            os.unlink(self.path("check.json"))
        elif is_final or result.returncode not in (1, 3, 4):
            self.problems.append(f"app.states: {result.returncode}: {result.stderr.strip()}")

    def check_runs(self, is_final):
        lines = (content(self.path("runs.new.csv")) or b"").decode().splitlines(keepends=True)
        usual = self.usual.results["runs.new.csv"].decode().splitlines()
        if any(line.count(",") != usual[0].count(",") or not line.endswith("\n") for line in lines):
            self.problems.append(f"runs.new.csv has a broken line: {lines[-1]!r}")
        if is_final and len(lines) != len(usual):
            self.problems.append(f"runs.new.csv has {len(lines)} lines, not {len(usual)}")

    def read(self, name, words):
        result = firma(self.directory, *words)
        if result.returncode:
            self.problems.append(f"{name}: {result.stderr.strip()}")

    def check_output(self, name, is_final):
        found = content(self.path(name))
        if name == "app.trace":
            self.check_trace(name)
        elif name == "app.study":
            self.check_study()
        elif name == "app.states" and found is not None:
            self.check_states(is_final)
        elif name == "runs.new.csv":
            self.check_runs(is_final)
        elif found is not None and name != "app.trace.recording":
            if not is_alike(found, self.usual.results[name], self.usual.same_always[name]):
                self.problems.append(f"{name} isn't whole")
            if self.job.outputs[name]:
                self.read(name, self.job.outputs[name])

    def check_outputs(self, former, is_final):
        for name in self.job.outputs:
            here = os.listdir(self.directory)
            is_kept = name in former and name != "app.trace.recording"  # the recorder writes it anew from the start
            if name not in here and (is_final or (is_kept and not fnmatch.filter(here, f"{name}.*.old"))):
                self.problems.append(f"{name} is gone")
            self.check_output(name, is_final)

    def convert(self):
        """What a killed trace left becomes a trace, or firma says why not."""
        if not os.path.exists(self.path("app.trace.recording")) or os.path.exists(self.path("app.trace")):
            return
        result = firma(self.directory, "trace", "--convert", "app.trace.recording", "-o", "app.trace")
        if result.returncode not in (0, 1, 4):
            self.problems.append(f"--convert: {result.stderr.strip()}")
        self.check_trace("app.trace")

    def leftovers(self):
        kept = {self.path(name) for name in self.usual.names}
        for folder, folders, files in os.walk(self.directory):
            for name in folders + files:
                path = os.path.join(folder, name)
                is_unknown = folder == self.directory and path not in kept
                if "/tmp/ompi." not in path and (is_unknown or (path not in kept and any(fnmatch.fnmatch(name, pattern) for pattern in LEFTOVERS))):
                    yield path

    def play(self, has_former, kill_group, delay_s):
        if self.job.prepare:
            succeed(self.directory, self.job.prepare)
        if has_former:
            succeed(self.directory, self.job.words)
        former = os.listdir(self.directory)
        process = subprocess.Popen([FIRMA, *(self.job.forced() if has_former else self.job.words)], cwd=self.directory,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                   start_new_session=True, env=environment(self.directory))
        time.sleep(delay_s)
        killed = process.poll() is None
        if killed:
            (os.killpg if kill_group else os.kill)(process.pid, signal.SIGKILL)
        process.wait()
        wait_for_processes(self.directory, self.problems)
        self.check_outputs(former, False)
        if "app.trace" in self.job.outputs:
            self.convert()
        result = firma(self.directory, *self.job.forced())
        if result.returncode:
            self.problems.append(f"the next run ends with {result.returncode}: {result.stderr.strip()}")
        self.check_outputs((), True)
        wait_for_processes(self.directory, self.problems)
        self.problems += [f"left: {os.path.relpath(path, self.directory)}" for path in self.leftovers()]
        return killed


# ---- the usual results ----

def make_model(directory, command):
    os.makedirs(os.path.join(directory, "tmp"))
    write_inputs(directory)
    with open(os.path.join(directory, "Task.java"), "w", encoding="utf-8") as file:
        file.write("class Task { static long count(int n) { long s = 0; for (int i = 0; i < n; i++) s += i; return s; } }\n")
    for words in (["trace", "-o", "whole.trace", "--", *command], ["phases", "whole.trace", "-o", "app.firma"],
                  ["measure", "app.firma", "-o", "whole.json", "--", *command],
                  ["machine", "cpu", "--languages", "c", "--time", "1s", "--kind", "own", "-o", "cpu.json"]):
        succeed(directory, words)
    return events_of(os.path.join(directory, "app.firma"))[1]


def run_usual(model, directory, job):
    seconds, results = 0, []
    for _ in range(2):
        shutil.copytree(model, directory)
        if job.prepare:
            succeed(directory, job.prepare)
        start_s = time.monotonic()
        succeed(directory, job.words)
        seconds = time.monotonic() - start_s
        wait_for_processes(directory, [])
        names = os.listdir(directory)
        results.append({name: content(os.path.join(directory, name)) for name in job.outputs})
        assert None not in results[-1].values(), results[-1].keys()
        shutil.rmtree(directory)
    return Usual(seconds, results[1], {name: results[0][name] == results[1][name] for name in job.outputs}, names)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=float("inf"), help="begin no round after this time")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="regular expression of the jobs")
    parser.add_argument("command", nargs="+")
    options = parser.parse_args()
    jobs = {name: job for name, job in make_jobs(options.command).items() if re.search(options.only, name)}
    random.seed(options.seed)
    begin_s, results, failures, rounds, turns = time.monotonic(), collections.Counter(), 0, 0, collections.Counter()
    with tempfile.TemporaryDirectory(prefix="firma-kills-") as base:
        model, directory = os.path.join(base, "model"), os.path.join(base, "round")
        whole = make_model(directory, options.command)
        shutil.move(directory, model)
        usual = {}
        for name, job in jobs.items():
            usual[name] = run_usual(model, directory, job)
            print(f"{name}: {usual[name].seconds:.2f} s; always the same: "
                  f"{[output for output, is_same in usual[name].same_always.items() if is_same]}", flush=True)
        while rounds < options.rounds and time.monotonic() - begin_s < options.seconds:
            name = random.choices(list(jobs), [job.weight for job in jobs.values()])[0]
            job, turn = jobs[name], turns[name]
            turns[name] += 1
            has_former, kill_group = bool(job.outputs) and not job.grows and turn % 2 == 1, turn // 2 % 2 == 1
            shutil.copytree(model, directory)
            delay_s = random.uniform(0, 1.1 * usual[name].seconds)
            played = Round(directory, job, usual[name], whole)
            killed = played.play(has_former, kill_group, delay_s)
            rounds += 1
            results[name, "killed" if killed else "had ended"] += 1
            failures += bool(played.problems)
            for problem in played.problems:
                print(f"round {rounds}: {name}{' --force' if has_former else ''}, {'group' if kill_group else 'firma'} killed after "
                      f"{delay_s:.3f} s: {problem}", flush=True)
            shutil.rmtree(directory)
            if rounds % 50 == 0:
                print(f"# {rounds} rounds, {failures} failed, {time.monotonic() - begin_s:.0f} s", flush=True)
    for (name, how), count in sorted(results.items()):
        print(f"{name} {how}: {count}")
    n_killed = sum(count for (_, how), count in results.items() if how == "killed")
    print(f"{n_killed} kills; {failures} of {rounds} rounds failed")
    return failures > 0


if __name__ == "__main__":
    raise SystemExit(main())
