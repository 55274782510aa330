/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the names of MPI calls in a .pcf file. Sections begin with a word in capitals:
 *
 *   EVENT_TYPE
 *   9   50000001    MPI Point-to-point
 *   VALUES
 *   1   MPI_Send
 *   0   Outside MPI
 *
 * Several types may share the values behind them. */
#include "trace/import/paraver.h"

#include "base/files.h"
#include "model/event.h"
#include "trace/calls.h"
#include "trace/import/lines.h"
#include <ctype.h>
#include <string.h>

enum { FIRST_MPI_TYPE = 50000000, MPI_TYPES_END = 50001000 };

/* The states that communicate, and the calls that they are taken for in a trace without MPI
 * events. */
static const struct {
    uint32_t state;
    const char *name;
} state_calls[] = {
    {3, "MPI_Recv"},   {4, "MPI_Send"},   {6, "MPI_Probe"},     {8, "MPI_Waitall"},
    {10, "MPI_Isend"}, {11, "MPI_Irecv"}, {16, "MPI_Sendrecv"},
};

static bool begins_with(const char *text, const char *beginning)
{
    return strncmp(text, beginning, strlen(beginning)) == 0;
}

static bool contains_any(const char *name, const char *const *words, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strstr(name, words[i]))
            return true;
    return false;
}

/* The collective of "MPI_Bcast", "MPI_Ibcast" or "MPI_Reduce_scatter_block". */
static uint8_t collective_of(const char *name)
{
    char lower[64] = "";
    Collective collective;
    const char *base = name + strlen("MPI_");
    for (size_t i = 0; base[i] && i + 1 < sizeof lower; i++)
        lower[i] = (char)tolower((unsigned char)base[i]);
    if (collective_from_name(lower, &collective) || (lower[0] == 'i' && collective_from_name(lower + 1, &collective)))
        return collective <= COLLECTIVE_NEIGHBOR_ALLTOALLW ? (uint8_t)collective : COLLECTIVE_COUNT;
    return COLLECTIVE_COUNT;
}

static ParaverName describe(const char *text, Arena *arena)
{
    static const char *const sends[] = {"send", "Start"}, *const receives[] = {"recv", "Recv", "Start"},
                             *const completes[] = {"Wait", "Test", "Request_free"};
    ParaverName name = {.name = arena_strdup(arena, text), .kind = PARAVER_LOCAL, .collective = COLLECTIVE_COUNT};
    if (!call_find(text, &name.call))
        return name;
    name.kind = PARAVER_CALL;
    if (begins_with(text, "MPI_Init") && (text[8] == '\0' || text[8] == '_'))
        name.kind = PARAVER_INIT;
    else if (strcmp(text, "MPI_Finalize") == 0)
        name.kind = PARAVER_FINALIZE;
    else if (call_treatment(name.call) == CALL_IO)
        name.kind = PARAVER_IO;
    else if (call_treatment(name.call) == CALL_COUNTED)
        name.kind = PARAVER_IO;
    name.collective = collective_of(text);
    name.sends = strstr(text, "Send") || contains_any(text, sends, 2);
    name.receives = contains_any(text, receives, 3);
    name.completes = contains_any(text, completes, 3);
    if (strstr(text, "_init"))
        name.sends = name.receives = false;
    return name;
}

static uint32_t add_name(ParaverNames *names, const char *text, Arena *arena)
{
    *vec_push(&names->list) = describe(text, arena);
    return (uint32_t)names->list.count;
}

/* "9   50000001    MPI Point-to-point": reads numbers and moves behind blanks. */
static bool take_field(const char **at, uint64_t *number)
{
    *at += strspn(*at, " \t");
    if (!take_number(at, UINT32_MAX, number) || (**at && **at != ' ' && **at != '\t'))
        return false;
    *at += strspn(*at, " \t");
    return true;
}

typedef struct Section {
    enum { IN_OTHER, IN_TYPES, IN_VALUES } in;
    VEC(uint32_t) types; /* the MPI types that the section describes */
} Section;

static void read_type(Section *section, const char *at)
{
    uint64_t colour, type;
    if (take_field(&at, &colour) && take_field(&at, &type) && type >= FIRST_MPI_TYPE && type < MPI_TYPES_END)
        *vec_push(&section->types) = (uint32_t)type;
}

static void read_value(ParaverNames *names, const Section *section, const char *at, Arena *arena)
{
    uint64_t value;
    if (!take_field(&at, &value) || value == 0 || !begins_with(at, "MPI_"))
        return;
    const char *text = arena_strndup(arena, at, strcspn(at, " \t"));
    for (size_t i = 0; i < section->types.count; i++)
        *map_put(&names->of_value, (MapKey){section->types.items[i], value}, NULL) = add_name(names, text, arena);
}

static void read_line(ParaverNames *names, Section *section, const char *line, Arena *arena)
{
    line += strspn(line, " \t");
    if (*line == '\0')
        return;
    if (isdigit((unsigned char)*line)) {
        if (section->in == IN_TYPES)
            read_type(section, line);
        else if (section->in == IN_VALUES)
            read_value(names, section, line, arena);
        return;
    }
    if (begins_with(line, "EVENT_TYPE")) {
        section->in = IN_TYPES;
        section->types.count = 0;
    } else {
        section->in = begins_with(line, "VALUES") ? IN_VALUES : IN_OTHER;
    }
}

bool paraver_names_read(ParaverNames *names, const char *path, Arena *arena, Err *err)
{
    Lines lines;
    Section section = {0};
    *names = (ParaverNames){.path = path, .is_there = files_exist(path)};
    for (size_t i = 0; i < sizeof state_calls / sizeof *state_calls; i++)
        *map_put(&names->of_state, (MapKey){0, state_calls[i].state}, NULL) =
            add_name(names, state_calls[i].name, arena);
    if (!names->is_there)
        return true;
    if (!lines_open(&lines, path, err))
        return false;
    bool ok = true, is_there = true;
    while ((ok = lines_next(&lines, &is_there, err)) && is_there)
        read_line(names, &section, lines.line, arena);
    vec_free(&section.types);
    lines_close(&lines);
    return ok;
}

void paraver_names_free(ParaverNames *names)
{
    map_free(&names->of_value);
    map_free(&names->of_state);
    vec_free(&names->list);
}
