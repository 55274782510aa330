# SPDX-License-Identifier: BSD-3-Clause
"""Common parts of the benchmarks: the programs with their inputs, launching them, and timing their runs."""

import datetime
import json
import os
import platform
import re
import shutil
import signal
import statistics
import subprocess
import sys
import time

MPIRUN = ["mpirun.openmpi", "--allow-run-as-root", "--oversubscribe"]
RANKS = 2
RUN_LIMIT_S = 900

MELT = """units lj
atom_style atomic
lattice fcc 0.8442
region box block 0 20 0 20 0 20
create_box 1 box
create_atoms 1 box
mass 1 1.0
velocity all create 3.0 87287
pair_style lj/cut 2.5
pair_coeff 1 1 1.0 1.0 2.5
neighbor 0.3 bin
neigh_modify every 20 delay 0 check no
fix 1 all nve
thermo 50
run {steps}
"""

# Like Debian's example, but for one row of two processes and a matrix of a given order. All of
# HPCC's tests scale with it.
HPCC_LINES = """HPLinpack benchmark input file
Innovative Computing Laboratory, University of Tennessee
HPL.out      output file name (if any)
8            device out (6=stdout,7=stderr,file)
1            # of problems sizes (N)
{order}         Ns
1            # of NBs
80           NBs
0            PMAP process mapping (0=Row-,1=Column-major)
1            # of process grids (P x Q)
1            Ps
{ranks}            Qs
16.0         threshold
1            # of panel fact
2            PFACTs (0=left, 1=Crout, 2=Right)
1            # of recursive stopping criterium
4            NBMINs (>= 1)
1            # of panels in recursion
2            NDIVs
1            # of recursive panel fact.
1            RFACTs (0=left, 1=Crout, 2=Right)
1            # of broadcast
1            BCASTs (0=1rg,1=1rM,2=2rg,3=2rM,4=Lng,5=LnM)
1            # of lookahead depth
1            DEPTHs (>=0)
2            SWAP (0=bin-exch,1=long,2=mix)
64           swapping threshold
0            L1 in (0=transposed,1=no-transposed) form
0            U  in (0=transposed,1=no-transposed) form
1            Equilibration (0=no,1=yes)
8            memory alignment in double (> 0)
##### This line (no. 32) is ignored (it serves as a separator). ######
0                      Number of additional problem sizes for PTRANS
1200 10000 30000       values of N
0                      number of additional blocking sizes for PTRANS
40 9 8 13 13 20 16 32 64       values of NB
"""

OWN_TIME = re.compile(r"^time_s +([\d.]+)", re.M)   # MPI_Init to MPI_Finalize, on rank 0
LOOP_TIME = re.compile(r"^Loop time of ([\d.]+)", re.M)


class Program:
    """A program with its arguments. `own_time` finds the time in its output; None: it prints no time."""

    def __init__(self, label, language, command, own_time=OWN_TIME, inputs=None, leftovers=()):
        self.label, self.language, self.command, self.own_time = label, language, command, own_time
        self.inputs, self.leftovers = inputs or {}, leftovers

    def own_time_s(self, output):
        match = self.own_time and self.own_time.search(output)
        return float(match[1]) if match else None

    def is_there(self):
        return shutil.which(self.command[0]) is not None

    def prepare(self, directory):
        for name, text in self.inputs.items():
            with open(os.path.join(directory, name), "w", encoding="utf-8") as file:
                file.write(text)
        for name in self.leftovers:
            if os.path.exists(os.path.join(directory, name)):
                os.remove(os.path.join(directory, name))


def own_program(apps, language, name, *arguments):
    path = os.path.join(os.path.abspath(apps), f"{name}-openmpi")
    return Program(" ".join([name, *map(str, arguments)]), language, [path, *map(str, arguments)])


def lammps(steps):
    return Program(f"lammps melt, {steps} steps", "C++", ["lmp", "-in", "in.melt", "-log", "none"], LOOP_TIME,
                   {"in.melt": MELT.format(steps=steps)})


def hpcc(order):
    return Program(f"hpcc, N = {order}", "C", ["hpcc"], None,
                   {"hpccinf.txt": HPCC_LINES.format(order=order, ranks=RANKS)}, ("hpccoutf.txt",))


