# SPDX-License-Identifier: BSD-3-Clause
"""Runs and traces programs in simulated clusters for mapping_effect.py. What was run once is kept in a folder, by the content
of all that the run depends on."""

import contextlib
import glob
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile

from mapping_cases import APPS_DIRECTORY, HERE, takes_jitter
from programs import run, say


def digest(*parts):
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:24]


def digest_of_files(paths):
    found = hashlib.sha256()
    for path in sorted(paths):
        with open(path, "rb") as file:
            found.update(file.read())
    return found.hexdigest()[:24]


def time_of(output):
    for line in output.splitlines():
        if line.startswith("time_s "):
            return float(line.split()[1])
    sys.exit(f"the program told no time:\n{output[-1000:]}")


def nodes_of(processors, cluster):
    """The node of each rank. Nodes are alike, so they are numbered as they occur."""
    numbers = {}
    return [numbers.setdefault(processor // cluster.cores, len(numbers)) for processor in processors]


@contextlib.contextmanager
def new_entry(folder):
    """A folder that takes its place in the cache when all is done."""
    os.makedirs(os.path.dirname(folder), exist_ok=True)
    made = tempfile.mkdtemp(prefix="unfinished-", dir=os.path.dirname(folder))
    try:
        yield made
        if not os.path.exists(folder):
            os.rename(made, folder)
    finally:
        shutil.rmtree(made, ignore_errors=True)


class Runs:
    def __init__(self, firma, build, cache):
        self.firma, self.cache = os.path.abspath(firma), os.path.abspath(cache)
        self.recorder = os.path.join(os.path.abspath(build), "src", "trace", "recorder", "libfirma-smpi.a")
        self.simgrid = subprocess.run(["smpirun", "-version"], capture_output=True, text=True, check=True).stdout
        self.recorder_digest, self.programs = digest_of_files([self.recorder]), {}
        self.n_run = self.n_kept = 0

    def build(self, sources):
        """Builds the programs, each without the recorder and with it."""
        shared = [os.path.join(APPS_DIRECTORY, "app.h"), *glob.glob(os.path.join(HERE, "mapping_kernel.*"))]
        for source in sources:
            text = digest_of_files([source, *shared])
            is_fortran = source.endswith(".f90")
            kernel = [os.path.join(HERE, "mapping_kernel.c")] if os.path.dirname(source) == HERE else []
            words = ["smpicc", "-O2", "-DAPP_SIMULATED", "-I", APPS_DIRECTORY, source, *kernel]
            folder = os.path.join(self.cache, "programs", digest(text, self.recorder_digest, self.simgrid))
            if not os.path.exists(folder):
                say(f"building {os.path.basename(source)}")
                with new_entry(folder) as made:
                    if is_fortran:
                        run(["smpicc", "-O2", "-c", os.path.join(HERE, "smpi_fortran.c")], made)
                        words = ["smpif90", "-O2", source, "smpi_fortran.o"]
                    run([*words, "-lm", "-o", "plain"], made)
                    run([*words, "-Wl,--whole-archive", self.recorder, "-Wl,--no-whole-archive", "-lm", "-o", "recorded"], made)
            self.programs[source] = text, folder

    def command(self, case, program, arguments, nodes, directory):
        """The launcher's command line; writes its files into the directory."""
        for name, text in (("platform.xml", case.cluster.platform), ("hosts", "".join(f"n{node}\n" for node in nodes))):
            with open(os.path.join(directory, name), "w", encoding="utf-8") as file:
                file.write(text)
        return ["smpirun", "-np", str(case.cluster.ranks), "-platform", os.path.join(directory, "platform.xml"), "-hostfile",
                os.path.join(directory, "hosts"), *case.cluster.settings, os.path.join(self.programs[case.source][1], program),
                *map(str, arguments)]

    def key(self, case, arguments, nodes, *more):
        return digest(self.programs[case.source][0], arguments, nodes, case.cluster.platform, case.cluster.settings,
                      self.simgrid, *more)

    def entry(self, kind, key):
        folder = os.path.join(self.cache, kind, key[:2], key)
        is_kept = os.path.exists(folder)
        self.n_kept += is_kept
        self.n_run += not is_kept
        return folder, is_kept

    def time_s(self, case, processors, jitter=0):
        """The simulated time of the case's program with ranks on these processors."""
        arguments = (*case.arguments, jitter) if takes_jitter(case) else case.arguments
        nodes = nodes_of(processors, case.cluster)
        folder, is_kept = self.entry("runs", self.key(case, arguments, nodes))
        if not is_kept:
            with new_entry(folder) as made:
                out = run(self.command(case, "plain", arguments, nodes, made), made)[0]
                with open(os.path.join(made, "output"), "w", encoding="utf-8") as file:
                    file.write(out)
        with open(os.path.join(folder, "output"), encoding="utf-8") as file:
            return time_of(file.read())

    def trace(self, case):
        """The archive of a run under the default mapping."""
        nodes = nodes_of(range(case.cluster.ranks), case.cluster)
        folder, is_kept = self.entry("traces", self.key(case, case.arguments, nodes, self.recorder_digest))
        if not is_kept:
            with new_entry(folder) as made:
                run([self.firma, "trace", "-q", "-o", os.path.join(made, "trace"), "--",
                     *self.command(case, "recorded", case.arguments, nodes, made)], made)
        return os.path.join(folder, "trace")
