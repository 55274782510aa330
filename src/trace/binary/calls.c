/* SPDX-License-Identifier: BSD-3-Clause */
/* See calls.h. Compilers and MPI libraries spell a Fortran call in many ways:
 *
 *     mpi_send  mpi_send_  mpi_send__  MPI_SEND      mpif.h and `use mpi`, by compiler
 *     mpi_send_f08_  mpi_send_f08ts_                 `use mpi_f08`: Open MPI, MPICH
 *     mpi_send_f08ts_large_                          MPICH's large counts: MPI_Send_c
 *
 * Each spelling with a p before it belongs to the profiling layer. PVM's Fortran library calls the C
 * functions, which have one spelling: pvm_send. */
#include "trace/binary/calls.h"

#include <ctype.h>
#include <fnmatch.h>
#include <string.h>

enum { NAME_LIMIT = 80 }; /* MPI's names have at most 30 letters; those of MPIX are a little longer */

typedef struct Ending {
    const char *fortran, *c;
} Ending;

/* Longer endings come first. */
static const Ending endings[] = {
    {"_f08ts_large", "_c"}, {"_f08_large", "_c"}, {"_large", "_c"}, {"_f08ts", ""}, {"_f08", ""}, {"_fts", ""},
};

/* True for a function of PVM. */
static bool call_is_of_pvm(const char *symbol)
{
    return strncmp(symbol, "pvm_", 4) == 0 && strcmp(symbol, "pvm_errno") != 0;
}

bool call_is_candidate(const char *symbol)
{
    const char *name = symbol + (*symbol == 'P' || *symbol == 'p');
    return call_is_of_pvm(symbol) || strncmp(name, "MPI_", 4) == 0 || strncmp(name, "mpi_", 4) == 0 ||
           strncmp(name, "MPIX_", 5) == 0 || strncmp(name, "mpix_", 5) == 0;
}

static void replace_ending(char name[NAME_LIMIT])
{
    size_t length = strlen(name);
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        size_t ending = strlen(endings[i].fortran);
        if (length <= ending || strcasecmp(name + length - ending, endings[i].fortran) != 0)
            continue;
        strcpy(name + length - ending, endings[i].c);
        return;
    }
}

static const CallRule *find_rule(const char *name)
{
    const CallRule *matching = NULL;
    for (size_t i = 0; i < n_call_rules; i++) {
        if (strcasecmp(call_rules[i].name, name) == 0)
            return &call_rules[i];
        if (!matching && strchr(call_rules[i].name, '*') && fnmatch(call_rules[i].name, name, FNM_CASEFOLD) == 0)
            matching = &call_rules[i];
    }
    return matching;
}

/* Converts "mpi_type_commit" to the spelling in C. */
static const char *in_c(const char *name, Arena *arena)
{
    char *text = arena_strdup(arena, name), *letter = text;
    for (; *letter && *letter != '_'; letter++)
        *letter = (char)toupper((unsigned char)*letter);
    if (*letter && letter[1]) {
        letter[1] = (char)toupper((unsigned char)letter[1]);
        for (letter += 2; *letter; letter++)
            *letter = (char)tolower((unsigned char)*letter);
    }
    return text;
}

/* True for predefined callbacks, which MPI libraries define as functions: mpi_null_copy_fn_,
 * mpi_conversion_fn_null_. */
static bool is_callback(const char *name)
{
    return strcasestr(name, "_fn") != NULL;
}

/* True for MPI_Xxx with a small letter. Constants consist of capitals. */
static bool is_c_name(const char *name)
{
    const char *rest = strchr(name, '_') + 1;
    return isupper((unsigned char)rest[0]) && (islower((unsigned char)rest[1]) || strncmp(rest, "T_", 2) == 0);
}

const char *call_of_symbol(const char *symbol, Arena *arena, CallClass *class)
{
    char name[NAME_LIMIT];
    if (call_is_of_pvm(symbol)) {
        const CallRule *rule = find_rule(symbol);
        *class = rule ? rule->class : CLASS_UNKNOWN;
        return arena_strdup(arena, symbol);
    }
    const char *start = symbol + (*symbol == 'P' || *symbol == 'p');
    size_t length = strlen(start);
    while (length && start[length - 1] == '_')
        length--;
    if (!call_is_candidate(symbol) || length <= 4 || length >= sizeof name || is_callback(start))
        return NULL;
    memcpy(name, start, length);
    name[length] = '\0';
    replace_ending(name);
    const CallRule *rule = find_rule(name);
    if (rule) {
        *class = rule->class;
        return strchr(rule->name, '*') ? is_c_name(name) ? arena_strdup(arena, name) : in_c(name, arena) : rule->name;
    }
    if (isupper((unsigned char)name[0]) && !is_c_name(name))
        return NULL;
    *class = CLASS_UNKNOWN;
    return is_c_name(name) ? arena_strdup(arena, name) : in_c(name, arena);
}
