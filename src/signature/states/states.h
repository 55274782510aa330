/* SPDX-License-Identifier: BSD-3-Clause */
/* The thesis's executable signature (§3.6, §5.4): a directory of saved states of an application,
 * one before each window that is to be measured. Public interface of the folder. docs/METHOD.md,
 * section 4a.
 *
 *    SIGDIR/states.json   the manifest: which application and machine the states belong to
 *    SIGDIR/app.firma     the signature
 *    SIGDIR/1, 2 …        one state each, see signature/checkpoint/checkpoint.h
 *
 * firma replaces states.json after each state, and once more at the end. Then the file says whether
 * each window has its state. So saved states can be used, whatever happened to the rest.
 *
 * States hold the memory of the application. So files have mode 0600, directories 0700. */
#pragma once

#include "base/progress.h"
#include "signature/checkpoint/checkpoint.h"
#include "signature/execute/spread.h"
#include "trace/segment.h"

/* ---- Saving ---- */

typedef struct StatesOptions {
    const char *directory; /* SIGDIR; must exist and be empty */
    CheckpointTool tool;   /* by checkpoint_find() */
    MpiFlavour flavour;    /* MPI_FLAVOUR_NONE: firma finds out */
    bool stop_after_last;  /* stop the program when the last state is saved; otherwise it runs to
                              its end */
} StatesOptions;

/* The result for one window of the plan. */
typedef struct SavedState {
    uint32_t window;
    bool saved;
    const char *problem; /* why it wasn't saved */
    ErrKind kind;        /* of this problem. ERR_ENVIRONMENT: saving failed. ERR_NEGATIVE: the program didn't reach
                            the place */
    CheckpointCost cost;
} SavedState;

typedef struct StatesSaved {
    CheckpointTool tool;
    const char *launched_with; /* words that had to be put before the command, or "" */
    uint32_t n_states;         /* number of windows */
    const SavedState *states;
    uint32_t n_saved;
    bool is_complete;       /* each window has its state */
    int status;             /* exit status of the launcher */
    const char *difference; /* another build than the signature's application, as a text, or "" */
    double elapsed_s;       /* from the launcher's start to its end */
} StatesSaved;

/* Runs the application once. Before each window of the plan, puts it to sleep and saves it. States
 * that can't be saved are reported in *saved, and the others are kept. ERR_NEGATIVE: no state could
 * be saved. ERR_INPUT: the program isn't the signature's. Results in the
 * arena. */
bool states_save(const Signature *signature, const SpreadPlan *plan, const StatesOptions *options,
                 char *const command[], const Progress *progress, Arena *arena, StatesSaved *saved, Err *err);

/* The first state that couldn't be saved; NULL if all are saved. */
const SavedState *states_first_missing(const StatesSaved *saved);

/* ---- The directory ---- */

typedef struct State {
    uint32_t number; /* name of its directory: SIGDIR/number */
    SpreadWindow window;
    const char *checksum; /* of all its files */
    uint64_t bytes;
} State;

typedef struct States {
    const char *directory;
    Application application;
    const char *command, *host;
    const char *back_end, *back_end_version;
    const char *processor; /* the processor's features, as the kernel lists them */
    const char *kernel;    /* "Linux 6.1.0-18-amd64"; not compared, since the back end decides */
    uint64_t page_bytes;
    const char *recording; /* absolute path, as the processes know it */
    bool is_complete;      /* each planned window has its state */
    uint32_t n_planned;    /* number of windows that should have a state */
    uint32_t n_states;
    const State *states; /* ascending by number */
} States;

extern const Document states_document; /* the form of states.json, for States */

/* Whether there is a directory at this path. */
bool states_are_at(const char *path);

/* ERR_INPUT: the directory holds no states. Results in the arena. */
bool states_load(const char *directory, Arena *arena, States **states, Signature **signature, Err *err);

/* ---- Executing ---- */

typedef struct ExecuteOptions {
    const char *recording;           /* prefix of the recordings' directories; each is removed
                                        after its run */
    uint32_t repeats;                /* how often to execute each state */
    const char *const *cpus_of_rank; /* [n_processes] NULL: bound as when it was saved */
} ExecuteOptions;

typedef struct StatesExecuted {
    PhaseTimes *times;
    uint32_t n_executed, n_failed; /* numbers of runs */
    const char *problem;           /* why the first failed run failed, or "" */
    int interrupted;               /* the signal, if it ended the measurement; what was measured until then counts */
} StatesExecuted;

/* Restores each state, lets its warm-up pass, measures its window, and kills it. ERR_INPUT: a state
 * is damaged, or was saved on a different machine or with a different program. ERR_ENVIRONMENT: no
 * state could be restored. ERR_NEGATIVE: interrupted. Results in the arena. */
bool states_execute(const States *states, const Signature *signature, const ExecuteOptions *options,
                    const Progress *progress, Arena *arena, StatesExecuted *executed, Err *err);
