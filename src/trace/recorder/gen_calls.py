# SPDX-License-Identifier: BSD-3-Clause
"""Generates C from calls.def, in the build folder.

  gen_calls.py names TABLE OUTPUT.c            properties of the calls by number (trace/calls.h)
  gen_calls.py rules TABLE OUTPUT.c            what firma does with each call (trace/binary/calls.h)
  gen_calls.py pvm TABLE OUTPUT.h              the numbers of PVM's calls
  gen_calls.py pkgconfig TABLE OUTPUT.pc VERSION DIRECTORY
                                               how to link the recorder into a program that contains libpvm3.a
  gen_calls.py glue TABLE OUTPUT.c COMPILER…   the recorder's entry points, for the MPI whose mpi.h COMPILER finds

Prototypes come from the preprocessed mpi.h, so that the entry points have that MPI's ABI. Calls that this mpi.h lacks
are left out. A warning names each function of mpi.h that the table lacks, because it will not be recorded.
"""
import fnmatch
import re
import subprocess
import sys

COLLECTIVES = """barrier bcast gather gatherv scatter scatterv allgather allgatherv alltoall alltoallv alltoallw
allreduce reduce reduce_scatter reduce_scatter_block scan exscan neighbor_allgather neighbor_allgatherv
neighbor_alltoall neighbor_alltoallv neighbor_alltoallw""".split()

# What an entry point does around the real call, by family: before the call, and after the call has
# succeeded. {role} is the parameter with that role. A status that the program ignores is replaced
# by one of the recorder's (see own_status).
BEFORE = {
    'wait': 'const uint64_t handle = HANDLE_AT({request});',
    'test': 'const uint64_t handle = HANDLE_AT({request});',
    'request_free': 'const uint64_t handle = HANDLE_AT({request});',
    'cancel': 'const uint64_t handle = HANDLE_AT({request});',
    'mrecv': 'const uint64_t handle = HANDLE_AT({message});',
    'imrecv': 'const uint64_t handle = HANDLE_AT({message});',
    'free': 'const CommEntry *freed = comm_known(thread, HANDLE_AT({comm}));',
    'win_free': 'const CommEntry *freed = comm_known(thread, HANDLE_AT({win}));',
    'counted': 'process_count(CALL);',
    'io': 'process_count(CALL);',
}
EPOCHS = 'epoch win_flush win_flush_all win_post win_start win_complete win_wait'.split()
for name in EPOCHS:
    BEFORE[name] = 'process_count(CALL);'
for name in 'waitall waitany waitsome testall testany testsome'.split():
    BEFORE[name] = 'const uint64_t *handles = handles_save(thread, {n}, {requests});'

