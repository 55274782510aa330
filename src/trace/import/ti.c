/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads a TI archive: a file that lists a file for each process, or all actions in one file. A line
 * is an action, behind the number of its process:
 *
 *   0 compute 15433            flops, or what else the archive counts
 *   0 isend 1 5 512 0          to process 1, with tag 5, 512 elements of datatype 0 (doubles)
 *   0 wait 0 1 5               for the request from 0 to 1 with tag 5
 *   0 bcast 10 1 0             10 doubles from process 1
 *
 * Without a datatype, sizes are bytes; or doubles, if `init` has a parameter. (SimGrid's
 * smpi_replay.cpp and instr_private.hpp.) SMPI leaves out a collective's second size if it is 0, so
 * the number of fields tells which are there. */
#include "trace/import/ti.h"

#include "base/files.h"
#include "base/text.h"
#include "model/application.h"
#include "model/event.h"
#include "trace/calls.h"
#include "trace/import/lines.h"
#include <limits.h>
#include <math.h>
#include <string.h>
#include <strings.h>

enum { DOUBLE = 0, BYTE = 6 };
enum {
    NULL_PROCESS = -666
}; /* SMPI's MPI_PROC_NULL. Where a message comes from, other negative numbers are wildcards. */

/* What the fields of a collective are, behind its name. */
typedef enum Layout {
    NO_FIELDS,
    ONE_SIZE,    /* size [root] [type]: bcast */
    REDUCTION,   /* size amount [root] [type]: reduce, allreduce, scan */
    TWO_SIZES,   /* sent [received] [root] [type type]: gather, scatter, allgather, alltoall */
    MANY_GET,    /* sent, a received size for each process, [root] [type type]: gatherv, allgatherv */
    MANY_GIVE,   /* a sent size for each process, received, [root] [type type]: scatterv */
    MANY_REDUCE, /* a received size for each process, amount [type]: reducescatter */
    MANY_BOTH    /* buffer, sent sizes, buffer, received sizes, [type type]: alltoallv */
} Layout;

typedef struct ActionName {
    const char *name, *call;
    TiKind kind;
    Collective collective;
    Layout layout;
} ActionName;

