/* SPDX-License-Identifier: BSD-3-Clause */
/* What operations cost on a kind of processor, for each language: the computing half of a machine
 * model (member "processors" of machine.json). `firma machine cpu` measures these costs. People
 * write them for machines that don't exist. Method: docs/METHOD.md §17. */
#pragma once

#include "base/arena.h"
#include "base/fields.h"
#include "model/interval.h"
#include <stdbool.h>
#include <stdint.h>

/* Operations and data types. In PAMELA, an operation and a type form a name: sum_double,
 * access_reference, sqrt_float. */
typedef enum CpuType {
    CPU_INT8,
    CPU_INT16,
    CPU_INT32,
    CPU_INT64,
    CPU_FLOAT,
    CPU_DOUBLE,
    CPU_REFERENCE,
    CPU_TYPES
} CpuType;
extern const char *const cpu_type_names[CPU_TYPES]; /* "int8" … "reference" */

/* Of CPU_ALLOCATE, bytes are int8. Those of blocks that may have been used before, so that their pages are there; and how
 * many such blocks there are. */
#define CPU_RECYCLED CPU_INT16
#define CPU_RECYCLING CPU_INT32
/* Bytes of arrays of a fixed size, of which perhaps not all are used. */
#define CPU_FIXED CPU_INT64
/* Bytes of blocks that may have been used before, as many as live at a time. */
#define CPU_LIVE CPU_FLOAT

typedef enum CpuOperation {
    CPU_ASSIGN,  /* to a scalar variable */
    CPU_ACCESS,  /* of a scalar variable */
    CPU_ELEMENT, /* to an array's element: computes the address, and loads or stores */
    CPU_WAIT,    /* a step that waits for the iteration before; it is as long as a sum of whole numbers */
    CPU_STRAY,   /* to an array's element whose index the data tell, not the loops */
    CPU_FIELD,   /* to a member of an object or structure */
    CPU_SUM,
    CPU_SUB,
    CPU_MUL,
    CPU_DIV,
    CPU_MOD,
    CPU_NEGATE,
    CPU_COMPARE,
    CPU_LOGICAL,
    CPU_BITWISE,
    CPU_SHIFT,
    CPU_CAST, /* to this type, from any type */
    CPU_CALL,
    CPU_RETURN,
    CPU_BRANCH,
    CPU_SURPRISE, /* a branch that goes another way than the processor expects */
    CPU_SQRT,
    CPU_SIN,
    CPU_COS,
    CPU_TAN,
    CPU_EXP,
    CPU_LOG,
    CPU_POW,
    CPU_ABS,
    CPU_FLOOR,
    CPU_MATH, /* any other function of the mathematical library */
    CPU_RANDOM,
    CPU_PARSE,  /* a number from its text: a whole one, or a double */
    CPU_FORMAT, /* of a number: its text; to a stream: of int8 a character, of a reference a text */
    /* What the library does on memory, for each eight bytes: of int8 it fills, of int16 copies, of int32 looks through a
     * block or text, of int64 through two. Of a reference: its call. Of double: qsort's work for a comparison. */
    CPU_BLOCK,
    CPU_ALLOCATE, /* of a reference: the call; of int8: each byte of new memory; CPU_RECYCLED … */
    CPU_CYCLE,    /* of the processor, in compiled code */
    /* In compiled code, whose cycles count by themselves: lines of the memory from beyond the second cache, one after the
     * other, and apart; what stray elements and references from fields cost more on large data. */
    CPU_STREAM,
    CPU_LEAP,
    CPU_ROAM,
    CPU_FOLLOW,
    CPU_DESCEND, /* a way down a tree, or through halves, of all data */
    CPU_OPERATIONS
} CpuOperation;
extern const char *const cpu_operation_names[CPU_OPERATIONS]; /* "assign" … "allocate" */

/* Finds "sum_double". Returns false if no operation and type form this name. */
bool cpu_find(const char *name, CpuOperation *operation, CpuType *type);
const char *cpu_name(CpuOperation operation, CpuType type, Arena *arena);

/* Of a number, or of a reference, which has as many as given. */
unsigned cpu_type_bytes(CpuType type, unsigned reference_bytes);

/* What loads and stores cost more if a task's data exceed near_bytes: of data of near_bytes times 2^i, `shape[i - 1]`
 * times cost_s; between these, and beyond the last two, a straight line over the logarithm of the bytes. Without a shape,
 * cost_s for each doubling. */
typedef struct CpuFar {
    /* "element", "stray"; "reference": loads of references from fields; in compiled code "stream", "leap", "roam",
     * "follow", "descend" */
    const char *operation;
    double near_bytes;
    Interval cost_s;
    uint32_t n_shape;
    const double *shape;
} CpuFar;

#define CPU_WARM "warm"

/* An interval with high < low means: not measured. */
typedef struct CpuCosts {
    const char *language; /* "c", "java" */
    /* The compiler's options at which operations were measured in their context, among others, or
     * CPU_WARM for code that a JVM has compiled; "": measured one by one. */
    const char *options;
    const char *compiler;  /* version and options; the JVM and its version */
    const char *scheduler; /* the processor for which llvm-mca counts cycles of compiled code; "": none are counted */
    /* run time of the set of benchmarks. Relative performance = least benchmark_s of all machines /
     * this one */
    double benchmark_s;
    Interval cost_s[CPU_OPERATIONS][CPU_TYPES];
    uint32_t n_far;
    const CpuFar *far;
    /* By what the ends of intervals are multiplied where times depend on probabilities that nobody gave; {0, 0}: by 1. */
    Interval guess;
    double learnt_branches; /* that go the same ways again and again, of which the processor learns half; 0: none */
} CpuCosts;

/* An operation's cost in a task with so many bytes of data. high < low: not measured. What machine models
 * may lack has another operation's cost: a stray element that of an element; a surprise, a wait,
 * output's format and a byte of an allocation cost nothing then. */
Interval cpu_cost(const CpuCosts *costs, CpuOperation operation, CpuType type, double bytes);

/* The cost where probabilities are assumed. */
Interval cpu_guessed(const CpuCosts *costs, Interval cost);

/* The name in CpuFar of an operation that costs more on large data, or NULL. */
const char *cpu_far_name(CpuOperation operation, CpuType type);

typedef struct CpuModel {
    const char *name;      /* of this kind of machine: "old", "fast" */
    const char *processor; /* model name; "" if not known */
    const char *date, *command;
    uint32_t n_cores; /* processors of one machine of this kind, each of which can serve one worker */
    uint32_t n_hosts;
    /* Hosts of the machine model that are of this kind; if none, the host with the kind's name. */
    const char *const *hosts;
    uint32_t n_languages;
    const CpuCosts *languages;
} CpuModel;

/* The costs for a language, or NULL: of operations that were measured one by one, if there are such. */
const CpuCosts *cpu_costs(const CpuModel *cpu, const char *language);

/* The costs in the context of code that was compiled with these options, or NULL. Only options that
 * change the code count: -O…, -f…, -m…, -std…, in this order, the last -O alone; of Java none. */
const CpuCosts *cpu_costs_at(const CpuModel *cpu, const char *language, const char *options);

extern const FieldList cpu_fields; /* of a CpuModel */
