/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs through a C program with MPI calls, once for each process, without executing it: firma
 * follows the values of variables, and knows rank and size. The result is what a trace of the
 * program holds: computation, messages and collectives of each process. So the stages that read
 * traces can read it. Source: docs/METHOD.md, section 15, *Programs of several processes*. Public
 * interface of the folder. */
#pragma once

#include "cost/source/analyse.h"
#include "model/cpu.h"
#include "model/event.h"

/* The value of a variable, or of a named parameter: a Q, iterations, the cost of a function. */
typedef struct GivenValue {
    const char *name; /* or a parameter's place, pi.c:12 */
    double value;
    bool *is_used; /* becomes true; NULL: the caller doesn't ask */
} GivenValue;

/* Replaces parts of the program's model, such as by what its compiled code takes. `model` has the sub-models that are
 * known so far. */
typedef struct ProcessesRewriter ProcessesRewriter;
struct ProcessesRewriter {
    /* A stretch of the function or loop with this origin. An empty SEQ or IF with an origin marks where a run of a
     * function, of a loop's body or of a side of a conditional begins. */
    PamelaNode *(*rewrite)(const ProcessesRewriter *self, const PamelaModel *model, PamelaNode *node,
                           const void *origin);
    PamelaNode *(*rewrite_sub)(const ProcessesRewriter *self, const PamelaModel *model, const PamelaSub *sub);
};

/* How much of a named cost all processes have. */
typedef struct ProcessesAmount {
    const char *name;
    double amount;
} ProcessesAmount;

typedef struct ProcessesOptions {
    AnalysisSource source;        /* C; the entry is normally main */
    const SourceProgram *program; /* NULL: the source is read */
    uint32_t n_processes;
    char *const *arguments; /* of the program, as of its command line; NULL: not known */
    size_t n_given;
    const GivenValue *given;
    const CpuCosts *costs; /* the middle of each interval counts; NULL: each operation counts as a nanosecond */
    bool for_context;      /* as of AnalysisOptions; costs are of that kind */
    const ProcessesRewriter *rewriter; /* NULL: the model stays as it is */
    const char *counted;               /* named costs that begin so become amounts; NULL: none */
} ProcessesOptions;

enum { SOURCE_PROCESSES_LIMIT = 4096 };

typedef struct Processes {
    EventSource *source; /* loops are run through while events are read */
    size_t n_findings;
    const AnalysisFinding *findings; /* what was guessed or approximated */
    size_t n_amounts;
    const ProcessesAmount *amounts;
} Processes;

/* The options of the compiler, and those that tell where mpi.h is. */
const char *processes_compiler_options(const AnalysisSource *source, Arena *arena);

/* Reads a source, so that several runs share its program. */
bool processes_read(const AnalysisSource *source, Arena *arena, const SourceProgram **program, Err *err);

/* ERR_INPUT: the source can't be read; or a partner, a size or a number of iterations isn't known,
 * with file and line. Result in the arena. */
bool processes_of_source(const ProcessesOptions *options, Arena *arena, Processes **processes, Err *err);
