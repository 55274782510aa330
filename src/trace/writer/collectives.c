/* SPDX-License-Identifier: BSD-3-Clause */
/* Translates records of collectives and one-sided operations to OTF2 events; see events.h. OTF2 has
 * separate events for those of RMA windows. */
#include "trace/writer/translator.h"

#include "model/event.h"
#include <assert.h>

/* OTF2's operations. OTF2 has no names for neighbourhood collectives; they get the nearest
 * operation, and an attribute with their kind. */
static const OTF2_CollectiveOp operations[COLLECTIVE_COUNT] = {
    [COLLECTIVE_BARRIER] = OTF2_COLLECTIVE_OP_BARRIER,
    [COLLECTIVE_BCAST] = OTF2_COLLECTIVE_OP_BCAST,
    [COLLECTIVE_GATHER] = OTF2_COLLECTIVE_OP_GATHER,
    [COLLECTIVE_GATHERV] = OTF2_COLLECTIVE_OP_GATHERV,
    [COLLECTIVE_SCATTER] = OTF2_COLLECTIVE_OP_SCATTER,
    [COLLECTIVE_SCATTERV] = OTF2_COLLECTIVE_OP_SCATTERV,
    [COLLECTIVE_ALLGATHER] = OTF2_COLLECTIVE_OP_ALLGATHER,
    [COLLECTIVE_ALLGATHERV] = OTF2_COLLECTIVE_OP_ALLGATHERV,
    [COLLECTIVE_ALLTOALL] = OTF2_COLLECTIVE_OP_ALLTOALL,
    [COLLECTIVE_ALLTOALLV] = OTF2_COLLECTIVE_OP_ALLTOALLV,
    [COLLECTIVE_ALLTOALLW] = OTF2_COLLECTIVE_OP_ALLTOALLW,
    [COLLECTIVE_ALLREDUCE] = OTF2_COLLECTIVE_OP_ALLREDUCE,
    [COLLECTIVE_REDUCE] = OTF2_COLLECTIVE_OP_REDUCE,
    [COLLECTIVE_REDUCE_SCATTER] = OTF2_COLLECTIVE_OP_REDUCE_SCATTER,
    [COLLECTIVE_REDUCE_SCATTER_BLOCK] = OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK,
    [COLLECTIVE_SCAN] = OTF2_COLLECTIVE_OP_SCAN,
    [COLLECTIVE_EXSCAN] = OTF2_COLLECTIVE_OP_EXSCAN,
    [COLLECTIVE_NEIGHBOR_ALLGATHER] = OTF2_COLLECTIVE_OP_ALLGATHER,
    [COLLECTIVE_NEIGHBOR_ALLGATHERV] = OTF2_COLLECTIVE_OP_ALLGATHERV,
    [COLLECTIVE_NEIGHBOR_ALLTOALL] = OTF2_COLLECTIVE_OP_ALLTOALL,
    [COLLECTIVE_NEIGHBOR_ALLTOALLV] = OTF2_COLLECTIVE_OP_ALLTOALLV,
    [COLLECTIVE_NEIGHBOR_ALLTOALLW] = OTF2_COLLECTIVE_OP_ALLTOALLW,
    [COLLECTIVE_CREATE_HANDLE] = OTF2_COLLECTIVE_OP_CREATE_HANDLE,
    [COLLECTIVE_DESTROY_HANDLE] = OTF2_COLLECTIVE_OP_DESTROY_HANDLE,
    [COLLECTIVE_OTHER] = OTF2_COLLECTIVE_OP_BARRIER,
};

const LocalComm *translator_comm(Translator *translator, uint32_t number)
{
    if (number < translator->stream->n_local_comms)
        return &translator->stream->local_comms[number];
    record_wrong(translator, "communicator %u of %u", number, translator->stream->n_local_comms);
    return NULL;
}

OTF2_CollectiveOp collective_operation(uint8_t collective)
{
    assert(collective < COLLECTIVE_COUNT);
    return operations[collective];
}