static const ActionName names[] = {
    {"init", "MPI_Init", TI_INIT, 0, 0},
    {"finalize", "MPI_Finalize", TI_FINALIZE, 0, 0},
    {"compute", NULL, TI_COMPUTE, 0, 0},
    {"sleep", NULL, TI_SLEEP, 0, 0},
    {"send", "MPI_Send", TI_SEND, 0, 0},
    {"ssend", "MPI_Ssend", TI_SEND, 0, 0},
    {"bsend", "MPI_Bsend", TI_SEND, 0, 0},
    {"isend", "MPI_Isend", TI_ISEND, 0, 0},
    {"issend", "MPI_Issend", TI_ISEND, 0, 0},
    {"ibsend", "MPI_Ibsend", TI_ISEND, 0, 0},
    {"recv", "MPI_Recv", TI_RECV, 0, 0},
    {"irecv", "MPI_Irecv", TI_IRECV, 0, 0},
    {"sendrecv", "MPI_Sendrecv", TI_SENDRECV, 0, 0},
    {"wait", "MPI_Wait", TI_WAIT, 0, 0},
    {"test", "MPI_Test", TI_TEST, 0, 0},
    {"waitall", "MPI_Waitall", TI_WAIT_ALL, 0, 0},
    {"waitany", "MPI_Waitany", TI_WAIT_ANY, 0, 0},
    {"testany", "MPI_Testany", TI_POLL, 0, 0},
    {"testall", "MPI_Testall", TI_POLL, 0, 0},
    {"testsome", "MPI_Testsome", TI_POLL, 0, 0},
    {"barrier", "MPI_Barrier", TI_COLLECTIVE, COLLECTIVE_BARRIER, NO_FIELDS},
    {"bcast", "MPI_Bcast", TI_COLLECTIVE, COLLECTIVE_BCAST, ONE_SIZE},
    {"reduce", "MPI_Reduce", TI_COLLECTIVE, COLLECTIVE_REDUCE, REDUCTION},
    {"allreduce", "MPI_Allreduce", TI_COLLECTIVE, COLLECTIVE_ALLREDUCE, REDUCTION},
    {"gather", "MPI_Gather", TI_COLLECTIVE, COLLECTIVE_GATHER, TWO_SIZES},
    {"gatherv", "MPI_Gatherv", TI_COLLECTIVE, COLLECTIVE_GATHERV, MANY_GET},
    {"scatter", "MPI_Scatter", TI_COLLECTIVE, COLLECTIVE_SCATTER, TWO_SIZES},
    {"scatterv", "MPI_Scatterv", TI_COLLECTIVE, COLLECTIVE_SCATTERV, MANY_GIVE},
    {"allgather", "MPI_Allgather", TI_COLLECTIVE, COLLECTIVE_ALLGATHER, TWO_SIZES},
    {"allgatherv", "MPI_Allgatherv", TI_COLLECTIVE, COLLECTIVE_ALLGATHERV, MANY_GET},
    {"alltoall", "MPI_Alltoall", TI_COLLECTIVE, COLLECTIVE_ALLTOALL, TWO_SIZES},
    {"alltoallv", "MPI_Alltoallv", TI_COLLECTIVE, COLLECTIVE_ALLTOALLV, MANY_BOTH},
    {"reducescatter", "MPI_Reduce_scatter", TI_COLLECTIVE, COLLECTIVE_REDUCE_SCATTER, MANY_REDUCE},
    {"scan", "MPI_Scan", TI_COLLECTIVE, COLLECTIVE_SCAN, REDUCTION},
    {"exscan", "MPI_Exscan", TI_COLLECTIVE, COLLECTIVE_EXSCAN, REDUCTION},
    {"comm_size", NULL, TI_LEFT_OUT, 0, 0},
    {"comm_split", NULL, TI_LEFT_OUT, 0, 0},
    {"comm_dup", NULL, TI_LEFT_OUT, 0, 0},
    {"location", NULL, TI_LEFT_OUT, 0, 0},
    {"migrate", NULL, TI_LEFT_OUT, 0, 0},
    {"io", NULL, TI_LEFT_OUT, 0, 0},
    {"put", NULL, TI_LEFT_OUT, 0, 0},
    {"get", NULL, TI_LEFT_OUT, 0, 0},
    {"accumulate", NULL, TI_LEFT_OUT, 0, 0},
    {"get_accumulate", NULL, TI_LEFT_OUT, 0, 0},
    {"rput", NULL, TI_LEFT_OUT, 0, 0},
    {"rget", NULL, TI_LEFT_OUT, 0, 0},
    {"raccumulate", NULL, TI_LEFT_OUT, 0, 0},
    {"rget_accumulate", NULL, TI_LEFT_OUT, 0, 0},
    {"fetch_and_op", NULL, TI_LEFT_OUT, 0, 0},
    {"compare_and_swap", NULL, TI_LEFT_OUT, 0, 0},
    {"start", NULL, TI_REFUSED, 0, 0},
    {"startall", NULL, TI_REFUSED, 0, 0},
    {"isendrecv", NULL, TI_REFUSED, 0, 0},
};

/* Bytes of SMPI's datatypes, by their numbers (smpi_datatype.cpp). */
static const uint8_t type_bytes[] = {8, 4,  1, 2,  8,  4, 1,  8,  1, 1,  2,  4,  8,  8,  16, 4, 1,  1,  2, 4,
                                     8, 1,  2, 4,  8,  8, 16, 32, 8, 8,  8,  16, 16, 8,  8,  8, 16, 16, 4, 4,
                                     8, 16, 8, 16, 16, 4, 2,  4,  8, 16, 32, 1,  8,  16, 32, 0, 0,  1,  8, 8};

typedef struct Reader {
    Ti *ti;
    Lines lines;
    uint32_t rank;
    int default_type;
    const char **fields; /* [n_fields] behind the action's name, of the current line */
    size_t n_fields, most_fields;
} Reader;

static bool wrong_field(const Reader *reader, size_t field, const char *what, Err *err)
{
    return lines_wrong(&reader->lines, err, "field %zu behind the action is `%.40s`; expected %s", field + 1,
                       reader->fields[field], what);
}

static bool read_whole(const Reader *reader, size_t field, double least, double most, double *number, Err *err)
{
    char *end;
    *number = text_number(reader->fields[field], &end);
    return (end > reader->fields[field] && *end == '\0' && *number >= least && *number <= most &&
            trunc(*number) == *number) ||
           wrong_field(reader, field, "a whole number in range", err);
}

