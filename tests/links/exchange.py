# SPDX-License-Identifier: BSD-3-Clause
"""Measures an emulated link with plain sockets, without firma, in order to check the emulation.

    exchange.py echo BYTES:ROUNDS …              accepts one connection on any address; prints the port
    exchange.py time HOST PORT BYTES:ROUNDS …    messages there and back; prints {"BYTES": shortest half round trip in s}
"""

import json
import socket
import sys
import time


def receive(connection, buffer):
    view = memoryview(buffer)
    while view:
        view = view[connection.recv_into(view):]


def echo(sizes):
    with socket.create_server(("", 0)) as server:
        print(server.getsockname()[1], flush=True)
        connection, _ = server.accept()
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    for size, rounds in sizes:
        buffer = bytearray(size)
        for _ in range(rounds):
            receive(connection, buffer)
            connection.sendall(buffer)


def timed(host, port, sizes):
    shortest = {}
    with socket.create_connection((host, port), timeout=900) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for size, rounds in sizes:
            buffer, taken = bytearray(size), []
            for _ in range(rounds):
                start = time.perf_counter()
                connection.sendall(buffer)
                receive(connection, buffer)
                taken.append((time.perf_counter() - start) / 2)
            shortest[size] = min(taken)
    print(json.dumps(shortest))


if __name__ == "__main__":
    first_size = 2 if sys.argv[1] == "echo" else 4
    all_sizes = [tuple(map(int, word.split(":"))) for word in sys.argv[first_size:]]
    if sys.argv[1] == "echo":
        echo(all_sizes)
    else:
        timed(sys.argv[2], int(sys.argv[3]), all_sizes)
