# SPDX-License-Identifier: BSD-3-Clause
"""firma show on real archives: every view as text, JSON and picture. Views agree with the program and with firma phases. Errors
about wrong ranges name the valid ones."""

import json
import os
import xml.etree.ElementTree

import harness
from harness import Archive, check, check_equal, events_said, firma, launch, main, make_signature, some, synthetic, test, trace

RANKS = 4


def traced(directory, name="cg", *arguments):
    return harness.traced(directory, launch("openmpi", RANKS, name, *(arguments or (64, 10, 5))))


@test("the overview's calls, bytes and messages are those that the program counted")
def overview_agrees(directory):
    out, archive = traced(directory, "stencil", 16, 50)
    said = events_said(out)
    shown = firma("show", archive, "--json").expect(0).json()
    check_equal(shown["messages"], sum(rank["sends"] for rank in said.values()), "messages")
    calls = {call["call"]: call for call in shown["calls"]}
    sent = sum(calls[name]["sent_bytes"] for name in ("send", "isend", "sendrecv") if name in calls)
    check_equal(sent, sum(rank["send_bytes"] for rank in said.values()), "bytes sent")
    check_equal(len(shown["per_process"]), RANKS, "processes")


@test("a process's time is computation, calls and the rest, and the slowest is the application's")
def times_add_up(directory):
    _, archive = traced(directory, "heat", 64, 200)
    shown = firma("show", archive, "--json").expect(0).json()
    for process in shown["per_process"]:
        together = process["compute_s"] + process["mpi_s"] + process["other_s"]
        check(abs(together - process["time_s"]) <= 0.01 * process["time_s"],
              f"process {process['process']}: {together} s of {process['time_s']} s")
    phases = firma("phases", archive, "--json").expect(0).json()
    check(abs(phases["application_s"] - shown["application_s"]) < 1e-8, "phases and show disagree on the time")


@test("the overview as text names the program, its calls and its processes")
def overview_text(directory):
    _, archive = traced(directory)
    text = firma("show", archive).expect(0).out
    for words in ("cg-openmpi 64 10 5", "allreduce", "isend", "computation", "mean"):
        check(words in text, f"no {words!r} in\n{text}")


@test("the matrix holds every message that otf2-print prints")
def matrix_agrees(directory):
    _, archive = traced(directory)
    shown = firma("show", archive, "--matrix", "--json").expect(0).json()
    found = Archive(archive)
    for rank in range(RANKS):
        own = [pair for pair in shown["pairs"] if pair["from"] == rank]
        check_equal(sum(pair["bytes"] for pair in own), found.said(rank)["send_bytes"], f"bytes sent by {rank}")
        check_equal(sum(pair["messages"] for pair in own), found.said(rank)["sends"], f"messages sent by {rank}")
    calls = sum(one["calls"] for one in shown["collectives"] if not one["collective"].endswith("_handle"))
    check_equal(calls, sum(found.said(rank)["collectives"] for rank in range(RANKS)), "collectives")


@test("the logical trace in two orders has the same sends, and a receive never before its send")
def ticks_agree(directory):
    _, archive = traced(directory)
    sends = {}
    for order in ("pas2p", "lamport"):
        shown = firma("show", archive, "--ticks", "0:", "--order", order, "--json").expect(0).json()
        check_equal((shown["order"], shown["more"]), (order, False), "order, more")
        sends[order] = sorted((event["process"], event["send_event"], event["type"]) for tick in shown["ticks"]
                              for event in tick["events"] if not event["type"].startswith("-"))
        last = {}
        for tick in shown["ticks"]:
            for event in tick["events"]:
                process, kind, peer = event["process"], event["type"][0], event["type"][1:]
                if kind == "+":
                    last.setdefault((process, int(peer)), []).append(tick["lt"])
                elif kind == "-":
                    sent = last[int(peer), process].pop(0)
                    check(sent < tick["lt"], f"received at {tick['lt']}, sent at {sent}")
    check_equal(sends["lamport"], sends["pas2p"], "sends")