AFTER = {
    'send': 'record_send(thread, {count}, {datatype}, {dest}, {tag}, {comm});',
    'isend': 'record_isend(thread, {count}, {datatype}, {dest}, {tag}, {comm}, HANDLE_AT({request}));',
    'recv': 'record_recv(thread, {source}, {comm}, {status});',
    'irecv': 'record_irecv(thread, {source}, {comm}, HANDLE_AT({request}));',
    'sendrecv': 'record_send(thread, {count}, {datatype}, {dest}, {tag}, {comm});\n'
                'record_recv(thread, {source}, {comm}, {status});',
    'send_init': 'record_message_init(REQUEST_SEND, {count}, {datatype}, {dest}, {tag}, comm_find(thread, {comm}), '
                 'HANDLE_AT({request}));',
    'psend_init': 'record_message_init(REQUEST_SEND, {partitions} * {count}, {datatype}, {dest}, {tag}, '
                  'comm_find(thread, {comm}), HANDLE_AT({request}));',
    'precv_init': 'record_message_init(REQUEST_RECV, {partitions} * {count}, {datatype}, {source}, {tag}, '
                  'comm_find(thread, {comm}), HANDLE_AT({request}));',
    'recv_init': 'record_message_init(REQUEST_RECV, NO_COUNT, mpi.byte, {source}, 0, comm_find(thread, {comm}), '
                 'HANDLE_AT({request}));',
    'start': 'record_start(thread, 1, {request});',
    'startall': 'record_start(thread, {n}, {requests});',
    'wait': 'record_completion(thread, handle, {status});',
    'waitany': 'record_completion_at(thread, *{index}, handles, {status});',
    'waitsome': 'record_completions_at(thread, *{n_done}, {indices}, handles, {statuses});',
    'request_free': 'record_request_free(thread, CALL, handle);',
    'cancel': 'requests_mark_cancelling(handle);',
    'mprobe': 'record_matched_probe(thread, {comm}, HANDLE_AT({message}));',
    'mrecv': 'record_mrecv(thread, handle, {status});',
    'imrecv': 'record_imrecv(handle, HANDLE_AT({request}));',
    'create': 'record_comm_create(thread, {comm}, *{newcomm});',
    'create_over_new': 'record_comm_create_over_new(thread, *{newcomm});',
    'idup': 'record_comm_idup(thread, {comm}, *{newcomm}, HANDLE_AT({request}));',
    'free': 'record_comm_free(thread, freed);',
    'win_create': 'record_win_create(thread, *{newwin});',
    'win_free': 'record_comm_free(thread, freed);',
    'fence': 'record_fence(thread, {win});',
    'win_flush': 'record_flush(thread, {win}, {target});',
    'win_flush_all': 'record_flush(thread, {win}, EVERY_TARGET);',
    'win_post': 'record_window_group(thread, {win}, WINDOW_SYNC_NOTIFY, {group});',
    'win_start': 'record_window_group(thread, {win}, WINDOW_SYNC_AWAIT, {group});',
    'win_complete': 'record_win_complete(thread, {win});',
    'win_wait': 'record_win_wait(thread, {win});',
}
# Calls that may find nothing. Such calls are merged with the poll before.
POLLS = {
    'test': ('*{flag}', 'record_completion(thread, handle, {status});'),
    'testall': ('*{flag}', 'record_completions(thread, {n}, handles, {statuses});'),
    'testany': ('*{flag}', 'record_completion_at(thread, *{index}, handles, {status});'),
    'testsome': ('*{n_done} != 0', 'record_completions_at(thread, *{n_done}, {indices}, handles, {statuses});'),
    'iprobe': ('*{flag}', ''),
    'win_test': ('*{flag}', 'process_count(CALL);\nrecord_win_wait(thread, {win});'),
    'improbe': ('*{flag}', 'record_matched_probe(thread, {comm}, HANDLE_AT({message}));'),
}
# Calls that failed although something happened: some requests completed, or a message was longer
# than its buffer.
FAILED = {
    'recv': 'record_long_recv(thread, rc, {comm}, {status});',
    'sendrecv': 'if (is_truncation(rc))\n'
                '    record_send(thread, {count}, {datatype}, {dest}, {tag}, {comm});\n'
                'record_long_recv(thread, rc, {comm}, {status});',
    'mrecv': 'record_long_mrecv(thread, rc, handle, {status});',
    'waitall': 'record_completions_in_status(thread, rc, {n}, NULL, handles, {statuses});',
    'testall': 'record_completions_in_status(thread, rc, {n}, NULL, handles, {statuses});',
    'waitsome': 'record_completions_in_status(thread, rc, *{n_done}, {indices}, handles, {statuses});',
    'testsome': 'record_completions_in_status(thread, rc, *{n_done}, {indices}, handles, {statuses});',
    'waitany': 'record_failure_among(thread, rc, {n}, handles, {requests}, {status});',
    'testany': 'record_failure_among(thread, rc, {n}, handles, {requests}, {status});',
    'wait': 'record_failure(thread, rc, handle, *{request} == mpi.request_null, {status});',
    'test': 'record_failure(thread, rc, handle, *{request} == mpi.request_null, {status});',
}
# waitall completes all of its requests.
AFTER['waitall'] = 'record_completions(thread, {n}, handles, {statuses});'