# A waiting rank yields its core. Otherwise, where two ranks share a core, it would spin for its
# time slice, and runs would take twenty times as long.
YIELDING = ("--mca", "mpi_yield_when_idle", "1")


def one_rank_a_core(program, options=()):
    return [*MPIRUN, *options, "--bind-to", "core", "-n", str(RANKS), *program.command]


def all_on_one_core(program, options=YIELDING):
    return ["taskset", "-c", "0", *MPIRUN, *options, "--bind-to", "none", "-n", str(RANKS), *program.command]


def run(command, directory):
    """Returns (stdout, stderr, seconds). A failing run ends the benchmark, because no number is better than a wrong one."""
    start = time.monotonic()
    process = subprocess.Popen(command, cwd=directory, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True, errors="replace", start_new_session=True)
    try:
        out, err = process.communicate(timeout=RUN_LIMIT_S)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGTERM)
        sys.exit(f"{' '.join(command)}: killed, because it still ran after {RUN_LIMIT_S} s")
    if process.returncode != 0:
        sys.exit(f"{' '.join(command)}: exit status {process.returncode}\n{out[-2000:]}\n{err[-2000:]}")
    return out, err, time.monotonic() - start


def run_traced(firma, program, command, directory):
    """Traces. Returns firma's JSON document, and the time that the program printed (its output goes to stderr)."""
    archive = os.path.join(directory, "trace")
    shutil.rmtree(archive, ignore_errors=True)
    out, err, _ = run([firma, "trace", "--json", "--mpi", "openmpi", "-o", archive, "--", *command], directory)
    return json.loads(out), program.own_time_s(err), archive


def say(text):
    print(text, file=sys.stderr, flush=True)


def quartiles(values):
    if len(values) < 2:
        return values[0], values[0], values[0]
    return tuple(statistics.quantiles(values, n=4, method="inclusive"))


def machine():
    with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
        models = [line.split(":", 1)[1].strip() for line in file if line.startswith("model name")]
    version = subprocess.run([MPIRUN[0], "--version"], capture_output=True, text=True, check=False).stdout.splitlines()
    return {"date": datetime.date.today().isoformat(), "processor": (models or ["unknown processor"])[0],
            "cores": len(os.sched_getaffinity(0)), "kernel": platform.release(), "mpi": version[0] if version else "",
            "load": os.getloadavg()[0]}


def machine_line(facts):
    return (f"{facts['date']}, {facts['processor']}, {facts['cores']} cores, Linux {facts['kernel']}, {facts['mpi']}, "
            f"load {facts['load']:.1f} at the start")


def print_table(header, rows):
    print("| " + " | ".join(header) + " |")
    print("|" + " --- |" * len(header))
    for row in rows:
        print("| " + " | ".join(row) + " |")


def save(path, document):
    with open(path, "w", encoding="utf-8") as file:
        json.dump(document, file, indent=1)
        file.write("\n")
    say(f"numbers: {path}")


def add_common_arguments(parser, result):
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    parser.add_argument("--firma", default=os.path.join(root, "build/src/cli/firma"), help="the binary")
    parser.add_argument("--apps", default=os.path.join(root, "build/tests/apps"), help="folder of the own programs")
    parser.add_argument("--quick", action="store_true", help="short runs and few of them: shows that it works")
    parser.add_argument("--only", default="", help="only programs whose name contains this, or one of these: cg,heat")
    parser.add_argument("-o", "--output", default=result, help=f"the numbers, as JSON ({result})")


def add_archive_arguments(parser, quick, full, result):
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    parser.add_argument("--build", default=os.path.join(root, "build"), help="the build folder")
    parser.add_argument("--directory", help="where archives are made (the temporary directory)")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--quick", action="store_true", help=quick)
    parser.add_argument("--full", action="store_true", help=full)
    parser.add_argument("-o", "--output", default=result, help=f"the numbers, as JSON ({result})")


def chosen(programs, only):
    there = [program for program in programs if any(text in program.label for text in only.split(","))]
    for program in there:
        if not program.is_there():
            say(f"left out, not found: {program.command[0]}")
    return [program for program in there if program.is_there()]


def timed(command):
    """Returns (CPU seconds, peak memory in MB, stdout) of a command that must succeed."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    out = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(f"{' '.join(command)}: wait status {status}\n{out}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, out
