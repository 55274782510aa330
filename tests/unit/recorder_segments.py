# SPDX-License-Identifier: BSD-3-Clause
"""Reads a recording directory (src/trace/segment.h) into text for tests to compare: for each rank, the calls with their events,
without times, CPU records, and polls that found nothing. Requests are numbered in the order of their first use."""
import pathlib
import re
import struct
import sys

RECORD_BYTES = 32
HEADER_BYTES = 4096
HALF_BYTES = 128 << 10
STORED_OFFSET = HEADER_BYTES + 2 * HALF_BYTES
CALL, CPU, SEND, SEND_DONE, RECV_POST, RECV, CANCEL, COLLECTIVE, COLLECTIVE_DONE = range(1, 10)
CALL_OPEN, CALL_SEND, CALL_RECV, CALL_COLLECTIVE, ONE_SIDED, ONE_SIDED_DONE, CALL_ONE_SIDED, ASLEEP, WINDOW_SYNC = range(10, 19)
VERSION = int(re.search(r'^#define SEGMENT_VERSION (\d+)u', (pathlib.Path(__file__).parents[2] / 'src/trace/segment.h').read_text(encoding='utf-8'),
                        re.M)[1])
MESSAGES = {SEND: 'send', SEND_DONE: 'send_done', RECV_POST: 'recv_post', RECV: 'recv', CANCEL: 'cancel'}


def enum_names(header, prefix):
    """Returns the names of an enum's constants with this prefix, in order, from a header's text."""
    body = re.search(rf'typedef enum \w+ {{([^}}]*\b{prefix}[^}}]*)}}', header)[1]
    return re.findall(rf'\b{prefix}([A-Z_]+)[,\s]', body)


class Names:
    """Names of calls and collectives by number, from the project's own sources."""

    def __init__(self, source_root):
        root = pathlib.Path(source_root)
        sys.dont_write_bytecode = True
        sys.path.insert(0, str(root / 'src/trace/recorder'))
        from gen_calls import read_table
        self.calls = [call.name for call in read_table(root / 'src/trace/calls.def')[0]]
        header = (root / 'src/model/event.h').read_text()
        segment = (root / 'src/trace/segment.h').read_text()
        self.one_sided = [name.lower() for name in enum_names(segment, 'ONE_SIDED_') if name != 'COUNT']
        self.syncs = [name.lower() for name in enum_names(header, 'WINDOW_SYNC_') if name != 'COUNT']
        self.collectives = [name.lower() for name in enum_names(header, 'COLLECTIVE_') if name != 'COUNT']


GROUPS_BYTES = 8 + 64 * 72  # their number, and GroupRecords: PVM alone has them


class Process:
    """One ProcessFile with its communicators and segments."""

    def __init__(self, path, names):
        content = path.read_bytes()
        self.names, self.path = names, path
        (magic, self.version, self.flavour, self.pid, self.rank, self.size, self.n_threads, self.n_comms, self.end,
         self.error, self.level) = struct.unpack_from('8sIIiii8xIIIiI', content)
        assert magic == b'firmaPRO', path
        (self.init_enter, self.init_leave, self.finalize_enter, self.finalize_leave, self.abort,
         self.realtime) = struct.unpack_from('6q', content, 56)
        self.host = content[104:360].split(b'\0')[0].decode()
        self.mpi = content[360:616].split(b'\0')[0].decode()
        (build_id_bytes,) = struct.unpack_from('I', content, 616)
        self.build_id = content[620:620 + build_id_bytes].hex()
        self.executable = content[684:684 + 4096].split(b'\0')[0].decode()
        n, self.truncated = struct.unpack_from('II', content, 4780)
        self.arguments = content[4788:4788 + n].decode().split('\0')[:-1]
        counts = struct.unpack_from('1024Q', content, 4788 + 8192 + (-(4788 + 8192)) % 8)
        self.counted = {names.calls[i]: count for i, count in enumerate(counts) if count}
        self.call_cost, self.sample_cost = struct.unpack_from('II', content, len(content) - GROUPS_BYTES - 8)
        self.comms = self.read_comms(path.with_suffix('.comms').read_bytes())

    def read_comms(self, content):
        comms, offset = [], 0
        self.windows, self.neighbours = [], {}
        while offset < len(content):
            (n_local, n_remote, n_ranges, is_window, has_neighbours, n_sources,
             n_destinations) = struct.unpack_from('7I', content, offset)
            offset += 28
            ranks = []
            for _ in range(n_ranges):
                first, stride, count = struct.unpack_from('iiI', content, offset)
                ranks += [first + i * stride for i in range(count)]
                offset += 12
            assert len(ranks) == n_local + n_remote
            ranks_beside = struct.unpack_from(f'{n_sources + n_destinations}i', content, offset)
            offset += 4 * len(ranks_beside)
            if has_neighbours:
                self.neighbours[len(comms)] = ranks_beside[:n_sources], ranks_beside[n_sources:]
            self.windows += [len(comms)] if is_window else []
            comms.append((ranks[:n_local], ranks[n_local:]))
        assert len(comms) == self.n_comms
        return comms

    def segments(self):
        paths = self.path.parent.glob(self.path.stem + '-*.segment')
        return [Segment(path, self.names) for path in sorted(paths, key=lambda path: int(path.stem.split('-')[-1]))]