static bool read_amount(const Reader *reader, size_t field, double *amount, Err *err)
{
    char *end;
    *amount = text_number(reader->fields[field], &end);
    return (end > reader->fields[field] && *end == '\0' && *amount >= 0 && *amount <= 1e30) ||
           wrong_field(reader, field, "an amount, not negative", err);
}

/* The size of a field's elements, or of the default type if the field is absent. */
static bool read_type(const Reader *reader, size_t field, uint64_t *bytes, bool *is_known, Err *err)
{
    double type = reader->default_type;
    if (field < reader->n_fields && !read_whole(reader, field, INT_MIN, INT_MAX, &type, err))
        return false;
    *is_known = type >= 0 && type < sizeof type_bytes;
    *bytes = *is_known ? type_bytes[(size_t)type] : 0;
    return true;
}

static bool need(const Reader *reader, size_t n, Err *err)
{
    return reader->n_fields >= n ||
           lines_wrong(&reader->lines, err, "%zu fields behind the action; expected %zu at least", reader->n_fields, n);
}

static bool read_size(Reader *reader, size_t field, uint64_t type_size, bool is_known, uint64_t *bytes, Err *err)
{
    double count;
    if (!read_whole(reader, field, 0, 1e15, &count, err))
        return false;
    reader->ti->n_unsized += !is_known && count > 0;
    *bytes = (uint64_t)count * type_size;
    return true;
}

/* A process; TI_ANY for a wildcard, if that is possible; TI_NOBODY for MPI_PROC_NULL, which SMPI
 * writes as -333 in isend. */
static bool read_peer(const Reader *reader, size_t field, bool may_be_any, int32_t *peer, Err *err)
{
    double number;
    if (!read_whole(reader, field, INT_MIN, INT_MAX, &number, err))
        return false;
    if (number >= reader->ti->n_processes)
        return wrong_field(reader, field, "one of the processes", err);
    *peer = number >= 0 ? (int32_t)number : number == NULL_PROCESS || !may_be_any ? TI_NOBODY : TI_ANY;
    return true;
}

static bool read_tag(const Reader *reader, size_t field, int32_t *tag, Err *err)
{
    double number;
    if (!read_whole(reader, field, INT_MIN, INT_MAX, &number, err))
        return false;
    *tag = number < 0 ? TI_ANY : (int32_t)number;
    return true;
}

/* send DST TAG SIZE [TYPE] */
static bool read_message(Reader *reader, bool receives, TiAction *action, Err *err)
{
    uint64_t type_size;
    bool is_known;
    return need(reader, 3, err) && read_peer(reader, 0, receives, &action->peer, err) &&
           read_tag(reader, 1, &action->tag, err) && read_type(reader, 3, &type_size, &is_known, err) &&
           (receives || read_size(reader, 2, type_size, is_known, &action->bytes, err));
}

/* sendRecv SIZE DST SIZE SRC [TYPE TYPE]; tags aren't told */
static bool read_exchange(Reader *reader, TiAction *action, Err *err)
{
    uint64_t type_size;
    bool is_known;
    return need(reader, 4, err) && read_type(reader, 4, &type_size, &is_known, err) &&
           read_size(reader, 0, type_size, is_known, &action->bytes, err) &&
           read_peer(reader, 1, false, &action->peer, err) && read_peer(reader, 3, true, &action->source, err);
}

static bool read_root(const Reader *reader, const ActionName *name, size_t field, TiAction *action, Err *err)
{
    if (collective_has_root(name->collective))
        action->peer = 0;
    return !collective_has_root(name->collective) || field >= reader->n_fields ||
           ((read_peer(reader, field, false, &action->peer, err) && action->peer >= 0) ||
            wrong_field(reader, field, "the root", err));
}

/* The sum of `n` sizes. *own becomes this process's. */
static bool read_sizes(Reader *reader, size_t first, uint64_t type_size, bool is_known, uint64_t *sum, uint64_t *own,
                       Err *err)
{
    *sum = 0;
    for (uint32_t i = 0; i < reader->ti->n_processes; i++) {
        uint64_t bytes;
        if (!read_size(reader, first + i, type_size, is_known, &bytes, err))
            return false;
        *sum += bytes;
        if (i == reader->rank)
            *own = bytes;
    }
    return true;
}

static bool is_root(const Reader *reader, const TiAction *action)
{
    return (uint32_t)action->peer == reader->rank;
}