bool collective_needs_kind(uint8_t kind)
{
    return kind == COLLECTIVE_OTHER || (kind >= COLLECTIVE_NEIGHBOR_ALLGATHER && kind <= COLLECTIVE_NEIGHBOR_ALLTOALLW);
}

static bool translate_root(Translator *translator, const CollectiveRecord *record, const LocalComm *comm,
                           uint32_t *root)
{
    if (record->root < 0) {
        if (record->root < ROOT_BYSTANDER)
            return record_wrong(translator, "root %d", record->root);
        *root = record->root == ROOT_SELF        ? OTF2_COLLECTIVE_ROOT_SELF
                : record->root == ROOT_BYSTANDER ? OTF2_COLLECTIVE_ROOT_THIS_GROUP
                                                 : OTF2_COLLECTIVE_ROOT_NONE;
        return true;
    }
    const MemberList *peers = &translator->stream->comms->lists[comm->peers];
    if ((uint32_t)record->root >= peers->n_members)
        return record_wrong(translator, "root %d, but the group has %u members", record->root, peers->n_members);
    *root = archive_rank(peers, (uint32_t)record->root);
    if (*root == OUTSIDE_RANK)
        *root = OTF2_COLLECTIVE_ROOT_NONE;
    return true;
}

/* Describes a collective at its request. OTF2 itself describes a collective only at its end. */
static OTF2_AttributeList *describe_collective(Translator *translator, const CollectiveRecord *record, uint32_t comm,
                                               uint32_t root)
{
    OTF2_AttributeList *attributes = translator->stream->attributes;
    OTF2_AttributeList_AddUint8(attributes, COLLECTIVE_ATTRIBUTE, record->collective);
    OTF2_AttributeList_AddCommRef(attributes, COMM_ATTRIBUTE, comm);
    OTF2_AttributeList_AddUint32(attributes, ROOT_ATTRIBUTE, root);
    OTF2_AttributeList_AddUint64(attributes, SENT_ATTRIBUTE, record->bytes_sent);
    OTF2_AttributeList_AddUint64(attributes, RECEIVED_ATTRIBUTE, record->bytes_received);
    return attributes;
}

static OTF2_AttributeList *describe_kind(Translator *translator, uint8_t kind)
{
    if (!collective_needs_kind(kind))
        return NULL;
    OTF2_AttributeList_AddUint8(translator->stream->attributes, COLLECTIVE_ATTRIBUTE, kind);
    return translator->stream->attributes;
}

/* Writes a collective of a window. Between creating and freeing a window, these are
 * synchronisations, which also complete the accesses. */
static void write_of_window(Translator *translator, const CollectiveRecord *record, uint32_t window)
{
    const bool makes = record->collective == COLLECTIVE_CREATE_HANDLE,
               frees = record->collective == COLLECTIVE_DESTROY_HANDLE;
    const OTF2_RmaSyncLevel level =
        OTF2_RMA_SYNC_LEVEL_PROCESS | (makes ? OTF2_RMA_SYNC_LEVEL_NONE : OTF2_RMA_SYNC_LEVEL_MEMORY);
    const uint64_t leave = translator->leave;
    EMIT(translator, RmaCollectiveBegin, NULL, at_entry(translator));
    if (frees)
        EMIT(translator, RmaWinDestroy, NULL, advance(translator, leave), window);
    EMIT(translator, RmaCollectiveEnd, NULL, advance(translator, leave), operations[record->collective], level, window,
         OTF2_COLLECTIVE_ROOT_NONE, 0, 0);
    if (makes)
        EMIT(translator, RmaWinCreate, NULL, advance(translator, leave), window);
}

static void write_blocking(Translator *translator, const CollectiveRecord *record, uint32_t comm, uint32_t root)
{
    bool cut_off = translator->open && !translator->call.leave_ns;
    OTF2_AttributeList *attributes = cut_off ? describe_collective(translator, record, comm, root) : NULL;
    EMIT(translator, MpiCollectiveBegin, attributes, at_entry(translator));
    if (!cut_off)
        EMIT(translator, MpiCollectiveEnd, describe_kind(translator, record->collective), at_return(translator),
             operations[record->collective], comm, root, record->bytes_sent, record->bytes_received);
}