# The number of send-like events that a call is about to make (see stops.h). Collectives and
# one-sided operations make one.
EVENTS = {
    'send': '{dest} != MPI_PROC_NULL',
    'isend': '{dest} != MPI_PROC_NULL',
    'sendrecv': '{dest} != MPI_PROC_NULL',
    'isendrecv': '{dest} != MPI_PROC_NULL',
    'start': 'events_of_start(1, {request})',
    'startall': 'events_of_start({n}, {requests})',
}

ONE_SIDED = 'put get accumulate get_accumulate fetch_and_op compare_and_swap'.split()

SYNCHRONISING = set('create create_over_new idup free win_create win_free fence'.split())
PLAIN = {'probe', 'counted', 'abort', 'io', 'epoch'}
PVM = {'pvm', 'pvm_poll'}
SPECIAL = {'init', 'finalize'}
FAMILIES = set(AFTER) | set(POLLS) | PLAIN | SPECIAL | set(COLLECTIVES) | set(ONE_SIDED) | {'isendrecv'} | PVM
# Treatments by family (trace/calls.h). All other families are CALL_RECORDED.
TREATMENTS = {'counted': 'CALL_COUNTED', 'io': 'CALL_IO'}
TREATMENTS |= dict.fromkeys(EPOCHS + ['win_test'], 'CALL_WITHOUT_EVENT')
ARRAYS = {'sendcounts', 'recvcounts'}
# Types of handles that are passed by value. A handle is an int in MPICH, a pointer in Open MPI.
# Entry points pass them on as words, so the library does no harm in a process with the other MPI.
HANDLES = {f'MPI_{name}' for name in 'Comm Datatype Op Group Win Info Request Errhandler Message Session'.split()}


class Call:
    def __init__(self, place, name, family, roles, number):
        self.place, self.name, self.family, self.roles, self.number = place, name, family, roles, number
        self.persistent = family in COLLECTIVES and re.search(r'_init(_c)?$', name) is not None
        if self.persistent:
            self.roles = roles + ['-', 'request']


def fail(message):
    sys.exit(f'gen_calls.py: {message}')


def variants(word):
    """Returns the names that a word of the table stands for."""
    match = re.fullmatch(r'(\w+)\{([\w,]*)\}', word)
    ends = match[2].split(',') if match else ['']
    stem = match[1] if match else word
    extensions = [stem.replace('MPI_', 'MPIX_', 1) + '_init'] if '_init' in ends else []
    return [stem + end for end in ends] + extensions


def read_table(path):
    """Returns the wrapped calls, in order, and the patterns of the local calls."""
    calls, local, names = [], [], set()
    for i, line in enumerate(open(path, encoding='utf-8'), 1):
        words = line.split('#')[0].split()
        if not words:
            continue
        place = f'{path}:{i}'
        if len(words) < 2:
            fail(f'{place}: a call needs a family')
        family, roles = words[1], words[2:]
        if family != 'local' and family not in FAMILIES:
            fail(f'{place}: unknown family {family}')
        for name in variants(words[0]):
            if name in names:
                fail(f'{place}: a second line for {name}')
            names.add(name)
            if family == 'local':
                local.append(name)
            else:
                calls.append(Call(place, name, family, roles, len(calls)))
    return calls, local