static bool read_one_size(Reader *reader, const ActionName *name, TiAction *action, Err *err)
{
    uint64_t size, type_size;
    bool is_known;
    if (!need(reader, 1, err) || !read_root(reader, name, 1, action, err) ||
        !read_type(reader, 2, &type_size, &is_known, err) || !read_size(reader, 0, type_size, is_known, &size, err))
        return false;
    *(is_root(reader, action) ? &action->bytes : &action->bytes_received) = size;
    return true;
}

static bool read_reduction(Reader *reader, const ActionName *name, TiAction *action, Err *err)
{
    uint64_t type_size;
    bool is_known;
    if (!need(reader, 2, err) || !read_amount(reader, 1, &action->amount, err) ||
        !read_root(reader, name, 2, action, err) ||
        !read_type(reader, collective_has_root(name->collective) ? 3 : 2, &type_size, &is_known, err) ||
        !read_size(reader, 0, type_size, is_known, &action->bytes, err))
        return false;
    bool gets = (!collective_has_root(name->collective) || is_root(reader, action)) &&
                !(name->collective == COLLECTIVE_EXSCAN && reader->rank == 0);
    action->bytes_received = gets ? action->bytes : 0;
    return true;
}

/* With types, there are 3 or 4 fields, and 4 or 5 with a root. */
static bool read_two_sizes(Reader *reader, const ActionName *name, TiAction *action, Err *err)
{
    const size_t n_types = 2, n_root = collective_has_root(name->collective);
    const bool has_types = reader->n_fields > 2 + n_root || reader->n_fields == 1 + n_root + n_types;
    const bool has_received = reader->n_fields != 1 + n_root + (has_types ? n_types : 0);
    const size_t root = has_received ? 2 : 1, type = root + n_root;
    uint64_t sent_size, received_size, sent, received = 0;
    bool sent_known, received_known;
    if (!need(reader, 1, err) || !read_root(reader, name, root, action, err) ||
        !read_type(reader, type, &sent_size, &sent_known, err) ||
        !read_type(reader, type + 1, &received_size, &received_known, err) ||
        !read_size(reader, 0, sent_size, sent_known, &sent, err) ||
        (has_received && !read_size(reader, 1, received_size, received_known, &received, err)))
        return false;
    const uint64_t n = reader->ti->n_processes;
    const bool rooted_away = collective_has_root(name->collective) && !is_root(reader, action);
    switch (name->collective) {
    case COLLECTIVE_SCATTER:
        action->bytes = rooted_away ? 0 : sent * n;
        action->bytes_received = received;
        break;
    case COLLECTIVE_ALLTOALL:
        action->bytes = sent * n;
        action->bytes_received = received * n;
        break;
    default:
        action->bytes = sent;
        action->bytes_received = rooted_away ? 0 : received * n;
    }
    return true;
}

/* One size, then those of all processes; or those of all processes, then one. */
static bool read_one_and_many(Reader *reader, const ActionName *name, TiAction *action, Err *err)
{
    const size_t n = reader->ti->n_processes, type = 1 + n + collective_has_root(name->collective);
    uint64_t sent_size, received_size, own = 0;
    bool sent_known, received_known;
    if (!need(reader, 1 + n, err) || !read_root(reader, name, 1 + n, action, err) ||
        !read_type(reader, type, &sent_size, &sent_known, err) ||
        !read_type(reader, type + 1, &received_size, &received_known, err))
        return false;
    return name->layout == MANY_GET
               ? read_size(reader, 0, sent_size, sent_known, &action->bytes, err) &&
                     read_sizes(reader, 1, received_size, received_known, &action->bytes_received, &own, err)
               : read_sizes(reader, 0, sent_size, sent_known, &action->bytes, &own, err) &&
                     read_size(reader, n, received_size, received_known, &action->bytes_received, err);
}

static bool read_many_reduce(Reader *reader, TiAction *action, Err *err)
{
    const size_t n = reader->ti->n_processes;
    uint64_t type_size;
    bool is_known;
    return need(reader, n + 1, err) && read_amount(reader, n, &action->amount, err) &&
           read_type(reader, n + 1, &type_size, &is_known, err) &&
           read_sizes(reader, 0, type_size, is_known, &action->bytes, &action->bytes_received, err);
}

