/* SPDX-License-Identifier: BSD-3-Clause */
/* See communication.h. */
#include "cost/source/communication.h"

#include "base/process.h"
#include "cost/source/values/place.h"

#include <string.h>

/* What a process waits for, with p processes and messages of n bytes. */
typedef enum Waiting {
    NOTHING,        /* it goes on at once, or waits in another call */
    ONE_MESSAGE,    /* ts + n tw */
    LEVELS,         /* log2(p) messages: along a tree, or doubling */
    LEVELS_OF_ALL,  /* log2(p) messages, with (p - 1) n bytes together */
    EVERY_OTHER,    /* p - 1 messages */
    TELLS_RANK,     /* nothing; the second argument becomes the rank */
    TELLS_PROCESSES /* … the number of processes */
} Waiting;

typedef struct MpiFunction {
    const char *name; /* one that ends with _ stands for all that begin so */
    Waiting waiting;
    int8_t count; /* argument; its datatype is the next one; -1: no bytes */
} MpiFunction;

static const MpiFunction functions[] = {
    {"MPI_Comm_rank", TELLS_RANK, -1},
    {"MPI_Comm_size", TELLS_PROCESSES, -1},
    {"MPI_Init", NOTHING, -1},
    {"MPI_Init_thread", NOTHING, -1},
    {"MPI_Finalize", NOTHING, -1},
    {"MPI_Wtime", NOTHING, -1},
    {"MPI_Comm_free", NOTHING, -1},
    {"MPI_Type_", NOTHING, -1},
    {"MPI_Cart_", NOTHING, -1},
    {"MPI_Dims_", NOTHING, -1},
    {"MPI_Op_", NOTHING, -1},
    {"MPI_Send", NOTHING, -1},
    {"MPI_Ssend", NOTHING, -1},
    {"MPI_Rsend", NOTHING, -1},
    {"MPI_Bsend", NOTHING, -1},
    {"MPI_Isend", NOTHING, -1},
    {"MPI_Wait", NOTHING, -1},
    {"MPI_Waitall", NOTHING, -1},
    {"MPI_Waitany", NOTHING, -1},
    {"MPI_Recv", ONE_MESSAGE, 1},
    {"MPI_Irecv", ONE_MESSAGE, 1},
    {"MPI_Sendrecv", ONE_MESSAGE, 6},
    {"MPI_Sendrecv_replace", ONE_MESSAGE, 1},
    {"MPI_Barrier", LEVELS, -1},
    {"MPI_Bcast", LEVELS, 1},
    {"MPI_Reduce", LEVELS, 2},
    {"MPI_Allreduce", LEVELS, 2},
    {"MPI_Scan", LEVELS, 2},
    {"MPI_Exscan", LEVELS, 2},
    {"MPI_Gather", LEVELS_OF_ALL, 1},
    {"MPI_Scatter", LEVELS_OF_ALL, 4},
    {"MPI_Allgather", EVERY_OTHER, 1},
    {"MPI_Alltoall", EVERY_OTHER, 1},
};

static bool is_named(const char *name, const char *pattern)
{
    size_t length = strlen(pattern);
    name += name[0] == 'P'; /* PMPI_Send is MPI_Send */
    return pattern[length - 1] == '_' ? strncmp(name, pattern, length) == 0 : strcmp(name, pattern) == 0;
}

static const MpiFunction *find_function(const char *name)
{
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (is_named(name, functions[i].name))
            return &functions[i];
    return NULL;
}

/* ---- Bytes ---- */

/* Open MPI's handles are addresses of variables. */
static const struct {
    const char *name;
    int bytes;
} open_mpi_types[] = {
    {"ompi_mpi_char", 1},           {"ompi_mpi_signed_char", 1},   {"ompi_mpi_unsigned_char", 1},
    {"ompi_mpi_byte", 1},           {"ompi_mpi_packed", 1},        {"ompi_mpi_short", 2},
    {"ompi_mpi_unsigned_short", 2}, {"ompi_mpi_int", 4},           {"ompi_mpi_unsigned", 4},
    {"ompi_mpi_float", 4},          {"ompi_mpi_int32_t", 4},       {"ompi_mpi_uint32_t", 4},
    {"ompi_mpi_long", 8},           {"ompi_mpi_unsigned_long", 8}, {"ompi_mpi_long_long_int", 8},
    {"ompi_mpi_double", 8},         {"ompi_mpi_int64_t", 8},       {"ompi_mpi_uint64_t", 8},
    {"ompi_mpi_2int", 8},           {"ompi_mpi_float_int", 8},     {"ompi_mpi_double_int", 12},
};

