#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Kills firma at random moments, and checks that nothing half passes for a whole, and that the next run deals with what is left.

    FIRMA=build/src/cli/firma tests/soak/kills.py [--rounds 200] [--seed 1] -- mpirun -n 2 build/tests/apps/stencil-openmpi 16 300

Each round runs `trace`, `study`, `phases` or `measure` in a new directory, and sends SIGKILL to firma alone or to its process
group. After the program's end, the round
- reads every result under its final name: it is whole, or says that it is incomplete;
- repeats the command with --force, which must succeed;
- looks for leftovers: none may be there.
The last line tells how many rounds failed."""

import argparse
import collections
import json
import os
import random
import shutil
import signal
import subprocess
import tempfile
import time

FIRMA = os.path.abspath(os.environ.get("FIRMA", "firma"))
LEFTOVERS = (".part", ".old", ".recording")


def firma(directory, *words):
    return subprocess.run([FIRMA, *words], cwd=directory, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace",
                          timeout=600, env={**os.environ, "TMPDIR": os.path.join(directory, "tmp")})


def program_processes(directory):
    """The processes of the program that record below this directory."""
    mark, found = f"FIRMA_RECORD_DIRECTORY={directory}/".encode(), []
    for entry in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{entry}/environ", "rb") as file:
                found += [int(entry)] if any(word.startswith(mark) for word in file.read().split(b"\0")) else []
        except OSError:
            continue
    return found


def wait_for_program(directory, problems):
    end_s = time.monotonic() + 120
    while left := program_processes(directory):
        if time.monotonic() > end_s:
            problems.append(f"processes {left} never end")
            for pid in left:
                os.kill(pid, signal.SIGKILL)
            return
        time.sleep(0.05)


def events_of(signature):
    with open(signature, encoding="utf-8") as file:
        document = json.load(file)
    return document["complete"], document["send_events"]


def check_trace(directory, name, whole, problems):
    """A trace makes a signature of all events, or none."""
    if not os.path.exists(os.path.join(directory, name)):
        return
    result = firma(directory, "phases", name, "-o", "check.firma", "--force")
    if result.returncode == 0 and events_of(os.path.join(directory, "check.firma")) != (True, whole):
        problems.append(f"{name} passes for whole")
    if result.returncode not in (0, 3) or (result.returncode == 3 and "is incomplete" not in result.stderr):
        problems.append(f"{name}: {result.stderr.strip()}")


def check_results(directory, whole, problems):
    for trace in ("app.trace", "app.study/app.trace"):
        check_trace(directory, trace, whole, problems)
    for signature in ("new.firma", "app.study/app.firma"):
        path = os.path.join(directory, signature)
        if os.path.exists(path) and events_of(path) != (True, whole):
            problems.append(f"{signature} is of a part")
    for signature, times in (("app.firma", "times.json"), ("app.study/app.firma", "app.study/times.json")):
        if os.path.exists(os.path.join(directory, times)):
            result = firma(directory, "predict", signature, times)
            if result.returncode:
                problems.append(f"{times}: {result.stderr.strip()}")


def convert(directory, whole, problems):
    """What a killed trace left becomes a trace, or firma says why not."""
    if not os.path.exists(os.path.join(directory, "app.trace.recording")) or os.path.exists(os.path.join(directory, "app.trace")):
        return
    result = firma(directory, "trace", "--convert", "app.trace.recording", "-o", "app.trace")
    if result.returncode not in (0, 1, 4):
        problems.append(f"--convert: {result.stderr.strip()}")
    check_trace(directory, "app.trace", whole, problems)


def leftovers(directory):
    return [os.path.join(folder, name) for folder, folders, files in os.walk(directory) for name in folders + files
            if name.endswith(LEFTOVERS) or ".recording." in name or name.startswith("firma-")]


def play(directory, verb, words, kill_group, delay_s, whole):
    problems = []
    process = subprocess.Popen([FIRMA, *words], cwd=directory, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL, start_new_session=True,
                               env={**os.environ, "TMPDIR": os.path.join(directory, "tmp")})
    time.sleep(delay_s)
    killed = process.poll() is None
    if killed:
        (os.killpg if kill_group else os.kill)(process.pid, signal.SIGKILL)
    process.wait()
    wait_for_program(directory, problems)
    check_results(directory, whole, problems)
    if verb == "trace":
        convert(directory, whole, problems)
    result = firma(directory, words[0], "--force", *words[1:])
    if result.returncode:
        problems.append(f"the next run ends with {result.returncode}: {result.stderr.strip()}")
    check_results(directory, whole, problems)
    problems += [f"left: {path}" for path in leftovers(directory)]
    return killed, problems


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=float("inf"), help="begin no round after this time")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("command", nargs="+")
    options = parser.parse_args()
    commands = {"trace": ["trace", "-o", "app.trace", "--", *options.command], "study": ["study", "-o", "app.study", "--", *options.command],
                "phases": ["phases", "whole.trace", "-o", "new.firma"],
                "measure": ["measure", "app.firma", "-o", "times.json", "--", *options.command]}
    random.seed(options.seed)
    begin_s, results, failures, rounds = time.monotonic(), collections.Counter(), 0, 0
    with tempfile.TemporaryDirectory(prefix="firma-kills-") as base:
        model = os.path.join(base, "model")
        os.makedirs(os.path.join(model, "tmp"))
        for words in (["trace", "-o", "whole.trace", "--", *options.command], ["phases", "whole.trace", "-o", "app.firma"]):
            assert firma(model, *words).returncode == 0, words
        whole, usual_s = events_of(os.path.join(model, "app.firma"))[1], {}
        for verb, words in commands.items():
            directory = shutil.copytree(model, os.path.join(base, "usual"))
            start_s = time.monotonic()
            result = firma(directory, *words)
            usual_s[verb] = time.monotonic() - start_s
            assert result.returncode == 0, result.stderr
            shutil.rmtree(directory)
        while rounds < options.rounds and time.monotonic() - begin_s < options.seconds:
            verb, kill_group = list(commands)[rounds % len(commands)], rounds // len(commands) % 2 == 1
            directory = shutil.copytree(model, os.path.join(base, str(rounds)))
            delay_s = random.uniform(0, 1.1 * usual_s[verb])
            killed, problems = play(directory, verb, commands[verb], kill_group, delay_s, whole)
            rounds += 1
            results[verb, "killed" if killed else "had ended"] += 1
            failures += bool(problems)
            for problem in problems:
                print(f"{verb}, {'group' if kill_group else 'firma'} killed after {delay_s:.3f} s: {problem}", flush=True)
            shutil.rmtree(directory)
    for (verb, how), count in sorted(results.items()):
        print(f"{verb} {how}: {count}")
    print(f"{failures} of {rounds} rounds failed")
    return failures > 0


if __name__ == "__main__":
    raise SystemExit(main())