class Segment:
    """One thread's records. `calls` is a list of (name, repeats, enter, leave, [event text]). `asleep` is a list of (calls before
    it, stop, begin, end)."""

    def __init__(self, path, names):
        content = path.read_bytes()
        magic, version, self.thread, self.pid = struct.unpack_from('8sIIi', content)
        assert magic == b'firmaSEG' and version == VERSION, path
        self.send_events, stored_bytes = struct.unpack_from('QQ', content, 64)
        self.names, self.calls, self.cpu, self.asleep, self.requests = names, [], [], [], {}
        half = HEADER_BYTES + stored_bytes // HALF_BYTES % 2 * HALF_BYTES
        records = content[STORED_OFFSET:STORED_OFFSET + stored_bytes] + content[half:half + HALF_BYTES]
        for offset in range(0, len(records), RECORD_BYTES):
            if not records[offset]:
                break
            self.read(records[offset:offset + RECORD_BYTES])

    def request(self, number):
        if not number:
            return ''
        return f' r{self.requests.setdefault(number, len(self.requests) + 1)}'

    def read(self, record):
        kind = record[0]
        if kind in (CALL, CALL_OPEN):
            _, _, call, repeats, enter, leave = struct.unpack_from('BBHIqq', record)
            self.calls.append((self.names.calls[call], repeats, enter, leave if kind == CALL else 0, []))
        elif kind in (CALL_SEND, CALL_RECV, CALL_COLLECTIVE, CALL_ONE_SIDED):
            _, collective, call, duration, enter, comm, peer, size, other = struct.unpack('<BBHIqIiIi', record)
            if kind == CALL_COLLECTIVE:
                event = f'{self.names.collectives[collective]} comm {comm} root {peer} bytes {size} {other & 0xffffffff}'
            elif kind == CALL_ONE_SIDED:
                event = f'{self.names.one_sided[collective]} window {comm} target {peer} bytes {size} {other}'
            else:
                event = f'{"send" if kind == CALL_SEND else "recv"} comm {comm} peer {peer} tag {other} bytes {size}'
            self.calls.append((self.names.calls[call], 0, enter, enter + duration, [event]))
        elif kind == CPU:
            self.cpu.append(struct.unpack_from('qq', record, 8))
        elif kind == ASLEEP:
            self.asleep.append((len(self.calls), *struct.unpack_from('=Iqq', record, 4)))
        elif kind in MESSAGES:
            comm, peer, tag, size, request = struct.unpack_from('<IiiQQ', record, 4)
            text = MESSAGES[kind] + self.request(request)
            if kind in (SEND, RECV):
                text += f' comm {comm} peer {peer} tag {tag} bytes {size}'
            self.calls[-1][4].append(text)
        elif kind in (ONE_SIDED, ONE_SIDED_DONE):
            _, what, high, comm, target, request, sent, received = struct.unpack('<BBHIiIQQ', record)
            request |= high << 32
            text = ('done ' if kind == ONE_SIDED_DONE else '') + self.names.one_sided[what] + self.request(request)
            if kind == ONE_SIDED:
                text += f' window {comm} target {target} bytes {sent} {received}'
            self.calls[-1][4].append(text)
        elif kind == WINDOW_SYNC:
            what, comm, target = struct.unpack_from('<xB2xIi', record)
            self.calls[-1][4].append(f'{self.names.syncs[what]} window {comm} member {target}')
        else:
            assert kind in (COLLECTIVE, COLLECTIVE_DONE), kind
            _, collective, high, comm, root, request, sent, received = struct.unpack('<BBHIiIQQ', record)
            request |= high << 32
            text = 'done ' if kind == COLLECTIVE_DONE else ''
            text += self.names.collectives[collective] + self.request(request)
            if kind == COLLECTIVE:
                text += f' comm {comm} root {root} bytes {sent} {received}'
            self.calls[-1][4].append(text)

    def text(self):
        return ''.join(f'{name[4:]}' + ''.join(f' | {event}' for event in events) + '\n'
                       for name, _, _, _, events in self.calls)


def read_recording(directory, names):
    """Returns the processes by rank."""
    processes = [Process(path, names) for path in pathlib.Path(directory).glob('*.process')]
    return sorted(processes, key=lambda process: process.rank)