@test("without receives the ticks are those that phases count")
def ticks_of_sends(directory):
    _, archive = traced(directory)
    n_ticks = firma("phases", archive, "--json").expect(0).json()["ticks"]
    shown = firma("show", archive, "--ticks", f"{n_ticks - 2}:", "--no-receives", "--json").expect(0).json()
    check_equal([tick["tick"] for tick in shown["ticks"]], [n_ticks - 2, n_ticks - 1], "ticks")
    check(f"{n_ticks} ticks" in firma("show", archive, "--ticks", n_ticks, "--no-receives").expect(2).err, "no count")


@test("a range of ticks equals that range of the whole logical trace, also for some processes only")
def range_of_ticks(directory):
    _, archive = traced(directory)
    whole = firma("show", archive, "--ticks", ":59", "--json").expect(0).json()["ticks"]
    part = firma("show", archive, "--ticks", "20:39", "--json").expect(0).json()
    check_equal(part["ticks"], whole[20:40], "ticks 20 to 39")
    check(part["more"], "more ticks follow")
    two = firma("show", archive, "--ticks", "20:39", "--ranks", "1:2", "--json").expect(0).json()["ticks"]
    check_equal([event["process"] for tick in two for event in tick["events"] if event["process"] not in (1, 2)], [],
                "other processes")
    lines = firma("show", archive, "--ticks", "20:23").expect(0).out.splitlines()
    check_equal([line.split()[0] for line in lines[:2 + RANKS]], ["tick", "LT", "0", "1", "2", "3"], "rows")


@test("block n has the events of tick n at its entry, and those of tick n + 1 at its exit, with their computation")
def blocks_agree(directory):
    _, archive = traced(directory, "sweep", 32, 8, 5)
    ticks = firma("show", archive, "--ticks", "3:13", "--json").expect(0).json()["ticks"]
    shown = firma("show", archive, "--blocks", "3:12", "--json").expect(0).json()
    rows = {(row["block"], row["process"]): row for row in shown["blocks"]}
    check_equal(len(rows), len(shown["blocks"]), "rows, each once")
    expected = {}
    for before, behind in zip(ticks, ticks[1:]):
        for event in before["events"]:
            expected[before["tick"], event["process"]] = [event["type"], "", 0, 0]
        for event in behind["events"]:
            row = expected.setdefault((before["tick"], event["process"]), ["", "", 0, 0])
            row[1:] = [event["type"], event["compute_s"], event["bytes"]]
    found = {key: [row["entry"], row["exit"], row["compute_s"], row["bytes"]] for key, row in rows.items()}
    check_equal(found, expected, "blocks")
    check("computation" in firma("show", archive, "--blocks", ":3", "--ranks", "1:2").expect(0).out, "text")
    firma("show", archive, "--blocks", "1:3", "--svg", os.path.join(directory, "a.svg")).expect(2)
    last = firma("show", archive, "--ticks", "0:", "--json").expect(0).json()["ticks"][-1]["tick"]
    check("no block" in firma("show", archive, "--blocks", f"{last}:").expect(2).err, "the last tick begins no block")


