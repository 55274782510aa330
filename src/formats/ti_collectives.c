/* SPDX-License-Identifier: BSD-3-Clause */
/* A process's part in a collective, as SMPI's replay takes it. Fields of each action: trace/import/ti.c. */
#include "formats/ti_actions.h"

typedef WorldCollective Part;

static void put_root(TiWriter *writer, const Part *part)
{
    fprintf(writer->text.file, " %u", part->root);
}

/* size [root]: a broadcast */
static void put_one_size(TiWriter *writer, const Part *part)
{
    const double bytes = part->received > 0 ? part->received : part->sent;
    const uint64_t element_bytes = ti_elements(writer, bytes);
    ti_count(writer, bytes, element_bytes);
    put_root(writer, part);
    ti_types(writer, element_bytes, 1);
}

/* size amount [root]: the amount, of reducing, is in the computation of no process */
static void put_reduction(TiWriter *writer, const Part *part)
{
    const uint64_t element_bytes = ti_elements(writer, part->sent);
    ti_count(writer, part->sent, element_bytes);
    fputs(" 0", writer->text.file);
    if (part->root != NO_ROOT)
        put_root(writer, part);
    ti_types(writer, element_bytes, 1);
}

/* sent received [root]: what one process gives to, and gets from, one other */
static void put_two_sizes(TiWriter *writer, const Part *part)
{
    const double most = part->sent > part->received ? part->sent : part->received;
    const uint64_t element_bytes = ti_elements(writer, most);
    ti_count(writer, part->sent, element_bytes);
    ti_count(writer, part->received, element_bytes);
    if (part->root != NO_ROOT)
        put_root(writer, part);
    ti_types(writer, element_bytes, 2);
}

static double largest_share(const Part *part)
{
    double most = part->sent > part->received ? part->sent : part->received;
    for (uint32_t i = 0; part->shares && i < part->n; i++) {
        most = part->shares[i].sent > most ? part->shares[i].sent : most;
        most = part->shares[i].received > most ? part->shares[i].received : most;
    }
    return most;
}

/* sent, a received size for each process, [root] */
static void put_many_get(TiWriter *writer, const Part *part)
{
    const uint64_t element_bytes = ti_elements(writer, largest_share(part));
    ti_count(writer, part->sent, element_bytes);
    for (uint32_t i = 0; i < part->n; i++)
        ti_count(writer, part->shares[i].sent, element_bytes);
    if (part->root != NO_ROOT)
        put_root(writer, part);
    ti_types(writer, element_bytes, 2);
}

/* a sent size for each process, received, root */
static void put_many_give(TiWriter *writer, const Part *part)
{
    const uint64_t element_bytes = ti_elements(writer, largest_share(part));
    for (uint32_t i = 0; i < part->n; i++)
        ti_count(writer, part->shares[i].received, element_bytes);
    ti_count(writer, part->received, element_bytes);
    put_root(writer, part);
    ti_types(writer, element_bytes, 2);
}

/* a received size for each process, amount */
static void put_many_reduce(TiWriter *writer, const Part *part)
{
    const uint64_t element_bytes = ti_elements(writer, largest_share(part));
    for (uint32_t i = 0; i < part->n; i++)
        ti_count(writer, part->shares ? part->shares[i].received : part->received, element_bytes);
    fputs(" 0", writer->text.file);
    ti_types(writer, element_bytes, 1);
}

/* Of what `from` sends, `to` gets a share as it gets of all. Both sides must find the same bytes. */
static double proportional(const Part *part, uint32_t from, uint32_t to, double received)
{
    return received > 0 ? part->shares[from].sent * part->shares[to].received / received : 0;
}

/* size of the buffer, sent sizes, size of the buffer, received sizes */
static void put_many_both(TiWriter *writer, const Part *part)
{
    const uint64_t element_bytes = ti_elements(writer, largest_share(part));
    double received = 0;
    for (uint32_t i = 0; i < part->n; i++)
        received += part->shares[i].received;
    ti_count(writer, part->sent, element_bytes);
    for (uint32_t i = 0; i < part->n; i++)
        ti_count(writer, proportional(part, part->place, i, received), element_bytes);
    ti_count(writer, part->received, element_bytes);
    for (uint32_t i = 0; i < part->n; i++)
        ti_count(writer, proportional(part, i, part->place, received), element_bytes);
    ti_types(writer, element_bytes, 2);
    writer->n_proportional += part->place == 0;
}

bool ti_collective(ActionSink *sink, const WorldCollective *collective)
{
    TiWriter *writer = (TiWriter *)sink;
    Part own = *collective, *part = &own;
    const double n = part->n;
    switch (part->collective) {
    case COLLECTIVE_CREATE_HANDLE:
        writer->n_created += part->place == 0;
        ti_action(writer, "barrier");
        break;
    case COLLECTIVE_BARRIER:
        ti_action(writer, "barrier");
        break;
    case COLLECTIVE_BCAST:
        ti_action(writer, "bcast");
        put_one_size(writer, part);
        break;
    case COLLECTIVE_REDUCE:
        ti_action(writer, "reduce");
        put_reduction(writer, part);
        break;
    case COLLECTIVE_ALLREDUCE:
        ti_action(writer, "allreduce");
        put_reduction(writer, part);
        break;
    case COLLECTIVE_SCAN:
        ti_action(writer, "scan");
        put_reduction(writer, part);
        break;
    case COLLECTIVE_EXSCAN:
        ti_action(writer, "exscan");
        put_reduction(writer, part);
        break;
    case COLLECTIVE_GATHER:
        ti_action(writer, "gather");
        part->received = part->sent;
        put_two_sizes(writer, part);
        break;
    case COLLECTIVE_SCATTER:
        ti_action(writer, "scatter");
        part->sent = part->received;
        put_two_sizes(writer, part);
        break;
    case COLLECTIVE_ALLGATHER:
        ti_action(writer, "allgather");
        part->received /= n;
        put_two_sizes(writer, part);
        break;
    case COLLECTIVE_ALLTOALL:
        ti_action(writer, "alltoall");
        part->sent /= n;
        part->received /= n;
        put_two_sizes(writer, part);
        break;
    case COLLECTIVE_GATHERV:
        ti_action(writer, "gatherv");
        put_many_get(writer, part);
        break;
    case COLLECTIVE_ALLGATHERV:
        ti_action(writer, "allgatherv");
        put_many_get(writer, part);
        break;
    case COLLECTIVE_SCATTERV:
        ti_action(writer, "scatterv");
        put_many_give(writer, part);
        break;
    case COLLECTIVE_REDUCE_SCATTER:
    case COLLECTIVE_REDUCE_SCATTER_BLOCK:
        ti_action(writer, "reducescatter");
        put_many_reduce(writer, part);
        break;
    case COLLECTIVE_ALLTOALLV:
    case COLLECTIVE_ALLTOALLW:
        ti_action(writer, "alltoallv");
        put_many_both(writer, part);
        break;
    default:
        return false;
    }
    ti_end_action(writer);
    return true;
}