def write_names(calls, path):
    with open(path, 'w', encoding='utf-8') as out:
        out.write('/* Made by gen_calls.py from calls.def. */\n#include "trace/calls.h"\n'
                  '#include "trace/segment.h"\n#include <string.h>\n\n'
                  'static const char *const names[] = {\n')
        out.writelines(f'    "{call.name}",\n' for call in calls)
        out.write('};\nstatic const uint8_t treatments[] = {\n')
        out.writelines(f'    {TREATMENTS.get(call.family, "CALL_RECORDED")},\n' for call in calls)
        out.write('};\nstatic const bool polls[] = {\n')
        out.writelines(f'    {"true" if call.family in POLLS or call.family == "pvm_poll" else "false"},\n' for call in calls)
        out.write("""};
_Static_assert(sizeof names / sizeof *names <= CALL_LIMIT, "call numbers are below CALL_LIMIT");

uint16_t call_count(void)
{
    return sizeof names / sizeof *names;
}

const char *call_name(uint16_t call)
{
    return call < call_count() ? names[call] : NULL;
}

CallTreatment call_treatment(uint16_t call)
{
    return call < call_count() ? (CallTreatment)treatments[call] : CALL_RECORDED;
}

bool call_is_poll(uint16_t call)
{
    return call < call_count() && polls[call];
}

bool call_find(const char *name, uint16_t *call)
{
    for (uint16_t i = 0; i < call_count(); i++) {
        if (!strcmp(names[i], name)) {
            *call = i;
            return true;
        }
    }
    return false;
}
""")


def write_pvm_numbers(calls, path):
    with open(path, 'w', encoding='utf-8') as out:
        out.write('/* Made by gen_calls.py from calls.def. */\n#pragma once\n\nenum {\n')
        out.writelines(f'    CALL_{call.name} = {call.number},\n' for call in calls if call.name.startswith('pvm_'))
        out.write('};\n')


def write_pkgconfig(calls, path, version, directory):
    wrapped = [call.name for call in calls if call.name.startswith('pvm_')] + ['pvm_parent']
    with open(path, 'w', encoding='utf-8') as out:
        out.write('Name: firma-pvm\nDescription: records what a PVM program communicates, for firma trace\n'
                  f'Version: {version}\nLibs: {directory}/firma-pvm.o '
                  + ' '.join(f'-Wl,--wrap={name}' for name in wrapped) + '\n')


def write_rules(calls, local, path):
    rules = [(call.name, TREATMENTS.get(call.family, 'CALL_RECORDED')[len('CALL_'):]) for call in calls]
    rules += [(name, 'LOCAL') for name in local]
    with open(path, 'w', encoding='utf-8') as out:
        out.write('/* Made by gen_calls.py from calls.def. */\n#include "trace/binary/calls.h"\n\n'
                  'const CallRule call_rules[] = {\n')
        out.writelines(f'    {{"{name}", CLASS_{rule}}},\n' for name, rule in rules)
        out.write('};\nconst size_t n_call_rules = sizeof call_rules / sizeof *call_rules;\n')


def strip_attributes(text):
    """Removes each __attribute__((…)); its parentheses nest."""
    while (start := text.find('__attribute__')) >= 0:
        depth, end = 0, text.index('(', start)
        while True:
            depth += {'(': 1, ')': -1}.get(text[end], 0)
            end += 1
            if depth == 0:
                break
        text = text[:start] + text[end:]
    return text


def split_parameters(text):
    """Splits a list of declarations at the commas outside of parentheses."""
    parts, depth = [''], 0
    for letter in text:
        depth += {'(': 1, ')': -1}.get(letter, 0)
        if letter == ',' and depth == 0:
            parts.append('')
        else:
            parts[-1] += letter
    parts = [part.strip() for part in parts]
    return [] if parts in ([''], ['void']) else parts


def renamed(parameter, name):
    """Returns the parameter's declaration with another name."""
    match = re.fullmatch(r'(.*?)\b(\w+)\s*((?:\[[^\]]*\]\s*)*)', parameter, re.S)
    if not match:
        return None
    return f'{match[1]}{name}{match[3].strip()}'