/* MPICH's handles of predefined types are numbers, 0x4c00BBNN with BB bytes. */
static Amount datatype_bytes(const Scope *scope, const SourceExpression *datatype)
{
    datatype = without_casts(datatype);
    const SourceExpression *target = datatype->kind == SOURCE_ADDRESS ? without_casts(datatype->operands[0]) : NULL;
    for (size_t i = 0; target && target->variable && i < sizeof open_mpi_types / sizeof *open_mpi_types; i++)
        if (strcmp(open_mpi_types[i].name, target->variable->name) == 0)
            return amount_number(scope->space, open_mpi_types[i].bytes);
    int64_t handle = datatype->kind == SOURCE_NUMBER ? (int64_t)datatype->value : 0;
    if ((handle & 0xff0000) == 0 && (handle >> 24 & 0xff) == 0x4c)
        return amount_number(scope->space, (double)(handle >> 8 & 0xff));
    return UNKNOWN_AMOUNT;
}

static const Expr *bytes_of(Scope *scope, const SourceExpression *call, const char *name, const MpiFunction *function,
                            const Amount *values)
{
    Generator *all = scope->all;
    size_t count = (size_t)function->count;
    if (function->count < 0 || count + 1 >= call->n_operands)
        return expr_integer(all->space, 0);
    Amount bytes = amount_multiply(scope->space, values[count], datatype_bytes(scope, call->operands[count + 1]));
    if (bytes.expr)
        return bytes.expr;
    const char *parameter = name_of_place(all, "bytes", "", &call->place);
    const char *message = arena_printf(all->arena, "mean bytes of a message of %s", name);
    finding_add(all, &call->place, parameter, message);
    return parameter_make(all, parameter, value_to_give(scope), &call->place, message);
}

/* ---- Costs ---- */

static const Expr *processes(Scope *scope, const SourceExpression *call)
{
    return parameter_make(scope->all, "P", NULL, &call->place, "the number of processes");
}

/* A process in the middle, which has neighbours on both sides. */
static const Expr *rank(Scope *scope, const SourceExpression *call)
{
    const Expr *half = expr_divide(scope->space, processes(scope, call), expr_integer(scope->space, 2));
    return parameter_make(scope->all, "rank", expr_function(scope->space, EXPR_FLOOR, &half, 1), &call->place,
                          "the process that stands for all");
}

static void tell(Scope *scope, const SourceExpression *call, const Expr *value)
{
    const SourceExpression *variable = call->n_operands > 1 ? without_casts(call->operands[1]) : NULL;
    if (variable && variable->kind == SOURCE_ADDRESS)
        place_assign_now(scope, without_casts(variable->operands[0]), (Amount){value, true}, NULL, NULL);
}

static void emit_messages(Scope *scope, const SourceExpression *call, const Expr *messages, const Expr *bytes)
{
    Generator *all = scope->all;
    parameter_make(all, "ts", NULL, &call->place, "seconds of a message of no bytes");
    block_cost(all, scope->block, "ts", messages);
    if (bytes == expr_integer(all->space, 0))
        return;
    parameter_make(all, "tw", NULL, &call->place, "seconds of a further byte");
    block_cost(all, scope->block, "tw", bytes);
}

static void emit_waiting(Scope *scope, const SourceExpression *call, const MpiFunction *function, const Expr *bytes)
{
    ExprSpace *space = scope->space;
    const Expr *one = expr_integer(space, 1);
    if (function->waiting == ONE_MESSAGE) {
        emit_messages(scope, call, one, bytes);
        return;
    }
    const Expr *p = processes(scope, call), *others = expr_subtract(space, p, one);
    const Expr *levels = expr_function(space, EXPR_LOG2, &p, 1);
    levels = expr_function(space, EXPR_CEIL, &levels, 1);
    const Expr *messages = function->waiting == EVERY_OTHER ? others : levels;
    emit_messages(scope, call, messages, expr_multiply(space, function->waiting == LEVELS ? levels : others, bytes));
}

bool communication_emit(Scope *scope, const SourceExpression *call, const char *name, const Amount *values)
{
    const MpiFunction *function = find_function(name);
    if (!function)
        return false;
    if (function->waiting == TELLS_RANK)
        tell(scope, call, rank(scope, call));
    else if (function->waiting == TELLS_PROCESSES)
        tell(scope, call, processes(scope, call));
    else if (function->waiting != NOTHING)
        emit_waiting(scope, call, function, bytes_of(scope, call, name, function, values));
    return true;
}

/* ---- Headers ---- */

const char *communication_options(Arena *arena)
{
    static const char *const words[] = {"mpicc", "-show", NULL};
    const ProcessOptions how = {.words = words, .output = PROCESS_PIPE};
    char *text, *rest = NULL;
    int status;
    const char *options = "";
    if (!process_find("mpicc", NULL, arena) || !process_capture(&how, 10000, arena, &text, &status) || status != 0)
        return options;
    for (char *word = strtok_r(text, " \n", &rest); word; word = strtok_r(NULL, " \n", &rest))
        if (strncmp(word, "-I", 2) == 0 || strncmp(word, "-D", 2) == 0 || strncmp(word, "-isystem", 8) == 0)
            options = arena_printf(arena, "%s %s", options, word);
    return options;
}