static bool read_many_both(Reader *reader, TiAction *action, Err *err)
{
    const size_t n = reader->ti->n_processes;
    uint64_t sent_size, received_size, own;
    bool sent_known, received_known;
    return need(reader, 2 * n + 2, err) && read_type(reader, 2 * n + 2, &sent_size, &sent_known, err) &&
           read_type(reader, 2 * n + 3, &received_size, &received_known, err) &&
           read_sizes(reader, 1, sent_size, sent_known, &action->bytes, &own, err) &&
           read_sizes(reader, n + 2, received_size, received_known, &action->bytes_received, &own, err);
}

static bool read_collective(Reader *reader, const ActionName *name, TiAction *action, Err *err)
{
    action->collective = (uint8_t)name->collective;
    action->peer = TI_NOBODY;
    switch (name->layout) {
    case NO_FIELDS:
        return true;
    case ONE_SIZE:
        return read_one_size(reader, name, action, err);
    case REDUCTION:
        return read_reduction(reader, name, action, err);
    case TWO_SIZES:
        return read_two_sizes(reader, name, action, err);
    case MANY_GET:
    case MANY_GIVE:
        return read_one_and_many(reader, name, action, err);
    case MANY_REDUCE:
        return read_many_reduce(reader, action, err);
    case MANY_BOTH:
        return read_many_both(reader, action, err);
    }
    return true;
}

/* Nonblocking collectives have an i before the name. */
static const ActionName *find_name(const char *word, bool *has_request)
{
    for (int i = 0; i < 2 && (i == 0 || strncasecmp(word, "i", 1) == 0); i++)
        for (size_t k = 0; k < sizeof names / sizeof *names; k++)
            if (strcasecmp(word + i, names[k].name) == 0 && (i == 0 || names[k].kind == TI_COLLECTIVE)) {
                *has_request = i == 1;
                return &names[k];
            }
    return NULL;
}

static bool read_fields(Reader *reader, const ActionName *name, TiAction *action, Err *err)
{
    switch (name->kind) {
    case TI_COMPUTE:
    case TI_SLEEP:
        return need(reader, 1, err) && read_amount(reader, 0, &action->amount, err);
    case TI_SEND:
    case TI_ISEND:
        return read_message(reader, false, action, err);
    case TI_RECV:
    case TI_IRECV:
        return read_message(reader, true, action, err);
    case TI_SENDRECV:
        return read_exchange(reader, action, err);
    case TI_WAIT:
    case TI_TEST:
        return need(reader, 3, err) && read_peer(reader, 0, true, &action->source, err) &&
               read_peer(reader, 1, true, &action->peer, err) && read_tag(reader, 2, &action->tag, err);
    case TI_COLLECTIVE:
        return read_collective(reader, name, action, err);
    case TI_WAIT_ALL:
        return !reader->n_fields || read_amount(reader, 0, &action->amount, err);
    default:
        return true;
    }
}

static bool number_of_call(const ActionName *name, bool has_request, uint16_t *number)
{
    char call[64];
    snprintf(call, sizeof call, "%s", name->call);
    if (has_request)
        snprintf(call, sizeof call, "MPI_I%c%s", name->call[4] - 'A' + 'a', name->call + 5);
    return call_find(call, number);
}

/* Splits "RANK ACTION FIELD…". The fields point into the line. */
static bool split(Reader *reader, char **rank, char **word, Err *err)
{
    char *rest = NULL;
    *rank = strtok_r(reader->lines.line, " \t", &rest);
    *word = *rank ? strtok_r(NULL, " \t", &rest) : NULL;
    reader->n_fields = 0;
    for (char *field; *word && (field = strtok_r(NULL, " \t", &rest)); reader->n_fields++) {
        if (reader->n_fields == reader->most_fields)
            return lines_wrong(&reader->lines, err, "more than %zu fields", reader->most_fields);
        reader->fields[reader->n_fields] = field;
    }
    return true;
}