def read_prototypes(compiler):
    """Returns {name: (return type, parameters)} for each function of mpi.h whose name begins with MPI."""
    headers = '#include <mpi.h>\n#if defined OPEN_MPI && __has_include(<mpi-ext.h>)\n#include <mpi-ext.h>\n#endif\n'
    run = subprocess.run(compiler + ['-E', '-P', '-x', 'c', '-'], input=headers, capture_output=True, text=True,
                         check=False)
    if run.returncode:
        fail(f'cannot preprocess mpi.h: {run.stderr.strip()}')
    prototypes = {}
    for statement in strip_attributes(run.stdout).split(';'):
        statement = ' '.join(statement.split())
        match = re.fullmatch(r'(?:extern )?(\w[\w ]*?[ *]+)(MPIX?_\w+) ?\((.*)\)', statement)
        if match and not statement.startswith('typedef'):
            prototypes[match[2]] = (match[1].strip(), split_parameters(match[3]))
    return prototypes


def passed(parameter, i):
    """Returns a parameter's declaration in the entry point, and the expression that recorders get."""
    match = re.fullmatch(r'(?:const )?(\w+) \w+', parameter)
    if match and match[1] in HANDLES:
        return f'Word w{i}', f'w{i}', f'const {match[1]} a{i} = ({match[1]})w{i};'
    return renamed(parameter, f'a{i}'), f'a{i}', ''


def indented(text, levels):
    return ''.join('    ' * levels + line + '\n' for line in text.split('\n') if line)


def collective_after(call, role):
    """Returns the call that records a collective, with arguments by role."""
    fields = []
    for name in call.roles:
        if name in ('-', 'comm', 'request'):
            continue
        field = {'count': 'sendcount', 'datatype': 'sendtype'}.get(name, name)
        field = re.sub(r'^(send|recv)(?=count|type)', r'\1.', field)
        value = role[name]
        if name in ARRAYS:
            value = f'{{{value}, sizeof *{value}}}'
        fields.append(f'.{field} = {value}')
    fields.append(f'.is_rooted = {"true" if "root" in role else "false"}')
    arguments = ', '.join(fields)
    kind = f'COLLECTIVE_{call.family.upper()}'
    request = role.get('request')
    post = f'HANDLE_AT({request})' if request else 'NO_HANDLE'
    recorder = 'record_collective_init' if call.persistent else 'record_collective'
    return (f'const CollectiveArguments arguments = {{{arguments}}};\n'
            f'{recorder}(thread, {kind}, {role["comm"]}, &arguments, {post});')


def combined_after(call, role):
    """Returns the call that records a send and a receive. If both share a buffer, they share its count and type."""
    received = {'recvcount': role['count'], 'recvtype': role['datatype']} | role
    fields = ', '.join(f'.{name} = {received[name]}' for name in
                       'count datatype dest tag source recvtag recvcount recvtype'.split())
    return (f'const CombinedArguments arguments = {{{fields}}};\n'
            f'record_isendrecv(thread, &arguments, {role["comm"]}, HANDLE_AT({role["request"]}));')


def one_sided_after(call, role):
    """Returns the call that records a one-sided operation, with arguments by role."""
    fields = ', '.join(f'.{name} = {role[name]}' for name in call.roles
                       if name not in ('-', 'win', 'target', 'request'))
    post = f'HANDLE_AT({role["request"]})' if 'request' in role else 'NO_HANDLE'
    return (f'const OneSidedArguments arguments = {{{fields}}};\n'
            f'record_one_sided(thread, ONE_SIDED_{call.family.upper()}, {role["win"]}, {role["target"]}, &arguments, '
            f'{post});')


def own_status(call, role, arguments):
    """Declares the status for the real call, and replaces the program's argument by it."""
    text = ''
    if 'status' in role:
        place = call.roles.index('status')
        text += (f'MPI_Status own_status, *status = {role["status"]} == MPI_STATUS_IGNORE ? &own_status : '
                 f'{role["status"]};\n')
        arguments[place] = role['status'] = 'status'
    if 'statuses' in role:
        place = call.roles.index('statuses')
        text += f'MPI_Status *statuses = statuses_wanted(thread, {role["n"]}, {role["statuses"]});\n'
        arguments[place] = role['statuses'] = 'statuses'
    return text


