/* SPDX-License-Identifier: BSD-3-Clause */
/* What operations cost on a kind of processor, per language: the computing half of a machine model (member "processors"
 * of machine.json). `firma machine cpu` measures it; people edit it for machines that don't exist. Source: spec 2 §2.1
 * (CRES). */
#pragma once

#include "base/arena.h"
#include "base/fields.h"
#include "model/interval.h"
#include <stdbool.h>
#include <stdint.h>

/* Operations and data types by their names, as PAMELA writes them: sum_double, access_reference, sqrt_float. */
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

typedef enum CpuOperation {
    CPU_ASSIGN,  /* to a scalar variable */
    CPU_ACCESS,  /* of a scalar variable */
    CPU_ELEMENT, /* of an array: address and load or store */
    CPU_FIELD,   /* of an object or structure */
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
    CPU_CAST, /* to the type, from whichever */
    CPU_CALL,
    CPU_RETURN,
    CPU_BRANCH,
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
    CPU_ALLOCATE,
    CPU_OPERATIONS
} CpuOperation;
extern const char *const cpu_operation_names[CPU_OPERATIONS]; /* "assign" … "allocate" */

/* By name, as "sum_double"; false: there is none such. */
bool cpu_find(const char *name, CpuOperation *operation, CpuType *type);
const char *cpu_name(CpuOperation operation, CpuType type, Arena *arena);

/* high < low: not measured. */
typedef struct CpuCosts {
    const char *language; /* "c", "java" */
    const char *compiler; /* version and options; the JVM and its version */
    double benchmark_s;   /* of the set of benchmarks: relative performance is the least of all machines' over this */
    Interval cost_s[CPU_OPERATIONS][CPU_TYPES];
} CpuCosts;

typedef struct CpuModel {
    const char *name;      /* of the kind of machine: "old", "fast" */
    const char *processor; /* model name; "" if not known */
    const char *date, *command;
    uint32_t n_cores; /* processors of a machine of this kind: how many workers compute at the same time */
    uint32_t n_hosts;
    const char *const *hosts; /* those of the machine model that are of this kind; none: a host of the kind's name */
    uint32_t n_languages;
    const CpuCosts *languages;
} CpuModel;

/* NULL: it has none. */
const CpuCosts *cpu_costs(const CpuModel *cpu, const char *language);

extern const FieldList cpu_fields; /* of a CpuModel */
