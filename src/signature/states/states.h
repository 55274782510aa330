/* SPDX-License-Identifier: BSD-3-Clause */
/* The thesis's executable signature (§3.6, §5.4): a directory of saved states of an application, one before each window
 * that is to be measured. Public interface of the folder.
 *
 *     SIGDIR/states.json   what the states are of
 *     SIGDIR/app.firma     the signature that was executed
 *     SIGDIR/1, 2 …        a state each, see signature/checkpoint/checkpoint.h
 *
 * states.json is replaced for each state, and once more at the end, which it tells: so what was saved can be used,
 * whatever became of the rest.
 *
 * States hold the memory of the application: files are 0600, directories 0700. */
#pragma once

#include "base/progress.h"
#include "signature/checkpoint/checkpoint.h"
#include "signature/execute/spread.h"
#include "trace/segment.h"

/* ---- saving ---- */

typedef struct StatesOptions {
    const char *directory; /* SIGDIR: exists, and is empty */
    const char *back_end;  /* NULL: the best that is here */
    MpiFlavour flavour;    /* MPI_FLAVOUR_NONE: found out */
    bool stop_after_last;  /* end the program when the last state was saved; otherwise it runs to its end */
} StatesOptions;

/* What became of a window of the plan. */
typedef struct SavedState {
    uint32_t window;
    bool saved;
    const char *problem; /* why not */
    CheckpointCost cost;
} SavedState;

typedef struct StatesSaved {
    CheckpointTool tool;
    const char *launched_with; /* words that had to stand before the command; "" */
    uint32_t n_states;         /* as many as windows */
    const SavedState *states;
    uint32_t n_saved;
    int status;             /* how the launcher ended */
    const char *difference; /* from the signature's application: another build; "" */
    double elapsed_s;       /* from its start to its end */
} StatesSaved;

/* One instrumented run of the application, which is put to sleep and saved before each window of the plan. What can't
 * be saved is said, and the others are kept; ERR_NEGATIVE if none could. ERR_INPUT: the program isn't the signature's.
 */
bool states_save(const Signature *signature, const SpreadPlan *plan, const StatesOptions *options,
                 char *const command[], const Progress *progress, Arena *arena, StatesSaved *saved, Err *err);

/* ---- the directory ---- */

typedef struct State {
    uint32_t number; /* SIGDIR/number */
    SpreadWindow window;
    const char *checksum; /* of all its files */
    uint64_t bytes;
} State;

typedef struct States {
    const char *directory;
    Application application;
    const char *command, *host;
    const char *back_end, *back_end_version;
    const char *processor; /* its features, as the kernel lists them */
    const char *kernel;    /* "Linux 6.1.0-18-amd64": any other will do, if the back end can */
    uint64_t page_bytes;
    const char *recording; /* absolute, as the processes know it */
    bool is_complete;      /* firma checkpoint came to its end; otherwise there may be fewer than could be saved */
    uint32_t n_planned;    /* windows that should have a state */
    uint32_t n_states;
    const State *states; /* by number */
} States;

extern const Document states_document; /* states.json, of States */

/* Whether there is a directory of states. */
bool states_are_at(const char *path);

/* ERR_INPUT: no directory of states, or one that wasn't even written to the first. */
bool states_load(const char *directory, Arena *arena, States **states, Signature **signature, Err *err);

/* ---- executing ---- */

typedef struct ExecuteOptions {
    const char *recording;           /* directory for the records while they run; removed at the end */
    uint32_t repeats;                /* of each state */
    const char *const *cpus_of_rank; /* [n_processes] NULL: as they were bound when saved */
} ExecuteOptions;

typedef struct StatesExecuted {
    PhaseTimes *times;
    uint32_t n_executed, n_failed; /* runs */
    const char *problem;           /* of the first that failed; "" */
} StatesExecuted;

/* Restores each state, lets its warm-up pass, measures its window, and ends it. ERR_INPUT: a state is damaged, or was
 * saved on a machine or with a program that isn't here; ERR_ENVIRONMENT: none could be restored. */
bool states_execute(const States *states, const Signature *signature, const ExecuteOptions *options,
                    const Progress *progress, Arena *arena, StatesExecuted *executed, Err *err);
