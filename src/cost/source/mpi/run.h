/* SPDX-License-Identifier: BSD-3-Clause */
/* The state of running through a program: of all processes, and of the one that runs. Private to
 * this folder.
 *
 *     processes.c   all processes, one after the other, until each knows what it needs of others
 *     statements.c  statements and conditionals
 *     loops.c       loops, and when their iterations repeat
 *     functions.c   calls of the program's own functions
 *     words.c       calls that read the command line's words: getopt, sscanf
 *     memory.c      calls that get, free, copy or clear memory
 *     calls.c       calls of MPI; messages.c, groups.c, collectives.c, handles.c
 *     seconds.c     computation to seconds
 *     events.c      what a process did, as a source of events */
#pragma once

#include "base/map.h"
#include "cost/source/mpi/processes.h"
#include "cost/source/values/place.h"
#include "cost/source/values/scope.h"
#include "cost/source/values/value.h"

/* An event, or a loop of activities. */
typedef struct Activity Activity;
struct Activity {
    Event event;
    uint64_t times; /* loop */
    size_t n_body;
    const Activity *body; /* NULL: an event */
};

enum { CARTESIAN_LIMIT = 8 };

typedef struct Cartesian {
    int64_t n_dimensions; /* 0: the communicator has no topology */
    int64_t sizes[CARTESIAN_LIMIT], periods[CARTESIAN_LIMIT];
} Cartesian;

typedef enum HandleKind { HANDLE_NULL, HANDLE_DATATYPE, HANDLE_COMM, HANDLE_REQUEST, HANDLE_OPERATION } HandleKind;

/* Of reductions, in the order in which handles.c names them. */
typedef enum Reduction { REDUCTION_SUM = 1, REDUCTION_PROD, REDUCTION_MAX, REDUCTION_MIN } Reduction;

/* What an MPI handle stands for. */
typedef struct Handle {
    HandleKind kind;
    const SourceVariable *variable; /* of a library whose handles are addresses of variables */
    double number;                  /* of a library whose handles are numbers; NAN: none */
    int64_t bytes;                  /* datatype; operation: a Reduction */
    uint32_t comm;                  /* communicator: index in World.comms */
    Cartesian grid;
    bool is_receive, is_persistent; /* request */
    bool is_pending;
    Event event;
} Handle;

/* Numbers that differ from one MPI library to another. */
typedef enum Constant {
    CONSTANT_PROC_NULL,
    CONSTANT_ANY_SOURCE,
    CONSTANT_ANY_TAG,
    CONSTANT_UNDEFINED,
    CONSTANT_IN_PLACE,
    CONSTANT_LIBRARY, /* 1: Open MPI; 2: MPICH; 0: another one */
    CONSTANTS
} Constant;

/* What members of a communicator told each other in its n-th exchange: a broadcast value, or colour
 * and key of a split. */
typedef struct Exchange {
    uint32_t comm, number;
    bool *is_known;           /* [members] */
    int64_t *values, *others; /* [members] colour, or value; key */
} Exchange;

typedef struct SubCost {
    const char *name;
    const Expr *cost;
} SubCost;

/* What all processes share. */
typedef struct World {
    const ProcessesOptions *options;
    Generator all;
    VEC(Comm) comms; /* 0: the world */
    VEC(Handle) predefined;
    int64_t constants[CONSTANTS];
    VEC(Exchange) exchanges;
    VEC(SubCost) sub_costs;
    double array_bytes;                                     /* of arrays of a fixed size (arrays.h) */
    const Expr *operation_costs[CPU_OPERATIONS][CPU_TYPES]; /* NULL: not needed yet */
    VEC(ProcessesAmount) amounts;                           /* of the processes that have run */
    Map is_loud;                                            /* by function: 1 it calls MPI, 2 it doesn't */
    size_t n_assumed;                                       /* findings of runs */
    Map asked; /* names of parameters that a run needed: findings about others are left out */
} World;

typedef struct RunResult {
    const SourceExpression *expression;
    RunValue value;
} RunResult;

/* How often a conditional was reached whose condition isn't known. */
typedef struct Visits {
    const SourceStatement *statement;
    uint64_t n;
} Visits;

/* How a statement ends. FLOW_END: the process ends. */
typedef enum Flow { FLOW_ON, FLOW_BREAK, FLOW_CONTINUE, FLOW_RETURN, FLOW_END } Flow;

/* How far getopt has read. */
typedef struct OptionsRead {
    size_t word, character; /* the next option; word 0: none was read */
    size_t n_passed;        /* words behind this one that aren't options, and that stood before it */
} OptionsRead;

