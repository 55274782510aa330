# SPDX-License-Identifier: BSD-3-Clause
"""firma measure, predict and study: from a signature to a predicted run time, and errors."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys

from harness import (FIRMA, HANG_LIMIT_S, MPIS, Skip, app, check, check_equal, firma, launch, main, make_signature, plain_launcher, test,
                     wait_until)

CG = ("cg", 200, 25, 80)
KEYS = ("predicted_s", "interval_s", "signature_s", "coverage", "phases")


def plain_launch(mpi, ranks, name, *arguments):
    """A command that leaves the placement of ranks to the launcher."""
    return [*plain_launcher(mpi, ranks), app(name, mpi), *map(str, arguments)]


def measured(directory, signature, command, name="times.json"):
    times = os.path.join(directory, name)
    return firma("measure", signature, "-o", times, "--", *command), times


def measured_times(*args):
    """Returns the path of the times, once measuring has succeeded."""
    result, times = measured(*args)
    result.expect(0)
    return times


def read_json(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def add_whole_way(mpi):
    @test(f"trace, phases, measure and predict lead to a run time with its interval under {mpi}")
    def predicts(directory):
        command = launch(mpi, 2, *CG)
        signature = make_signature(directory, command)
        times = measured_times(directory, signature, command)
        for estimator in ("slowest", "process"):
            document = firma("predict", signature, times, "--json", "--estimator", estimator).expect(0).json()
            missing = [key for key in KEYS if key not in document]
            check(not missing, f"keys are missing: {missing}\n{document}")
            low, high = document["interval_s"]
            check(0 < low <= document["predicted_s"] <= high, f"{low} <= {document['predicted_s']} <= {high} is wrong")
            check(0 < document["coverage"] <= 1, f"coverage {document['coverage']}")
            for phase in document["phases"]:
                check({"id", "ticks", "weight", "time_s", "share"} <= set(phase), f"keys of a phase: {sorted(phase)}")


for mpi in MPIS:
    add_whole_way(mpi)


@test("a prediction leaves out what recording costs on the target, its rows add up, and it says if it is of a part")
def leaves_recording_out(directory):
    command = launch("openmpi", 2, "heat", 40, 300)
    signature = make_signature(directory, command)
    document = read_json(signature)
    check_equal(len(document["recorded_calls"]), 2, "processes with recorded calls")
    # two MPI_Sendrecv a step, 31 MPI_Allreduce, MPI_Init and MPI_Finalize
    check(all(633 <= calls <= 640 for calls in document["recorded_calls"]), document["recorded_calls"])
    check(0 < document["recording_cost_s"] < 0.01, document["recording_cost_s"])
    times = measured_times(directory, signature, command)
    cost_s = read_json(times)["recording_cost_s"]
    check(0 < cost_s < 0.01, cost_s)
    predicted = firma("predict", signature, times, "--json").expect(0).json()
    rows_s = sum(predicted[row] for row in ("executed_s", "correction_s", "drawn_s", "recording_s", "shutdown_s"))
    rows_s += sum(phase["total_s"] for phase in predicted["phases"])
    check(abs(rows_s - predicted["predicted_s"]) < 1e-6, f"rows {rows_s}, predicted {predicted['predicted_s']}")
    check(predicted["recording_s"] < 0, predicted["recording_s"])
    table = firma("predict", signature, times).expect(0).out
    check("recording" in table and "incomplete" not in table, f"no row in the table\n{table}")
    with open(signature, "w", encoding="utf-8") as file:
        json.dump({**document, "complete": False}, file)
    table = firma("predict", signature, times).expect(0).out
    check("incomplete           the signature is of a part of the run" in table, f"the table hides it\n{table}")


@test("predict puts several machines or mappings side by side, and names the fastest")
def predicts_several(directory):
    command = launch("openmpi", 2, *CG)
    signature = make_signature(directory, command)
    fast = measured_times(directory, signature, command)
    document = read_json(fast)
    document["busy_processors"] = 0
    with open(fast, "w", encoding="utf-8") as file:
        json.dump(document, file)
    for window in document["windows"]:
        window["elapsed_s"] *= 3000
        window["path_s"] *= 3000
    for phase in document["phases"]:
        for part in (phase, *phase["strata"]):
            part["process_total_s"] = [3000 * time_s for time_s in part["process_total_s"]]
            part["slowest_mean_s"] *= 3000
    slow = os.path.join(directory, "slow.json")
    with open(slow, "w", encoding="utf-8") as file:
        json.dump({**document, "host": "elsewhere"}, file)
    found = firma("predict", signature, slow, fast, "--json").expect(0).json()
    check_equal((found["fastest"], [row["times"] for row in found["predictions"]]), (fast, [slow, fast]), "order")
    one = firma("predict", signature, fast, "--json").expect(0).json()
    for key in ("predicted_s", "interval_s", "pace", "pet_s", "set_s", "signature_s"):
        check_equal(found["predictions"][1][key], one[key], key)
    check(1000 < found["predictions"][0]["predicted_s"] / one["predicted_s"] < 4000, f"{found}")
    table = firma("predict", signature, slow, fast).expect(0).out
    check(f"With {fast}, the program is predicted to be fastest" in " ".join(table.split()), table)
    check("elsewhere" in table and f"fastest              {fast}, beyond the intervals" in table, table)
    same = firma("predict", signature, fast, fast).expect(0).out
    check("intervals don't tell it from" in same, same)
    check_equal(len(firma("predict", "--seconds", signature, slow, fast).expect(0).out.split()), 2, "numbers")
    firma("predict", signature, slow, fast, "--actual", "3").expect(2)
    result = firma("predict", signature, fast, os.path.join(directory, "absent.json")).expect(3)
    check("absent.json" in result.err, result.err)


def add_mappings(mpi):
    @test(f"measure --policies and --mappings measure a signature under several mappings under {mpi}, and --verify runs each")
    def _(directory):
        if os.cpu_count() < 2:
            raise Skip("needs two processors")
        command = plain_launch(mpi, 2, "cg", 100, 10, 20)
        signature, output = make_signature(directory, command), os.path.join(directory, "times.json")
        shared = os.path.join(directory, "shared.rankfile")
        with open(shared, "w", encoding="utf-8") as file:
            file.write(f"# both ranks on one core\nrank 0={socket.gethostname()} slot=0\n\nrank 1={socket.gethostname()} slot=0\n")
        words = ["--policies", "block,unbound", "--mappings", shared, "-o", output]
        result = firma("measure", signature, *words, "--verify", "--json", "--", *command).expect(0)
        rows = result.json()["predictions"]
        check_equal([row["mapping"] for row in rows], ["block", "unbound", "shared"], "mappings")
        check_equal([os.path.basename(row["times"]) for row in rows],
                    ["times.block.json", "times.unbound.json", "times.shared.json"], "files")
        processors = [[place["processors"] for place in row["places"]] for row in rows]
        check(processors[0][0] != processors[0][1], f"block: {processors}")
        check(processors[1][0] == processors[1][1] and "-" in processors[1][0] or "," in processors[1][0], f"unbound: {processors}")
        check(processors[2][0] == processors[2][1] in processors[0], f"shared: {processors}")
        check_equal({place["host"] for row in rows for place in row["places"]}, {socket.gethostname()}, "hosts")
        for row in rows:
            one = firma("predict", signature, row["times"], "--json").expect(0).json()
            check(abs(row["predicted_s"] / one["predicted_s"] - 1) < 1e-9, f"{row['mapping']}: {row['predicted_s']}, {one['predicted_s']}")
            trace = firma("show", row["times"].replace(".json", ".trace"), "--json").expect(0).json()
            check(0 < row["actual_s"] <= trace["application_s"], f"{row['actual_s']}: {trace['application_s']}")
        table = firma("measure", signature, *words, "--force", "--", *command).expect(0).out
        check("ranks a processor" in table and "fastest " in table and "actual" not in table, table)


for _mpi in MPIS:
    add_mappings(_mpi)


@test("mappings that can't be measured are refused before the program starts, and the reason is named")
def refuses_mappings(directory):
    command = plain_launch("openmpi", 2, *CG)
    signature, output = make_signature(directory, command), os.path.join(directory, "times.json")

    def refused(status, said, *words, command=command):
        result = firma("measure", signature, "-o", output, *words, "--", *command).expect(status)
        check(said in result.err, f"{words}: {result.err}")

    refused(2, "no policy `nonsense`", "--policies", "block,nonsense")
    refused(2, "no policy `0`", "--policies", "0")
    refused(2, "two mappings are called `block`", "--policies", "block,block")
    refused(2, "--bind-to", "--policies", "block", command=[*command[:1], "--bind-to", "none", *command[1:]])
    refused(2, "several mappings", "--verify")
    refused(2, "is no file", "--policies", "block", "-o", "/dev/null")
    refused(3, "absent", "--mappings", os.path.join(directory, "absent"))
    path = os.path.join(directory, "a.rankfile")
    for text, said in (("rank 0=here slot=0\n", "no line for rank 1 of 2"), ("rank 0=here slot=0\nrank 0=here slot=1\n", ":2: rank 0"),
                       ("rank 7=here slot=0\n", ":1: rank 7"), ("\n\nrubbish\n", ":3: expected")):
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        refused(3, said, "--mappings", path)
    check_equal([name for name in os.listdir(directory) if name.startswith("times")], [], "files")
    refused(4, "mapping 1: ", "--policies", "1")  # no second node
    firma("predict", signature, output).expect(3)


@test("predict --steps has the weights that a trace of so many steps has")
def other_steps(directory):
    short, long = (make_signature(directory, launch("openmpi", 2, "cg", 64, 25, steps), name=f"s{steps}") for steps in (40, 100))
    times = measured_times(directory, short, launch("openmpi", 2, "cg", 64, 25, 40))
    plain = firma("predict", short, times, "--json").expect(0).json()
    document = firma("predict", short, times, "--steps", "2.5", "--json").expect(0).json()
    check_equal((plain["steps"], plain["loop_times"], document["steps"]), (1, 0, 2.5), "steps")
    check(document["loop_times"] > 3 and 0.5 < document["loop_share"] <= 1, f"{document}")
    weights, actual = (sorted(phase["weight"] for phase in phases) for phases in (document["phases"], read_json(long)["phases"]))
    check(len(weights) == len(actual) and all(abs(a - b) <= 3 for a, b in zip(weights, actual)), f"{weights}, traced {actual}")
    check(document["predicted_s"] > 1.5 * plain["predicted_s"], "more steps take no longer")
    text = firma("predict", short, times, "--steps", "2.5").expect(0).out
    check("2.5 × those of the traced run" in text, text)
    check("fewer than were executed" in firma("predict", short, times, "--steps", "1e-6").expect(3).err, "too few steps")
    check("--steps" in firma("predict", short, times, "--steps", "0").expect(2).err, "no steps")


@test("predict --actual adds the error in percent")
def adds_error(directory):
    command = launch("openmpi", 2, *CG)
    signature = make_signature(directory, command)
    times = measured_times(directory, signature, command)
    document = firma("predict", signature, times, "--json", "--actual", "10").expect(0).json()
    check_equal(document["actual_s"], 10, "actual_s")
    expected = 100 * abs(document["predicted_s"] - 10) / 10
    check(abs(document["error_percent"] - expected) < 0.01,
          f"error_percent {document['error_percent']}, expected {expected}")
    check("%" in firma("predict", signature, times, "--actual", "10").expect(0).out, "no error in the text")


@test("study --repeat traces the full run again, and the signature holds when each run passed its milestones")
def repeats_runs(directory):
    study = os.path.join(directory, "cg.study")
    firma("study", "-q", "--repeat", "2", "-o", study, "--", *launch("openmpi", 2, *CG)).expect(0)
    with open(os.path.join(study, "app.firma"), encoding="utf-8") as file:
        signature = json.load(file)
    repeats = signature["repeats"]
    check_equal(len(repeats), 1, "further runs")
    times = repeats[0]["milestones_s"]
    check_equal(len(times), len(signature["milestones"]), "times of the further run")
    check(times == sorted(times) and 0 < times[-1] <= repeats[0]["application_s"], f"times {times[0]} … {times[-1]}")
    check(os.path.isdir(os.path.join(study, "run2.trace")), "the further run has no trace")
    files = [os.path.join(study, name) for name in ("app.firma", "times.json")]
    predicted = firma("predict", *files, "--json").expect(0).json()
    check_equal(firma("predict", study, "--json").expect(0).json(), predicted, "the study's prediction")
    check_equal(len(firma("predict", study, files[1], "--json").expect(0).json()["predictions"]), 2, "with other times")
    again = os.path.join(directory, "again.json")
    firma("measure", study, "-o", again, "--", *launch("openmpi", 2, *CG)).expect(0)
    os.remove(os.path.join(study, "app.trace.log"))  # as saved states, which have a signature, too
    check("states.json" in firma("measure", study, "-o", again, "--force").expect(3).err, "taken for a study")


@test("measure --repeat runs the prefix several times, and the times hold every run's windows")
def repeats_prefixes(directory):
    command = launch("openmpi", 2, *CG)
    signature, times = make_signature(directory, command), os.path.join(directory, "times.json")
    once = firma("measure", signature, "--json", "-o", times, "--", *command).expect(0).json()
    thrice = firma("measure", signature, "--json", "--force", "--repeat", "3", "-o", times, "--", *command).expect(0).json()
    check_equal((once["runs"], thrice["runs"]), (1, 3), "runs")
    check(thrice["prefix_occurrences"] > thrice["warmup_occurrences"], f"{thrice}")
    document = read_json(times)
    check_equal(sorted({window["state"] for window in document["windows"]}), [0, 1, 2], "runs that have windows")
    prediction = firma("predict", signature, times, "--json").expect(0).json()
    check(prediction["interval_s"][0] < prediction["predicted_s"] < prediction["interval_s"][1], f"{prediction}")
    text = firma("measure", signature, "--force", "--repeat", "2", "-o", times, "--", *command).expect(0).out
    check("for each of 2 runs" in text, text)


def counting(directory, *lines):
    """Returns a script that counts its starts in the file `count`, then does the lines, and runs its arguments."""
    script = os.path.join(directory, "counting.sh")
    with open(script, "w", encoding="utf-8") as file:
        file.write("\n".join(("#!/bin/sh", f"cd '{directory}' && echo start >>count", *lines, 'exec "$@"', "")))
    os.chmod(script, 0o755)
    return script


def starts(directory):
    try:
        with open(os.path.join(directory, "count"), encoding="ascii") as file:
            return len(file.read().split())
    except OSError:
        return 0


@test("if a later run of a prefix fails, the complete ones count, and the status says so")
def later_run_fails(directory):
    command = launch("openmpi", 2, *CG)
    signature, times = make_signature(directory, command), os.path.join(directory, "times.json")
    script = counting(directory, "[ $(wc -l <count) -lt 3 ] || exit 7")
    result = firma("measure", signature, "--repeat", "3", "-o", times, "--", script, *command).expect(4)
    check("run 3 of 3" in result.err and "2 complete ones" in result.err, result.err)
    with open(times, encoding="utf-8") as file:
        check_equal(sorted({window["state"] for window in json.load(file)["windows"]}), [0, 1], "runs that count")
    firma("predict", signature, times).expect(0)


@test("a signal to firma alone ends measure, even if the prefix is complete before the launcher has ended")
def signal_ends_measure(directory):
    command = launch("openmpi", 2, "heat", 400, 3000)
    signature, times = make_signature(directory, command), os.path.join(directory, "times.json")
    script = counting(directory)
    process = subprocess.Popen([FIRMA, "measure", signature, "--repeat", "3", "-o", times, "--", script, *command],
                               stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    wait_until(lambda: starts(directory) > 0, "the program never started")
    process.send_signal(signal.SIGTERM)
    _, said = process.communicate(timeout=HANG_LIMIT_S)
    check_equal((process.returncode, starts(directory)), (1, 1), f"status and starts\n{said}")
    check("interrupted" in said and not os.path.exists(times), said)
    check_equal([name for name in os.listdir(directory) if ".part" in name or "recording" in name], [], "what is left")


@test("phase times that contradict themselves are refused with file and place")
def refuses_contradictions(directory):
    command = launch("openmpi", 2, *CG)
    signature = make_signature(directory, command)
    times = measured_times(directory, signature, command)
    document = read_json(times)
    window = document["windows"][0]
    noise = {"host": "", "date": "", "command": "", "processors": 1, "duration_s": 1, "base_s": 0.01, "deviation": [0.1]}
    for wrong, said in (({"noise": [{**noise, "deviation": [1e300]}]}, "noise[0].deviation"),
                        ({"noise": [{**noise, "base_s": 0}]}, "noise[0].base_s"),
                        ({"noise": [{**noise, "deviation": []}]}, "noise[0].deviation"), ({"noise": [noise, noise]}, "noise"),
                        ({"places": [{"host": 3, "processors": ""}]}, "places[0].host"),
                        ({"places": [{"host": "a", "processors": "0"}]}, "places"),
                        ({"agreement": -5}, "agreement"), ({"event_agreement": 2}, "event_agreement"),
                        ({"measured_states": 5, "planned_states": 3}, "measured_states"),
                        ({"windows": []}, "no window"), ({"prefix_occurrences": 10 ** 9}, "1000000000 occurrences"),
                        ({"windows": [{**window, "to_occurrence": 0}]}, "windows[0].to_occurrence"),
                        ({"windows": [{**window, "to_occurrence": 10 ** 9}]}, "occurrences up to 1000000000"),
                        ({"windows": [{**window, "elapsed_s": 0}]}, "no time"),
                        ({"phases": 2 * document["phases"]}, "twice")):
        path = os.path.join(directory, "wrong.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump({**document, **wrong}, file)
        result = firma("predict", signature, path).expect(3)
        check(path in result.err and said in result.err, f"{wrong}: {result.err}")


@test("study --overhead also runs the program without the recorder, and says what recording adds")
def tells_overhead(directory):
    study, command = os.path.join(directory, "cg.study"), launch("openmpi", 2, *CG)
    overhead = firma("study", "--overhead", "--json", "-o", study, "--", *command).expect(0).json()["overhead"]
    check(0 < overhead["untraced_s"] and 0 < overhead["traced_s"], f"{overhead}")
    check(abs(overhead["percent"] - 100 * (overhead["traced_s"] / overhead["untraced_s"] - 1)) < 1e-9, f"{overhead}")
    with open(os.path.join(study, "untraced.log"), encoding="utf-8") as log:
        check("time_s " in log.read(), "the untraced run's output isn't there")
    text = firma("study", "--overhead", "--force", "-o", study, "--", *command).expect(0).out
    check("recording adds" in text, text)
    fails = os.path.join(directory, "fails.sh")
    with open(fails, "w", encoding="utf-8") as file: # only with the recorder, it succeeds
        file.write(f'#!/bin/sh\ncase "$LD_PRELOAD" in *firma*) exec "{command[-len(CG)]}" "$@";; esac\nexit 7\n')
    os.chmod(fails, 0o755)
    result = firma("study", "--overhead", "--force", "-o", study, "--",
                   *command[:-len(CG)], fails, *command[1 - len(CG):]).expect(1)
    check("without the recorder" in result.err, result.err)


@test("phases refuses the trace of another program as a further run")
def refuses_other_run(directory):
    traces = [os.path.join(directory, name) for name in ("a.trace", "b.trace")]
    firma("trace", "-q", "-o", traces[0], "--", *launch("openmpi", 2, *CG)).expect(0)
    firma("trace", "-q", "-o", traces[1], "--", *launch("openmpi", 2, "heat", 40, 100)).expect(0)
    result = firma("phases", *traces).expect(3)
    check(traces[1] in result.err and "another run of the same program" in result.err, result.err)


@test("measuring stops the program long before its end, and leaves nothing of it running")
def stops_early(directory):
    command = launch("openmpi", 2, "heat", 400, 10000)
    result, times = measured(directory, make_signature(directory, command), command)
    result.expect(0)
    with open(times + ".log", encoding="utf-8", errors="replace") as log:
        check("time_s " not in log.read(), f"the program ran to its end\n{result}")
    left = [entry for entry in os.listdir("/proc") if entry.isdigit() and is_running(entry, command[-3], "10000")]
    check(not left, f"still running: {left}")


def is_running(pid, *words):
    try:
        with open(f"/proc/{pid}/cmdline", encoding="utf-8", errors="replace") as file:
            text = file.read()
        return all(word in text for word in words)
    except OSError:
        return False


def check_measure_refuses(directory, command, *named):
    signature = make_signature(directory, launch("openmpi", 2, "cg", 64, 25, 40))
    result, times = measured(directory, signature, command)
    result.expect(1, 3)
    check(any(name in result.err for name in named), f"none of {named} is named\n{result}")
    check(not os.path.exists(times), "times were written all the same")


@test("a signature used on another program is refused, and both are named")
def other_program(directory):
    check_measure_refuses(directory, launch("openmpi", 2, "stencil", 64, 2000), "stencil-openmpi")


@test("a signature used with other arguments is refused, and they are named")
def other_arguments(directory):
    check_measure_refuses(directory, launch("openmpi", 2, "cg", 64, 25, 80), "80", "argument")


@test("a signature used on another number of processes is refused, and both numbers are named")
def other_ranks(directory):
    check_measure_refuses(directory, launch("openmpi", 4, "cg", 64, 25, 40), "4 ")


@test("a launcher that cannot be started is named with exit status 4 and leaves nothing, by each verb")
def no_launcher(directory):
    command = launch("openmpi", 2, *CG)
    signature = make_signature(directory, command)
    plain = os.path.join(directory, "plain")
    with open(plain, "w", encoding="ascii") as file:
        file.write("#!/bin/sh\n")
    broken = os.path.join(directory, "broken")
    with open(broken, "w", encoding="ascii") as file:
        file.write("#!/nosuchshell\n")
    os.chmod(broken, 0o755)
    before = sorted(os.listdir(directory))

    def place(words):
        return ["{processes}"] if words[0] == "scale" else []

    for launcher, why in (("nosuchlauncher", "No such file or directory"), (plain, "Permission denied")):
        for words in (("trace", "-o", "run"), ("measure", signature), ("study",), ("checkpoint", signature),
                      ("scale", "run", "-n", "1,2", "-r", "1", "-o", "r.csv"),
                      ("scale", "run", "-n", "1,2", "-r", "1", "-o", "r.csv", "--traced")):
            result = firma(*words, "--", launcher, *command[1:], *place(words), cwd=directory).expect(4)
            check(f"{launcher}: cannot be started: {why}" in result.err, f"it is not said\n{result}")
            check_equal(sorted(os.listdir(directory)), before, f"what is there after {' '.join(words)}")
    for words in (("trace", "-o", "run"), ("measure", signature), ("study",)):
        result = firma(*words, "--", broken, *command[1:], cwd=directory).expect(4)
        check(f"{broken}: cannot be started: " in result.err, f"it is not said\n{result}")
        check_equal(sorted(os.listdir(directory)), before, f"what is there after {' '.join(words)}")
    firma("measure", signature, "--", *command, cwd=directory).expect(0)


@test("measuring another application is refused, and isn't in the way of the next attempt")
def other_application(directory):
    signature = make_signature(directory, launch("openmpi", 2, *CG))
    before = sorted(os.listdir(directory))
    firma("measure", signature, "--", *launch("openmpi", 2, "heat", 100, 1000), cwd=directory).expect(3)
    check_equal(sorted(os.listdir(directory)), before, "what is there after the refusal")


@test("times of another application are refused by predict")
def other_times(directory):
    command = launch("openmpi", 2, *CG)
    signature = make_signature(directory, command)
    other = make_signature(directory, launch("openmpi", 2, "heat", 100, 1000), name="other")
    times = measured_times(directory, signature, command)
    firma("predict", other, times).expect(1, 3)


def check_input_refused(result, name):
    result.expect(3)
    check(name in result.err, f"{name} is not named\n{result}")


@test("signatures and times that are missing, empty or broken are refused by name with exit status 3")
def broken_inputs(directory):
    command = launch("openmpi", 2, *CG)
    signature = make_signature(directory, command)
    times = measured_times(directory, signature, command)
    contents = {}
    for path in (signature, times):
        with open(path, encoding="utf-8") as file:
            contents[path] = file.read()
    for content in ("", "{", "[1, 2]", '{"format": "something else", "version": 1}', "truncate", "older"):
        for path, whole in contents.items():
            text = whole[:len(whole) // 2] if content == "truncate" else content
            if content == "older":
                text = json.dumps({**json.loads(whole), "version": 999})
            broken = os.path.join(directory, "broken.json")
            with open(broken, "w", encoding="utf-8") as file:
                file.write(text)
            words = (broken, times) if path == signature else (signature, broken)
            check_input_refused(firma("predict", *words), "broken.json")
            if path == signature:
                check_input_refused(measured(directory, broken, command, "never.json")[0], "broken.json")
    check_input_refused(firma("predict", os.path.join(directory, "absent.firma"), times), "absent.firma")
    check_input_refused(firma("predict", signature, os.path.join(directory, "absent.json")), "absent.json")


@test("a busy machine is said: before a run, and in what was measured")
def busy(directory):
    loops = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(2 * os.cpu_count())]
    try:
        trace = os.path.join(directory, "trace")
        result = subprocess.run([FIRMA, "trace", "--json", "-o", trace, "--", *launch("openmpi", 2, "cg", "16", "2", "1")],
                                capture_output=True, text=True, check=True)
        signature, times = os.path.join(directory, "app.firma"), os.path.join(directory, "times.json")
        firma("phases", trace, "-o", signature).expect(0)
        measured = subprocess.run([FIRMA, "measure", "--json", "-o", times, signature, "--",
                                   *launch("openmpi", 2, "cg", "16", "2", "1")], capture_output=True, text=True, check=True)
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()
    check("other programs kept" in measured.stderr, f"the load isn't said: {measured.stderr}")
    with open(times, encoding="utf-8") as file:
        check(json.load(file)["busy_processors"] > os.cpu_count(), "what was measured doesn't hold the load")
    check("other programs kept" in result.stderr, f"the load isn't said: {result.stderr}")
    check(json.loads(result.stdout)["busy_processors"] > os.cpu_count(), "waiting programs don't count: " + result.stdout)


@test("predictions from the same files are byte-identical")
def deterministic(directory):
    command = launch("openmpi", 2, *CG)
    signature = make_signature(directory, command)
    times = measured_times(directory, signature, command)
    first, second = (firma("predict", signature, times, "--json").expect(0).out for _ in range(2))
    check_equal(second, first, "the second prediction")


@test("study does all of it in one go, and --verify adds the full run")
def study(directory):
    command = launch("openmpi", 2, *CG)
    document = firma("study", "--verify", "--json", "--", *command, cwd=directory).expect(0).json()
    for key in ("predicted_s", "interval_s", "actual_s", "error_percent"):
        check(key in json.dumps(document), f"{key} is missing\n{document}")


def studied(directory, command):
    """The limits of a study, and whether it prints a table of phases."""
    document = firma("study", "-o", "a", "--json", "--", *command, cwd=directory).expect(0).json()
    out = firma("study", "-o", "b", "--", *command, cwd=directory).expect(0).out
    limits = {limit["limit"]: limit["text"] for limit in document["limits"]}
    for text in limits.values():
        check(text in out or "The run took" in text or "times a second" in text, f"`{text}` isn't printed\n{out}")
    check("predicted run time" in out, f"no prediction\n{out}")
    return limits, "\nphase " in out


@test("study says in a sentence what one process, a short run and a run without repeats mean, instead of tables")
def says_limits(directory):
    once = {"no_repeats": "No phase repeats: predicting the run means running", "few_events": "its run can be divided only there"}
    for command, expected in (
            (launch("openmpi", 1, *CG), {"one_process": "only its computation is predicted"}),
            (launch("openmpi", 2, "cg", 8, 3, 2), {"short_run": "running it again costs less than predicting it"}),
            (launch("openmpi", 2, "once", 30000000), once)):
        limits, has_table = studied(directory, command)
        for limit, sentence in expected.items():
            check(sentence in limits.get(limit, ""), f"{limit} isn't said: {limits}")
        check(not has_table, f"tables of {', '.join(expected)}")
        for name in ("a", "b"):
            shutil.rmtree(os.path.join(directory, name))


@test("study says that ranks shared processors, and prints its tables")
def says_shared(directory):
    shared = launch("openmpi", len(os.sched_getaffinity(0)) + 1, *CG)
    limits, has_table = studied(directory, shared)
    check_equal(list(limits), ["shared_processors"], "limits")
    check("the prediction holds only if they share processors in the same way" in limits["shared_processors"] and has_table, limits)


@test("study says that a program exchanged no messages")
def says_silent(directory):
    result = firma("study", "--", *launch("openmpi", 2, "once", 1000, "silent"), cwd=directory).expect(3)
    check("once-openmpi exchanged no messages" in result.err and "firma predicts message-passing programs" in result.err,
          result.err)


main()