def recorded_body(call, own):
    """Returns the code between entry and exit of a recorded call. `own` are the arguments of the real call."""
    role = {name: f'a{i}' for i, name in enumerate(call.roles) if name != '-'}
    text = own_status(call, role, own)

    def filled(template):
        return template.format(**role).replace('CALL', str(call.number))

    if call.family in BEFORE:
        text += filled(BEFORE[call.family]) + '\n'
    text += (f'rc = real({", ".join(own)});\n'
             'if (call_came_back(thread, frame))\n    return rc;\n')
    if call.family in POLLS:
        return text + after_poll(call, filled)
    text += 'call_returned(thread);\n'
    if call.family in COLLECTIVES:
        after = collective_after(call, role)
    elif call.family in ONE_SIDED:
        after = one_sided_after(call, role)
    elif call.family == 'isendrecv':
        after = combined_after(call, role)
    else:
        after = filled(AFTER.get(call.family, ''))
    if after:
        text += f'if (rc == MPI_SUCCESS) {{\n{indented(after, 1)}'
        if call.family in FAILED:
            text += '} else {\n' + indented(filled(FAILED[call.family]), 1)
        text += '}\n'
    return text + 'call_end(thread);\n'


def after_poll(call, filled):
    """Returns the code behind a call that may find nothing. Within a streak of polls, no record is opened."""
    found, after = (filled(part) for part in POLLS[call.family])
    return ('if (in_streak) {\n'
            f'    if (rc == MPI_SUCCESS && !({found})) {{\n'
            '        poll_fold(thread);\n        thread->frame = 0;\n        return rc;\n    }\n'
            f'    call_open(thread, {call.number}, thread->poll_enter_ns);\n}}\n'
            'call_returned(thread);\n'
            'if (rc == MPI_SUCCESS) {\n'
            f'    if (!({found})) {{\n        call_found_nothing(thread);\n    }} else {{\n'
            + indented(after + '\ncall_end(thread);', 2) + '    }\n} else {\n'
            + indented(filled(FAILED.get(call.family, '')) + '\ncall_end(thread);', 1) + '}\n')


def events(call):
    """Returns the number of send-like events that the call will make, as an expression; None: it makes none."""
    role = {name: f'a{i}' for i, name in enumerate(call.roles) if name != '-'}
    if call.family in EVENTS:
        return EVENTS[call.family].format(**role)
    if call.family in ONE_SIDED:
        return f'{role["target"]} != MPI_PROC_NULL'
    return '1' if call.family in SYNCHRONISING or call.family in COLLECTIVES and not call.persistent else None


def stop_before(call):
    """Returns the code that sleeps before a call if the call makes the event before which the process must stop."""
    made = events(call)
    return f'if (UNLIKELY(stops_are_ahead()))\n    stops_come_to(thread, {made});\n' if made else ''


def body(call, arguments):
    if call.family == 'init':
        return (f'const int64_t enter_ns = recorder_now_ns();\n'
                f'int rc = real({", ".join(arguments)});\n'
                f'if (rc == MPI_SUCCESS)\n    recorder_start(thread, {call.number}, enter_ns);\n')
    if call.family == 'finalize':
        return (f'const bool recorded = call_begin(thread, {call.number});\n'
                'process_stamp_finalize_enter(recorded ? thread->call->call.enter_ns : recorder_now_ns());\n'
                f'int rc = real({", ".join(arguments)});\n'
                'if (call_came_back(thread, frame))\n    return rc;\n'
                'if (recorded) {\n    call_returned(thread);\n    call_end(thread);\n}\n'
                'if (rc == MPI_SUCCESS)\n    recorder_finish(recorded ? thread->leave_ns : recorder_now_ns());\n')
    begin = f'call_begin(thread, {call.number})'
    streak = ''
    if call.family in POLLS:
        streak, begin = 'const bool in_streak = poll_continues(thread);\n', f'in_streak || {begin}'
    return ('int rc;\n' + streak + stop_before(call) +
            f'if ({begin}) {{\n'
            + indented(recorded_body(call, list(arguments)), 1)
            + f'}} else {{\n    rc = real({", ".join(arguments)});\n}}\n')