/* A process that runs. */
typedef struct Run {
    Running running; /* first, since the callbacks get a pointer to it */
    World *world;
    uint32_t rank;
    Block block;         /* operations since the last event */
    const void *unit;    /* the function or loop to which these operations belong */
    double pending_s;    /* computation before these operations, and since the last event */
    VEC(double) amounts; /* of the process, like the world's */
    bool has_begun;      /* MPI_Init */
    bool has_ended;      /* MPI_Finalize */
    bool lacks_exchange; /* another process must run first, and then this one again */
    VEC(Activity) activities;
    VEC(RunResult) results;
    VEC(Visits) visits;
    VEC(Handle) handles;
    VEC(uint32_t) n_exchanges; /* by communicator */
    uint32_t n_reductions;     /* that asked all others */
    uint64_t n_guesses;        /* decided by chance: iterations around them don't repeat */
    OptionsRead options;
    RunValue returned; /* by the function that ended last */
} Run;

/* A run's activities are limited, so that a loop that never ends is found. */
enum { ACTIVITIES_LIMIT = 1000000, ITERATIONS_LIMIT = 1000000, TRIED_ITERATIONS_LIMIT = 10000 };

/* ERR_INPUT at this place; the run stops. Returns false. */
bool run_fail(Run *run, const SourcePlace *place, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Adds a finding about a parameter that the run needs. */
void finding_of_run(World *world, const SourcePlace *place, const char *parameter, const char *message);

/* The value that the user gave for a name. */
bool given_find(const World *world, const char *name, double *value);
/* Of a parameter named after a place, such as Q_pi_12. */
bool given_of_place(World *world, const char *kind, const SourcePlace *place, double *value);

/* statements.c */
Flow run_statement(Run *run, Scope *scope, const SourceStatement *statement);
/* Runs calls in an expression, and then counts its operations and follows its assignments. */
Flow run_expression(Run *run, Scope *scope, const SourceExpression *expression);
/* loops.c */
Flow run_loop(Run *run, Scope *scope, const SourceStatement *statement);
/* functions.c */
bool is_loud(World *world, const SourceStatement *statement);
/* Runs the calls in an expression whose effects firma follows, in order. */
Flow run_calls(Run *run, Scope *scope, const SourceExpression *expression);

/* memory.c: whether the call was one of those that get, copy or clear memory, and has been followed. *is_done:
 * its cost counts, too, and it has a value. */
bool call_memory(Scope *scope, const SourceExpression *call, Amount *value, bool *is_done);
/* words.c: whether the call was one of those that read the command line's words and assign what they find. */
bool call_reads_words(Run *run, Scope *scope, const SourceExpression *call, Amount *value);

/* calls.c. The arguments of a call. */
typedef struct MpiCall {
    Run *run;
    Scope *scope;
    const SourceExpression *call;
} MpiCall;
Flow run_mpi_call(Run *run, Scope *scope, const SourceExpression *call);
bool argument_whole(const MpiCall *call, size_t i, const char *what, int64_t *value);
bool argument_is_constant(const MpiCall *call, size_t i, Constant constant);
/* count · size of the datatype */
bool argument_bytes(const MpiCall *call, size_t count, size_t datatype, int64_t *bytes);
/* Sets what the argument points to. */
void argument_set(const MpiCall *call, size_t i, int64_t value);
/* What the argument points to isn't known from now on, unless the user gave it. */
void argument_received(const MpiCall *call, size_t i);
bool argument_element(const MpiCall *call, size_t i, int64_t index, const char *what, int64_t *value);
void argument_set_element(const MpiCall *call, size_t i, int64_t index, int64_t value);
bool argument_comm(const MpiCall *call, size_t i, Handle **comm);
/* Adds an event, with the computation before it. */
void add_event(Run *run, Event event);
/* The process's rank in a communicator. */
uint32_t own_place(const Run *run, uint32_t comm);

/* The others return false if the call isn't theirs. */
bool call_message(const MpiCall *call);
bool call_collective(const MpiCall *call);
bool call_group(const MpiCall *call);
bool call_datatype(const MpiCall *call);
/* Completes a reduction of a whole number that all members know. root: the place that gets the result; -1: all. */
void exchange_reduction(const MpiCall *call, uint32_t comm, int64_t root);
/* Completes a broadcast of a whole number: at the root, or with what the root told. */
void exchange_broadcast(const MpiCall *call, uint32_t comm, uint32_t root);

/* handles.c */
extern const char mpi_prelude[]; /* tells firma the handles, sizes and constants of the MPI library */
void handles_read(World *world);
Handle *handle_find(Run *run, Amount value);
Amount handle_add(Run *run, Handle handle);

/* seconds.c: adds the operations since the last event to pending_s, and their amounts. */
void run_flush(Run *run);
/* Forgets the operations since the last event. */
void run_forget(Run *run);
/* Begins a run of this function or loop, and returns the one around it; unit_end() goes back there. */
const void *unit_begin(Run *run, Scope *scope, const void *unit);
void unit_end(Run *run, const void *outer);
/* Begins the statement's side 0 or 1. */
void side_begin(Run *run, Scope *scope, const SourceStatement *statement, int side);
/* events.c */
EventSource *events_source(const World *world, const Activity *const *activities, const size_t *n_activities,
                           Arena *arena);