@test("a phase's content is the same from the trace and from its signature")
def phase_content(directory):
    signature = make_signature(directory, launch("openmpi", RANKS, "cg", 64, 10, 5))
    archive = os.path.join(directory, "app.trace")
    document = firma("show", signature, "--json").expect(0).json()
    analysed = firma("phases", archive, "--json").expect(0).json()
    with open(signature, encoding="utf-8") as file:
        written = json.load(file)
    for key in ("sequence", "order", "similarity"):
        check_equal((document[key], analysed[key]), (written[key], written[key]), key)
    phases, found = document["phases"], analysed["phases"]
    for key in ("id", "ticks", "events", "weight", "relevant"):
        check_equal([phase[key] for phase in found], [phase[key] for phase in phases], key)
    for phase in phases:
        from_signature = firma("show", signature, "--phase", phase["id"], "--json").expect(0).json()
        from_trace = firma("show", archive, "--phase", phase["id"], "--json").expect(0).json()
        check_equal(from_trace["events"], from_signature["events"], f"content of phase {phase['id']}")
        check_equal(len(from_trace["events"]), phase["events"], f"events of phase {phase['id']}")
        text = firma("show", signature, "--phase", phase["id"]).expect(0).out
        check("startpoint" in text, "no table of processes")
        check(" 1 ticks" not in text and " 1 events" not in text, f"one isn't many: {text}")


@test("a process's events come in order, with the types of the logical trace")
def process_events(directory):
    _, archive = traced(directory)
    shown = firma("show", archive, "--rank", 1, "--events", ":99999", "--json").expect(0).json()
    events = shown["events"]
    check_equal([event["event"] for event in events], list(range(len(events))), "numbers")
    check_equal(shown["more"], False, "more")
    check(all(a["since_init_s"] <= b["since_init_s"] for a, b in zip(events, events[1:])), "times go back")
    ticks = firma("show", archive, "--ticks", "0:", "--no-receives", "--json").expect(0).json()["ticks"]
    of_ticks = [event["type"] for tick in ticks for event in tick["events"] if event["process"] == 1]
    send_like = [event["type"] for event in events if event["type"][0] != "-" and event["type"] != "post"]
    check_equal(send_like, of_ticks, "send-like events")
    part = firma("show", archive, "--rank", 1, "--events", "10:12", "--json").expect(0).json()["events"]
    check_equal(part, events[10:13], "events 10 to 12")


@test("an event has its logical time, its tick and its partner: a message's ends name each other")
def partners(directory):
    _, archive = traced(directory)
    all_ticks = firma("show", archive, "--ticks", "0:", "--json").expect(0).json()["ticks"]
    events = {rank: firma("show", archive, "--rank", rank, "--events", ":99999", "--json").expect(0).json()["events"]
              for rank in range(4)}
    messages = 0
    for rank in range(4):
        for event in events[rank]:
            if event["type"] == "post":
                check("tick" not in event and "lt" not in event, f"{event}")
                continue
            tick = all_ticks[event["tick"]]
            check_equal(tick["lt"], event["lt"], f"logical time of {event}")
            check((rank, event["type"]) in [(one["process"], one["type"]) for one in tick["events"]], f"{event} isn't in its tick")
            if event["type"][0] not in "+-":
                check("partner_event" not in event, f"{event}")
                continue
            messages += 1
            other = events[int(event["type"][1:])][event["partner_event"]]
            check_equal((other["type"], other["partner_event"], other["bytes"], other["tag"]),
                        ("-+"[event["type"][0] == "-"] + str(rank), event["event"], event["bytes"], event["tag"]), f"partner of {event}")
            check_equal(abs(other["lt"] - event["lt"]), 1, f"logical times of {event} and {other}")
    check(messages > 100, f"{messages} messages")


PICTURES = {"overview": (), "ticks": ("--ticks", "0:39"), "ticks in Lamport order": ("--ticks", "5:49", "--order", "lamport"),
            "phase": ("--phase", "1"), "process": ("--rank", "0"), "matrix": ("--matrix",),
            "matrix of messages": ("--matrix", "--messages")}


def check_picture(directory, source, words):
    picture = os.path.join(directory, "a.svg")
    result = firma("show", source, *words, "--svg", picture, "--force").expect(0)
    check(result.out, "nothing is printed beside the picture")
    root = xml.etree.ElementTree.parse(picture).getroot()
    check(root.tag.endswith("svg") and len(list(root.iter())) > 20, "an empty picture")
    check("nan" not in open(picture, encoding="utf-8").read().lower(), "a place that isn't known")


