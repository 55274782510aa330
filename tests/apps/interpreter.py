# SPDX-License-Identifier: BSD-3-Clause
"""An MPI program in Python. The interpreter loads MPI late, and keeps its names to the extension that needs it (RTLD_LOCAL).

  interpreter.py load      another thread loads and unloads libraries all the time, and so may be in dlopen when MPI starts
  interpreter.py threads   threads of each rank exchange messages at the same time, each on a communicator of its own
"""
import _ctypes
import sys
import threading

N_THREADS, N_ROUNDS = 4, 50
LIBRARIES = ("libBrokenLocale.so.1", "libanl.so.1", "libutil.so.1")  # of glibc; no program uses them


def exchange(comm, sums, i):
    following, previous = (comm.rank + 1) % comm.size, (comm.rank - 1) % comm.size
    for k in range(N_ROUNDS):
        request = comm.isend(comm.rank * 1000 + k, following, tag=k)
        sums[i] += comm.recv(source=previous, tag=k)
        request.wait()


def load_until(done, loads):
    while not done.wait(0.001):
        for name in LIBRARIES:
            _ctypes.dlclose(_ctypes.dlopen(name, 0))
        loads.release()


def main():
    done, loads = threading.Event(), threading.Semaphore(0)
    if sys.argv[1] == "load":
        loader = threading.Thread(target=load_until, args=(done, loads))
        loader.start()
        loads.acquire()
    from mpi4py import MPI
    world, sums = MPI.COMM_WORLD, [0] * N_THREADS
    if sys.argv[1] == "load":
        exchange(world, sums, 0)
        done.set()
        loader.join()
    else:
        comms = [world.Dup() for _ in range(N_THREADS)]
        threads = [threading.Thread(target=exchange, args=(comm, sums, i)) for i, comm in enumerate(comms)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for comm in comms:
            comm.Free()
    print(f"rank {world.rank} thread level {MPI.Query_thread()}: {sums}\n", end="", flush=True)


main()
