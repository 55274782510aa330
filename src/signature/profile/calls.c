/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds out which MPI calls a process made. An archive's reader delivers events, not calls. The
 * events of one call have the same entry and return, and together they show the kind of the
 * call. */
#include "signature/profile/profile.h"

static const char *const names[CALL_COLLECTIVE] = {
    [CALL_SEND] = "send", [CALL_ISEND] = "isend",       [CALL_RECV] = "recv",     [CALL_IRECV] = "irecv",
    [CALL_WAIT] = "wait", [CALL_SENDRECV] = "sendrecv", [CALL_ONE_SIDED] = "put", [CALL_WINDOW_SYNC] = "window sync",
};

const char *call_kind_name(uint32_t kind)
{
    return kind < CALL_COLLECTIVE ? names[kind] : collective_name((Collective)(kind - CALL_COLLECTIVE));
}

uint32_t call_kind_of(const Event *events, size_t count)
{
    bool sends = false, receives = false, is_blocking = true, posts = false, syncs = false;
    for (size_t i = 0; i < count; i++) {
        const Event *event = &events[i];
        switch ((EventKind)event->kind) {
        case EVENT_COLLECTIVE:
            return CALL_COLLECTIVE + event->collective;
        case EVENT_ONE_SIDED:
            return CALL_ONE_SIDED;
        case EVENT_WINDOW_SYNC:
            syncs = true;
            break;
        case EVENT_SEND:
            sends = true;
            is_blocking &= event->request == NO_REQUEST;
            break;
        case EVENT_RECV:
        case EVENT_RECV_CANCEL:
            receives = true;
            is_blocking &= event->request == NO_REQUEST;
            break;
        case EVENT_RECV_POST:
            posts = true;
            break;
        case EVENT_BEGIN:
        case EVENT_END:
        case EVENT_REQUEST_DONE:
            break;
        }
    }
    if (sends)
        return receives ? CALL_SENDRECV : is_blocking ? CALL_SEND : CALL_ISEND;
    if (receives)
        return is_blocking || posts ? CALL_RECV : CALL_WAIT;
    return posts || !syncs ? CALL_IRECV : CALL_WINDOW_SYNC;
}