def write_call(out, call, prototype):
    kind, parameters = prototype
    if kind != 'int':
        fail(f'{call.place}: {call.name} returns {kind}, but only calls that return int can be recorded')
    if call.roles and len(call.roles) != len(parameters):
        fail(f'{call.place}: {call.name} has {len(parameters)} parameters in this mpi.h, '
             f'but {len(call.roles)} roles in the table')
    if not call.roles and call.family not in PLAIN | SPECIAL:
        fail(f'{call.place}: {call.name} needs roles')
    declarations, arguments, seen = zip(*(passed(p, i) for i, p in enumerate(parameters))) if parameters else ((),) * 3
    if None in declarations:
        fail(f'{call.place}: cannot read the parameters of {call.name}')
    used = [text for text, role in zip(seen, call.roles) if text and role != '-']
    prototype = ', '.join(declarations) or 'void'
    out.write(f'static int recorded_{call.name}({prototype})\n{{\n'
              f'    typedef int Function({prototype});\n'
              '    Thread *thread = &this_thread;\n'
              '    const uintptr_t frame = call_frame();\n'
              f'    Function *real = (Function *)library_next(call_name_used(thread), {call.number});\n'
              # first of all, because a signal handler may abort while the thread is in another call
              + ('    process_stamp_abort();\n' if call.family == 'abort' else '') +
              '    if (call_is_inner(thread, frame))\n'
              f'        return real({", ".join(arguments)});\n'
              '    call_enter(thread, frame);\n'
              + indented('\n'.join(used), 1)
              + indented(body(call, arguments), 1) +
              '    thread->frame = 0;\n'
              '    return rc;\n}\n'
              f'int called_{call.name}({prototype}) ALIAS_AS({call.name}, recorded_{call.name});\n'
              f'int called_P{call.name}({prototype}) EXPORTED_AS(P{call.name});\n'
              f'int called_P{call.name}({prototype})\n{{\n'
              '    this_thread.called = CALLED_PMPI;\n'
              f'    return recorded_{call.name}({", ".join(arguments)});\n}}\n\n')


def write_glue(calls, local, prototypes, path):
    for name in sorted(prototypes):
        known = any(call.name == name for call in calls)
        if not known and not any(fnmatch.fnmatchcase(name, pattern) for pattern in local):
            print(f'warning: {name} is in mpi.h but not in calls.def, so it will not be recorded',
                  file=sys.stderr)
    with open(path, 'w', encoding='utf-8') as out:
        out.write('/* Made by gen_calls.py from calls.def and mpi.h. */\n#include "trace/recorder/families.h"\n'
                  '#include "trace/recorder/stops.h"\n\n')
        for call in calls:
            if call.name in prototypes:
                write_call(out, call, prototypes[call.name])


def main(arguments):
    if len(arguments) < 3 or arguments[0] not in ('names', 'rules', 'pvm', 'pkgconfig', 'glue'):
        fail('usage: names TABLE OUTPUT | rules TABLE OUTPUT | pvm TABLE OUTPUT | '
             'pkgconfig TABLE OUTPUT VERSION DIRECTORY | glue TABLE OUTPUT COMPILER…')
    calls, local = read_table(arguments[1])
    if arguments[0] == 'names':
        write_names(calls, arguments[2])
    elif arguments[0] == 'rules':
        write_rules(calls, local, arguments[2])
    elif arguments[0] == 'pvm':
        write_pvm_numbers(calls, arguments[2])
    elif arguments[0] == 'pkgconfig':
        write_pkgconfig(calls, *arguments[2:])
    else:
        write_glue(calls, local, read_prototypes(arguments[3:]), arguments[2])


if __name__ == '__main__':
    main(sys.argv[1:])
