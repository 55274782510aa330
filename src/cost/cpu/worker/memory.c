/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels of variables, elements, fields and calls, the same for each type. */
#include "cost/cpu/worker/worker.h"

#include "cost/cpu/worker/barrier.h"
#include "cost/cpu/worker/operations.h"
#include <stdlib.h>
#include <string.h>

/* The cells of all types fit into the first cache; a walk doesn't. */
enum { CELLS = 64, WALK_BYTES = 64 << 20 };

/* For each type, an index type. */
typedef int8_t Index_int8;
typedef int16_t Index_int16;
typedef int32_t Index_int32;
typedef int64_t Index_int64, Index_float, Index_double, Index_reference;

/* The memory for walks. A kernel continues where it stopped. */
static char *walked_memory(void)
{
    static char *memory;
    if (memory)
        return memory;
    if (!(memory = malloc(WALK_BYTES)))
        abort();
    return memset(memory, 1, WALK_BYTES); /* so that all pages exist */
}

#define DEFINE_KERNELS(type)                                                                                           \
    static volatile C_##type type##_cell;                                                                              \
    static volatile struct {                                                                                           \
        C_##type first, second;                                                                                        \
    } type##_record;                                                                                                   \
    static size_t type##_walk;                                                                                         \
    static void access_##type(uint64_t n)                                                                              \
    {                                                                                                                  \
        for (; n; n--) {                                                                                               \
            REPEAT_32((void)type##_cell;)                                                                              \
        }                                                                                                              \
    }                                                                                                                  \
    static void assign_##type(uint64_t n)                                                                              \
    {                                                                                                                  \
        C_##type x = type##_cell;                                                                                      \
        for (; n; n--) {                                                                                               \
            REPEAT_32(type##_cell = x;)                                                                                \
        }                                                                                                              \
    }                                                                                                                  \
    static void element_##type##_next(uint64_t n)                                                                      \
    {                                                                                                                  \
        static volatile Index_##type ring[CELLS];                                                                      \
        for (int i = 0; i < CELLS; i++)                                                                                \
            ring[i] = (Index_##type)((i + 7) % CELLS);                                                                 \
        Index_##type i = 0;                                                                                            \
        for (; n; n--) {                                                                                               \
            REPEAT_32(i = ring[i];)                                                                                    \
        }                                                                                                              \
    }                                                                                                                  \
    static void element_##type##_walk(uint64_t n)                                                                      \
    {                                                                                                                  \
        char *memory = walked_memory();                                                                                \
        size_t at = type##_walk;                                                                                       \
        for (; n; n--) {                                                                                               \
            volatile C_##type *x = (volatile C_##type *)(void *)(memory + at);                                         \
            REPEAT_32((void)*x++;)                                                                                     \
            at = (at + 32 * sizeof *x) % WALK_BYTES;                                                                   \
        }                                                                                                              \
        type##_walk = at;                                                                                              \
    }                                                                                                                  \
    static void element_##type##_fill(uint64_t n)                                                                      \
    {                                                                                                                  \
        char *memory = walked_memory();                                                                                \
        size_t at = type##_walk;                                                                                       \
        C_##type value = type##_cell;                                                                                  \
        for (; n; n--) {                                                                                               \
            volatile C_##type *x = (volatile C_##type *)(void *)(memory + at);                                         \
            REPEAT_32(*x++ = value;)                                                                                   \
            at = (at + 32 * sizeof *x) % WALK_BYTES;                                                                   \
        }                                                                                                              \
        type##_walk = at;                                                                                              \
    }                                                                                                                  \
    static void field_##type##_load(uint64_t n)                                                                        \
    {                                                                                                                  \
        for (; n; n--) {                                                                                               \
            REPEAT_32((void)type##_record.second;)                                                                     \
        }                                                                                                              \
    }                                                                                                                  \
    static void field_##type##_update(uint64_t n)                                                                      \
    {                                                                                                                  \
        for (; n; n--) {                                                                                               \
            REPEAT_32(type##_record.second = type##_record.second;)                                                    \
        }                                                                                                              \
    }                                                                                                                  \
    __attribute__((noinline)) static C_##type called_##type(C_##type x)                                                \
    {                                                                                                                  \
        BARRIER_##type(x);                                                                                             \
        return x;                                                                                                      \
    }                                                                                                                  \
    static void call_##type(uint64_t n)                                                                                \
    {                                                                                                                  \
        C_##type x = type##_cell;                                                                                      \
        for (; n; n--) {                                                                                               \
            REPEAT_32(x = called_##type(x);)                                                                           \
        }                                                                                                              \
    }

OPERATIONS_OF_ANY(DEFINE_KERNELS)

#define LIST_KERNELS(type)                                                                                             \
    {"access_" #type, "load", access_##type, 32, ""}, {"assign_" #type, "store", assign_##type, 32, ""},               \
        {"element_" #type, "load", access_##type, 32, ""}, {"element_" #type, "next", element_##type##_next, 32, ""},  \
        {"element_" #type, "walk", element_##type##_walk, 32, ""},                                                     \
        {"element_" #type, "fill", element_##type##_fill, 32, ""},                                                     \
        {"field_" #type, "load", field_##type##_load, 32, ""},                                                         \
        {"field_" #type, "update", field_##type##_update, 64, ""}, {"call_" #type, "call", call_##type, 64, ""},       \
        {"return_" #type, "call", call_##type, 64, ""},

const Kernel memory_kernels[] = {OPERATIONS_OF_ANY(LIST_KERNELS)};
const size_t n_memory_kernels = sizeof memory_kernels / sizeof *memory_kernels;

#define LIST_FREE(type) "access_" #type, "assign_" #type, "call_" #type, "return_" #type,

const char *const free_operations[] = {
    OPERATIONS_OF_ANY(LIST_FREE) "cast_int8", "cast_int16", "cast_int32", "cast_int64", "cast_reference", NULL};