def add_picture(name, words):
    @test(f"the picture of the view `{name}` is SVG")
    def draws(directory):
        check_picture(directory, traced(directory)[1], words)


for name, words in PICTURES.items():
    add_picture(name, words)


@test("the pictures of a signature and of a trace without messages are drawn too")
def other_pictures(directory):
    signature = make_signature(directory, launch("openmpi", 2, "montecarlo", 1000, 5))
    for source, words in ((signature, ()), (signature, ("--phase", "1"))):
        check_picture(directory, source, words)
    picture = os.path.join(directory, "none.svg")
    firma("show", os.path.join(directory, "app.trace"), "--matrix", "--svg", picture).expect(0)
    check("none sends a message" in "".join(xml.etree.ElementTree.parse(picture).getroot().itertext()), "no sentence")


def check_refused(status, named, *words):
    result = firma("show", *words).expect(status)
    check(named in result.err, f"{named!r} is not named\n{result}")
    check(not result.out, f"something is shown\n{result}")
    document = firma("show", *words, "--json").expect(status).json()
    check_equal(document["error"]["exit_status"], status, "exit status in the JSON error")


def add_waits(mpi):
    @test(f"--waits names late senders, late receivers and late members of collectives, and their time under {mpi}")
    def _(directory):
        steps, pause_s = 6, 0.2  # longer than a process usually waits for a processor
        result, archive = trace(directory, launch(mpi, 3, "late", steps, round(1000 * pause_s)), "-q")
        result.expect(0)
        shown = firma("show", archive, "--waits", "--json").expect(0).json()
        found = {(cause["process"], cause["cause"], cause["kind"]): cause for cause in shown["causes"]}
        for key, pauses in (((0, 1, "late sender"), 1), ((1, 0, "late receiver"), 1), ((0, 2, "collective"), 2), ((1, 2, "collective"), 2)):
            cause = found[key]
            check(steps / 2 <= cause["count"] <= 2 * steps, f"{key}: {cause}")
            check(0.5 * pauses * pause_s * steps < cause["time_s"], f"{key}: {cause}")
        rows = [row for phase in shown["phases"] for row in phase["processes"]]
        for row in rows:
            waits_s = row["late_sender_s"] + row["late_receiver_s"] + row["collective_s"]
            check(waits_s <= row["communication_s"] + 1e-9, f"{row}")
            check(row["computation_s"] + row["communication_s"] <= row["duration_s"] + 1e-6, f"{row}")
        overview = firma("show", archive, "--json").expect(0).json()
        communication_s = sum(call["time_s"] for call in overview["calls"])
        check(0.8 * communication_s < sum(row["communication_s"] for row in rows) <= communication_s, f"{communication_s}")
        table = firma("show", archive, "--waits").expect(0).out
        check("late sender" in table and "all phases" in table, table)


for _mpi in some(["openmpi"], ["mpich"]):
    add_waits(_mpi)