static bool read_action(Reader *reader, Err *err)
{
    char *rank, *word;
    const char *at;
    uint64_t process;
    bool has_request = false;
    if (!split(reader, &rank, &word, err))
        return false;
    if (!rank || rank[0] == '#')
        return true;
    at = rank;
    if (!take_number(&at, UINT32_MAX, &process) || *at || !word)
        return lines_wrong(&reader->lines, err, "expected the number of a process and an action, not `%.40s`", rank);
    if (process >= reader->ti->n_processes)
        return lines_wrong(&reader->lines, err, "process %lu, but there are %u", (unsigned long)process,
                           reader->ti->n_processes);
    if (reader->lines.number > UINT32_MAX)
        return lines_wrong(&reader->lines, err, "more than %u lines", UINT32_MAX);
    reader->rank = (uint32_t)process;
    const ActionName *name =
        strncasecmp(word, "Win_", 4) == 0 ? find_name("put", &has_request) : find_name(word, &has_request);
    if (!name)
        return lines_wrong(&reader->lines, err, "no action is called `%.40s`", word);
    if (name->kind == TI_REFUSED) {
        lines_wrong(&reader->lines, err, "`%.40s` doesn't say which messages it starts", word);
        return err_hint(err, "persistent requests can't be read from a TI trace");
    }
    if (name->kind == TI_LEFT_OUT) {
        if (!reader->ti->n_left_out++)
            reader->ti->left_out = arena_strdup(reader->ti->arena, word);
        return true;
    }
    TiAction action = {.kind = (uint8_t)name->kind, .line = (uint32_t)reader->lines.number, .has_request = has_request};
    if (name->kind == TI_INIT)
        reader->default_type = reader->n_fields ? DOUBLE : BYTE;
    if (name->call && !number_of_call(name, has_request, &action.call))
        return lines_wrong(&reader->lines, err, "no call belongs to `%.40s`", word);
    if (!read_fields(reader, name, &action, err))
        return false;
    reader->ti->files[process] = reader->ti->files[process] ? reader->ti->files[process] : reader->lines.path;
    *vec_push(&reader->ti->actions[process]) = action;
    return true;
}

/* True for "RANK ACTION …". */
static bool is_action(const char *line)
{
    char word[64] = "";
    uint64_t rank;
    bool has_request;
    line += strspn(line, " \t");
    return take_number(&line, UINT32_MAX, &rank) && sscanf(line, " %63s", word) == 1 &&
           (find_name(word, &has_request) || strncasecmp(word, "Win_", 4) == 0);
}

static bool is_blank(const char *line)
{
    return line[strspn(line, " \t")] == '\0' || *line == '#';
}

/* The number of processes of a file that holds the actions of all: the largest number + 1. */
static bool count_processes(const char *path, uint32_t *n, Err *err)
{
    Lines lines;
    bool ok, is_there = true;
    uint64_t largest = 0;
    if (!lines_open(&lines, path, err))
        return false;
    while ((ok = lines_next(&lines, &is_there, err)) && is_there) {
        const char *at = lines.line + strspn(lines.line, " \t");
        uint64_t rank;
        if (take_number(&at, UINT32_MAX, &rank) && rank > largest)
            largest = rank;
        if (largest >= PROCESS_LIMIT) {
            ok = lines_wrong(&lines, err, "process %lu; at most %u processes are allowed", (unsigned long)largest,
                             PROCESS_LIMIT);
            break;
        }
    }
    lines_close(&lines);
    *n = (uint32_t)largest + 1;
    return ok;
}

typedef VEC(const char *) Paths;

/* The files of the archive, whose names are relative to the index, or to the working directory. */
static bool read_index(const char *path, Arena *arena, Paths *paths, Err *err)
{
    Lines lines;
    bool ok, is_there = true;
    const size_t folder = (size_t)(files_base_name(path) - path);
    if (!lines_open(&lines, path, err))
        return false;
    while ((ok = lines_next(&lines, &is_there, err)) && is_there) {
        if (is_blank(lines.line))
            continue;
        if (!paths->count && is_action(lines.line)) {
            *vec_push(paths) = path;
            break;
        }
        const char *beside = arena_printf(arena, "%.*s%s", (int)folder, path, lines.line);
        const char *file = lines.line[0] == '/' || !files_exist(beside) ? arena_strdup(arena, lines.line) : beside;
        if (!files_exist(file)) {
            ok = lines_wrong(&lines, err, "neither an action nor a file: %.200s", lines.line);
            break;
        }
        if (paths->count == PROCESS_LIMIT) {
            ok = lines_wrong(&lines, err, "more than %u files", PROCESS_LIMIT);
            break;
        }
        *vec_push(paths) = file;
    }
    lines_close(&lines);
    if (ok && !paths->count)
        ok = err_set(err, ERR_INPUT, "%s: line 1: no action and no file", path);
    return ok;
}

