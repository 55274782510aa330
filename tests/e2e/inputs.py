# SPDX-License-Identifier: BSD-3-Clause
"""Inputs of verbs: a trace and its signature, and documents written by hand."""

import atexit
import json
import os
import shutil
import tempfile

from harness import firma, launch

CG = ("cg", 32, 20, 10)


def estimated(value):
    return {"value": value, "low": value, "high": value}


def write_inputs(directory):
    def save(name, text):
        with open(os.path.join(directory, name), "w", encoding="utf-8") as file:
            file.write(text if isinstance(text, str) else json.dumps(text))

    save("graph.ttig", {"format": "firma ttig", "version": 1, "nodes": [1, 1],
                        "edges": [{"from": 0, "to": 1, "bytes": 1000, "messages": 1, "parallelism": 1}]})
    save("graph.json", {"format": "firma task graph", "version": 1,
                        "tasks": [[0.001, {"send": 1, "bytes": 10}], [{"recv": 0, "bytes": 10}]]})
    save("hosts.json", {"format": "firma machine", "version": 1, "date": "", "command": "",
                        "hosts": [{"name": "anna", "system": "", "processor": "", "cpus": 2}],
                        "paths": [{"middleware": "openmpi", "transport": "shm", "packing": "", "library": "",
                                   "from_host": 0, "to_host": 0, "linear": True, "largest_error": 0,
                                   "largest_bytes": 1 << 20,
                                   "segments": [{"from_bytes": 0, "latency_s": estimated(1e-6),
                                                 "s_per_byte": estimated(1e-10), "error": 0}]}], "collectives": []})
    save("task.c", "long count(int n) { long s = 0; for (int i = 0; i < n; i++) s += i; return s; }\n")
    save("app.pasl", "application app\nbatch b { source task.c entry count tasks 4 argument n = 1000 }\n")
    save("runs.csv", "p,time\n1,4\n2,2.1\n4,1.2\n8,0.8\n")


_inputs = None


def prepare(directory):
    """Makes a trace, its signature, and documents, once. Returns the command that was traced."""
    global _inputs
    command = launch("openmpi", 2, *CG)
    if _inputs is None:
        _inputs = tempfile.mkdtemp(prefix="firma-e2e-inputs-")
        atexit.register(shutil.rmtree, _inputs)
        write_inputs(_inputs)
        firma("trace", "-o", "app.trace", "--", *command, cwd=_inputs).expect(0)
        firma("phases", "app.trace", "-o", "app.firma", cwd=_inputs).expect(0)
        for ranks, name in ((1, "one.trace"), (3, "three.trace")):
            firma("trace", "-q", "-o", name, "--", *launch("openmpi", ranks, *CG), cwd=_inputs).expect(0)
        firma("machine", "cpu", "--languages", "c", "--time", "1", "--kind", "own", "-o", "cpu.json",
              cwd=_inputs).expect(0)
    shutil.copytree(_inputs, directory, dirs_exist_ok=True)
    os.mkdir(os.path.join(directory, "out"))
    return command