@test("--occurrence shows an occurrence between the startpoints and endpoints of its phase, in each process")
def occurrence_agrees(directory):
    _, archive = traced(directory, "cg", 64, 10, 5)
    signature = os.path.join(directory, "app.firma")
    firma("phases", archive, "-o", signature).expect(0)
    ranks = [firma("show", archive, "--rank", rank, "--events", ":100000", "--json").expect(0).json()["events"] for rank in range(RANKS)]
    with open(signature, encoding="utf-8") as file:
        phases = json.load(file)["phases"]
    for phase in phases:
        shown = firma("show", archive, "--phase", phase["id"], "--occurrence", "0", "--json").expect(0).json()
        check_equal(shown["occurrence"], phase["first_occurrence"], "number")
        place = phase["places"][0]
        begins = []
        for span in shown["processes"]:
            start, end = place["startpoint"][span["process"]], place["endpoint"][span["process"]]
            events = [event for event in ranks[span["process"]] if start <= event["send_event"] < end and not event["type"].startswith(("-", "post"))]
            begins.append(events[0]["since_init_s"] - span["begin_s"])
            of_process = [event for event in shown["events"] if event["process"] == span["process"]]
            check_equal([event["type"] for event in of_process if not event["type"].startswith("-")], [event["type"] for event in events],
                        f"phase {phase['id']}, process {span['process']}")
            check(all(span["begin_s"] <= event["at_s"] <= span["end_s"] for event in of_process), f"{span}: {of_process}")
        check(max(begins) - min(begins) < 0.5, f"{begins}")  # processes leave MPI_Init at other times
        check_equal(min(span["begin_s"] for span in shown["processes"]), 0, "the first process begins")
    check_refused(2, "occurrences, numbered from 0", archive, "--phase", "1", "--occurrence", "1000000")
    check_refused(2, "there is no phase 99", archive, "--phase", "99", "--occurrence", "0")
    check_refused(2, "goes with --phase", archive, "--occurrence", "0")
    picture = os.path.join(directory, "o.svg")
    firma("show", archive, "--phase", "1", "--occurrence", "1", "--svg", picture).expect(0)
    with open(picture, encoding="utf-8") as file:
        check("occurrence" in file.read(), "the picture's title")


@test("ranges and numbers that don't exist are refused with the valid ones")
def refuses_ranges(directory):
    _, archive = traced(directory)
    for status, named, *words in (
            (2, "ticks", "--ticks", "1000000:"), (2, "character 3: the range ends before", "--ticks", "5:4"), (2, "character 1: expected a number", "--ticks", "x"),
            (2, "0 to 3", "--rank", "4"), (2, "events", "--rank", "0", "--events", "1000000:"),
            (2, "not a whole number", "--rank", "-1"), (2, "numbered from 1", "--phase", "99"),
            (2, "0 to 3", "--ticks", "0:3", "--ranks", "4:4"), (2, "there is no `x`", "--ticks", "0:3", "--order", "x"),
            (2, "one at a time", "--ticks", "0:3", "--matrix"), (2, "goes with --rank", "--events", "0:3"),
            (2, "one at a time", "--matrix", "--volume", "--messages"), (2, "goes with --matrix", "--messages"),
            (2, "is part of", "--svg", os.path.join(archive, "traces.def"))):
        check_refused(status, named, archive, *words)
    check_refused(3, "nothing", os.path.join(directory, "nothing"))


@test("views of events need a trace, and other files are refused by name")
def refuses_files(directory):
    signature = make_signature(directory, launch("openmpi", 2, "cg", 32, 5, 2))
    for words in (("--ticks", "0:3"), ("--matrix",), ("--rank", "0")):
        check_refused(2, "needs a trace", signature, *words)
    other = os.path.join(directory, "other.json")
    with open(other, "w", encoding="ascii") as file:
        json.dump({"format": "something else"}, file)
    check_refused(3, "something else", other)
    with open(other, "w", encoding="ascii") as file:
        file.write("a program, or whatever")
    check_refused(3, "give a file that firma wrote", other)


@test("of very many processes, a phase, ticks and blocks show some, and name the option that shows all")
def many_processes(directory):
    archive = synthetic(directory, "--ranks", "256", "--events", "20000")
    for words, said in ((("--phase", "1"), "192 other processes (--all)"), (("--ticks", "4:8"), "192 other processes (--ranks)"),
                        (("--blocks", "3:4"), "other rows (--ranks)")):
        text = firma("show", archive, *words).expect(0).out
        check(said in text, text)
        check(len(text.splitlines()) < 220, text)
    check("other processes" not in firma("show", archive, "--phase", "1", "--all").expect(0).out, "processes are left out")
    check("other" not in firma("show", archive, "--ticks", "4:8", "--ranks", "0:255").expect(0).out, "processes are left out")


main()