/* Fills in what a task of PVM doesn't know: how many parts the root sends or receives. Both sizes are
 * that of one part. */
static CollectiveRecord with_volume(const Translator *translator, const CollectiveRecord *record, const LocalComm *comm)
{
    CollectiveRecord filled = *record;
    const EventStream *stream = translator->stream;
    const uint64_t n_members = stream->comms->lists[comm->own].n_members;
    const bool is_root = stream->process->groups[record->comm - GROUP_COMMS].instance == record->root;
    if (record->collective == COLLECTIVE_SCATTER)
        filled.bytes_sent = is_root ? n_members * record->bytes_sent : 0;
    else if (record->collective == COLLECTIVE_GATHER)
        filled.bytes_received = is_root ? n_members * record->bytes_received : 0;
    else
        filled.bytes_received = is_root ? record->bytes_received : 0;
    return filled;
}

static bool translate_group(Translator *translator, const CollectiveRecord *record)
{
    const LocalComm *comm = translator_comm(translator, record->comm);
    if (!comm)
        return false;
    if (record->comm < GROUP_COMMS || collective_request(record) || record->collective >= COLLECTIVE_COUNT)
        return record_wrong(translator, "invalid collective %u of group %u", record->collective, record->comm);
    translator->stream->totals->n_collectives++;
    if (comm->comm == NO_COMM) {
        translator->stream->totals->n_unplaced++;
        return true;
    }
    uint32_t root = OTF2_COLLECTIVE_ROOT_NONE;
    const CollectiveRecord filled = with_volume(translator, record, comm);
    if (!translate_root(translator, record, comm, &root))
        return false;
    write_blocking(translator, &filled, comm->comm, root);
    return true;
}

bool translate_collective(Translator *translator, const CollectiveRecord *record)
{
    if (translator->stream->recording->is_pvm)
        return translate_group(translator, record);
    uint32_t root = OTF2_COLLECTIVE_ROOT_NONE;
    const LocalComm *comm = translator_comm(translator, record->comm);
    if (!comm || !translate_root(translator, record, comm, &root))
        return false;
    if (record->collective >= COLLECTIVE_COUNT)
        return record_wrong(translator, "no collective has the number %u", record->collective);
    if (record->kind == RECORD_COLLECTIVE_DONE && !collective_request(record))
        return record_wrong(translator, "completion of a collective without a request");
    translator->stream->totals->n_collectives += record->kind == RECORD_COLLECTIVE;
    const uint32_t window = translator->stream->comms->comms[comm->comm].window;
    if (window != NO_WINDOW)
        write_of_window(translator, record, window);
    else if (!collective_request(record))
        write_blocking(translator, record, comm->comm, root);
    else if (record->kind == RECORD_COLLECTIVE)
        EMIT(translator, NonBlockingCollectiveRequest, describe_collective(translator, record, comm->comm, root),
             at_entry(translator), collective_request(record));
    else
        EMIT(translator, NonBlockingCollectiveComplete, describe_kind(translator, record->collective),
             at_return(translator), operations[record->collective], comm->comm, root, record->bytes_sent,
             record->bytes_received, collective_request(record));
    return true;
}