static bool read_file(Reader *reader, const char *path, Err *err)
{
    bool ok = lines_open(&reader->lines, path, err), is_there = true;
    while (ok && (ok = lines_next(&reader->lines, &is_there, err)) && is_there)
        ok = is_blank(reader->lines.line) || read_action(reader, err);
    if (ok && reader->lines.number == 0)
        ok = err_set(err, ERR_INPUT, "%s: line 1: the file is empty", path);
    lines_close(&reader->lines);
    return ok;
}

static bool read_trace(Ti *ti, const char *path, Err *err)
{
    Paths paths = {0};
    Reader reader = {.ti = ti, .default_type = BYTE};
    *ti = (Ti){.path = path, .arena = arena_new()};
    bool ok = read_index(path, ti->arena, &paths, err);
    ti->n_processes = (uint32_t)paths.count;
    if (ok && paths.count == 1)
        ok = count_processes(paths.items[0], &ti->n_processes, err);
    if (ok) {
        ti->files = arena_new_array(ti->arena, const char *, ti->n_processes);
        ti->actions = arena_new_array(ti->arena, TiActions, ti->n_processes);
        reader.most_fields = 2 * (size_t)ti->n_processes + 8;
        reader.fields = arena_new_array(ti->arena, const char *, reader.most_fields);
    } else {
        ti->n_processes = 0;
    }
    for (size_t i = 0; ok && i < paths.count; i++)
        ok = read_file(&reader, paths.items[i], err);
    for (uint32_t rank = 0; ok && rank < ti->n_processes; rank++)
        if (!ti->actions[rank].count)
            ok = err_set(err, ERR_INPUT, "%s: holds no action of process %u", path, rank);
    vec_free(&paths);
    return ok;
}

static void free_trace(Ti *ti)
{
    for (uint32_t rank = 0; rank < ti->n_processes; rank++)
        vec_free(&ti->actions[rank]);
    arena_free(ti->arena);
}

bool ti_begins_with(const char *path, const char *line)
{
    char beside[4096];
    snprintf(beside, sizeof beside, "%.*s%s", (int)(files_base_name(path) - path), path, line);
    return is_action(line) || files_exist(beside) || files_exist(line);
}

static void add_notes(const Ti *ti, double speed, MadeNotes *notes)
{
    note_add(
        notes,
        "imported from the time-independent trace %s, which holds no times: computation is its amount at %.6g per "
        "second; calls take 1 ns, reductions also their computation, and messages no time, so processes wait only for "
        "each other",
        text_as_line(files_base_name(ti->path), ti->arena), speed);
    note_add(notes, "a time-independent trace names no communicators: messages and collectives count as ones in "
                    "MPI_COMM_WORLD");
    if (ti->n_unsized)
        note_add(notes, "%lu sizes count as 0 bytes, because the trace doesn't describe their datatypes",
                 (unsigned long)ti->n_unsized);
    if (ti->n_left_out)
        note_add(notes, "left out: %lu actions that have no time or no place in firma's trace, such as %s",
                 (unsigned long)ti->n_left_out, ti->left_out);
    if (ti->n_unordered)
        note_add(notes,
                 "%lu completions don't say which of several requests they complete; firma took all of them for "
                 "MPI_Waitall, and the first one ready for MPI_Waitany",
                 (unsigned long)ti->n_unordered);
    if (ti->n_open)
        note_add(notes, "%lu requests are completed by no action; each got an MPI_Wait before its process ends",
                 (unsigned long)ti->n_open);
    if (ti->n_from_nobody)
        note_add(notes,
                 "%lu nonblocking receives without a source count as ones from MPI_PROC_NULL, because other receives "
                 "need all messages under their tags",
                 (unsigned long)ti->n_from_nobody);
    if (ti->n_unclear)
        note_add(notes,
                 "%lu nonblocking receives without a source count as ones from MPI_ANY_SOURCE; some may have been from "
                 "MPI_PROC_NULL, which the trace doesn't tell",
                 (unsigned long)ti->n_unclear);
    if (ti->n_unmatched)
        note_add(notes, "%lu messages were never received, or receives never met a message",
                 (unsigned long)ti->n_unmatched);
}

bool ti_import(const char *path, double speed, const char *recording, Err *err)
{
    Ti ti;
    MadeNotes notes = {0};
    bool ok = read_trace(&ti, path, err) && ti_replay(&ti, speed, recording, err);
    if (ok)
        add_notes(&ti, speed, &notes);
    ok = notes_make(recording, &notes, ok, err);
    free_trace(&ti);
    return ok;
}
