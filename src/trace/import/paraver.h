/* SPDX-License-Identifier: BSD-3-Clause */
/* What an import of a Paraver trace knows. paraver.c reads the .prv file once, in which the records
 * of all threads are mixed, and shares them out to the threads (items). paraver_thread.c makes the
 * records of one thread from its items. paraver_names.c reads the names of calls in the .pcf file.
 * Private to trace/import. */
#pragma once

#include "base/map.h"
#include "base/progress.h"
#include "base/spool.h"
#include "base/vec.h"
#include "trace/import/maker.h"

/* What a value of an MPI event, or a state, stands for. */
typedef enum ParaverKind {
    PARAVER_CALL,     /* a call of the table */
    PARAVER_INIT,     /* MPI_Init or MPI_Init_thread */
    PARAVER_FINALIZE, /* MPI_Finalize */
    PARAVER_IO,       /* a file operation: computation, but counted */
    PARAVER_LOCAL     /* doesn't communicate, or isn't in firma's table: computation */
} ParaverKind;

typedef struct ParaverName {
    const char *name; /* "MPI_Send" */
    ParaverKind kind;
    uint16_t call;                   /* its number in calls.def, unless the kind is local */
    uint8_t collective;              /* Collective; COLLECTIVE_COUNT: no collective that moves data */
    bool sends, receives, completes; /* messages that the call may hold */
    uint64_t n_used;
} ParaverName;

typedef struct ParaverNames {
    const char *path; /* of the .pcf file */
    bool is_there;    /* the file exists */
    Map of_value;     /* (event type, value) -> 1 + index in `list` */
    Map of_state;     /* state -> 1 + index in `list`, for states of communication */
    VEC(ParaverName) list;
} ParaverNames;

/* Reads the .pcf file, if it exists. ERR_INPUT: it can't be read. */
bool paraver_names_read(ParaverNames *names, const char *path, Arena *arena, Err *err);
void paraver_names_free(ParaverNames *names);

typedef enum ItemKind {
    ITEM_BEGIN, /* a call begins; also: what is known of its collective */
    ITEM_END,
    ITEM_STATE, /* a state of communication, from time_ns to until_ns; `name` is the call it is taken for */
    ITEM_SEND,  /* a message leaves the thread */
    ITEM_RECV   /* a message comes: the receive was posted at time_ns, and completed at until_ns */
} ItemKind;

#define NO_COMM UINT32_MAX

typedef struct ParaverItem {
    int64_t time_ns, until_ns;
    uint64_t bytes, bytes_received;
    uint64_t line;
    uint32_t type; /* of the event */
    uint32_t name; /* index in ParaverNames.list */
    uint32_t peer; /* of a message: world rank; of a collective: 1 at its root */
    uint32_t tag;
    uint32_t comm;     /* of a collective: index in Paraver.comms, or NO_COMM */
    uint32_t instance; /* the collective's number among those of its communicator */
    uint8_t kind;
} ParaverItem;

typedef struct ParaverComm {
    uint32_t n_members;
    const uint32_t *members; /* [n_members] world ranks */
    bool is_world;           /* is MPI_COMM_WORLD, or MPI_COMM_SELF of its process */
    bool is_self;
} ParaverComm;

typedef struct ParaverThread {
    bool is_open; /* a BEGIN is held back, because its collective may still be described */
    ParaverItem begin;
} ParaverThread;

typedef struct ParaverTask {
    uint32_t node; /* from 1; 0: not known */
    uint32_t n_threads;
    size_t first_thread; /* index in Paraver.threads */
    VEC(uint32_t) comms; /* those that get numbers 2, 3 … in the process, in order */
    int64_t init_enter_ns, init_leave_ns, finalize_enter_ns, finalize_leave_ns; /* -1: not in the trace */
    int64_t first_ns, last_ns;                                                  /* -1: no records */
} ParaverTask;

typedef struct Paraver {
    const char *path, *recording;
    Arena *arena;
    ParaverNames names;
    uint32_t n_tasks, n_applications;
    ParaverTask *tasks;                /* [n_tasks] by world rank */
    const uint32_t *application_first; /* [n_applications + 1] world rank of its first task */
    size_t n_threads;
    ParaverThread *threads; /* [n_threads] */
    VEC(ParaverComm) comms;
    Map comm_of_id;           /* (application, id) -> 1 + index in comms */
    Map instances;            /* (rank, comm) -> number of collectives so far */
    Map roots;                /* (comm, instance) -> 1 + root's rank in the communicator */
    Spool *items;             /* a stream for each thread */
    const char *const *hosts; /* [n_hosts] of nodes, by the .row file */
    uint32_t n_hosts;
    int64_t least_init_leave_ns;
    /* for notes: */
    bool has_calls; /* the trace has events of MPI calls */
    uint64_t n_other_events, n_without_comm, n_without_root, n_group_states;
    uint64_t n_lone_sends, n_lone_receives, n_outside, n_unclosed, n_tagless;
    int64_t disabled_ns;
} Paraver;

/* See import.h. `recording` is a directory. */
bool paraver_import(const char *path, const char *recording, const Progress *progress, Err *err);

/* Makes the records of thread `number` of the process, and adds the counts of file operations to
 * `counted`. */
bool paraver_thread_make(Paraver *paraver, uint32_t rank, uint32_t number, uint64_t counted[CALL_LIMIT], Err *err);
