# SPDX-License-Identifier: BSD-3-Clause
"""Runs save and restore cycles under each MPI. Reports how many succeed, how long they take, and what remains behind.

A cycle saves a job of tests/apps/resting in the middle of its communication, ends it, restores it, lets it run to its end,
and compares the checksum with that of an uninterrupted run. The benchmark has a /dev/shm and a folder for temporary files
of its own. So whatever remains there comes from it, not from other jobs.

    python3 bench/checkpoint_cycles.py [--cycles 100] [--ranks 2] [--megabytes 8] [--mpi openmpi] [--back-end dmtcp]
                                       [--json FILE]
"""

import argparse
import contextlib
import json
import os
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

BUILD = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "build")
LAUNCHERS = {"openmpi": ["mpirun.openmpi", "--allow-run-as-root", "--oversubscribe", "--bind-to", "none"],
             "mpich": ["mpirun.mpich"]}
STEPS, STOP, LIMIT_S = 40, 12, 60
INSIDE = "CHECKPOINT_CYCLES_INSIDE"


def read(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


def checksum(text):
    return next((line for line in text.splitlines() if line.startswith("checksum ")), None)


def write(path, text=""):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def kill_session(leader):
    """Kills the rest of a job, by its sessions: the launcher's, and those of its descendants."""
    for pid in [*descendants(leader), leader]:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def descendants(pid):
    try:
        threads = os.listdir(f"/proc/{pid}/task")
        children = [int(word) for thread in threads for word in read(f"/proc/{pid}/task/{thread}/children").split()]
    except OSError:
        return []
    return children + [one for child in children for one in descendants(child)]


class Surroundings:
    """Things that a job may leave behind: processes, mounts, segments, temporary files."""

    def __init__(self, tag):
        self.tag = tag.encode()
        self.processes = {f"process {pid}" for pid in os.listdir("/proc") if pid.isdigit() and self._is_ours(pid)}
        self.mounts = {line.split(" ", 1)[1] for line in read("/proc/self/mountinfo").splitlines()}
        self.segments = {f"/dev/shm/{name}" for name in os.listdir("/dev/shm")}
        self.temporary = {os.path.join(place, name) for place, folders, files in os.walk(os.environ["TMPDIR"])
                          for name in folders + files if not place.startswith(tag)}

    def _is_ours(self, pid):
        try:
            with open(f"/proc/{pid}/cmdline", "rb") as file:
                return int(pid) != os.getpid() and self.tag in file.read()
        except OSError:
            return False

    def more_than(self, before):
        return sorted((self.processes - before.processes) | (self.mounts - before.mounts) |
                      (self.segments - before.segments) | (self.temporary - before.temporary))


class Bench:
    def __init__(self, mpi, ranks, megabytes, directory):
        self.tool = os.path.join(BUILD, "tests/e2e/checkpointing")
        self.program = os.path.join(BUILD, f"tests/apps/resting-{mpi}")
        self.launcher = [*LAUNCHERS[mpi], "-n", str(ranks)]
        self.megabytes, self.directory = str(megabytes), directory
        reference = os.path.join(directory, "reference")
        os.mkdir(reference)
        run = subprocess.run([*self.launcher, self.program, reference, str(STEPS), self.megabytes], check=True,
                             stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=LIMIT_S)
        self.expected = checksum(run.stdout)

    def call(self, *words):
        result = subprocess.run([self.tool, *words], capture_output=True, text=True, timeout=LIMIT_S)
        if result.returncode != 0:
            raise RuntimeError(f"{words[0]}: {result.stderr.strip() or result.returncode}")
        return result

    def launch(self, run, output, running):
        words = self.call("words", running).stdout.split()
        with open(output, "ab") as out:
            job = subprocess.Popen([*words, *self.launcher, self.program, run, str(STEPS), self.megabytes],
                                   stdin=subprocess.DEVNULL, stdout=out, stderr=out, start_new_session=True)
        end_s = time.monotonic() + LIMIT_S
        while not any(name.startswith("asleep") for name in os.listdir(run)):
            if job.poll() is not None or time.monotonic() > end_s:
                kill_session(job.pid)
                raise RuntimeError(f"didn't reach its stop: {read(output)[-300:]}")
            time.sleep(0.005)
        return job

    def cycle(self, number):
        """Returns the seconds to save and to restore, and the bytes of the state."""
        place = os.path.join(self.directory, str(number))
        run, output, state, running = (os.path.join(place, name) for name in ("run", "out", "state", "running"))
        os.makedirs(run)
        write(os.path.join(run, "stop"), f"{STOP}\n")
        job = self.launch(run, output, running)
        try:
            saved = self.call("save", str(job.pid), state, "end", running, run).stdout.split()
        finally:
            kill_session(job.pid)
            job.wait()
        self.call("take", state, run, run + ".copy")
        write(os.path.join(run + ".copy", "go"))
        write(output + ".copy")
        restored = self.call("restore", state, f"{run}.copy={run}", f"{output}.copy={output}", f"limit={LIMIT_S}")
        found = checksum(read(output + ".copy"))
        if found != self.expected:
            raise RuntimeError(f"{found} instead of {self.expected}: {read(output + '.copy')[-300:]}")
        shutil.rmtree(place)
        return float(saved[0]), float(restored.stdout.split()[2]), int(saved[1]) + int(saved[2])


def measure(mpi, options):
    with tempfile.TemporaryDirectory(prefix="firma-cycles-") as directory:
        bench = Bench(mpi, options.ranks, options.megabytes, directory)
        before, good, failures = Surroundings(directory), [], []
        for number in range(options.cycles):
            try:
                good.append(bench.cycle(number))
            except (RuntimeError, subprocess.TimeoutExpired) as failure:
                failures.append(f"cycle {number}: {failure}")
                print(f"  {failures[-1]}", file=sys.stderr)
        left = Surroundings(directory).more_than(before)
    result = {"mpi": mpi, "back_end": options.back_end, "cycles": options.cycles, "succeeded": len(good), "failures": failures, "left_behind": left}
    if good:
        for name, values in zip(("save_s", "restore_s", "bytes"), zip(*good)):
            result[name] = {"median": statistics.median(values), "max": max(values)}
    return result


def enter_own_place():
    """Runs this program again in a mount namespace with an empty /dev/shm. Returns its exit status."""
    with tempfile.TemporaryDirectory(prefix="firma-cycles-") as directory:
        words = ["unshare", "--mount", "sh", "-c", 'mount -t tmpfs tmpfs /dev/shm && exec "$0" "$@"', sys.executable]
        return subprocess.run([*words, *sys.argv], env={**os.environ, "TMPDIR": directory, INSIDE: "1"},
                              check=False).returncode


def main():
    if INSIDE not in os.environ:
        sys.exit(enter_own_place())
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cycles", type=int, default=100)
    parser.add_argument("--ranks", type=int, default=2)
    parser.add_argument("--megabytes", type=int, default=8, help="memory of each rank")
    parser.add_argument("--mpi", choices=sorted(LAUNCHERS), action="append")
    parser.add_argument("--back-end", choices=("criu", "dmtcp"), default="criu")
    parser.add_argument("--json", help="also write the results there")
    options = parser.parse_args()
    os.environ["BACK_END"] = options.back_end
    results = []
    for mpi in options.mpi or sorted(LAUNCHERS):
        result = measure(mpi, options)
        results.append(result)
        print(f"{options.back_end}, {mpi}: {result['succeeded']} of {result['cycles']} succeeded; left behind: "
              f"{', '.join(result['left_behind']) or 'nothing'}")
        if "save_s" in result:
            print(f"  save {result['save_s']['median']:.2f} s (at most {result['save_s']['max']:.2f}), restore "
                  f"{result['restore_s']['median']:.2f} s (at most {result['restore_s']['max']:.2f}), "
                  f"{result['bytes']['median'] / 1e6:.0f} MB")
    if options.json:
        write(options.json, json.dumps(results, indent=2) + "\n")
    sys.exit(any(result["succeeded"] < result["cycles"] or result["left_behind"] for result in results))


if __name__ == "__main__":
    main()