static void write_one_sided(Translator *translator, const CollectiveRecord *record, uint32_t window, uint32_t target)
{
    static const OTF2_RmaAtomicType types[ONE_SIDED_COUNT] = {
        [ONE_SIDED_ACCUMULATE] = OTF2_RMA_ATOMIC_TYPE_ACCUMULATE,
        [ONE_SIDED_GET_ACCUMULATE] = OTF2_RMA_ATOMIC_TYPE_FETCH_AND_ACCUMULATE,
        [ONE_SIDED_FETCH_AND_OP] = OTF2_RMA_ATOMIC_TYPE_FETCH_AND_ACCUMULATE,
        [ONE_SIDED_COMPARE_AND_SWAP] = OTF2_RMA_ATOMIC_TYPE_COMPARE_AND_SWAP,
    };
    const uint64_t time = at_entry(translator), match = collective_request(record);
    if (record->collective == ONE_SIDED_PUT)
        EMIT(translator, RmaPut, NULL, time, window, target, record->bytes_sent, match);
    else if (record->collective == ONE_SIDED_GET)
        EMIT(translator, RmaGet, NULL, time, window, target, record->bytes_received, match);
    else
        EMIT(translator, RmaAtomic, NULL, time, window, target, types[record->collective], record->bytes_sent,
             record->bytes_received, match);
}

/* OTF2's synchronisations by WindowSync. OTF2_UNDEFINED_UINT32 is every peer, as for locks. */
static const OTF2_RmaSyncType sync_types[WINDOW_SYNC_COUNT] = {
    [WINDOW_SYNC_COMPLETE] = OTF2_RMA_SYNC_TYPE_MEMORY,
    [WINDOW_SYNC_NOTIFY] = OTF2_RMA_SYNC_TYPE_NOTIFY_OUT,
    [WINDOW_SYNC_AWAIT] = OTF2_RMA_SYNC_TYPE_NOTIFY_IN,
};

OTF2_RmaSyncType window_sync_type(uint8_t sync)
{
    assert(sync < WINDOW_SYNC_COUNT);
    return sync_types[sync];
}

/* The members of a window. NULL: the record is wrong. */
static const MemberList *members_of_window(Translator *translator, const CollectiveRecord *record, uint32_t *window)
{
    const LocalComm *comm = translator_comm(translator, record->comm);
    if (!comm || comm->comm == NO_COMM)
        return NULL;
    *window = translator->stream->comms->comms[comm->comm].window;
    return *window == NO_WINDOW ? NULL : &translator->stream->comms->lists[comm->own];
}

bool translate_window_sync(Translator *translator, const CollectiveRecord *record)
{
    uint32_t window, peer = OTF2_UNDEFINED_UINT32;
    const MemberList *members = members_of_window(translator, record, &window);
    if (!members || record->collective >= WINDOW_SYNC_COUNT || record->root < ROOT_NONE ||
        (record->root >= 0 && (uint32_t)record->root >= members->n_members))
        return record_wrong(translator, "invalid synchronisation %u of window %u with rank %d", record->collective,
                            record->comm, record->root);
    if (record->root >= 0)
        peer = archive_rank(members, (uint32_t)record->root);
    if (record->root >= 0 && peer == OUTSIDE_RANK)
        translator->stream->totals->n_outside++;
    else
        EMIT(translator, RmaSync, NULL,
             record->collective == WINDOW_SYNC_NOTIFY ? at_entry(translator) : at_return(translator), window, peer,
             window_sync_type(record->collective));
    return true;
}

bool translate_one_sided(Translator *translator, const CollectiveRecord *record)
{
    const LocalComm *comm = translator_comm(translator, record->comm);
    if (!comm)
        return false;
    const MemberList *members = &translator->stream->comms->lists[comm->own];
    const uint32_t window = translator->stream->comms->comms[comm->comm].window;
    if (window == NO_WINDOW || record->collective >= ONE_SIDED_COUNT || record->root < 0 ||
        (uint32_t)record->root >= members->n_members)
        return record_wrong(translator, "invalid one-sided operation %u of window %u with rank %d", record->collective,
                            record->comm, record->root);
    const uint32_t target = archive_rank(members, (uint32_t)record->root);
    if (target == OUTSIDE_RANK) {
        translator->stream->totals->n_outside += record->kind == RECORD_ONE_SIDED;
    } else if (record->kind == RECORD_ONE_SIDED) {
        translator->stream->totals->n_one_sided++;
        write_one_sided(translator, record, window, target);
    } else {
        EMIT(translator, RmaOpCompleteNonBlocking, NULL, at_return(translator), window, collective_request(record));
    }
    return true;
}
